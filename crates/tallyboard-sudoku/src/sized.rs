//! Grids of other sizes than 9 × 9, one a line: 4 × 4, 16 × 16 and 25 × 25.
//!
//! Values are written in one of two forms; the line itself shows which:
//!
//! * One character a cell: `1`-`9`, then `A` for 10, `B` for 11 … (either case). A line of letters
//!   alone counts from `A` = 1, unless the first line of its file has digits. Blanks are `.`, `0`,
//!   `_`, `*`, `-`, and `x` where it is no value.
//! * Numbers, separated by blanks, commas or both; `0` or `.` is a blank.
//!
//! In 16 × 16 and 25 × 25 `0` is the first value, as in hexadecimal numbers, if the first grid of the file has `0`, lacks the
//! last value (`G`, `P`), and is full or has another sign for blanks. Later grids follow: one that differs is an error.
//!
//! Solutions are written in the form of their puzzle.

use std::fmt;
use std::str::FromStr;

use super::count::GAME;
use super::enumeration::branches;
use super::estimate::estimate_cells;
use super::single::solve_any;
use super::{Estimate, Grid, LineError};
use tallyboard_base::text::is_blank;
use tallyboard_search::{Problem, Revision, Stop, Stopped, Tally};

/// The version of this engine; [`Revision`] says when to raise a number. It splits by [`branches`], as enumeration does,
/// whose layout 2 is layout 1 here.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// The size of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Size {
    /// 4 × 4 in boxes of 2 × 2.
    Four = 4,
    /// 9 × 9 in boxes of 3 × 3.
    Nine = 9,
    /// 16 × 16 in boxes of 4 × 4.
    Sixteen = 16,
    /// 25 × 25 in boxes of 5 × 5.
    TwentyFive = 25,
}

impl Size {
    /// Every size.
    pub const ALL: [Self; 4] = [Self::Four, Self::Nine, Self::Sixteen, Self::TwentyFive];

    /// The number of rows, of columns and of values.
    pub fn side(self) -> usize {
        self as usize
    }

    /// The number of cells.
    pub(super) fn cells(self) -> usize {
        self.side().pow(2)
    }

    /// Reads a grid of this size from a line. `notation` is that of the first grid of the file, if there was one.
    ///
    /// # Errors
    /// [`LineError`] says what was found and what was expected.
    pub fn parse(self, line: &[u8], notation: Option<Notation>) -> Result<SizedGrid, LineError> {
        // What follows these is a comment, or what another program found.
        let line = line.split(|byte| b";:#".contains(byte)).next().unwrap_or_default().trim_ascii();
        let has_separators = |text: &[u8]| text.iter().any(is_separator);
        // Text may follow cells that are a character each.
        let are_characters = line.len() >= self.cells() && !has_separators(&line[..self.cells()]);
        if are_characters || !has_separators(line) {
            return self.parse_characters(line, notation);
        }
        let words: Vec<&[u8]> = line.split(is_separator).filter(|word| !word.is_empty()).collect();
        let last = self.side().to_string();
        if let Some(blank) = words.iter().find(|word| is_blank_word(word))
            && self.may_begin_with_zero()
            && words.contains(&&b"0"[..])
            && !words.contains(&last.as_bytes())
        {
            let blank = char::from(blank[0]);
            let last = (self.side() - 1).to_string();
            return Err(LineError::ZeroOrBlank { blank, last });
        }
        let values = words.into_iter().map(|word| {
            let text = String::from_utf8_lossy(word).into_owned();
            let value = if is_blank_word(word) { Some(0) } else { text.parse().ok() };
            (value, text)
        });
        self.grid_of(line, values, Notation::Numbers)
    }

    /// Whether some collections write the first value of this size as `0`, as in hexadecimal numbers.
    fn may_begin_with_zero(self) -> bool {
        self.side() > 9
    }

