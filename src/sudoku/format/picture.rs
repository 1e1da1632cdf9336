//! Pictures: nine lines of nine cells, bare (.sdk files) or in frames of `|`, `-`, `+` and the box
//! drawing characters.
//!
//! A line of nothing but frame is skipped, which is why a row of nine blanks cannot be written as
//! dashes here; nor does a blank space stand for a blank cell. Lines that begin with `#` or `[` and
//! empty lines may stand between pictures and end an unfinished one.

use super::record::{Batch, Entry, Kind, lines};
use crate::sudoku::{CELLS, LineError};

const ROWS: usize = 9;

/// What one line is to a picture.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A comment, the head of a section, or empty.
    Between,
    /// Nothing but frame.
    Frame,
    /// This number of cells or other characters.
    Row(usize),
}

/// What `line` is, and its cells.
pub fn classify(line: &[u8]) -> (Line, [u8; ROWS]) {
    let mut cells = [0; ROWS];
    if matches!(line.trim_ascii().first(), None | Some(b'#' | b'[')) {
        return (Line::Between, cells);
    }
    let (mut count, mut dashes_only) = (0, true);
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += 1;
        match byte {
            b'|' | b'+' | b'=' | b' ' | b'\t' => {}
            // U+2500 to U+257F, the box drawing characters.
            0xe2 if matches!(line.get(at), Some(0x94 | 0x95)) => at += 2,
            _ => {
                dashes_only &= byte == b'-';
                if let Some(cell) = cells.get_mut(count) {
                    *cell = byte;
                }
                count += 1;
            }
        }
    }
    (if dashes_only { Line::Frame } else { Line::Row(count) }, cells)
}

/// A picture as far as it has been read.
#[derive(Default)]
struct Picture {
    cells: Vec<u8>,
    /// The first wrong line and what is wrong with it.
    fault: Option<(u64, LineError)>,
    rows: usize,
}

impl Picture {
    fn row(&mut self, line: u64, count: usize, cells: &[u8; ROWS]) {
        self.rows += 1;
        self.cells.extend_from_slice(cells);
        if count != ROWS {
            self.fault.get_or_insert((line, LineError::PictureRow { found: count }));
        }
    }

    /// Hands the picture, which ends on the last line counted, to `batch`.
    fn finish<'a>(&mut self, source: &'a [u8], first_line: u64, batch: &mut Batch<'a>) {
        let picture = std::mem::take(self);
        if picture.rows == 0 {
            return;
        }
        let short = (picture.rows != ROWS)
            .then_some((batch.lines, LineError::PictureRows { found: picture.rows }));
        match picture.fault.or(short) {
            Some((line, error)) => {
                batch.entries.push(Entry { line, source, kind: Kind::Bad(error) });
            }
            None => {
                debug_assert_eq!(picture.cells.len(), CELLS);
                batch.puzzle(source, &picture.cells, None);
                batch.entries.iter_mut().rev().take(1).for_each(|entry| entry.line = first_line);
            }
        }
    }
}

/// Reads the pictures of a block.
pub fn read<'a>(text: &'a [u8], batch: &mut Batch<'a>) {
    let mut picture = Picture::default();
    let (mut start, mut end, mut first_line) = (0, 0, 1);
    for line in lines(text) {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let (kind, cells) = classify(line);
        if kind == Line::Between {
            picture.finish(&text[start..end], first_line, batch);
            batch.lines += 1;
            batch.push(line, Kind::Kept);
            continue;
        }
        batch.lines += 1;
        if let Line::Row(count) = kind {
            if picture.rows == 0 {
                (start, first_line) = (at, batch.lines);
            }
            picture.row(batch.lines, count, &cells);
            end = at + line.len();
            if picture.rows == ROWS {
                picture.finish(&text[start..end], first_line, batch);
            }
        }
    }
    picture.finish(&text[start..end], first_line, batch);
}

/// Where the last whole picture of `text` ends.
pub fn last_cut(text: &[u8]) -> usize {
    let (mut cut, mut rows, mut at) = (0, 0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.last() != Some(&b'\n') {
            break;
        }
        at += line.len();
        match classify(&line[..line.len() - 1]).0 {
            Line::Between => rows = 0,
            Line::Frame => {}
            Line::Row(_) => rows = (rows + 1) % ROWS,
        }
        if rows == 0 {
            cut = at;
        }
    }
    cut
}

/// Draws 81 cells: nine lines, framed or bare.
pub fn draw(cells: &[u8], framed: bool, out: &mut Vec<u8>) {
    for (row, cells) in cells.chunks(ROWS).enumerate() {
        if framed && row % 3 == 0 && row > 0 {
            out.extend_from_slice(b"------+-------+------\n");
        }
        for (column, &cell) in cells.iter().enumerate() {
            if framed && column > 0 {
                out.extend_from_slice(if column % 3 == 0 { b" | " } else { b" " });
            }
            // A picture writes its blanks as dots, whatever they were.
            out.push(if cell.is_ascii_digit() && cell != b'0' { cell } else { b'.' });
        }
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read_back() {
        let puzzle: Vec<u8> = (0..81).map(|cell| b".123456789"[cell * 7 % 10]).collect();
        for framed in [false, true] {
            let mut text = Vec::new();
            draw(&puzzle, framed, &mut text);
            assert_eq!(last_cut(&text), text.len());
            let mut batch = Batch::default();
            read(&text, &mut batch);
            assert_eq!(batch.plain[..81], puzzle);
            assert_eq!(batch.entries.len(), 1);
        }
    }

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(classify(b"+-----+-----+").0, Line::Frame);
        assert_eq!(classify("├───┼───┤".as_bytes()).0, Line::Frame);
        assert_eq!(classify("│5 3 .│. 7 .│. . .│".as_bytes()), (Line::Row(9), *b"53..7...."));
        assert_eq!(classify(b"[Puzzle]").0, Line::Between);
        assert_eq!(classify(b"what is this").0, Line::Row(10));
    }
}
