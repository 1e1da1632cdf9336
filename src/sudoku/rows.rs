//! Lines of text to rows of results, a block at a time, by either solver.

use std::io::Write;

use super::block::{Cells, Engine, Kernel, REACH, Table, planes};
use super::stream::{BadLine, Row, Settings, Summary};
use super::{Answer, CELLS, parse_line, solve};
use crate::search::Stopped;

/// Who solves the puzzles of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// Many at once, in the vectors of a kernel.
    Block(Kernel),
    /// One at a time; of several solutions it may show another one.
    Single,
}

impl Default for Solver {
    /// The block engine in the widest vectors that the CPU has.
    fn default() -> Self {
        Self::Block(Kernel::best())
    }
}

/// `puzzle:count:solution` and as many bytes more as writing the solution touches.
const USUAL_ROW: usize = CELLS + 3 + REACH;

/// A solver with its memory, kept from block to block.
pub(super) struct Worker {
    engine: Option<Engine>,
    cells: Cells,
    table: Table,
    lines: Vec<Line>,
}

/// A line of the block: where it is, and what. Places fit 32 bits because [`Blocks`] bounds its
/// blocks; half the size keeps more lines in the cache.
///
/// [`Blocks`]: super::format::Blocks
struct Line {
    start: u32,
    end: u32,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Puzzle,
    /// A comment or an empty line.
    Copied,
    Bad,
}

/// What a block gave.
#[derive(Default)]
pub(super) struct Rows {
    pub text: Vec<u8>,
    pub bad: Vec<BadLine>,
    pub summary: Summary,
}

impl Worker {
    /// A worker; a kernel that the CPU lacks is replaced by the best it has.
    pub fn new(solver: Solver) -> Self {
        let engine = match solver {
            Solver::Single => None,
            Solver::Block(kernel) => Engine::new(kernel).or_else(|| Engine::new(Kernel::best())),
        };
        let fast = solver != Solver::Block(Kernel::Portable);
        Self { engine, cells: Cells::new(fast), table: Table::default(), lines: Vec::new() }
    }

    /// The rows of all lines of `text`, in the memory of `buffer`.
    pub fn solve(
        &mut self,
        text: &[u8],
        mut buffer: Vec<u8>,
        settings: &Settings,
    ) -> Result<Rows, Stopped> {
        buffer.clear();
        let mut rows = Rows { text: buffer, ..Rows::default() };
        self.read(text, &mut rows);
        if let Some(engine) = &mut self.engine {
            if settings.row == Row::Count && settings.limit == u64::MAX {
                self.table.count_all(engine, settings.stop)?;
            } else {
                self.table.solve(engine, settings.limit, settings.stop)?;
            }
        }
        self.write(text, settings.row, settings.limit, &mut rows);
        Ok(rows)
    }

