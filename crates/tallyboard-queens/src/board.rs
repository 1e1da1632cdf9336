//! The board to fill: its size, its placed queens and its closed squares.

use std::fmt;
use std::str::FromStr;

use crate::position::full;

/// The largest n of a board that the exact engines count. Documentation names the number, since users of `tallyboard`
/// do not see this name.
pub const MAX_N: u32 = 32;

/// A board of n × n squares, to be filled with n queens that do not attack each other.
///
/// Some queens may be placed beforehand, and some squares may be closed to all queens:
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use tallyboard::queens::Board;
///
/// let board = Board::new(8)?.place("a1")?.block("h8")?.block("b5")?;
/// assert_eq!(board.count().run()?, 3);
/// # Ok::<(), tallyboard::queens::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    n: u32,
    placed: Vec<Square>,
    blocked: Vec<Square>,
}

/// A board that cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// The size is out of range.
    #[error("found a board size of {found}, expected 1 to {MAX_N}")]
    Size {
        /// The size asked for.
        found: u32,
    },
    /// A text names no square.
    #[error(
        "found the square `{found}`, expected letters for the file and a number for the rank, like c5"
    )]
    Name {
        /// The text.
        found: String,
    },
    /// A square lies off the board.
    #[error("square {square} is not on a board of size {n}, whose last square is {last}")]
    OffBoard {
        /// The square.
        square: Square,
        /// The size of the board.
        n: u32,
        /// The square of the last file and rank.
        last: Square,
    },
    /// A square is named twice for the same purpose.
    #[error("square {square} is named twice")]
    Twice {
        /// The square.
        square: Square,
    },
}

impl Board {
    /// An empty board of `n` × `n` squares.
    ///
    /// # Errors
    /// [`BoardError::Size`] unless `n` is from 1 to 32.
    pub fn new(n: u32) -> Result<Self, BoardError> {
        Self::with(n, &[], &[])
    }

    /// A board of `n` × `n` squares with queens on `placed`, where no queen may stand on `blocked`.
    ///
    /// Queens that attack each other or stand on a closed square are no error: such a board has no
    /// solutions.
    ///
    /// # Errors
    /// [`BoardError::Size`] unless `n` is from 1 to 32, [`BoardError::OffBoard`] and
    /// [`BoardError::Twice`] for a square that is not on the board or stands twice in one list.
    pub fn with(n: u32, placed: &[Square], blocked: &[Square]) -> Result<Self, BoardError> {
        if !(1..=MAX_N).contains(&n) {
            return Err(BoardError::Size { found: n });
        }
        Ok(Self {
            n,
            placed: checked_and_sorted(n, placed)?,
            blocked: checked_and_sorted(n, blocked)?,
        })
    }

    /// The number of rows, of columns and of queens.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The squares of the placed queens, sorted.
    pub fn placed(&self) -> &[Square] {
        &self.placed
    }

    /// The squares where no queen may stand, sorted.
    pub fn blocked(&self) -> &[Square] {
        &self.blocked
    }

    /// Two of the placed queens that attack each other, if there are any.
    pub fn attack(&self) -> Option<(Square, Square)> {
        self.placed.iter().enumerate().find_map(|(index, &first)| {
            let mut later = self.placed[index + 1..].iter();
            later.find(|&&second| first.shares_a_line(second)).map(|&second| (first, second))
        })
    }

    /// The squares where the queen of each row may stand, from the top row down: bit c for column c. A row
    /// with a placed queen has only the queen's square. Attacks are not considered.
    pub fn open_rows(&self) -> Vec<u64> {
        let mut rows = vec![full(self.n); self.n as usize];
        for square in &self.placed {
            rows[self.row_from_top(square)] &= 1 << square.file();
        }
        for square in &self.blocked {
            rows[self.row_from_top(square)] &= !(1 << square.file());
        }
        rows
    }

    fn row_from_top(&self, square: &Square) -> usize {
        (self.n - 1 - square.rank()) as usize
    }

    /// Whether no queen stands on the board yet and every square is open.
    pub fn is_plain(&self) -> bool {
        self.placed.is_empty() && self.blocked.is_empty()
    }
}

impl FromStr for Square {
    type Err = BoardError;

    fn from_str(name: &str) -> Result<Self, BoardError> {
        parse(name).ok_or_else(|| BoardError::Name { found: name.to_owned() })
    }
}

/// `squares` in order; an error if one is off the board or named twice.
fn checked_and_sorted(n: u32, squares: &[Square]) -> Result<Vec<Square>, BoardError> {
    if let Some(&square) = squares.iter().find(|square| !square.is_on_board(n)) {
        return Err(BoardError::OffBoard { square, n, last: Square::new(n - 1, n - 1) });
    }
    let mut squares = squares.to_vec();
    squares.sort_unstable();
    match squares.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(BoardError::Twice { square: pair[0] }),
        None => Ok(squares),
    }
}

/// A board with queens on `placed` and closed squares `blocked`: names with blanks between them.
/// The squares with commas between them.
pub(crate) fn comma_list(squares: &[Square]) -> String {
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
pub(crate) fn board(n: u32, placed: &str, blocked: &str) -> Board {
    let squares = |names: &str| -> Vec<Square> {
        names.split_whitespace().map(|name| name.parse().unwrap()).collect()
    };
    Board::with(n, &squares(placed), &squares(blocked)).unwrap()
}

// A square and its name, as in chess.

/// A square: files are counted from the left, ranks from the bottom, both from 0.
///
/// Its name is the letter of the file, `a` to `z` and then `aa`, `ab` …, and the rank, from 1. The
/// top-left square of an 8 × 8 board is `a8`.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use tallyboard::queens::Square;
///
/// let square: Square = "c5".parse()?;
/// assert_eq!((square.file(), square.rank()), (2, 4));
/// assert_eq!(Square::new(26, 9).to_string(), "aa10");
/// assert!("5c".parse::<Square>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    rank: u32,
    file: u32,
}

