//! The count of all solutions of a puzzle, split into subtrees for every core, for journals and for plans.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::idle::Idle;
use base::random::Random;
use search::{Costs, Halt, Pace, Problem, Revision, Stop, Stopped, Tally};

use crate::engine::search::{Below, Search};
use crate::puzzle::Puzzle;
use crate::solver::Solver;

/// Raise a number when the search or the subtrees change.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };
/// Subtrees are made until each has about as many nodes as this: some tens of milliseconds.
const NODES_OF_A_SUBTREE: u64 = 1 << 13;
/// Subtrees at most, of grids up to 9 × 9.
const MOST_SUBTREES: usize = 1_000;
/// Grids that look smaller are counted while the search is split.
const SMALL: u64 = 1 << 7;
/// Nodes that such a count may take.
const LIMIT: u64 = 1 << 9;
/// Descents that tell how large the search below a grid is.
const DESCENTS: u64 = 4;

/// The count of all solutions of a puzzle.
///
/// ```
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
    /// The solutions found while the search was split, and the nodes that it took.
    found: u64,
    spent: u64,
    /// The candidates of each subtree, and its estimated nodes.
    subtrees: Vec<Vec<u16>>,
    costs: Vec<u64>,
    search: Box<dyn Search>,
    idle: Idle<Box<dyn Search>>,
}

impl Count {
    /// Splits the search for the solutions of a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        let solver = Solver::new(puzzle.rules());
        let start = solver.start_of(puzzle);
        let mut count = Self {
            identity: identity(puzzle),
            found: 0,
            spent: 0,
            subtrees: Vec::new(),
            costs: Vec::new(),
            search: solver.search().another(),
            idle: Idle::default(),
        };
        count.split_from(start);
        count
    }

    /// Splits the costliest grid again and again.
    fn split_from(&mut self, start: Vec<u16>) {
        let nodes = self.estimate(&start);
        let wanted = usize::try_from(nodes / NODES_OF_A_SUBTREE).unwrap_or(usize::MAX);
        let wanted = wanted.clamp(1, most_subtrees(start.len()));
        let mut grids = Vec::new();
        // The costliest first, the earlier one of equals: the numbers of the subtrees depend on the puzzle alone.
        let mut costliest = BinaryHeap::new();
        if let Some(cost) = self.cost_unless_counted(&start) {
            costliest.push((cost, Reverse(0)));
            grids.push(Some((start, cost)));
        }
        while costliest.len() < wanted {
            let Some((_, Reverse(number))) = costliest.pop() else { break };
            let Some((grid, _)) = grids[number].take() else { continue };
            self.spent += 1;
            match self.search.below(&grid) {
                Below::Nothing => {}
                Below::Solution => self.found += 1,
                Below::Halves(halves) => {
                    for half in halves {
                        if let Some(cost) = self.cost_unless_counted(&half) {
                            costliest.push((cost, Reverse(grids.len())));
                            grids.push(Some((half, cost)));
                        }
                    }
                }
            }
        }
        for (grid, cost) in grids.into_iter().flatten() {
            self.subtrees.push(grid);
            self.costs.push(cost);
        }
    }

    /// The estimated nodes below a grid; `None` if they looked so few that they were counted at once.
    fn cost_unless_counted(&mut self, grid: &[u16]) -> Option<u64> {
        let cost = self.estimate(grid);
        if cost >= SMALL {
            return Some(cost);
        }
        let stop = Stop::new();
        let mut pace = Pace::limited(&stop, LIMIT);
        let found = self.count_below(grid, &mut pace);
        self.spent += pace.nodes();
        match found {
            Ok(found) => {
                self.found += found;
                None
            }
            Err(_) => Some(SMALL),
        }
    }

    fn estimate(&self, grid: &[u16]) -> u64 {
        let mut sum = 0_u64;
        for seed in 0..DESCENTS {
            sum = sum.saturating_add(self.search.descend(grid, &mut Random::from_seed(seed)));
        }
        (sum / DESCENTS).max(1)
    }

    fn count_below(&self, grid: &[u16], pace: &mut Pace<'_>) -> Result<u64, Halt> {
        let mut search = self.idle.take().unwrap_or_else(|| self.search.another());
        search.restart(grid);
        let mut values = vec![0; grid.len()];
        // Solutions are found one by one, so 64 bits count them.
        let mut found = 0;
        let result = loop {
            match search.next(&mut values, pace) {
                Ok(true) => found += 1,
                Ok(false) => break Ok(found),
                Err(halt) => break Err(halt),
            }
        };
        self.idle.put(search);
        result
    }
}

/// Subtrees at most of a grid with this number of cells. A descent takes time as the square of the cells, and splitting a few
/// seconds of descents: large grids have fewer subtrees.
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

/// A number that tells puzzles apart: FNV-1a over the text of the rules and the candidates, whatever was given as a
/// value and what as a pencil mark.
fn fingerprint(puzzle: &Puzzle) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for rule in puzzle.rules().rules() {
        eat(rule.to_string().as_bytes());
        eat(b"\n");
    }
    for set in puzzle.candidates().sets() {
        eat(&set.to_le_bytes());
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

    /// The first subtree was counted while the search was split.
    fn split(&self) -> Costs {
        let mut costs = vec![self.spent];
        costs.extend(&self.costs);
        Costs::new(costs)
    }

    /// # Panics
    /// If there is no such subtree.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Some(place) = subtree.checked_sub(1) else { return Ok(Tally::new(self.found)) };
        match self.count_below(&self.subtrees[place], &mut Pace::new(stop)) {
            Ok(found) => Ok(Tally::new(found)),
            Err(Halt::Stopped) => Err(Stopped),
            Err(Halt::Limit | Halt::Overflow) => {
                unreachable!("solutions are found one by one, without a limit")
            }
        }
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
