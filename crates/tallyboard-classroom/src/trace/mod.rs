//! The textbook search of each game, step by step.

pub mod queens;
pub mod sudoku;
