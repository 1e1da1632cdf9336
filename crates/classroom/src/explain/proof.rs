//! The order of deductions: the easiest first, a supposition only if nothing else can be deduced.

use super::slice::slice;
use super::state::{NextStep, State};
use super::{Conclusion, Deduction, Fact, Step};
use sudoku::{CELLS, Cell, Grid};

/// All steps for a puzzle with this only solution, or without one.
pub fn steps(puzzle: &Grid, solution: Option<&Grid>) -> Vec<Step> {
    let mut proof = Proof { state: State::new(puzzle), before: 0, steps: Vec::new() };
    loop {
        match proof.state.next() {
            NextStep::Deduction(deduction) => proof.push(deduction),
            NextStep::Contradiction(contradiction) => {
                proof.steps.extend([Step::DeadEnd(contradiction), Step::Over]);
                return proof.steps;
            }
            NextStep::Full => {
                proof.steps.push(Step::Solution);
                return proof.steps;
            }
            NextStep::Stuck => {
                let branch = proof.shortest_refutation(solution);
                proof.conclude(branch);
            }
        }
    }
}

/// Steps, and the grid after the last of them.
struct Proof {
    state: State,
    /// The number of steps before these.
    before: usize,
    steps: Vec<Step>,
}

impl Proof {
    /// The number of the last step.
    fn last(&self) -> usize {
        self.before + self.steps.len()
    }

    fn push(&mut self, deduction: Deduction) {
        self.state.apply(&deduction.conclusion, self.last() + 1);
        self.steps.push(Step::Made(deduction));
    }

    /// Appends a supposition that is refuted, and strikes its digit out.
    fn conclude(&mut self, branch: Vec<Step>) {
        let first = self.last() + 1;
        let supposed = match branch.first() {
            Some(Step::Made(supposed)) => supposed.conclusion.filled(),
            _ => None,
        };
        let (cell, digit) = supposed.expect("a refutation begins with what it refutes");
        self.steps.extend(branch);
        let last = self.last();
        // The supposition, its contradiction and the step back.
        let because =
            [first, last - 1, last].map(|step| Fact { cell: None, digit, step: Some(step) });
        self.push(Deduction {
            conclusion: Conclusion::Refutation { cell, digit },
            because: because.into(),
        });
    }

    /// The digits that a cell may be supposed to have, cells with few of them first.
    fn suppositions(&self) -> Vec<(Cell, u8)> {
        let state = &self.state;
        let mut cells: Vec<Cell> =
            Cell::all().filter(|&cell| state.candidates(cell) != 0).collect();
        cells.sort_by_key(|&cell| state.candidates(cell).count_ones());
        let pairs = cells.into_iter().flat_map(|cell| (1..=9).map(move |digit| (cell, digit)));
        pairs.filter(|&(cell, digit)| state.can_be(cell, digit)).collect()
    }

    /// The shortest refutation of a digit that is not in the solution. If every refutation needs suppositions
    /// inside it, the first of those that need the fewest levels.
    fn shortest_refutation(&self, solution: Option<&Grid>) -> Vec<Step> {
        let mut wrong = self.suppositions();
        wrong.retain(|(cell, digit)| {
            solution.is_none_or(|solution| solution.cells()[cell.index()] != *digit)
        });
        let flat = wrong.iter().filter_map(|&supposed| self.refutation(supposed, 0));
        let first_nested = |levels| wrong.iter().find_map(|&wrong| self.refutation(wrong, levels));
        let shortest = flat.min_by_key(Vec::len).or_else(|| (1..CELLS).find_map(first_nested));
        shortest.expect("what is in no solution leads to a contradiction")
    }

    /// Supposes a digit and deduces until a contradiction, with at most this many levels of
    /// suppositions inside. Returns the steps that the contradiction needs; the first has the number
    /// after that of the last step.
    fn refutation(&self, (cell, digit): (Cell, u8), levels: usize) -> Option<Vec<Step>> {
        let before = self.last();
        let mut proof = Self { state: self.state.clone(), before, steps: Vec::new() };
        let supposed =
            Deduction { conclusion: Conclusion::Supposition { cell, digit }, because: Vec::new() };
        proof.push(supposed.clone());
        loop {
            match proof.state.next() {
                NextStep::Deduction(deduction) => proof.push(deduction),
                NextStep::Contradiction(contradiction) => {
                    // `to` is the number of moves that remain; `with_levels` sets it when all steps are known.
                    let back = Step::Back { to: 0, undone: supposed };
                    proof.steps.extend([Step::DeadEnd(contradiction), back]);
                    let last = proof.last();
                    return Some(slice(proof.steps, before, &[before + 1, last - 1, last]));
                }
                NextStep::Full => return None,
                NextStep::Stuck => {
                    let levels = levels.checked_sub(1)?;
                    let mut inner = proof.suppositions().into_iter();
                    let branch = inner.find_map(|supposed| proof.refutation(supposed, levels))?;
                    proof.conclude(branch);
                }
            }
        }
    }
}
