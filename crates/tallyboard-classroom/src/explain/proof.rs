//! The order of deductions: the easiest first, a supposition only if nothing else can be deduced.

use super::slice::slice;
use super::state::{NextStep, State};
use super::{Conclusion, Deduction, Fact, Step};
use crate::trace::sudoku::Entry;
use tallyboard_sudoku::{CELLS, Cell, Grid};

/// All steps for a puzzle with this only solution, or without one.
pub fn steps(puzzle: &Grid, solution: Option<&Grid>) -> Vec<Step> {
    let mut proof = Proof { state: State::new(puzzle), steps_before: 0, steps: Vec::new() };
    match proof.deduce(|proof| Some(proof.shortest_refutation(solution))) {
        Some(NextStep::Contradiction(contradiction)) => {
            proof.steps.extend([Step::DeadEnd(contradiction), Step::Over]);
        }
        Some(NextStep::Full) => proof.steps.push(Step::Solution),
        _ => unreachable!("a stuck grid has a refutation"),
    }
    proof.steps
}

/// Steps, and the grid after the last of them.
struct Proof {
    state: State,
    /// The number of steps before these.
    steps_before: usize,
    steps: Vec<Step>,
}

impl Proof {
    /// The number of the last step.
    fn last(&self) -> usize {
        self.steps_before + self.steps.len()
    }

    /// Deduces until the grid is full or contradicts itself, and returns which of these. Where there is no deduction,
    /// appends a `refutation`; `None` if there is none either.
    fn deduce(&mut self, refutation: impl Fn(&Self) -> Option<Vec<Step>>) -> Option<NextStep> {
        loop {
            match self.state.next() {
                NextStep::Deduction(deduction) => self.push(deduction),
                NextStep::Stuck => {
                    let steps = refutation(self)?;
                    self.append_refutation(steps);
                }
                end => return Some(end),
            }
        }
    }

    /// Appends a deduction, and applies it to the grid.
    fn push(&mut self, deduction: Deduction) {
        self.state.apply(&deduction.conclusion, self.last() + 1);
        self.steps.push(Step::Made(deduction));
    }

    /// Appends the steps of a refutation, and then the conclusion that strikes its digit out.
    fn append_refutation(&mut self, refutation: Vec<Step>) {
        let first = self.last() + 1;
        let supposed = match refutation.first() {
            Some(Step::Made(supposed)) => supposed.conclusion.filled(),
            _ => None,
        };
        let refuted = supposed.expect("a refutation begins with what it refutes");
        self.steps.extend(refutation);
        let last = self.last();
        // The supposition, its contradiction and the step back.
        let because = [first, last - 1, last];
        let because =
            because.map(|step| Fact { cell: None, digit: refuted.digit, step: Some(step) });
        let conclusion = Conclusion::Refutation(refuted);
        self.push(Deduction { conclusion, because: because.into() });
    }

    /// The digits that a cell may be supposed to have, cells with few of them first.
    fn suppositions(&self) -> Vec<Entry> {
        let state = &self.state;
        let mut cells: Vec<Cell> =
            Cell::all().filter(|&cell| state.candidates(cell) != 0).collect();
        cells.sort_by_key(|&cell| state.candidates(cell).count_ones());
        let entries =
            cells.into_iter().flat_map(|cell| (1..=9).map(move |digit| Entry { cell, digit }));
        entries.filter(|entry| state.can_be(entry.cell, entry.digit)).collect()
    }

    /// The shortest refutation of a digit that is not in the solution. If every refutation needs further
    /// suppositions inside it, the first one of those that need the fewest levels.
    fn shortest_refutation(&self, solution: Option<&Grid>) -> Vec<Step> {
        let mut wrong = self.suppositions();
        wrong.retain(|entry| {
            solution.is_none_or(|solution| solution.cells()[entry.cell.index()] != entry.digit)
        });
        let plain = wrong.iter().filter_map(|&supposed| self.refutation(supposed, 0));
        let first_with_levels =
            |levels| wrong.iter().find_map(|&supposed| self.refutation(supposed, levels));
        let refutation =
            plain.min_by_key(Vec::len).or_else(|| (1..CELLS).find_map(first_with_levels));
        refutation.expect("what is in no solution leads to a contradiction")
    }

    /// Supposes a digit and deduces until a contradiction, with at most `levels` levels of further suppositions.
    /// Returns the steps that the contradiction needs, which follow the last step; `None` if there is none.
    fn refutation(&self, supposed: Entry, levels: usize) -> Option<Vec<Step>> {
        let steps_before = self.last();
        let mut proof = Self { state: self.state.clone(), steps_before, steps: Vec::new() };
        let supposed =
            Deduction { conclusion: Conclusion::Supposition(supposed), because: Vec::new() };
        proof.push(supposed.clone());
        let further = |proof: &Self| {
            let levels = levels.checked_sub(1)?;
            proof.suppositions().into_iter().find_map(|inner| proof.refutation(inner, levels))
        };
        let NextStep::Contradiction(contradiction) = proof.deduce(further)? else { return None };
        // `to` is the number of moves that remain; `with_moves_left` sets it when all steps are known.
        let back = Step::Back { to: 0, undone: supposed };
        proof.steps.extend([Step::DeadEnd(contradiction), back]);
        let last = proof.last();
        Some(slice(proof.steps, steps_before, &[steps_before + 1, last - 1, last]))
    }
}
