//! The rules as houses, groups of cells that differ, relations between pairs, and clues: the input of the engine.
//!
//! Sums follow from those of cages and of areas, such as houses. The *innies* of an area are its cells outside of the cages
//! that lie in it: their sum is that of the area less those of the cages. The *outies* are the cells of cages beyond an area
//! that the cages cover: their sum is that of the cages less that of the area.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::clue::{Clue, ClueKind, Relation, ValueSets};
use crate::grid::{Cell, Size};
use crate::rule::{Mark, Rule};
use crate::rules::Rules;

/// Cells that all differ, and the name of their rule for people.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub name: String,
    pub cells: Vec<u16>,
}

/// The cells to which a cell has a relation.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// The number of the relation in [`Tables::relations`], and of its table in [`Tables::images`].
    pub relation: usize,
    pub cells: Set256,
}

/// All that the engine knows of the rules.
#[derive(Debug)]
pub(crate) struct Tables {
    pub size: Size,
    /// Groups with as many cells as there are values, so that each value is in one of the cells.
    pub houses: Vec<Group>,
    /// Smaller groups: cages, cells that differ, and pairs a knight's or a king's move apart.
    pub groups: Vec<Group>,
    /// For each cell, the cells that differ from it by a house or a group.
    pub peers: Vec<Set256>,
    /// For each cell, its relations to others.
    pub links: Vec<Vec<Link>>,
    /// The relations in use, each once.
    pub relations: Vec<Relation>,
    /// [`Relation::image`] of each relation in use.
    pub images: Vec<Vec<u16>>,
    pub clues: Vec<Clue>,
    /// The candidates of each cell in a grid without givens.
    pub start: Vec<u16>,
    /// Computed for the first cage that needs them.
    value_sets: OnceCell<ValueSets>,
}

impl Tables {
    pub fn new(rules: &Rules) -> Self {
        let size = rules.size();
        let cells = size.cells();
        let mut tables = Self {
            size,
            houses: Vec::new(),
            groups: Vec::new(),
            peers: vec![[0; 4]; cells],
            links: vec![Vec::new(); cells],
            relations: Vec::new(),
            images: Vec::new(),
            clues: Vec::new(),
            start: vec![size.all_values(); cells],
            value_sets: OnceCell::new(),
        };
        tables.add_partition("row", |cell| cell / size.side());
        tables.add_partition("column", |cell| cell % size.side());
        if let Some(regions) = rules.regions() {
            tables.add_partition("region", |cell| regions[cell]);
        }
        for rule in rules.rules() {
            tables.add_rule(rule);
        }
        tables.add_negative_rules(rules);
        tables.find_peers();
        tables.add_derived_sums(rules);
        tables
    }

    /// Adds a house of the cells to which `house_of` gives the same number, for each number from 0.
    fn add_partition(&mut self, name: &str, house_of: impl Fn(usize) -> usize) {
        for number in 0..self.size.side() {
            let cells = (0..self.size.cells()).filter(|&cell| house_of(cell) == number);
            self.add_house(format!("{name} {}", number + 1), cells);
        }
    }

    fn add_house(&mut self, name: String, cells: impl Iterator<Item = usize>) {
        self.houses.push(Group { name, cells: cells.map(|cell| cell as u16).collect() });
    }

    fn indices(&self, cells: &[Cell]) -> Vec<u16> {
        // All cells are in the grid: that was checked when their rule was added.
        cells.iter().filter_map(|&cell| Some(self.size.index(cell)? as u16)).collect()
    }

    fn add_rule(&mut self, rule: &Rule) {
        let side = self.size.side();
        let name = rule.name();
        let cells = self.indices(&rule.cells());
        // Used for rules that name cells.
        let full_name = || format!("{name} of {}", rule.cells()[0]);
        match rule {
            // These are about other rules or the lack of them, and have methods of their own.
            Rule::Regions(_) | Rule::NoRegions | Rule::AllDotsGiven | Rule::AllXvGiven => {}
            Rule::FallingDiagonal => {
                let cells = (0..side).map(|row| row * (side + 1));
                self.add_house("falling diagonal".to_owned(), cells);
            }
            Rule::RisingDiagonal => {
                let cells = (1..=side).map(|row| row * (side - 1));
                self.add_house("rising diagonal".to_owned(), cells);
            }
            Rule::Windoku => self.add_windows(),
            Rule::DisjointGroups => {
                let size = self.size;
                self.add_partition("disjoint group", |cell| place_in_box(size, cell));
            }
            Rule::House(_) => self.houses.push(Group { name: full_name(), cells }),
            Rule::Different(_) => self.groups.push(Group { name: name.to_owned(), cells }),
            Rule::AntiKnight => self.add_moves(name, |rows, columns| rows * columns == 2),
            Rule::AntiKing => self.add_moves(name, |rows, columns| rows.max(columns) == 1),
            Rule::NonConsecutive => {
                for (first, second) in self.neighbour_pairs() {
                    self.add_relation(Relation::NotConsecutive, first, second);
                }
            }
            Rule::Cage { sum, .. } => {
                self.groups.push(Group { name: full_name(), cells: cells.clone() });
                if let Some(sum) = *sum {
                    self.add_sum(cells, sum, full_name(), true);
                }
            }
            Rule::Thermometer(_) => {
                self.clues.push(Clue { cells, kind: ClueKind::Growing, name: full_name() });
            }
            Rule::Arrow { circle, .. } => {
                // The circle is subtracted from the line, so the sum is 0. Two cells of a circle are the digits of a
                // number.
                let mut factors = if circle.len() == 2 { vec![-10, -1] } else { vec![-1] };
                factors.resize(cells.len(), 1);
                let kind = ClueKind::Sum { factors, target: 0 };
                self.clues.push(Clue { cells, kind, name: full_name() });
            }
            Rule::Mark(mark, _) => {
                let relation = match mark {
                    Mark::White => Relation::Consecutive,
                    Mark::Black => Relation::Double,
                    Mark::X => Relation::SumIs(10),
                    Mark::V => Relation::SumIs(5),
                };
                self.add_relation(relation, cells[0].into(), cells[1].into());
            }
        }
    }

