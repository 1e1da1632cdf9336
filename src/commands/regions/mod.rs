//! `tallyboard regions …`: queens in coloured regions, and Star Battle.

mod generate;
mod solve;

use std::path::PathBuf;

use anyhow::Result;
use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;

use crate::counting::{CountFlags, count};
use crate::games::{self, Game, Method, Regions};
use crate::terminal::{Args, ExitStatus, OrAuto, UsageError, io, kernels};
use crate::verbs::{Below, Call};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve all boards of a file, and say which have exactly one solution
    Solve(solve::SolveArgs),
    /// Count all solutions of a board
    Count {
        #[command(flatten)]
        file: games::FileArgs,
        #[command(flatten)]
        counting: CountFlags,
    },
    /// Make random boards with exactly one solution
    Generate(generate::GenerateArgs),
    /// Write one board for all that are equal but for rotation, reflection and the names of regions
    Canon(solve::CanonArgs),
    #[command(flatten)]
    Verb(Call<Below<Regions>>),
}

/// Runs one of the regions commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Solve(flags) => solve::run(flags, args),
        Command::Count { file, counting } => {
            // A count reads the head of its file several times.
            io::keep_stream(&file.file)?;
            let job = Regions.read(file, args)?.counting(&Method::default())?;
            // No facts follow from this count.
            count::run(&*job, None, counting, args, &|_, _| Ok((Vec::new(), None)))
        }
        Command::Generate(flags) => generate::run(flags, args),
        Command::Canon(flags) => solve::canon(flags),
        Command::Verb(call) => call.run(args),
    }
}

/// A file of boards.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// The boards: rows of letters or numbers, lines of n x n letters, a table with a column `board`, JSON or TypeScript
    /// with `regions` or `colorRegions`; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,

    /// The stars of each row, column and region; by default what the file says, or 1
    #[arg(long, value_name = "K")]
    pub stars: Option<usize>,
}

/// Files of boards.
#[derive(Debug, clap::Args)]
pub struct FilesArgs {
    /// The boards: rows of letters or numbers, lines of n x n letters, a table with a column `board`, JSON or TypeScript
    /// with `regions` or `colorRegions`; `-` is standard input. Several files are read one after the other
    #[arg(value_name = "FILE", default_value = "-")]
    pub files: Vec<PathBuf>,

    /// The stars of each row, column and region; by default what the file says, or 1
    #[arg(long, value_name = "K")]
    pub stars: Option<usize>,
}

/// The kernel to solve with.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct KernelArgs {
    /// The instructions to solve with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,
}

impl KernelArgs {
    /// Its instructions.
    pub fn instructions(self) -> Result<Instructions> {
        Ok(self
            .kernel
            .map_or(Ok(Instructions::best()), Instructions::of)
            .map_err(UsageError::of)?)
    }
}
