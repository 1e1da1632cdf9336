//! Upper bounds that no choice of options can break: counts leave out the items that have nothing else.
//!
//! The piece of a design that may be used up to six times is an item, but six of them fill the whole board. Without such items
//! many problems have no multiplicities, so the fast engines count them.

use std::borrow::Cow;

use crate::cover::{Cover, ItemId, Kind};

/// `cover` without the items that need not be covered and cannot be covered too often. It has the same covers: options keep their
/// numbers, and each that can be chosen keeps a primary item.
pub(crate) fn without_free_items(cover: &Cover) -> Cow<'_, Cover> {
    let is_free = free_items(cover);
    if is_free.contains(&true) { Cow::Owned(cover.without(&is_free)) } else { Cow::Borrowed(cover) }
}

/// For each item, whether [`without_free_items`] leaves it out.
pub(crate) fn free_items(cover: &Cover) -> Vec<bool> {
    let options = options_of_candidates(cover);
    let mut is_free = vec![false; cover.items().len()];
    let mut weights = vec![0; is_free.len()];
    for (item, options) in options {
        let Kind::Primary { high, .. } = cover.items()[item as usize].kind() else { continue };
        is_free[item as usize] = fit_at_most(high as usize, cover, &options, &mut weights);
    }
    is_free
}

/// The first weight of each item.
const FIRST_WEIGHT: u64 = 64;
/// In a round a weight grows by this part of itself, an eighth.
const GROWTH_PART: u64 = 8;
/// The most rounds. In so many a weight stays below 2^41.
const MOST_ROUNDS: usize = 200;
/// The most entries that are read for an item after the first round. The weights of so many stay below 2^63 together.
const MOST_READS: usize = 1 << 22;

/// The items that may stay uncovered and may be covered several times, each with its options that can be chosen.
fn options_of_candidates(cover: &Cover) -> Vec<(ItemId, Vec<usize>)> {
    // Weights make bounds of sums, and not of a number of options.
    if cover.has_weights() {
        return Vec::new();
    }
    let mut found: Vec<(ItemId, Vec<usize>)> = (0..)
        .zip(cover.items())
        .filter(|(_, item)| matches!(item.kind(), Kind::Primary { low: 0, high: 2.. }))
        .map(|(item, _)| (item, Vec::new()))
        .collect();
    if found.is_empty() {
        return found;
    }
    for option in cover.usable_options() {
        for entry in cover.entries(option) {
            // The candidates ascend.
            if let Ok(place) = found.binary_search_by_key(&entry.item, |candidate| candidate.0) {
                found[place].1.push(option);
            }
        }
    }
    found
}

/// Whether each of these options has an item that is covered once at most, and no cover can have more than `high` of them, as far
/// as weights show it. `weights` has a place for each item, and is 0 before and after.
///
/// If each option has items of that kind which weigh at least `w` together, and all such items weigh `all`, at most `all / w` options
/// fit beside each other. The weights are equal at first. Then those of the lightest option grow by a part, again and again, which
/// leads near the best weights.
fn fit_at_most(high: usize, cover: &Cover, options: &[usize], weights: &mut [u64]) -> bool {
    let is_unit =
        |item: ItemId| matches!(cover.items()[item as usize].kind(), Kind::Primary { high: 1, .. });
    let units = |option: usize| {
        let entries = cover.entries(option).iter();
        entries.map(|entry| entry.item).filter(|&item| is_unit(item))
    };
    if options.iter().any(|&option| units(option).next().is_none()) {
        return false;
    }
    if options.len() <= high {
        return true;
    }
    let (mut all, mut entries) = (0, 0);
    for unit in options.iter().flat_map(|&option| units(option)) {
        entries += 1;
        if weights[unit as usize] == 0 {
            weights[unit as usize] = FIRST_WEIGHT;
            all += FIRST_WEIGHT;
        }
    }
    let mut is_shown = false;
    for _ in 0..MOST_ROUNDS.min(1 + MOST_READS / entries) {
        let weight =
            |&option: &usize| -> u64 { units(option).map(|unit| weights[unit as usize]).sum() };
        let weighed = options.iter().map(|option| (weight(option), *option));
        let Some((least, lightest)) = weighed.min() else { break };
        is_shown = all / least <= high as u64;
        if is_shown {
            break;
        }
        for unit in units(lightest) {
            let more = weights[unit as usize] / GROWTH_PART;
            weights[unit as usize] += more;
            all += more;
        }
    }
    for unit in options.iter().flat_map(|&option| units(option)) {
        weights[unit as usize] = 0;
    }
    is_shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of so many cells, and dominoes up to `high` times, but at least `low`.
    fn dominoes(cells: u32, low: u32, high: u32) -> Cover {
        let mut cover = Cover::new();
        cover.primary((0..cells).map(|cell| cell.to_string())).unwrap();
        cover.between("d", low, high).unwrap();
        for cell in 1..cells {
            cover.option(["d".to_owned(), (cell - 1).to_string(), cell.to_string()]).unwrap();
        }
        cover
    }

    #[test]
    fn an_item_is_left_out_if_its_bound_is_out_of_reach() {
        let has_item = |cover: &Cover| without_free_items(cover).item("d").is_some();
        // Three dominoes fill six cells, and seven have no room for four.
        for (cells, low, high, expected) in
            [(6, 0, 2, true), (6, 0, 3, false), (7, 0, 3, false), (8, 0, 3, true), (6, 1, 3, true)]
        {
            assert_eq!(has_item(&dominoes(cells, low, high)), expected, "{cells} {low} {high}");
        }
        // An option has to keep a primary item, or it could not be chosen.
        let mut alone = dominoes(6, 0, 9);
        alone.option(["d"]).unwrap();
        assert!(has_item(&alone));
    }

    /// Eight cells that options take two at a time have room for four, but each option takes one of the same two.
    #[test]
    fn weights_grow_until_they_show_the_bound() {
        for high in [2, 3] {
            let mut cover = Cover::new();
            cover.primary(["m0", "m1", "0", "1", "2", "3", "4", "5"]).unwrap();
            cover.between("d", 0, high).unwrap();
            for middle in ["m0", "m1"] {
                for other in 0..6 {
                    cover.option([middle, &other.to_string(), "d"]).unwrap();
                }
            }
            assert!(without_free_items(&cover).item("d").is_none(), "{high}");
            // With a third cell in the middle, three fit.
            cover.primary(["m2"]).unwrap().option(["m2", "0", "d"]).unwrap();
            assert_eq!(without_free_items(&cover).item("d").is_some(), high == 2, "{high}");
        }
    }

    #[test]
    fn options_keep_their_numbers_and_colours() {
        let mut cover = dominoes(4, 0, 4);
        cover.secondary(["x"]).unwrap();
        cover.option(["0", "x:red", "d"]).unwrap();
        let rest = without_free_items(&cover);
        let texts: Vec<String> = (0..rest.len()).map(|option| rest.option_text(option)).collect();
        assert_eq!(texts, ["0 1", "1 2", "2 3", "0 x:red"]);
    }
}
