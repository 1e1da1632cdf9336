//! The sums that follow from those of cages and of areas, such as houses.
//!
//! The *innies* of an area are its cells outside of the cages that lie in it: their sum is that of the area less those of the
//! cages. The *outies* are the cells of cages beyond an area that the cages cover: their sum is that of the cages less that
//! of the area.

use std::collections::BTreeMap;

use crate::set::{Set256, contains, set_of};

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
    for (number, area) in areas.iter().enumerate() {
        let area_cells = set_of(area.cells.iter().copied());
        let is_in_area = |cell: &u16| contains(&area_cells, usize::from(*cell));
        let is_inside = |cage: &usize| cages[*cage].cells.iter().all(is_in_area);
        let (inside, others): (Vec<_>, Vec<_>) = (0..cages.len()).partition(is_inside);
        let is_crossing = |cage: &usize| cages[*cage].cells.iter().any(is_in_area);
        let crossing: Vec<usize> = others.into_iter().filter(is_crossing).collect();
        let of = |numbers: &[usize]| numbers.iter().map(|&cage| &cages[cage]).collect::<Vec<_>>();
        if let Some(sum) = innies(area, &of(&inside)) {
            let source = || Source { area: number, cages: inside.clone(), is_outside: false };
            derived.entry(sum).or_insert_with(source);
        }
        if let Some(sum) = outies(area, &area_cells, &of(&inside), &of(&crossing)) {
            let cages = [&inside[..], &crossing].concat();
            derived.entry(sum).or_insert(Source { area: number, cages, is_outside: true });
        }
    }
    derived
}

/// The cells of an area that the cages inside of it leave; `None` if they leave none or too many.
fn innies(area: &KnownSum, inside: &[&KnownSum]) -> Option<KnownSum> {
    if inside.is_empty() {
        return None;
    }
    let caged = set_of(cells_of(inside));
    let left = area.cells.iter().copied().filter(|&cell| !contains(&caged, cell.into()));
    // Cages that have more than the whole area leave nothing: the search finds that.
    known_sum(left.collect(), area.sum.saturating_sub(sum_of(inside)))
}

/// The cells outside of an area of the cages that cover it; `None` if they do not, or if these cells are none or too many.
fn outies(
    area: &KnownSum,
    area_cells: &Set256,
    inside: &[&KnownSum],
    crossing: &[&KnownSum],
) -> Option<KnownSum> {
    let is_outside = |cell: &u16| !contains(area_cells, usize::from(*cell));
    let mut outside: Vec<u16> = cells_of(crossing).filter(is_outside).collect();
    let covered = cells_of(inside).count() + cells_of(crossing).count() - outside.len();
    if covered < area.cells.len() {
        return None;
    }
    outside.sort_unstable();
    known_sum(outside, (sum_of(inside) + sum_of(crossing)).saturating_sub(area.sum))
}

fn cells_of(cages: &[&KnownSum]) -> impl Iterator<Item = u16> {
    cages.iter().flat_map(|cage| cage.cells.iter().copied())
}

fn sum_of(cages: &[&KnownSum]) -> u32 {
    cages.iter().map(|cage| cage.sum).sum()
}

fn known_sum(cells: Vec<u16>, sum: u32) -> Option<KnownSum> {
    (1..=MOST_CELLS).contains(&cells.len()).then_some(KnownSum { cells, sum })
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
