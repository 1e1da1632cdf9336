//! Rules as the engine reads them: houses, cells that differ, relations between pairs, clues.

use std::cell::OnceCell;

use crate::cell::Cell;
use crate::clue::{Clue, ClueKind, ValueSets};
use crate::derived::{KnownSum, derive};
use crate::relation::Relation;
use crate::rule::{Mark, Rule};
use crate::rules::Rules;
use crate::size::Size;
use crate::wide::{Set256, contains, insert};

/// Cells that hold all values, and the name for people.
#[derive(Debug, Clone)]
pub(crate) struct House {
    pub name: String,
    pub cells: Vec<u16>,
}

/// Cells of which each pair differs, by a rule that is no house.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub name: String,
    pub cells: Vec<u16>,
}

/// Cells that a cell has one relation to.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub relation: Relation,
    /// The relation's table, as a number in [`Tables::images`].
    pub image: usize,
    pub cells: Set256,
}

/// Everything that the engine knows of the rules.
#[derive(Debug)]
pub(crate) struct Tables {
    pub size: Size,
    pub houses: Vec<House>,
    /// Cages, groups of cells that differ, and pairs a knight's or a king's move apart.
    pub groups: Vec<Group>,
    /// The cells that each cell differs from.
    pub peers: Vec<Set256>,
    /// For each cell, its relations to others.
    pub links: Vec<Vec<Link>>,
    /// The relations that some cells have, each once.
    relations: Vec<Relation>,
    /// For each of them, what [`Relation::image`] says.
    pub images: Vec<Vec<u16>>,
    pub clues: Vec<Clue>,
    /// The candidates that the rules leave each cell by themselves.
    pub start: Vec<u16>,
    /// Made when the first cage needs it.
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
        tables.add_lines();
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

    fn value_sets(&self) -> &ValueSets {
        self.value_sets.get_or_init(|| ValueSets::new(self.size.side()))
    }

    fn add_lines(&mut self) {
        let side = self.size.side();
        self.add_partition("row", |cell| cell / side);
        self.add_partition("column", |cell| cell % side);
    }

    /// Adds a house for each of the numbers from 0 that `number_of` gives to the cells.
    fn add_partition(&mut self, name: &str, number_of: impl Fn(usize) -> usize) {
        for number in 0..self.size.side() {
            let cells = (0..self.size.cells()).filter(|&cell| number_of(cell) == number);
            let name = format!("{name} {}", number + 1);
            self.houses.push(House { name, cells: cells.map(|cell| cell as u16).collect() });
        }
    }

    fn add_house(&mut self, name: String, cells: impl Iterator<Item = usize>) {
        self.houses.push(House { name, cells: cells.map(|cell| cell as u16).collect() });
    }

    fn numbers(&self, cells: &[Cell]) -> Vec<u16> {
        // Rules were checked when they were added.
        cells.iter().filter_map(|&cell| Some(self.size.index(cell)? as u16)).collect()
    }

