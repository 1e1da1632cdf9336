//! The records of a chunk as a table: where each stands in the text, the cells of its puzzle, and the answer. A format fills
//! it, any solver adds the answers, and the same or another format writes its rows (`rows`).

use std::mem::take;
use std::ops::{ControlFlow, Range};

pub mod rows;

use super::cells::{list_items, spelled};
use super::text::lines_with_breaks;
use crate::batch::Puzzles;
use crate::codec::{Codec, Run, Shape};
use crate::columns::{Column, Content, Row, RowUnit, Value};
use crate::marks::Marks;
use crate::sized::{Notation, Puzzle, Size, SizedGrid};
use crate::{BadLine, CELLS, Grid, LineError, Symmetry, for_each_solution, parse_line};
use tallyboard_base::array::array;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{Error, Stop, Stopped};

/// Tables of more puzzles than this have only some of their solutions checked.
const MAX_CHECKED: u64 = 16;
/// Every solution of this number is checked then. It has no divisor in common with the number of lanes.
const CHECK_STEP: usize = 17;

/// A table, which keeps its memory when it is cleared.
pub(crate) struct Table {
    codec: Codec,
    size: Size,
    notation: Option<Notation>,
    /// Whether solutions that the input states are kept.
    pub check: bool,
    /// Whether puzzles are read and written one by one, without runs.
    pub is_one_by_one: bool,
    entries: Vec<Entry>,
    /// Lines of the input read so far.
    lines: u32,
    errors: Vec<LineError>,
    /// The text of the 9 × 9 puzzles outside of runs.
    source_texts: Vec<[u8; CELLS]>,
    /// The solution that the input states for each puzzle, if these are kept.
    stated: Vec<Vec<u8>>,
    /// The puzzles of 9 × 9.
    pub nine: Puzzles,
    /// The puzzles of other sizes.
    sized: Vec<SizedGrid>,
    /// The number of solutions of each puzzle and the first solution, if the answers are not in `nine`.
    answers: Vec<(u128, Option<Vec<u8>>)>,
    /// The pencil marks of the 9 × 9 puzzles whose digits do not say all, with their numbers.
    marks: Vec<(usize, Marks)>,
    /// Whether puzzles with pencil marks are refused, because more is asked than their solutions.
    pub refuses_marks: bool,
    /// The other columns of each 9 × 9 puzzle.
    pub contents: Vec<Content<'static>>,
}

/// A piece of the chunk. Places are kept in 32 bits, which suffice because chunks are bounded: so entries fill less of the
/// cache.
struct Entry {
    start: u32,
    end: u32,
    /// The line it begins on, from 1. For a record that is no puzzle, the line of the error.
    line: u32,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Records of one length with a plain puzzle at one place. An entry of this kind includes the last line break;
    /// others do not.
    Run {
        length: u16,
        at: u16,
    },
    Puzzle,
    /// A line that is no record: a comment, a heading, or empty.
    Comment,
    /// No puzzle. The number is the index of its error in `errors`.
    Bad(u32),
}

/// A puzzle and its answer, as text and numbers.
pub struct Record<'a> {
    /// All of its text, without the last line break.
    pub source: &'a [u8],
    /// The cells, a character each, blanks as the input spells them. Cells that are written as separate numbers
    /// are digits and dots here.
    pub puzzle: &'a [u8],
    /// The number of solutions.
    pub count: u128,
    /// The solution found first; `None` if there is none or none was wanted.
    pub solution: Option<&'a [u8]>,
    /// The contents of the columns, if there are any besides count and solution.
    contents: &'a [Content<'static>],
}

