//! `tallyboard sudoku solve`, `canon` and `shuffle`: commands that turn a stream of puzzles into a stream of
//! rows.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, anyhow, ensure};
use base::figures::{counted, grouped, with_prefix};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sudoku::BadLine;
use sudoku::format::{Column, Form, FormOptions, Row, RowUnit, Value, sniff};
use sudoku::sized::Size;
use sudoku::stream::{Classes, Settings, StreamError, Summary, solve_stream};

use super::files::{FileArgs, FormArgs, SolverArgs};
use crate::terminal::args::Args;
use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::io::{self, Output, ReadProgress};
use crate::terminal::print::{eprint_line, info, print_line};
use crate::terminal::progress_bar::BarOutput;
use crate::terminal::signals::Interrupt;

#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub files: FileArgs,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Stop counting a puzzle's solutions here; 2, the default without --all, proves uniqueness, 1 takes
    /// the first
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Write every solution, up to --limit: a row each, `puzzle:number:solution`
    ///
    /// Solutions come in lexicographic order, numbered from 1. A puzzle without one has one row, with
    /// number 0.
    #[arg(long, conflicts_with_all = ["columns", "stats", "check"])]
    pub all: bool,

    /// Write bare solutions, an empty line where there is none
    #[arg(long, conflicts_with = "columns")]
    pub solutions_only: bool,

    /// The columns to write for each puzzle, in this order: clues, count, solution, method, guesses, rating,
    /// canonical, minimal, superfluous
    ///
    /// clues: their number. count: the number of solutions, up to --limit. solution: the first one. method,
    /// guesses: as for --stats. rating: the mean number of guesses over the puzzle and three images of it.
    /// canonical: its least image, equal for all images. minimal: whether every clue is needed to exclude
    /// other solutions. superfluous: the clues that are not needed, each taken away alone, as r1c9 for row 1,
    /// column 9. Puzzles are solved only if a column needs it. A column of the input with the name of one of
    /// these is replaced.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_possible_values = true, value_parser = values(), conflicts_with = "stats")]
    pub columns: Vec<Value>,

    /// Compare with the solutions that the input states, and report each wrong one; rows are written only
    /// with -o OUT or --to
    #[arg(long)]
    pub check: bool,

    /// Add two columns to each row: the method and the number of guesses
    ///
    /// method: singles (naked and hidden singles alone), locked (locked candidates besides) or guesses.
    /// guesses: how many candidates were tried, depth first, until the limit was reached or all was searched.
    /// For a puzzle without a solution they are the guesses of the proof that it has none. Each puzzle is solved a second
    /// time for this, more slowly.
    #[arg(long)]
    pub stats: bool,

    /// Print the summary as JSON on standard output; rows then go to a file, or nowhere with --check
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub struct CanonArgs {
    #[command(flatten)]
    pub files: FileArgs,

    /// Write the records themselves, and only the first of puzzles that are images of each other
    ///
    /// With several files, puzzles with an image in an earlier file are left out. A class of images takes 15
    /// to 19 bytes of memory.
    #[arg(long)]
    pub unique: bool,
}

#[derive(Debug, clap::Args)]
pub struct ShuffleArgs {
    #[command(flatten)]
    pub files: FileArgs,

    /// How many images of each record. The solution that a record states becomes that of the image; its
    /// other columns stay
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,

    /// The same seed gives the same images of a puzzle, wherever it stands
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
}

fn values() -> impl TypedValueParser<Value = Value> {
    PossibleValuesParser::new(Value::ALL.map(Value::name)).try_map(|name| name.parse::<Value>())
}

/// Upper bound on bad lines that are reported one by one.
const MAX_REPORTED: u64 = 100;
/// Upper bound on titles that are reported.
const MAX_TITLES: usize = 3;

