//! Covers up to symmetry.

use tallyboard_cover::{Count, Cover, Group};

/// The number of covers up to the symmetries of a group.
pub fn classes(cover: &Cover, group: &Group) -> u128 {
    let mut unchanged = Vec::new();
    for symmetry in group.classes() {
        let quotients = symmetry.quotients(cover).unwrap();
        let counts =
            quotients.iter().map(|quotient| Count::new(quotient).unwrap().total().unwrap());
        unchanged.push(counts.sum());
    }
    let all = Count::new(cover).unwrap().total().unwrap();
    assert_eq!(unchanged[0], all, "the first symmetry changes nothing");
    group.up_to_symmetry(&unchanged).expect("the mean over a group is a whole number")
}
