//! The rules as houses, groups of cells that differ, relations between pairs, and clues: the input of the engine.

use std::cell::OnceCell;
use std::ops::Range;

use crate::automaton::{self, Automaton};
use crate::clue::{Clue, ClueKind, Ranks, Relation, Sum, ValueSets};
use crate::global::WholeGrid;
use crate::grid::{Cell, Size};
use crate::pattern::Pattern;
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule};
use crate::rules::Rules;
use crate::set::{Set256, contains, insert};
use crate::sums::{KnownSum, Source, derive};

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
    /// The sums that follow from those of cages and houses, for explanations.
    derived: DerivedSums,
    /// Computed for the first cage that needs them.
    value_sets: OnceCell<ValueSets>,
}

/// Sums that follow from others, with what they follow from.
#[derive(Debug, Default)]
struct DerivedSums {
    sums: Vec<(KnownSum, Source)>,
    /// The houses of each area, and their sum.
    areas: Vec<(Range<usize>, u32)>,
    /// The first cell of each cage as it was stated, and its sum.
    cages: Vec<(Cell, u32)>,
}

impl Tables {
    /// The tables of these rules.
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
            derived: DerivedSums::default(),
            value_sets: OnceCell::new(),
        };
        if rules.has_lines() {
            tables.add_partition("row", |cell| cell / size.side());
            tables.add_partition("column", |cell| cell % size.side());
        }
        if let Some(regions) = rules.regions() {
            tables.add_partition("region", |cell| regions[cell]);
        }
        for rule in rules.rules() {
            tables.add_rule(rule, rules);
        }
        tables.add_negative_rules(rules);
        tables.add_ranks(rules);
        tables.find_peers();
        tables.add_derived_sums(rules);
        tables.group_sums();
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

    fn add_rule(&mut self, rule: &Rule, rules: &Rules) {
        let name = rule.name();
        let cells = self.indices(&rule.cells());
        // Made only where it is wanted: rules of the whole grid have no first cell.
        let full_name = || format!("{name} of {}", rule.cells()[0]);
        match rule {
            // These have a method of their own.
            Rule::Regions(_) => {}
            Rule::Global(global) => self.add_global_rule(*global),
            Rule::House(_) => self.houses.push(Group { name: full_name(), cells }),
            Rule::Different(_) => self.groups.push(Group { name: name.to_owned(), cells }),
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
                self.add_arrow(circle.len(), cells, full_name());
            }
            Rule::Mark(mark, _) => self.add_mark(*mark, &cells),
            Rule::CageRange { least, most, .. } => {
                self.groups.push(Group { name: full_name(), cells: cells.clone() });
                let automaton = automaton::sum_in(self.size, cells.len(), *least, *most);
                self.add_line(automaton, cells, full_name());
            }
            Rule::Calculation(calculation, number, _) => {
                self.add_calculation(*calculation, *number, cells, full_name());
            }
            Rule::Line(line, _) => self.add_line_rule(*line, cells, full_name(), rules),
            Rule::Outside(outside, number, _) => {
                self.add_outside(*outside, *number, cells, full_name());
            }
            Rule::Marked(marked, _) => self.add_marked(*marked, &cells, &full_name(), rules),
            Rule::Quadruple(values, _) => {
                let automaton = automaton::quadruple(self.size, cells.len(), values);
                self.add_line(automaton, cells, full_name());
            }
            Rule::Pattern(pattern, _) => self.add_pattern(pattern, cells, full_name()),
        }
    }

    /// Adds a rule of the whole grid that does not depend on other rules.
    fn add_global_rule(&mut self, rule: WholeGrid) {
        let side = self.size.side();
        let name = rule.name();
        match rule {
            WholeGrid::FallingDiagonal => {
                let cells = (0..side).map(|row| row * (side + 1));
                self.add_house("falling diagonal".to_owned(), cells);
            }
            WholeGrid::RisingDiagonal => {
                let cells = (1..=side).map(|row| row * (side - 1));
                self.add_house("rising diagonal".to_owned(), cells);
            }
            WholeGrid::Windoku => self.add_windows(),
            WholeGrid::DisjointGroups => {
                let size = self.size;
                self.add_partition("disjoint group", |cell| place_in_box(size, cell));
            }
            WholeGrid::AntiKnight => self.add_moves(name, |rows, columns| rows * columns == 2),
            WholeGrid::AntiKing => self.add_moves(name, |rows, columns| rows.max(columns) == 1),
            WholeGrid::NonConsecutive => {
                let relation = self.relation("no consecutive values", |a, b| a.abs_diff(b) != 1);
                for (first, second) in self.neighbour_pairs() {
                    self.add_relation(&relation, first, second);
                }
            }
            WholeGrid::AntiTaxicab => self.add_taxicab(),
            WholeGrid::GlobalEntropy => {
                let size = self.size;
                self.add_squares(name, |value| third(size, value));
            }
            WholeGrid::GlobalModular => self.add_squares(name, |value| value % 3),
            // These are about other rules or the lack of them, and have methods of their own.
            WholeGrid::NoRegions
            | WholeGrid::NoLines
            | WholeGrid::AllDotsGiven
            | WholeGrid::AllXvGiven
            | WholeGrid::AllDifferencesGiven
            | WholeGrid::AllRatiosGiven => {}
        }
    }

    /// Adds that two cells which are so many steps from each other do not both have this number as their value.
    fn add_taxicab(&mut self) {
        let side = self.size.side();
        for first in 0..self.size.cells() {
            for second in first + 1..self.size.cells() {
                let rows = second / side - first / side;
                let steps = (rows + (first % side).abs_diff(second % side)) as u32;
                if steps <= self.size.last_value() {
                    let text = format!("not both the value {steps}");
                    let relation = self.relation(text, move |a, b| a != steps || b != steps);
                    self.add_relation(&relation, first, second);
                }
            }
        }
    }

    /// Adds that each 2 × 2 square has values of all three kinds.
    fn add_squares(&mut self, name: &str, kind: impl Fn(u32) -> u32) {
        let side = self.size.side();
        let automaton = automaton::three_kinds(self.size, 4, kind);
        for cell in (0..self.size.cells() - side).filter(|cell| cell % side + 1 < side) {
            let cells = [cell, cell + 1, cell + side, cell + side + 1].map(|cell| cell as u16);
            let name = format!("{name} at {}", self.size.cell(cell));
            self.add_line(automaton.clone(), cells.to_vec(), name);
        }
    }

    /// Adds an arrow whose first `digits` cells are its circle. The circle is subtracted from the line, so the sum is 0. Several
    /// cells of a circle are the digits of a number.
    fn add_arrow(&mut self, digits: usize, cells: Vec<u16>, name: String) {
        let mut factors: Vec<i32> =
            (0..digits as u32).rev().map(|place| -(10_i32.pow(place))).collect();
        factors.resize(cells.len(), 1);
        self.push_sum(cells, &factors, 0, name);
    }

    /// Adds the clue that values, each times its factor, have this sum.
    fn push_sum(&mut self, cells: Vec<u16>, factors: &[i32], target: i32, name: String) {
        // The clue counts values from 1.
        let before = self.size.first_value() as i32 - 1;
        let target = target.saturating_sub(before * factors.iter().sum::<i32>());
        self.clues.push(Clue { cells, kind: ClueKind::Sum(Sum::new(factors, target)), name });
    }

    /// Adds the relation of the two cells between which a mark stands.
    fn add_mark(&mut self, mark: Mark, cells: &[u16]) {
        let relation = match mark {
            Mark::White => self.relation("consecutive values", |a, b| a.abs_diff(b) == 1),
            Mark::Black => {
                self.relation("one value twice the other", |a, b| a == 2 * b || b == 2 * a)
            }
            Mark::X => self.sum_relation(10),
            Mark::V => self.sum_relation(5),
        };
        self.add_relation(&relation, cells[0].into(), cells[1].into());
    }

    /// Adds the houses of a windoku, whose shape is that of boxes.
    fn add_windows(&mut self) {
        let side = self.size.side();
        let (rows, _) = self.size.box_shape();
        let begins = self.size.windows();
        let corners = begins.iter().flat_map(|&top| begins.iter().map(move |&left| (top, left)));
        for (number, (top, left)) in corners.enumerate() {
            let cells = (0..side).map(|place| (top + place / rows) * side + left + place % rows);
            self.add_house(format!("window {}", number + 1), cells);
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

    fn relation(&self, text: impl Into<String>, allows: impl Fn(u32, u32) -> bool) -> Relation {
        Relation::new(self.size, text, allows)
    }

    fn sum_relation(&self, sum: u32) -> Relation {
        self.relation(format!("the sum {sum}"), move |a, b| a + b == sum)
    }

    /// Adds a clue whose automaton reads `cells` in their order.
    fn add_line(&mut self, automaton: Automaton, cells: Vec<u16>, name: String) {
        self.clues.push(Clue { cells, kind: ClueKind::Line(automaton), name });
    }

    /// Adds a pattern: of two cells a relation, which many pairs share.
    fn add_pattern(&mut self, pattern: &Pattern, cells: Vec<u16>, name: String) {
        if let [first, second] = cells[..] {
            let text = format!("values that the {} {pattern} allows", pattern.name());
            let relation = self.relation(text, |a, b| pattern.accepts([a, b]));
            return self.add_relation(&relation, first.into(), second.into());
        }
        self.add_line(automaton::pattern(self.size, cells.len(), pattern), cells, name);
    }

    /// Adds a relation between each two cells whose places on a line are at a distance below `reach`.
    fn relate(&mut self, cells: &[u16], relation: &Relation, reach: usize) {
        for (place, &first) in cells.iter().enumerate() {
            for &second in cells[place + 1..].iter().take(reach - 1) {
                self.add_relation(relation, first.into(), second.into());
            }
        }
    }

    /// Adds that the values of cells make `number` by a calculation.
    fn add_calculation(
        &mut self,
        calculation: Calculation,
        number: u32,
        cells: Vec<u16>,
        name: String,
    ) {
        let size = self.size;
        let is_quotient = calculation == Calculation::Quotient;
        let automaton = match calculation {
            Calculation::Sum => return self.add_sum(cells, number, name, false),
            Calculation::Product => automaton::product(size, cells.len(), number),
            Calculation::Difference | Calculation::Quotient => {
                automaton::greatest_and_rest(size, cells.len(), number, is_quotient)
            }
        };
        self.add_line(automaton, cells, name);
    }

    /// The relation of the cells of a line, and the distance below which two of them have it; `None` for lines of another kind.
    fn line_relation(&self, line: Line) -> Option<(Relation, usize)> {
        /// Cells side by side.
        const BESIDE: usize = 2;
        let size = self.size;
        Some(match line {
            Line::Whispers(least) => {
                let text = format!("a difference of at least {least}");
                (self.relation(text, move |a, b| a.abs_diff(b) >= least), BESIDE)
            }
            Line::Modular(modulus) => {
                let text = format!("different remainders by {modulus}");
                (self.relation(text, move |a, b| a % modulus != b % modulus), modulus as usize)
            }
            Line::Entropic => {
                let text = "values of different thirds";
                (self.relation(text, move |a, b| third(size, a) != third(size, b)), 3)
            }
            Line::Parity => {
                (self.relation("an odd and an even value", |a, b| a % 2 != b % 2), BESIDE)
            }
            Line::Nabner => {
                let text = "values that are neither equal nor consecutive";
                (self.relation(text, |a, b| a.abs_diff(b) > 1), usize::MAX)
            }
            Line::SlowThermometer => {
                (self.relation("values that do not fall", |a, b| a <= b), BESIDE)
            }
            Line::Falling => (self.relation("the first value greater", |a, b| a > b), BESIDE),
            Line::Palindrome
            | Line::Renban
            | Line::Between
            | Line::Lockout(_)
            | Line::RegionSums
            | Line::Sums(_)
            | Line::Zipper
            | Line::DoubleArrow
            | Line::Lunchbox(_) => return None,
        })
    }

    /// Adds a line, by its relation or by a clue.
    fn add_line_rule(&mut self, line: Line, cells: Vec<u16>, name: String, rules: &Rules) {
        let size = self.size;
        let length = cells.len();
        if let Some((relation, reach)) = self.line_relation(line) {
            return self.relate(&cells, &relation, reach);
        }
        match line {
            Line::Palindrome => {
                for place in 0..length / 2 {
                    self.relate_same(cells[place], cells[length - 1 - place]);
                }
            }
            Line::Renban => {
                let runs = (0..=size.side() - length).map(|first| ((1_u32 << length) - 1) << first);
                let kind = ClueKind::Sets(runs.map(|run| run as u16).collect());
                self.groups.push(Group { name: name.clone(), cells: cells.clone() });
                self.clues.push(Clue { cells, kind, name });
            }
            Line::RegionSums => self.add_region_sums(cells, name, rules),
            Line::Sums(sum) => {
                self.add_line(automaton::sum_parts(size, length, sum), cells, name);
            }
            Line::Zipper => self.add_zipper(&cells, name),
            Line::Lunchbox(sum) => {
                self.groups.push(Group { name: name.clone(), cells: cells.clone() });
                self.add_line(automaton::lunchbox(size, length, sum), cells, name);
            }
            Line::DoubleArrow => {
                let mut factors = vec![1; length];
                factors[0] = -1;
                factors[length - 1] = -1;
                self.push_sum(cells, &factors, 0, name);
            }
            Line::Between => {
                self.add_line(automaton::between(size, length), ends_first(cells), name);
            }
            Line::Lockout(least) => {
                self.add_line(automaton::lockout(size, length, least), ends_first(cells), name);
            }
            // `line_relation` has these.
            Line::Whispers(_)
            | Line::Modular(_)
            | Line::Entropic
            | Line::Parity
            | Line::Nabner
            | Line::SlowThermometer
            | Line::Falling => {}
        }
    }

    /// Adds that cells which are equally far from the middle of a line have equal sums, which the cell in the middle has, too.
    fn add_zipper(&mut self, cells: &[u16], name: String) {
        let length = cells.len();
        // From the middle to the ends, so that the first part has the sum of all.
        let (mut parts, mut order) = match length % 2 {
            1 => (vec![1], vec![cells[length / 2]]),
            _ => (Vec::new(), Vec::new()),
        };
        for place in (0..length / 2).rev() {
            order.extend([cells[place], cells[length - 1 - place]]);
            parts.push(2);
        }
        self.add_line(automaton::equal_sums(self.size, &parts), order, name);
    }

    /// Adds that two cells have equal values.
    fn relate_same(&mut self, first: u16, second: u16) {
        let relation = self.relation("equal values", |a, b| a == b);
        self.add_relation(&relation, first.into(), second.into());
    }

    /// The parts of the line in each region have equal sums. Cells in no region belong to no part.
    fn add_region_sums(&mut self, cells: Vec<u16>, name: String, rules: &Rules) {
        let regions = rules.regions_of_cells();
        let mut parts = Vec::new();
        let mut order = Vec::new();
        let mut last = None;
        for cell in cells {
            let Some(region) = regions[usize::from(cell)] else { continue };
            if last != Some(region) {
                parts.push(0);
            }
            last = Some(region);
            *parts.last_mut().expect("the part of this region") += 1;
            order.push(cell);
        }
        if parts.len() > 1 {
            self.add_equal_sums(&parts, &order, &name);
            self.add_line(automaton::equal_sums(self.size, &parts), order, name);
        }
    }

    /// Adds that each two parts have equal sums. An automaton does not know that the cells of a part differ; a sum does.
    fn add_equal_sums(&mut self, parts: &[usize], cells: &[u16], name: &str) {
        let mut rest = cells;
        let mut pieces: Vec<&[u16]> = Vec::with_capacity(parts.len());
        for &part in parts {
            let (piece, others) = rest.split_at(part);
            pieces.push(piece);
            rest = others;
        }
        for (number, one) in pieces.iter().enumerate() {
            for other in &pieces[..number] {
                let factors = [vec![1; one.len()], vec![-1; other.len()]].concat();
                self.push_sum([*one, *other].concat(), &factors, 0, name.to_owned());
            }
        }
    }

    /// Adds a clue that stands outside of the grid, for the cells that it looks at, the nearest first.
    fn add_outside(&mut self, outside: Outside, number: u32, mut cells: Vec<u16>, name: String) {
        let size = self.size;
        let length = cells.len();
        let automaton = match outside {
            Outside::LittleKiller => return self.add_sum(cells, number, name, false),
            // All ranks are one clue.
            Outside::FullRank => return,
            Outside::Sandwich => automaton::sandwich(size, number),
            Outside::Skyscraper => automaton::skyscraper(size, length, number),
            Outside::XSum => automaton::x_sum(size, length, number),
            Outside::NumberedRoom => {
                cells.insert(0, cells[0]);
                automaton::pointer(size, length, number)
            }
        };
        self.add_line(automaton, cells, name);
    }

    /// Adds a rule of marked cells.
    fn add_marked(&mut self, marked: Marked, cells: &[u16], name: &str, rules: &Rules) {
        let size = self.size;
        let side = size.side();
        match marked {
            Marked::Odd | Marked::Even => {
                // A bit for every second value, from the first value or from the next one on.
                let is_first = (marked == Marked::Odd) == (size.first_value() % 2 == 1);
                let values = if is_first { 0x5555 } else { 0xaaaa };
                cells.iter().for_each(|&cell| self.start[usize::from(cell)] &= values);
            }
            Marked::Minimum | Marked::Maximum => {
                let is_marked = rules.marked(marked);
                let relation = match marked {
                    Marked::Minimum => self.relation("the marked value less", |a, b| a < b),
                    _ => self.relation("the marked value greater", |a, b| a > b),
                };
                for cell in cells.iter().map(|&cell| usize::from(cell)) {
                    for other in size.neighbours(cell).filter(|&other| !is_marked[other]) {
                        self.add_relation(&relation, cell, other);
                    }
                }
            }
            Marked::Same => {
                for pair in cells.windows(2) {
                    self.relate_same(pair[0], pair[1]);
                }
            }
            Marked::Circles => {
                let kind = ClueKind::Circles(size.first_value() as usize);
                self.clues.push(Clue { cells: cells.to_vec(), kind, name: name.to_owned() });
            }
            Marked::RowIndexer | Marked::ColumnIndexer | Marked::BoxIndexer => {
                for &cell in cells {
                    let at = usize::from(cell);
                    let (row, column) = (at / side, at % side);
                    let (line, number): (Vec<usize>, usize) = match marked {
                        Marked::RowIndexer => {
                            ((0..side).map(|row| row * side + column).collect(), row)
                        }
                        Marked::ColumnIndexer => {
                            ((0..side).map(|column| row * side + column).collect(), column)
                        }
                        _ => {
                            let same_box = |&other: &usize| size.box_of(other) == size.box_of(at);
                            ((0..size.cells()).filter(same_box).collect(), place_in_box(size, at))
                        }
                    };
                    let mut read = vec![cell];
                    read.extend(line.into_iter().map(|cell| cell as u16));
                    let automaton = automaton::pointer(size, side, number as u32 + 1);
                    self.add_line(
                        automaton,
                        read,
                        format!("{} of {}", marked.name(), size.cell(at)),
                    );
                }
            }
        }
    }

    /// Adds a sum of cells in the simplest form: a candidate, a relation, or a clue for three cells or more.
    fn add_sum(&mut self, cells: Vec<u16>, sum: u32, name: String, all_differ: bool) {
        let number = cells.len();
        match cells[..] {
            [cell] => {
                // A derived sum may be no value: then no candidate is left.
                let bit = sum.checked_sub(self.size.first_value());
                let bit = bit.and_then(|bit| 1_u16.checked_shl(bit));
                self.start[usize::from(cell)] &= bit.unwrap_or(0);
            }
            [first, second] => {
                self.add_relation(&self.sum_relation(sum), first.into(), second.into());
            }
            _ if all_differ => {
                let sets = self.value_sets.get_or_init(|| ValueSets::new(self.size.side()));
                // The sets count values from 1. No set has a sum below 0.
                let from_one = sum + number as u32;
                let from_one = from_one.checked_sub(number as u32 * self.size.first_value());
                let found = from_one.map_or(Vec::new(), |sum| sets.with_sum(number, sum));
                let kind = ClueKind::Sets(found);
                self.clues.push(Clue { cells, kind, name });
            }
            _ => {
                // A sum beyond the type is beyond all values, too.
                let target = i32::try_from(sum).unwrap_or(i32::MAX);
                self.push_sum(cells, &vec![1; number], target, name);
            }
        }
    }

    /// Adds a relation of the first cell to the second, and the reversed one of the second to the first.
    fn add_relation(&mut self, relation: &Relation, first: usize, second: usize) {
        for (relation, from, to) in
            [(relation, first, second), (&relation.reversed(), second, first)]
        {
            let known = self.relations.iter().position(|known| known == relation);
            let relation = known.unwrap_or_else(|| {
                self.relations.push(relation.clone());
                self.images.push(relation.image(self.size));
                self.images.len() - 1
            });
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
        let has_all_dots = has(&Rule::AllDotsGiven);
        let has_all_xv = has(&Rule::AllXvGiven);
        // The values 1 and 2 may have either dot, so a dot of one colour does not exclude the other colour's relation.
        let mut without_dot = Vec::new();
        if has_all_dots || has(&Rule::AllDifferencesGiven) {
            without_dot.push(self.relation("no consecutive values", |a, b| a.abs_diff(b) != 1));
        }
        let mut ratios = if has(&Rule::AllRatiosGiven) { rules.ratios() } else { Vec::new() };
        if has_all_dots && !ratios.contains(&2) {
            ratios.push(2);
        }
        for ratio in ratios {
            let text = match ratio {
                2 => "no value twice the other".to_owned(),
                _ => format!("no value {ratio} times the other"),
            };
            without_dot.push(self.relation(text, move |a, b| {
                ratio.checked_mul(b) != Some(a) && ratio.checked_mul(a) != Some(b)
            }));
        }
        if without_dot.is_empty() && !has_all_xv {
            return;
        }
        let without_mark = [(Mark::X, 10), (Mark::V, 5)].map(|(mark, sum)| {
            let text = format!("another sum than {sum}");
            (mark, self.relation(text, move |a, b| a + b != sum))
        });
        for (first, second) in self.neighbour_pairs() {
            let pair = [self.size.cell(first), self.size.cell(second)];
            if !rules.has_dot_between(pair) {
                for relation in &without_dot {
                    self.add_relation(relation, first, second);
                }
            }
            for (mark, relation) in &without_mark {
                if has_all_xv && !rules.marks_between(pair).contains(mark) {
                    self.add_relation(relation, first, second);
                }
            }
        }
    }

    /// Adds a clue of all cells for the lines whose rank is given.
    fn add_ranks(&mut self, rules: &Rules) {
        let side = self.size.side();
        let mut lines = Vec::new();
        for number in 0..side {
            let row: Vec<usize> = (0..side).map(|at| number * side + at).collect();
            let column: Vec<usize> = (0..side).map(|at| at * side + number).collect();
            for line in [row, column] {
                lines.push(line.iter().rev().copied().collect());
                lines.push(line);
            }
        }
        let mut wanted = Vec::new();
        for rule in rules.rules() {
            let Rule::Outside(Outside::FullRank, rank, cells) = rule else { continue };
            let cells: Vec<usize> = self.indices(cells).into_iter().map(usize::from).collect();
            let line = lines.iter().position(|line| *line == cells);
            wanted.extend(line.map(|line| (line, *rank)));
            // Each value begins four lines, one at each border.
            if rules.has_lines() {
                let bit = rank.checked_sub(1).and_then(|before| 1_u16.checked_shl(before / 4));
                self.start[cells[0]] &= bit.unwrap_or(0);
            }
        }
        if wanted.is_empty() {
            return;
        }
        let cells = (0..self.size.cells()).map(|cell| cell as u16).collect();
        let kind = ClueKind::Ranks(Ranks { lines, wanted });
        self.clues.push(Clue { cells, kind, name: "ranks of rows and columns".to_owned() });
    }

    /// Finds the peers of each cell, when all houses and groups are there.
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
        let mut stated = Vec::new();
        for rule in rules.rules() {
            if let Rule::Cage { sum: Some(sum), cells: of_cage } = rule {
                let mut cells = self.indices(of_cage);
                cells.sort_unstable();
                // Cages that overlap others say nothing of what the others leave.
                let overlaps = |cage: &KnownSum| cage.cells.iter().any(|cell| cells.contains(cell));
                if !cages.iter().any(overlaps) {
                    cages.push(KnownSum { cells, sum: *sum });
                    stated.push((of_cage[0], *sum));
                }
            }
        }
        if cages.is_empty() {
            return;
        }
        let houses = self.areas(rules.has_lines());
        let areas: Vec<KnownSum> =
            houses.iter().map(|area| self.area(&self.houses[area.clone()])).collect();
        let sums: Vec<(KnownSum, Source)> = derive(&cages, &areas).into_iter().collect();
        for (KnownSum { cells, sum }, _) in &sums {
            let all_differ = self.all_differ(cells);
            self.add_sum(cells.clone(), *sum, derived_name(*sum), all_differ);
        }
        let areas = houses.into_iter().zip(areas.iter().map(|area| area.sum)).collect();
        self.derived = DerivedSums { sums, areas, cages: stated };
    }

    /// Why these cells have a sum that no cage states, as in `column 1 has 45, and the cages of r2c1 and r5c1 in it 40`. `text` is the
    /// name of the sum, by which it is found; the sum of a single cell has no name, and any is taken. `None` if no such sum is derived.
    pub fn why_sum(&self, cells: &[u16], text: &str) -> Option<String> {
        let mut wanted = cells.to_vec();
        wanted.sort_unstable();
        let DerivedSums { sums, areas, cages } = &self.derived;
        let has_text = |sum: u32| match wanted.len() {
            1 => true,
            2 => self.sum_relation(sum).text == text,
            _ => derived_name(sum) == text,
        };
        let (_, source) = sums.iter().find(|(sum, _)| sum.cells == wanted && has_text(sum.sum))?;
        let (houses, of_area) = &areas[source.area];
        let name = match &self.houses[houses.clone()] {
            [house] => house.name.clone(),
            several => {
                let ends = [several.first()?, several.last()?].map(|house| &*house.name);
                let (kind, first) = ends[0].split_once(' ')?;
                format!("{kind}s {first} to {}", ends[1].rsplit(' ').next()?)
            }
        };
        let have = if houses.len() == 1 { "has" } else { "have" };
        let of_cages: u32 = source.cages.iter().map(|&cage| cages[cage].1).sum();
        let names: Vec<String> =
            source.cages.iter().map(|&cage| cages[cage].0.to_string()).collect();
        let (cage, with) = match &names[..] {
            [one] => (format!("the cage of {one}"), "has"),
            [before @ .., last] => {
                (format!("the cages of {} and {last}", before.join(", ")), "have")
            }
            [] => return None,
        };
        Some(match source.is_outside {
            false => format!("{name} {have} the sum {of_area}, and {cage} in it {with} {of_cages}"),
            true => format!(
                "{cage} {with} the sum {of_cages}, and {name}, which they cover, {have} {of_area}"
            ),
        })
    }

    /// Tells each sum which of its cells differ.
    fn group_sums(&mut self) {
        let peers = &self.peers;
        for Clue { cells, kind, .. } in &mut self.clues {
            if let ClueKind::Sum(sum) = kind {
                sum.group(cells, |one, other| contains(&peers[usize::from(one)], other.into()));
            }
        }
    }

    /// Whether each two of the cells are peers.
    fn all_differ(&self, cells: &[u16]) -> bool {
        cells.iter().enumerate().all(|(index, &first)| {
            let peers = &self.peers[usize::from(first)];
            cells[index + 1..].iter().all(|&second| contains(peers, second.into()))
        })
    }

    /// Houses whose cells have a known sum together: each alone, and rows or columns side by side.
    fn areas(&self, has_lines: bool) -> Vec<Range<usize>> {
        let side = self.size.side();
        let mut areas: Vec<Range<usize>> =
            (0..self.houses.len()).map(|house| house..house + 1).collect();
        if !has_lines {
            return areas;
        }
        // The first houses are the rows, and the next ones the columns.
        for lines in [0, side] {
            for first in lines..lines + side {
                areas.extend((first + 2..=lines + side).map(|end| first..end));
            }
        }
        areas
    }

    /// The cells of houses that do not overlap, and their sum.
    fn area(&self, houses: &[Group]) -> KnownSum {
        let sum_of_a_house: u32 = self.size.values().sum();
        let mut cells: Vec<u16> = houses.iter().flat_map(|house| house.cells.clone()).collect();
        cells.sort_unstable();
        KnownSum { cells, sum: sum_of_a_house * houses.len() as u32 }
    }

    /// The name of a rule by which two cells differ; `None` if there is none.
    pub fn why_different(&self, first: u16, second: u16) -> Option<&str> {
        let mut groups = self.houses.iter().chain(&self.groups);
        let group =
            groups.find(|group| group.cells.contains(&first) && group.cells.contains(&second))?;
        Some(&group.name)
    }
}

/// The name of a sum that follows from those of houses and cages.
pub(crate) fn derived_name(sum: u32) -> String {
    format!("sum {sum} left by houses and cages")
}

/// The cells of a line with its last one moved to the second place.
fn ends_first(mut cells: Vec<u16>) -> Vec<u16> {
    let end = cells.remove(cells.len() - 1);
    cells.insert(1, end);
    cells
}

/// The third of a value: 0, 1 or 2. If the values have no thirds, the first and the last third are equal, and the middle one has
/// one value more or less.
fn third(size: Size, value: u32) -> u32 {
    let side = size.side() as u32;
    let outer = if side % 3 == 2 { side / 3 + 1 } else { side / 3 };
    match value - size.first_value() {
        before if before < outer => 0,
        before if before < side - outer => 1,
        _ => 2,
    }
}

/// The place of a cell in its box, from 0 in reading order.
fn place_in_box(size: Size, cell: usize) -> usize {
    let (rows, columns) = size.box_shape();
    let row = cell / size.side() % rows;
    let column = cell % size.side() % columns;
    row * columns + column
}
