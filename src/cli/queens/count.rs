//! `tallyboard queens count`

use std::fmt;

use crate::figures::{counted, grouped, rate, s};
use crate::queens::{Board, Classes, Count, Engine, Fixed, Square, known};
use crate::search::{Outcome, Problem, Stopped, describe, journal};
use anstyle::Style;
use anyhow::{Result, anyhow, ensure};
use serde::Serialize;

use crate::cli::args::queens::{CountArgs, EngineArgs};
use crate::cli::args::{Args, shared::JournalArgs};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{beyond_doubles, say, say_json};
use crate::cli::journaled::Counting;
use crate::cli::problem::{agreement, board, classes, ensure_plain, note_memory, problem};
use crate::cli::signals::Interrupt;

/// The engine that began the journal to go on from: with other memory than then, or another version,
/// `auto` might take another one, whose subtrees are none of these.
fn begun(journaling: &JournalArgs, board: &Board) -> Option<Engine> {
    let path = journaling.journal.as_ref().filter(|_| journaling.resume)?;
    // What is wrong with the journal is said when it is taken up.
    let identity = journal::header(path).ok()?.identity;
    let names =
        |squares: &[Square]| squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let (placed, blocked) = (names(board.placed()), names(board.blocked()));
    // Another board's engine might not take this one, and that is not what is wrong.
    let same = format!("queens n={} placed={placed} blocked={blocked} ", board.n());
    if !identity.starts_with(&same) {
        return None;
    }
    let engine = identity.split(' ').find_map(|field| field.strip_prefix("engine="))?;
    engine.parse().ok()
}

/// Up to this size the symmetric solutions are found in a moment, so people are told of the classes
/// unasked.
const CLASSES_UNASKED: u32 = 14;

/// Counts, checks the result against the known counts and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<Ending> {
    if flags.fundamental {
        ensure_plain(&flags.board.squares, "--fundamental")?;
    }
    if flags.symmetry_classes {
        ensure_plain(&flags.board.squares, "--symmetry-classes")?;
    }
    let board = board(flags.board.n, &flags.board.squares, args)?;
    let engine = flags.engine.engine.or_else(|| begun(&flags.journaling, &board));
    let problem = problem(board, &EngineArgs { engine, ..flags.engine }, args)?;
    note_memory(&problem, args);
    let interrupt = Interrupt::listen()?;
    let counting = Counting { args, interrupt: &interrupt };
    if let Some(id) = flags.subtree {
        return count_subtree(&problem, id, flags, &counting);
    }
    let outcome = counting.run(&problem, &flags.journaling)?;
    if !outcome.complete {
        return Ok(interrupt.ended());
    }
    let mut report = Report::new(&problem, &outcome)?;
    let plain = problem.board().is_plain();
    let asked = flags.fundamental || flags.symmetry_classes;
    let unasked = plain && !flags.json && (flags.verbose || flags.board.n <= CLASSES_UNASKED);
    let mut ending = Ending::Done;
    if asked || unasked {
        match Fixed::search(flags.board.n, interrupt.stop()) {
            Ok(fixed) => {
                let classes = classes(flags.board.n, report.solutions, fixed)?;
                report.fundamental = Some(classes.total());
                report.symmetry_classes = flags.symmetry_classes.then_some(classes);
            }
            // The count itself may have taken days.
            Err(Stopped) => {
                ending = interrupt.interrupted(" before the symmetric solutions were counted");
            }
        }
    }
    if flags.json {
        say_json(&report)?;
    } else if !args.quiet {
        say(&report)?;
    } else if let Some(classes) = &report.symmetry_classes {
        say(sizes(classes))?;
    } else if flags.fundamental {
        report.fundamental.map_or(Ok(()), say)?;
    } else {
        say(report.solutions)?;
    }
    if flags.verbose && plain {
        super::trace::print_profile(flags.board.n)?;
    }
    Ok(ending)
}

