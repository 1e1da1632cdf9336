//! Puzzles with any number of rows: one for each solution, one for each image, or none for a repeated class.

use std::ops::{ControlFlow, Range};

use super::Record;
use crate::classes::{Class, class};
use crate::columns::RowUnit;
use crate::format::syntax::{Style, Syntax};
use crate::sized::Size;
use crate::{BadLine, CELLS, Grid, Symmetry, for_each_solution};
use search::{Stop, Stopped};

/// Once the rows of a chunk have more bytes than this, they are passed on.
const MAX_ROWS_BYTES: usize = 1 << 20;

/// Passes on rows, and bad records with the places where their rows begin. Leaves both empty.
type PassOn<'a> = &'a mut dyn FnMut(&mut Vec<u8>, &mut Vec<(BadLine, usize)>) -> ControlFlow<()>;

/// Writes the rows of one puzzle after the other.
pub struct PuzzleRows<'a> {
    /// Solutions of one puzzle are written up to this number.
    pub limit: u64,
    /// Solutions that have been written one by one.
    pub solutions: u64,
    /// Puzzles that have more solutions than were written.
    pub cut: u64,
    pub stop: &'a Stop,
    /// Takes the rows written so far once they are long.
    pub pass_on: PassOn<'a>,
    /// The class of each puzzle and the place of its row, if rows of repeated classes are dropped.
    pub classes: Vec<(Class, Range<usize>)>,
}

impl PuzzleRows<'_> {
    /// Writes the rows of `record`, whose puzzle is `grid`.
    pub fn write(
        &mut self,
        grid: &Grid,
        record: &Record,
        (input, output, style): (&dyn Syntax, &dyn Syntax, Style),
        rows: &mut Vec<u8>,
        bad: &mut Vec<(BadLine, usize)>,
    ) -> Result<(), Stopped> {
        let begin = rows.len();
        let mut row = |record: &Record, rows: &mut Vec<u8>| {
            output.write(record, style, rows);
            let is_full = rows.len() > MAX_ROWS_BYTES;
            if is_full { (self.pass_on)(rows, bad) } else { ControlFlow::Continue(()) }
        };
        let flow = match style.row.each {
            RowUnit::Class if style.from.is_none() => {
                rows.extend_from_slice(record.source);
                rows.push(b'\n');
                ControlFlow::Continue(())
            }
            RowUnit::Solution if record.count > 1 => {
                let (mut count, limit) = (0, self.limit.into());
                let (mut flow, mut is_cut) = (ControlFlow::Continue(()), false);
                for_each_solution(grid, self.stop, |solution| {
                    if count == limit {
                        is_cut = true;
                        return ControlFlow::Break(());
                    }
                    count += 1;
                    let solution = solution.to_bytes();
                    flow = row(&Record { count, solution: Some(&solution), ..*record }, rows);
                    flow
                })?;
                self.solutions += count as u64;
                self.cut += u64::from(is_cut);
                flow
            }
            RowUnit::Solution => {
                self.solutions += record.count as u64;
                row(record, rows)
            }
            RowUnit::Image { times, seed } => {
                let places = input.places(record.source);
                let mut symmetries = Symmetry::of(grid, seed);
                (0..times).try_for_each(|_| {
                    let symmetry = symmetries.next().expect("there is always another");
                    let puzzle = spelled_as(record.puzzle, &symmetry.image(grid));
                    let source = moved(record.source, &puzzle, &places, &symmetry);
                    row(&Record { source: &source, puzzle: &puzzle, ..*record }, rows)
                })
            }
            _ => row(record, rows),
        };
        if style.row.each == RowUnit::Class {
            self.classes.push((class(grid), begin..rows.len()));
        }
        if flow.is_break() { Err(Stopped) } else { self.stop.check() }
    }
}

/// The cells of `grid`, blanks as in `spelled`.
fn spelled_as(spelled: &[u8], grid: &Grid) -> [u8; CELLS] {
    let is_blank = |byte: &&u8| !(b'1'..=b'9').contains(byte);
    let blank = spelled.iter().find(is_blank).copied().unwrap_or(b'.');
    grid.to_bytes().map(|byte| if byte == b'.' { blank } else { byte })
}

/// The record `source` with `puzzle` in place of its own puzzle. The solution that it states, if it is a grid, is
/// moved by `symmetry`.
fn moved(
    source: &[u8],
    puzzle: &[u8],
    [at, stated_at]: &[Option<Range<usize>>; 2],
    symmetry: &Symmetry,
) -> Vec<u8> {
    let solution = |place: &Range<usize>| {
        let stated = source[place.clone()].trim_ascii();
        let stated = stated.strip_prefix(b"\"").unwrap_or(stated);
        let stated = Size::Nine.parse(stated.strip_suffix(b"\"").unwrap_or(stated), None).ok()?;
        let grid = Grid::new(stated.cells().try_into().ok()?)?;
        Some((place.clone(), symmetry.image(&grid).to_bytes().to_vec()))
    };
    let mut pieces: Vec<_> = stated_at.iter().filter_map(solution).collect();
    pieces.extend(at.clone().map(|place| (place, puzzle.to_vec())));
    pieces.sort_by_key(|(place, _)| place.start);
    let (mut text, mut end) = (Vec::with_capacity(source.len()), 0);
    for (place, cells) in pieces {
        text.extend_from_slice(&source[end..place.start]);
        text.extend_from_slice(&cells);
        end = place.end;
    }
    text.extend_from_slice(&source[end..]);
    text
}
