//! The engine: one grid at a time, its candidates as a set of cells for each value.
//!
//! | what | how it lies | what it costs |
//! |---|---|---|
//! | a node | a word of cells for each value: 336 bytes at 9 × 9 | a copy for each branching |
//! | a house, a cell's peers | a word of cells, whichever rules made them | an `and` for each value |
//! | a relation | a table from the candidates of one cell to those of its partners | a look-up for each cell that changed |
//! | a cage, an arrow, a thermometer | its cells, gathered when one of them changed | tens of nanoseconds each |
//!
//! All rules by which cells differ become peers and cost nothing of their own: a diagonal is a house more, anti-knight
//! makes the peers' words fuller. A round over 27 houses and 9 values takes about 0.3 µs, and a puzzle with one
//! solution a dozen or two of them.

mod cells;
mod machine;
mod propagate;
pub(crate) mod search;
mod state;
