//! Boards in files: recognised by their content, and written.
//!
//! | what | how it is recognised |
//! |---|---|
//! | rows | a letter, a number, a word or a coloured emoji for each cell, one row a line, boards apart by blank lines |
//! | lists | the size as `10x10`, then a line for each region: its cells as `row,column`, those of the solution before a bar |
//! | lines | n x n letters in one line, which may go on after a blank or a comma |
//! | SBN | a line of codes: twice the size, the stars, a letter, a bit for each border |
//! | pzpr | a link of puzz.link, or a text below `pzprv3` that its editor saved |
//! | a table | a header with a column `board`, `regions` or `cells`, then a board of n x n letters a row |
//! | JSON | an object with `regions` or `colorRegions`, or with a list of cells for each region; a list of rows; a list of either, or one a line; rows as texts with the name `problem` |
//! | a script | TypeScript or JavaScript with `regions` or `colorRegions` and a list behind it |

mod codes;
mod names;
mod read;
mod text;

#[doc(hidden)]
pub use codes::is_sbn;
pub use names::Names;
pub use read::{Kind, ReadError, Record, Records};

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
    let mut text = String::with_capacity(3 * stars.len());
    for (row, &cells) in stars.iter().enumerate() {
        let mut separator = if row == 0 { "" } else { " " };
        let mut rest = cells;
        while rest != 0 {
            text.push_str(separator);
            text.push_str(NUMBERS[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
            separator = "+";
        }
    }
    text
}

/// The numbers of columns.
const NUMBERS: [&str; crate::MAX_SIZE] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32",
];
