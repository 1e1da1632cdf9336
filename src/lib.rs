//! Count the solutions of board puzzles, exactly, on every core.
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
//!
//! a file of sudokus    sudoku::stream: workers read, solve and write in turn, rows in input order
//! ```
//!
//! Count the ways to place eight queens:
//!
//! ```
//! use tallyboard::queens::{Board, Count};
//! use tallyboard::search::{self, Options, Silent};
//!
//! let problem = Count::new(Board::new(8)?)?;
//! let outcome = search::run(&problem, &Options::new(), &mut Silent)?;
//! assert_eq!(outcome.whole(), Some(92));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Solve a sudoku and prove that the solution is the only one:
//!
//! ```
//! use tallyboard::sudoku::{Grid, solve};
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let answer = solve(&puzzle, 2);
//! assert_eq!(answer.count, 1);
//! assert_eq!(
//!     answer.first.unwrap().to_string(),
//!     "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! Each is a crate of its own; `ARCHITECTURE.md` shows who builds on whom.
//!
//! * [`search`]: the shape every count has — split, steal, count, reduce — free of any puzzle;
//!   [`search::sample`], estimates of a count and its time from a few of its subtrees
//! * [`queens`]: boards, their symmetries and kernels, the known counts
//! * [`sudoku`]: grids, the solvers, and the stream that solves files of any length
//! * [`cover`]: exact covers of any puzzle in a file, with colours and multiplicities
//! * [`scale`]: the same work at several thread counts, and what the times mean
//! * [`memory`]: how much memory a run may take
//! * `classroom`: traces, explanations, pictures of boards, pages that play a search (feature `draw`)
//! * `picture`: shapes, charts, SVG and PNG (feature `draw`)
//! * `program`: a whole program around a counting problem of your own (feature `cli`)
//!
//! With the feature `cli` the library holds the program `tallyboard` too; its binary is one call.

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

#[doc(hidden)]
pub use base::figures;
pub use base::{Kernel, KernelMissing, UnknownName, memory};
#[doc(hidden)]
pub use search::durable;
#[cfg(feature = "draw")]
pub use {::classroom, ::picture};
pub use {::cover, ::queens, ::scale, ::search, ::sudoku};

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use commands::main;