    /// Reads a grid with a character for each cell.
    fn parse_characters(
        self,
        line: &[u8],
        notation: Option<Notation>,
    ) -> Result<SizedGrid, LineError> {
        let line = line.split(is_separator).next().unwrap_or_default();
        self.check_cell_count(line.len())?;
        let notation = self.find_notation(line, notation)?;
        let values = line.iter().map(|&byte| {
            let value = match byte.to_ascii_uppercase() {
                digit @ b'0'..=b'9' => Some(usize::from(digit - b'0')),
                letter @ b'A'..=b'Z' => Some(usize::from(letter - b'A') + notation.first_letter()),
                _ => None,
            };
            let value = value.map(|value| value + usize::from(notation == Notation::FromZero));
            // `x` and `X` are letters, but blanks where they are no value of this size.
            let blank = is_blank(char::from(byte)).then_some(0);
            (value.filter(|&value| value <= self.side()).or(blank), char::from(byte).to_string())
        });
        self.grid_of(line, values, notation)
    }

    /// The notation of a grid of single characters; `first` is that of the first grid of its file.
    fn find_notation(self, line: &[u8], first: Option<Notation>) -> Result<Notation, LineError> {
        if first == Some(Notation::FromZero) {
            return Ok(Notation::FromZero);
        }
        let has_digits = line.iter().any(|byte| matches!(byte, b'1'..=b'9'));
        if !has_digits && first != Some(Notation::DigitsAndLetters) {
            return Ok(Notation::Letters);
        }
        // The letter of the last value: `G` in 16 × 16, `P` in 25 × 25.
        let last = b'A' + (self.side() as u8).saturating_sub(10);
        let zeros = line.iter().filter(|&&byte| byte == b'0').count();
        let has_last = line.iter().any(|byte| byte.to_ascii_uppercase() == last);
        if !self.may_begin_with_zero() || zeros == 0 || has_last {
            return Ok(Notation::DigitsAndLetters);
        }
        let blank = line.iter().find(|&&byte| is_blank(char::from(byte)));
        match (blank, first) {
            (Some(&blank), Some(_)) => {
                let blank = char::from(blank);
                let last = char::from(last - 1).to_string();
                Err(LineError::ZeroOrBlank { blank, last })
            }
            (Some(_), None) => Ok(Notation::FromZero),
            // A full grid has each value once in each row.
            (None, None) if zeros == self.side() => Ok(Notation::FromZero),
            (None, _) => Ok(Notation::DigitsAndLetters),
        }
    }

    /// The grid with these values, 0 for a blank; `None` is no value. The text of each is for errors.
    fn grid_of(
        self,
        source_text: &[u8],
        values: impl Iterator<Item = (Option<usize>, String)>,
        notation: Notation,
    ) -> Result<SizedGrid, LineError> {
        let side = self.side();
        let mut cells = Vec::with_capacity(self.cells());
        for (value, text) in values {
            let Some(value) = value.filter(|&value| value <= side) else {
                let found = text.chars().take(20).collect();
                let [first, last] = [1, side as u8].map(|value| match notation {
                    Notation::FromZero => notation.spell(value),
                    _ => value.to_string(),
                });
                return Err(LineError::Value { found, cell: cells.len() + 1, first, last });
            };
            cells.push(value as u8);
        }
        self.check_cell_count(cells.len())?;
        Ok(SizedGrid { size: self, cells, source_text: source_text.to_vec(), notation })
    }

    fn check_cell_count(self, found: usize) -> Result<(), LineError> {
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
        let is_named = |size: &Self| {
            let name = size.side().to_string();
            side.trim() == name && other.trim() == name
        };
        Self::ALL.into_iter().find(is_named).ok_or_else(|| UnknownSize(text.to_owned()))
    }
}

/// A text that names no size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {0:?}, expected 4, 9, 16 or 25")]
pub struct UnknownSize(String);

/// How values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Decimal numbers with separators.
    Numbers,
    /// `1`-`9`, then `A` for 10.
    DigitsAndLetters,
    /// `A` for 1.
    Letters,
    /// `0`-`9`, then `A` for the eleventh value, as in hexadecimal numbers.
    FromZero,
}

/// Whether a word stands for a blank. `0` does too, unless it is a value.
fn is_blank_word(word: &[u8]) -> bool {
    matches!(word, [sign] if is_blank(char::from(*sign)))
}

/// Whether a character may stand between the numbers of a line.
fn is_separator(byte: &u8) -> bool {
    b" ,\t".contains(byte)
}

