//! Variants of sudoku: any regions, extra houses, pairs of cells, cages, lines, clues outside of the grid, pencil marks.
//!
//! | wanted | |
//! |---|---|
//! | a puzzle from a file, of this crate's form or another program's | [`read`], [`read_all`], [`write()`] |
//! | a puzzle rule by rule | [`Rules`], [`Rule`], [`Puzzle`] |
//! | its solution, and whether it is the only one | [`Puzzle::solve`]; for many puzzles of the same rules, [`Solver`] |
//! | all solutions, one by one | [`Puzzle::solutions`] |
//! | the number of them, on every core, with a journal | [`Count`] |
//! | what each cell may still be | [`Puzzle::true_candidates`] |
//! | the rule that each step uses | [`Puzzle::explain`] |
//! | new puzzles | [`Generator`] |

mod automaton;
mod cell;
mod clue;
mod count;
mod definition;
mod engine;
mod error;
mod explain;
mod format;
mod generate;
mod global;
mod grid;
mod occurrences;
mod pattern;
mod puzzle;
pub mod rule;
mod rules;
mod set;
mod solver;
mod sums;
mod tables;
mod tally;

/// What the tests of this crate call beside what users do.
#[doc(hidden)]
pub mod internals {
    pub use crate::count::most_subtrees;
    pub use crate::format::{KINDS, Kind, lengthened};
    pub use crate::solver::few_solutions;
}

pub use cell::Cell;
pub use count::Count;
#[doc(hidden)]
pub use count::Estimator;
pub use error::{Error, Place};
pub use explain::{End, Explanation, Step};
#[doc(hidden)]
pub use format::forms::{Beginning, Form};
#[doc(hidden)]
pub use format::kinds::{KINDS, Kind};
#[doc(hidden)]
pub use format::write_rule;
#[doc(hidden)]
pub use format::{Edited, Records, read_edited};
pub use format::{Located, is_of_another_program, read, read_all, read_without_drawings, write};
#[cfg(feature = "penpa")]
#[doc(hidden)]
pub use format::{StarBattle, star_battle};
pub use generate::Generator;
pub use global::WholeGrid;
pub use grid::{Size, char_to_value, value_to_char};
pub use pattern::Pattern;
pub use puzzle::{Candidates, Puzzle, line};
pub use rule::{Mark, Rule};
pub use rules::Rules;
pub use solver::{Answer, Solutions, Solver};
