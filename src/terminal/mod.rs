//! The process and its terminal: options of every command, streams, signals, progress, exit codes. Nothing here knows
//! a problem, except that the crate `sudoku` reads compressed files (`io.rs`) and that its streams can be stopped
//! (`signals.rs`).

pub mod args;
pub mod exit_status;
pub mod help;
pub mod io;
pub mod name;
mod os;
pub mod pictures;
pub mod print;
pub mod process;
pub mod progress_bar;
pub mod quote;
pub mod signals;
pub mod values;
mod waiting;
