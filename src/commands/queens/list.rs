//! `tallyboard queens list` writes solutions, `tallyboard queens check` reads them.

use std::collections::BTreeSet;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use tallyboard_base::figures::{counted, grouped, plural_s};
use tallyboard_classroom::draw;
use tallyboard_queens::solutions::{
    Distribution, Listing, Selection, Solutions, WriteError, sample, write,
};
use tallyboard_queens::text::{Notation, Reader, TextError};
use tallyboard_search::Error;

use super::arguments::{BoardArgs, Given};
use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, PictureArgs, ensure_apart, info, io, pictures, print_line,
};

#[derive(Debug, clap::Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Stop after this many
    #[arg(long, value_name = "K")]
    pub limit: Option<u64>,

    /// Leave out this many at the beginning
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub skip: u64,

    /// One solution of each class under rotation and reflection
    #[arg(long)]
    pub fundamental: bool,

    /// How solutions are written; by default as boards. With --svg or --png they are written only if this or
    /// --output is given
    #[arg(long, value_enum)]
    pub format: Option<ListFormat>,

    /// Draw K solutions at random instead: all equally likely up to n = 15; on larger boards row by row
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=10_000_000), conflicts_with_all = ["limit", "skip", "fundamental"])]
    pub sample: Option<u32>,

    /// Seed of the sample
    #[arg(long, default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ListFormat {
    /// Boards with the names of their ranks and files
    Board,
    /// The file of each rank's queen, from 1 for a, from the top rank down
    Vector,
    /// An array of boards, each an array of rows from the top down
    Json,
    /// The same numbers as a vector, under a header that names the ranks
    Csv,
    /// Rows such as 1Q2 from the top down, with slashes between them
    FenLike,
    /// A page of up to 400 boards
    Svg,
}

/// Upper bound on the boards of a page.
const MAX_DRAWN: u64 = 400;

/// Writes or draws the solutions, or a sample of them.
pub fn run(flags: &ListArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart(
        flags.board.board.file(),
        flags.output.as_deref().into_iter().chain(flags.pictures.paths()),
    )?;
    let given = flags.board.one(args)?;
    if let Some(wanted) = flags.sample {
        return run_sample(flags, given, wanted, args);
    }
    let interrupt = Interrupt::listen();
    let (n, squares) = given.flat()?;
    if flags.fundamental {
        squares.ensure_plain("--fundamental")?;
    }
    let solutions = Solutions::on(&squares.board_with_warnings(n, args)?);
    let listing = Listing {
        selection: if flags.fundamental { Selection::Fundamental } else { Selection::All },
        skip: flags.skip,
        limit: flags.limit.unwrap_or(u64::MAX),
        separator: b"",
        threads: args.threads,
        stop: interrupt.stop(),
    };
    if is_drawn(flags) {
        return match draw_page(flags, n, &solutions, listing) {
            Err(error) if is_stopped(&error) => {
                Ok(interrupt.report_interruption("; nothing is drawn"))
            }
            result => result.map(|()| ExitStatus::Done),
        };
    }
    let mut output = Output::with_compression_threads(flags.output.as_deref(), args.threads)?;
    match write_list(&solutions, listing, &Frame::of(flags, n), &mut output) {
        Err(error) if is_stopped(&error) => output.interrupted_in(&interrupt, "the list"),
        result => result.and_then(|()| output.finish()).map(|()| ExitStatus::Done),
    }
}

/// Whether a signal has ended the list.
fn is_stopped(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error| matches!(error, WriteError::Stopped))
}

/// The columns of a solution, widened to 32 bits.
fn widened(columns: &[u8]) -> Vec<u32> {
    columns.iter().map(|&column| column.into()).collect()
}

/// Fails if columns that were found are no solution.
fn ensure_solution(solutions: &Solutions, columns: &[u8]) -> Result<(), Error> {
    Error::ensure_right(solutions.is_solution(columns), || format!("{columns:?}"))
}

/// Whether the solutions are drawn on a page.
fn is_drawn(flags: &ListArgs) -> bool {
    flags.format == Some(ListFormat::Svg) || flags.pictures.wanted()
}

/// How a list is written: the notation of its solutions, and the text around and between them.
struct Frame {
    notation: Notation,
    begin: String,
    separator: &'static [u8],
    end: &'static str,
}

