//! What tests and benches share: puzzles, random problems, the ruler, and counts by definition.
#![allow(dead_code, reason = "each of them uses a part")]

pub mod instances;
pub mod random;
pub mod ruler;

use tallyboard_cover::{Count, Cover, Group, Kind, NO_COLOUR};

/// The number of covers of a problem with few options, by trying every set of them.
pub fn count_naively(cover: &Cover) -> u128 {
    let mut chosen = Vec::new();
    subsets(cover, 0, &mut chosen)
}

fn subsets(cover: &Cover, option: usize, chosen: &mut Vec<usize>) -> u128 {
    if option == cover.len() {
        return u128::from(is_cover(cover, chosen));
    }
    let without = subsets(cover, option + 1, chosen);
    let has_primary = cover
        .entries(option)
        .iter()
        .any(|entry| cover.items()[entry.item as usize].kind() != Kind::Secondary);
    // By definition, an option without a primary item is never chosen.
    if !has_primary {
        return without;
    }
    chosen.push(option);
    let with = subsets(cover, option + 1, chosen);
    chosen.pop();
    without + with
}

fn is_cover(cover: &Cover, chosen: &[usize]) -> bool {
    cover.items().iter().enumerate().all(|(number, item)| {
        let mut uses = 0_u64;
        let mut colours = Vec::new();
        for &option in chosen {
            let entries = cover.entries(option).iter().zip(cover.weights(option));
            for (entry, weight) in entries.filter(|(entry, _)| entry.item as usize == number) {
                uses += u64::from(weight);
                colours.push(entry.colour);
            }
        }
        match item.kind() {
            Kind::Primary { low, high } => (low.into()..=high.into()).contains(&uses),
            Kind::Secondary => {
                uses <= 1
                    || colours.iter().all(|&colour| colour != NO_COLOUR && colour == colours[0])
            }
        }
    })
}

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
