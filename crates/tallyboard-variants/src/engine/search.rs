//! Depth-first search with a stack of states.

use std::fmt::Debug;
use std::sync::Arc;

use tallyboard_base::random::Random;

use super::few::{Few, Solutions};
use super::propagate::{CompiledRules, Outcome};
use super::state::{Cells, Cells256, State};
use super::weights::{FEW_FAILURES, Weights};
use crate::grid::least_value;
use crate::tables::Tables;
use tallyboard_search::{Halt, NodeBudget, Stop, Stopped};

/// A grid after propagation, and its children if it has any.
pub(crate) enum Expanded {
    /// The grid has no solution.
    Dead,
    /// The grid is a solution.
    Solved,
    /// The candidates of two grids: each solution of this grid is one of exactly one of them.
    Children([Vec<u16>; 2]),
}

/// A search for solutions by one set of rules, for any width of the sets of cells.
pub(crate) trait Search: Debug + Send + Sync {
    /// A search by the same rules, which has nothing to search before [`restart`](Self::restart).
    fn fresh(&self) -> Box<dyn Search>;

    /// Starts from a grid with these candidates, a set for each cell.
    fn restart(&mut self, candidates: &[u16]);

    /// Starts from a grid below another one, for which clauses may be asked.
    fn restart_below(&mut self, few: &Arc<Few>, candidates: &[u16]);

    /// The next solution, written to `values`; false if there is none left.
    fn next(&mut self, values: &mut [u8], budget: &mut NodeBudget<'_>) -> Result<bool, Halt>;

    /// Asks clauses for all solutions of a grid, in about the time of so many failures; `None` if they are many, or if that did not tell.
    fn ask_clauses(&self, few: &Few, failures: u64) -> Option<Solutions>;

    /// Propagates a grid and branches once.
    fn expand(&self, candidates: &[u16]) -> Expanded;

    /// The candidates that propagation leaves; `None` if it shows that there is no solution.
    fn propagate(&self, candidates: &[u16]) -> Option<Vec<u16>>;

    /// An estimate of the nodes below a grid from one random descent: it takes a random child at each branch, and each node at
    /// depth `d` stands for `2^d` nodes.
    fn estimate_nodes(&self, candidates: &[u16], random: &mut Random) -> u64;
}

/// The search for a set of rules, with the narrowest sets of cells.
pub(crate) fn search(tables: &Tables) -> Box<dyn Search> {
    match tables.size.side() {
        ..=8 => Box::new(StackSearch::<u64, 8>::new(tables)),
        9 => Box::new(StackSearch::<u128, 9>::new(tables)),
        _ => Box::new(StackSearch::<Cells256, 16>::new(tables)),
    }
}

/// A search: its stack has the states that are to be visited, the next one last.
#[derive(Debug)]
struct StackSearch<C: Cells, const VALUES: usize> {
    rules: Arc<CompiledRules<C, VALUES>>,
    stack: Vec<Open<C, VALUES>>,
    /// The state that the search began with, until it has found a solution or begun again.
    start: Option<State<C, VALUES>>,
    weights: Weights,
    /// What clauses tell of the grid with which the search began, or of one above it.
    few: Option<Arc<Few>>,
    /// The solutions that are left once clauses have told all, the next one last.
    left: Vec<Vec<u8>>,
}

/// A state that is to be visited, and the cell of the guess that made it.
#[derive(Debug)]
struct Open<C: Cells, const VALUES: usize> {
    state: State<C, VALUES>,
    guess: usize,
}

impl<C: Cells, const VALUES: usize> StackSearch<C, VALUES> {
    fn of(rules: Arc<CompiledRules<C, VALUES>>) -> Self {
        let weights = Weights::new(rules.reach.len());
        Self { rules, stack: Vec::new(), start: None, weights, few: None, left: Vec::new() }
    }

    fn new(tables: &Tables) -> Self {
        Self::of(Arc::new(CompiledRules::new(tables)))
    }

    /// Asks the clauses for all solutions, if that pays after this failure.
    fn ask(&mut self, stop: &Stop) -> Result<(), Stopped> {
        if let Some(few) = &self.few
            && let Some(all) = few.all_after_failure(&self.rules, stop)?
        {
            self.leave(&all);
        }
        Ok(())
    }