impl Frame {
    /// The frame of the format that the flags name, for solutions of `n` queens.
    fn of(flags: &ListArgs, n: u32) -> Self {
        let lines = |notation, end| Self { notation, begin: String::new(), separator: b"\n", end };
        match flags.format.unwrap_or(ListFormat::Board) {
            // A board ends with a line break of its own, so an empty line separates two.
            ListFormat::Board => lines(Notation::Board, ""),
            ListFormat::Vector => lines(Notation::Vector, "\n"),
            ListFormat::FenLike => lines(Notation::Fen, "\n"),
            ListFormat::Json => {
                let begin = "[\n".to_owned();
                Self { notation: Notation::Json, begin, separator: b",\n", end: "\n]\n" }
            }
            ListFormat::Csv => {
                let ranks = (1..=n).rev();
                let names: Vec<String> = ranks.map(|rank| format!("rank{rank}")).collect();
                Self { begin: names.join(",") + "\n", ..lines(Notation::Csv, "\n") }
            }
            ListFormat::Svg => unreachable!("a page of pictures is drawn, not written as a list"),
        }
    }

    /// Writes the beginning of the list, and each of `boards` as soon as it comes. Returns their number.
    fn write_boards(
        &self,
        boards: impl Iterator<Item = Result<Vec<u32>, Error>>,
        output: &mut impl Write,
    ) -> Result<u64> {
        output.write_all(self.begin.as_bytes())?;
        let mut written = 0;
        for board in boards {
            let mut text = if written > 0 { self.separator.to_vec() } else { Vec::new() };
            self.notation.append(board?.into_iter(), &mut text);
            output.write_all(&text)?;
            written += 1;
        }
        Ok(written)
    }

    /// The text after `written` solutions. Its first line break ends the last solution, so it lacks that if there is none.
    fn end(&self, written: u64) -> &[u8] {
        if written == 0 { self.end.trim_start().as_bytes() } else { self.end.as_bytes() }
    }
}

fn write_list(
    solutions: &Solutions,
    listing: Listing<'_>,
    frame: &Frame,
    output: &mut (dyn Write + Send),
) -> Result<()> {
    output.write_all(frame.begin.as_bytes())?;
    let listing = Listing { separator: frame.separator, ..listing };
    let append = |columns: &[u8], text: &mut Vec<u8>| {
        ensure_solution(solutions, columns).unwrap_or_else(|error| error.raise());
        frame.notation.append_columns(columns, text);
    };
    let written = write(solutions, &listing, &append, output)?;
    Ok(output.write_all(frame.end(written))?)
}

fn draw_page(flags: &ListArgs, n: u32, solutions: &Solutions, listing: Listing<'_>) -> Result<()> {
    // One solution too many is enough to know that they do not fit on the page.
    let listing = Listing { limit: listing.limit.min(MAX_DRAWN + 1), ..listing };
    let mut columns = Vec::new();
    let append = |board: &[u8], columns: &mut Vec<u8>| {
        ensure_solution(solutions, board).unwrap_or_else(|error| error.raise());
        columns.extend_from_slice(board);
    };
    write(solutions, &listing, &append, &mut columns)?;
    let boards: Vec<Vec<u32>> = columns.chunks_exact(n as usize).map(widened).collect();
    ensure!(
        boards.len() as u64 <= MAX_DRAWN,
        "a page holds {MAX_DRAWN} boards and there are more; choose some with --limit and --skip"
    );
    write_page(flags, n, &boards)
}

/// Saves a page of `boards` to all files that the flags name, and writes their text if that is asked for too.
fn write_page(flags: &ListArgs, n: u32, boards: &[Vec<u32>]) -> Result<()> {
    let kind = if flags.fundamental { " fundamental" } else { "" };
    let queens = counted(n, "queen");
    let count = boards.len();
    let title = format!("{queens}: {}{kind} solution{}", grouped(count), plural_s(count));
    let page = draw::page(&title, flags.skip + 1, boards);
    pictures::save(&page, &flags.pictures)?;
    let text = match flags.format {
        Some(ListFormat::Svg) => page.svg().into_bytes(),
        // If pictures are saved, text is written only if a format or an output was asked for.
        None if flags.output.is_none() => return Ok(()),
        _ => text_of(flags, n, boards)?,
    };
    Output::create(flags.output.as_deref())?.put(text)
}

