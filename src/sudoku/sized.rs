//! Grids of other sizes than 9 × 9, one a line: 4 × 4, 16 × 16 and 25 × 25.
//!
//! Values are written in one of two forms, told apart by the line itself:
//!
//! * one character a cell: `1`-`9`, then `A` for 10, `B` for 11 … (either case); a line of letters
//!   alone counts from `A` = 1, unless the first line of its file has digits. Blanks are `.`, `0`, `_`,
//!   `*` and `-`.
//! * numbers, separated by blanks, commas or both; `0` or `.` is a blank.
//!
//! Solutions come in the form of their puzzle.

use std::fmt;
use std::str::FromStr;

use super::enumeration::branches;
use super::estimate::{Estimate, estimate_cells};
use super::single::solve_any;
use super::{Grid, LineError};
use crate::search::{Costs, Problem, Stop, Stopped, Tally};

/// The size of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Size {
    /// 4 × 4 in boxes of 2 × 2.
    Four,
    /// 9 × 9 in boxes of 3 × 3.
    Nine,
    /// 16 × 16 in boxes of 4 × 4.
    Sixteen,
    /// 25 × 25 in boxes of 5 × 5.
    TwentyFive,
}

impl Size {
    const ALL: [Self; 4] = [Self::Four, Self::Nine, Self::Sixteen, Self::TwentyFive];

    /// The number of rows, of columns and of values.
    pub fn side(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Nine => 9,
            Self::Sixteen => 16,
            Self::TwentyFive => 25,
        }
    }

    /// The number of cells.
    pub(super) fn cells(self) -> usize {
        self.side().pow(2)
    }

    /// Reads a grid of this size from a line; letters alone are read by `notation`, if that is given.
    ///
    /// # Errors
    /// [`LineError`] tells what was found and what was expected.
    pub fn parse(self, line: &[u8], notation: Option<Notation>) -> Result<SizedGrid, LineError> {
        let is_between = |byte: &u8| b" ,\t".contains(byte);
        let line = line.trim_ascii();
        let glued = line.len() >= self.cells() && !line[..self.cells()].iter().any(is_between);
        if glued || !line.iter().any(is_between) {
            return self.parse_letters(line, notation);
        }
        let words = line.split(is_between).filter(|word| !word.is_empty());
        let values = words.map(|word| {
            let text = String::from_utf8_lossy(word).into_owned();
            (if text == "." { Some(0) } else { text.parse().ok() }, text)
        });
        self.grid(line, values, Notation::Numbers)
    }

    fn parse_letters(
        self,
        line: &[u8],
        notation: Option<Notation>,
    ) -> Result<SizedGrid, LineError> {
        let end = line.iter().position(|byte| b" ,\t;:#".contains(byte)).unwrap_or(line.len());
        let line = &line[..end];
        self.check(line.len())?;
        let notation = match notation {
            Some(Notation::DigitsAndLetters) => Notation::DigitsAndLetters,
            _ if line.iter().any(|byte| matches!(byte, b'1'..=b'9')) => Notation::DigitsAndLetters,
            _ => Notation::Letters,
        };
        let first_letter = if notation == Notation::Letters { 1 } else { 10 };
        let values = line.iter().map(|&byte| {
            let value = match byte.to_ascii_uppercase() {
                digit @ b'0'..=b'9' => Some(usize::from(digit - b'0')),
                b'.' | b'_' | b'*' | b'-' => Some(0),
                letter @ b'A'..=b'Z' => Some(usize::from(letter - b'A') + first_letter),
                _ => None,
            };
            (value, char::from(byte).to_string())
        });
        self.grid(line, values, notation)
    }

    /// The grid with these values, each with its text.
    fn grid(
        self,
        spelled: &[u8],
        values: impl Iterator<Item = (Option<usize>, String)>,
        notation: Notation,
    ) -> Result<SizedGrid, LineError> {
        let side = self.side();
        let cell = |(index, (value, text)): (usize, (Option<usize>, String))| {
            value.filter(|&value| value <= side).map(|value| value as u8).ok_or_else(|| {
                let found = text.chars().take(20).collect();
                LineError::Value { found, cell: index + 1, side }
            })
        };
        let cells = values.enumerate().map(cell).collect::<Result<Vec<u8>, _>>()?;
        self.check(cells.len())?;
        Ok(SizedGrid { size: self, cells, spelled: spelled.to_vec(), notation })
    }

    fn check(self, found: usize) -> Result<(), LineError> {
        let expected = self.cells();
        if found == expected { Ok(()) } else { Err(LineError::Cells { found, expected }) }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{0} × {0}", self.side())
    }
}

