//! `tallyboard regions generate`

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::figures::{counted, with_prefix};
use tallyboard_regions::format::line;
use tallyboard_regions::{GenerateError, Generator, Wishes, explain};

use crate::terminal::{Args, ExitStatus, Interrupt, Output, UsageError, info};

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

/// The boards that are made together, so that they fill the lanes of a vector.
const CHUNK: u64 = 64;

/// Writes the boards asked for.
pub fn run(flags: &GenerateArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let mut wishes = Wishes::new(flags.size, flags.stars);
    wishes.smallest = flags.smallest;
    wishes.largest = flags.largest.unwrap_or(wishes.largest);
    let generator = Generator::new(wishes, flags.seed).map_err(UsageError::of)?;
    let mut output = Output::create(flags.output.as_deref())?;
    let (mut written, mut next) = (0, 0);
    while written < flags.count {
        let chunk = if flags.level.is_some() { CHUNK } else { CHUNK.min(flags.count - written) };
        let numbers: Vec<u64> = (next..next + chunk).collect();
        next += chunk;
        let boards = match generator.boards(&numbers, Instructions::best(), interrupt.stop()) {
            Ok(boards) => boards,
            Err(GenerateError::Stopped(_)) => {
                return output.interrupted(&interrupt, &counted(written, "board"));
            }
            Err(error) => bail!(error),
        };
        for board in boards {
            let is_easy = |level| explain(&board).grade().is_some_and(|grade| grade <= level);
            if written == flags.count || !flags.level.is_none_or(is_easy) {
                continue;
            }
            let text = line(&board);
            if flags.rows {
                for row in text.as_bytes().chunks(board.size()) {
                    output.write_all(row)?;
                    output.write_all(b"\n")?;
                }
            } else {
                output.write_all(text.as_bytes())?;
            }
            output.write_all(b"\n")?;
            written += 1;
        }
    }
    output.finish()?;
    let seconds = began.elapsed().as_secs_f64();
    let rate = with_prefix(written as f64 / seconds);
    info(args, format_args!("{} in {seconds:.3} s, {rate} boards/s", counted(written, "board")));
    Ok(ExitStatus::Done)
}