    /// Leaves only those of all solutions that are below the open states, and ends the search.
    fn leave(&mut self, all: &Solutions) {
        let is_below = |solution: &&Vec<u8>| {
            let has = |open: &Open<C, VALUES>| {
                let board = |value: u8| &open.state.boards[usize::from(value) - 1];
                let mut values = solution.iter().enumerate();
                values.all(|(cell, &value)| board(value).bit(cell) == 1)
            };
            self.stack.iter().any(has)
        };
        self.left.extend(all.iter().rev().filter(is_below).cloned());
        self.stack.clear();
    }
}

impl<C: Cells, const VALUES: usize> Search for StackSearch<C, VALUES> {
    fn fresh(&self) -> Box<dyn Search> {
        Box::new(Self::of(Arc::clone(&self.rules)))
    }

    fn restart(&mut self, candidates: &[u16]) {
        self.restart_below(&Arc::new(Few::new(candidates)), candidates);
    }

    fn restart_below(&mut self, few: &Arc<Few>, candidates: &[u16]) {
        let state = self.rules.state(candidates);
        self.stack.clear();
        self.stack.push(Open { state, guess: 0 });
        self.start = Some(state);
        self.weights.forget();
        self.few = Some(Arc::clone(few));
        self.left.clear();
        if let Some(all) = few.known() {
            self.leave(&all);
        }
    }

    fn next(&mut self, values: &mut [u8], budget: &mut NodeBudget<'_>) -> Result<bool, Halt> {
        while let Some(open) = self.stack.last_mut() {
            budget.count_node()?;
            match self.rules.propagate(&mut open.state) {
                Outcome::Dead(cells) => {
                    self.weights.fail(cells, open.guess, &self.rules.reach);
                    self.stack.pop();
                    if self.weights.failures() == FEW_FAILURES
                        && !self.stack.is_empty()
                        && let Some(state) = self.start.take()
                    {
                        // The guesses at the top were made before anything was known.
                        self.stack.clear();
                        self.stack.push(Open { state, guess: 0 });
                    }
                    if budget.is_unlimited() {
                        self.ask(budget.stop())?;
                    }
                }
                Outcome::Solved => {
                    for (cell, value) in values.iter_mut().enumerate() {
                        *value = least_value(open.state.candidates(cell));
                    }
                    self.stack.pop();
                    self.start = None;
                    if let Some(few) = &self.few {
                        few.count_solution();
                    }
                    return Ok(true);
                }
                Outcome::Open => {
                    let is_hard = self.weights.failures() >= FEW_FAILURES;
                    let weights = is_hard.then_some(&self.weights);
                    let ([with, without], guess) = self.rules.children(&open.state, weights);
                    *open = Open { state: without, guess };
                    self.stack.push(Open { state: with, guess });
                }
            }
        }
        let Some(solution) = self.left.pop() else { return Ok(false) };
        values.copy_from_slice(&solution);
        Ok(true)
    }

    fn ask_clauses(&self, few: &Few, failures: u64) -> Option<Solutions> {
        let found = few.all_instead_of(failures, &self.rules, &Stop::new());
        found.expect("nobody raises this flag")
    }

    fn expand(&self, candidates: &[u16]) -> Expanded {
        let mut state = self.rules.state(candidates);
        match self.rules.propagate(&mut state) {
            Outcome::Dead(_) => Expanded::Dead,
            Outcome::Solved => Expanded::Solved,
            Outcome::Open => {
                let (children, _) = self.rules.children(&state, None);
                Expanded::Children(children.map(|child| self.rules.candidates(&child)))
            }
        }
    }

    fn propagate(&self, candidates: &[u16]) -> Option<Vec<u16>> {
        let mut state = self.rules.state(candidates);
        match self.rules.propagate(&mut state) {
            Outcome::Dead(_) => None,
            Outcome::Solved | Outcome::Open => Some(self.rules.candidates(&state)),
        }
    }

    fn estimate_nodes(&self, candidates: &[u16], random: &mut Random) -> u64 {
        let mut state = self.rules.state(candidates);
        let mut nodes = 0_u64;
        let mut weight = 1_u64;
        loop {
            nodes = nodes.saturating_add(weight);
            if !matches!(self.rules.propagate(&mut state), Outcome::Open) {
                return nodes;
            }
            let (children, _) = self.rules.children(&state, None);
            state = children[random.below(2) as usize];
            weight = weight.saturating_mul(2);
        }
    }
}
