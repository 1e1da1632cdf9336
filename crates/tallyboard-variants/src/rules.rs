//! The rules of a variant, each checked as it is added.

use std::collections::BTreeSet;

use crate::clue::MOST_CELLS;
use crate::error::Error;
use crate::global::WholeGrid;
use crate::grid::{Cell, Size};
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule, region_letter};

/// A set of rules: the size of the grid and all that holds in it besides its rows and columns.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_variants as variants; }
/// use tallyboard::variants::{Cell, Rule, Rules};
///
/// let cage = Rule::Cage { sum: Some(10), cells: vec![Cell::new(1, 1), Cell::new(1, 2)] };
/// let rules = Rules::new(9)?.with(Rule::AntiKnight)?.with(cage)?;
/// assert_eq!((rules.side(), rules.rules().len()), (9, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    size: Size,
    rules: Vec<Rule>,
}

impl Rules {
    /// Rows, columns and boxes of a grid with this side: the classic rules. A side without boxes, as 7, has rows and columns
    /// until regions are added.
    ///
    /// # Errors
    /// [`Error::Size`] if no grid has this side.
    pub fn new(side: usize) -> Result<Self, Error> {
        Ok(Self { size: Size::new(side)?, rules: Vec::new() })
    }

    /// These rules with values from `first` on, such as 0.
    ///
    /// # Errors
    /// [`Error::Values`] if there is no character for the last value, and [`Error::LateSize`] if there are rules already.
    pub fn with_first_value(self, first: u8) -> Result<Self, Error> {
        if !self.rules.is_empty() {
            return Err(Error::LateSize);
        }
        Ok(Self { size: self.size.with_first_value(first)?, ..self })
    }

    /// Cells of a row, and values: 3 to 16.
    pub fn side(&self) -> usize {
        self.size.side()
    }

    /// The size of the grid.
    #[doc(hidden)]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rules added, in their order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether no rule was added to those of rows, columns and boxes.
    pub fn is_classic(&self) -> bool {
        self.rules.is_empty() && self.size.first_value() == 1
    }

    /// These rules and one more.
    ///
    /// # Errors
    /// [`Error`] if the rule is impossible, by itself or together with an earlier rule.
    pub fn with(mut self, rule: Rule) -> Result<Self, Error> {
        self.add(rule)?;
        Ok(self)
    }

    /// Adds a rule.
    ///
    /// # Errors
    /// [`Error`] if the rule is impossible, by itself or together with an earlier rule. Nothing is added then.
    pub fn add(&mut self, rule: Rule) -> Result<(), Error> {
        self.check_cells(&rule)?;
        self.check(&rule)?;
        if self.size.first_value() != 1 && rule.counts_cells() {
            return Err(Error::CountsCells(rule.name()));
        }
        // A rule that names no cells is about the whole grid.
        let is_global = rule.cells().is_empty();
        if is_global && self.rules.iter().any(|other| other.name() == rule.name()) {
            return Err(Error::RuleTwice(rule.name()));
        }
        self.rules.push(rule);
        Ok(())
    }

    /// Fails if the rule is impossible with these cells and numbers.
    fn check(&self, rule: &Rule) -> Result<(), Error> {
        let side = self.size.side();
        let name = rule.name();
        match rule {
            Rule::Regions(numbers) => self.check_regions(numbers)?,
            Rule::Global(WholeGrid::Windoku) if self.size.windows().is_empty() => {
                return Err(Error::Windoku(side));
            }
            Rule::House(cells) => check_number_of_cells(name, cells, side, side)?,
            Rule::Different(cells) => check_number_of_cells(name, cells, 2, side)?,
            Rule::Cage { sum, cells } => self.check_cage(*sum, cells)?,
            Rule::Thermometer(cells) => {
                check_number_of_cells(name, cells, 2, side)?;
                if cells.len() > 2 {
                    check_path(name, cells)?;
                }
            }
            Rule::Arrow { circle, line } => check_arrow(name, circle, line)?,
            Rule::CageRange { cells, .. } => check_number_of_cells(name, cells, 1, side)?,
            Rule::Calculation(calculation, _, cells) => {
                let fewest = if *calculation == Calculation::Sum { 1 } else { 2 };
                let most = match calculation {
                    Calculation::Sum | Calculation::Product => MOST_CELLS,
                    Calculation::Difference | Calculation::Quotient => side,
                };
                check_number_of_cells(name, cells, fewest, most)?;
            }
            Rule::Line(line, cells) => check_line(*line, cells, side)?,
            Rule::Outside(outside, _, cells) => check_outside(*outside, cells, side)?,
            Rule::Marked(Marked::Circles, cells) => {
                check_number_of_cells(name, cells, 1, MOST_CELLS)?;
            }
            Rule::Marked(Marked::Same, cells) => {
                check_number_of_cells(name, cells, 2, self.size.cells())?;
            }
            Rule::Quadruple(values, cells) => check_quadruple(values, cells, self.size)?,
            Rule::Pattern(_, cells) => check_number_of_cells(name, cells, 1, MOST_CELLS)?,
            &Rule::Mark(_, [first, second]) if !share_a_side(first, second) => {
                let expected = "share a side";
                return Err(Error::Apart { rule: name, first, second, expected });
            }
            Rule::Global(_) | Rule::Marked(..) | Rule::Mark(..) => {}
        }
        Ok(())
    }

