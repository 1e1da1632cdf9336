//! `tallyboard queens one`: one solution of a board of any size.

use std::fmt;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use clap::builder::{PossibleValue, TypedValueParser};
use serde::{Serialize, Serializer};
use tallyboard_base::figures::{counted, grouped, memory_size};
use tallyboard_base::memory;
use tallyboard_classroom::draw;
use tallyboard_queens::place::{
    Limits, Method, Opening, Order, Solution, explicit, solve, solve_board,
};
use tallyboard_queens::text::{Notation, append_columns};

use super::arguments::{ReadingArgs, SizeOrFile, SquareArgs, size_or_file};
use crate::terminal::{
    Args, ExitStatus, OrAuto, Output, PictureArgs, UsageError, choices, duration, ensure_apart,
    info, pictures,
};

#[derive(Debug, clap::Args)]
pub struct OneArgs {
    /// Board size, up to 4,294,967,295, for pictures up to 200; or a file of boards up to 32, as `queens count` reads them
    #[arg(value_name = "N|FILE", value_parser = size_or_file(u32::MAX))]
    pub board: SizeOrFile,

    #[command(flatten)]
    pub squares: SquareArgs,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// How to find it; auto is the explicit construction, greedy-repair with --seed, and backtrack with
    /// --place or --block
    #[arg(long, default_value = "auto", value_name = "METHOD", value_parser = methods())]
    pub method: OrAuto<Method>,

    /// Seed of the random methods
    #[arg(long)]
    pub seed: Option<u64>,

    /// Give up after this many steps
    #[arg(long, value_name = "M")]
    pub max_steps: Option<u64>,

    /// Give up after this time: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,

    /// las-vegas: rows to fill at random before backtracking
    #[arg(long, value_name = "K")]
    pub k: Option<u32>,

    /// How the solution is written; a board up to n = 40, a vector beyond
    #[arg(long, value_enum)]
    pub format: Option<OneFormat>,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OneFormat {
    /// A board with the names of its ranks and files
    Board,
    /// The file of each rank's queen, from 1 for a, from the top rank down
    Vector,
    /// One document with these numbers as `columns`, and what they cost
    Json,
    /// The same numbers as a vector, with commas
    Csv,
    /// Rows such as 1Q2 from the top down, with slashes between them
    FenLike,
}

/// Reads `auto` or the name of a method.
fn methods() -> impl TypedValueParser<Value = OrAuto<Method>> {
    let auto = PossibleValue::new("auto").help("The best for the other options");
    let name = |method: Method| PossibleValue::new(method.name()).help(description(method));
    choices(auto, Method::all().map(name))
}

fn description(method: Method) -> &'static str {
    match method {
        Method::Explicit => "Written down at once, any n",
        Method::Backtrack { order: Order::FewestFirst } => {
            "Backtracking, the row with the fewest free squares first"
        }
        Method::Backtrack { order: Order::TopDown } => "Backtracking from the top row down",
        Method::LasVegas { .. } => "Random rows, then backtracking",
        Method::Repair => "Conflict repair: sweeps that move every queen",
        Method::GreedyRepair { opening: Opening::Careful } => {
            "Swaps of attacked queens, from a careful start"
        }
        Method::GreedyRepair { opening: Opening::Random } => {
            "Swaps of attacked queens, from a random start"
        }
    }
}

impl OneArgs {
    /// The method asked for, with its settings; otherwise the best one for the other options and a board with these squares.
    fn method(&self, squares: &SquareArgs) -> Method {
        match &self.method {
            Some(Method::LasVegas { .. }) => Method::LasVegas { random_rows: self.k },
            Some(method) => *method,
            None if !squares.is_plain() => Method::Backtrack { order: Order::FewestFirst },
            None if self.seed.is_some() => Method::GreedyRepair { opening: Opening::Careful },
            None => Method::Explicit,
        }
    }
}

/// The largest n that is written as a board by default.
const LARGEST_DRAWN: u32 = 40;
/// From this n on, the explicit solution is written while it is computed, and so it is never whole in memory.
const SMALLEST_STREAMED: u32 = 10_000_000;

