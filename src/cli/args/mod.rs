//! Command-line flags, without any behaviour.

pub mod cluster;
pub mod cover;
pub mod help;
pub mod place;
pub mod queens;
pub mod scale;
pub mod shared;
pub mod sudoku;

use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use search::MAX_THREADS;

/// Heading, in a command's help, of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// The options that every command of every program takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Worker threads; 0 takes RAYON_NUM_THREADS, or else every core
    #[arg(short = 'j', long, global = true, default_value_t = 0, value_name = "T", value_parser = thread_range(), help_heading = EVERYWHERE)]
    pub threads: usize,

    /// Print no progress and no remarks, and of a count or an estimate only the number (of sudokus, the row)
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub quiet: bool,

    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = EVERYWHERE)]
    pub color: Color,
}

/// Count the solutions of board puzzles, exactly, on every core.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, propagate_version = true)]
pub struct Program {
    #[command(flatten)]
    pub args: Args,

    #[command(subcommand)]
    pub command: Command,
}

impl Program {
    /// Reads the command line.
    pub fn read() -> Result<Self, clap::Error> {
        // The ends of all help pages take longer than the rest of a start. Only a call that shows help or an error
        // needs them.
        Self::try_parse().or_else(|_| Self::from_arg_matches(&Self::known().try_get_matches()?))
    }

    /// The command line as clap's type, with the ends of its help.
    pub fn known() -> clap::Command {
        help::with_ends(Self::command())
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count the placements of n queens that do not attack each other
    #[command(subcommand)]
    Queens(queens::Command),
    /// Solve and count files of sudokus
    #[command(subcommand)]
    Sudoku(sudoku::Command),
    /// Count the exact covers of any puzzle in a file
    #[command(subcommand)]
    Cover(cover::Command),
    /// Measure how this machine scales
    #[command(subcommand)]
    Scale(scale::Command),
    /// Split a long run into shards for many machines, and merge their results
    #[command(subcommand)]
    Cluster(cluster::Command<cluster::PlanFlags>),
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

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// The choice as the type of `anstream`, which writes colours.
    pub fn choice(self) -> anstream::ColorChoice {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
    }
}

fn thread_range() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(0..=MAX_THREADS as u64)
}
