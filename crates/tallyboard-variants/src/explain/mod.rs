//! The solution of a puzzle in steps that people take, each with the rule that it uses.
//!
//! The steps are singles, relations, cages and other clues, and locked candidates. The explanation of a puzzle that needs
//! other steps ends where they are needed.

mod steps;

use crate::cell::Cell;
use crate::puzzle::{Candidates, Puzzle};
use crate::solver::Solver;
use crate::tables::Tables;

/// A step of an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The rule that it uses, as in `row 3`, `anti-knight` or `cage of r1c1`.
    pub rule: String,
    /// The step in a sentence.
    pub text: String,
    /// The cell that it fills, and its value; `None` if the step only removes candidates.
    pub filled: Option<(Cell, u8)>,
}

/// How an explanation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every cell is filled.
    Solved,
    /// A cell has no value left: there is no solution.
    Contradiction,
    /// No simple step is left.
    Stuck,
}

/// The steps, and the candidates that they leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The steps in their order.
    pub steps: Vec<Step>,
    /// How the explanation ends.
    pub end: End,
    /// The candidates that are left.
    pub candidates: Candidates,
}

impl Puzzle {
    /// Explains the solution, as far as simple steps go.
    #[doc(hidden)]
    pub fn explain(&self) -> Explanation {
        let tables = Tables::new(self.rules());
        let start = Solver::of_tables(&tables).start_of(self);
        let given = self.givens().iter().map(|&given| given > 0).collect();
        steps::explain(&tables, start, given)
    }
}