    /// Fails unless the cells are in the grid, each once if the rule has no meaning for a cell that is there twice.
    fn check_cells(&self, rule: &Rule) -> Result<(), Error> {
        let name = rule.name();
        let mut seen = BTreeSet::new();
        for cell in rule.cells() {
            if self.size.index(cell).is_none() {
                return Err(Error::Outside { rule: name, cell, side: self.size.side() });
            }
            if !seen.insert(cell) && !rule.may_repeat_cells() {
                return Err(Error::Twice { rule: name, cell });
            }
        }
        Ok(())
    }

    fn check_regions(&self, numbers: &[usize]) -> Result<(), Error> {
        let side = self.size.side();
        if numbers.len() != self.size.cells() {
            let found = numbers.len();
            return Err(Error::RegionCells { found, expected: self.size.cells() });
        }
        // If the first `side` regions have `side` cells each, no cell is left for another region.
        for region in 0..side {
            let found = numbers.iter().filter(|&&number| number == region).count();
            if found != side {
                let first = numbers.iter().position(|&number| number == region).unwrap_or(0);
                let cell = self.size.cell(first);
                let region = region_letter(region).to_string();
                return Err(Error::RegionSize { region, cell, found, expected: side });
            }
        }
        Ok(())
    }

    fn check_cage(&self, sum: Option<u32>, cells: &[Cell]) -> Result<(), Error> {
        check_number_of_cells("cage", cells, 1, self.size.side())?;
        let number = cells.len() as u32;
        // The sums of the `number` least and the `number` greatest values.
        let least = number * (2 * self.size.first_value() + number - 1) / 2;
        let most = number * (2 * self.size.last_value() + 1 - number) / 2;
        if let Some(found) = sum.filter(|sum| !(least..=most).contains(sum)) {
            return Err(Error::Sum { found, cell: cells[0], least, most });
        }
        Ok(())
    }

    /// The number of each cell's region, from 0; `None` if there are no regions.
    pub fn regions(&self) -> Option<Vec<usize>> {
        for rule in &self.rules {
            match rule {
                Rule::Regions(numbers) => return Some(numbers.clone()),
                Rule::Global(WholeGrid::NoRegions) => return None,
                _ => {}
            }
        }
        if !self.size.has_boxes() {
            return None;
        }
        Some((0..self.size.cells()).map(|cell| self.size.box_of(cell)).collect())
    }

    /// Whether rows and columns have all values.
    pub fn has_lines(&self) -> bool {
        !self.rules.contains(&Rule::NoLines)
    }

    /// Fails if the size has no boxes and no rule says what is in their place.
    pub(crate) fn check_regions_stated(&self) -> Result<(), Error> {
        let states =
            |rule: &Rule| matches!(rule, Rule::Regions(_) | Rule::Global(WholeGrid::NoRegions));
        if self.size.has_boxes() || self.rules.iter().any(states) {
            return Ok(());
        }
        Err(Error::NoBoxes(self.size.side()))
    }

    /// The region of each cell for lines that count by regions: without regions, that of the houses that were added.
    pub(crate) fn regions_of_cells(&self) -> Vec<Option<usize>> {
        if let Some(regions) = self.regions() {
            return regions.into_iter().map(Some).collect();
        }
        let mut regions = vec![None; self.size.cells()];
        for (number, rule) in self.rules.iter().enumerate() {
            let Rule::House(cells) = rule else { continue };
            for index in cells.iter().filter_map(|&cell| self.size.index(cell)) {
                regions[index] = Some(number);
            }
        }
        regions
    }

    /// The ratios of the dots that are given, each once; 2 if there is none.
    pub(crate) fn ratios(&self) -> Vec<u32> {
        let ratio = |rule: &Rule| match rule {
            Rule::Mark(Mark::Black, _) => Some(2),
            Rule::Calculation(Calculation::Quotient, ratio, _) => Some(*ratio),
            _ => None,
        };
        let ratios: BTreeSet<u32> = self.rules.iter().filter_map(ratio).collect();
        if ratios.is_empty() { vec![2] } else { ratios.into_iter().collect() }
    }

    /// Whether there is a dot of any kind between two cells.
    pub(crate) fn has_dot_between(&self, pair: [Cell; 2]) -> bool {
        let is_dot = |rule: &Rule| match rule {
            Rule::Mark(Mark::White | Mark::Black, _) => true,
            Rule::Calculation(calculation, ..) => {
                matches!(calculation, Calculation::Difference | Calculation::Quotient)
            }
            _ => false,
        };
        let is_pair = |rule: &Rule| {
            let cells = rule.cells();
            cells == pair || cells == [pair[1], pair[0]]
        };
        self.rules.iter().any(|rule| is_dot(rule) && is_pair(rule))
    }

