//! The command line: arguments in, library calls, reports out. Only this module and
//! [`program`](crate::program) know clap and the terminal.

pub mod args;
pub mod cluster;
mod cover;
pub mod ending;
pub mod forecast;
pub mod identities;
pub mod io;
pub mod journaled;
mod os;
mod pictures;
pub mod problem;
pub mod progress_bar;
pub mod queens;
pub mod scale;
pub mod signals;
mod sudoku;
mod trace;
pub mod watch;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::thread;

use anyhow::{Context, Result};
use clap_complete::Shell;

use args::{Args, Command, Program};
use ending::Ending;
use io::Output;

/// The size of the program's stack: the default of most systems, whatever `ulimit -s` says.
const STACK_BYTES: usize = 8 << 20;

/// The `tallyboard` program: parses the command line, runs it, and turns the outcome into an exit code.
pub fn main() -> ExitCode {
    begin(program(), || run(&Program::read()?))
}

/// Runs the program that is called `name`. Help and the version are [`clap::Error`]s too.
pub fn begin(name: &'static str, run: fn() -> Result<Ending>) -> ExitCode {
    // Only the first call gives a name, and a process has one program.
    let _ = NAME.set(name);
    os::guard_closed_stdout();
    let end = move || match run().map_err(|error| error.downcast::<clap::Error>()) {
        Ok(ending) => ending.into(),
        Err(Ok(message)) => ending::print(&message),
        Err(Err(error)) => ending::report(&error),
    };
    let thread = thread::Builder::new().name("main".into()).stack_size(STACK_BYTES).spawn(end);
    match thread {
        // The panic has printed its message.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        // If no thread can be started, the stack of this one has to do.
        Err(_) => end(),
    }
}

static NAME: OnceLock<&str> = OnceLock::new();

/// The name of the program that runs, as its messages begin.
pub fn program() -> &'static str {
    NAME.get().copied().unwrap_or("tallyboard")
}

/// Prepares the process for a command.
pub fn prepare(args: &Args) -> Result<()> {
    // On `auto` this looks at the terminal and at NO_COLOR.
    args.color.choice().write_global();
    signals::begin()
}

/// Runs the command that `program` names.
fn run(program: &Program) -> Result<Ending> {
    let Program { args, command } = program;
    prepare(args)?;
    match command {
        Command::Queens(command) => queens::run(command, args),
        Command::Sudoku(command) => sudoku::run(command, args),
        Command::Cover(command) => cover::run(command, args),
        Command::Scale(command) => scale::run(command, args),
        Command::Cluster(command) => cluster::run_ours(command, args),
        Command::Completions { shell } => complete(*shell, Program::known()),
        Command::Man { folder } => manual(folder, Program::known()),
    }
}

/// Prints the script with which a shell completes the program's commands and options.
pub fn complete(shell: Shell, mut known: clap::Command) -> Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut known, program(), &mut script);
    Output::create(None)?.put(script)?;
    Ok(Ending::Done)
}

/// Writes manual pages for the program and each command into `folder`.
pub fn manual(folder: &Path, known: clap::Command) -> Result<Ending> {
    let cannot_write = || format!("cannot write manual pages into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_write)?;
    clap_mangen::generate_to(known, folder).with_context(cannot_write)?;
    Ok(Ending::Done)
}