/// Finds, checks and writes one solution.
pub fn run(flags: &OneArgs, args: &Args) -> Result<ExitStatus> {
    let (n, squares) = flags.board.one(&flags.squares, &flags.reading, args)?.flat()?;
    let method = flags.method(&squares);
    refuse_unused_options(flags, &squares, &method)?;
    ensure_apart(
        flags.board.file(),
        flags.output.as_deref().into_iter().chain(flags.pictures.paths()),
    )?;
    let default_format = if n <= LARGEST_DRAWN { OneFormat::Board } else { OneFormat::Vector };
    let format = flags.format.unwrap_or(default_format);
    ensure!(
        n <= draw::MAX_BOARD_ROWS || !flags.pictures.wanted(),
        "pictures go up to n = {}, not {}",
        draw::MAX_BOARD_ROWS,
        n
    );
    let separator = match format {
        OneFormat::Vector => Some(b' '),
        OneFormat::Csv => Some(b','),
        _ => None,
    };
    if let Some(separator) = separator
        && method == Method::Explicit
        && n >= SMALLEST_STREAMED
    {
        return stream_explicit(flags, n, separator, args);
    }
    ensure_memory(&method, n, format)?;
    let began = Instant::now();
    let limits = Limits { max_steps: flags.max_steps, time: flags.time_limit, stop: None };
    let found = match method {
        Method::Backtrack { order } if !squares.is_plain() => {
            let board = squares.board_with_warnings(n, args)?;
            solve_board(&board, order, &limits)?
        }
        _ => solve(n, &method, flags.seed.unwrap_or(0), &limits)?,
    };
    let report = Report {
        problem: "queens one",
        n,
        method: method.to_string(),
        seed: method.is_random().then(|| flags.seed.unwrap_or(0)),
        seconds: began.elapsed().as_secs_f64(),
        steps: found.steps,
        restarts: found.restarts,
        verified: true,
    };
    let mut output = Output::create(flags.output.as_deref())?;
    write_solution(&found, &report, format, &mut output)?;
    output.finish()?;
    if flags.pictures.wanted() {
        pictures::save(&draw::board(found.placement.columns()), &flags.pictures)?;
    }
    if format != OneFormat::Json {
        info(args, report);
    }
    Ok(ExitStatus::Done)
}

/// Fails if the solution and its text need more memory than the machine has left.
fn ensure_memory(method: &Method, n: u32, format: OneFormat) -> Result<()> {
    let text_bytes = max_text_bytes(n, format);
    let rows = u64::from(n);
    let needed = text_bytes.saturating_add(method.bytes_per_row() * rows);
    match memory::too_little(needed, 1) {
        None => Ok(()),
        Some(room) => bail!(
            "{method} takes {} for n = {}, and {room}; --method explicit --format vector takes none",
            memory_size(needed),
            grouped(n)
        ),
    }
}

/// Upper bound on the bytes of the text that is built whole in memory, as boards and FEN-like rows are.
fn max_text_bytes(n: u32, format: OneFormat) -> u64 {
    let rows = u64::from(n);
    match format {
        // A row has ten digits of its rank at most, a blank, n squares and a line break.
        OneFormat::Board => rows.saturating_mul(rows + 12),
        // A row has two numbers of empty squares, of ten digits at most, a queen and a slash.
        OneFormat::FenLike => 22 * rows,
        OneFormat::Vector | OneFormat::Csv | OneFormat::Json => 0,
    }
}

/// Fails if an option is given that the method does not use.
fn refuse_unused_options(flags: &OneArgs, squares: &SquareArgs, method: &Method) -> Result<()> {
    let is_explicit = *method == Method::Explicit;
    let is_backtrack = matches!(method, Method::Backtrack { .. });
    let is_las_vegas = matches!(method, Method::LasVegas { .. });
    // An option that is given in vain, and a method that takes it.
    let refused = [
        (flags.k.is_some() && !is_las_vegas, "--k", "las-vegas"),
        (flags.seed.is_some() && !method.is_random(), "--seed", "greedy-repair"),
        (flags.max_steps.is_some() && is_explicit, "--max-steps", "backtrack"),
        (flags.time_limit.is_some() && is_explicit, "--time-limit", "backtrack"),
        (!squares.place.is_empty() && !is_backtrack, "--place", "backtrack"),
        (!squares.block.is_empty() && !is_backtrack, "--block", "backtrack"),
    ];
    let Some((_, option, taker)) = refused.into_iter().find(|(is_refused, ..)| *is_refused) else {
        return Ok(());
    };
    Err(UsageError(match (&flags.method, squares.is_plain()) {
        (None, true) => format!(
            "the method {method}, which auto takes here, does not take {option}; --method {taker} does"
        ),
        (None, false) => {
            format!("the method {method}, the one for --place and --block, does not take {option}")
        }
        _ => format!("--method {method} does not take {option}"),
    })
    .into())
}

