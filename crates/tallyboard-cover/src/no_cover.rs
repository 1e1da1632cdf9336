//! Reasons, to be seen without a search, why a problem has no cover.

use tallyboard_base::figures::grouped;

use crate::cover::Cover;
use crate::item::Kind;

/// The most phrases that are listed.
const MOST_NAMED: usize = 5;

/// The reasons that a list of options shows: a phrase for each item that has to be covered and that no option has.
pub(crate) fn reasons(cover: &Cover) -> Vec<String> {
    let mut has_option = vec![false; cover.items().len()];
    for entry in cover.options().flatten() {
        has_option[entry.item as usize] = true;
    }
    let mut missing = Vec::new();
    for (item, has_option) in cover.items().iter().zip(has_option) {
        let is_needed = matches!(item.kind(), Kind::Primary { low: 1.., .. });
        if is_needed && !has_option {
            missing.push(format!("no option has item {}", item.name()));
        }
    }
    shortened(missing)
}

/// The first phrases, and the number of the others.
pub(crate) fn shortened(mut phrases: Vec<String>) -> Vec<String> {
    let left_out = phrases.len().saturating_sub(MOST_NAMED);
    phrases.truncate(MOST_NAMED);
    phrases.extend((left_out > 0).then(|| format!("and {} more", grouped(left_out))));
    phrases
}
