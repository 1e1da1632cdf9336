//! `tallyboard queens count`

use std::fmt;

use crate::plural::s;
use anstyle::Style;
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use tallyboard::queens::{Board, Classes, Count, Engine, Fixed, known};
use tallyboard::search::{Outcome, Stopped, journal};

use crate::cli::args::Args;
use crate::cli::args::journal::Journaling;
use crate::cli::args::queens::{Count as CountArgs, Squares, Way};
use crate::cli::ending::{Ending, Usage};
use crate::cli::io::{note, say};
use crate::cli::journaled::Counting;
use crate::cli::number::{beyond_doubles, grouped, rate};
use crate::cli::room::{Fitting, fitting};
use crate::cli::signals::Interrupt;

use super::subtree;

/// The board that the flags describe. Says so if no solution can come of it.
pub fn board(n: u32, squares: &Squares, args: &Args) -> Result<Board> {
    let board = Board::new(n, &squares.place, &squares.block);
    let board = board.map_err(|error| Usage(error.to_string()))?;
    if !args.quiet {
        if let Some((one, other)) = board.attack() {
            note(format_args!("tallyboard: the queens on {one} and {other} attack each other"));
        }
        let closed = board.placed().iter().find(|square| board.blocked().contains(square));
        if let Some(square) = closed {
            note(format_args!("tallyboard: the queen on {square} stands on a closed square"));
        }
    }
    Ok(board)
}

/// That the board is plain, which `option` needs.
pub fn ensure_plain(squares: &Squares, option: &str) -> Result<()> {
    if squares.is_plain() {
        return Ok(());
    }
    Err(Usage(format!("{option} needs a board without --place and --block")).into())
}

/// The count of `board` in the `way` asked for, with the memory that there is: less than the fastest
/// engine needs is said, less than the engine asked for needs is an error.
pub fn problem(board: Board, way: &Way, args: &Args) -> Result<Count> {
    let Fitting { count, passed_over } = fitting(board, way.settings(), way.memory, args.threads)?;
    if let Some(full) = passed_over.filter(|_| !args.quiet) {
        note(format_args!("tallyboard: {full}; counting with the engine blocks"));
    }
    Ok(count)
}

/// The engine that began the journal to go on from: with other memory than then, or another version,
/// `auto` might take another one, whose subtrees are none of these.
fn begun(journaling: &Journaling) -> Option<Engine> {
    let path = journaling.journal.as_ref().filter(|_| journaling.resume)?;
    // What is wrong with the journal is said when it is taken up.
    let identity = journal::read(path).ok()?.header.identity;
    let engine = identity.split(' ').find_map(|field| field.strip_prefix("engine="))?;
    engine.parse().ok()
}

/// Up to this size the symmetric solutions are found in a moment, so people are told of the classes
/// unasked.
const CLASSES_UNASKED: u32 = 14;

/// Memory worth a note before it is taken, in bytes.
const NOTABLE: u64 = 500_000_000;

/// Counts, checks the result against the known counts and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<Ending> {
    for (asked, option) in
        [(flags.fundamental, "--fundamental"), (flags.symmetry_classes, "--symmetry-classes")]
    {
        if asked {
            ensure_plain(&flags.squares, option)?;
        }
    }
    let board = board(flags.n, &flags.squares, args)?;
    let way = Way { engine: flags.way.engine.or_else(|| begun(&flags.journaling)), ..flags.way };
    let problem = problem(board, &way, args)?;
    if problem.memory() > NOTABLE && !args.quiet {
        note(format_args!(
            "tallyboard: takes up to {} MiB of memory",
            problem.memory().div_ceil(1 << 20)
        ));
    }
    let interrupt = Interrupt::listen()?;
    let counting = Counting { threads: args.threads, quiet: args.quiet, interrupt: &interrupt };
    if let Some(id) = flags.subtree {
        return subtree::run(&problem, id, flags, &counting);
    }
    let outcome = counting.run(&problem, &flags.journaling)?;
    if !outcome.complete {
        return Ok(ended(&interrupt));
    }
    let mut report = Report::new(&problem, &outcome)?;
    let plain = problem.board().is_plain();
    let asked = flags.fundamental || flags.symmetry_classes;
    let unasked = plain && !flags.json && (flags.verbose || flags.n <= CLASSES_UNASKED);
    let mut ending = Ending::Done;
    if asked || unasked {
        match Fixed::search(flags.n, interrupt.stop()) {
            Ok(fixed) => {
                let classes = classes(flags.n, report.solutions, fixed)?;
                report.fundamental = Some(classes.total());
                report.symmetry_classes = flags.symmetry_classes.then(|| ClassSizes::of(classes));
            }
            // The count itself may have taken days.
            Err(Stopped) => {
                note("tallyboard: interrupted before the symmetric solutions were counted");
                ending = ended(&interrupt);
            }
        }
    }
    if flags.json {
        say(serde_json::to_string(&report)?)?;
    } else if !args.quiet {
        say(&report)?;
    } else if flags.fundamental {
        report.fundamental.map_or(Ok(()), say)?;
    } else {
        say(report.solutions)?;
    }
    if flags.verbose && plain {
        super::profile::print(flags.n)?;
    }
    Ok(ending)
}

