//! One record a line: comments, empty lines and puzzles.

use super::record::{Batch, Kind, lines};

/// Reads puzzle lines. Only needed where the output is in another format.
pub fn read<'a>(text: &'a [u8], batch: &mut Batch<'a>) {
    for line in lines(text) {
        batch.lines += 1;
        if line.is_empty() || line[0] == b'#' {
            batch.push(line, Kind::Kept);
        } else {
            batch.puzzle(line, line, None);
        }
    }
}
