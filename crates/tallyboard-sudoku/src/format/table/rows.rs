//! Writes the rows of a table in any format.

use super::super::syntax::{Style, Syntax};
use super::super::text::without_break;
use super::*;
use crate::columns::{Class, class};

/// The rows of a chunk, or of a part of one.
#[derive(Default)]
pub struct Rows {
    pub text: Vec<u8>,
    /// Bad records, their lines numbered within the chunk, each with the place in `text` where its row begins.
    pub bad: Vec<(BadLine, usize)>,
    /// Solutions that have been written one by one.
    pub solutions: u64,
    /// Puzzles that have more solutions than were written.
    pub truncated: u64,
    /// The class of each puzzle and the place of its row, if rows of repeated classes are dropped.
    pub classes: Vec<(Class, Range<usize>)>,
}

/// Which rows are written.
#[derive(Clone, Copy)]
pub struct RowOptions<'a> {
    pub row: Row<'a>,
    /// Solutions of one puzzle are written up to this number.
    pub limit: u64,
    pub stop: &'a Stop,
}

/// Writes the rows of a table.
pub struct RowWriter<'a> {
    pub table: &'a Table,
    pub input: &'a dyn Syntax,
    pub output: &'a dyn Syntax,
    pub style: Style<'a>,
    pub options: RowOptions<'a>,
    pub rows: &'a mut Rows,
    /// Takes the rows written so far once they are long.
    pub pass_on: &'a mut dyn FnMut(Rows) -> ControlFlow<()>,
}

impl RowWriter<'_> {
    /// Writes the rows of `text`, which the table was read from.
    pub fn write(&mut self, text: &[u8]) -> Result<(), Stopped> {
        let table = self.table;
        let mut source_texts = table.source_texts.iter();
        let mut puzzle = 0;
        for entry in &table.entries {
            let source = &text[entry.start as usize..entry.end as usize];
            match entry.kind {
                Kind::Run { length, at } => {
                    let shape = Shape { length: length.into(), at: at.into() };
                    let nine = &table.nine;
                    self.write_run(Run { records: source, shape, first: puzzle, table: nine });
                    puzzle += source.len() / shape.length;
                }
                Kind::Comment => self.output.write_comment(source, &mut self.rows.text),
                Kind::Bad(error) => {
                    let error = &table.errors[error as usize];
                    self.report(entry.line, error.clone());
                    self.output.write_bad(source, error, self.style, &mut self.rows.text);
                }
                Kind::Puzzle => {
                    let text = match table.sized.get(puzzle) {
                        Some(grid) => grid.source_text(),
                        None => source_texts.next().expect("the text of a puzzle outside of runs"),
                    };
                    let mut digits = [0; CELLS];
                    let record = table.record(puzzle, source, text, &mut digits);
                    if let Some(error) = table.check(puzzle, &record) {
                        self.report(entry.line, error);
                    }
                    self.write_puzzle(puzzle, &record)?;
                    puzzle += 1;
                }
            }
        }
        Ok(())
    }

    /// Adds an error in a record whose row is written next.
    fn report(&mut self, line: u32, error: LineError) {
        self.rows.bad.push((BadLine { line: line.into(), error }, self.rows.text.len()));
    }

    /// Writes the rows of a run: by vectors where possible, the others one by one.
    fn write_run(&mut self, mut run: Run) {
        let table = self.table;
        let rows = &mut self.rows.text;
        let Shape { length, at } = run.shape;
        // Vectors read answers from `nine` alone.
        let has_plain_answers = table.contents.is_empty() && table.answers.is_empty();
        let template = self.output.template(&run.records[..length], at, self.style);
        let template = template.filter(|_| has_plain_answers);
        while !run.records.is_empty() {
            let written = template.map_or(0, |template| table.codec.write(run, &template, rows));
            run.records = &run.records[written * length..];
            run.first += written;
            // The first record that the template does not fit.
            if let Some((record, rest)) = run.records.split_at_checked(length) {
                let source = without_break(record);
                let mut digits = [0; CELLS];
                let record = table.record(run.first, source, &record[at..][..CELLS], &mut digits);
                self.output.write(&record, self.style, rows);
                run.records = rest;
                run.first += 1;
            }
        }
    }
}

