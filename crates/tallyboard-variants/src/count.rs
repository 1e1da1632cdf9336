//! The count of all solutions of a puzzle, split into subtrees for every core, for journals and for plans.

use std::ops::RangeInclusive;
use std::sync::Arc;

use tallyboard_base::random::Random;
use tallyboard_base::statistics::Estimate;
use tallyboard_search::{
    Branches, Costs, Halt, NodeBudget, Problem, Revision, Splitting, Stop, Stopped, Subtrees,
    Tally, Tree, estimate_leaves, estimated_nodes,
};

use crate::engine::few::Few;
use crate::engine::search::{Expanded, Search};
use crate::puzzle::Puzzle;
use crate::solver::Solver;

/// Raise `algorithm` when the search changes, and `layout` when the subtrees do.
const REVISION: Revision = Revision { algorithm: 1, layout: 3 };
/// As [`REVISION`], of puzzles whose solutions clauses have told.
const REVISION_OF_FEW: Revision = Revision { algorithm: 2, layout: 1 };
/// Clauses are asked before a search of so many estimated nodes is split, for about the time of one failure for so many nodes, and at
/// most of so many: a second or two. In a shorter search they are asked soon enough, and of many solutions they find the first 64,
/// which takes some milliseconds.
const NODES_WORTH_CLAUSES: u64 = 1 << 16;
const NODES_OF_A_FAILURE: u64 = 256;
const MOST_FAILURES: u64 = 1 << 13;
/// Random descents that are averaged to estimate the nodes below a grid.
const DESCENTS: RangeInclusive<u64> = 4..=4;
/// How grids up to 9 × 9 are split. A subtree takes some tens of milliseconds.
const SPLITTING: Splitting = Splitting {
    nodes_of_a_subtree: 1 << 13,
    fewest_subtrees: 1,
    most_subtrees: 1_000,
    descents: *DESCENTS.start(),
    few_nodes: 1 << 7,
    most_nodes_counted_at_once: 1 << 9,
    most_steps: u64::MAX,
};

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
    work: Work,
}

/// What is left to count.
#[derive(Debug)]
enum Work {
    /// Clauses have told all solutions, which are so many.
    Few(u64),
    Split(Subtrees<Grids>),
}

impl Count {
    /// Splits the search for the solutions of a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        let mut grids = Grids::new(puzzle);
        let nodes = estimated_nodes(&mut grids, DESCENTS);
        if nodes >= NODES_WORTH_CLAUSES {
            let failures = (nodes / NODES_OF_A_FAILURE).min(MOST_FAILURES);
            if let Some(all) = grids.search.ask_clauses(&grids.few, failures) {
                let work = Work::Few(all.len() as u64);
                return Self { identity: identity(puzzle, REVISION_OF_FEW), work };
            }
        }
        let most_subtrees = most_subtrees(grids.start.len());
        let splitting = Splitting { most_subtrees, ..SPLITTING };
        let subtrees = Subtrees::with(grids, nodes, &splitting);
        let subtrees = subtrees.expect("solutions are found one by one, so 128 bits count them");
        Self { identity: identity(puzzle, REVISION), work: Work::Split(subtrees) }
    }
}

/// Estimates of the number of solutions of a puzzle from random descents through the tree of the search: quick where a count would
/// take years.
#[derive(Debug)]
pub struct Estimator(Grids);

impl Estimator {
    /// The search for the solutions of a puzzle.
    pub fn new(puzzle: &Puzzle) -> Self {
        Self(Grids::new(puzzle))
    }

    /// An estimate without bias from so many descents in all, the same for the same seed.
    pub fn estimate(&mut self, descents: u64, seed: u64) -> Estimate {
        estimate_leaves(&mut self.0, descents, seed)
    }
}

/// The grids of a search, as the candidates of their cells.
#[derive(Debug)]
struct Grids {
    search: Box<dyn Search>,
    /// The root.
    start: Arc<[u16]>,
    /// What clauses tell of it.
    few: Arc<Few>,
}

impl Grids {
    fn new(puzzle: &Puzzle) -> Self {
        let solver = Solver::new(puzzle.rules());
        let start: Arc<[u16]> = solver.start_of(puzzle).into();
        let few = Arc::new(Few::new(&start));
        Self { search: solver.search().fresh(), start, few }
    }
}

impl Clone for Grids {
    fn clone(&self) -> Self {
        let (start, few) = (Arc::clone(&self.start), Arc::clone(&self.few));
        Self { search: self.search.fresh(), start, few }
    }
}

impl Tree for Grids {
    type Node = Vec<u16>;

    fn root(&self) -> Vec<u16> {
        self.start.to_vec()
    }

    fn branches(&mut self, grid: &Vec<u16>) -> Branches<Vec<u16>> {
        match self.search.expand(grid) {
            Expanded::Dead => Branches::Leaf(0),
            Expanded::Solved => Branches::Leaf(1),
            Expanded::Children(children) => Branches::Children(children.into()),
        }
    }

    fn descend(&mut self, grid: &Vec<u16>, seed: u64) -> u64 {
        self.search.estimate_nodes(grid, &mut Random::from_seed(seed))
    }

    fn count(&mut self, grid: &Vec<u16>, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        self.search.restart_below(&self.few, grid);
        let mut values = vec![0; grid.len()];
        // Solutions are found one by one, so 64 bits count them.
        let mut found = 0_u64;
        while self.search.next(&mut values, budget)? {
            found += 1;
        }
        Ok(found.into())
    }
}

/// The most subtrees of a grid with this number of cells. The time of a random descent grows with the square of the cells, so
/// large grids have fewer subtrees: splitting then takes a few seconds at most.
pub fn most_subtrees(cells: usize) -> u64 {
    /// Cells of a grid of 9 × 9.
    const USUAL: u64 = 81;
    let cells = USUAL.max(cells as u64);
    SPLITTING.most_subtrees * USUAL * USUAL / (cells * cells)
}

/// Names the puzzle by its size and a number made of its rules and candidates.
fn identity(puzzle: &Puzzle, revision: Revision) -> String {
    let side = puzzle.size().side();
    let fingerprint = fingerprint(puzzle);
    format!("variant size={side} fingerprint={fingerprint:016x} {revision}")
}

/// A number that tells puzzles apart: FNV-1a over the text of the rules and the candidates. A given is the same as a cell with
/// one pencil mark.
pub fn fingerprint(puzzle: &Puzzle) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    let size = puzzle.size();
    if size.first_value() != 1 {
        add(&[size.first_value() as u8]);
    }
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
        match &self.work {
            Work::Few(_) => 1,
            Work::Split(subtrees) => subtrees.subtrees(),
        }
    }

    fn split(&self) -> Costs {
        match &self.work {
            Work::Few(_) => Costs::equal(1),
            Work::Split(subtrees) => subtrees.split(),
        }
    }

    /// # Panics
    /// If there is no such subtree.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        match &self.work {
            Work::Few(solutions) => Ok((*solutions).into()),
            Work::Split(subtrees) => subtrees.count(subtree, stop),
        }
    }
}
