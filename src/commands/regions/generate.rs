//! `tallyboard regions generate`

use std::path::PathBuf;

use anyhow::Result;
use tallyboard_regions::format::line;
use tallyboard_regions::{Board, Generator, Wishes};

use crate::commands::generate::{self, Take, Wanted};
use crate::terminal::{Args, ExitStatus, Interrupt, UsageError};

#[derive(Debug, clap::Args)]
pub struct GenerateArgs {
    /// The number of boards
    #[arg(default_value_t = 1)]
    pub count: u64,

    /// The number of rows, columns and regions
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub size: usize,

    /// The stars of each row, column and region
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub stars: usize,

    /// The fewest cells of a region: 2 leaves out regions that give their star away
    #[arg(long, value_name = "CELLS", default_value_t = 1)]
    pub smallest: usize,

    /// The most cells of a region
    #[arg(long, value_name = "CELLS")]
    pub largest: Option<usize>,

    /// Only boards that `explain` solves by steps up to this level; 5 leaves out trial and error
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(1..=6))]
    pub level: Option<u32>,

    /// The same seed gives the same boards
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Write rows of letters with a blank line between boards instead of a line a board
    #[arg(long)]
    pub rows: bool,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Writes the boards asked for.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<ExitStatus> {
    let mut wishes = Wishes::new(flags.size, flags.stars);
    wishes.smallest = flags.smallest;
    wishes.largest = flags.largest.unwrap_or(wishes.largest);
    let generator = Generator::new(wishes, flags.seed).map_err(UsageError::of)?;
    let interrupt = Interrupt::listen();
    let wanted = Wanted { count: flags.count, name: "board", output: flags.output.as_deref() };
    let GenerateArgs { count, level, .. } = *flags;
    let make = |take: &mut Take| {
        generator.generate(count, level, args.threads, interrupt.stop(), |boards, tried| {
            let text: String = boards.iter().map(|board| text(board, flags.rows)).collect();
            take(text.as_bytes(), boards.len(), tried)
        })
    };
    generate::run(&wanted, &interrupt, args, Box::new(make))
}

/// A board as a line, or as rows with a blank line behind them.
fn text(board: &Board, as_rows: bool) -> String {
    let line = line(board);
    if !as_rows {
        return line + "\n";
    }
    // Names of regions are ASCII.
    let rows = line.as_bytes().chunks(board.size()).map(|row| String::from_utf8_lossy(row) + "\n");
    rows.chain(["\n".into()]).collect()
}