impl Table {
    /// The record of puzzle number `puzzle`, with its solution in `digits`.
    pub(super) fn record<'a>(
        &'a self,
        puzzle: usize,
        source: &'a [u8],
        source_text: &'a [u8],
        digits: &'a mut [u8; CELLS],
    ) -> Record<'a> {
        let width = self.contents.len() / self.nine.len().max(1);
        let contents = self.contents.get(puzzle * width..(puzzle + 1) * width).unwrap_or_default();
        let mut record = Record { source, puzzle: source_text, count: 0, solution: None, contents };
        if let Some((count, solution)) = self.answers.get(puzzle) {
            record.count = *count;
            record.solution = solution.as_deref();
        } else {
            // Puzzles may not have been solved.
            let count = self.nine.counts().get(puzzle).copied().unwrap_or(0);
            record.count = count.into();
            if count > 0 && self.nine.has_solutions() {
                *digits = self.codec.digits(&self.nine.solution(puzzle));
                record.solution = Some(digits);
            }
        }
        record
    }

    /// What is wrong with the solution that the input states for a puzzle, if anything.
    ///
    /// A solution is right if it solves the puzzle, even if the puzzle has others. If the puzzle has no solution, only
    /// an empty text is right.
    fn check(&self, puzzle: usize, record: &Record) -> Option<LineError> {
        let stated = self.stated.get(puzzle)?.as_slice();
        let is_right = match (record.count, record.solution) {
            (0, _) => stated.is_empty(),
            (_, Some(found)) if found == stated => true,
            _ => !stated.is_empty() && self.solves(stated, record.puzzle),
        };
        if is_right {
            return None;
        }
        let found = self.shortened(record.solution.unwrap_or_default());
        if record.count > 0 && stated.is_empty() {
            return Some(LineError::Unstated(found));
        }
        Some(LineError::Disagrees { stated: self.shortened(stated), found })
    }

    /// Whether the text `stated` is a solution of the text `puzzle`.
    fn solves(&self, stated: &[u8], puzzle: &[u8]) -> bool {
        let stated = self.size.parse(stated, self.notation);
        let puzzle = self.size.parse(puzzle, self.notation);
        stated.is_ok_and(|stated| puzzle.is_ok_and(|puzzle| stated.solves(&puzzle)))
    }

    /// The text of a solution, for a message.
    fn shortened(&self, cells: &[u8]) -> String {
        match &cells[..cells.len().min(2 * self.size.cells())] {
            b"" => "none".to_owned(),
            cells => String::from_utf8_lossy(cells).into_owned(),
        }
    }
}

// Writes puzzles that may have another number of rows than one: a row for each solution or image, or none for a repeated
// class.

/// Once the rows of a chunk have more bytes than this, they are passed on.
const MAX_ROWS_BYTES: usize = 1 << 20;

