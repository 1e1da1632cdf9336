//! `tallyboard regions solve` and `canon`

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::builder::TypedValueParser;
use tallyboard_base::figures::{counted, grouped, with_prefix};
use tallyboard_regions::format::{ReadError, Record, line};
use tallyboard_regions::solve_stream;
use tallyboard_regions::{
    Board, Limits, RowFormat, StreamError, StreamSettings, Summary, canonical,
};

use super::{FileArgs, KernelArgs};
use crate::games::regions::{mistake, records};
use crate::terminal::{Args, ExitStatus, Interrupt, Output, ensure_apart, info, io, named};

#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Look for no more solutions of a board than this: 2 tell whether the first is the only one
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,

    /// Give a board up before a guess beyond this many: its row has no number of solutions then
    #[arg(long, value_name = "N")]
    pub guesses: Option<u64>,

    /// How to write: `lines` of board, number of solutions and columns of the first; `csv` and `jsonl` with guesses and sizes of
    /// regions
    #[arg(long, value_name = "FORMAT", default_value = "lines", value_parser = row_formats())]
    pub to: RowFormat,

    #[command(flatten)]
    pub kernel: KernelArgs,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Reads the name of a way to write answers.
fn row_formats() -> impl TypedValueParser<Value = RowFormat> {
    named(RowFormat::ALL.map(RowFormat::name))
}

/// Writes a row for each board.
pub fn run(flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let file = &flags.file.file;
    ensure_apart([&**file], flags.output.as_deref())?;
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let settings = StreamSettings {
        limits: Limits { solutions: flags.limit, guesses: flags.guesses.unwrap_or(u64::MAX) },
        format: flags.to,
        instructions: flags.kernel.instructions()?,
        threads: args.threads,
    };
    let mut records = records(&flags.file.file, flags.file.stars)?;
    let mut output = Output::create(flags.output.as_deref())?;
    let solved = solve_stream(&mut records, &mut output, settings, interrupt.stop());
    let summary = match solved {
        _ if interrupt.stop().requested() => return output.interrupted_in(&interrupt, "the list"),
        Ok(summary) => summary,
        Err(StreamError::Read(error)) => {
            // The rows before the mistake are true.
            output.finish()?;
            return Err(mistake(file, error));
        }
        Err(error) => return Err(error.into()),
    };
    output.finish()?;
    let boards = summary.none + summary.one + summary.several + summary.given_up;
    let seconds = began.elapsed().as_secs_f64();
    let rate = with_prefix(boards as f64 / seconds);
    info(
        args,
        format_args!(
            "{} in {seconds:.3} s, {rate} boards/s: {} with one solution, {} with several, {} with none",
            counted(boards, "board"),
            grouped(summary.one),
            grouped(summary.several),
            grouped(summary.none)
        ),
    );
    tell_oddities(flags, &summary, args);
    Ok(ExitStatus::Done)
}

/// Says where boards may have been meant otherwise, and which were given up.
fn tell_oddities(flags: &SolveArgs, summary: &Summary, args: &Args) {
    let file = &flags.file.file;
    if flags.file.stars.is_none()
        && summary.one == 0
        && summary.none + summary.several > 0
        && summary.of_more_stars == 0
    {
        info(
            args,
            "taken to have one star in each row, column and region: `--stars 2` takes two, as in Star Battle",
        );
    }
    if summary.given_up > 0 {
        info(args, format_args!("{} given up", counted(summary.given_up, "board")));
    }
    if let Some(line) = summary.first_cut {
        let cut = counted(summary.cut, "board");
        let name = io::name(file);
        info(
            args,
            format_args!(
                "{cut} with a region in several parts, the first in line {line} of {name}"
            ),
        );
    }
}

#[derive(Debug, clap::Args)]
pub struct CanonArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Leave out boards that are images of one before
    #[arg(long)]
    pub unique: bool,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// Writes the canonical image of each board, a line of letters.
pub fn canon(flags: &CanonArgs) -> Result<ExitStatus> {
    let file = &flags.file.file;
    ensure_apart([&**file], flags.output.as_deref())?;
    let mut output = Output::create(flags.output.as_deref())?;
    let mut seen = HashSet::new();
    for record in records(&flags.file.file, flags.file.stars)? {
        let board = without_marks(record).map_err(|error| mistake(file, error))?;
        let board = canonical(&board);
        if !flags.unique || seen.insert(board.clone()) {
            writeln!(output, "{}", line(&board))?;
        }
    }
    output.finish()?;
    Ok(ExitStatus::Done)
}

/// The board of a record, unless something is given or crossed out there: a line of letters has no place for it, and would be
/// read as another board.
fn without_marks(record: Result<Record, ReadError>) -> Result<Board, ReadError> {
    let Record { board, line, .. } = record?;
    let full = board.size() as u32;
    if board.rows().iter().any(|row| row.stars != 0 || row.possible.count_ones() != full) {
        let mistake = "found stars that are given or cells that are crossed out, expected regions alone: \
            canonical boards are lines of letters";
        return Err(ReadError::Mistake { line, mistake: mistake.to_owned(), text: String::new() });
    }
    Ok(board)
}
