//! Flags of `tallyboard sudoku`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use tallyboard::sudoku::block::{self, Kernel};
use tallyboard::sudoku::{Grid, Solver};

use super::journal::Journaling;
use super::place::Pictures;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve every puzzle of a file: `puzzle:count:solution`, in input order
    Solve(Solve),
    /// Count the solutions of every puzzle of a file: `puzzle:count`
    Count(Count),
    /// Draw one puzzle with its solution, givens and found digits told apart
    Draw(Draw),
    /// Draw the search tree over the first empty cells of one puzzle
    Tree(Tree),
}

#[derive(Debug, Args)]
pub struct Draw {
    /// The puzzle, 81 characters
    pub puzzle: Grid,

    #[command(flatten)]
    pub pictures: Pictures,
}

#[derive(Debug, Args)]
pub struct Tree {
    /// The puzzle, 81 characters
    pub puzzle: Grid,

    /// How many empty cells, in reading order
    #[arg(long, default_value_t = 3, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub cells: u8,

    #[command(flatten)]
    pub pictures: Pictures,
}

#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    pub files: Files,

    /// Stop counting a puzzle's solutions here; 2 proves uniqueness, 1 takes the first
    #[arg(long, default_value_t = 2, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,

    /// Write bare solutions, an empty line where there is none
    #[arg(long)]
    pub solutions_only: bool,
}

#[derive(Debug, Args)]
pub struct Count {
    #[command(flatten)]
    pub files: Files,

    /// Stop counting a puzzle's solutions here; without it all are counted
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    #[command(flatten)]
    pub journaling: Journaling,
}

#[derive(Debug, Args)]
pub struct Files {
    /// One puzzle a line: 81 characters, blanks as . 0 _ * - x; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Stop at the first line that is no puzzle
    #[arg(long)]
    pub strict: bool,

    /// Solve many puzzles at once, or one at a time
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub engine: Engine,

    /// The vectors of the block engine: auto, portable, avx2 or avx512
    #[arg(long, default_value = "auto", value_name = "KERNEL")]
    pub kernel: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The block engine
    #[default]
    Auto,
    /// Many puzzles at once
    Block,
    /// One puzzle at a time; of several solutions it may show another
    Single,
}

impl Files {
    /// The solver that the flags ask for.
    pub fn solver(&self) -> anyhow::Result<Solver> {
        if self.engine == Engine::Single {
            return Ok(Solver::Single);
        }
        if self.kernel == "auto" {
            return Ok(Solver::default());
        }
        let kernel: Kernel = self.kernel.parse()?;
        anyhow::ensure!(
            block::Engine::new(kernel).is_some(),
            "this CPU cannot run the kernel {kernel}; leave out --kernel to take the best it can"
        );
        Ok(Solver::Block(kernel))
    }
}