/// Says that a signal ended the run.
pub fn interrupted(interrupt: &Interrupt) -> Ending {
    note("tallyboard: interrupted; nothing is saved");
    ended(interrupt)
}

/// How a count ends that a signal has stopped.
pub fn ended(interrupt: &Interrupt) -> Ending {
    interrupt.signal().map_or(Ending::Failed, |signal| Ending::Interrupted { signal })
}

/// The classes of the plain board's `solutions`, checked against the table.
pub fn classes(n: u32, solutions: u128, fixed: Fixed) -> Result<Classes> {
    let classes = Classes::of(n, solutions, fixed).context(
        "WRONG COUNT: the numbers of all and of symmetric solutions contradict each other",
    )?;
    match known::classes(n) {
        Some(expected) if expected != classes.total() => bail!(
            "WRONG COUNT for n = {n}: found {} classes, expected {expected} (OEIS A002562)",
            classes.total()
        ),
        _ => Ok(classes),
    }
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
    symmetry_classes: Option<ClassSizes>,
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

/// How many classes have how many solutions.
#[derive(Debug, Serialize)]
struct ClassSizes {
    of_8: u128,
    of_4: u128,
    of_2: u128,
    of_1: u128,
}

impl ClassSizes {
    fn of(classes: Classes) -> Self {
        Self {
            of_8: classes.of_eight,
            of_4: classes.of_four,
            of_2: classes.of_two,
            of_1: classes.of_one,
        }
    }
}

impl Report {
    /// A finished count that disagrees with the table is an error, loudly.
    fn new(problem: &Count, outcome: &Outcome) -> Result<Self> {
        let board = problem.board();
        let solutions = outcome.tally.solutions();
        let (engine, kernel) = (problem.engine().to_string(), problem.kernel());
        let checked = if board.is_plain() { known::check(board.n(), solutions) } else { Ok(false) };
        let known = checked.map(|known| known.then_some(solutions)).map_err(|wrong| {
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
            known,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bold = Style::new().bold();
        let (queens, solutions) = (s(self.n), s(self.solutions));
        let count = grouped(self.solutions);
        writeln!(f, "{} queen{queens}: {bold}{count}{bold:#} solution{solutions}", self.n)?;
        if let Some(fundamental) = self.fundamental {
            writeln!(f, "{} up to rotation and reflection", grouped(fundamental))?;
        }
        if let Some(classes) = &self.symmetry_classes {
            writeln!(f, "{:>20} classes of 8: no symmetry", grouped(classes.of_8))?;
            writeln!(f, "{:>20} classes of 4: unchanged by a half turn", grouped(classes.of_4))?;
            writeln!(f, "{:>20} classes of 2: unchanged by a quarter turn", grouped(classes.of_2))?;
            if classes.of_1 > 0 {
                writeln!(f, "{:>20} class of 1: the single square", grouped(classes.of_1))?;
            }
        }
        writeln!(
            f,
            "time {:.3} s, {}solutions/s, threads {}, engine {}, kernel {}",
            self.seconds,
            rate(self.solutions_this_run as f64 / self.seconds),
            self.threads,
            self.engine,
            self.kernel
        )?;
        f.write_str(if self.known.is_some() {
            "agrees with the known count (OEIS A000170)"
        } else {
            "no known count to compare with"
        })
    }
}
