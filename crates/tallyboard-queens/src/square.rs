//! A square and its name, as in chess.

use std::fmt;

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
