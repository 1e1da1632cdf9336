//! The rules of a variant, each checked as it is added.

use std::collections::BTreeSet;

use base::figures::plural_s;

use crate::cell::Cell;
use crate::rule::{Mark, Rule, region_letter};
use crate::size::{Size, SizeError};

/// A set of rules: the size of the grid and all that holds in it besides its rows and columns.
///
/// ```
/// use tallyboard::variants::{Cell, Rule, Rules};
///
/// let cage = Rule::Cage { sum: Some(10), cells: vec![Cell::new(1, 1), Cell::new(1, 2)] };
/// let rules = Rules::new(9)?.with(Rule::AntiKnight)?.with(cage)?;
/// assert_eq!(rules.size().side(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    size: Size,
    rules: Vec<Rule>,
}

/// A rule that cannot be: what was found and what was expected.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A cell that the grid does not have.
    #[error("{rule}: found {cell}, expected a cell from r1c1 to r{side}c{side}")]
    Outside {
        /// The name of the rule.
        rule: &'static str,
        /// The cell.
        cell: Cell,
        /// The side of the grid.
        side: usize,
    },
    /// A cell that one rule names twice.
    #[error("{rule}: found {cell} twice, expected each cell once")]
    Twice {
        /// The name of the rule.
        rule: &'static str,
        /// The cell.
        cell: Cell,
    },
    /// Too few or too many cells.
    #[error("{rule}: found {found} cell{s}, expected {expected}", s = plural_s(*found), expected = span(*least, *most))]
    Cells {
        /// The name of the rule.
        rule: &'static str,
        /// The cells found.
        found: usize,
        /// The fewest that it may have.
        least: usize,
        /// The most that it may have.
        most: usize,
    },
    /// A sum that no different values have.
    #[error("cage: found the sum {found} at {cell}, expected {least} to {most} for its cells")]
    Sum {
        /// The sum.
        found: u32,
        /// The first cell of the cage.
        cell: Cell,
        /// The least sum of as many different values.
        least: u32,
        /// The greatest.
        most: u32,
    },
    /// A cell in two cages.
    #[error("cage: found {cell}, which is in the cage of {first} too, expected it in one cage")]
    Overlap {
        /// The cell.
        cell: Cell,
        /// The first cell of the other cage.
        first: Cell,
    },
    /// A region with too few or too many cells.
    #[error("regions: found {found} cell{s} in region {region}, that of {cell}, expected {expected}", s = plural_s(*found))]
    RegionSize {
        /// The name of the region: a letter, or the word that a picture has for it.
        region: String,
        /// Its first cell, or the first of the grid if it has none.
        cell: Cell,
        /// The cells found.
        found: usize,
        /// The side of the grid.
        expected: usize,
    },
    /// A picture of regions with too few or too many cells.
    #[error("regions: found a picture of {found} cells, expected {expected}")]
    RegionCells {
        /// The cells found.
        found: usize,
        /// The cells of the grid.
        expected: usize,
    },
    /// Cells of a line or a mark that lie apart.
    #[error(
        "{rule}: found {first} and {second} one after the other, expected cells that {expected}"
    )]
    Apart {
        /// The name of the rule.
        rule: &'static str,
        /// A cell.
        first: Cell,
        /// The cell behind it.
        second: Cell,
        /// `touch`, or `share a side`.
        expected: &'static str,
    },
    /// A rule for another size.
    #[error("windoku: found the size {0}, expected 9")]
    Windoku(usize),
    /// A second rule of a kind that there is once.
    #[error("{0}: found this rule twice, expected it once")]
    Again(&'static str),
}

impl Rules {
    /// Rows, columns and boxes of a grid with this side: the classic rules.
    ///
    /// # Errors
    /// [`SizeError`] if no grid has this side.
    pub fn new(side: usize) -> Result<Self, SizeError> {
        Ok(Self { size: Size::new(side)?, rules: Vec::new() })
    }

    /// The size of the grid.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rules added, in their order.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Whether nothing but rows, columns and boxes is ruled.
    pub fn is_classic(&self) -> bool {
        self.rules.is_empty()
    }

    /// These rules and one more.
    ///
    /// # Errors
    /// [`RuleError`] if the rule cannot be, by itself or with those before it.
    pub fn with(mut self, rule: Rule) -> Result<Self, RuleError> {
        self.add(rule)?;
        Ok(self)
    }

    /// Adds a rule.
    ///
    /// # Errors
    /// [`RuleError`] if the rule cannot be, by itself or with those before it. Nothing is added then.
    pub fn add(&mut self, rule: Rule) -> Result<(), RuleError> {
        self.check(&rule)?;
        self.rules.push(rule);
        Ok(())
    }

