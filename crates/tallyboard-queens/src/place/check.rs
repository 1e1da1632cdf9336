//! Checks whether a placement is a solution. If it is not, names two queens that attack each other.

use std::fmt;

use super::repairs::OccupiedLines;
use crate::Square;

/// A line that two queens can share. They never share a row: a placement has one queen per row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Straight down.
    Column,
    /// Runs down to the right: row - column is constant.
    FallingDiagonal,
    /// Runs up to the right: row + column is constant.
    RisingDiagonal,
}

impl Line {
    /// The line that two squares share, each given by row and column. `upper` is in a row above that of `lower`.
    pub fn shared(upper: (u32, u32), lower: (u32, u32)) -> Option<Self> {
        let rows_apart = lower.0 - upper.0;
        if lower.1 == upper.1 {
            Some(Line::Column)
        } else if lower.1.abs_diff(upper.1) != rows_apart {
            None
        } else if lower.1 > upper.1 {
            Some(Line::FallingDiagonal)
        } else {
            Some(Line::RisingDiagonal)
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Line::Column => "a file",
            Line::FallingDiagonal => "a falling diagonal",
            Line::RisingDiagonal => "a rising diagonal",
        })
    }
}

/// The reason why a placement is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// A queen that attacks one below it: `second` is the first queen, in row order, that is attacked from above.
    #[error("the queens on {first} and {second} share {line}")]
    Attack {
        /// The upper queen.
        first: Square,
        /// The lower queen.
        second: Square,
        /// The line they share.
        line: Line,
    },
    /// A column that the board does not have.
    #[error("the queen on {queen} is outside the board of {n}")]
    Outside {
        /// The queen's square by the placement.
        queen: Square,
        /// Board size.
        n: usize,
    },
}

/// Checks that no two queens attack each other; `columns[r]` is the column of row r, from 0.
///
/// # Errors
/// The first attack in row order, or a queen outside the board.
///
/// Linear in n: marks columns and diagonals in 5n bits. If a queen is attacked, the rows above are searched for
/// the queen that attacks it.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use tallyboard::queens::place::check;
///
/// assert!(check(&[1, 3, 0, 2]).is_ok());
/// let flaw = check(&[0, 2, 1, 3]).unwrap_err();
/// assert_eq!(
///     flaw.to_string(),
///     "the queens on c3 and b2 share a rising diagonal"
/// );
/// ```
pub fn check(columns: &[u32]) -> Result<(), Flaw> {
    let n = columns.len();
    let mut lines = OccupiedLines::new(n as u32);
    for (row, &column) in (0..).zip(columns) {
        if column as usize >= n {
            let queen = Square::from_top(row, column, n as u32);
            return Err(Flaw::Outside { queen, n });
        }
        if let Some(line) = lines.taken(row, column) {
            return Err(attack_along(line, columns, row as usize));
        }
        lines.toggle(row, column);
    }
    Ok(())
}

/// The attack along `line` on the queen of `row`, by a queen in a row above it.
fn attack_along(line: Line, columns: &[u32], row: usize) -> Flaw {
    let second = (row as u32, columns[row]);
    let mut above = (0u32..).zip(columns[..row].iter().copied());
    let first = above
        .find(|&first| Line::shared(first, second) == Some(line))
        .expect("the line was marked by an earlier queen");
    let n = columns.len() as u32;
    let [first, second] = [first, second].map(|(row, column)| Square::from_top(row, column, n));
    Flaw::Attack { first, second, line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_base::random::Random;

    /// Checks every pair of queens by the definition.
    fn no_pair_attacks(columns: &[u32]) -> bool {
        (0..columns.len()).all(|a| {
            (0..a).all(|b| {
                let apart = columns[a].abs_diff(columns[b]) as usize;
                apart != 0 && apart != a - b
            })
        })
    }

    #[test]
    fn names_the_line_and_both_queens() {
        let flaw = |columns: &[u32]| check(columns).unwrap_err().to_string();
        assert_eq!(flaw(&[1, 3, 1, 2]), "the queens on b4 and b2 share a file");
        assert_eq!(flaw(&[0, 3, 1, 2, 4]), "the queens on b3 and c2 share a falling diagonal");
        assert_eq!(flaw(&[0, 4]), "the queen on e1 is outside the board of 2");
    }

    #[test]
    fn small_boards() {
        assert_eq!(check(&[]), Ok(()));
        assert_eq!(check(&[0]), Ok(()));
        assert!(check(&[0, 1]).is_err());
        assert!(check(&[1]).is_err());
    }

    /// A queen in each of n rows, each in any column.
    fn any_columns(n: u32, seed: u64) -> Vec<u32> {
        let mut random = Random::from_seed(seed);
        (0..n).map(|_| random.below(n)).collect()
    }

    #[test]
    fn agrees_with_a_check_of_every_pair() {
        // Ten of the 3,125 rows of columns are solutions, so that some are among them.
        for seed in 0..2000 {
            let columns = any_columns(5, seed);
            assert_eq!(check(&columns).is_ok(), no_pair_attacks(&columns), "{columns:?}");
        }
    }

    #[test]
    fn the_named_queens_do_attack() {
        for seed in 0..256 {
            let columns = any_columns(30, seed);
            let Err(Flaw::Attack { first, second, .. }) = check(&columns) else {
                panic!("{columns:?} is a solution");
            };
            assert!(first.rank() > second.rank());
            assert_eq!(columns[29 - first.rank() as usize], first.file());
            assert_eq!(columns[29 - second.rank() as usize], second.file());
            let rows = first.rank() - second.rank();
            let apart = first.file().abs_diff(second.file());
            assert!(apart == 0 || apart == rows, "{columns:?}: {first} and {second}");
        }
    }
}