impl Record<'_> {
    /// Passes each column of `row` to `take`, with its content.
    pub fn for_each(&self, row: Row, mut take: impl FnMut(&Column, &Content)) {
        for (index, column) in row.columns.iter().enumerate() {
            match (column.value, self.solution) {
                (Value::Count, _) => take(column, &Content::Number(self.count)),
                (Value::Solution, Some(cells)) => take(column, &Content::Text(cells.into())),
                _ => take(column, self.contents.get(index).unwrap_or(&Content::Missing)),
            }
        }
    }

    /// The cells that a picture shows: those of the first column of `row` that holds a grid, or else the puzzle.
    pub fn shown(&self, row: Row) -> &[u8] {
        for (index, column) in row.columns.iter().enumerate() {
            match (column.value, self.solution, self.contents.get(index)) {
                (Value::Solution, Some(cells), _) => return cells,
                (Value::Canonical, _, Some(Content::Text(cells))) => return cells,
                _ => {}
            }
        }
        self.puzzle
    }
}

impl Table {
    /// An empty table for puzzles of one size, read and written with these instructions.
    pub fn new(
        instructions: Instructions,
        size: Size,
        notation: Option<Notation>,
        check: bool,
    ) -> Self {
        Self {
            codec: Codec(instructions),
            size,
            notation,
            check,
            is_one_by_one: false,
            entries: Vec::new(),
            lines: 0,
            errors: Vec::new(),
            source_texts: Vec::new(),
            stated: Vec::new(),
            nine: Puzzles::default(),
            sized: Vec::new(),
            answers: Vec::new(),
            marks: Vec::new(),
            refuses_marks: false,
            contents: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.lines = 0;
        self.entries.clear();
        self.errors.clear();
        self.source_texts.clear();
        self.stated.clear();
        self.nine.clear();
        self.sized.clear();
        self.answers.clear();
        self.marks.clear();
        self.contents.clear();
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn is_nine(&self) -> bool {
        self.size == Size::Nine
    }

    pub fn lines(&self) -> u64 {
        self.lines.into()
    }

    /// Reads a run: the records of `text` from `start` on that have this shape and the `same_layout`, and hold a plain
    /// puzzle. Returns where the run ends.
    pub fn add_run(
        &mut self,
        text: &[u8],
        start: usize,
        shape: Shape,
        same_layout: impl Fn(&[u8]) -> bool,
    ) -> usize {
        let (Ok(length), Ok(at)) = (shape.length.try_into(), shape.at.try_into()) else {
            return start;
        };
        // Stated solutions are read one by one.
        if self.size != Size::Nine || self.check || self.is_one_by_one {
            return start;
        }
        let records = self.codec.read(&text[start..], shape, same_layout, &mut self.nine);
        let end = start + records * shape.length;
        if records > 0 {
            self.add_entry(start..end, 0, Kind::Run { length, at });
            self.lines += records as u32;
        }
        end
    }

    /// Adds a line that is no record.
    pub fn add_comment(&mut self, source: Range<usize>) {
        self.add_entry(source, 0, Kind::Comment);
        self.lines += 1;
    }

    /// Skips lines without content.
    pub fn skip_lines(&mut self, lines: usize) {
        self.lines += lines as u32;
    }

    /// Adds a record of `lines` lines that is no puzzle. Its error is in its line `error_line`, from 0.
    pub fn add_bad(
        &mut self,
        source: Range<usize>,
        lines: usize,
        error_line: usize,
        error: LineError,
    ) {
        self.add_entry(source, error_line, Kind::Bad(self.errors.len() as u32));
        self.lines += lines as u32;
        self.errors.push(error);
    }

    /// Replaces the counts of some 9 × 9 puzzles.
    pub fn set_counts(&mut self, counts: Vec<(usize, u128)>) {
        if counts.is_empty() {
            return;
        }
        let all = self.nine.counts().iter();
        self.answers.extend(all.map(|&count| (count.into(), None)));
        for (puzzle, count) in counts {
            self.answers[puzzle].0 = count;
        }
    }

    /// Answers the 9 × 9 puzzles one after the other by `solve`: the number of solutions, and the first of them.
    pub fn solve_each(
        &mut self,
        mut solve: impl FnMut(&Grid) -> Result<(u128, Option<Grid>), Stopped>,
    ) -> Result<(), Stopped> {
        for puzzle in 0..self.nine.len() {
            let (count, first) = solve(&self.nine.puzzle(puzzle))?;
            self.answers.push((count, first.map(|grid| grid.to_bytes().to_vec())));
        }
        Ok(())
    }

    /// Solves the puzzles of other sizes up to `limit`.
    pub fn solve_sized(&mut self, limit: u64, stop: &Stop) -> Result<(), Stopped> {
        for grid in &self.sized {
            let (count, first) = grid.solve(limit, stop)?;
            self.answers.push((count.into(), first.map(|first| first.source_text().to_vec())));
        }
        Ok(())
    }

    /// Records that the one puzzle has `count` solutions, of which none is shown.
    pub fn answer_only(&mut self, count: u128) {
        self.answers.push((count, None));
    }

    pub fn puzzle_count(&self) -> u64 {
        (self.nine.len() + self.sized.len()) as u64
    }

    /// How many records are puzzles, and how many are none.
    pub fn counts(&self) -> (u64, u64) {
        (self.puzzle_count(), self.errors.len() as u64)
    }

    /// The numbers of puzzles with no solution, with one, and with more.
    pub fn puzzles_by_solutions(&self) -> [u64; 3] {
        let mut puzzles = [0; 3];
        if self.answers.is_empty() {
            for &count in self.nine.counts() {
                puzzles[count.min(2) as usize] += 1;
            }
        }
        for (count, _) in &self.answers {
            puzzles[(*count).min(2) as usize] += 1;
        }
        puzzles
    }

    /// Adds `text`, the beginning of a record that is too long to be a puzzle.
    pub fn add_too_long(&mut self, text: &[u8]) {
        self.add_bad(0..text.len(), lines_with_breaks(text).count(), 0, LineError::TooLong);
    }

    /// Adds a record of `lines` lines with the cells `puzzle` and the stated solution `stated`.
    pub fn add_puzzle(&mut self, source: Range<usize>, lines: usize, puzzle: &[u8], stated: &[u8]) {
        match self.push(puzzle) {
            Ok(()) => {
                self.add_entry(source, 0, Kind::Puzzle);
                self.lines += lines as u32;
                if self.check {
                    self.stated.push(stated.trim_ascii().to_vec());
                }
            }
            Err(error) => self.add_bad(source, lines, 0, error),
        }
    }

    /// Adds a puzzle of `lines` lines with pencil marks.
    pub fn add_marks(&mut self, source: Range<usize>, lines: usize, marks: &Marks) {
        match self.push_marks(marks) {
            Ok(()) => {
                self.add_entry(source, 0, Kind::Puzzle);
                self.lines += lines as u32;
                if self.check {
                    self.stated.push(Vec::new());
                }
            }
            Err(error) => self.add_bad(source, lines, 0, error),
        }
    }

    /// As [`add_puzzle`](Self::add_puzzle), for a column of a table. Another program may have read the column as a number,
    /// which is then the error.
    pub fn add_column(&mut self, source: Range<usize>, lines: usize, puzzle: &[u8], stated: &[u8]) {
        let found = puzzle.len();
        let expected = self.size.cells();
        if (1..expected).contains(&found) && is_number(puzzle) {
            let number = String::from_utf8_lossy(puzzle).into_owned();
            self.add_bad(source, lines, 0, LineError::Number { number, found, expected });
        } else {
            self.add_puzzle(source, lines, puzzle, stated);
        }
    }

    /// Adds a record or a run. `line` is the line of it that messages name, from 0.
    fn add_entry(&mut self, source: Range<usize>, line: usize, kind: Kind) {
        self.entries.push(Entry {
            start: source.start as u32,
            end: source.end as u32,
            line: self.lines + 1 + line as u32,
            kind,
        });
    }

    /// Adds a puzzle without its entry.
    fn push(&mut self, puzzle: &[u8]) -> Result<(), LineError> {
        if !self.is_nine() {
            // The items of a list, with blanks between them.
            let items = list_items(puzzle).map(|items| items.join(&b' '));
            let puzzle = items.as_deref().unwrap_or(puzzle);
            self.sized.push(self.size.parse(puzzle, self.notation)?);
            return Ok(());
        }
        if let Ok(cells) = puzzle.try_into()
            && self.codec.read(puzzle, Shape::CELLS, |_| true, &mut self.nine) == 1
        {
            self.source_texts.push(cells);
            return Ok(());
        }
        let (grid, source_text) = match parse_line(puzzle) {
            Ok(grid) => (grid, *puzzle.first_chunk().expect("a puzzle has 81 cells")),
            Err(error) => match parse_separated(puzzle).unwrap_or(Err(error)) {
                Ok(grid) => (grid, grid.to_bytes()),
                Err(error) => return self.push_marks(&spelled(puzzle).ok_or(error)?.marks),
            },
        };
        self.nine.push(&grid);
        self.source_texts.push(source_text);
        Ok(())
    }

    /// Adds a puzzle with pencil marks without its entry. Where they exclude nothing that the digits do not, it is one of digits.
    fn push_marks(&mut self, marks: &Marks) -> Result<(), LineError> {
        if !marks.follow_from_digits() {
            if self.refuses_marks {
                return Err(LineError::Marks);
            }
            self.marks.push((self.nine.len(), *marks));
        }
        let grid = marks.digits();
        self.nine.push(&grid);
        self.source_texts.push(grid.to_bytes());
        Ok(())
    }

    /// Answers the puzzles with pencil marks, whose digits were solved before.
    pub fn solve_marks(&mut self, limit: u64, stop: &Stop) -> Result<(), Stopped> {
        if self.marks.is_empty() {
            return Ok(());
        }
        if self.answers.is_empty() {
            for puzzle in 0..self.nine.len() {
                let count = self.nine.counts().get(puzzle).copied().unwrap_or(0);
                let is_shown = count > 0 && self.nine.has_solutions();
                let first =
                    is_shown.then(|| self.codec.digits(&self.nine.solution(puzzle)).to_vec());
                self.answers.push((count.into(), first));
            }
        }
        for (puzzle, marks) in &self.marks {
            let (count, first) = marks.solve(limit, stop)?;
            self.answers[*puzzle] = (count.into(), first.map(|grid| grid.to_bytes().to_vec()));
        }
        Ok(())
    }

    /// Checks what was found by the definition of a solution: all of it in a short table, and of a long one a puzzle in
    /// seventeen, each time in another lane. All of them would take a tenth more time than to solve them.
    pub fn ensure_solutions(&self) -> Result<(), Error> {
        let step = if self.puzzle_count() <= MAX_CHECKED { 1 } else { CHECK_STEP };
        for puzzle in (0..self.puzzle_count() as usize).step_by(step) {
            let mut digits = [0; CELLS];
            let Some(found) = self.record(puzzle, &[], &[], &mut digits).solution else { continue };
            let is_right = match self.sized.get(puzzle) {
                Some(grid) => {
                    let solution = self.size.parse(found, Some(grid.notation()));
                    solution.is_ok_and(|solution| solution.solves(grid))
                }
                None => {
                    let cells: Option<&[u8; CELLS]> = found.try_into().ok();
                    let digits = |cells: &[u8; CELLS]| array(|cell| cells[cell].wrapping_sub(b'0'));
                    let solution = cells.and_then(|cells| Grid::new(digits(cells)));
                    solution
                        .is_some_and(|solution| self.nine.puzzle(puzzle).is_solved_by(&solution))
                }
            };
            Error::ensure_right(is_right, || String::from_utf8_lossy(found).into_owned())?;
        }
        Ok(())
    }

    /// Whether there is neither a puzzle nor an error.
    pub fn is_empty(&self) -> bool {
        self.nine.is_empty() && self.sized.is_empty() && self.errors.is_empty()
    }

    /// The number of puzzles for which the input states a solution.
    pub fn stated_count(&self) -> u64 {
        self.stated.iter().filter(|stated| !stated.is_empty()).count() as u64
    }

    /// The one puzzle, if all other records are comments.
    pub fn only_puzzle(&self) -> Option<Puzzle> {
        match (self.nine.len(), self.sized.as_slice()) {
            _ if !self.errors.is_empty() || !self.marks.is_empty() => None,
            (1, []) => Some(Puzzle::Nine(self.nine.puzzle(0))),
            (0, [only]) => Some(Puzzle::Sized(only.clone())),
            _ => None,
        }
    }

    /// The records, without comments, of a table that reads them one by one: the line of each, and its puzzle or its part of
    /// `text`, which was read, and a mistake.
    pub fn each<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (u64, Result<Puzzle, (&'a [u8], &'a LineError)>)> {
        let mut puzzles = 0..self.puzzle_count() as usize;
        self.entries.iter().filter_map(move |entry| {
            let read = match entry.kind {
                Kind::Comment => return None,
                Kind::Run { .. } => unreachable!("records are read one by one"),
                Kind::Bad(error) => {
                    let source = &text[entry.start as usize..entry.end as usize];
                    Err((source, &self.errors[error as usize]))
                }
                Kind::Puzzle => {
                    let puzzle = puzzles.next().expect("a puzzle for each of these entries");
                    Ok(match self.sized.get(puzzle) {
                        Some(grid) => Puzzle::Sized(grid.clone()),
                        None => Puzzle::Nine(self.nine.puzzle(puzzle)),
                    })
                }
            };
            Some((entry.line.into(), read))
        })
    }

    /// The first record that is no puzzle: its line, and why.
    pub fn first_bad(&self) -> Option<(u64, &LineError)> {
        self.entries.iter().find_map(|entry| match entry.kind {
            Kind::Bad(error) => Some((entry.line.into(), &self.errors[error as usize])),
            _ => None,
        })
    }
}

/// Whether a program has read the text of a column as a number and written the number: a whole one, or one with an
/// exponent, such as `5.3007e+80`. Digits with a point but without an exponent may be cells with a blank.
fn is_number(text: &[u8]) -> bool {
    let is_float = str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
    // The words `inf` and `nan` are floats, too.
    let begins_so = text.first().is_some_and(|byte| b".0123456789".contains(byte));
    let has_exponent = text.iter().any(|byte| b"eE".contains(byte));
    is_float && begins_so && (has_exponent || !text.contains(&b'.'))
}

/// Reads a 9 × 9 grid with spaces, tabs or commas between its cells; `None` if the text is not written so, because its first
/// cell is longer than one character.
fn parse_separated(puzzle: &[u8]) -> Option<Result<Grid, LineError>> {
    let first = puzzle.trim_ascii().split(|byte| b" ,\t".contains(byte)).next()?;
    if first.len() != 1 || puzzle.len() <= 2 {
        return None;
    }
    Some(Size::Nine.parse(puzzle, None).map(|grid| {
        let cells = grid.cells().try_into().expect("a grid of 81 cells");
        Grid::new(cells).expect("values of a 9 × 9 grid")
    }))
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn numbers_are_told_from_words_and_from_cells() {
        for number in ["530070000", "5.3007e+80", "5E80", ".5e3"] {
            assert!(is_number(number.as_bytes()), "{number}");
        }
        for other in ["easy", "e", "5.3e", "5e+", "1.2.3e5", "5.3.7", "53.7", "inf", ".", ""] {
            assert!(!is_number(other.as_bytes()), "{other}");
        }
    }
}