/// Solves the puzzles of a file and prints the summary.
pub fn run(flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = &Interrupt::listen_briefly()?;
    let SolveArgs { files, all, check, json, .. } = flags;
    let limit = flags.limit.unwrap_or(if *all { u64::MAX } else { 2 });
    let rows = if *check { files.rows_if_wanted() } else { Some(files.output.as_deref()) };
    if *json && rows.is_some_and(|path| path.is_none_or(|path| path == Path::new("-"))) {
        let found = "--json would mix the document and the rows: expected -o with a file";
        return Err(UsageError(found.to_owned()).into());
    }
    let columns = columns(flags)?;
    let usual = if flags.solutions_only { Row::SOLUTION_ONLY } else { Row::SOLUTION };
    let unit = if *all { RowUnit::Solution } else { RowUnit::Puzzle };
    let settings = Settings {
        limit,
        row: Row { columns: &columns, unit, ..usual },
        solver: flags.solver.solver()?,
        ..Settings::new(interrupt.stop())
    };
    let solve = || {
        let source = Source::open(files, *check, interrupt)?;
        source.stream(settings, files, rows, args, |summary| {
            if *json {
                print_line(document(summary))
            } else {
                print(summary, if *all { 2 } else { limit }, *check, args)
            }
        })
    };
    interrupt.ending(solve())
}

/// The columns that the flags ask for.
fn columns(flags: &SolveArgs) -> Result<Vec<Column>> {
    let SolveArgs { columns, solutions_only, stats, .. } = flags;
    if let Some((_, twice)) =
        columns.iter().enumerate().find(|(at, it)| columns[..*at].contains(it))
    {
        return Err(UsageError(format!("--columns names {twice} twice")).into());
    }
    Ok(match columns.is_empty() {
        false => columns.iter().copied().map(Column::of).collect(),
        true if *solutions_only => Row::SOLUTION_ONLY.columns_with(*stats),
        true if flags.all => Row::SOLUTIONS.columns.to_vec(),
        true => Row::SOLUTION.columns_with(*stats),
    })
}

/// Replaces every puzzle by its canonical form, or keeps the first record of each class of equivalent puzzles.
pub fn run_canon(flags: &CanonArgs, args: &Args) -> Result<ExitStatus> {
    let CanonArgs { files, unique } = flags;
    let interrupt = &Interrupt::listen_briefly()?;
    let classes = Mutex::new(Classes::new());
    let row = if *unique { Row { unit: RowUnit::Class, ..Row::RECORD } } else { Row::CANONICAL };
    let settings = Settings { row, classes: Some(&classes), ..Settings::new(interrupt.stop()) };
    let canon = || {
        let source = Source::open(files, false, interrupt)?;
        let size = source.form.size();
        ensure!(size == Size::Nine, "canonical forms are of 9 × 9 grids; found {size}");
        source.stream(settings, files, Some(files.output.as_deref()), args, |summary| {
            let dropped = grouped(summary.repeated);
            let dropped = format!(", {dropped} dropped as images of earlier ones");
            remark_sum(summary, if *unique { &dropped } else { "" }, args);
            Ok(())
        })
    };
    interrupt.ending(canon())
}

/// Writes random images of every record.
pub fn run_shuffle(flags: &ShuffleArgs, args: &Args) -> Result<ExitStatus> {
    let ShuffleArgs { ref files, times, seed } = *flags;
    let interrupt = &Interrupt::listen_briefly()?;
    let row = Row { unit: RowUnit::Image { times, seed }, ..Row::RECORD };
    let settings = Settings { row, ..Settings::new(interrupt.stop()) };
    let shuffle = || {
        let source = Source::open(files, false, interrupt)?;
        source.stream(settings, files, Some(files.output.as_deref()), args, |summary| {
            let each = format!(", {} of each", counted(times, "image"));
            remark_sum(summary, &each, args);
            Ok(())
        })
    };
    interrupt.ending(shuffle())
}

/// Says how many puzzles there were and `what` became of them.
fn remark_sum(summary: &Summary, what: &str, args: &Args) {
    let puzzles = counted(summary.puzzles(), "puzzle");
    let bad = counted(summary.bad, "bad line");
    info(args, format_args!("{puzzles}{what}, {bad}; {}", pace(summary)));
}

