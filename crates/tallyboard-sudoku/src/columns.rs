//! The rows that a run writes: one description for all formats.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};

#[cfg(doc)]
use crate::batch::Rating;
use crate::batch::{Puzzles, Solvers};
use crate::properties::{mean_guesses, minimal, superfluous};
use crate::single::fill_singles;
use crate::trial_and_error::{backdoors, depths, only_solutions, removals};
use crate::{Cell, Grid, canonical};
use tallyboard_base::named::named;
use tallyboard_search::{Stop, Stopped};

/// A property of a puzzle. It depends on the puzzle and the limit of the run alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// The number of clues.
    Clues,
    /// The number of solutions, up to the limit.
    Count,
    /// The solution found first; empty if there is none.
    Solution,
    /// The hardest technique that solving it takes: [`Rating::technique`].
    Method,
    /// The number of candidates tried: [`Rating::guesses`].
    Guesses,
    /// The mean number of guesses over the canonical form and three images of it, by symmetries that are the same for every
    /// puzzle. All images of a puzzle have one rating.
    Rating,
    /// The [canonical form](canonical).
    Canonical,
    /// Whether no clue is superfluous.
    Minimal,
    /// The clues that can go one at a time without another solution appearing, as `r1c9 r4c2`, row by row.
    Superfluous,
    /// How deep trial and error by singles has to be nested to solve the puzzle: 0 if singles do. Empty unless it has one solution.
    Depth,
    /// How many of the candidates that singles leave go by trial and error of depth 1. Empty unless it has one solution.
    Removals,
    /// The least number of cells whose values, once known, leave nothing but singles. Empty unless it has one solution.
    Backdoor,
    /// The puzzle with all values that singles give; empty if they end in a contradiction.
    Expanded,
}

named! {
    /// Everything, in the order in which help texts list it.
    Value {
        Clues = "clues",
        Count = "count",
        Solution = "solution",
        Method = "method",
        Guesses = "guesses",
        Rating = "rating",
        Canonical = "canonical",
        Minimal = "minimal",
        Superfluous = "superfluous",
        Depth = "te",
        Removals = "te_candidates",
        Backdoor = "backdoor",
        Expanded = "expand",
    }
}

/// A column that a run writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name, in formats that name columns.
    pub name: &'static str,
    /// What stands in it.
    pub value: Value,
}

impl Column {
    const COUNT: Self = Self::of(Value::Count);
    /// The solution under its default name.
    const FOUND: Self = Self { name: "found", value: Value::Solution };

    /// The columns that statistics add.
    const STATS: [Self; 2] = [Self::of(Value::Method), Self::of(Value::Guesses)];

    /// The column that has the name of its value.
    pub const fn of(value: Value) -> Self {
        Self { name: value.name(), value }
    }
}

/// The part of its record that a row begins with, in formats of lines. Other formats ignore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPart {
    /// Nothing.
    Nothing,
    /// The cells of the puzzle.
    Puzzle,
    /// All of the record.
    Record,
}

/// What a row stands for, and so how many rows a puzzle has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowUnit {
    /// One row for each puzzle.
    Puzzle,
    /// One row for each solution up to the limit, in lexicographic order. Columns of counts then hold the number
    /// of the solution, from 1. A puzzle without a solution has one row, with number 0.
    Solution,
    /// One row for each of `times` random images, which depend on the puzzle and the seed alone. A solution that
    /// the input states is moved with its puzzle.
    Image {
        /// The number of images.
        times: u64,
        /// Another seed gives other images.
        seed: u64,
    },
    /// One row for each class of puzzles. A puzzle has none if it is an image of an earlier one.
    Class,
}

/// What is written for a puzzle: the kept part of its record, then columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// The kept part of the record.
    pub kept: RecordPart,
    /// The columns after it.
    pub columns: &'a [Column],
    /// What a row stands for.
    pub unit: RowUnit,
}

impl Row<'static> {
    /// `puzzle:count:solution`; the solution is empty if there is none.
    pub const SOLUTION: Self = Self::of(RecordPart::Puzzle, &[Column::COUNT, Column::FOUND]);
    /// The bare solution; an empty line if there is none.
    pub const SOLUTION_ONLY: Self = Self::of(RecordPart::Nothing, &[Column::FOUND]);
    /// `puzzle:number:solution`, a row for each solution.
    pub const SOLUTIONS: Self = Self {
        unit: RowUnit::Solution,
        ..Self::of(
            RecordPart::Puzzle,
            &[Column { name: "number", value: Value::Count }, Column::FOUND],
        )
    };
    /// `puzzle:count`.
    pub const COUNT: Self = Self::of(RecordPart::Puzzle, &[Column::COUNT]);
    /// The bare canonical form, which tables call `found`.
    pub const CANONICAL: Self = Self::of(
        RecordPart::Nothing,
        &[Column { name: Column::FOUND.name, value: Value::Canonical }],
    );
    /// The record unchanged.
    pub const RECORD: Self = Self::of(RecordPart::Record, &[]);

    const fn of(kept: RecordPart, columns: &'static [Column]) -> Self {
        Self { kept, columns, unit: RowUnit::Puzzle }
    }
}

impl<'a> Row<'a> {
    /// Its columns, and with `stats` the method and the guesses.
    pub fn columns_with(self, stats: bool) -> Vec<Column> {
        let stats = if stats { &Column::STATS[..] } else { &[] };
        [self.columns, stats].concat()
    }

    /// Whether one of its columns holds `value`.
    pub fn has(self, value: Value) -> bool {
        self.columns.iter().any(|column| column.value == value)
    }

    /// Whether its columns need solved puzzles.
    pub fn needs_solutions(self) -> bool {
        self.has(Value::Count) || self.has(Value::Solution)
    }

