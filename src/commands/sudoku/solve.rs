//! `tallyboard sudoku solve`, `canon` and `shuffle`: commands that turn a stream of puzzles into a stream of
//! rows.

use std::path::Path;
use std::sync::Mutex;

use anyhow::{Result, bail, ensure};
use tallyboard_base::figures::{counted, grouped, with_prefix};
use tallyboard_sudoku::format::{Column, FormOptions, Row, RowUnit, Value};
use tallyboard_sudoku::sized::Size;
use tallyboard_sudoku::stream::{Classes, Settings, Summary};

use super::input::{FileArgs, Rows, SolverArgs, Source};
use crate::commands::first_repeated;
use crate::terminal::{
    Args, ExitStatus, Interrupt, UsageError, eprint_line, info, named, print_line,
};

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
    /// canonical, minimal, superfluous, te, te_candidates, backdoor, expand
    ///
    /// clues: their number. count: the number of solutions, up to --limit. solution: the first one. method,
    /// guesses: as for --stats. rating: the mean number of guesses over its canonical form and three images of that, equal for all images.
    /// canonical: its least image, equal for all images. minimal: whether every clue is needed to exclude
    /// other solutions. superfluous: the clues that are not needed, each taken away alone, as r1c9 for row 1,
    /// column 9. te: how deep trial and error by singles has to be nested, 0 if singles do; te_candidates: how many of the
    /// candidates that singles leave go by trials of depth 1; backdoor: the fewest cells whose values leave nothing but singles; these
    /// are empty unless there is one solution. expand: the puzzle with all singles filled in. Puzzles are solved only if a column needs it. A column of the input with the name of one of
    /// these is replaced.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_possible_values = true, value_parser = named::<Value>(Value::ALL.map(Value::name)), conflicts_with = "stats")]
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

/// Solves the puzzles of a file and prints the summary.
pub fn solve(flags: &SolveArgs, args: &Args, interrupt: &Interrupt) -> Result<ExitStatus> {
    let SolveArgs { files, all, check, json, .. } = flags;
    let limit = flags.limit.unwrap_or(if *all { u64::MAX } else { 2 });
    let rows = if !check || files.asks_for_rows() { Rows::Written } else { Rows::LeftOut };
    let is_stdout = files.output.as_deref().is_none_or(|path| path == Path::new("-"));
    if *json && rows == Rows::Written && is_stdout {
        let found = "--json would mix the document and the rows: expected -o with a file";
        bail!(UsageError::of(found));
    }
    let columns = columns(flags)?;
    let default_row = if flags.solutions_only { Row::SOLUTION_ONLY } else { Row::SOLUTION };
    let unit = if *all { RowUnit::Solution } else { RowUnit::Puzzle };
    let settings = Settings {
        limit,
        row: Row { columns: &columns, unit, ..default_row },
        solver: flags.solver.solver()?,
        ..Settings::new(interrupt.stop())
    };
    let options = FormOptions { check: *check, ..files.form.options() };
    let source = Source::open(files, options, interrupt)?;
    source.stream(settings, files, rows, args, |summary| {
        if *json {
            return print_line(summary_json(summary));
        }
        let comparison = if *check { comparison(summary) } else { Vec::new() };
        // With --all every puzzle is also solved with a limit of 2, so that the summary knows the unique ones.
        print_summary(summary, if *all { 2 } else { limit }, &comparison, args)
    })
}

/// The columns that the flags ask for.
fn columns(flags: &SolveArgs) -> Result<Vec<Column>> {
    let SolveArgs { columns, solutions_only, stats, .. } = flags;
    if let Some(twice) = first_repeated(columns) {
        bail!(UsageError(format!("--columns names {twice} twice")));
    }
    Ok(if !columns.is_empty() {
        columns.iter().copied().map(Column::of).collect()
    } else if *solutions_only {
        Row::SOLUTION_ONLY.columns_with(*stats)
    } else if flags.all {
        Row::SOLUTIONS.columns.to_vec()
    } else {
        Row::SOLUTION.columns_with(*stats)
    })
}

