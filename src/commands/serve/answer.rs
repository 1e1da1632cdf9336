//! The messages of the editor's script, and the answers that it understands: objects of JSON, as the program SudokuSolver has them.

use serde_json::{Map, Value, json};

use crate::verbs::tally::exact;

/// What an editor asks about a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// How many solutions each candidate has, up to a number.
    TrueCandidates,
    /// A solution.
    Solve,
    /// Whether there is one solution.
    Check,
    /// How many there are.
    Count,
    /// About how many there are, ever better.
    Estimate,
    /// Steps as people take them, as far as they go.
    SolvePath,
    /// One of these steps.
    Step,
}

const COMMANDS: [(&str, Command); 7] = [
    ("truecandidates", Command::TrueCandidates),
    ("solve", Command::Solve),
    ("check", Command::Check),
    ("count", Command::Count),
    ("estimate", Command::Estimate),
    ("solvepath", Command::SolvePath),
    ("step", Command::Step),
];

/// A request.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// What is asked.
    pub command: Command,
    /// The puzzle, as the editor compresses it.
    pub data: String,
}

/// Reads a message: the number by which its answers are known, and what is asked, `None` for nothing any more. What is wrong with it is
/// said in words.
pub fn read(text: &[u8]) -> (Value, Result<Option<Asked>, String>) {
    let message: Map<String, Value> = match serde_json::from_slice(text) {
        Ok(message) => message,
        Err(error) => {
            let expected = "expected an object with nonce, command, dataType and data";
            return (0.into(), Err(format!("found no object of JSON ({error}), {expected}")));
        }
    };
    let nonce = message.get("nonce").filter(|nonce| nonce.is_number());
    (nonce.cloned().unwrap_or_else(|| 0.into()), asked(&message))
}

fn asked(message: &Map<String, Value>) -> Result<Option<Asked>, String> {
    let text = |name: &str| match message.get(name) {
        Some(Value::String(text)) => Ok(&text[..]),
        _ => Err(format!("found no text as {name}")),
    };
    let name = text("command")?;
    if name == "cancel" {
        return Ok(None);
    }
    let Some((_, command)) = COMMANDS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = COMMANDS.iter().map(|(known, _)| *known).collect();
        return Err(format!("found the command '{name}', expected {} or cancel", known.join(", ")));
    };
    match text("dataType")? {
        "fpuzzles" => Ok(Some(Asked { command: *command, data: text("data")?.to_owned() })),
        other => Err(format!("found the dataType '{other}', expected fpuzzles")),
    }
}

/// What is answered.
#[derive(Debug, PartialEq)]
pub enum Answer {
    /// A newer message has ended the work, or this one did as it was to.
    Canceled,
    /// There is no solution, or no answer, for this reason.
    Invalid { message: String },
    /// How many solutions each value of each cell has, -1 for a candidate of which only a search can tell that it has none.
    TrueCandidates { numbers: Vec<i64> },
    /// The value of each cell.
    Solved { values: Vec<u8> },
    /// So many solutions, in all or up to now.
    Count { solutions: u128, is_in_progress: bool },
    /// The mean of so many independent estimates, each of several descents, and its standard error.
    Estimate { mean: f64, error: f64, descents: u64 },
    /// What steps have left: the set of values of each cell and whether it is filled, and the steps in words.
    Logical { cells: Vec<(u16, bool)>, message: String, is_valid: bool },
}

impl Answer {
    /// The answer to the request with this number as text.
    pub fn with(&self, nonce: &Value) -> String {
        /// Half the width of an interval of 95 % in standard errors.
        const Z: f64 = 1.96;
        let mut answer = match self {
            Self::Canceled => json!({ "type": "canceled" }),
            Self::Invalid { message } => json!({ "type": "invalid", "message": message }),
            Self::TrueCandidates { numbers } => {
                json!({ "type": "truecandidates", "solutionsPerCandidate": numbers })
            }
            Self::Solved { values } => json!({ "type": "solved", "solution": values }),
            // The script shows digits as text, too.
            Self::Count { solutions, is_in_progress } => {
                json!({ "type": "count", "count": exact(*solutions), "inProgress": is_in_progress })
            }
            Self::Estimate { mean, error, descents } => json!({
                "type": "estimate",
                "estimate": mean,
                "stderr": error,
                "iterations": descents,
                "ci95_lower": mean - Z * error,
                "ci95_upper": mean + Z * error,
                "relErrPercent": if *mean > 0.0 { 100.0 * Z * error / mean } else { 0.0 },
            }),
            Self::Logical { cells, message, is_valid } => {
                let cells: Vec<Value> = cells.iter().map(cell).collect();
                json!({ "type": "logical", "cells": cells, "message": message, "isValid": is_valid })
            }
        };
        answer["nonce"] = nonce.clone();
        answer.to_string()
    }
}

/// A cell with its value, or with its candidates.
fn cell((set, is_filled): &(u16, bool)) -> Value {
    let values: Vec<u16> = (1..=16).filter(|value| set >> (value - 1) & 1 == 1).collect();
    match values[..] {
        [value] if *is_filled => json!({ "value": value }),
        _ => json!({ "value": 0, "candidates": values }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_javascript_would_round_are_text() {
        let count = |solutions| {
            let text = Answer::Count { solutions, is_in_progress: false }.with(&7.into());
            let answer: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(answer["nonce"], 7);
            answer["count"].clone()
        };
        assert_eq!(count(1 << 53), 1_u64 << 53);
        assert_eq!(count((1 << 53) + 1), "9007199254740993");
        assert_eq!(count(6_670_903_752_021_072_936_960), "6670903752021072936960");
    }
}