    /// For each cell whether it is marked so.
    pub(crate) fn marked(&self, wanted: Marked) -> Vec<bool> {
        let mut is_marked = vec![false; self.size.cells()];
        for rule in &self.rules {
            let Rule::Marked(marked, cells) = rule else { continue };
            let cells = cells.iter().filter(|_| *marked == wanted);
            for index in cells.filter_map(|&cell| self.size.index(cell)) {
                is_marked[index] = true;
            }
        }
        is_marked
    }

    /// The marks between two cells, in either order.
    pub(crate) fn marks_between(&self, pair: [Cell; 2]) -> Vec<Mark> {
        let [first, second] = pair;
        let either_order = [[first, second], [second, first]];
        let mark = |rule: &Rule| match rule {
            Rule::Mark(mark, cells) if either_order.contains(cells) => Some(*mark),
            _ => None,
        };
        self.rules.iter().filter_map(mark).collect()
    }
}

fn check_number_of_cells(
    rule: &'static str,
    cells: &[Cell],
    least: usize,
    most: usize,
) -> Result<(), Error> {
    let found = cells.len();
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(Error::Cells { rule, found, least, most })
    }
}

/// Fails unless a clue outside of the grid can look at these cells.
fn check_outside(outside: Outside, cells: &[Cell], side: usize) -> Result<(), Error> {
    let name = outside.name();
    let fewest = if outside == Outside::LittleKiller { 1 } else { side };
    check_number_of_cells(name, cells, fewest, side)?;
    if outside == Outside::FullRank && !is_row_or_column(cells) {
        let expected = "are a row or a column from one end to the other";
        return Err(Error::Apart { rule: name, first: cells[0], second: cells[1], expected });
    }
    Ok(())
}

/// Fails unless there are as many cells as values at least, and values of the grid.
fn check_quadruple(values: &[u8], cells: &[Cell], size: Size) -> Result<(), Error> {
    check_number_of_cells("quadruple", cells, values.len().max(1), size.side())?;
    let [least, most] = [size.first_value(), size.last_value()];
    match values.iter().find(|&&value| !(least..=most).contains(&value.into())) {
        Some(&found) => {
            let [least, most] = [least as usize, most as usize];
            Err(Error::Value { found: found.into(), cell: cells[0], least, most })
        }
        None => Ok(()),
    }
}

/// Fails unless a line of this kind can have these cells and this number.
fn check_line(line: Line, cells: &[Cell], side: usize) -> Result<(), Error> {
    let name = line.name();
    let most = if line.has_different_values() { side } else { MOST_CELLS };
    // Between the ends of a double arrow is a line.
    let fewest = if line == Line::DoubleArrow { 3 } else { 2 };
    check_number_of_cells(name, cells, fewest, most)?;
    let is_path = match line {
        // Values in any order.
        Line::Renban | Line::Nabner => false,
        // One value less than another one.
        Line::SlowThermometer | Line::Falling => cells.len() > 2,
        _ => true,
    };
    if is_path {
        check_path(name, cells)?;
    }
    let least = match line {
        Line::Modular(_) => 2,
        Line::Sums(_) => 1,
        _ => 0,
    };
    match line.number() {
        Some(found) if found < least => Err(Error::LineNumber { rule: name, found, least }),
        _ => Ok(()),
    }
}

fn check_arrow(rule: &'static str, circle: &[Cell], line: &[Cell]) -> Result<(), Error> {
    /// All cells of the largest grid: a sum of many cells is as cheap as one of few.
    const MOST_OF_A_LINE: usize = 256;
    /// A number of more digits would be above the sum of every line.
    const MOST_DIGITS: usize = 4;
    check_number_of_cells(rule, circle, 1, MOST_DIGITS)?;
    check_number_of_cells(rule, line, 1, MOST_OF_A_LINE)?;
    check_path(rule, circle)?;
    check_path(rule, line)?;
    // The line may start at any cell of the circle.
    let start = line[0];
    if circle.iter().any(|&cell| touch(cell, start)) {
        return Ok(());
    }
    let first = circle[circle.len() - 1];
    Err(Error::Apart { rule, first, second: start, expected: "touch" })
}

/// Fails unless each cell touches the next one.
fn check_path(rule: &'static str, cells: &[Cell]) -> Result<(), Error> {
    for pair in cells.windows(2) {
        let [first, second] = [pair[0], pair[1]];
        if !touch(first, second) {
            return Err(Error::Apart { rule, first, second, expected: "touch" });
        }
    }
    Ok(())
}

/// Whether as many cells as a row has are one, or a column, in their order from either end.
fn is_row_or_column(cells: &[Cell]) -> bool {
    let is_same = |of: fn(Cell) -> usize| cells.iter().all(|&cell| of(cell) == of(cells[0]));
    (is_same(Cell::row) || is_same(Cell::column))
        && cells.windows(2).all(|pair| share_a_side(pair[0], pair[1]))
}

fn touch(first: Cell, second: Cell) -> bool {
    let rows = first.row().abs_diff(second.row());
    let columns = first.column().abs_diff(second.column());
    rows.max(columns) == 1
}

fn share_a_side(first: Cell, second: Cell) -> bool {
    first.row().abs_diff(second.row()) + first.column().abs_diff(second.column()) == 1
}
