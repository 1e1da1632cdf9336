//! Count the solutions of board puzzles, exactly, on every core.
//!
//! | job | |
//! |---|---|
//! | count a board of queens | [`queens::count(18)?`](queens::count) |
//! | one with placed queens and closed squares, with progress | [`Board::new(12)?.place("a1")?.block("h5")?`](queens::Board::place), then [`count()`](queens::Board::count) |
//! | every solution of a board, in order | [`queens::solutions(8)?`](queens::solutions()) |
//! | one solution, of a board of any size | [`queens::place::solve`] |
//! | solve a sudoku, or many | [`sudoku::solve(&puzzle)`](sudoku::solve), [`sudoku::solve_all(&puzzles)`](sudoku::solve_all) |
//! | solve lines of any number | [`sudoku::solve_lines(reader)`](sudoku::solve_lines) |
//! | every solution of a sudoku, in order | [`puzzle.solutions()`](sudoku::Grid::solutions) |
//! | the number of them | [`puzzle.count_solutions()?`](sudoku::Grid::count_solutions) |
//! | new sudokus | [`sudoku::Generator`], then [`puzzle(0)`](sudoku::Generator::puzzle) |
//! | how many solutions, about, where counting takes too long | [`queens::estimate`], [`sudoku::estimate`] |
//! | a sudoku by any rules | [`variants::read(text, name)?`](variants::read), then [`solve()`](variants::Puzzle::solve) |
//! | queens in coloured regions, Star Battle | [`regions::Board::new(&regions, 1)?`](regions::Board::new), then [`regions::solve(&boards)`](regions::solve) |
//! | exact covers | [`Cover`](cover::Cover), then [`cover::Count::new(&cover)?.total()?`](cover::Count) |
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
//! a problem            a board, a grid, a cover, or one of your own
//!  └ split()           the first placements: one subtree each, with a stable number
//!     └ search::count  rayon over the subtrees, the single parallel driver
//!        └ kernel      counts one subtree at a time
//!           └ Tally    checked counts, merged
//! ```
//!
//! # Features
//!
//! The feature `cli`, on by default, adds the program `tallyboard`, whose binary is one call, and `program`: a whole
//! program around a counting problem of your own. A library needs `default-features = false` and the games that it uses,
//! of `queens`, `sudoku`, `cover`, `regions` and `variants`; problems of your own need no feature:
//!
//! ```toml
//! tallyboard = { version = "0.2", default-features = false, features = ["queens", "sudoku"] }
//! ```
//!
//! Without optimisation counts take many times as long: build with `--release`, or set `opt-level = 3` in
//! `[profile.dev.package."*"]` of your own `Cargo.toml`.
//!
//! A name that is documented here is meant to last; if one changes, `CHANGELOG.md` says so. The library chooses engines
//! and kernels itself. To choose one, and for journals, shards, formats of files, scaling and pictures, depend on the crates
//! `tallyboard-search`, `tallyboard-queens` and so on, whose names may change with any version; `ARCHITECTURE.md` shows which
//! crate uses which.

#[doc(inline)]
pub use tallyboard_base::statistics::Estimate;

#[cfg(feature = "cli")]
mod cluster;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod counting;
#[cfg(feature = "cli")]
mod games;
#[cfg(feature = "cli")]
pub mod program;
#[cfg(feature = "cli")]
mod scaling;
#[cfg(feature = "cli")]
mod terminal;
#[cfg(feature = "cli")]
mod verbs;

/// Boards of queens that do not attack each other: counted, listed, placed (feature `queens`).
#[cfg(feature = "queens")]
pub mod queens {
    // From `front`: at the root of the crate, `count` and `solutions` are modules.
    #[doc(inline)]
    pub use tallyboard_queens::front::{BoardCount, Error, count, solutions};
    #[doc(inline)]
    pub use tallyboard_queens::place::Placement;
    #[doc(inline)]
    pub use tallyboard_queens::solutions::Placements;
    #[doc(inline)]
    pub use tallyboard_queens::{Board, BoardError, Square, estimate, estimate_board};

    /// The numbers of solutions that are known.
    pub mod known {
        #[doc(inline)]
        pub use tallyboard_queens::known::{classes, solutions};
    }

    /// One solution for a board of any size, by the usual textbook methods.
    pub mod place {
        #[doc(inline)]
        pub use tallyboard_queens::place::{
            Flaw, Limits, Method, PlaceError, Solution, check, solve,
        };
        #[doc(inline)]
        pub use tallyboard_queens::place::{LimitReached, Line, Opening, Order};
    }
}

/// Sudokus: solved, listed, counted, made (feature `sudoku`).
#[cfg(feature = "sudoku")]
pub mod sudoku {
    #[doc(inline)]
    pub use tallyboard_sudoku::generate::{Generator, Requirements, WishError};
    #[doc(inline)]
    pub use tallyboard_sudoku::{
        Answer, Answers, CountOne, Error, Grid, LineError, Solutions, Symmetry, canonical,
        estimate, solve, solve_all, solve_lines, solve_or_stop, solve_up_to, tally,
    };
}

/// Exact covers: any puzzle whose items are covered by options, once each (feature `cover`).
#[cfg(feature = "cover")]
pub mod cover {
    #[doc(inline)]
    pub use tallyboard_cover::{Count, CountError, Cover, CoverError, Settings, Solutions, tally};
}

/// Queens in regions, and Star Battle: solved, listed, counted, made, explained (feature `regions`).
#[cfg(feature = "regions")]
pub mod regions {
    #[doc(inline)]
    pub use ::tallyboard_regions::{Answer, Board, BoardError, Count, Row, Solutions};
    #[doc(inline)]
    pub use ::tallyboard_regions::{
        GenerateError, Generator, WishError, Wishes, canonical, solve, tally,
    };
}

/// Variants of sudoku by any rules: read, solved, counted, made, explained (feature `variants`).
#[cfg(feature = "variants")]
pub mod variants {
    #[doc(inline)]
    pub use tallyboard_variants::{Answer, Count, Error, Generator, Place, Solutions, Solver};
    #[doc(inline)]
    pub use tallyboard_variants::{
        Candidates, Cell, Mark, Pattern, Puzzle, Rule, Rules, WholeGrid, read,
        read_without_drawings, write,
    };

    /// The kinds of lines, clues outside, marks and calculations that rules have.
    pub mod rule {
        pub use tallyboard_variants::rule::{Calculation, Line, Marked, Outside};
    }
}

/// The shape of every count: split into independent subtrees, steal, count, reduce.
pub mod search {
    #[doc(inline)]
    pub use tallyboard_search::{
        Branches, Halt, Leaves, NodeBudget, Splitting, Subtrees, Tree, estimate_leaves,
    };
    #[doc(inline)]
    pub use tallyboard_search::{Costs, Overflow, Problem, Stop, Stopped, Tally};
    #[doc(inline)]
    pub use tallyboard_search::{CountRun, Error, Progress, count, thread_count};
    #[doc(inline)]
    pub use tallyboard_search::{Table, TableRun};
}

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use commands::main;
