//! `tallyboard regions explain`

use anyhow::Result;
use serde_json::json;
use tallyboard_regions::format::{columns, region_name};
use tallyboard_regions::{Fact, Line, Rule, Step, Verdict, explain};

use super::{BoardArgs, report_cuts};
use crate::terminal::{Args, ExitStatus, print_line};

#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// Prints the steps and the grade.
pub fn run(flags: &ExplainArgs, args: &Args) -> Result<ExitStatus> {
    let board = flags.board.read(args)?.board;
    report_cuts(&board, args);
    let explanation = explain(&board);
    let stars: Vec<u32> = explanation.rows.iter().map(|row| row.stars).collect();
    if flags.json {
        let steps: Vec<_> = explanation
            .steps
            .iter()
            .map(|step| {
                let (does, cells) = match &step.fact {
                    Fact::Stars(cells) => ("stars", cells),
                    Fact::Crossed(cells) => ("crossed", cells),
                };
                json!({ "level": step.rule.level(), "reason": reason(&step.rule), does: cells })
            })
            .collect();
        print_line(json!({ "grade": explanation.grade(), "steps": steps }))?;
        return Ok(ExitStatus::Done);
    }
    for (number, step) in explanation.steps.iter().enumerate() {
        print_line(format_args!("{:>4}  {}", number + 1, sentence(step)))?;
    }
    print_line(match (explanation.verdict, explanation.grade()) {
        (Verdict::Dead, _) => "a contradiction: the board has no solution".to_owned(),
        (_, Some(grade)) => format!("solved, level {grade} of 6: {}", columns(&stars)),
        _ => "these steps lead no further: the board has several solutions, or needs longer trials"
            .to_owned(),
    })?;
    Ok(ExitStatus::Done)
}

fn sentence(step: &Step) -> String {
    let places = |cells: &[(usize, usize)]| {
        let place = |&(row, column): &(usize, usize)| format!("r{}c{}", row + 1, column + 1);
        cells.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    let fact = match &step.fact {
        Fact::Stars(cells) => format!("star {}", places(cells)),
        Fact::Crossed(cells) => format!("cross out {}", places(cells)),
    };
    format!("{}: {fact}", reason(&step.rule))
}

fn reason(rule: &Rule) -> String {
    match rule {
        Rule::Stars => "beside a star, or a line that has all its stars".to_owned(),
        Rule::Forced(line) => format!("{} has no other cell left", name(*line)),
        Rule::Within(inner, outer) => format!("{} lies within {}", name(*inner), name(*outer)),
        Rule::Empties(line) => format!("a star there would leave {} too few cells", name(*line)),
        Rule::Group { inner, outer } => {
            let names = |lines: &[Line]| {
                lines.iter().map(|&line| name(line)).collect::<Vec<_>>().join(", ")
            };
            format!("{} lie within {}", names(inner), names(outer))
        }
        Rule::Trial => "a star there leads to a contradiction".to_owned(),
    }
}

fn name(line: Line) -> String {
    match line {
        Line::Row(row) => format!("row {}", row + 1),
        Line::Column(column) => format!("column {}", column + 1),
        Line::Region(region) => format!("region {}", region_name(region as u8)),
    }
}