/// An input, and the form recognised from its first bytes.
pub struct Source<'a> {
    pub form: Form,
    pub input: Box<dyn Read + Send>,
    /// How much of the input has been read.
    read: Arc<ReadProgress>,
    wanted: FormOptions,
    interrupt: &'a Interrupt,
}

impl<'a> Source<'a> {
    /// Opens the first input of `files`; `check` if the solutions that it states are to be checked.
    pub fn open(files: &FileArgs, check: bool, interrupt: &'a Interrupt) -> Result<Self> {
        io::ensure_apart(files.files.iter().map(PathBuf::as_path), files.output.as_deref())?;
        let FormArgs { format, to: output, size, ref column } = files.form;
        let wanted = FormOptions { format, output, size, column: column.clone(), check };
        Self::open_one(&files.files[0], wanted, interrupt)
    }

    fn open_one(path: &Path, wanted: FormOptions, interrupt: &'a Interrupt) -> Result<Self> {
        let cannot_read = || io::cannot_read(path);
        let (input, read) = io::open_until(path, interrupt.shared_stop())?;
        let (head, input) = sniff(input).with_context(cannot_read)?;
        let form = Form::find(&head, &wanted).with_context(cannot_read)?;
        Ok(Self { form, input: Box::new(input), read, wanted, interrupt })
    }

    /// Solves every puzzle of this input and of the other `files` by `settings`, and calls `print` with the summary.
    /// Rows go to the path in `rows`; to standard output if `rows` is `Some(None)`; nowhere if it is `None`.
    pub fn stream(
        self,
        settings: Settings,
        files: &FileArgs,
        rows: Option<Option<&Path>>,
        args: &Args,
        print: impl FnOnce(&Summary) -> Result<()>,
    ) -> Result<ExitStatus> {
        let cannot_read = || io::cannot_read(&files.files[0]);
        self.form.check_columns(settings.row).with_context(cannot_read)?;
        let mut output = rows.map(|path| Output::on_threads(path, args.threads)).transpose()?;
        let settings = Settings { strict: files.strict, threads: args.threads, ..settings };
        let quiet = args.quiet || rows.is_some_and(io::is_screen);
        let first = self.form.clone();
        let wanted = self.wanted.clone();
        let interrupt = self.interrupt;
        let mut source = Some(self);
        let mut sum = Summary::default();
        let mut clean = true;
        for path in &files.files {
            let name = io::name(path);
            let source = match source.take() {
                Some(source) => source,
                None => {
                    let mut source = Self::open_one(path, wanted.clone(), interrupt)?;
                    source.form.follow(&first).with_context(|| io::cannot_read(path))?;
                    source
                }
            };
            let rows: &mut (dyn Write + Send) = match &mut output {
                Some(output) => {
                    source.tell_replaced_columns(settings.row, &name, args);
                    output
                }
                None => &mut std::io::sink(),
            };
            let expects_puzzles = wanted.check || source.form.is_multi_line();
            let summary = match source.solve(rows, &settings, &name, args, quiet) {
                Err(error) if interrupt.has_caused(&error) => {
                    return match output {
                        Some(output) => output.interrupted_in(interrupt, "the output"),
                        None => Err(error),
                    };
                }
                solved => solved?,
            };
            if summary.puzzles() + summary.bad == 0 && expects_puzzles && summary.lines > 0 {
                let lines = counted(summary.lines, "line");
                eprint_line(format_args!("{name}: found no puzzle in {lines}"));
                clean = false;
            }
            sum.merge(&summary);
        }
        output.map_or(Ok(()), Output::finish)?;
        print(&sum)?;
        clean &= sum.bad + sum.disagreements + sum.unstated == 0;
        Ok(if clean { ExitStatus::Done } else { ExitStatus::Failed })
    }

    fn tell_replaced_columns(&self, row: Row, name: &str, args: &Args) {
        for column in self.form.replaced(row) {
            let how = "is replaced by the one that this run writes";
            info(args, format_args!("{name}: the column {column} {how}"));
        }
    }

