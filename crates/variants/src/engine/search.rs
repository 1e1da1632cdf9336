//! The search through a stack of states, depth first.

use std::fmt::Debug;
use std::sync::Arc;

use base::random::Random;

use super::cells::{Cells, Cells256};
use super::machine::Machine;
use super::propagate::Outcome;
use super::state::State;
use crate::tables::Tables;
use search::{Halt, Pace};

/// What lies below a grid with candidates.
pub(crate) enum Below {
    /// No solution.
    Nothing,
    /// One, this grid itself.
    Solution,
    /// Two grids with fewer candidates, which share the solutions between them.
    Halves([Vec<u16>; 2]),
}

/// A search, whatever the type of its sets of cells.
pub(crate) trait Search: Debug + Send + Sync {
    /// A search by the same rules, from no grid.
    fn another(&self) -> Box<dyn Search>;

    /// Starts from a grid with these candidates, a set for each cell.
    fn restart(&mut self, candidates: &[u16]);

    /// The next solution, written to `values`; false if there is none left.
    fn next(&mut self, values: &mut [u8], pace: &mut Pace<'_>) -> Result<bool, Halt>;

    /// Draws all conclusions from a grid and branches once.
    fn below(&self, candidates: &[u16]) -> Below;

    /// The candidates that are left after all conclusions; `None` if there is no solution.
    fn conclude(&self, candidates: &[u16]) -> Option<Vec<u16>>;

    /// An estimate of the nodes below a grid, from one random descent: at each branching it takes either side, and
    /// counts what it meets below twice.
    fn descend(&self, candidates: &[u16], random: &mut Random) -> u64;
}

/// The search for a set of rules.
pub(crate) fn search(tables: &Tables) -> Box<dyn Search> {
    match tables.size.side() {
        ..=8 => Box::new(Stack::<u64, 8>::new(tables)),
        9 => Box::new(Stack::<u128, 9>::new(tables)),
        _ => Box::new(Stack::<Cells256, 16>::new(tables)),
    }
}

/// The states that are left to look at, the next one last.
#[derive(Debug)]
struct Stack<C, const VALUES: usize> {
    machine: Arc<Machine<C, VALUES>>,
    states: Vec<State<C, VALUES>>,
}

impl<C: Cells, const VALUES: usize> Stack<C, VALUES> {
    fn new(tables: &Tables) -> Self {
        Self { machine: Arc::new(Machine::new(tables)), states: Vec::new() }
    }
}

impl<C: Cells, const VALUES: usize> Search for Stack<C, VALUES> {
    fn another(&self) -> Box<dyn Search> {
        Box::new(Self { machine: Arc::clone(&self.machine), states: Vec::new() })
    }

    fn restart(&mut self, candidates: &[u16]) {
        self.states.clear();
        self.states.push(self.machine.state(candidates));
    }

    fn next(&mut self, values: &mut [u8], pace: &mut Pace<'_>) -> Result<bool, Halt> {
        while let Some(state) = self.states.last_mut() {
            pace.node()?;
            match self.machine.propagate(state) {
                Outcome::Dead => {
                    self.states.pop();
                }
                Outcome::Solved => {
                    for (cell, value) in values.iter_mut().enumerate() {
                        *value = state.candidates(cell).trailing_zeros() as u8 + 1;
                    }
                    self.states.pop();
                    return Ok(true);
                }
                Outcome::Open => {
                    let [with, without] = self.machine.split(state);
                    *state = without;
                    self.states.push(with);
                }
            }
        }
        Ok(false)
    }

    fn below(&self, candidates: &[u16]) -> Below {
        let mut state = self.machine.state(candidates);
        match self.machine.propagate(&mut state) {
            Outcome::Dead => Below::Nothing,
            Outcome::Solved => Below::Solution,
            Outcome::Open => {
                let halves = self.machine.split(&state);
                Below::Halves(halves.map(|half| self.machine.candidates(&half)))
            }
        }
    }

    fn conclude(&self, candidates: &[u16]) -> Option<Vec<u16>> {
        let mut state = self.machine.state(candidates);
        match self.machine.propagate(&mut state) {
            Outcome::Dead => None,
            Outcome::Solved | Outcome::Open => Some(self.machine.candidates(&state)),
        }
    }

    fn descend(&self, candidates: &[u16], random: &mut Random) -> u64 {
        let mut state = self.machine.state(candidates);
        let mut nodes = 0_u64;
        let mut weight = 1_u64;
        loop {
            nodes = nodes.saturating_add(weight);
            if self.machine.propagate(&mut state) != Outcome::Open {
                return nodes;
            }
            let halves = self.machine.split(&state);
            state = halves[random.below(2) as usize];
            weight = weight.saturating_mul(2);
        }
    }
}
