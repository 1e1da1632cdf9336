//! `tallyboard queens trace`

use std::io::{BufWriter, IsTerminal, Write};

use anyhow::Result;
use tallyboard::queens::trace::{Step, Trace};

use crate::cli::args::place::Trace as TraceArgs;
use crate::cli::ending::Ending;

/// Moves the cursor home and clears the terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Prints every step of the backtracking, with the board after it where it has changed.
pub fn run(flags: &TraceArgs) -> Result<Ending> {
    let stdout = std::io::stdout();
    let pause = flags.animate.filter(|_| stdout.is_terminal());
    let mut output = BufWriter::new(stdout.lock());
    let mut trace = Trace::new(flags.n);
    let mut number = 0;
    while flags.steps.is_none_or(|most| number < most) {
        let solved = board(&trace, flags.n);
        let Some(step) = trace.next() else { break };
        number += 1;
        if pause.is_some() {
            write!(output, "{CLEAR}")?;
        }
        writeln!(output, "{number}: {}", describe(step))?;
        match step {
            Step::Solution => output.write_all(&solved)?,
            Step::Attacked { .. } if pause.is_none() => {}
            _ => output.write_all(&board(&trace, flags.n))?,
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
fn board(trace: &Trace, n: u32) -> Vec<u8> {
    let queens = trace.queens();
    let mut text = Vec::new();
    for row in 0..n as usize {
        let begin = text.len();
        text.resize(begin + n as usize, b'.');
        if let Some(&column) = queens.get(row) {
            text[begin + column as usize] = b'Q';
        }
        text.push(b'\n');
    }
    text
}

fn describe(step: Step) -> String {
    match step {
        Step::Attacked { row, column, by, line } => format!(
            "row {} column {} is attacked by the queen of row {} along {line}",
            row + 1,
            column + 1,
            by + 1
        ),
        Step::Placed { row, column } => {
            format!("a queen goes to row {} column {}", row + 1, column + 1)
        }
        Step::Solution => "a solution".to_owned(),
        Step::BackFrom { row: 0 } => "row 1 has no more squares: the search is over".to_owned(),
        Step::BackFrom { row } => {
            format!("row {} has no more squares: back to row {row}", row + 1)
        }
    }
}
