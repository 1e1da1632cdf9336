//! The process and its terminal: options of every command, streams, signals, progress, exit codes. Nothing here knows
//! a problem.

mod args;
pub mod io;
mod os;
pub mod pictures;
mod print;
pub mod process;
mod progress_bar;
mod signals;

pub use args::{
    Args, ExitStatus, OrAuto, UsageError, bytes, choices, duration, file_to_write, kernels, named,
};
pub use io::{Output, ReadProgress, cannot_read, ensure_apart};
pub use pictures::PictureArgs;
pub use print::{
    eprint_line, info, known_fields, print_json, print_line, print_report, program_name, quoted,
    shell, solutions_fields,
};
pub use progress_bar::{BarOutput, ProgressBar, StatusLine, showing, watching};
pub use signals::Interrupt;
