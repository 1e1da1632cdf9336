//! Flags of `tallyboard scale`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use tallyboard::queens::MAX_N;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all solutions of an n × n board at 1, 2, 4 … threads
    Queens {
        /// Board size
        #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
        n: u32,
        #[command(flatten)]
        measuring: Measuring,
    },
    /// Solve a sudoku file at 1, 2, 4 … threads
    Sudoku {
        /// One puzzle a line
        file: PathBuf,
        #[command(flatten)]
        measuring: Measuring,
    },
}

#[derive(Debug, Args)]
pub struct Measuring {
    /// The most threads; every core by default
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub max: Option<u16>,

    /// Runs at each thread count
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: u16,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