impl FromStr for Size {
    type Err = UnknownSize;

    fn from_str(text: &str) -> Result<Self, UnknownSize> {
        let (side, other) = text.split_once(['x', '×']).unwrap_or((text, text));
        let is = |size: &Self| [side, other].iter().all(|it| it.trim() == size.side().to_string());
        Self::ALL.into_iter().find(is).ok_or_else(|| UnknownSize(text.to_owned()))
    }
}

/// A size that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {0:?}, expected 4, 9, 16 or 25")]
pub struct UnknownSize(String);

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Decimal numbers with something between them.
    Numbers,
    /// `1`-`9`, then `A` for 10.
    DigitsAndLetters,
    /// `A` for 1.
    Letters,
}

/// A grid of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizedGrid {
    size: Size,
    cells: Vec<u8>,
    spelled: Vec<u8>,
    notation: Notation,
}

/// `$body` for a grid with the cells `$cells`, the numbers of its rows (`SIDE`) and of its cells
/// (`CELLS`) being constants there.
macro_rules! by_size {
    ($grid:expr, |$cells:ident| $body:expr) => {
        by_size!($grid, $cells, $body; Four 4 16, Nine 9 81, Sixteen 16 256, TwentyFive 25 625)
    };
    ($grid:expr, $cells:ident, $body:expr; $($size:ident $side:literal $area:literal),+) => {
        match $grid.size {
            $(Size::$size => {
                const SIDE: usize = $side;
                const CELLS: usize = $area;
                let $cells: &[u8; CELLS] =
                    $grid.cells.as_slice().try_into().expect("a grid has the cells of its size");
                $body
            })+
        }
    };
}

/// A puzzle of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Puzzle {
    /// 9 × 9.
    Nine(Grid),
    /// Any other size.
    Sized(SizedGrid),
}

impl SizedGrid {
    /// The cells, row by row; 0 is a blank.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// How its values are written.
    pub(super) fn notation(&self) -> Notation {
        self.notation
    }

    /// The cells as they were written.
    pub fn spelled(&self) -> &[u8] {
        &self.spelled
    }

    /// Whether this is a solution of `puzzle`: it has no blank, what is given, and no clash.
    pub(super) fn solves(&self, puzzle: &Self) -> bool {
        let agree = |(&given, &value): (&u8, &u8)| value != 0 && [0, value].contains(&given);
        // Nobody raises this flag.
        let solved = || self.solve(1, &Stop::new()).is_ok_and(|(count, _)| count == 1);
        puzzle.cells.iter().zip(&self.cells).all(agree) && solved()
    }

    /// Counts the solutions up to `limit`, and gives the first one found.
    ///
    /// ```
    /// use tallyboard::search::Stop;
    /// use tallyboard::sudoku::sized::Size;
    /// let grid = Size::Four.parse(b"1...............", None).unwrap();
    /// let (count, first) = grid.solve(1000, &Stop::new()).unwrap();
    /// assert_eq!(count, 288 / 4);
    /// assert!(first.is_some());
    /// ```
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn solve(&self, limit: u64, stop: &Stop) -> Result<(u64, Option<Self>), Stopped> {
        let (count, cells) = by_size!(self, |cells| {
            let (count, first) = solve_any::<SIDE, CELLS>(cells, limit, stop)?;
            (count, first.map(|cells| cells.to_vec()))
        });
        let solved = |cells| {
            let solved = Self { cells, ..self.clone() };
            Self { spelled: solved.to_string().into_bytes(), ..solved }
        };
        Ok((count, cells.map(solved)))
    }

