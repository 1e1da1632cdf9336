//! The command line: arguments in, library calls, reports out. Only this module knows clap and the
//! terminal.

pub mod args;
mod cluster;
pub mod ending;
mod forecast;
mod io;
mod journaled;
mod pictures;
mod problem;
mod progress_bar;
mod queens;
mod scale;
mod signals;
mod sudoku;
mod watch;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap_complete::Shell;
use signal_hook::consts::SIGXFSZ;

use args::{Args, Command};
use ending::Ending;
use io::Output;

/// The `tallyboard` program: parses the command line, runs it, and turns the outcome into an exit code.
pub fn main() -> ExitCode {
    match Args::read() {
        Ok(args) => match run(&args) {
            Ok(ending) => ending.into(),
            Err(error) => ending::report(&error),
        },
        Err(message) => ending::print(&message),
    }
}

/// Runs the command that `args` name.
fn run(args: &Args) -> Result<Ending> {
    // On `auto` this looks at the terminal and at NO_COLOR.
    args.color.choice().write_global();
    // A limit on the size of files is then an error like a full disk, not the end of the program.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    match &args.command {
        Command::Queens(command) => queens::run(command, args),
        Command::Sudoku(command) => sudoku::run(command, args),
        Command::Scale(command) => scale::run(command, args),
        Command::Cluster(command) => cluster::run(command, args),
        Command::Completions { shell } => completions(*shell),
        Command::Man { folder } => manual(folder),
    }
}

/// Prints what makes a shell complete the program's words.
fn completions(shell: Shell) -> Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::program(), "tallyboard", &mut script);
    Output::create(None)?.put(script)?;
    Ok(Ending::Done)
}

/// Writes a page for the program and one for each command into `folder`.
fn manual(folder: &Path) -> Result<Ending> {
    let cannot_write = || format!("cannot write manual pages into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_write)?;
    clap_mangen::generate_to(Args::program(), folder).with_context(cannot_write)?;
    Ok(Ending::Done)
}