impl Square {
    /// The square on `file` and `rank`, both counted from 0.
    pub fn new(file: u32, rank: u32) -> Self {
        Self { rank, file }
    }

    /// The square of an n × n board in `row`, counted from 0 at the top, and `column`, from 0 at the left.
    /// Placements and searches count rows and columns this way.
    ///
    /// # Panics
    /// If `row` is not below `n`.
    pub fn from_top(row: u32, column: u32, n: u32) -> Self {
        Self::new(column, n.checked_sub(row + 1).expect("a row of the board"))
    }

    /// The file, from 0 at the left.
    pub fn file(self) -> u32 {
        self.file
    }

    /// The name of the file: `a` to `z`, then `aa`, `ab` …
    pub fn file_name(self) -> String {
        let (letters, begin) = self.letters();
        letters[begin..].iter().copied().map(char::from).collect()
    }

    /// The letters of the file's name, right-aligned in an array, and the index of the first letter.
    pub(super) fn letters(self) -> ([u8; 7], usize) {
        // There is no letter for zero: after z comes aa, so each place counts from 1 to 26.
        let mut letters = [b' '; 7];
        let mut begin = 7;
        let mut number = u64::from(self.file) + 1;
        while number > 0 {
            begin -= 1;
            letters[begin] = b'a' + ((number - 1) % 26) as u8;
            number = (number - 1) / 26;
        }
        (letters, begin)
    }

    /// The rank, from 0 at the bottom.
    pub fn rank(self) -> u32 {
        self.rank
    }

    /// Whether two squares share a rank, file or diagonal; a square does with itself.
    #[doc(hidden)]
    pub fn shares_a_line(self, other: Self) -> bool {
        let files = self.file.abs_diff(other.file);
        let ranks = self.rank.abs_diff(other.rank);
        files == 0 || ranks == 0 || files == ranks
    }

    /// Whether the square lies on a board of `n` × `n` squares.
    pub fn is_on_board(self, n: u32) -> bool {
        self.file < n && self.rank < n
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&format!("{}{}", self.file_name(), u64::from(self.rank) + 1))
    }
}

/// The square that `name` names, if there is one.
pub(super) fn parse(name: &str) -> Option<Square> {
    let (letters, digits) = name.split_at(name.find(|c: char| !c.is_ascii_alphabetic())?);
    let file = letters.bytes().try_fold(0_u32, |file, letter| {
        let place = u32::from(letter.to_ascii_lowercase() - b'a') + 1;
        file.checked_mul(26)?.checked_add(place)
    })?;
    // `parse` would take a sign.
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let rank: u32 = digits.parse().ok()?;
    Some(Square::new(file.checked_sub(1)?, rank.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_count_from_the_top_and_ranks_from_the_bottom() {
        assert_eq!(board(4, "b4", "a1 d3").open_rows(), [0b0010, 0b0111, 0b1111, 0b1110]);
        assert_eq!(Square::from_top(0, 1, 4).to_string(), "b4");
        let pair = board(8, "a1 c2 h8", "").attack().unwrap();
        assert_eq!((pair.0.to_string(), pair.1.to_string()), ("a1".into(), "h8".into()));
        assert_eq!(board(8, "a1 c2", "").attack(), None);
        assert_eq!(board(4, "b2", "b2").open_rows()[2], 0);
    }

    #[test]
    fn squares_off_the_board_and_squares_named_twice_are_errors() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let off = Board::with(8, &[], &[square("a1"), square("i3")]).unwrap_err();
        assert_eq!(
            off.to_string(),
            "square i3 is not on a board of size 8, whose last square is h8"
        );
        let twice = Board::with(8, &[square("b2"), square("c5"), square("b2")], &[]).unwrap_err();
        assert_eq!(twice, BoardError::Twice { square: square("b2") });
        assert!(Board::with(8, &[square("b2")], &[square("b2")]).is_ok());
        assert_eq!(Board::new(0).unwrap_err(), BoardError::Size { found: 0 });
        assert_eq!(Board::new(33).unwrap_err(), BoardError::Size { found: 33 });
    }
}

#[cfg(test)]
mod square_tests {
    use super::*;

    #[test]
    fn names_and_squares_agree() {
        let names =
            [("a1", 0, 0), ("z32", 25, 31), ("aa1", 26, 0), ("af32", 31, 31), ("zz2", 701, 1)];
        for (name, file, rank) in names {
            assert_eq!(parse(name), Some(Square::new(file, rank)));
            assert_eq!(Square::new(file, rank).to_string(), name);
        }
        assert_eq!(parse("C5"), Some(Square::new(2, 4)));
        for file in 0..2000 {
            let square = Square::new(file, file / 7);
            assert_eq!(parse(&square.to_string()), Some(square));
        }
    }

    #[test]
    fn other_names_are_none() {
        for name in ["", "a", "7", "a0", "a-1", "a+1", "1a", "a1b", "é3", "a 1", "a99999999999"] {
            assert_eq!(parse(name), None, "{name}");
        }
    }
}