    /// Finds the lines and fills the table.
    fn read(&mut self, text: &[u8], rows: &mut Rows) {
        assert!(u32::try_from(text.len()).is_ok(), "a block has {} bytes", text.len());
        self.lines.clear();
        self.table.clear();
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let plain = if rest.get(CELLS) == Some(&b'\n') { self.cells.read(rest) } else { None };
            let (length, kind) = if let Some(planes) = plain {
                self.table.push_planes(&planes);
                (CELLS, Kind::Puzzle)
            } else {
                let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                let line = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
                (length, self.read_line(line, rows))
            };
            let end = start + length;
            let trimmed = if text[start..end].ends_with(b"\r") { end - 1 } else { end };
            self.lines.push(Line { start: start as u32, end: trimmed as u32, kind });
            start = end + 1;
        }
        rows.summary.lines = self.lines.len() as u64;
    }

    /// A line in any of the usual spellings.
    fn read_line(&mut self, line: &[u8], rows: &mut Rows) -> Kind {
        if line.is_empty() || line[0] == b'#' {
            return Kind::Copied;
        }
        match parse_line(line) {
            Ok(grid) => {
                self.table.push_planes(&planes(grid.cells()));
                Kind::Puzzle
            }
            Err(error) => {
                rows.summary.bad += 1;
                rows.bad.push(BadLine { line: self.lines.len() as u64 + 1, error });
                Kind::Bad
            }
        }
    }

    fn write(&self, text: &[u8], row: Row, limit: u64, rows: &mut Rows) {
        rows.text.reserve(2 * text.len() + 4 * self.lines.len() + REACH);
        let mut puzzle = 0;
        for line in &self.lines {
            if let (Kind::Puzzle, Row::Solution, Some(_)) = (line.kind, row, &self.engine)
                && let Some(window) = text[line.start as usize..].first_chunk()
                && let count @ 1..10 = self.table.count(puzzle)
            {
                rows.summary.add(count);
                self.write_usual_row(window, puzzle, &mut rows.text);
                puzzle += 1;
                continue;
            }
            let bytes = &text[line.start as usize..line.end as usize];
            match line.kind {
                Kind::Copied => rows.text.extend_from_slice(bytes),
                Kind::Bad => {
                    rows.text.push(b'!');
                    rows.text.extend_from_slice(bytes);
                }
                Kind::Puzzle if self.engine.is_some() => {
                    self.write_row(bytes, puzzle, row, rows);
                    puzzle += 1;
                }
                Kind::Puzzle => {
                    let grid = parse_line(bytes).expect("the line was read before");
                    let answer = solve(&grid, limit);
                    rows.summary.add(answer.count);
                    write_answer(&mut rows.text, bytes, &answer, row);
                }
            }
            rows.text.push(b'\n');
        }
    }

    /// Writes the row of a puzzle with a solution and less than ten of them, line break included.
    ///
    /// The row begins with the puzzle, so it is made from a copy of the text from there on, as long
    /// as the vectors reach: everything has a known size, and nothing is zeroed.
    #[inline]
    fn write_usual_row(&self, window: &[u8; USUAL_ROW], puzzle: usize, rows: &mut Vec<u8>) {
        let begin = rows.len();
        rows.extend_from_slice(window);
        let row: &mut [u8; USUAL_ROW] = rows[begin..].first_chunk_mut().expect("just appended");
        row[CELLS] = b':';
        row[CELLS + 1] = b'0' + self.table.count(puzzle) as u8;
        row[CELLS + 2] = b':';
        let solution = row.last_chunk_mut().expect("its second half");
        self.cells.write(&self.table.solution(puzzle), solution);
        row[2 * CELLS + 3] = b'\n';
        rows.truncate(begin + 2 * CELLS + 4);
    }

    #[inline]
    fn write_row(&self, line: &[u8], puzzle: usize, row: Row, rows: &mut Rows) {
        let count = self.table.count(puzzle);
        rows.summary.add(count);
        begin_row(&mut rows.text, line, count, row);
        if row != Row::Count && count > 0 {
            let end = rows.text.len();
            rows.text.resize(end + REACH, 0);
            let target = rows.text[end..].first_chunk_mut().expect("as long as just resized to");
            self.cells.write(&self.table.solution(puzzle), target);
            rows.text.truncate(end + CELLS);
        }
    }
}

/// All of a row but the solution.
#[inline]
fn begin_row(rows: &mut Vec<u8>, line: &[u8], count: u64, row: Row) {
    if row == Row::SolutionOnly {
        return;
    }
    rows.extend_from_slice(&line[..CELLS]);
    if count < 10 {
        rows.extend_from_slice(&[b':', b'0' + count as u8]);
    } else {
        // Writing to a Vec cannot fail.
        let _ = write!(rows, ":{count}");
    }
    if row == Row::Solution {
        rows.push(b':');
    }
}

/// The row of a puzzle that was not solved in a table.
pub(super) fn write_answer(rows: &mut Vec<u8>, line: &[u8], answer: &Answer, row: Row) {
    begin_row(rows, line, answer.count, row);
    if row != Row::Count
        && let Some(solution) = &answer.first
    {
        rows.extend_from_slice(&solution.to_bytes());
    }
}
