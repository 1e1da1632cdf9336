//! What is wrong with a file, a symmetry or a problem: mistakes, and reasons for which there is no cover that are seen without a
//! search.

use crate::cover::{Cover, CoverError, Kind};
use tallyboard_base::figures::grouped;
use tallyboard_base::text;

/// A mistake in a line of a file, or in a symmetry.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// A mistake in an item or an option.
    #[error(transparent)]
    Cover(#[from] CoverError),
    /// Something that does not belong where it is.
    #[error("found {found}, expected {expected}")]
    Found {
        /// What was found.
        found: String,
        /// What belongs there.
        expected: String,
    },
    /// A file without items.
    #[error(
        "found the end of the file, expected a drawn puzzle, which begins with 'board:', a line that names items and \
         a line for each option, 'p ec', rows of 0 and 1, or lists in brackets"
    )]
    NoItems,
    /// An error in a file that was read as Knuth's format because its first line is of no other format.
    #[error(
        "{0} (read as Knuth's format: the first line begins neither with 'board:' nor as any other format does)"
    )]
    Knuth(Box<Mistake>),
}

/// The number of a line, from 1, and the mistake in it.
pub(crate) type LocatedMistake = (usize, Mistake);

/// The mistake of a text that every reader may find.
pub(crate) fn located(text::Mistake { line, found, expected }: text::Mistake) -> LocatedMistake {
    (line, Mistake::Found { found, expected })
}

/// The mistake of something that does not belong where it is.
pub(crate) fn mistake(found: impl Into<String>, expected: impl Into<String>) -> Mistake {
    Mistake::Found { found: found.into(), expected: expected.into() }
}

// Reasons, to be seen without a search, why a problem has no cover.

/// The most phrases that are listed.
const MOST_NAMED: usize = 5;

/// The reasons that a list of options shows: a phrase for each item that has to be covered and that no option has, or not enough
/// of them.
pub(crate) fn reasons(cover: &Cover) -> Vec<String> {
    let mut sums = vec![0_u64; cover.items().len()];
    for (entry, weight) in (0..cover.len()).flat_map(|option| cover.weighted(option)) {
        sums[entry.item as usize] += u64::from(weight);
    }
    let mut missing = Vec::new();
    for (item, sum) in cover.items().iter().zip(sums) {
        let Kind::Primary { low, .. } = item.kind() else { continue };
        if low > 0 && sum == 0 {
            missing.push(format!("no option has item {}", item.name()));
        } else if cover.has_weights() && sum < low.into() {
            let name = item.name();
            missing.push(format!("all options of item {name} have the sum {sum}, below {low}"));
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
