//! `tallyboard sudoku count`: many puzzles as a stream; a single puzzle as a count on all cores, with
//! progress, the time left and a journal.

use std::f64::consts::LN_10;
use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use tallyboard_base::figures::{about, counted, grouped};
use tallyboard_search::Problem;
use tallyboard_sudoku::format::{Form, OnePuzzle, Row};
use tallyboard_sudoku::sized::{CountSized, Puzzle, SizedGrid};
use tallyboard_sudoku::stream::Settings;
use tallyboard_sudoku::{CountOne, Engine, Estimate, estimate};

use super::draw::not_one_puzzle;
use super::input::{FileArgs, SolverArgs};
use super::input::{Rows, Source};
use super::solve::print_summary;
use crate::counting::{JournalArgs, PreparedJob, Resources, Runner};
use crate::terminal::{
    Args, ExitStatus, Interrupt, OrAuto, Output, UsageError, choices, eprint_line, info, io,
};

#[derive(Debug, clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub files: FileArgs,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Stop counting a puzzle's solutions here; without it all are counted
    #[arg(long, value_name = "K", conflicts_with = "journal", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Add two columns to each row: the method (singles, locked, guesses) and the number of guesses,
    /// as for `sudoku solve`, until 20,000 solutions are found
    #[arg(long, conflicts_with_all = ["estimate", "journal"])]
    pub stats: bool,

    /// Estimate the number of solutions of a single puzzle, with a 95 % interval if there are enough samples
    /// for one
    #[arg(long, conflicts_with_all = ["limit", "journal"])]
    pub estimate: bool,

    /// How to count: find every solution, or join bands, which takes seconds at most however many solutions
    /// there are; auto takes what an estimate of the work finds cheaper
    #[arg(long, default_value = "auto", value_name = "METHOD", value_parser = methods(), conflicts_with_all = ["estimate", "limit", "stats"])]
    pub method: OrAuto<Engine>,

    /// Random descents that an estimate takes
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "estimate", value_parser = clap::value_parser!(u64).range(2..))]
    pub probes: u64,

    /// Seed of an estimate's descents
    #[arg(long, value_name = "S", default_value_t = 1, requires = "estimate")]
    pub seed: u64,

    #[command(flatten)]
    pub journaling: JournalArgs,
}

fn methods() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let auto = PossibleValue::new("auto").help("The cheaper one");
    let name = |engine: Engine| PossibleValue::new(engine.name()).help(description(engine));
    choices(auto, Engine::ALL.map(name))
}

fn description(engine: Engine) -> &'static str {
    match engine {
        Engine::Enumeration => "Every solution is found",
        Engine::Join => "Bands are joined",
    }
}

/// An input of fewer bytes is read whole, to find out whether it is a single puzzle.
const MAX_SINGLE_BYTES: usize = 16 << 10;

/// The number of random descents of the estimate that decides on a warning; they take at most 0.1 s.
const FEW_PROBES: u64 = 200;
/// From about this many solutions on there is a warning: finding them one by one takes about a day.
const MANY_SOLUTIONS: f64 = 1e11;

/// Counts the solutions of every puzzle of the input, or estimates those of a single one.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = &match flags.journaling.journal {
        Some(_) => Interrupt::listen(),
        None => Interrupt::listen_with_nothing_to_save(),
    };
    interrupt.ending(count(flags, args, interrupt))
}

