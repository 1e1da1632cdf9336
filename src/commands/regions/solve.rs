//! `tallyboard regions solve` and `canon`

use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::builder::TypedValueParser;
use tallyboard_base::figures::counted;
use tallyboard_regions::format::{ReadError, Record, line};
use tallyboard_regions::{
    Board, Limits, Oddities, RowFormat, StreamSettings, canonical, solve_stream,
};
use tallyboard_search::records::{RecordsError, Summary};

use super::{FileArgs, FilesArgs, KernelArgs};
use crate::games::records::{self, Files, print_summary};
use crate::games::regions::{boards, mistake, place, records as boards_of};
use crate::terminal::{Args, ExitStatus, Interrupt, Output, ensure_apart, info, io, named};

#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub files: FilesArgs,

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

    /// Stop at the first record that is no board
    #[arg(long)]
    pub strict: bool,
}

/// Reads the name of a way to write answers.
fn row_formats() -> impl TypedValueParser<Value = RowFormat> {
    named(RowFormat::ALL.map(RowFormat::name))
}

/// Writes a row for each board.
pub fn run(flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let settings = StreamSettings {
        limits: Limits { solutions: flags.limit, guesses: flags.guesses.unwrap_or(u64::MAX) },
        format: flags.to,
        instructions: flags.kernel.instructions()?,
        strict: flags.strict,
        threads: args.threads,
    };
    let FilesArgs { files: inputs, stars } = &flags.files;
    let header = flags.to.header();
    let files = Files { inputs, output: flags.output.as_deref(), header: &header };
    let odd = RefCell::new(Vec::new());
    let mut names = inputs.iter();
    records::run(
        &files,
        &interrupt,
        args,
        &mut |input, rows, report| {
            let input = boards(input).map_err(RecordsError::Read)?;
            let (summary, oddities) =
                solve_stream(input, *stars, rows, settings, interrupt.stop(), report)?;
            odd.borrow_mut().extend(names.next().map(|name| (name, oddities)));
            Ok(summary)
        },
        &mut |summary, elapsed| {
            print_summary(summary, "board", flags.limit, elapsed, args);
            tell_oddities(flags, summary, &odd.borrow(), args);
        },
    )
}

/// Says where boards may have been meant otherwise.
fn tell_oddities(flags: &SolveArgs, summary: &Summary, odd: &[(&PathBuf, Oddities)], args: &Args) {
    if flags.files.stars.is_none()
        && summary.one == 0
        && summary.none + summary.several > 0
        && odd.iter().all(|(_, odd)| odd.of_more_stars == 0)
    {
        info(
            args,
            "taken to have one star in each row, column and region: `--stars 2` takes two, as in Star Battle",
        );
    }
    for (name, Oddities { cut, first_cut, .. }) in odd {
        let Some((line, (row, column))) = first_cut else { continue };
        let cut = counted(*cut, "board");
        let name = io::name(name);
        info(
            args,
            format_args!(
                "{cut} with a region in several parts, the first in line {line} of {name}: {} is apart from the rest of its region",
                place(&(*row, *column))
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
pub fn canon(flags: &CanonArgs, _: &Args) -> Result<ExitStatus> {
    let file = &flags.file.file;
    ensure_apart([&**file], flags.output.as_deref())?;
    let mut output = Output::create(flags.output.as_deref())?;
    let mut seen = HashSet::new();
    for record in boards_of(&flags.file.file, flags.file.stars)? {
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