    /// Estimates the number of solutions, as [`estimate`](super::estimate()) does.
    ///
    /// ```
    /// use tallyboard::sudoku::sized::Size;
    /// let estimate = Size::Four.parse(&[b'.'; 16], None).unwrap().estimate(2000, 1);
    /// let (low, high) = estimate.interval.unwrap();
    /// assert!(low.exp() <= 288.0 && 288.0 <= high.exp());
    /// ```
    pub fn estimate(&self, probes: u64, seed: u64) -> Estimate {
        by_size!(self, |cells| estimate_cells::<SIDE, CELLS>(cells, probes, seed))
    }
}

/// The count of all solutions of a grid, each of them found: a subtree is the grid with its first empty
/// cells filled.
///
/// ```
/// use tallyboard::search::{Options, Silent, run};
/// use tallyboard::sudoku::sized::{CountSized, Size};
/// let count = CountSized::new(Size::Four.parse(&[b'.'; 16], None).unwrap());
/// assert_eq!(run(&count, &Options::new(), &mut Silent).unwrap().whole(), Some(288));
/// ```
#[derive(Debug)]
pub struct CountSized {
    grid: SizedGrid,
    branches: Vec<SizedGrid>,
}

impl CountSized {
    /// Splits `grid` by its first empty cells.
    pub fn new(grid: SizedGrid) -> Self {
        let branches = by_size!(&grid, |cells| {
            let branches = branches::<SIDE, CELLS>(cells);
            branches.iter().map(|state| state.cells().to_vec()).collect::<Vec<_>>()
        });
        let filled = |cells| SizedGrid { cells, ..grid.clone() };
        Self { branches: branches.into_iter().map(filled).collect(), grid }
    }
}

impl Problem for CountSized {
    fn identity(&self) -> String {
        let SizedGrid { size, cells, .. } = &self.grid;
        let cells: Vec<String> = cells.iter().map(u8::to_string).collect();
        format!("sudoku side={} grid={} algorithm=1 layout=1", size.side(), cells.join(","))
    }

    fn split(&self) -> Costs {
        Costs::equal(self.branches.len())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.branches[subtree].solve(u64::MAX, stop).map(|(count, _)| Tally::new(count))
    }
}

impl fmt::Display for SizedGrid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, &cell) in self.cells.iter().enumerate() {
            match (self.notation, cell) {
                (Notation::Numbers, _) => {
                    let space = if index > 0 { " " } else { "" };
                    write!(f, "{space}{cell}")?;
                }
                (_, 0) => f.write_str(".")?,
                (Notation::DigitsAndLetters, 1..=9) => write!(f, "{cell}")?,
                (Notation::DigitsAndLetters, _) => write!(f, "{}", char::from(b'A' + cell - 10))?,
                (Notation::Letters, _) => write!(f, "{}", char::from(b'A' + cell - 1))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_say_the_same() {
        let digits = Size::Four.parse(b"1234............", None).unwrap();
        let letters = Size::Four.parse(b"abcd............", None).unwrap();
        let numbers = Size::Four.parse(b"1 2 3 4 0 0 0 0 0 0 0 0 0 0 0 0", None).unwrap();
        assert_eq!(digits.cells(), letters.cells());
        assert_eq!(digits.cells(), numbers.cells());
        for grid in [digits, letters, numbers] {
            let written = grid.to_string();
            assert_eq!(Size::Four.parse(written.as_bytes(), None).unwrap().cells(), grid.cells());
        }
    }

    #[test]
    fn errors_say_what_was_found() {
        let error = |line: &str| Size::Four.parse(line.as_bytes(), None).unwrap_err().to_string();
        assert_eq!(error("123"), "found 3 cells, expected 16");
        assert_eq!(
            error("1235............"),
            "found \"5\" in cell 4, expected a value from 1 to 4 or a blank"
        );
    }
}
