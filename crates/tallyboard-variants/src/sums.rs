//! The sums that follow from those of cages and of areas, such as houses.
//!
//! The *innies* of an area are its cells outside of the cages that lie in it: their sum is that of the area less those of the
//! cages. The *outies* are the cells of cages beyond an area that the cages cover: their sum is that of the cages less that
//! of the area.

use std::collections::BTreeMap;

use crate::set::{Set256, is_empty, members, minus, set_of, union};

/// Cells with a known sum.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KnownSum {
    /// The cells, ascending.
    pub cells: Vec<u16>,
    pub sum: u32,
}

/// Where a sum comes from: the number of the area, and those of the cages that are taken from it or that cover it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub area: usize,
    pub cages: Vec<usize>,
    /// Whether the cells are outies: the cages reach beyond the area.
    pub is_outside: bool,
}

/// A sum of more cells excludes few values. With at most five cells killers of large cages took up to 20 times as long.
const MOST_CELLS: usize = 14;

/// The sums that follow from `cages`, which do not overlap, and from `areas`, each with the first source that it has.
pub(crate) fn derive(cages: &[KnownSum], areas: &[KnownSum]) -> BTreeMap<KnownSum, Source> {
    let mut derived = BTreeMap::new();
    let sets: Vec<Set256> = cages.iter().map(|cage| set_of(cage.cells.iter().copied())).collect();
    for (number, area) in areas.iter().enumerate() {
        let area_cells = set_of(area.cells.iter().copied());
        let is_inside = |cage: &usize| is_empty(&minus(&sets[*cage], &area_cells));
        let is_crossing = |cage: &usize| minus(&sets[*cage], &area_cells) != sets[*cage];
        let (inside, others): (Vec<_>, Vec<_>) = (0..cages.len()).partition(is_inside);
        let crossing: Vec<usize> = others.into_iter().filter(is_crossing).collect();
        let sum_of = |numbers: &[usize]| numbers.iter().map(|&cage| cages[cage].sum).sum::<u32>();
        let all_of = |numbers: &[usize]| union(numbers.iter().map(|&cage| &sets[cage]));
        // The innies. Cages that have more than the whole area leave nothing: the search finds that.
        let left = minus(&area_cells, &all_of(&inside));
        let sum = area.sum.saturating_sub(sum_of(&inside));
        if !inside.is_empty()
            && let Some(sum) = known_sum(&left, sum)
        {
            let source = || Source { area: number, cages: inside.clone(), is_outside: false };
            derived.entry(sum).or_insert_with(source);
        }
        // The outies, if the cages cover the area.
        let crossed = all_of(&crossing);
        let is_covered = is_empty(&minus(&left, &crossed));
        let sum = (sum_of(&inside) + sum_of(&crossing)).saturating_sub(area.sum);
        if is_covered && let Some(sum) = known_sum(&minus(&crossed, &area_cells), sum) {
            let cages = [&inside[..], &crossing].concat();
            derived.entry(sum).or_insert(Source { area: number, cages, is_outside: true });
        }
    }
    derived
}

/// The sum of these cells; `None` if they are none or too many.
fn known_sum(cells: &Set256, sum: u32) -> Option<KnownSum> {
    let number = cells.iter().map(|word| word.count_ones() as usize).sum();
    (1..=MOST_CELLS).contains(&number).then(|| KnownSum { cells: members(cells).collect(), sum })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(cells: &[u16], sum: u32) -> KnownSum {
        KnownSum { cells: cells.to_vec(), sum }
    }

    #[test]
    fn innies_and_outies_have_the_difference_of_the_sums() {
        let row = [known(&[0, 1, 2, 3], 10)];
        let inside = [known(&[0, 1], 3), known(&[2], 4)];
        let source = |is_outside| Source { area: 0, cages: vec![0, 1], is_outside };
        let found = Vec::from_iter(derive(&inside, &row));
        assert_eq!(found, [(known(&[3], 3), source(false))]);
        let crossing = [known(&[0, 1, 4], 6), known(&[2, 3], 7)];
        let found = Vec::from_iter(derive(&crossing, &row));
        assert_eq!(
            found,
            [
                (known(&[0, 1], 3), Source { area: 0, cages: vec![1], is_outside: false }),
                (known(&[4], 3), Source { area: 0, cages: vec![1, 0], is_outside: true }),
            ]
        );
        assert!(derive(&[known(&[5, 6], 5)], &row).is_empty());
    }
}