    /// The names of its columns. They replace columns of the input that have one of these names.
    pub fn names(self) -> impl Iterator<Item = &'static str> + 'a {
        self.columns.iter().map(|column| column.name)
    }

    /// The first column that only 9 × 9 grids can have.
    pub(super) fn first_nine_only(self) -> Option<&'a Column> {
        self.columns.iter().find(|column| !matches!(column.value, Value::Count | Value::Solution))
    }
}

// What the columns of a row hold, for each puzzle.

/// What stands in a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content<'a> {
    Missing,
    Number(u128),
    Decimal(f64),
    Bool(bool),
    Text(Cow<'a, [u8]>),
}

impl Content<'_> {
    /// Appends the content as text.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Missing => {}
            &Self::Number(number) if number < 10 => out.push(b'0' + number as u8),
            &Self::Number(number) => {
                out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
            }
            Self::Decimal(number) => out.extend_from_slice(number.to_string().as_bytes()),
            Self::Bool(value) => out.extend_from_slice(value.to_string().as_bytes()),
            Self::Text(text) => out.extend_from_slice(text),
        }
    }
}

/// What `find` finds if it is wanted; or else nothing.
fn if_wanted<T>(
    is_wanted: bool,
    find: impl FnOnce() -> Result<Vec<T>, Stopped>,
) -> Result<Vec<T>, Stopped> {
    if is_wanted { find() } else { Ok(Vec::new()) }
}

/// A number that not every puzzle has.
fn number(found: Option<u32>) -> Content<'static> {
    found.map_or(Content::Missing, |number| Content::Number(number.into()))
}

/// The contents of the columns of `row`: those of the first puzzle, then those of the second, and so on. Columns of counts
/// and solutions get [`Content::Missing`], because the table has these, and so do numbers that a puzzle lacks. Empty if `row` has no other columns.
pub(super) fn find(
    row: Row,
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    limit: u64,
    stop: &Stop,
) -> Result<Vec<Content<'static>>, Stopped> {
    if row.first_nine_only().is_none() {
        return Ok(Vec::new());
    }
    // Each list is empty unless a column needs it.
    let ratings = if_wanted(row.has(Value::Method), || puzzles.rate(solvers, limit, stop))?;
    // Guesses alone are cheaper than ratings, which spend most time on telling singles from locked candidates.
    let guesses = if row.has(Value::Guesses) && ratings.is_empty() {
        puzzles.guesses(solvers, limit, stop)?
    } else {
        ratings.iter().map(|rating| rating.guesses).collect()
    };
    let means = if_wanted(row.has(Value::Rating), || mean_guesses(puzzles, solvers, limit, stop))?;
    let superfluous_clues =
        if_wanted(row.has(Value::Superfluous), || superfluous(puzzles, solvers, stop))?;
    let is_minimal = if row.has(Value::Minimal) && superfluous_clues.is_empty() {
        minimal(puzzles, solvers, stop)?
    } else {
        superfluous_clues.iter().map(|&clues| clues == 0).collect()
    };
    let [has_depths, has_removals, has_backdoors] =
        [Value::Depth, Value::Removals, Value::Backdoor].map(|value| row.has(value));
    let are_tried = has_depths || has_removals || has_backdoors;
    let solutions = if_wanted(are_tried, || only_solutions(puzzles, solvers, stop))?;
    let depths = if_wanted(has_depths, || depths(puzzles, &solutions, solvers, stop))?;
    let removals = if_wanted(has_removals, || removals(puzzles, &solutions, solvers, stop))?;
    let backdoors = if_wanted(has_backdoors, || backdoors(puzzles, &solutions, solvers, stop))?;
    let mut contents = Vec::with_capacity(puzzles.len() * row.columns.len());
    for puzzle in 0..puzzles.len() {
        stop.check()?;
        let grid = puzzles.puzzle(puzzle);
        let cells = |grid: Grid| Content::Text(grid.to_bytes().to_vec().into());
        contents.extend(row.columns.iter().map(|column| match column.value {
            Value::Count | Value::Solution => Content::Missing,
            Value::Clues => Content::Number(grid.clues() as u128),
            Value::Method => Content::Text(ratings[puzzle].technique.name().as_bytes().into()),
            Value::Guesses => Content::Number(guesses[puzzle].into()),
            Value::Rating => Content::Decimal(means[puzzle]),
            Value::Canonical => cells(canonical(&grid)),
            Value::Depth => number(depths[puzzle]),
            Value::Removals => number(removals[puzzle]),
            Value::Backdoor => number(backdoors[puzzle]),
            Value::Expanded => fill_singles(&grid).map_or(Content::Missing, cells),
            Value::Minimal => Content::Bool(is_minimal[puzzle]),
            Value::Superfluous => {
                Content::Text(cell_names(superfluous_clues[puzzle]).into_bytes().into())
            }
        }));
    }
    Ok(contents)
}

/// The names of a set of cells, a bit each, in reading order.
fn cell_names(cells: u128) -> String {
    let chosen = Cell::all().filter(|cell| cells >> cell.index() & 1 != 0);
    let names: Vec<String> = chosen.map(|cell| cell.to_string()).collect();
    names.join(" ")
}

/// A hash of a class of grids: 96 bits, of which one is always set. The probability that two of ten million
/// classes share a hash is below 2 · 10^-15.
pub type Class = [u32; 3];

/// The class of a grid, which all of its images share.
pub fn class(grid: &Grid) -> Class {
    let form = canonical(grid);
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(form.cells());
        hasher.finish()
    };
    let low_bits = hash(0);
    let high_bits = hash(1);
    // A class is never zero, because its last word is odd.
    [low_bits as u32, (low_bits >> 32) as u32, high_bits as u32 | 1]
}
