//! The rules of a variant, each checked as it is added.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::grid::{Cell, Size};
use crate::rule::{Mark, Rule, region_letter};

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
    /// Rows, columns and boxes of a grid with this side: the classic rules.
    ///
    /// # Errors
    /// [`Error::Size`] if no grid has this side.
    pub fn new(side: usize) -> Result<Self, Error> {
        Ok(Self { size: Size::new(side)?, rules: Vec::new() })
    }

    /// Cells of a row, and values: 4, 6, 8, 9, 12 or 16.
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
        self.rules.is_empty()
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
        self.check(&rule)?;
        self.rules.push(rule);
        Ok(())
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        let side = self.size.side();
        let name = rule.name();
        self.check_cells(name, &rule.cells())?;
        match rule {
            Rule::Regions(numbers) => self.check_regions(numbers)?,
            Rule::Windoku if side != 9 => return Err(Error::Windoku(side)),
            Rule::House(cells) => check_number_of_cells(name, cells, side, side)?,
            Rule::Different(cells) => check_number_of_cells(name, cells, 2, side)?,
            Rule::Cage { sum, cells } => self.check_cage(*sum, cells)?,
            Rule::Thermometer(cells) => {
                check_number_of_cells(name, cells, 2, side)?;
                check_path(name, cells)?;
            }
            Rule::Arrow { circle, line } => check_arrow(name, circle, line)?,
            &Rule::Mark(_, [first, second]) if !share_a_side(first, second) => {
                let expected = "share a side";
                return Err(Error::Apart { rule: name, first, second, expected });
            }
            _ => {}
        }
        // A rule that names no cells is about the whole grid.
        let is_global = rule.cells().is_empty();
        if is_global && self.rules.iter().any(|other| other.name() == name) {
            return Err(Error::RuleTwice(name));
        }
        Ok(())
    }

    /// Fails unless the cells are in the grid, each once.
    fn check_cells(&self, rule: &'static str, cells: &[Cell]) -> Result<(), Error> {
        let mut seen = BTreeSet::new();
        for &cell in cells {
            if self.size.index(cell).is_none() {
                return Err(Error::Outside { rule, cell, side: self.size.side() });
            }
            if !seen.insert(cell) {
                return Err(Error::Twice { rule, cell });
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
        let side = self.size.side() as u32;
        let fewest = if sum.is_some() { 1 } else { 2 };
        check_number_of_cells("cage", cells, fewest, side as usize)?;
        let number = cells.len() as u32;
        // The sums of the `number` least and the `number` greatest values.
        let least = number * (number + 1) / 2;
        let most = number * (2 * side + 1 - number) / 2;
        if let Some(found) = sum.filter(|sum| !(least..=most).contains(sum)) {
            return Err(Error::Sum { found, cell: cells[0], least, most });
        }
        for other in &self.rules {
            let Rule::Cage { cells: other_cells, .. } = other else { continue };
            if let Some(&cell) = cells.iter().find(|cell| other_cells.contains(cell)) {
                return Err(Error::Overlap { cell, first: other_cells[0] });
            }
        }
        Ok(())
    }

    /// The number of each cell's region, from 0; `None` if there are no regions.
    pub fn regions(&self) -> Option<Vec<usize>> {
        for rule in &self.rules {
            match rule {
                Rule::Regions(numbers) => return Some(numbers.clone()),
                Rule::NoRegions => return None,
                _ => {}
            }
        }
        Some((0..self.size.cells()).map(|cell| self.size.box_of(cell)).collect())
    }

    /// The marks between two cells, in either order.
    pub(crate) fn marks_between(&self, first: Cell, second: Cell) -> Vec<Mark> {
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

fn check_arrow(rule: &'static str, circle: &[Cell], line: &[Cell]) -> Result<(), Error> {
    /// With the two cells of a circle, as many as [`MOST_CELLS`](crate::clue::MOST_CELLS).
    const MOST_OF_A_LINE: usize = 32;
    check_number_of_cells(rule, circle, 1, 2)?;
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

fn touch(first: Cell, second: Cell) -> bool {
    let rows = first.row().abs_diff(second.row());
    let columns = first.column().abs_diff(second.column());
    rows.max(columns) == 1
}

fn share_a_side(first: Cell, second: Cell) -> bool {
    first.row().abs_diff(second.row()) + first.column().abs_diff(second.column()) == 1
}