    fn add_windows(&mut self) {
        for window in 0..4 {
            // The top left cell: windows are one cell away from the border and from each other.
            let top = 1 + window / 2 * 4;
            let left = 1 + window % 2 * 4;
            let cells = (0..9).map(|place| (top + place / 3) * 9 + left + place % 3);
            self.add_house(format!("window {}", window + 1), cells);
        }
    }

    /// Adds a group for each pair of cells whose distances in rows and in columns satisfy `is_move`.
    fn add_moves(&mut self, name: &str, is_move: impl Fn(usize, usize) -> bool) {
        let side = self.size.side();
        for first in 0..self.size.cells() {
            for second in first + 1..self.size.cells() {
                let rows = (first / side).abs_diff(second / side);
                let columns = (first % side).abs_diff(second % side);
                if is_move(rows, columns) {
                    let cells = vec![first as u16, second as u16];
                    self.groups.push(Group { name: name.to_owned(), cells });
                }
            }
        }
    }

    /// Each two cells that share a side, the left or upper one first.
    fn neighbour_pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.size;
        let pairs = move |cell| size.neighbours(cell).map(move |other| (cell, other));
        (0..size.cells()).flat_map(pairs).filter(|(cell, other)| other > cell)
    }

    /// Adds a sum of cells in the simplest form: a candidate, a relation, or a clue for three cells or more.
    fn add_sum(&mut self, cells: Vec<u16>, sum: u32, name: String, all_differ: bool) {
        let number = cells.len();
        match cells[..] {
            [cell] => {
                // A derived sum may be no value: then no candidate is left.
                let bit = sum.checked_sub(1).and_then(|bit| 1_u16.checked_shl(bit));
                self.start[usize::from(cell)] &= bit.unwrap_or(0);
            }
            [first, second] => {
                self.add_relation(Relation::SumIs(sum), first.into(), second.into());
            }
            _ if all_differ => {
                let sets = self.value_sets.get_or_init(|| ValueSets::new(self.size.side()));
                let kind = ClueKind::Sets(sets.with_sum(number, sum));
                self.clues.push(Clue { cells, kind, name });
            }
            _ => {
                let kind = ClueKind::Sum { factors: vec![1; number], target: sum as i32 };
                self.clues.push(Clue { cells, kind, name });
            }
        }
    }

    fn add_relation(&mut self, relation: Relation, first: usize, second: usize) {
        let known = self.relations.iter().position(|&known| known == relation);
        let relation = known.unwrap_or_else(|| {
            self.relations.push(relation);
            self.images.push(relation.image(self.size));
            self.images.len() - 1
        });
        for (from, to) in [(first, second), (second, first)] {
            let links = &mut self.links[from];
            let place =
                links.iter().position(|link| link.relation == relation).unwrap_or_else(|| {
                    links.push(Link { relation, cells: [0; 4] });
                    links.len() - 1
                });
            insert(&mut links[place].cells, to);
        }
    }

    /// Adds the relations of neighbours without a mark, if all marks are given.
    fn add_negative_rules(&mut self, rules: &Rules) {
        let has = |wanted: &Rule| rules.rules().contains(wanted);
        let all_dots_given = has(&Rule::AllDotsGiven);
        let all_xv_given = has(&Rule::AllXvGiven);
        if !all_dots_given && !all_xv_given {
            return;
        }
        for (first, second) in self.neighbour_pairs() {
            let marks = rules.marks_between(self.size.cell(first), self.size.cell(second));
            let mut absent = Vec::new();
            // The values 1 and 2 may have either dot, so a dot of one colour does not exclude the other colour's relation.
            if all_dots_given && !marks.iter().any(|mark| matches!(mark, Mark::White | Mark::Black))
            {
                absent.extend([Relation::NotConsecutive, Relation::NotDouble]);
            }
            if all_xv_given && !marks.contains(&Mark::X) {
                absent.push(Relation::SumIsNot(10));
            }
            if all_xv_given && !marks.contains(&Mark::V) {
                absent.push(Relation::SumIsNot(5));
            }
            for relation in absent {
                self.add_relation(relation, first, second);
            }
        }
    }

    fn find_peers(&mut self) {
        for group in self.houses.iter().chain(&self.groups) {
            for &first in &group.cells {
                for &second in group.cells.iter().filter(|&&second| second != first) {
                    insert(&mut self.peers[usize::from(first)], second.into());
                }
            }
        }
    }

    /// Adds the sums that follow from those of cages and houses.
    fn add_derived_sums(&mut self, rules: &Rules) {
        let mut cages = Vec::new();
        for rule in rules.rules() {
            if let Rule::Cage { sum: Some(sum), cells } = rule {
                let mut cells = self.indices(cells);
                cells.sort_unstable();
                cages.push(KnownSum { cells, sum: *sum });
            }
        }
        if cages.is_empty() {
            return;
        }
        for KnownSum { cells, sum } in derive(&cages, &self.areas()) {
            let all_differ = self.all_differ(&cells);
            let name = format!("sum {sum} left by houses and cages");
            self.add_sum(cells, sum, name, all_differ);
        }
    }

    /// Whether each two of the cells are peers.
    fn all_differ(&self, cells: &[u16]) -> bool {
        cells.iter().enumerate().all(|(index, &first)| {
            let peers = &self.peers[usize::from(first)];
            cells[index + 1..].iter().all(|&second| contains(peers, second.into()))
        })
    }

    /// Cells whose sum is known without a cage: houses, and rows or columns side by side.
    fn areas(&self) -> Vec<KnownSum> {
        let side = self.size.side();
        let mut areas: Vec<KnownSum> =
            self.houses.chunks(1).map(|house| self.area(house)).collect();
        // The first houses are the rows, and the next ones the columns.
        for lines in [&self.houses[..side], &self.houses[side..2 * side]] {
            for first in 0..side {
                for last in first + 1..side {
                    areas.push(self.area(&lines[first..=last]));
                }
            }
        }
        areas
    }

    /// The cells of houses that do not overlap, and their sum.
    fn area(&self, houses: &[Group]) -> KnownSum {
        let side = self.size.side();
        let sum_of_a_house = side * (side + 1) / 2;
        let mut cells: Vec<u16> = houses.iter().flat_map(|house| house.cells.clone()).collect();
        cells.sort_unstable();
        KnownSum { cells, sum: (sum_of_a_house * houses.len()) as u32 }
    }

    /// The name of a rule by which two cells differ; `None` if there is none.
    pub fn why_different(&self, first: u16, second: u16) -> Option<&str> {
        let mut groups = self.houses.iter().chain(&self.groups);
        let group =
            groups.find(|group| group.cells.contains(&first) && group.cells.contains(&second))?;
        Some(&group.name)
    }
}

