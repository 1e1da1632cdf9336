//! `tallyboard queens count N --subtree ID`: one subtree alone, so that anyone can audit a sum.

use crate::plural::s;
use anyhow::{Result, ensure};
use serde::Serialize;
use tallyboard::queens::Count;
use tallyboard::search::{Problem, describe};

use super::count::interrupted;
use crate::cli::args::queens::Count as CountArgs;
use crate::cli::ending::Ending;
use crate::cli::io::say;
use crate::cli::journaled::Counting;
use crate::cli::number::{beyond_doubles, grouped};

/// Counts subtree `id` of `problem` and prints its subtotal.
pub fn run(problem: &Count, id: usize, flags: &CountArgs, counting: &Counting) -> Result<Ending> {
    let subtrees = problem.split();
    let total = subtrees.len();
    ensure!(total > 0, "found subtree {id}, but this board has none: it has no solutions");
    ensure!(id < total, "found subtree {id}, expected 0 to {}", total.saturating_sub(1));
    let outcome = counting.search(problem, &subtrees, Some(&[id]), None)?;
    if !outcome.complete {
        return Ok(interrupted(counting.interrupt));
    }
    let solutions = outcome.tally.solutions();
    let identity = problem.identity();
    if flags.json {
        let solutions_text = beyond_doubles(solutions);
        let report = Report { identity, subtree: id, solutions, solutions_text };
        say(serde_json::to_string(&report)?)?;
    } else if counting.quiet {
        say(solutions)?;
    } else {
        say(format_args!(
            "subtree {id} of {}: {} solution{}\nof {}, time {:.3} s",
            grouped(total as u128),
            grouped(solutions),
            s(solutions),
            describe(&identity),
            outcome.elapsed.as_secs_f64()
        ))?;
    }
    Ok(Ending::Done)
}

#[derive(Debug, Serialize)]
struct Report {
    identity: String,
    subtree: usize,
    solutions: u128,
    /// The same as text, where readers that parse numbers as doubles would lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions_text: Option<String>,
}
