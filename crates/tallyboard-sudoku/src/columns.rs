//! The rows that a run writes: one description for all formats.

#[cfg(doc)]
use super::{batch::Rating, canonical};
use tallyboard_base::named::named;

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
    /// The mean number of guesses over the puzzle and three images of it, by symmetries that are
    /// the same for every puzzle.
    Rating,
    /// The [canonical form](canonical).
    Canonical,
    /// Whether no clue is superfluous.
    Minimal,
    /// The clues that can go one at a time without another solution appearing, as `r1c9 r4c2`, row by row.
    Superfluous,
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