/// The text of a list of `boards`, in the format that the flags name.
fn text_of(flags: &ListArgs, n: u32, boards: &[Vec<u32>]) -> Result<Vec<u8>> {
    let frame = Frame::of(flags, n);
    let mut text = Vec::new();
    let written = frame.write_boards(boards.iter().cloned().map(Ok), &mut text)?;
    text.extend_from_slice(frame.end(written));
    Ok(text)
}

fn run_sample(flags: &ListArgs, given: Given, wanted: u32, args: &Args) -> Result<ExitStatus> {
    let seed = flags.seed;
    let (n, squares) = given.flat()?;
    let distribution = Distribution::usual(n);
    if distribution == Distribution::RandomRows {
        squares.ensure_plain("--sample beyond n = 15")?;
    }
    let solutions = Solutions::on(&squares.board_with_warnings(n, args)?);
    let drawn = sample(&solutions, wanted as usize, distribution, seed);
    let drawn =
        drawn.map(|columns| ensure_solution(&solutions, &columns).map(|()| widened(&columns)));
    let (written, ending) = if is_drawn(flags) {
        ensure!(u64::from(wanted) <= MAX_DRAWN, "a page holds {MAX_DRAWN} boards");
        let boards = drawn.collect::<Result<Vec<Vec<u32>>, _>>()?;
        write_page(flags, n, &boards)?;
        (boards.len() as u64, ExitStatus::Done)
    } else {
        write_sample(flags, n, drawn)?
    };
    if ending != ExitStatus::Done {
        return Ok(ending);
    }
    let how = match distribution {
        Distribution::Uniform => "every solution equally likely, with replacement",
        Distribution::RandomRows => {
            "random free squares row by row, so not all equally likely: solutions whose rows had few \
             free squares are favoured"
        }
    };
    let written = counted(written, "solution");
    info(args, format_args!("{written} of n = {n} by seed {seed}: {how}"));
    Ok(ending)
}

/// Writes each board as soon as it is drawn, until a signal comes. Returns their number and how the run ends.
fn write_sample(
    flags: &ListArgs,
    n: u32,
    drawn: impl Iterator<Item = Result<Vec<u32>, Error>>,
) -> Result<(u64, ExitStatus)> {
    let frame = Frame::of(flags, n);
    let interrupt = Interrupt::listen();
    let mut output = Output::create(flags.output.as_deref())?;
    let until_signal = drawn.take_while(|_| interrupt.signal().is_none());
    let written = frame.write_boards(until_signal, &mut output)?;
    if interrupt.signal().is_some() {
        let solutions = counted(written, "solution");
        return Ok((written, output.interrupted(&interrupt, &solutions)?));
    }
    output.write_all(frame.end(written))?;
    output.finish()?;
    Ok((written, ExitStatus::Done))
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Solutions in any format that `queens list --help` names, vectors with a 0 counted from 0; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
}

/// Checks every placement of the input. For each wrong one, prints which queens attack each other.
pub fn check(flags: &CheckArgs, args: &Args) -> Result<ExitStatus> {
    let name = io::name(&flags.file);
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, io::open(&flags.file)?));
    let mut valid = 0_u64;
    let mut wrong = 0_u64;
    let mut sizes = BTreeSet::new();
    while let Some((line, placement)) =
        reader.next_placement().map_err(|error| with_input_name(error, &name))?
    {
        sizes.insert(placement.n());
        match placement.check() {
            Ok(()) => valid += 1,
            Err(flaw) => {
                wrong += 1;
                print_line(format_args!("{name}:{line}: {flaw}"))?;
            }
        }
    }
    if !args.quiet {
        let common_size = sizes.first().filter(|_| sizes.len() == 1);
        let of_size = common_size.map_or(String::new(), |&n| format!(" of n = {}", grouped(n)));
        print_line(format_args!("{} valid, {} wrong{of_size}", grouped(valid), grouped(wrong)))?;
    }
    if valid + wrong == 0 {
        return Err(anyhow!("{name}: found no placement of queens"));
    }
    Ok(if wrong == 0 { ExitStatus::Done } else { ExitStatus::Failed })
}

fn with_input_name(error: TextError, name: &str) -> anyhow::Error {
    match error {
        // Its text begins with the line.
        TextError::Bad { .. } => anyhow!("{name}:{error}"),
        error => anyhow::Error::new(error).context(name.to_owned()),
    }
}
