//! `tallyboard queens verify`

use anyhow::Result;
use serde::Serialize;
use tallyboard::queens::kernel::Kernel;
use tallyboard::queens::{Board, Count, Engine, Settings, known};
use tallyboard::search::{Options, run as search};

use super::count::board;
use crate::cli::args::Args;
use crate::cli::args::queens::Verify;
use crate::cli::ending::Ending;
use crate::cli::number::grouped;
use crate::cli::progress_bar::ProgressBar;
use crate::cli::signals::Interrupt;

/// One way to count, and what it found.
#[derive(Debug, Serialize)]
struct Row {
    engine: String,
    kernel: String,
    subtrees: usize,
    solutions: u128,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    n: u32,
    agree: bool,
    /// The count in the table of known counts, for plain boards.
    known: Option<u128>,
    rows: Vec<Row>,
}

/// Counts the board in every way there is and compares.
pub fn run(flags: &Verify, args: &Args) -> Result<Ending> {
    let board = board(flags.n, &flags.squares)?;
    let interrupt = Interrupt::listen()?;
    let mut rows = Vec::new();
    for settings in ways(&board) {
        let problem = Count::with(board.clone(), settings)?;
        let options =
            Options { threads: args.threads, stop: Some(interrupt.stop()), ..Options::default() };
        let outcome = search(&problem, &options, &mut ProgressBar::new(args.quiet))?;
        if let Some(signal) = interrupt.signal().filter(|_| !outcome.complete) {
            return Ok(Ending::Interrupted { signal });
        }
        let row = Row {
            engine: problem.engine().to_string(),
            kernel: problem.kernel(),
            subtrees: outcome.subtrees,
            solutions: outcome.tally.solutions(),
            seconds: outcome.elapsed.as_secs_f64(),
        };
        if !flags.json && !args.quiet {
            print(&row);
        }
        rows.push(row);
    }
    let known = known::solutions(flags.n).filter(|_| board.is_plain());
    let mut counts = rows.iter().map(|row| row.solutions).chain(known);
    let first = counts.next();
    let agree = counts.all(|count| Some(count) == first);
    let report = Report { n: flags.n, agree, known, rows };
    if flags.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        report.conclude();
    }
    Ok(if agree { Ending::Done } else { Ending::Failed })
}

/// Every engine and kernel that can count `board` on this CPU.
fn ways(board: &Board) -> Vec<Settings> {
    let kernels = || Kernel::all().map(|kernel| Some(kernel.name()));
    let way = |engine, kernel| Settings { engine: Some(engine), kernel, ..Settings::default() };
    let halves = kernels().map(|kernel| way(Engine::Halves, kernel));
    let blocks = kernels().map(|kernel| way(Engine::Blocks, kernel));
    let textbook = way(Engine::Textbook, None);
    halves
        .chain(blocks)
        .chain([textbook])
        .filter(|&settings| Count::with(board.clone(), settings).is_ok())
        .collect()
}

fn print(row: &Row) {
    println!(
        "{:<9} {:<9} {:>28} solutions {:>9} subtrees {:>10.3} s",
        row.engine,
        row.kernel,
        grouped(row.solutions),
        row.subtrees,
        row.seconds
    );
}

impl Report {
    fn conclude(&self) {
        match (self.agree, self.known) {
            (true, Some(_)) => println!("all agree, and with the known count (OEIS A000170)"),
            (true, None) => println!("all agree"),
            (false, Some(known)) => {
                println!("THEY DISAGREE; the known count is {} (OEIS A000170)", grouped(known));
            }
            (false, None) => println!("THEY DISAGREE"),
        }
    }
}