impl Notation {
    /// The number that `A` stands for; values count from 1, or with [`FromZero`](Self::FromZero) from 0.
    fn first_letter(self) -> usize {
        if self == Self::Letters { 1 } else { 10 }
    }

    /// A value as it is written.
    fn spell(self, value: u8) -> String {
        match (self, value) {
            (Self::Numbers, _) => value.to_string(),
            (_, 0) => ".".to_owned(),
            (Self::Letters, _) => letter(value - 1),
            (Self::DigitsAndLetters, 1..=9) => value.to_string(),
            (Self::DigitsAndLetters, _) => letter(value - 10),
            (Self::FromZero, 1..=10) => (value - 1).to_string(),
            (Self::FromZero, _) => letter(value - 11),
        }
    }
}

/// The letter of this index in the alphabet.
fn letter(index: u8) -> String {
    char::from(b'A' + index).to_string()
}

/// A grid of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizedGrid {
    size: Size,
    cells: Vec<u8>,
    source_text: Vec<u8>,
    notation: Notation,
}

/// Runs `$body` with the cells of `$grid` as the array `$cells`, and with the constants `SIDE` and
/// `CELLS`, its numbers of rows and of cells.
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

impl From<&Grid> for SizedGrid {
    fn from(grid: &Grid) -> Self {
        let cells = grid.cells().to_vec();
        let source_text = grid.to_bytes().to_vec();
        Self { size: Size::Nine, cells, source_text, notation: Notation::DigitsAndLetters }
    }
}

impl SizedGrid {
    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value of a cell as it is written, `.` or 0 for a blank.
    pub fn text(&self, cell: usize) -> String {
        self.notation.spell(self.cells[cell])
    }

    /// The cells, row by row; 0 is a blank.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// How its values are written.
    #[cfg(feature = "files")]
    pub(super) fn notation(&self) -> Notation {
        self.notation
    }

    /// The cells as they were written.
    pub fn source_text(&self) -> &[u8] {
        &self.source_text
    }

    /// Whether this is a solution of `puzzle`: it keeps the clues, and each row, column and box has all values. No code of a
    /// search takes part.
    pub fn solves(&self, puzzle: &Self) -> bool {
        let side = self.size.side();
        let box_side = side.isqrt();
        let mut lines = vec![[0_u32; 3]; side];
        let mut is_right = self.size == puzzle.size;
        for (cell, (&given, &value)) in puzzle.cells.iter().zip(&self.cells).enumerate() {
            let (row, column) = (cell / side, cell % side);
            let of_box = row / box_side * box_side + column / box_side;
            for (kind, line) in [row, column, of_box].into_iter().enumerate() {
                lines[line][kind] |= 1 << value;
            }
            is_right &= given == 0 || given == value;
        }
        let all = (1 << side) - 1;
        is_right && lines.as_flattened().iter().all(|values| values >> 1 == all && values & 1 == 0)
    }

    /// Counts the solutions up to `limit`, and gives the first one found.
    ///
    /// ```
    /// # mod tallyboard { pub use ::tallyboard_search as search; }
    /// use tallyboard::search::Stop;
    /// use tallyboard_sudoku::sized::Size;
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
        Ok((count, cells.map(|cells| self.with_cells(cells))))
    }

    /// These values, row by row, as a grid that is written as this one. There are as many as this grid has cells.
    #[must_use]
    pub fn with_cells(&self, cells: Vec<u8>) -> Self {
        assert_eq!(cells.len(), self.cells.len(), "the cells of a grid of another size");
        let mut grid = Self { cells, ..self.clone() };
        grid.source_text = grid.to_string().into_bytes();
        grid
    }

    /// Estimates the number of solutions, as [`estimate`](super::estimate()) does.
    ///
    /// ```
    /// use tallyboard_sudoku::sized::Size;
    /// let estimate = Size::Four.parse(&[b'.'; 16], None).unwrap().estimate(2000, 1);
    /// assert!((estimate.ln.exp() - 288.0).abs() < 10.0);
    /// ```
    pub fn estimate(&self, probes: u64, seed: u64) -> Estimate {
        by_size!(self, |cells| estimate_cells::<SIDE, CELLS>(cells, probes, seed))
    }
}

