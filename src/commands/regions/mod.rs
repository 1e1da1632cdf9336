//! `tallyboard regions …`: queens in coloured regions, and Star Battle.

mod generate;
mod solve;

use std::path::PathBuf;

use anyhow::Result;
use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;

use crate::games::Regions;
use crate::terminal::{OrAuto, UsageError, kernels};
use crate::verbs::VERBS;
use crate::verbs::tree::{Level, commands};

/// The commands of regions.
pub static COMMANDS: Level = Level {
    game: Some(&Regions),
    first: &commands! {
        "solve" solve::SolveArgs: "Solve all boards of a file, and say which have exactly one solution" => |flags, call| solve::run(flags, call.args);
        "generate" generate::GenerateArgs: "Make random boards with exactly one solution" => |flags, call| generate::run(flags, call.args);
        "canon" solve::CanonArgs: "Write one board for all that are equal but for rotation, reflection and the names of regions" => |flags, call| solve::canon(flags, call.args);
    },
    verbs: &VERBS,
    last: &[],
};

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