    /// Solves every puzzle of this input, which is called `name`.
    fn solve(
        self,
        rows: &mut (dyn Write + Send),
        settings: &Settings,
        name: &str,
        args: &Args,
        quiet: bool,
    ) -> Result<Summary> {
        for (line, title) in self.form.titles().take(MAX_TITLES) {
            info(args, format_args!("{name}:{line}: kept as a comment: {title}"));
        }
        let mut reported = 0;
        let report = &mut |bad: &BadLine| {
            reported += 1;
            if reported <= MAX_REPORTED {
                eprint_line(format_args!("{name}:{}: {}", bad.line, bad.error));
            }
        };
        let solved = {
            // The block drops `watched`, which removes the bar before anything else is printed.
            let mut watched = BarOutput::new(rows, quiet, self.interrupt, self.read);
            solve_stream(&self.form, self.input, &mut watched, settings, report)
        };
        if reported > MAX_REPORTED {
            let more = counted(reported - MAX_REPORTED, "more line");
            eprint_line(format_args!("{name}: {more} like these"));
        }
        solved.map_err(|error| explain(error, name))
    }
}

/// The error, with the name of the input if the input caused it.
fn explain(error: StreamError, name: &str) -> anyhow::Error {
    match error {
        StreamError::Bad(bad) => anyhow!("{name}:{}: {}", bad.line, bad.error),
        StreamError::Read(_) | StreamError::LongLine(_) => {
            anyhow::Error::new(error).context(name.to_owned())
        }
        other => other.into(),
    }
}

/// The summary of a stream as JSON.
fn document(summary: &Summary) -> impl std::fmt::Display {
    serde_json::json!({
        "puzzles": summary.puzzles(),
        "unique": summary.unique,
        "none": summary.none,
        "many": summary.many,
        "bad": summary.bad,
        "compared": summary.compared,
        "disagreements": summary.disagreements,
        "unstated": summary.unstated,
        "seconds": summary.elapsed.as_secs_f64(),
        "threads": summary.threads,
    })
}

/// Prints the summary of a stream.
pub fn print(summary: &Summary, limit: u64, check: bool, args: &Args) -> Result<()> {
    if args.quiet {
        return Ok(());
    }
    if summary.unsolved > 0 {
        let (puzzles, bad) =
            (counted(summary.puzzles(), "puzzle"), counted(summary.bad, "bad line"));
        eprint_line(format_args!("{puzzles}, {bad}"));
        eprint_line(pace(summary));
        return Ok(());
    }
    eprint_line(format_args!(
        "{}: {} {}, {} without a solution, {} with more than one, {}",
        counted(summary.puzzles(), "puzzle"),
        grouped(summary.unique),
        if limit == 1 { "solved (uniqueness not asked)" } else { "unique" },
        grouped(summary.none),
        grouped(summary.many),
        counted(summary.bad, "bad line"),
    ));
    if check {
        let right = match summary.disagreements {
            0 => "all right".to_owned(),
            wrong => format!("{} wrong", grouped(wrong)),
        };
        eprint_line(match summary.compared {
            0 => "no stated solution to compare".to_owned(),
            compared => format!("{} compared, {right}", counted(compared, "stated solution")),
        });
        if summary.unstated > 0 {
            eprint_line(format_args!("without a stated solution: {}", grouped(summary.unstated)));
        }
    }
    if summary.solutions > 0 {
        let more = match summary.truncated {
            0 => String::new(),
            cut => format!(
                "; {} more than --limit lets through",
                counted(cut, "puzzle") + if cut == 1 { " has" } else { " have" }
            ),
        };
        eprint_line(format_args!("{} written{more}", counted(summary.solutions, "solution")));
    }
    eprint_line(pace(summary));
    Ok(())
}

fn pace(summary: &Summary) -> String {
    let seconds = summary.elapsed.as_secs_f64();
    let rate = with_prefix(summary.puzzles() as f64 / seconds);
    format!("time {seconds:.3} s, {rate} puzzles/s, threads {}", summary.threads)
}