    fn check(&self, rule: &Rule) -> Result<(), RuleError> {
        let side = self.size.side();
        let name = rule.name();
        self.check_cells(name, &rule.cells())?;
        match rule {
            Rule::Regions(numbers) => self.check_regions(numbers)?,
            Rule::Windoku if side != 9 => return Err(RuleError::Windoku(side)),
            Rule::House(cells) => check_number(name, cells.len(), side, side)?,
            Rule::Different(cells) => check_number(name, cells.len(), 2, side)?,
            Rule::Cage { sum, cells } => self.check_cage(*sum, cells)?,
            Rule::Thermometer(cells) => {
                check_number(name, cells.len(), 2, side)?;
                check_path(name, cells)?;
            }
            Rule::Arrow { circle, line } => check_arrow(name, circle, line)?,
            Rule::Mark(_, cells) => check_mark(name, *cells)?,
            _ => {}
        }
        let is_once = rule.cells().is_empty();
        if is_once && self.rules.iter().any(|other| other.name() == name) {
            return Err(RuleError::Again(name));
        }
        Ok(())
    }

    /// Whether the cells are in the grid, each once.
    fn check_cells(&self, rule: &'static str, cells: &[Cell]) -> Result<(), RuleError> {
        let mut before = BTreeSet::new();
        for &cell in cells {
            if self.size.index(cell).is_none() {
                return Err(RuleError::Outside { rule, cell, side: self.size.side() });
            }
            if !before.insert(cell) {
                return Err(RuleError::Twice { rule, cell });
            }
        }
        Ok(())
    }

    fn check_regions(&self, numbers: &[usize]) -> Result<(), RuleError> {
        let side = self.size.side();
        if numbers.len() != self.size.cells() {
            let found = numbers.len();
            return Err(RuleError::RegionCells { found, expected: self.size.cells() });
        }
        let regions = numbers.iter().max().map_or(0, |&last| last + 1).max(side);
        for region in 0..regions {
            let found = numbers.iter().filter(|&&number| number == region).count();
            if found != side {
                let first = numbers.iter().position(|&number| number == region).unwrap_or(0);
                let cell = self.size.cell(first);
                let region = region_letter(region).to_string();
                return Err(RuleError::RegionSize { region, cell, found, expected: side });
            }
        }
        Ok(())
    }

    fn check_cage(&self, sum: Option<u32>, cells: &[Cell]) -> Result<(), RuleError> {
        let side = self.size.side() as u32;
        let fewest = if sum.is_some() { 1 } else { 2 };
        check_number("cage", cells.len(), fewest, side as usize)?;
        let number = cells.len() as u32;
        let least = number * (number + 1) / 2;
        let most = number * (2 * side + 1 - number) / 2;
        match sum {
            Some(found) if !(least..=most).contains(&found) => {
                return Err(RuleError::Sum { found, cell: cells[0], least, most });
            }
            _ => {}
        }
        for other in &self.rules {
            let Rule::Cage { cells: theirs, .. } = other else { continue };
            if let Some(&cell) = cells.iter().find(|cell| theirs.contains(cell)) {
                return Err(RuleError::Overlap { cell, first: theirs[0] });
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
        let mut marks = Vec::new();
        for rule in &self.rules {
            if let Rule::Mark(mark, cells) = rule
                && (*cells == [first, second] || *cells == [second, first])
            {
                marks.push(*mark);
            }
        }
        marks
    }
}

/// `2 to 9`, or one number.
fn span(least: usize, most: usize) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn check_number(
    rule: &'static str,
    found: usize,
    least: usize,
    most: usize,
) -> Result<(), RuleError> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(RuleError::Cells { rule, found, least, most })
    }
}

fn check_arrow(rule: &'static str, circle: &[Cell], line: &[Cell]) -> Result<(), RuleError> {
    /// More would have a sum above that of any number of two digits.
    const MOST_OF_A_LINE: usize = 32;
    check_number(rule, circle.len(), 1, 2)?;
    check_number(rule, line.len(), 1, MOST_OF_A_LINE)?;
    check_path(rule, circle)?;
    check_path(rule, line)?;
    // A line may leave a circle of two cells at either.
    let start = line[0];
    match circle.iter().find(|&&cell| touch(cell, start)) {
        Some(_) => Ok(()),
        None => {
            let first = circle[circle.len() - 1];
            Err(RuleError::Apart { rule, first, second: start, expected: "touch" })
        }
    }
}

/// Whether each cell touches the next one.
fn check_path(rule: &'static str, cells: &[Cell]) -> Result<(), RuleError> {
    for pair in cells.windows(2) {
        if !touch(pair[0], pair[1]) {
            let [first, second] = [pair[0], pair[1]];
            return Err(RuleError::Apart { rule, first, second, expected: "touch" });
        }
    }
    Ok(())
}

fn check_mark(rule: &'static str, [first, second]: [Cell; 2]) -> Result<(), RuleError> {
    if share_a_side(first, second) {
        return Ok(());
    }
    Err(RuleError::Apart { rule, first, second, expected: "share a side" })
}

fn touch(first: Cell, second: Cell) -> bool {
    let rows = first.row().abs_diff(second.row());
    let columns = first.column().abs_diff(second.column());
    rows.max(columns) == 1
}

fn share_a_side(first: Cell, second: Cell) -> bool {
    first.row().abs_diff(second.row()) + first.column().abs_diff(second.column()) == 1
}
