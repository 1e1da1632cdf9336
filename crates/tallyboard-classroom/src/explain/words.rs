//! The sentence of each step.

use super::{Conclusion, Contradiction, Deduction, Fact, Flaw, Step};
use std::collections::BTreeSet;

use crate::trace::sudoku::Entry;
use tallyboard_base::figures::plural_s;
use tallyboard_sudoku::{Cell, House};

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
                    taken_by(digit, because)
                )
            }
        },
        Step::Back { undone, .. } => match undone.conclusion.filled() {
            Some(supposed) => format!("back to where {} was open", supposed.cell),
            None => "back".to_owned(),
        },
        Step::Refused { .. } => "refused".to_owned(),
        Step::Solution => "every cell is filled: the solution".to_owned(),
        Step::Over => "so the puzzle has no solution".to_owned(),
    }
}

fn conclusion(Deduction { conclusion, because }: &Deduction) -> String {
    match conclusion {
        Conclusion::NakedSingle(Entry { cell, digit }) => {
            format!("{cell} must be {digit}: {}", seen_from(*cell, because))
        }
        Conclusion::HiddenSingle(Entry { cell, digit }, house) => {
            let taken = taken_by(*digit, because);
            format!("{cell} must be {digit}: {house} has no other place for it{taken}")
        }
        Conclusion::LockedCandidates { digit, from, to, places, struck } => {
            let places = joined(places, "or");
            let struck = joined(struck, "and");
            let taken = taken_by(*digit, because);
            format!(
                "{digit} of {from} must be in {places}{taken}, all in {to}, so {struck} cannot be {digit}"
            )
        }
        Conclusion::Supposition(Entry { cell, digit }) => {
            format!("suppose that {cell} were {digit}")
        }
        Conclusion::Refutation(Entry { cell, digit }) => format!("so {cell} cannot be {digit}"),
    }
}

/// Why a cell cannot have other digits: those that its houses have, and those that steps have struck out of it.
fn seen_from(cell: Cell, because: &[Fact]) -> String {
    let is_in = |fact: &Fact, house: House| {
        fact.cell.and_then(|holder| cell.shared_house(holder)) == Some(house)
    };
    let mut parts = Vec::new();
    for house in cell.houses() {
        let digits: Vec<u8> =
            because.iter().filter(|fact| is_in(fact, house)).map(|fact| fact.digit).collect();
        if !digits.is_empty() {
            parts.push(format!("{house} has {}", joined(&digits, "and")));
        }
    }
    for fact in because.iter().filter(|fact| fact.cell.is_none()) {
        parts.extend(fact.step.map(|step| format!("step {step} took {}", fact.digit)));
    }
    parts.join("; ")
}

/// In brackets what takes `digit` from the other cells: the cells that hold it, and the steps that strike it out.
fn taken_by(digit: u8, because: &[Fact]) -> String {
    let holders = because.iter().filter(|fact| fact.digit == digit).filter_map(|fact| fact.cell);
    let holders = sorted_and_distinct(holders);
    let struck = because.iter().filter(|fact| fact.cell.is_none());
    let steps = sorted_and_distinct(struck.filter_map(|fact| fact.step));
    let mut parts = Vec::new();
    if !holders.is_empty() {
        parts.push(format!("{digit} in {}", joined(&holders, "and")));
    }
    if !steps.is_empty() {
        parts.push(format!("step{} {}", plural_s(steps.len() as u64), joined(&steps, "and")));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

/// The items in ascending order, each once.
pub(crate) fn sorted_and_distinct<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    BTreeSet::from_iter(items).into_iter().collect()
}

/// The items with commas and, before the last one, a word: `a, b and c`.
fn joined<T: ToString>(items: &[T], word: &str) -> String {
    let words: Vec<String> = items.iter().map(T::to_string).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} {word} {last}", others.join(", "))
        }
        _ => words.concat(),
    }
}
