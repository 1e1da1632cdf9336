//! `tallyboard sudoku count`: many puzzles as a stream; a single puzzle as a count on all cores, with
//! progress, the time left and a journal.

use std::f64::consts::LN_10;
use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::json;
use tallyboard_base::figures::{about, counted};
use tallyboard_sudoku::format::{Form, OnePuzzle, Row};
use tallyboard_sudoku::sized::{Puzzle, SizedGrid};
use tallyboard_sudoku::stream::Settings;
use tallyboard_sudoku::{Engine, Estimate, Solver};

use super::input::{FileArgs, Rows, SolverArgs, Source};
use super::solve::print_summary;
use crate::counting::{self, CountFlags, DrawFlags, count};
use crate::games::sudoku::{Sudoku, methods, read};
use crate::terminal::{
    Args, ExitStatus, Interrupt, OrAuto, Output, eprint_line, info, io, print_json, print_line,
};

#[derive(Debug, clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub files: FileArgs,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Stop counting a puzzle's solutions here; without it all are counted
    #[arg(long, value_name = "K", conflicts_with_all = ["journal", "subtree", "json"], value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Add two columns to each row: the method (singles, locked, guesses) and the number of guesses,
    /// as for `sudoku solve`, until 20,000 solutions are found
    #[arg(long, conflicts_with_all = ["journal", "subtree", "json"])]
    pub stats: bool,

    /// How to count: find every solution, or join bands, which takes seconds at most however many solutions
    /// there are; auto takes what an estimate of the work finds cheaper
    #[arg(long, default_value = "auto", value_name = "METHOD", value_parser = methods(), conflicts_with_all = ["limit", "stats"])]
    pub method: OrAuto<Engine>,

    #[command(flatten)]
    pub counting: CountFlags,
}

/// An input of fewer bytes is read whole, to find out whether it is a single puzzle.
const MAX_SINGLE_BYTES: usize = 16 << 10;

/// The number of random descents of the estimate that decides on a warning; they take at most 0.1 s.
const FEW_PROBES: u64 = 200;
/// From about this many solutions on there is a warning: finding them one by one takes about a day.
const MANY_SOLUTIONS: f64 = 1e11;

/// Counts the solutions of every puzzle of the input, or estimates those of a single one.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = &match flags.counting.journaling.journal {
        Some(_) => Interrupt::listen(),
        None => Interrupt::listen_with_nothing_to_save(),
    };
    interrupt.ending(count(flags, args, interrupt))
}

/// Counts the solutions of a single puzzle on all cores, or those of every puzzle of a stream.
fn count(flags: &CountArgs, args: &Args, interrupt: &Interrupt) -> Result<ExitStatus> {
    let file = &flags.files.files[0];
    let name = io::name(file);
    let outputs = flags.files.output.iter().chain(&flags.counting.journaling.journal);
    io::ensure_apart(None, outputs.map(PathBuf::as_path))?;
    let mut source = Source::open(&flags.files, flags.files.form.options(), interrupt)?;
    let head = peek(&source.form, &mut source.input).with_context(|| io::cannot_read(file))?;
    let is_short = head.len() < MAX_SINGLE_BYTES && flags.files.files.len() == 1;
    let single = is_short.then(|| OnePuzzle::find(&source.form, &head)).flatten();
    match single {
        Some(single) if flags.limit.is_none() && !flags.stats => {
            for remark in source.form.remarks() {
                info(args, format_args!("{name}: {remark}"));
            }
            count_one(single, flags, args)
        }
        _ if flags.counting.journaling.journal.is_some() => {
            bail!("{name}: --journal expects a single puzzle")
        }
        _ if flags.counting.subtree.is_some() || flags.counting.json => {
            let option = if flags.counting.json { "--json" } else { "--subtree" };
            bail!("{name}: {option} expects a single puzzle")
        }
        _ if flags.method.is_some() => {
            bail!("{name}: --method expects a single 9 × 9 puzzle")
        }
        _ => {
            // The input again from its beginning.
            source.input = Box::new(std::io::Cursor::new(head).chain(source.input));
            let limit = flags.limit.unwrap_or(u64::MAX);
            let columns = Row::COUNT.columns_with(flags.stats);
            let row = Row { columns: &columns, ..Row::COUNT };
            let solver = flags.solver.solver()?;
            let settings = Settings { limit, row, solver, ..Settings::new(interrupt.stop()) };
            source.stream(settings, &flags.files, Rows::Written, args, |summary| {
                print_summary(summary, limit, &[], args)
            })
        }
    }
}

/// Reads the beginning of `input`: all of it if it is short and holds a single puzzle, otherwise enough to see
/// that it does not.
fn peek(form: &Form, input: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut buffer = vec![0; MAX_SINGLE_BYTES];
    loop {
        let read = input.read(&mut buffer)?;
        head.extend_from_slice(&buffer[..read]);
        if read == 0 || head.len() >= MAX_SINGLE_BYTES || OnePuzzle::is_exceeded(form, &head) {
            return Ok(head);
        }
    }
}