/// The place of a cell in its box, from 0 in reading order.
fn place_in_box(size: Size, cell: usize) -> usize {
    let (rows, columns) = size.box_shape();
    let row = cell / size.side() % rows;
    let column = cell % size.side() % columns;
    row * columns + column
}

/// Cells with a known sum.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KnownSum {
    /// The cells, ascending.
    pub cells: Vec<u16>,
    pub sum: u32,
}

/// A sum of more cells excludes few values.
const MOST_CELLS: usize = 5;

/// The sums that follow from `cages`, which do not overlap, and from `areas`.
pub(crate) fn derive(cages: &[KnownSum], areas: &[KnownSum]) -> BTreeSet<KnownSum> {
    let mut derived = BTreeSet::new();
    for area in areas {
        let area_cells = set_of(area.cells.iter().copied());
        let is_in_area = |cell: &u16| contains(&area_cells, usize::from(*cell));
        let is_inside = |cage: &&KnownSum| cage.cells.iter().all(is_in_area);
        let (inside, others): (Vec<_>, Vec<_>) = cages.iter().partition(is_inside);
        let is_crossing = |cage: &&KnownSum| cage.cells.iter().any(is_in_area);
        let crossing: Vec<&KnownSum> = others.into_iter().filter(is_crossing).collect();
        derived.extend(innies(area, &inside));
        derived.extend(outies(area, &area_cells, &inside, &crossing));
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

fn set_of(cells: impl Iterator<Item = u16>) -> Set256 {
    let mut set = [0; 4];
    cells.for_each(|cell| insert(&mut set, cell.into()));
    set
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

/// A set of numbers below 256: number `n` is bit `n % 64` of word `n / 64`.
pub(crate) type Set256 = [u64; 4];

pub(crate) fn insert(set: &mut Set256, member: usize) {
    set[member / 64] |= 1 << (member % 64);
}

pub(crate) fn contains(set: &Set256, member: usize) -> bool {
    set[member / 64] >> (member % 64) & 1 == 1
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
        assert_eq!(Vec::from_iter(derive(&inside, &row)), [known(&[3], 3)]);
        let crossing = [known(&[0, 1, 4], 6), known(&[2, 3], 7)];
        let found = Vec::from_iter(derive(&crossing, &row));
        assert_eq!(found, [known(&[0, 1], 3), known(&[4], 3)]);
        assert!(derive(&[known(&[5, 6], 5)], &row).is_empty());
    }
}
