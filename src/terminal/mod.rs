//! The process and its terminal: options of every command, streams, signals, progress, exit codes. Nothing here knows
//! a problem, except that the crate `sudoku` reads compressed files (`io.rs`) and that its streams can be stopped
//! (`signals.rs`).

mod args;
mod exit_status;
pub mod help;
pub mod io;
mod name;
mod os;
pub mod pictures;
mod print;
pub mod process;
mod progress_bar;
mod quote;
mod signals;
mod values;
mod waiting;

pub use args::Args;
pub use exit_status::{ExitStatus, UsageError};
pub use io::{Output, ReadProgress, cannot_read, ensure_apart};
pub use name::program_name;
pub use pictures::PictureArgs;
pub use print::{
    eprint_line, info, known_fields, print_json, print_line, print_report, solutions_fields,
};
pub use progress_bar::{BarOutput, ProgressBar, StatusLine, showing};
pub use quote::{quoted, shell};
pub use signals::Interrupt;
pub use values::{OrAuto, bytes, choices, duration, file_to_write, kernels, named};