/// Counts the solutions of a single puzzle on all cores, and writes its row.
fn count_one(single: OnePuzzle, flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    if let Puzzle::Sized(grid) = single.puzzle() {
        warn_of_many_solutions(grid, args);
    }
    let solver = flags.solver.solver()?;
    let arguments = Sudoku::new(single.puzzle().clone(), flags.method, solver);
    let output = Output::create(flags.files.output.as_deref())?;
    let report = match count::finish(&arguments, None, &flags.counting, args)? {
        Ok(report) => report,
        Err(ending) => return Ok(ending),
    };
    if flags.counting.json {
        output.put(serde_json::to_string_pretty(&report)? + "\n")?;
        return Ok(ExitStatus::Done);
    }
    let solutions = report.answer.solutions;
    output.put(single.rows(solutions))?;
    let found = counted(solutions, "solution");
    info(args, format_args!("{found}, {}", report.how()));
    Ok(ExitStatus::Done)
}

/// Warns if a puzzle of another size than 9 × 9 has too many solutions to be found one by one.
fn warn_of_many_solutions(grid: &SizedGrid, args: &Args) {
    if args.quiet {
        return;
    }
    let log10 = grid.estimate(FEW_PROBES, 1).ln / LN_10;
    let blanks = grid.cells().iter().filter(|&&cell| cell == 0).count();
    // Without a solution the logarithm is minus infinity. All descents may end so on a nearly empty grid, too, which has
    // very many.
    let number = if log10.is_infinite() && blanks * 2 > grid.cells().len() {
        "an unknown number of".to_owned()
    } else if log10 <= MANY_SOLUTIONS.log10() {
        return;
    } else {
        format!("about {}", about(log10))
    };
    eprint_line(format_args!(
        "tallyboard: {number} solutions, which this count finds one by one; --limit counts up to a number, \
         `sudoku estimate` tells about how many there are"
    ));
}

/// The number with this decimal logarithm, in a form that programs read: `4.74e190`.
fn scientific(log10: f64) -> String {
    if log10 < 300.0 {
        return format!("{:.3e}", 10_f64.powf(log10));
    }
    let exponent = log10.floor();
    // Formatting rounds the mantissa; if it rounds up to 10, its text has the exponent 1.
    let digits = format!("{:.3e}", 10_f64.powf(log10 - exponent));
    let (mantissa, carry) = digits.split_once('e').expect("an exponent");
    format!("{mantissa}e{}", exponent + carry.parse::<f64>().expect("a number"))
}

/// The arguments of `sudoku estimate`.
#[derive(Debug, clap::Args)]
pub struct EstimateArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format; `-` is standard input
    pub puzzle: String,

    /// Random descents that the estimate takes
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..))]
    pub probes: u64,

    #[command(flatten)]
    pub drawing: DrawFlags,
}

/// Estimates the number of solutions by random descents, or by subtrees that are drawn and counted exactly.
pub fn estimate(flags: &EstimateArgs, args: &Args) -> Result<ExitStatus> {
    let puzzle = read(&flags.puzzle, "one puzzle")?;
    if flags.drawing.are_wanted() {
        let arguments = Sudoku::new(puzzle, None, Solver::default());
        return counting::estimate::run(&arguments, None, &flags.drawing.sampling(), args);
    }
    let seed = flags.drawing.seed;
    let (grid, found) = match &puzzle {
        Puzzle::Nine(grid) => {
            (grid.to_string(), tallyboard_sudoku::estimate(grid, flags.probes, seed))
        }
        Puzzle::Sized(grid) => (
            String::from_utf8_lossy(grid.source_text()).into_owned(),
            grid.estimate(flags.probes, seed),
        ),
    };
    print_estimate(&grid, &found, flags, args)
}

/// Prints the row of an estimate by descents, or a JSON document.
fn print_estimate(
    grid: &str,
    found: &Estimate,
    flags: &EstimateArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let Estimate { ln, interval, .. } = *found;
    if flags.drawing.json {
        let log10 = |ln: f64| (ln / LN_10).is_finite().then_some(ln / LN_10);
        print_json(&json!({
            "problem": "sudoku estimate",
            "puzzle": grid,
            "method": "descents",
            "log10": log10(ln),
            "log10_low": interval.and_then(|(low, _)| log10(low)),
            "log10_high": interval.and_then(|(_, high)| log10(high)),
            "probes": flags.probes,
            "seed": flags.drawing.seed,
        }))?;
        return Ok(ExitStatus::Done);
    }
    let number = |ln: f64| scientific(ln / LN_10);
    let (about, note) = match interval {
        Some((low, high)) => {
            (format!("{} ({} to {})", number(ln), number(low), number(high)), "95 % interval")
        }
        None if ln == f64::NEG_INFINITY => {
            ("unknown".to_owned(), "none found a solution; try more --probes")
        }
        None => (number(ln), "too few, or too far apart, for an interval; try more --probes"),
    };
    print_line(format_args!("{grid}:{about}"))?;
    info(args, format_args!("{}, {note}", counted(flags.probes, "random descent")));
    Ok(ExitStatus::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where the mantissa is rounded up to the next power of ten, on both sides of what a float can hold.
    #[test]
    fn numbers_of_any_size_are_written_as_they_are() {
        for whole in [0.0, 20.0, 299.0, 300.0, 5000.0] {
            for part in [0.0, 0.3, 0.5, 0.9, 0.999_782, 0.999_785, 0.999_999] {
                let text = scientific(whole + part);
                let (mantissa, exponent) = text.split_once('e').unwrap();
                let [mantissa, exponent] =
                    [mantissa, exponent].map(|it| it.parse::<f64>().unwrap());
                assert!((1.0..10.0).contains(&mantissa), "{text}");
                let error = mantissa.log10() + exponent - whole - part;
                assert!(error.abs() < 3e-4, "{text} for 10^{whole} and {part}");
            }
        }
    }
}
