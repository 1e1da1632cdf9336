//! Writes puzzles that may have another number of rows than one: a row for each solution or image, or none for a repeated
//! class.

use std::mem::take;
use std::ops::{ControlFlow, Range};

use super::Record;
use super::rows::RowWriter;
use crate::classes::class;
use crate::columns::RowUnit;
use crate::sized::Size;
use crate::{CELLS, Grid, Symmetry, for_each_solution};
use tallyboard_search::Stopped;

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
    if let Some(place) = stated_place
        && let Some(stated) = parse_stated(&source[place.clone()])
    {
        pieces.push((place, symmetry.image(&stated).to_bytes().to_vec()));
    }
    if let Some(place) = puzzle_place {
        pieces.push((place, puzzle.to_vec()));
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