/// Counts subtree `id` of `problem` alone and prints its subtotal, so that anyone can audit a sum.
fn count_subtree(
    problem: &Count,
    id: usize,
    flags: &CountArgs,
    counting: &Counting,
) -> Result<Ending> {
    let costs = problem.split();
    let total = costs.len();
    ensure!(total > 0, "found subtree {id}, but this board has none: it has no solutions");
    if id >= total {
        let (id, last) = (grouped(id), grouped(total - 1));
        return Err(Usage(format!("found subtree {id}, expected 0 to {last}")).into());
    }
    let outcome = counting.search(problem, &costs, Some(&[id]), None)?;
    if !outcome.complete {
        return Ok(counting.interrupt.interrupted("; nothing is saved"));
    }
    let solutions = outcome.tally.solutions();
    let identity = problem.identity();
    if flags.json {
        let solutions_text = beyond_doubles(solutions);
        say_json(&Subtotal { identity, subtree: id, solutions, solutions_text })?;
    } else if counting.args.quiet {
        say(solutions)?;
    } else {
        say(format_args!(
            "subtree {id} of {}: {}\nof {}, time {:.3} s",
            grouped(total),
            counted(solutions, "solution"),
            describe(&identity),
            outcome.elapsed.as_secs_f64()
        ))?;
    }
    Ok(Ending::Done)
}

/// The result of one subtree.
#[derive(Debug, Serialize)]
struct Subtotal {
    identity: String,
    subtree: usize,
    solutions: u128,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
}

/// The result of a count.
#[derive(Debug, Serialize)]
struct Report {
    problem: &'static str,
    n: u32,
    solutions: u128,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry_classes: Option<Classes>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    placed: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<String>,
    /// What this run counted itself, for the rate: a resumed one counts the rest only.
    #[serde(skip)]
    solutions_this_run: u128,
    seconds: f64,
    threads: usize,
    engine: String,
    kernel: String,
    /// The count in the table of known counts, with which this one agrees; null where it has none.
    known: Option<u128>,
}

impl Report {
    /// A finished count that disagrees with the table is an error, loudly.
    fn new(problem: &Count, outcome: &Outcome) -> Result<Self> {
        let board = problem.board();
        let solutions = outcome.tally.solutions();
        let (engine, kernel) = (problem.engine().to_string(), problem.kernel());
        let checked = if board.is_plain() { known::check(board.n(), solutions) } else { Ok(false) };
        let known = checked.map_err(|wrong| {
            anyhow!(
                "{wrong}. Please report this with your CPU, engine {engine} and kernel {kernel}."
            )
        })?;
        Ok(Self {
            problem: "queens",
            n: board.n(),
            solutions,
            solutions_text: beyond_doubles(solutions),
            fundamental: None,
            symmetry_classes: None,
            placed: board.placed().iter().map(ToString::to_string).collect(),
            blocked: board.blocked().iter().map(ToString::to_string).collect(),
            solutions_this_run: outcome.tally_this_run.solutions(),
            seconds: outcome.elapsed.as_secs_f64(),
            threads: outcome.threads,
            engine,
            kernel,
            known: known.then_some(solutions),
        })
    }
}

/// How many classes have how many solutions.
fn sizes(classes: &Classes) -> String {
    let Classes { of_eight, of_four, of_two, of_one } = *classes;
    let mut lines = vec![
        format!("{:>20} classes of 8: no symmetry", grouped(of_eight)),
        format!("{:>20} classes of 4: unchanged by a half turn", grouped(of_four)),
        format!("{:>20} classes of 2: unchanged by a quarter turn", grouped(of_two)),
    ];
    if of_one > 0 {
        lines.push(format!("{:>20} class of 1: the single square", grouped(of_one)));
    }
    lines.join("\n")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bold = Style::new().bold();
        let (queens, count) = (counted(self.n, "queen"), grouped(self.solutions));
        writeln!(f, "{queens}: {bold}{count}{bold:#} solution{}", s(self.solutions))?;
        if let Some(fundamental) = self.fundamental {
            writeln!(f, "{} up to rotation and reflection", grouped(fundamental))?;
        }
        if let Some(classes) = &self.symmetry_classes {
            writeln!(f, "{}", sizes(classes))?;
        }
        let Self { seconds, threads, engine, kernel, .. } = self;
        let rate = rate(self.solutions_this_run as f64 / seconds);
        writeln!(
            f,
            "time {seconds:.3} s, {rate}solutions/s, threads {threads}, engine {engine}, kernel {kernel}"
        )?;
        f.write_str(agreement(self.known))
    }
}