impl RowWriter<'_> {
    /// Writes the rows of `record`, which is puzzle number `puzzle` of the table.
    pub fn write_puzzle(&mut self, puzzle: usize, record: &Record) -> Result<(), Stopped> {
        // Breaks if whoever takes the rows wants no more.
        let flow = match self.options.row.unit {
            RowUnit::Puzzle => {
                self.output.write(record, self.style, &mut self.rows.text);
                return Ok(());
            }
            RowUnit::Class => {
                let begin = self.rows.text.len();
                self.write_unchanged(record);
                let place = begin..self.rows.text.len();
                self.rows.classes.push((class(&self.table.nine.puzzle(puzzle)), place));
                self.pass_on_if_full()
            }
            RowUnit::Solution if record.count > 1 => self.write_solutions(puzzle, record)?,
            RowUnit::Solution => {
                self.rows.solutions += record.count as u64;
                self.write_row(record)
            }
            RowUnit::Image { times, seed } => self.write_images(puzzle, record, times, seed),
        };
        if flow.is_break() { Err(Stopped) } else { self.options.stop.check() }
    }

    /// Writes one of several rows.
    fn write_row(&mut self, record: &Record) -> ControlFlow<()> {
        self.output.write(record, self.style, &mut self.rows.text);
        self.pass_on_if_full()
    }

    /// Passes the rows on once they are long, with all that names places in them: bad records and classes.
    fn pass_on_if_full(&mut self) -> ControlFlow<()> {
        if self.rows.text.len() <= MAX_ROWS_BYTES {
            return ControlFlow::Continue(());
        }
        (self.pass_on)(take(self.rows))
    }

    /// Writes a record as it is, if the format is the same.
    fn write_unchanged(&mut self, record: &Record) {
        let text = &mut self.rows.text;
        if self.style.foreign_input.is_some() {
            return self.output.write(record, self.style, text);
        }
        text.extend_from_slice(record.source);
        text.push(b'\n');
    }

    /// Writes a row for each solution up to the limit.
    fn write_solutions(
        &mut self,
        puzzle: usize,
        record: &Record,
    ) -> Result<ControlFlow<()>, Stopped> {
        let grid = self.table.nine.puzzle(puzzle);
        let mut count = 0;
        let mut flow = ControlFlow::Continue(());
        for_each_solution(&grid, self.options.stop, |solution| {
            if count == self.options.limit {
                self.rows.truncated += 1;
                return ControlFlow::Break(());
            }
            count += 1;
            let checked = Error::ensure_right(grid.is_solved_by(solution), || solution.to_string());
            checked.unwrap_or_else(|error| error.raise());
            let solution = solution.to_bytes();
            let count = count.into();
            flow = self.write_row(&Record { count, solution: Some(&solution), ..*record });
            flow
        })?;
        self.rows.solutions += count;
        Ok(flow)
    }

    /// Writes a row for each of `times` random images.
    fn write_images(
        &mut self,
        puzzle: usize,
        record: &Record,
        times: u64,
        seed: u64,
    ) -> ControlFlow<()> {
        let grid = self.table.nine.puzzle(puzzle);
        let places = self.input.cell_places(record.source);
        (0..times).zip(Symmetry::of(&grid, seed)).try_for_each(|(_, symmetry)| {
            let image = with_blanks_of(record.puzzle, &symmetry.image(&grid));
            let source = moved(record.source, &image, &places, &symmetry);
            self.write_row(&Record { source: &source, puzzle: &image, ..*record })
        })
    }
}

/// The cells of `grid`, blanks as in the text `puzzle`.
fn with_blanks_of(puzzle: &[u8], grid: &Grid) -> [u8; CELLS] {
    let blank = puzzle.iter().copied().find(|byte| !(b'1'..=b'9').contains(byte)).unwrap_or(b'.');
    grid.to_bytes().map(|byte| if byte == b'.' { blank } else { byte })
}

/// The record `source` with `puzzle` in place of its own puzzle. The solution that it states, if it is a grid, is
/// moved by `symmetry`.
fn moved(
    source: &[u8],
    puzzle: &[u8],
    [puzzle_place, stated_place]: &[Option<Range<usize>>; 2],
    symmetry: &Symmetry,
) -> Vec<u8> {
    let mut pieces = Vec::new();
    // A solution that cannot be read would be one of another puzzle than the image, so it is left out.
    if let Some(place) = stated_place {
        let stated = parse_stated(&source[place.clone()]);
        let image = stated.map(|stated| symmetry.image(&stated).to_bytes().to_vec());
        pieces.push((place, image.unwrap_or_default()));
    }
    if let Some(place) = puzzle_place {
        // A list of JSON becomes a string.
        let quote: &[u8] = if source[place.clone()].starts_with(b"[") { b"\"" } else { b"" };
        pieces.push((place, [quote, puzzle, quote].concat()));
    }
    pieces.sort_by_key(|(place, _)| place.start);
    let mut text = Vec::with_capacity(source.len());
    let mut end = 0;
    for (place, cells) in pieces {
        text.extend_from_slice(&source[end..place.start]);
        text.extend_from_slice(&cells);
        end = place.end;
    }
    text.extend_from_slice(&source[end..]);
    text
}

/// The solution that a column states, in quotes or without.
fn parse_stated(column: &[u8]) -> Option<Grid> {
    let stated = column.trim_ascii();
    let stated = stated.strip_prefix(b"\"").unwrap_or(stated);
    let stated = stated.strip_suffix(b"\"").unwrap_or(stated);
    let stated = Size::Nine.parse(stated, None).ok()?;
    Grid::new(stated.cells().try_into().ok()?)
}