/// How a solution was found, and what it took.
#[derive(Debug, Serialize)]
struct Report {
    problem: &'static str,
    n: u32,
    method: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    seconds: f64,
    steps: u64,
    restarts: u64,
    /// Always true: a solution is checked before it is written.
    verified: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { method, seconds, .. } = self;
        let seed = self.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
        let steps = counted(self.steps, "step");
        let restarts = counted(self.restarts, "restart");
        let n = grouped(self.n);
        write!(f, "n = {n}, {method}{seed}: {seconds:.3} s, {steps}, {restarts}; verified")
    }
}

/// Writes a solution in `format`; `report` is a part of the JSON document.
fn write_solution(
    found: &Solution,
    report: &Report,
    format: OneFormat,
    output: &mut dyn Write,
) -> Result<()> {
    let columns = found.placement.columns();
    let notation = match format {
        OneFormat::Board => Notation::Board,
        OneFormat::FenLike => Notation::Fen,
        OneFormat::Vector => return write_vector(columns, b' ', output),
        OneFormat::Csv => return write_vector(columns, b',', output),
        OneFormat::Json => return write_document(&Document { report, columns }, output),
    };
    let mut text = Vec::new();
    notation.append(columns.iter().copied(), &mut text);
    if format != OneFormat::Board {
        text.push(b'\n');
    }
    Ok(output.write_all(&text)?)
}

fn write_vector(columns: &[u32], separator: u8, output: &mut dyn Write) -> Result<()> {
    /// The number of columns that are turned into text before they are written.
    const BLOCK: usize = 1 << 16;
    let mut text = Vec::new();
    for (index, block) in columns.chunks(BLOCK).enumerate() {
        text.clear();
        if index > 0 {
            text.push(separator);
        }
        append_columns(block, &mut text, separator);
        output.write_all(&text)?;
    }
    Ok(output.write_all(b"\n")?)
}

/// The JSON document: the report and the solution.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// The column of each row's queen, counted from 1, top row first.
    #[serde(serialize_with = "from_one")]
    columns: &'a [u32],
}

fn from_one<S: Serializer>(columns: &[u32], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(columns.iter().map(|&column| u64::from(column) + 1))
}

fn write_document(document: &Document, output: &mut dyn Write) -> Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    serde_json::to_writer(&mut output, document)?;
    writeln!(output)?;
    Ok(output.flush()?)
}

/// Writes the explicit solution while it is computed, for boards too large to hold in memory.
fn stream_explicit(flags: &OneArgs, n: u32, separator: u8, args: &Args) -> Result<ExitStatus> {
    let began = Instant::now();
    let mut output = Output::with_compression_threads(flags.output.as_deref(), args.threads)?;
    let progressions = explicit(n).expect("only boards of 2 and 3 rows have no solution");
    for (index, progression) in progressions.into_iter().enumerate() {
        if index > 0 {
            output.write_all(&[separator])?;
        }
        progression.write(separator, &mut output)?;
    }
    output.write_all(b"\n")?;
    output.finish()?;
    let n = grouped(n);
    let seconds = began.elapsed().as_secs_f64();
    let smallest = grouped(SMALLEST_STREAMED);
    let why = format!("right by construction (boards under {smallest} are verified too)");
    info(args, format_args!("n = {n}, explicit: {seconds:.3} s; {why}"));
    Ok(ExitStatus::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queen in the middle leaves two long numbers in a FEN-like row.
    #[test]
    fn no_text_takes_more_memory_than_its_bound() {
        for (format, notation, sizes) in [
            (OneFormat::Board, Notation::Board, [1, 40, 700]),
            (OneFormat::FenLike, Notation::Fen, [1, 40, 1_000_000]),
        ] {
            for n in sizes {
                let mut text = Vec::new();
                notation.append((0..n).map(|_| n / 2), &mut text);
                let bound = max_text_bytes(n, format);
                assert!(text.len() as u64 <= bound, "{format:?} {n}: {} > {bound}", text.len());
            }
        }
    }
}
