//! Flags of `tallyboard queens`.

use clap::{Args, Subcommand};
use tallyboard::queens::MAX_N;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all solutions
    Count(Count),
}

#[derive(Debug, Args)]
pub struct Count {
    /// Board size: n queens on n × n squares
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
