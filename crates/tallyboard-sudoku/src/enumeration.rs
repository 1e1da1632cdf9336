//! Counting the solutions of one grid by finding each. A subtree is a state after the first branchings.
//!
//! The counts of independent sets of blank cells multiply, so the search looks for such sets wherever it branches. A connected
//! state with few blank cells goes to the batch engine, many states at a time.

use super::batch::{Puzzles, Solvers};
use super::{Grid, Solver};
use crate::components::components;
use crate::single::{GridState, Propagation, State};
use tallyboard_search::{Costs, NodeBudget, Problem, Revision, Stop, Stopped, Tally};

/// Branches are split further until there are this many subtrees, or none can be split.
const MIN_SUBTREES: usize = 1000;
/// The batch engine counts connected states with at most this many blank cells.
const MAX_BATCH_BLANKS: usize = 45;
/// States that the batch engine gets at a time.
const BATCH_STATES: usize = 1 << 8;

/// The version of this engine; [`Revision`] says when to raise a number.
pub(super) const REVISION: Revision = Revision { algorithm: 1, layout: 2 };

/// The count of a grid by finding each solution.
#[derive(Debug)]
pub struct Enumeration {
    /// The states after the first branchings. Each solution belongs to one of them.
    branches: Vec<GridState>,
    solver: Solver,
}

impl Enumeration {
    pub fn new(grid: &Grid, solver: Solver) -> Self {
        Self { branches: branches(grid.cells()), solver }
    }
}

impl Problem for Enumeration {
    fn subtrees(&self) -> usize {
        self.branches.len()
    }

    fn split(&self) -> Costs {
        Costs::equal(self.branches.len())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let new_batch = || (Solvers::of(self.solver.instructions()), Puzzles::default());
        let batch = (self.solver != Solver::Single).then(new_batch);
        let mut search = Search { branchings: NodeBudget::unlimited(stop), batch };
        let sum = search.count(self.branches[subtree].clone(), Scope::Grid)?;
        Ok(Tally::new(sum + search.count_batch()?))
    }
}

/// The states after the first branchings, in an order that depends on the grid alone.
pub(super) fn branches<const SIDE: usize, const CELLS: usize>(
    grid: &[u8; CELLS],
) -> Vec<State<SIDE, CELLS>> {
    let mut level: Vec<_> = State::new(grid).into_iter().collect();
    // Breadth first, so that the subtrees end at about the same depth.
    while (1..MIN_SUBTREES).contains(&level.len()) {
        let mut next = Vec::new();
        let mut grew = false;
        for mut state in level {
            match state.propagate() {
                Propagation::Dead => {}
                Propagation::Solved => next.push(state),
                Propagation::Branch(choice) => {
                    grew = true;
                    next.extend(choice.alternatives().map(|taken| state.child(taken)));
                }
            }
        }
        level = next;
        if !grew {
            break;
        }
    }
    level
}

/// What a state is one of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// The whole grid.
    Grid,
    /// An independent set of its blank cells. The others are blank in the state, too.
    Part,
}

/// A 9 × 9 grid has fewer than 10^22 solutions, so no sum or product here reaches 2^128.
struct Search<'a> {
    branchings: NodeBudget<'a>,
    /// The batch engine, and the states that it is to count.
    batch: Option<(Solvers, Puzzles)>,
}

impl Search<'_> {
    /// Counts the solutions of a state, or puts it into the table that is counted later. A state of a part may not go
    /// there: the batch engine would also fill the cells outside the part.
    fn count(&mut self, mut state: GridState, scope: Scope) -> Result<u128, Stopped> {
        let choice = match state.propagate() {
            Propagation::Dead => return Ok(0),
            Propagation::Solved => return Ok(1),
            Propagation::Branch(choice) => choice,
        };
        self.branchings.count_node().or(Err(Stopped))?;
        if let Some(parts) = components(&state) {
            let mut product = 1;
            for part in parts {
                product *= self.count(part, Scope::Part)?;
                if product == 0 {
                    break;
                }
            }
            return Ok(product);
        }
        if scope == Scope::Grid
            && state.blank_cells().len() <= MAX_BATCH_BLANKS
            && let Some((_, table)) = &mut self.batch
            && let Some(grid) = Grid::new(*state.cells())
        {
            table.push(&grid);
            return if table.len() == BATCH_STATES { self.count_batch() } else { Ok(0) };
        }
        let mut sum = 0;
        for alternative in choice.alternatives() {
            sum += self.count(state.child(alternative), scope)?;
        }
        Ok(sum)
    }

    /// Counts the solutions of the states in the table, and empties it.
    fn count_batch(&mut self) -> Result<u128, Stopped> {
        let Some((solvers, table)) = &mut self.batch else { return Ok(0) };
        table.count_up_to(solvers, u64::MAX, self.branchings.stop())?;
        let sum = table.counts().iter().copied().map(u128::from).sum();
        table.clear();
        Ok(sum)
    }
}
