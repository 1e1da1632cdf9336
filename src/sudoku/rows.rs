//! Lines of text to rows of results, a block at a time, by either solver.

use std::io::Write;

use super::block::{Cells, Engine, Kernel, LINE, Run, Table};
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

impl Solver {
    /// The block engine, if it is to solve; a kernel that the CPU lacks is replaced by the best it has.
    pub(super) fn engine(self) -> Option<Engine> {
        match self {
            Self::Single => None,
            Self::Block(kernel) => Engine::new(kernel).or_else(|| Engine::new(Kernel::best())),
        }
    }
}

impl Default for Solver {
    /// The block engine in the widest vectors that the CPU has.
    fn default() -> Self {
        Self::Block(Kernel::best())
    }
}

/// A solver with its memory, kept from block to block.
pub(super) struct Worker {
    engine: Option<Engine>,
    cells: Cells,
    table: Table,
    parts: Vec<Part>,
}

/// A part of the block: where it is, and what. Places fit 32 bits because [`Blocks`] bounds its
/// blocks; half the size keeps more parts in the cache.
///
/// [`Blocks`]: super::format::Blocks
struct Part {
    start: u32,
    end: u32,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Plain lines, line breaks included; the other kinds are single lines without it.
    Run,
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
    /// Where the row of the first bad line begins.
    pub first_bad: Option<usize>,
    pub summary: Summary,
}

impl Worker {
    /// A worker; a kernel that the CPU lacks is replaced by the best it has.
    pub fn new(solver: Solver) -> Self {
        let kernel = match solver {
            Solver::Single => Kernel::best(),
            Solver::Block(kernel) => kernel,
        };
        let (cells, table) = (Cells::new(kernel), Table::default());
        Self { engine: solver.engine(), cells, table, parts: Vec::new() }
    }

    /// The rows of all lines of `text`, behind what `buffer` holds.
    pub fn solve(
        &mut self,
        text: &[u8],
        buffer: Vec<u8>,
        settings: &Settings,
    ) -> Result<Rows, Stopped> {
        let mut rows = Rows { text: buffer, ..Rows::default() };
        self.read(text, &mut rows);
        if let Some(engine) = &mut self.engine {
            if settings.row == Row::Count && settings.limit == u64::MAX {
                self.table.count_all(engine, settings.stop)?;
            } else {
                self.table.solve(engine, settings.limit, settings.stop)?;
            }
            rows.summary.add_all(self.table.counts());
        }
        self.write(text, settings, &mut rows);
        Ok(rows)
    }

    /// Finds the lines and fills the table.
    fn read(&mut self, text: &[u8], rows: &mut Rows) {
        assert!(u32::try_from(text.len()).is_ok(), "a block has {} bytes", text.len());
        self.parts.clear();
        self.table.clear();
        let mut start = 0;
        while start < text.len() {
            let rest = &text[start..];
            let plain = self.cells.read(rest.as_chunks().0, &mut self.table);
            if plain > 0 {
                let end = start + plain * LINE;
                self.parts.push(Part { start: start as u32, end: end as u32, kind: Kind::Run });
                rows.summary.lines += plain as u64;
                start = end;
            } else {
                let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                let line = rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]);
                rows.summary.lines += 1;
                let kind = self.read_line(line, rows);
                let end = start + line.len();
                self.parts.push(Part { start: start as u32, end: end as u32, kind });
                start += length + 1;
            }
        }
    }

    /// A line in any of the usual spellings.
    fn read_line(&mut self, line: &[u8], rows: &mut Rows) -> Kind {
        if line.is_empty() || line[0] == b'#' {
            return Kind::Copied;
        }
        // Plain but for its end, as in files with the line breaks of other systems.
        if let Ok(cells) = <[u8; CELLS]>::try_from(line) {
            let mut plain = [b'\n'; LINE];
            plain[..CELLS].copy_from_slice(&cells);
            if self.cells.read(&[plain], &mut self.table) == 1 {
                return Kind::Puzzle;
            }
        }
        match parse_line(line) {
            Ok(grid) => {
                self.table.push(&grid);
                Kind::Puzzle
            }
            Err(error) => {
                rows.summary.bad += 1;
                rows.bad.push(BadLine { line: rows.summary.lines, error });
                Kind::Bad
            }
        }
    }

    fn write(&self, text: &[u8], settings: &Settings, rows: &mut Rows) {
        // Enough for rows with small counts, so that they never move.
        rows.text.reserve(2 * text.len() + 4 * self.parts.len());
        let mut puzzle = 0;
        for part in &self.parts {
            let bytes = &text[part.start as usize..part.end as usize];
            match part.kind {
                Kind::Run => {
                    let lines = bytes.as_chunks().0;
                    self.write_run(lines, puzzle, settings, rows);
                    puzzle += lines.len();
                    continue;
                }
                Kind::Copied => rows.text.extend_from_slice(bytes),
                Kind::Bad => {
                    rows.first_bad.get_or_insert(rows.text.len());
                    rows.text.push(b'!');
                    rows.text.extend_from_slice(bytes);
                }
                Kind::Puzzle => {
                    self.write_row(bytes, puzzle, settings, rows);
                    puzzle += 1;
                }
            }
            rows.text.push(b'\n');
        }
    }

    /// Writes the rows of plain lines, whose puzzles are the table's from `first` on.
    fn write_run(&self, lines: &[[u8; LINE]], first: usize, settings: &Settings, rows: &mut Rows) {
        let bare = settings.row == Row::SolutionOnly;
        let quick = self.engine.is_some() && settings.row != Row::Count;
        let mut done = 0;
        while done < lines.len() {
            if quick {
                let (lines, first) = (&lines[done..], first + done);
                let run = Run { lines, table: &self.table, first, bare };
                done += self.cells.write(run, &mut rows.text);
            }
            if let Some(line) = lines.get(done) {
                self.write_row(&line[..CELLS], first + done, settings, rows);
                rows.text.push(b'\n');
                done += 1;
            }
        }
    }

    /// Writes the row of a puzzle, without a line break.
    fn write_row(&self, line: &[u8], puzzle: usize, settings: &Settings, rows: &mut Rows) {
        let Settings { row, limit, .. } = *settings;
        if self.engine.is_none() {
            let grid = parse_line(line).expect("the line was read before");
            let answer = solve(&grid, limit);
            rows.summary.add(answer.count);
            write_answer(&mut rows.text, line, &answer, row);
            return;
        }
        let count = self.table.count(puzzle);
        begin_row(&mut rows.text, line, count, row);
        if row != Row::Count && count > 0 {
            rows.text.extend_from_slice(&self.cells.digits(&self.table.solution(puzzle)));
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
