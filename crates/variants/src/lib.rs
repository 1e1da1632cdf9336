//! Variants of sudoku: any regions, extra houses, pairs of cells, cages, thermometers, arrows, pencil marks.
//!
//! | wanted | |
//! |---|---|
//! | a puzzle from a file, of this crate's form or another program's | [`read`], [`write()`] |
//! | a puzzle rule by rule | [`Rules`], [`Rule`], [`Puzzle`] |
//! | its solution, and whether it is the only one | [`Puzzle::solve`]; for many puzzles of the same rules, [`Solver`] |
//! | all solutions, one by one | [`Puzzle::solutions`] |
//! | the number of them, on every core, with a journal | [`Count`] |
//! | what each cell may still be | [`Puzzle::true_candidates`] |
//! | the rule that each step uses | [`Puzzle::explain`] |
//! | new puzzles | [`Generator`] |

mod cell;
mod clue;
mod count;
mod derived;
mod engine;
mod explain;
mod format;
mod generate;
mod puzzle;
mod relation;
mod rule;
mod rules;
mod size;
mod solver;
mod tables;
mod wide;

pub use cell::{Cell, CellError};
pub use count::Count;
pub use explain::{End, Explanation, Step};
pub use format::{Mistake, Place, ReadError, read, write};
pub use generate::{Generator, GeneratorError, NoGrid};
pub use puzzle::{Candidates, GivenError, Puzzle, line};
pub use rule::{Mark, Rule};
pub use rules::{RuleError, Rules};
pub use size::{Size, SizeError, char_to_value, value_to_char};
pub use solver::{Answer, Solutions, Solver};
