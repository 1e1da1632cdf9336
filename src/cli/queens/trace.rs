//! `tallyboard queens trace`

use std::io::{BufWriter, IsTerminal, Write};

use anyhow::Result;
use tallyboard::queens::Square;
use tallyboard::queens::text::append_board;
use tallyboard::queens::trace::{Step, Trace};

use super::count::board;
use crate::cli::args::Args;
use crate::cli::args::place::Trace as TraceArgs;
use crate::cli::ending::Ending;

/// Moves the cursor home and clears the terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Prints every step of the backtracking, with the board after it where it has changed.
pub fn run(flags: &TraceArgs, args: &Args) -> Result<Ending> {
    let (n, board) = (flags.n, board(flags.n, &flags.squares, args)?);
    let stdout = std::io::stdout();
    let pause = flags.animate.filter(|_| stdout.is_terminal());
    let mut output = BufWriter::new(stdout.lock());
    let mut trace = Trace::new(&board);
    let mut number = 0;
    while flags.steps.is_none_or(|most| number < most) {
        let solved = picture(&trace, n);
        let Some(step) = trace.next() else { break };
        number += 1;
        if pause.is_some() {
            write!(output, "{CLEAR}")?;
        }
        writeln!(output, "{number}: {}", describe(step, n))?;
        match step {
            Step::Solution => output.write_all(&solved)?,
            Step::Attacked { .. } | Step::Closed { .. } if pause.is_none() => {}
            _ => output.write_all(&picture(&trace, n))?,
        }
        output.flush()?;
        if let Some(pause) = pause {
            std::thread::sleep(pause);
        }
        if step == Step::Solution && !flags.all {
            break;
        }
    }
    Ok(Ending::Done)
}

/// The board with the queens so far, empty rows included.
fn picture(trace: &Trace, n: u32) -> Vec<u8> {
    let mut text = Vec::new();
    append_board(n as usize, trace.queens().iter().copied(), &mut text);
    text
}

fn describe(step: Step, n: u32) -> String {
    let square = |row, column| Square::from_top(row, column, n);
    match step {
        Step::Closed { row, column } => format!("{} is closed", square(row, column)),
        Step::Attacked { row, column, by, line } => {
            format!("{} is attacked from rank {} along {line}", square(row, column), n - by)
        }
        Step::Placed { row, column } => format!("a queen goes to {}", square(row, column)),
        Step::Solution => "a solution".to_owned(),
        Step::BackFrom { row: 0 } => {
            format!("rank {n} has no more squares: the search is over")
        }
        Step::BackFrom { row } => {
            format!("rank {} has no more squares: back to rank {}", n - row, n - row + 1)
        }
    }
}
