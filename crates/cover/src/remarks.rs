//! Why a list of options has no cover, where it alone shows it.

use base::figures::grouped;

use crate::cover::Cover;
use crate::item::Kind;

/// Upper bound on the items or cells that are named one by one.
const MOST_NAMED: usize = 5;

/// The items that have to be covered and that no option has.
pub(crate) fn of_options(cover: &Cover) -> Vec<String> {
    let mut is_there = vec![false; cover.items().len()];
    for entry in cover.options().flatten() {
        is_there[entry.item as usize] = true;
    }
    let is_needed = |kind| matches!(kind, Kind::Primary { low: 1.., .. });
    let missing: Vec<String> = cover
        .items()
        .iter()
        .zip(is_there)
        .filter(|(item, is_there)| is_needed(item.kind()) && !is_there)
        .map(|(item, _)| format!("no option has item {}", item.name()))
        .collect();
    cut(missing)
}

/// The first phrases, and how many more there are.
pub(crate) fn cut(mut phrases: Vec<String>) -> Vec<String> {
    let left_out = phrases.len().saturating_sub(MOST_NAMED);
    phrases.truncate(MOST_NAMED);
    phrases.extend((left_out > 0).then(|| format!("and {} more", grouped(left_out))));
    phrases
}
