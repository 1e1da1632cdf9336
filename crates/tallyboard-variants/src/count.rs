//! The count of all solutions of a puzzle, split into subtrees for every core, for journals and for plans.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tallyboard_base::idle::Idle;
use tallyboard_base::random::Random;
use tallyboard_search::{Costs, Halt, NodeBudget, Problem, Revision, Stop, Stopped, Tally};

use crate::engine::search::{Expanded, Search};
use crate::puzzle::Puzzle;
use crate::solver::{Solver, stopped};

/// Raise `algorithm` when the search changes, and `layout` when the subtrees do.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };
/// The search is split until each subtree has about as many nodes as this, which take some tens of milliseconds.
const NODES_OF_A_SUBTREE: u64 = 1 << 13;
/// The most subtrees of grids up to 9 × 9.
const MOST_SUBTREES: usize = 1_000;
/// A grid with fewer estimated nodes is counted while the search is split.
const FEW_NODES: u64 = 1 << 7;
/// The most nodes of such a count; the grid becomes a subtree if it needs more.
const MOST_NODES_COUNTED_AT_ONCE: u64 = 1 << 9;
/// Random descents that are averaged to estimate the nodes below a grid.
const DESCENTS: u64 = 4;

/// The count of all solutions of a puzzle.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_variants as variants; pub use ::tallyboard_search as search; }
/// use tallyboard::search;
/// use tallyboard::variants::{Count, Puzzle, Rules};
///
/// let count = Count::new(&Puzzle::new(Rules::new(4)?));
/// assert_eq!(search::count(&count)?, 288);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Count {
    identity: String,
    /// The solutions found while the search was split.
    solutions_at_split: u64,
    /// The nodes visited while the search was split.
    nodes_at_split: u64,
    /// The candidates of the grid of each subtree but the first.
    grids: Vec<Vec<u16>>,
    /// The estimated nodes of each of these subtrees.
    costs: Vec<u64>,
    search: Box<dyn Search>,
    /// Searches that no worker uses, kept for their memory.
    idle: Idle<Box<dyn Search>>,
}

impl Count {
    /// Splits the search for the solutions of a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        let solver = Solver::new(puzzle.rules());
        let start = solver.start_of(puzzle);
        let mut count = Self {
            identity: identity(puzzle),
            solutions_at_split: 0,
            nodes_at_split: 0,
            grids: Vec::new(),
            costs: Vec::new(),
            search: solver.search().fresh(),
            idle: Idle::default(),
        };
        count.split_from(start);
        count
    }

    /// Splits the costliest grid until there are enough subtrees.
    fn split_from(&mut self, start: Vec<u16>) {
        let nodes = self.estimate(&start);
        let wanted = usize::try_from(nodes / NODES_OF_A_SUBTREE).unwrap_or(usize::MAX);
        let wanted = wanted.clamp(1, most_subtrees(start.len()));
        let mut grids = Vec::new();
        // The cost and the number of each grid in `grids`. Of equal costs the earlier one comes first, so that the subtrees
        // depend on the puzzle alone.
        let mut costliest = BinaryHeap::new();
        if let Some(cost) = self.cost_unless_counted(&start) {
            costliest.push((cost, Reverse(0)));
            grids.push(Some((start, cost)));
        }
        while costliest.len() < wanted {
            let Some((_, Reverse(number))) = costliest.pop() else { break };
            let Some((grid, _)) = grids[number].take() else { continue };
            self.nodes_at_split += 1;
            let children = match self.search.expand(&grid) {
                Expanded::Dead => continue,
                Expanded::Solved => {
                    self.solutions_at_split += 1;
                    continue;
                }
                Expanded::Children(children) => children,
            };
            for child in children {
                if let Some(cost) = self.cost_unless_counted(&child) {
                    costliest.push((cost, Reverse(grids.len())));
                    grids.push(Some((child, cost)));
                }
            }
        }
        (self.grids, self.costs) = grids.into_iter().flatten().unzip();
    }

    /// The estimated nodes below a grid; `None` if they are few, and its solutions were added to those found at the split.
    fn cost_unless_counted(&mut self, grid: &[u16]) -> Option<u64> {
        let cost = self.estimate(grid);
        if cost >= FEW_NODES {
            return Some(cost);
        }
        let stop = Stop::new();
        let mut budget = NodeBudget::limited(&stop, MOST_NODES_COUNTED_AT_ONCE);
        let found = self.count_below(grid, &mut budget);
        self.nodes_at_split += budget.nodes();
        match found {
            Ok(found) => {
                self.solutions_at_split += found;
                None
            }
            Err(_) => Some(FEW_NODES),
        }
    }

    fn estimate(&self, grid: &[u16]) -> u64 {
        let mut sum = 0_u64;
        for seed in 0..DESCENTS {
            let nodes = self.search.estimate_nodes(grid, &mut Random::from_seed(seed));
            sum = sum.saturating_add(nodes);
        }
        (sum / DESCENTS).max(1)
    }

    fn count_below(&self, grid: &[u16], budget: &mut NodeBudget<'_>) -> Result<u64, Halt> {
        let mut search = self.idle.take().unwrap_or_else(|| self.search.fresh());
        search.restart(grid);
        let mut values = vec![0; grid.len()];
        // Solutions are found one by one, so 64 bits count them.
        let mut found = 0;
        let result = loop {
            match search.next(&mut values, budget) {
                Ok(true) => found += 1,
                Ok(false) => break Ok(found),
                Err(halt) => break Err(halt),
            }
        };
        self.idle.put(search);
        result
    }
}

/// The most subtrees of a grid with this number of cells. The time of a random descent grows with the square of the cells, so
/// large grids have fewer subtrees: splitting then takes a few seconds at most.
fn most_subtrees(cells: usize) -> usize {
    /// Cells of a grid of 9 × 9.
    const USUAL: usize = 81;
    if cells <= USUAL { MOST_SUBTREES } else { MOST_SUBTREES * USUAL * USUAL / (cells * cells) }
}

/// Names the puzzle by its size and a number made of its rules and candidates.
fn identity(puzzle: &Puzzle) -> String {
    let side = puzzle.size().side();
    let fingerprint = fingerprint(puzzle);
    format!("variant size={side} fingerprint={fingerprint:016x} {REVISION}")
}

/// A number that tells puzzles apart: FNV-1a over the text of the rules and the candidates. A given is the same as a cell with
/// one pencil mark.
fn fingerprint(puzzle: &Puzzle) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for rule in puzzle.rules().rules() {
        add(rule.to_string().as_bytes());
        add(b"\n");
    }
    for set in puzzle.candidates().sets() {
        add(&set.to_le_bytes());
    }
    hash
}

impl Problem for Count {
    fn identity(&self) -> String {
        self.identity.clone()
    }

    fn subtrees(&self) -> usize {
        1 + self.costs.len()
    }

    /// The first subtree has what was counted while the search was split.
    fn split(&self) -> Costs {
        let mut costs = vec![self.nodes_at_split];
        costs.extend(&self.costs);
        Costs::new(costs)
    }

    /// # Panics
    /// If there is no such subtree.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Some(number) = subtree.checked_sub(1) else {
            return Ok(Tally::new(self.solutions_at_split));
        };
        let found = self.count_below(&self.grids[number], &mut NodeBudget::unlimited(stop));
        found.map(Tally::new).map_err(stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_grids_have_fewer_subtrees() {
        let most = [16, 81, 144, 256].map(most_subtrees);
        assert_eq!(most, [1_000, 1_000, 316, 100]);
    }
}
