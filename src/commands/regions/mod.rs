//! `tallyboard regions …`: queens in coloured regions, and Star Battle.

mod draw;
mod explain;
mod generate;
mod solve;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::RangedU64ValueParser;
use serde::{Deserialize, Serialize};
use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::figures::counted;
use tallyboard_regions::format::{ReadError, Record, Records};
use tallyboard_regions::{Board, Count};

use crate::counting::{
    CountFlags, Counting, Error, KERNEL, Resources, Run, SampleFlags, count, estimate, verify,
};
use crate::terminal::{Args, ExitStatus, OrAuto, UsageError, cannot_read, info, io, kernels};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve all boards of a file, and say which have exactly one solution
    Solve(solve::SolveArgs),
    /// Count all solutions of a board
    Count {
        #[command(flatten)]
        board: BoardArgs,
        #[command(flatten)]
        counting: CountFlags,
    },
    /// List the solutions of a board, in an order that depends on the board alone
    List(solve::ListArgs),
    /// Draw a board in colours, with its solution if asked for
    Draw(draw::DrawArgs),
    /// Make random boards with exactly one solution
    Generate(generate::GenerateArgs),
    /// Explain the solution by the steps that people use, and grade the board by them
    Explain(explain::ExplainArgs),
    /// Write one board for all that are equal but for rotation, reflection and the names of regions
    Canon(solve::CanonArgs),
    /// Estimate the count and its time from randomly drawn subtrees, which are counted exactly
    Estimate {
        #[command(flatten)]
        board: BoardArgs,
        #[command(flatten)]
        sampling: SampleFlags,
    },
    /// Count with every kernel and compare their counts
    Verify {
        #[command(flatten)]
        board: BoardArgs,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Runs one of the regions commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Solve(flags) => solve::run(flags, args),
        Command::Count { board, counting } => {
            // No facts follow from this count.
            count::run(&board.job(args)?, None, counting, args, &|_, _| Ok((Vec::new(), None)))
        }
        Command::List(flags) => solve::list(flags, args),
        Command::Draw(flags) => draw::run(flags, args),
        Command::Generate(flags) => generate::run(flags, args),
        Command::Explain(flags) => explain::run(flags, args),
        Command::Canon(flags) => solve::canon(flags),
        Command::Estimate { board, sampling } => {
            estimate::run(&board.job(args)?, None, sampling, args)
        }
        Command::Verify { board, json } => verify::run(&board.job(args)?, *json, args),
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

/// One board of a file.
#[derive(Debug, clap::Args)]
pub struct BoardArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// The number of the board in the file, from 1 [default: 1]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub board: Option<usize>,
}

impl FileArgs {
    /// The boards of the file, one after the other.
    pub fn records(&self) -> Result<Records<Box<dyn BufRead + Send>>> {
        records(&self.file, self.stars)
    }
}

/// The boards of the file at `path`, one after the other.
fn records(path: &Path, stars: Option<usize>) -> Result<Records<Box<dyn BufRead + Send>>> {
    Ok(Records::new(Box::new(BufReader::with_capacity(1 << 20, io::open(path)?)), stars))
}

/// A mistake in a file as a message with its name.
pub fn mistake(path: &Path, error: ReadError) -> anyhow::Error {
    match error {
        ReadError::Io(error) => anyhow::Error::new(error).context(cannot_read(path)),
        error => UsageError(format!("{}: {error}", io::name(path))).into(),
    }
}

/// The board with this number, from 1, in the file at `path`.
fn nth(path: &Path, stars: Option<usize>, number: usize) -> Result<Record> {
    let mut found = 0;
    for record in records(path, stars)? {
        let record = record.map_err(|error| mistake(path, error))?;
        found += 1;
        if found == number as u64 {
            return Ok(record);
        }
    }
    Err(too_few(path, found, number))
}

/// The error of a file with fewer boards than asked for.
fn too_few(path: &Path, found: u64, expected: usize) -> anyhow::Error {
    let boards = counted(found, "board");
    // The formats as in the help of `FileArgs::file`.
    UsageError(format!(
        "{}: found {boards}, expected at least {expected}: rows of letters or numbers, lines, a table, JSON or TypeScript",
        io::name(path)
    ))
    .into()
}

impl BoardArgs {
    /// The board. If it was not chosen and others follow, that is said.
    pub fn read(&self, args: &Args) -> Result<Record> {
        let FileArgs { file, stars } = &self.file;
        let Some(number) = self.board else {
            let mut boards = records(file, *stars)?;
            let first = boards.next().ok_or_else(|| too_few(file, 0, 1))?;
            if boards.next().is_some() {
                info(args, "this is the first of several boards: `--board N` takes another");
            }
            return first.map_err(|error| mistake(file, error));
        };
        nth(file, *stars, number)
    }

    /// All solutions of the board. What is odd about it is said.
    fn job(&self, args: &Args) -> Result<RegionsFile> {
        let FileArgs { file, stars } = &self.file;
        // A count reads its board several times.
        io::keep_stream(file)?;
        report_cuts(&self.read(args)?.board, args);
        Ok(RegionsFile {
            file: file.clone(),
            stars: *stars,
            board: self.board.unwrap_or(1),
            kernel: None,
        })
    }
}

/// Tells the regions that lie in several parts: mostly a slip of whoever typed the board.
fn report_cuts(board: &Board, args: &Args) {
    let names: Vec<String> = board
        .cut_regions()
        .into_iter()
        .map(|region| tallyboard_regions::format::region_name(region).to_string())
        .collect();
    if !names.is_empty() {
        let names = names.join(", ");
        info(args, format_args!("regions in several parts, counted from the upper left: {names}"));
    }
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

/// All solutions of a board in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionsFile {
    pub file: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stars: Option<usize>,
    /// The number of the board in the file, from 1.
    pub board: usize,
    /// All kernels find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    pub kernel: Option<Kernel>,
}

impl Counting for RegionsFile {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        let board = nth(&self.file, self.stars, self.board)?.board;
        let instructions = self.kernel.map_or(Ok(Instructions::best()), Instructions::of)?;
        let number =
            if self.board == 1 { String::new() } else { format!(", board {}", self.board) };
        Ok(Run::new(Count::with(&board, instructions))
            .title(format!("solutions of {}{number}", io::name(&self.file)))
            .detail("size", board.size().to_string())
            .detail("stars", board.stars().to_string())
            .detail(KERNEL, instructions.kernel().to_string()))
    }

    fn name(&self) -> &'static str {
        "regions"
    }

    fn source(&self) -> &'static str {
        "the file"
    }

    /// The count that the file states.
    fn known(&self) -> Option<u128> {
        nth(&self.file, self.stars, self.board).ok()?.stated.map(u128::from)
    }

    fn methods(&self) -> Vec<Box<dyn Counting>> {
        let with =
            |kernel| Box::new(Self { kernel: Some(kernel), ..self.clone() }) as Box<dyn Counting>;
        Kernel::available().map(with).collect()
    }
}
