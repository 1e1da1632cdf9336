//! The sentence of each step.

use super::{Conclusion, Contradiction, Deduction, Fact, Flaw, Step};
use base::figures::plural_s;
use sudoku::{Cell, House};

/// The sentence of a step, without a capital and a full stop.
pub fn sentence(step: &Step) -> String {
    match step {
        Step::Made(deduction) => conclusion(deduction),
        Step::DeadEnd(Contradiction { flaw, because }) => match *flaw {
            Flaw::NoDigit(cell) => {
                format!(
                    "no digit is left for {cell}: {}; a contradiction",
                    seen_from(cell, because)
                )
            }
            Flaw::NoPlace { house, digit } => {
                format!(
                    "{house} has no place left for {digit}{}: a contradiction",
                    taken(digit, because)
                )
            }
        },
        Step::Back { undone, .. } => match undone.conclusion.filled() {
            Some((cell, _)) => format!("back to where {cell} was open"),
            None => "back".to_owned(),
        },
        Step::Refused { .. } => "refused".to_owned(),
        Step::Solution => "every cell is filled: the solution".to_owned(),
        Step::Over => "so the puzzle has no solution".to_owned(),
    }
}

fn conclusion(Deduction { conclusion, because }: &Deduction) -> String {
    match conclusion {
        Conclusion::NakedSingle { cell, digit } => {
            format!("{cell} must be {digit}: {}", seen_from(*cell, because))
        }
        Conclusion::HiddenSingle { cell, digit, house } => {
            let taken = taken(*digit, because);
            format!("{cell} must be {digit}: {house} has no other place for it{taken}")
        }
        Conclusion::LockedCandidates { digit, from, to, places, struck } => {
            let places = joined(places, "or");
            let struck = joined(struck, "and");
            let taken = taken(*digit, because);
            format!(
                "{digit} of {from} must be in {places}{taken}, all in {to}, so {struck} cannot be {digit}"
            )
        }
        Conclusion::Supposition { cell, digit } => format!("suppose that {cell} were {digit}"),
        Conclusion::Refutation { cell, digit } => format!("so {cell} cannot be {digit}"),
    }
}

/// The digits that the houses of a cell have, and those struck out of it by steps.
fn seen_from(cell: Cell, because: &[Fact]) -> String {
    let shares = |fact: &Fact, house: House| {
        fact.cell.and_then(|holder| cell.shared_house(holder)) == Some(house)
    };
    let mut parts = Vec::new();
    for house in cell.houses() {
        let digits: Vec<u8> =
            because.iter().filter(|fact| shares(fact, house)).map(|fact| fact.digit).collect();
        if !digits.is_empty() {
            parts.push(format!("{house} has {}", joined(&digits, "and")));
        }
    }
    let struck = because.iter().filter(|fact| fact.cell.is_none());
    parts
        .extend(struck.filter_map(|fact| Some(format!("step {} took {}", fact.step?, fact.digit))));
    parts.join("; ")
}

/// Where the digit is that takes the other places, and the steps that do so.
fn taken(digit: u8, because: &[Fact]) -> String {
    let mut holders: Vec<Cell> =
        because.iter().filter(|fact| fact.digit == digit).filter_map(|fact| fact.cell).collect();
    holders.sort_unstable();
    holders.dedup();
    let mut steps: Vec<usize> =
        because.iter().filter(|fact| fact.cell.is_none()).filter_map(|fact| fact.step).collect();
    steps.sort_unstable();
    steps.dedup();
    let mut parts = Vec::new();
    if !holders.is_empty() {
        parts.push(format!("{digit} in {}", joined(&holders, "and")));
    }
    if !steps.is_empty() {
        parts.push(format!("step{} {}", plural_s(steps.len() as u64), joined(&steps, "and")));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// `a, b and c`
fn joined<T: ToString>(items: &[T], last: &str) -> String {
    let words: Vec<String> = items.iter().map(T::to_string).collect();
    match words.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => words.concat(),
    }
}
