//! `tallyboard variant explain`

use anyhow::Result;
use base::figures::counted;
use variants::{End, Solver, line};

use super::job::FileArgs;
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::print::print_line;

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
    for (index, step) in explanation.steps.iter().enumerate() {
        if flags.json {
            let filled = step.filled.map(|(cell, value)| (cell.to_string(), value));
            let (cell, value) = filled.unzip();
            let step = serde_json::json!({
                "step": index + 1, "rule": step.rule, "text": step.text, "cell": cell, "value": value,
            });
            print_line(step)?;
        } else {
            print_line(format_args!("{:>3}. {}", index + 1, step.text))?;
        }
    }
    if flags.json {
        let end = match explanation.end {
            End::Contradiction => "contradiction",
            End::Solved => "solved",
            End::Stuck => "stuck",
        };
        print_line(serde_json::json!({ "end": end }))?;
        return Ok(ExitStatus::Done);
    }
    let rows = |values: &[u8]| {
        let rows: Vec<String> = values.chunks(puzzle.size().side()).map(line).collect();
        rows.join("\n")
    };
    match explanation.end {
        End::Contradiction => print_line("there is no solution")?,
        End::Solved => {
            let sets = explanation.candidates.sets();
            let values: Vec<u8> = sets.iter().map(|set| set.trailing_zeros() as u8 + 1).collect();
            print_line(rows(&values))?;
        }
        End::Stuck => {
            let left = explanation.candidates.total() as usize - puzzle.size().cells();
            let left = counted(left, "candidate");
            print_line(format_args!("no simple step is left; {left} too many:"))?;
            print_line(explanation.candidates.to_string().trim_end())?;
            let answer = Solver::new(puzzle.rules()).solve(&puzzle, 2);
            let found = match answer.count {
                0 => "by search there is no solution",
                1 => "by search there is one solution",
                _ => "by search there is more than one solution; the first:",
            };
            print_line(found)?;
            if let Some(values) = answer.first {
                print_line(rows(&values))?;
            }
        }
    }
    Ok(ExitStatus::Done)
}
