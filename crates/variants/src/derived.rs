//! Sums that follow from the cages and the houses: what the cages of a house leave of its sum, its *innies*, and what they
//! have outside of it, its *outies*.

use std::collections::BTreeSet;

use crate::wide::{Set256, contains, insert, remove};

/// Cells with a known sum.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KnownSum {
    /// The cells, ascending.
    pub cells: Vec<u16>,
    pub sum: u32,
}

/// A sum of more cells says little.
const MOST_CELLS: usize = 5;

/// The sums that follow from `cages` and from `areas`, sets of cells each of which has a known sum.
pub(crate) fn derive(cages: &[KnownSum], areas: &[KnownSum]) -> BTreeSet<KnownSum> {
    let mut derived = BTreeSet::new();
    for area in areas {
        let mut inside: Set256 = [0; 4];
        area.cells.iter().for_each(|&cell| insert(&mut inside, cell.into()));
        let mut left = inside;
        let mut number_left = area.cells.len();
        let mut sum_left = area.sum;
        let mut uncovered = area.cells.len();
        let mut outside = Vec::new();
        let mut sum_of_cages = 0;
        for cage in cages {
            let is_inside = |cell: &&u16| contains(&inside, usize::from(**cell));
            let common = cage.cells.iter().filter(is_inside).count();
            if common == 0 {
                continue;
            }
            uncovered -= common;
            sum_of_cages += cage.sum;
            if common < cage.cells.len() {
                outside.extend(cage.cells.iter().filter(|cell| !is_inside(cell)));
                continue;
            }
            cage.cells.iter().for_each(|&cell| remove(&mut left, cell.into()));
            number_left -= common;
            // A cage that has more than the whole area leaves nothing: the search finds that.
            sum_left = sum_left.saturating_sub(cage.sum);
        }
        if number_left < area.cells.len() && (1..=MOST_CELLS).contains(&number_left) {
            let cells = area.cells.iter().copied().filter(|&cell| contains(&left, cell.into()));
            derived.insert(KnownSum { cells: cells.collect(), sum: sum_left });
        }
        if uncovered == 0 && (1..=MOST_CELLS).contains(&outside.len()) {
            outside.sort_unstable();
            let sum = sum_of_cages.saturating_sub(area.sum);
            derived.insert(KnownSum { cells: outside, sum });
        }
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(cells: &[u16], sum: u32) -> KnownSum {
        KnownSum { cells: cells.to_vec(), sum }
    }

    #[test]
    fn innies_and_outies_have_the_rest_of_the_sum() {
        let row = [known(&[0, 1, 2, 3], 10)];
        let inside = [known(&[0, 1], 3), known(&[2], 4)];
        assert_eq!(Vec::from_iter(derive(&inside, &row)), [known(&[3], 3)]);
        let crossing = [known(&[0, 1, 4], 6), known(&[2, 3], 7)];
        let found = Vec::from_iter(derive(&crossing, &row));
        assert_eq!(found, [known(&[0, 1], 3), known(&[4], 3)]);
        assert!(derive(&[known(&[5, 6], 5)], &row).is_empty());
    }
}