    fn add_rule(&mut self, rule: &Rule) {
        let side = self.size.side();
        let name = rule.name();
        match rule {
            Rule::Regions(_) | Rule::NoRegions | Rule::AllDotsGiven | Rule::AllXvGiven => {}
            Rule::FallingDiagonal => {
                self.add_house(
                    "falling diagonal".to_owned(),
                    (0..side).map(|row| row * (side + 1)),
                );
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
            Rule::House(cells) => {
                let numbers = self.numbers(cells);
                let name = format!("house of {}", cells[0]);
                self.houses.push(House { name, cells: numbers });
            }
            Rule::Different(cells) => self.add_group(name.to_owned(), cells),
            Rule::AntiKnight => self
                .add_moves(name, |rows, columns| rows.min(columns) == 1 && rows.max(columns) == 2),
            Rule::AntiKing => self.add_moves(name, |rows, columns| rows.max(columns) == 1),
            Rule::NonConsecutive => {
                for (first, second) in self.neighbour_pairs() {
                    self.add_relation(Relation::NotConsecutive, first, second);
                }
            }
            Rule::Cage { sum, cells } => self.add_cage(*sum, cells),
            Rule::Thermometer(cells) => {
                let name = format!("thermometer of {}", cells[0]);
                let cells = self.numbers(cells);
                self.clues.push(Clue { cells, kind: ClueKind::Growing, name });
            }
            Rule::Arrow { circle, line } => self.add_arrow(circle, line),
            Rule::Mark(mark, cells) => {
                let numbers = self.numbers(cells);
                let relation = match mark {
                    Mark::White => Relation::Consecutive,
                    Mark::Black => Relation::Double,
                    Mark::X => Relation::SumIs(10),
                    Mark::V => Relation::SumIs(5),
                };
                self.add_relation(relation, numbers[0].into(), numbers[1].into());
            }
        }
    }

    fn add_windows(&mut self) {
        for window in 0..4 {
            let row = 1 + window / 2 * 4;
            let column = 1 + window % 2 * 4;
            let cells = (0..9).map(|place| (row + place / 3) * 9 + column + place % 3);
            self.add_house(format!("window {}", window + 1), cells);
        }
    }

    fn add_group(&mut self, name: String, cells: &[Cell]) {
        let cells = self.numbers(cells);
        self.groups.push(Group { name, cells });
    }

    /// Adds each pair of cells whose distances in rows and in columns satisfy `is_move`.
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

    fn neighbour_pairs(&self) -> Vec<(usize, usize)> {
        let size = self.size;
        (0..size.cells())
            .flat_map(|cell| size.neighbours_after(cell).map(move |other| (cell, other)))
            .collect()
    }

    fn add_cage(&mut self, sum: Option<u32>, cells: &[Cell]) {
        let numbers = self.numbers(cells);
        let name = format!("cage of {}", cells[0]);
        match (sum, numbers[..].len()) {
            (None, _) => {}
            (Some(sum), 1) => self.start[usize::from(numbers[0])] &= 1 << (sum - 1),
            (Some(sum), 2) => {
                let [first, second] = [numbers[0].into(), numbers[1].into()];
                self.add_relation(Relation::SumIs(sum), first, second);
            }
            (Some(sum), number) => {
                let kind = ClueKind::Sets(self.value_sets().with(number, sum));
                self.clues.push(Clue { cells: numbers, kind, name: name.clone() });
            }
        }
        self.add_group(name, cells);
    }

    fn add_arrow(&mut self, circle: &[Cell], line: &[Cell]) {
        let name = format!("arrow of {}", circle[0]);
        let cells = self.numbers(&[circle, line].concat());
        let mut factors = vec![-1; circle.len()];
        if circle.len() == 2 {
            factors[0] = -10;
        }
        factors.resize(cells.len(), 1);
        self.clues.push(Clue { cells, kind: ClueKind::Sum { factors, target: 0 }, name });
    }

    fn add_relation(&mut self, relation: Relation, first: usize, second: usize) {
        let known = self.relations.iter().position(|&known| known == relation);
        let image = known.unwrap_or_else(|| {
            self.relations.push(relation);
            self.images.push(relation.image(self.size));
            self.images.len() - 1
        });
        for (from, to) in [(first, second), (second, first)] {
            let links = &mut self.links[from];
            let place = links.iter().position(|link| link.image == image).unwrap_or_else(|| {
                links.push(Link { relation, image, cells: [0; 4] });
                links.len() - 1
            });
            insert(&mut links[place].cells, to);
        }
    }

    /// Adds what holds between neighbours without a mark, if all marks are given.
    fn add_negative_rules(&mut self, rules: &Rules) {
        let has = |wanted: &Rule| rules.rules().contains(wanted);
        let dots = has(&Rule::AllDotsGiven);
        let sums = has(&Rule::AllXvGiven);
        if !dots && !sums {
            return;
        }
        for (first, second) in self.neighbour_pairs() {
            let marks = rules.marks_between(self.size.cell(first), self.size.cell(second));
            let mut absent = Vec::new();
            // 1 and 2 may have either dot, so one dot says nothing of the other.
            if dots && !marks.iter().any(|mark| matches!(mark, Mark::White | Mark::Black)) {
                absent.extend([Relation::NotConsecutive, Relation::NotDouble]);
            }
            if sums && !marks.contains(&Mark::X) {
                absent.push(Relation::SumIsNot(10));
            }
            if sums && !marks.contains(&Mark::V) {
                absent.push(Relation::SumIsNot(5));
            }
            for relation in absent {
                self.add_relation(relation, first, second);
            }
        }
    }

    fn find_peers(&mut self) {
        let houses = self.houses.iter().map(|house| &house.cells);
        let groups = self.groups.iter().map(|group| &group.cells);
        for cells in houses.chain(groups) {
            for &first in cells {
                for &second in cells.iter().filter(|&&second| second != first) {
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
                let mut cells = self.numbers(cells);
                cells.sort_unstable();
                cages.push(KnownSum { cells, sum: *sum });
            }
        }
        if cages.is_empty() {
            return;
        }
        for KnownSum { cells, sum } in derive(&cages, &self.areas()) {
            let differ = cells.iter().all(|&one| {
                cells.iter().all(|&other| {
                    one == other || contains(&self.peers[usize::from(one)], other.into())
                })
            });
            let is_sum_of_two = cells.len() == 2;
            if let [cell] = cells[..] {
                let bit = sum.checked_sub(1).and_then(|bit| 1_u16.checked_shl(bit));
                self.start[usize::from(cell)] &= bit.unwrap_or(0);
            } else if is_sum_of_two {
                let [one, other] = [cells[0].into(), cells[1].into()];
                self.add_relation(Relation::SumIs(sum), one, other);
            } else {
                let kind = if differ {
                    ClueKind::Sets(self.value_sets().with(cells.len(), sum))
                } else {
                    ClueKind::Sum { factors: vec![1; cells.len()], target: sum as i32 }
                };
                let name = format!("sum {sum} left by houses and cages");
                self.clues.push(Clue { cells, kind, name });
            }
        }
    }

    /// Cells whose sum is known without a cage: houses, and rows or columns side by side.
    fn areas(&self) -> Vec<KnownSum> {
        let side = self.size.side();
        let sum = (side * (side + 1) / 2) as u32;
        let sorted = |mut cells: Vec<u16>, houses: usize| {
            cells.sort_unstable();
            KnownSum { cells, sum: sum * houses as u32 }
        };
        let mut areas: Vec<KnownSum> =
            self.houses.iter().map(|house| sorted(house.cells.clone(), 1)).collect();
        // Rows come first, then columns.
        for lines in [&self.houses[..side], &self.houses[side..2 * side]] {
            for first in 0..side {
                for last in first + 1..side {
                    let cells = lines[first..=last].iter().flat_map(|house| house.cells.clone());
                    areas.push(sorted(cells.collect(), last - first + 1));
                }
            }
        }
        areas
    }

    /// The name of a rule by which two cells differ; `None` if there is none.
    pub fn why_different(&self, first: u16, second: u16) -> Option<&str> {
        let holds = |cells: &[u16]| cells.contains(&first) && cells.contains(&second);
        let house = self.houses.iter().find(|house| holds(&house.cells));
        let group = self.groups.iter().find(|group| holds(&group.cells));
        house.map(|house| &house.name[..]).or(group.map(|group| &group.name[..]))
    }
}

/// The place of a cell in its box, from 0 in reading order.
fn place_in_box(size: Size, cell: usize) -> usize {
    let (rows, columns) = size.box_shape();
    let row = cell / size.side() % rows;
    let column = cell % size.side() % columns;
    row * columns + column
}
