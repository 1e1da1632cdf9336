//! The engine: one grid at a time, its candidates as a set of cells for each value.
//!
//! | what | representation | cost |
//! |---|---|---|
//! | a node | a word of cells for each value, and a set of values for each cell: 610 bytes at 9 × 9 | a copy for each branching |
//! | a house, a cell's peers | a word of cells, whichever rules made them | an `and` for each value |
//! | a relation | a table from the candidates of one cell to those of its partners | a look-up for each cell that changed |
//! | a cage, an arrow, a thermometer, any line's automaton | its cells, gathered when one of them changed | tens of nanoseconds each |
//!
//! A rule by which cells differ adds to the sets of peers and costs nothing more: a diagonal is one more house, and
//! anti-knight adds cells to the words of peers. A round over 27 houses and 9 values takes about 0.3 µs, and a puzzle with
//! one solution takes one or two dozen rounds.

pub(crate) mod clauses;
pub(crate) mod few;
pub(crate) mod propagate;
pub(crate) mod search;
pub(crate) mod state;
mod weights;
