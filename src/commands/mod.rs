//! The program `tallyboard`: its command line, and a file for each command.

pub mod cluster;
pub mod cover;
mod help;
pub mod queens;
pub mod scale;
pub mod sudoku;
mod tips;
mod trace;
mod variant;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::cover::job::CoverFile;
use crate::commands::tips::with_tips;
use crate::counting::problem::Counting;
use crate::terminal::args::Args;
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::process::{begin, complete, manual, prepare};

/// The `tallyboard` program: parses the command line, runs it, and turns the outcome into an exit code.
pub fn main() -> ExitCode {
    begin("tallyboard", || run(&Program::read()?))
}

/// Count the solutions of board puzzles, exactly, on every core.
#[derive(Debug, clap::Parser)]
#[command(version, about, max_term_width = 100, propagate_version = true)]
pub struct Program {
    #[command(flatten)]
    pub args: Args,

    #[command(subcommand)]
    pub command: Command,
}

impl Program {
    /// Reads the command line.
    fn read() -> Result<Self, clap::Error> {
        // To add examples to all help pages takes longer than all else at the start, so it is done only for a call that
        // shows help or an error: such a call is parsed a second time.
        Self::try_parse().or_else(|_| {
            let mut program = Self::clap_command();
            let words: Vec<OsString> = env::args_os().collect();
            let matches = program.try_get_matches_from_mut(&words);
            Self::from_arg_matches(&matches.map_err(|error| with_tips(error, &program, &words))?)
        })
    }

    /// The command line as clap's type, with examples on all help pages.
    fn clap_command() -> clap::Command {
        help::with_examples_and_files(Self::command())
    }
}

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Count the placements of n queens that do not attack each other
    #[command(subcommand)]
    Queens(queens::Command),
    /// Solve and count files of sudokus
    #[command(subcommand)]
    Sudoku(sudoku::Command),
    /// Solve, count and make sudokus by any rules: jigsaw, diagonals, anti-knight, killer, thermometers …
    #[command(subcommand)]
    Variant(variant::Command),
    /// Count the exact covers of any puzzle in a file
    #[command(subcommand)]
    Cover(cover::Command),
    /// Measure how this machine scales
    #[command(subcommand)]
    Scale(scale::Command),
    /// Split a long run into shards for many machines, and merge their results
    #[command(subcommand)]
    Cluster(crate::cluster::Command<cluster::PlanFlags>),
    /// Print a script with which a shell completes commands and options when you press Tab
    Completions {
        /// The shell that reads it
        shell: clap_complete::Shell,
    },
    /// Write manual pages into a folder
    Man {
        /// The folder; made if it does not exist
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// What a solution is called in a journal with this identity. The `show` of each game reads the journals of all games.
fn noun_of(identity: &str) -> &'static str {
    if identity.starts_with("cover ") { CoverFile::NOUN } else { "solution" }
}

/// The first of `items` that equals one before it.
fn first_repeated<T: PartialEq>(items: &[T]) -> Option<&T> {
    let mut places = 0..items.len();
    places.find(|&place| items[..place].contains(&items[place])).map(|place| &items[place])
}

/// Runs the command that `program` names.
fn run(program: &Program) -> Result<ExitStatus> {
    let Program { args, command } = program;
    prepare(args)?;
    match command {
        Command::Queens(command) => queens::run(command, args),
        Command::Sudoku(command) => sudoku::run(command, args),
        Command::Variant(command) => variant::run(command, args),
        Command::Cover(command) => cover::run(command, args),
        Command::Scale(command) => scale::run(command, args),
        Command::Cluster(command) => cluster::run(command, args),
        Command::Completions { shell } => complete(*shell, Program::clap_command()),
        Command::Man { folder } => manual(folder, Program::clap_command()),
    }
}
