//! Boards in files: recognised by their content, and written.
//!
//! | what | how it is recognised |
//! |---|---|
//! | rows | a letter or number for each cell, one row a line, boards apart by blank lines |
//! | lines | n x n letters in one line, which may go on after a blank or a comma |
//! | a table | a header with a column `board`, `regions` or `cells`, then a board of n x n letters a row |
//! | JSON | an object with `regions` or `colorRegions`, such a list alone, a list of either, or one a line |
//! | a script | TypeScript or JavaScript with `regions` or `colorRegions` and a list behind it |

mod literal;
mod read;
mod text;

pub use read::{ReadError, Record, Records};

use crate::board::Board;

/// The name of a region in text: `A` to `Z`, then `a` to `f`.
pub fn region_name(region: u8) -> char {
    char::from(if region < 26 { b'A' + region } else { b'a' + region - 26 })
}

/// The regions of a board in one line, by the names of [`region_name`].
pub fn line(board: &Board) -> String {
    board.regions().iter().map(|&region| region_name(region)).collect()
}

/// A solution in one line: the columns of each row, from 1, those of one row joined by `+`.
pub fn columns(stars: &[u32]) -> String {
    let row = |&stars: &u32| {
        let columns = (0..32).filter(|column| stars >> column & 1 == 1);
        columns.map(|column| (column + 1).to_string()).collect::<Vec<_>>().join("+")
    };
    stars.iter().map(row).collect::<Vec<_>>().join(" ")
}
