//! The command line: arguments in, library calls, reports out. Only this module knows clap and the
//! terminal.

pub mod args;
mod cluster;
pub mod ending;
mod forecast;
mod io;
mod journaled;
mod number;
mod pictures;
mod progress_bar;
mod queens;
mod room;
mod scale;
mod shell;
mod signals;
mod sudoku;
mod watch;

use std::sync::Arc;

use anyhow::Result;
use signal_hook::consts::SIGXFSZ;

use args::{Args, Command};
use ending::Ending;

/// Runs the command that `args` name.
pub fn run(args: &Args) -> Result<Ending> {
    // On `auto` this looks at the terminal and at NO_COLOR.
    args.color.choice().write_global();
    // A limit on the size of files is then an error like a full disk, not the end of the program.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    match &args.command {
        Command::Queens(command) => queens::run(command, args),
        Command::Sudoku(command) => sudoku::run(command, args),
        Command::Scale(command) => scale::run(command, args),
        Command::Cluster(command) => cluster::run(command, args),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Man { folder } => shell::man(folder),
    }
}
