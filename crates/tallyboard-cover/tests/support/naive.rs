//! Counts covers by trying every set of options.

use tallyboard_cover::{Cover, Kind, NO_COLOUR};

/// The number of covers of a problem with few options.
pub fn count(cover: &Cover) -> u128 {
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
        let mut uses = 0;
        let mut colours = Vec::new();
        for &option in chosen {
            for entry in cover.entries(option).iter().filter(|entry| entry.item as usize == number)
            {
                uses += 1;
                colours.push(entry.colour);
            }
        }
        match item.kind() {
            Kind::Primary { low, high } => (low..=high).contains(&uses),
            Kind::Secondary => {
                uses <= 1
                    || colours.iter().all(|&colour| colour != NO_COLOUR && colour == colours[0])
            }
        }
    })
}
