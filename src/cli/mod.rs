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
use std::thread;

use anyhow::{Context, Result};
use clap_complete::Shell;

use args::{Args, Command};
use ending::Ending;
use io::Output;

/// The stack of the program: what most systems give it where nobody limits it (`ulimit -s`).
const STACK_BYTES: usize = 8 << 20;

/// The `tallyboard` program: parses the command line, runs it, and turns the outcome into an exit code.
pub fn main() -> ExitCode {
    io::guard_closed_stdout();
    let thread = thread::Builder::new().name("main".into()).stack_size(STACK_BYTES).spawn(program);
    match thread {
        // What panicked has been said.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        // Without a thread to be had there is the stack that the system gives.
        Err(_) => program(),
    }
}

fn program() -> ExitCode {
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
    signals::begin()?;
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