/// Replaces every puzzle by its canonical form, or keeps the first record of each class of equivalent puzzles.
pub fn canon(flags: &CanonArgs, args: &Args, interrupt: &Interrupt) -> Result<ExitStatus> {
    let CanonArgs { files, unique } = flags;
    let classes = Mutex::new(Classes::default());
    let row = if *unique { Row { unit: RowUnit::Class, ..Row::RECORD } } else { Row::CANONICAL };
    let settings = Settings { row, classes: Some(&classes), ..Settings::new(interrupt.stop()) };
    let source = Source::open(files, files.form.options(), interrupt)?;
    let size = source.form.size();
    ensure!(size == Size::Nine, "canonical forms are of 9 × 9 grids; found {size}");
    source.stream(settings, files, Rows::Written, args, |summary| {
        let dropped = grouped(summary.repeated);
        let dropped = format!(", {dropped} dropped as images of earlier ones");
        report_count(summary, if *unique { &dropped } else { "" }, args);
        Ok(())
    })
}

/// Writes random images of every record.
pub fn shuffle(flags: &ShuffleArgs, args: &Args, interrupt: &Interrupt) -> Result<ExitStatus> {
    let ShuffleArgs { ref files, times, seed } = *flags;
    let row = Row { unit: RowUnit::Image { times, seed }, ..Row::RECORD };
    let settings = Settings { row, ..Settings::new(interrupt.stop()) };
    let source = Source::open(files, files.form.options(), interrupt)?;
    source.stream(settings, files, Rows::Written, args, |summary| {
        report_count(summary, &format!(", {} of each", counted(times, "image")), args);
        Ok(())
    })
}

/// Says how many puzzles there were; `remark`, which follows their number, says what became of them.
fn report_count(summary: &Summary, remark: &str, args: &Args) {
    let puzzles = counted(summary.puzzles(), "puzzle");
    let bad = counted(summary.bad, "bad line");
    info(args, format_args!("{puzzles}{remark}, {bad}; {}", pace(summary)));
}

/// The summary of a stream as JSON.
fn summary_json(summary: &Summary) -> impl std::fmt::Display {
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

/// Prints the summary of a stream whose puzzles were solved up to `limit`; the lines of the `comparison` follow the first.
pub fn print_summary(
    summary: &Summary,
    limit: u64,
    comparison: &[String],
    args: &Args,
) -> Result<()> {
    if args.quiet {
        return Ok(());
    }
    let puzzles = counted(summary.puzzles(), "puzzle");
    let bad = counted(summary.bad, "bad line");
    // No column needed the solutions, so nothing is known of their numbers.
    if summary.unsolved > 0 {
        eprint_line(format_args!("{puzzles}, {bad}"));
        eprint_line(pace(summary));
        return Ok(());
    }
    eprint_line(format_args!(
        "{puzzles}: {} {}, {} without a solution, {} with more than one, {bad}",
        grouped(summary.unique),
        if limit == 1 { "solved (uniqueness not asked)" } else { "unique" },
        grouped(summary.none),
        grouped(summary.many),
    ));
    comparison.iter().for_each(eprint_line);
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

/// Lines that compare the solutions found with those that the input states.
fn comparison(summary: &Summary) -> Vec<String> {
    let verdict = match summary.disagreements {
        0 => "all right".to_owned(),
        wrong => format!("{} wrong", grouped(wrong)),
    };
    let mut lines = vec![match summary.compared {
        0 => "no stated solution to compare".to_owned(),
        compared => format!("{} compared, {verdict}", counted(compared, "stated solution")),
    }];
    if summary.unstated > 0 {
        lines.push(format!("without a stated solution: {}", grouped(summary.unstated)));
    }
    lines
}

/// The time that a stream took, and its speed.
fn pace(summary: &Summary) -> String {
    let seconds = summary.elapsed.as_secs_f64();
    let rate = with_prefix(summary.puzzles() as f64 / seconds);
    format!("time {seconds:.3} s, {rate} puzzles/s, threads {}", summary.threads)
}