/// Counts all solutions of a grid of any size by finding each. A subtree is the grid as it is after the first branchings.
///
/// ```
/// use tallyboard_search::{Options, Silent, run};
/// use tallyboard_sudoku::sized::{CountSized, Size};
/// let count = CountSized::new(Size::Four.parse(&[b'.'; 16], None).unwrap());
/// assert_eq!(run(&count, &Options::new(), &mut Silent).unwrap().whole(), Some(288));
/// ```
#[derive(Debug)]
pub struct CountSized {
    grid: SizedGrid,
    /// The grid after the first branchings, each with some more cells filled.
    branches: Vec<SizedGrid>,
}

impl CountSized {
    /// Splits `grid` by its first branchings.
    pub fn new(grid: SizedGrid) -> Self {
        let branches = by_size!(&grid, |cells| {
            let branches = branches::<SIDE, CELLS>(cells);
            branches.iter().map(|state| state.cells().to_vec()).collect::<Vec<_>>()
        });
        let with_cells = |cells| SizedGrid { cells, ..grid.clone() };
        Self { branches: branches.into_iter().map(with_cells).collect(), grid }
    }
}

impl Problem for CountSized {
    fn identity(&self) -> String {
        let SizedGrid { size, cells, .. } = &self.grid;
        let cells: Vec<String> = cells.iter().map(u8::to_string).collect();
        format!("{GAME} side={} grid={} {REVISION}", size.side(), cells.join(","))
    }

    fn subtrees(&self) -> usize {
        self.branches.len()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.branches[subtree].solve(u64::MAX, stop).map(|(count, _)| Tally::new(count))
    }
}

impl fmt::Display for SizedGrid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, &cell) in self.cells.iter().enumerate() {
            let space = if index > 0 && self.notation == Notation::Numbers { " " } else { "" };
            write!(f, "{space}{}", self.notation.spell(cell))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_was_found() {
        let error = |line: &str| Size::Four.parse(line.as_bytes(), None).unwrap_err().to_string();
        assert_eq!(error("123"), "found 3 cells, expected 16");
        let expected = "found \"5\" in cell 4, expected a value from 1 to 4 or a blank";
        assert_eq!(error("1235............"), expected);
    }

    /// All 4 × 4 grids of which each row has all values: those without a clash are the 288 that a search counts.
    #[test]
    fn solutions_are_told_from_other_grids() {
        let rows: Vec<[u8; 4]> = (0..256_u32)
            .map(|row| std::array::from_fn(|at| b'1' + (row >> (2 * at) & 3) as u8))
            .filter(|row: &[u8; 4]| (b'1'..=b'4').all(|value| row.contains(&value)))
            .collect();
        let empty = Size::Four.parse(&[b'.'; 16], None).unwrap();
        let clue = Size::Four.parse(b"1...............", None).unwrap();
        let mut found = [0; 2];
        for way in 0..24_usize.pow(4) {
            let text = [way % 24, way / 24 % 24, way / 576 % 24, way / 13_824].map(|row| rows[row]);
            let grid = Size::Four.parse(text.as_flattened(), None).unwrap();
            found[0] += u32::from(grid.solves(&empty));
            found[1] += u32::from(grid.solves(&clue));
        }
        assert_eq!(found, [288, 72]);
        let other_size = Size::Nine.parse(&[b'.'; 81], None).unwrap();
        assert!(!empty.solves(&empty) && !other_size.solves(&empty) && !empty.solves(&other_size));
    }

    #[test]
    fn an_estimate_depends_on_its_seed_alone() {
        let grid = Size::Sixteen.parse(&[b'.'; 256], None).unwrap();
        let estimates: Vec<Estimate> = (1..=3).map(|seed| grid.estimate(20, seed)).collect();
        assert_eq!(estimates[0], grid.estimate(20, 1));
        assert!(estimates[0] != estimates[1] && estimates[1] != estimates[2], "{estimates:?}");
    }

    #[test]
    fn letters_alone_are_values_from_1() {
        let of = |text: &str| Size::Four.parse(text.as_bytes(), None).unwrap();
        let letters = of("abcd............");
        assert_eq!(letters.cells(), of("1234............").cells());
        assert_eq!(of(&letters.to_string()).cells(), letters.cells());
    }
}
