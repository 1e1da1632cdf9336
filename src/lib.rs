//! Count the solutions of board puzzles, exactly, on every core.
//!
//! | job | |
//! |---|---|
//! | count a board of queens | [`queens::count(18)?`](queens::count) |
//! | one with placed queens and closed squares, with progress | [`Board::new(12)?.place("a1")?.block("h5")?`](queens::Board::place), then [`count()`](queens::Board::count) |
//! | every solution of a board, in order | [`queens::solutions(8)?`](queens::solutions()) |
//! | solve a sudoku, or many | [`sudoku::solve(&puzzle)`](sudoku::solve), [`sudoku::solve_all(&puzzles)`](sudoku::solve_all) |
//! | solve lines of any number | [`sudoku::solve_lines(reader)`](sudoku::solve_lines) |
//! | every solution of a sudoku, in order | [`puzzle.solutions()`](sudoku::Grid::solutions) |
//! | the number of them | [`puzzle.count_solutions()?`](sudoku::Grid::count_solutions) |
//! | a sudoku by any rules | [`variants::read(text, name)?`](variants::read), then [`solve()`](variants::Puzzle::solve) |
//! | a problem of your own, in two methods | [`search::Problem`] and [`search::count`] |
//!
//! ```
//! assert_eq!(tallyboard::queens::count(8)?, 92);
//! # Ok::<(), tallyboard::queens::Error>(())
//! ```
//!
//! The first placements of a puzzle split it into independent *subtrees*; rayon steals subtrees
//! across cores; each worker counts the subtree it holds, by backtracking on bitmasks or by joining
//! halves or bands; the counts are reduced to one [`search::Tally`].
//!
//! ```text
//! a problem            queens::Count, sudoku::CountOne
//!  └ split()           the first placements: one subtree each, with a stable number
//!     └ search::run    rayon over the subtrees, the single parallel driver
//!        └ kernel      counts one subtree at a time
//!           └ Tally    checked counts, merged
//! ```
//!
//! # Features
//!
//! The feature `cli`, on by default, adds the program `tallyboard`, whose binary is one call, and `program`: a whole
//! program around a counting problem of your own. A library needs `default-features = false` and the games that it uses,
//! `features = ["queens", "sudoku"]`; problems of your own need no feature.
//!
//! What is documented here keeps its names from version to version. The crates below it (journals, shards, formats of
//! files, scaling, pictures; `ARCHITECTURE.md` shows who builds on whom) are in the undocumented module `unstable`, some of
//! them behind the features `files`, `compression`, `scale` and `draw`, and change.

#[cfg(feature = "cli")]
mod cluster;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod counting;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "cli")]
mod scaling;
#[cfg(feature = "cli")]
mod terminal;

pub use base::{Kernel, KernelMissing};

/// Boards of queens that do not attack each other: counted, listed, placed (feature `queens`).
#[cfg(feature = "queens")]
pub mod queens {
    #[doc(inline)]
    pub use ::queens::place::Placement;
    #[doc(inline)]
    pub use ::queens::solutions::Placements;
    #[doc(inline)]
    pub use ::queens::{Board, BoardCount, BoardError, Square, SquareError};
    #[doc(inline)]
    pub use ::queens::{Count, Engine, EngineError, Error, Settings};
    #[doc(inline)]
    pub use ::queens::{Estimate, estimate, estimate_board};
    #[doc(inline)]
    pub use ::queens::{count, known, solutions};

    /// One solution for a board of any size, by the usual textbook methods.
    pub mod place {
        #[doc(inline)]
        pub use ::queens::place::{Flaw, LimitReached, PlaceError, Solution};
        #[doc(inline)]
        pub use ::queens::place::{Limits, Method, Opening, Order, check, solve};
    }
}

/// Sudokus: solved, listed, counted, made (feature `sudoku`).
#[cfg(feature = "sudoku")]
pub mod sudoku {
    #[doc(inline)]
    pub use ::sudoku::batch::{Rating, Technique};
    #[doc(inline)]
    pub use ::sudoku::generate::{Generator, Requirements, WishError};
    #[doc(inline)]
    pub use ::sudoku::{Answer, Answers, BadLine, Error, Grid, LineError, Solutions};
    #[doc(inline)]
    pub use ::sudoku::{CellsError, Symmetry, canonical, solve_cells};
    #[doc(inline)]
    pub use ::sudoku::{CountOne, Engine, Estimate, Solver, estimate};
    #[doc(inline)]
    pub use ::sudoku::{solve, solve_all, solve_lines, solve_or_stop, solve_up_to};
}

/// Exact covers: any puzzle whose items are covered by options, once each.
#[cfg(feature = "cover")]
pub mod cover {
    #[doc(inline)]
    pub use ::cover::{Count, CountError, Cover, CoverError, Engine, Settings, Solutions};
}

/// Variants of sudoku by any rules: read, solved, counted, made, explained (feature `variants`).
#[cfg(feature = "variants")]
pub mod variants {
    #[doc(inline)]
    pub use ::variants::{Candidates, Count, Generator, Puzzle, Rule, Rules, Solver, read, write};
}

/// The shape of every count: split into independent subtrees, steal, count, reduce.
pub mod search {
    #[doc(inline)]
    pub use ::search::{Costs, Overflow, Problem, Stop, Stopped, Tally};
    #[doc(inline)]
    pub use ::search::{CountRun, Error, Progress, count, thread_count};
    #[doc(inline)]
    pub use ::search::{FinishedSubtree, Observer, Options, Outcome, Silent, run};
}

/// The crates that everything above is made of, whole. Nothing in here keeps its name from version to version.
#[doc(hidden)]
pub mod unstable {
    pub use ::base;
    #[cfg(feature = "cover")]
    pub use ::cover;
    #[cfg(feature = "queens")]
    pub use ::queens;
    #[cfg(feature = "scale")]
    pub use ::scale;
    pub use ::search;
    #[cfg(feature = "sudoku")]
    pub use ::sudoku;
    #[cfg(feature = "variants")]
    pub use ::variants;
    #[cfg(feature = "draw")]
    pub use {::classroom, ::picture};
}

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use commands::main;
