//! Flags of `tallyboard queens`.

use clap::{Args, Subcommand};
use tallyboard::queens::MAX_N;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count all solutions
    Count(Count),
    /// List all solutions in lexicographic order
    List(super::place::List),
    /// Find one solution on a board of any size
    One(super::place::One),
    /// Compare the methods that find one solution
    Methods(super::place::Methods),
    /// Check solutions: valid, or which two queens attack each other
    Check(super::place::Check),
    /// Draw the search tree of a small board
    Tree(super::place::Tree),
    /// Step through the backtracking
    Trace(super::place::Trace),
}

#[derive(Debug, Args)]
pub struct Count {
    /// Board size: n queens on n × n squares
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    /// Show how the search prunes: nodes, closed squares and dead ends of every row
    #[arg(short, long, conflicts_with = "json")]
    pub verbose: bool,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
