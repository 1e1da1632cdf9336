//! The options that every command of every program takes.

use clap::ValueEnum;
use tallyboard_search::MAX_THREADS;

/// Heading, in a command's help, of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// The options that every command of every program takes.
#[derive(Debug, Default, clap::Args)]
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
