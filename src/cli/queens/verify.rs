//! `tallyboard queens verify`

use std::collections::BTreeMap;

use crate::Kernel;
use crate::figures::{counted, grouped, s};
use crate::queens::{Board, Count, Engine, Settings, known};
use crate::search::{Options, Outcome, Problem, Tally, describe, run as search};
use anyhow::Result;
use serde::Serialize;

use crate::cli::args::{Args, queens::VerifyArgs};
use crate::cli::ending::Ending;
use crate::cli::io::{beyond_doubles, note, say};
use crate::cli::problem::{NoRoom, board, fitting};
use crate::cli::signals::Interrupt;
use crate::cli::watch::Subtotals;

/// One way to count, and what it found.
#[derive(Debug, Serialize)]
struct Way {
    engine: String,
    kernel: String,
    subtrees: usize,
    solutions: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    n: u32,
    agree: bool,
    /// The count in the table of known counts, for plain boards.
    known: Option<u128>,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_text: Option<String>,
    /// Subtrees whose subtotals were compared, and the first one that differed.
    subtotals_compared: usize,
    differing_subtree: Option<String>,
    rows: Vec<Way>,
}

/// Compares the subtotals of ways to count that split the board alike.
#[derive(Default)]
struct Compared {
    /// The subtotals of the first run with each identity.
    first: BTreeMap<String, BTreeMap<usize, Tally>>,
    compared: usize,
    differing: Option<String>,
}

impl Compared {
    fn add(&mut self, identity: String, tallies: BTreeMap<usize, Tally>) {
        let Some(first) = self.first.get(&identity) else {
            self.first.insert(identity, tallies);
            return;
        };
        self.compared += tallies.len();
        let differs = |(id, tally): &(&usize, &Tally)| first.get(id) != Some(*tally);
        if let Some((id, _)) = tallies.iter().find(differs) {
            self.differing.get_or_insert(format!("subtree {id} of {}", describe(&identity)));
        }
    }
}

/// Counts the board in every way there is and compares: the counts of all, and the subtotals of
/// those that split the board alike.
pub fn run(flags: &VerifyArgs, args: &Args) -> Result<Ending> {
    let board = board(flags.board.n, &flags.board.squares, args)?;
    let interrupt = Interrupt::listen()?;
    let (mut rows, mut comparison) = (Vec::new(), Compared::default());
    for settings in ways(&board) {
        let problem = match fitting(board.clone(), settings, None, args.threads) {
            Err(error) if error.is::<NoRoom>() => {
                note(format_args!("tallyboard: left out: {error}"));
                continue;
            }
            fitted => fitted?.0,
        };
        let options = Options::new().threads(args.threads).stop(interrupt.stop());
        let mut subtotals = Subtotals::new(args.quiet, &interrupt);
        let outcome = search(&problem, &options, &mut subtotals)?;
        if !outcome.complete {
            return Ok(interrupt.interrupted("; nothing is saved"));
        }
        let row = Way::new(&problem, &outcome);
        if !flags.json && !args.quiet {
            row.print()?;
        }
        rows.push(row);
        comparison.add(problem.identity(), subtotals.tallies);
    }
    let known = known::solutions(flags.board.n).filter(|_| board.is_plain());
    let report = Report::new(flags.board.n, known, rows, comparison);
    if flags.json {
        say(serde_json::to_string_pretty(&report)?)?;
    } else {
        report.conclude()?;
    }
    Ok(if report.agree { Ending::Done } else { Ending::Failed })
}

/// Every engine and kernel that can count `board` on this CPU.
fn ways(board: &Board) -> Vec<Settings> {
    let with_kernels = |engine| {
        Kernel::ALL.into_iter().map(move |kernel| Settings::new().engine(engine).kernel(kernel))
    };
    let own_kernel = [Settings::new().engine(Engine::Textbook)];
    [Engine::Halves, Engine::Blocks]
        .into_iter()
        .flat_map(with_kernels)
        .chain(own_kernel)
        .filter(|&settings| Count::with(board.clone(), settings).is_ok())
        .collect()
}

impl Way {
    fn new(problem: &Count, outcome: &Outcome) -> Self {
        Self {
            engine: problem.engine().to_string(),
            kernel: problem.kernel(),
            subtrees: outcome.subtrees,
            solutions: outcome.tally.solutions(),
            solutions_text: beyond_doubles(outcome.tally.solutions()),
            seconds: outcome.elapsed.as_secs_f64(),
        }
    }

    fn print(&self) -> Result<()> {
        say(format!(
            "{:<8} {:<8} {:>19} solution{:<1} {:>9} subtree{:<1} {:>8.3} s",
            self.engine,
            self.kernel,
            grouped(self.solutions),
            s(self.solutions),
            grouped(self.subtrees),
            s(self.subtrees),
            self.seconds
        ))
    }
}

impl Report {
    fn new(n: u32, known: Option<u128>, rows: Vec<Way>, comparison: Compared) -> Self {
        let mut counts = rows.iter().map(|row| row.solutions).chain(known);
        let first = counts.next();
        let same_counts = counts.all(|count| Some(count) == first);
        Self {
            n,
            agree: same_counts && comparison.differing.is_none(),
            known,
            known_text: known.and_then(beyond_doubles),
            subtotals_compared: comparison.compared,
            differing_subtree: comparison.differing,
            rows,
        }
    }

    fn conclude(&self) -> Result<()> {
        if let Some(subtree) = &self.differing_subtree {
            say(format!("different subtotals, first in {subtree}"))?;
        }
        let known = match self.known {
            Some(known) => format!(" (known: {}, OEIS A000170)", grouped(known)),
            None => String::new(),
        };
        if self.agree {
            say(format!(
                "all agree{known}; {} compared",
                counted(self.subtotals_compared, "subtotal")
            ))
        } else {
            say(format!("THEY DISAGREE{known}"))
        }
    }
}
