//! `tallyboard variant explain`

use anyhow::Result;
use tallyboard_base::figures::counted;
use tallyboard_variants::{End, Explanation, Puzzle, Solver, line};

use super::arguments::FileArgs;
use crate::terminal::{ExitStatus, print_line};

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Print a JSON document a line: a step with its rule, and the cell and value that it fills; the last one tells the
    /// end: solved, stuck or contradiction
    #[arg(long)]
    pub json: bool,
}

/// Prints the steps, one a line, and how they end.
pub fn run(flags: &ExplainArgs) -> Result<ExitStatus> {
    let puzzle = flags.file.read()?;
    let explanation = puzzle.explain();
    if flags.json {
        print_json(&explanation)?;
    } else {
        for (index, step) in explanation.steps.iter().enumerate() {
            print_line(format_args!("{:>3}. {}", index + 1, step.text))?;
        }
        print_end(&puzzle, &explanation)?;
    }
    Ok(ExitStatus::Done)
}

fn print_json(explanation: &Explanation) -> Result<()> {
    for (index, step) in explanation.steps.iter().enumerate() {
        let filled = step.filled.map(|(cell, value)| (cell.to_string(), value));
        let (cell, value) = filled.unzip();
        print_line(serde_json::json!({
            "step": index + 1, "rule": step.rule, "text": step.text, "cell": cell, "value": value,
        }))?;
    }
    let end = match explanation.end {
        End::Contradiction => "contradiction",
        End::Solved => "solved",
        End::Stuck => "stuck",
    };
    print_line(serde_json::json!({ "end": end }))
}

/// Prints the solution, or what is left to search.
fn print_end(puzzle: &Puzzle, explanation: &Explanation) -> Result<()> {
    match explanation.end {
        End::Contradiction => print_line("there is no solution"),
        End::Solved => {
            // One candidate is left in each cell: a bit, of which number 0 stands for the value 1.
            let sets = explanation.candidates.sets();
            let values: Vec<u8> = sets.iter().map(|set| set.trailing_zeros() as u8 + 1).collect();
            print_line(rows(puzzle, &values))
        }
        End::Stuck => {
            let excess = explanation.candidates.total() as usize - puzzle.size().cells();
            let excess = counted(excess, "candidate");
            print_line(format_args!("no simple step is left; {excess} too many:"))?;
            print_line(explanation.candidates.to_string().trim_end())?;
            let answer = Solver::new(puzzle.rules()).solve(puzzle, 2);
            print_line(match answer.count {
                0 => "by search there is no solution",
                1 => "by search there is one solution",
                _ => "by search there is more than one solution; the first:",
            })?;
            match answer.first {
                Some(values) => print_line(rows(puzzle, &values)),
                None => Ok(()),
            }
        }
    }
}

/// The values of a grid, a line a row.
fn rows(puzzle: &Puzzle, values: &[u8]) -> String {
    let rows: Vec<String> = values.chunks(puzzle.size().side()).map(line).collect();
    rows.join("\n")
}
