//! Depth-first search with a stack of states.

use std::fmt::Debug;
use std::sync::Arc;

use tallyboard_base::random::Random;

use super::propagate::{CompiledRules, Outcome};
use super::state::{Cells, Cells256, State};
use crate::grid::least_value;
use crate::tables::Tables;
use tallyboard_search::{Halt, NodeBudget};

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

    /// The next solution, written to `values`; false if there is none left.
    fn next(&mut self, values: &mut [u8], budget: &mut NodeBudget<'_>) -> Result<bool, Halt>;

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
struct StackSearch<C, const VALUES: usize> {
    rules: Arc<CompiledRules<C, VALUES>>,
    stack: Vec<State<C, VALUES>>,
}

impl<C: Cells, const VALUES: usize> StackSearch<C, VALUES> {
    fn new(tables: &Tables) -> Self {
        Self { rules: Arc::new(CompiledRules::new(tables)), stack: Vec::new() }
    }
}

impl<C: Cells, const VALUES: usize> Search for StackSearch<C, VALUES> {
    fn fresh(&self) -> Box<dyn Search> {
        Box::new(Self { rules: Arc::clone(&self.rules), stack: Vec::new() })
    }

    fn restart(&mut self, candidates: &[u16]) {
        self.stack.clear();
        self.stack.push(self.rules.state(candidates));
    }

    fn next(&mut self, values: &mut [u8], budget: &mut NodeBudget<'_>) -> Result<bool, Halt> {
        while let Some(state) = self.stack.last_mut() {
            budget.count_node()?;
            match self.rules.propagate(state) {
                Outcome::Dead => {
                    self.stack.pop();
                }
                Outcome::Solved => {
                    for (cell, value) in values.iter_mut().enumerate() {
                        *value = least_value(state.candidates(cell));
                    }
                    self.stack.pop();
                    return Ok(true);
                }
                Outcome::Open => {
                    let [with, without] = self.rules.children(state);
                    *state = without;
                    self.stack.push(with);
                }
            }
        }
        Ok(false)
    }

    fn expand(&self, candidates: &[u16]) -> Expanded {
        let mut state = self.rules.state(candidates);
        match self.rules.propagate(&mut state) {
            Outcome::Dead => Expanded::Dead,
            Outcome::Solved => Expanded::Solved,
            Outcome::Open => {
                let children = self.rules.children(&state);
                Expanded::Children(children.map(|child| self.rules.candidates(&child)))
            }
        }
    }

    fn propagate(&self, candidates: &[u16]) -> Option<Vec<u16>> {
        let mut state = self.rules.state(candidates);
        match self.rules.propagate(&mut state) {
            Outcome::Dead => None,
            Outcome::Solved | Outcome::Open => Some(self.rules.candidates(&state)),
        }
    }

    fn estimate_nodes(&self, candidates: &[u16], random: &mut Random) -> u64 {
        let mut state = self.rules.state(candidates);
        let mut nodes = 0_u64;
        let mut weight = 1_u64;
        loop {
            nodes = nodes.saturating_add(weight);
            if self.rules.propagate(&mut state) != Outcome::Open {
                return nodes;
            }
            let children = self.rules.children(&state);
            state = children[random.below(2) as usize];
            weight = weight.saturating_mul(2);
        }
    }
}