/// Counts the solutions of a single puzzle on all cores, or those of every puzzle of a stream.
fn count(flags: &CountArgs, args: &Args, interrupt: &Interrupt) -> Result<ExitStatus> {
    let file = &flags.files.files[0];
    let name = io::name(file);
    if flags.estimate && flags.files.form.to.is_some() {
        bail!(UsageError::of("--to means nothing with --estimate"));
    }
    let outputs = flags.files.output.iter().chain(&flags.journaling.journal);
    io::ensure_apart(None, outputs.map(PathBuf::as_path))?;
    let mut source = Source::open(&flags.files, flags.files.form.options(), interrupt)?;
    let head = peek(&source.form, &mut source.input).with_context(|| io::cannot_read(file))?;
    let is_short = head.len() < MAX_SINGLE_BYTES && flags.files.files.len() == 1;
    let single = is_short.then(|| OnePuzzle::find(&source.form, &head)).flatten();
    match single {
        _ if flags.estimate => {
            let expected = "a single puzzle for --estimate";
            let single =
                single.ok_or_else(|| not_one_puzzle(&source.form, &head, &name, expected))?;
            estimate_one(single.puzzle(), flags, args)
        }
        Some(single) if flags.limit.is_none() && !flags.stats => {
            count_one(single, flags, &Runner { args, interrupt })
        }
        _ if flags.journaling.journal.is_some() => {
            bail!("{name}: --journal expects a single puzzle")
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

/// Counts the solutions of a single puzzle on all cores.
fn count_one(single: OnePuzzle, flags: &CountArgs, runner: &Runner) -> Result<ExitStatus> {
    // All input has been read, so a signal does not have to end the program at once: an interrupted count prints what it
    // has found.
    Interrupt::listen();
    match single.puzzle().clone() {
        Puzzle::Nine(grid) => {
            let problem = CountOne::with(grid, flags.method, flags.solver.solver()?);
            let engine = problem.engine();
            count_problem(single, Box::new(problem), engine, flags, runner)
        }
        Puzzle::Sized(_) if flags.method == Some(Engine::Join) => {
            bail!("{}: bands are joined in 9 × 9 puzzles only", io::name(&flags.files.files[0]))
        }
        Puzzle::Sized(grid) => {
            warn_of_many_solutions(&grid, runner.args);
            let problem = Box::new(CountSized::new(grid));
            count_problem(single, problem, Engine::Enumeration, flags, runner)
        }
    }
}

/// Counts `problem`, the solutions of a single puzzle by `engine`, and writes the puzzle's row.
fn count_problem(
    single: OnePuzzle,
    problem: Box<dyn Problem>,
    engine: Engine,
    flags: &CountArgs,
    runner: &Runner,
) -> Result<ExitStatus> {
    let output = Output::create(flags.files.output.as_deref())?;
    let prepared = PreparedJob::new(problem, 1)?;
    prepared.ensure_fits(&Resources::here(runner.args.threads, None))?;
    let outcome = runner.run(&prepared, &flags.journaling)?;
    let solutions = outcome.tally.solutions();
    let found = counted(solutions, "solution");
    if !outcome.complete {
        let subtrees = counted(outcome.subtrees, "subtree");
        eprint_line(match outcome.finished {
            0 => format!("none of {subtrees} was finished, so nothing is known yet"),
            finished => {
                format!("{found} in the {} of {subtrees} that were finished", grouped(finished))
            }
        });
        return Ok(runner.interrupt.exit_status());
    }
    output.put(single.rows(solutions))?;
    let how = match engine {
        Engine::Enumeration => "every one found",
        Engine::Join => "bands joined",
    };
    let seconds = outcome.elapsed.as_secs_f64();
    let threads = outcome.threads;
    info(runner.args, format_args!("{found} in {seconds:.3} s, threads {threads}, {how}"));
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
         --estimate tells about how many there are"
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

/// Estimates the number of solutions of a single puzzle and writes its row.
fn estimate_one(puzzle: &Puzzle, flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let output = Output::create(flags.files.output.as_deref())?;
    let (grid, Estimate { ln, interval, .. }) = match puzzle {
        Puzzle::Nine(grid) => (grid.to_string(), estimate(grid, flags.probes, flags.seed)),
        Puzzle::Sized(grid) => (
            String::from_utf8_lossy(grid.source_text()).into_owned(),
            grid.estimate(flags.probes, flags.seed),
        ),
    };
    let number = |ln: f64| scientific(ln / LN_10);
    let descents = counted(flags.probes, "descent");
    let (about, note) = match interval {
        Some((low, high)) => {
            (format!("{} ({} to {})", number(ln), number(low), number(high)), "95 % interval")
        }
        None if ln == f64::NEG_INFINITY => {
            ("unknown".to_owned(), "none found a solution; try more --probes")
        }
        None => (number(ln), "too few, or too far apart, for an interval; try more --probes"),
    };
    output.put(format!("{grid}:{about}\n"))?;
    info(args, format_args!("{descents}, {note}"));
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
