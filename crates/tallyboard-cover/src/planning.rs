//! The choice of an engine for a count, and the subtrees that are left to count then.

use tallyboard_base::cpu::Instructions;
use tallyboard_base::idle::Idle;
use tallyboard_search::{Halt, Stop};

use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::frontier;
use crate::masks::{Encoded, MaskTree, Node, Workspace};
use crate::sets::{OptionSets, Path};
use crate::settings::{CountError, Engine};
use crate::splitting::{self, Split, Tree};

/// The engine of a count, what it counted while the plan was made, and what is left to count.
#[derive(Debug)]
pub(crate) struct Plan {
    pub engine: Engine,
    /// The number of options that were removed, because no cover can have them.
    pub removed: usize,
    /// The covers found while the plan was made, as [`Arithmetic`] has them.
    pub covers: u128,
    /// The nodes visited to count them.
    pub nodes: u64,
    /// The estimated nodes of each subtree that is left.
    pub costs: Vec<u64>,
    pub rest: Rest,
}

/// What is left to count: the subtrees below these nodes.
#[derive(Debug)]
pub(crate) enum Rest {
    Nothing,
    /// One subtree, for the frontier.
    All(Encoded),
    Masks {
        encoded: Encoded,
        roots: Vec<Node>,
        /// The memory of workers that have no subtree.
        idle: Idle<Workspace>,
    },
    Sets {
        sets: OptionSets,
        roots: Vec<Path>,
        /// The sets of workers that have no subtree.
        idle: Idle<OptionSets>,
    },
}

impl Plan {
    /// A plan before anything is counted.
    pub fn new(engine: Engine, rest: Rest) -> Self {
        Self { engine, removed: 0, covers: 0, nodes: 0, costs: Vec::new(), rest }
    }
}

/// The most nodes of a first try, which counts small puzzles at once.
const TRIAL_NODES: u64 = 1 << 11;
/// The fewest random descents that estimate the nodes of a search.
const DESCENTS: u64 = 32;
const MOST_DESCENTS: u64 = 1 << 10;
/// Nodes that take as long as a descent.
const NODES_OF_A_DESCENT: u64 = 128;
/// Descents may take one part in so many of the search's time.
const DESCENTS_PART: u64 = 100;
/// Units of work that take as long as a node of the search. A unit is a test of an option against a state of the frontier, or of
/// eight words against a mask.
const WORK_OF_A_NODE: u64 = 6;
/// Removing options may take one part in so many of the search's time.
const REDUCTION_PART: u64 = 10;
/// The frontier may take one part in so many of the search's time, to find out whether it is faster.
const FRONTIER_PART: u64 = 40;
/// The work that the frontier may take for any search: about a millisecond.
const FRONTIER_WORK: u64 = 1 << 18;

/// The estimated nodes of a search. The estimate of few descents, which is rough, tells how many descents are worth their time.
fn estimated_nodes<T: Tree>(tree: &mut T, root: &T::Node) -> u64 {
    let few = splitting::estimate(tree, root, DESCENTS);
    let descents = few / (DESCENTS_PART * NODES_OF_A_DESCENT);
    splitting::estimate(tree, root, descents.clamp(DESCENTS, MOST_DESCENTS))
}

/// Counts by the frontier if `may_merge` and it is faster, and otherwise plans a search over masks.
pub(crate) fn plan_masks(
    mut encoded: Encoded,
    instructions: Instructions,
    may_merge: bool,
) -> Result<Plan, CountError> {
    let root = encoded.root();
    let mut tree = MaskTree::new(&encoded, instructions);
    match tree.count_some(&root, TRIAL_NODES) {
        Ok((covers, nodes)) => {
            return Ok(Plan { covers, nodes, ..Plan::new(Engine::Masks, Rest::Nothing) });
        }
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let mut nodes = estimated_nodes(&mut tree, &root);
    let mut removed = 0;
    if encoded.reduction_work() < nodes.saturating_mul(WORK_OF_A_NODE) / REDUCTION_PART {
        removed = encoded.reduce(instructions);
    }
    let mut tree = MaskTree::new(&encoded, instructions);
    if removed > 0 {
        nodes = estimated_nodes(&mut tree, &root);
    }
    if may_merge {
        let budget = (nodes / FRONTIER_PART).saturating_mul(WORK_OF_A_NODE).max(FRONTIER_WORK);
        match frontier::count(&encoded, budget, &Stop::new()) {
            Ok(covers) => {
                return Ok(Plan { removed, covers, ..Plan::new(Engine::Frontier, Rest::Nothing) });
            }
            Err(Halt::Limit) => {}
            Err(_) => return Err(CountError::Overflow),
        }
    }
    let split = splitting::split(&mut tree, root, nodes, encoded.arithmetic);
    let Split { roots, costs, covers, nodes } = split.map_err(|_| CountError::Overflow)?;
    let idle = Idle::default();
    idle.put(tree.workspace);
    let rest = Rest::Masks { encoded, roots, idle };
    Ok(Plan { engine: Engine::Masks, removed, covers, nodes, costs, rest })
}

/// Counts a small cover at once, and plans a search over sets of options for a larger one.
pub(crate) fn plan_sets(cover: &Cover, arithmetic: Arithmetic) -> Result<Plan, CountError> {
    let mut sets = OptionSets::new(cover).ok_or(CountError::TooManyEntries)?;
    let root = Path::new();
    match sets.count_some(&root, TRIAL_NODES) {
        Ok((found, nodes)) => {
            let covers = arithmetic.count(found);
            return Ok(Plan { covers, nodes, ..Plan::new(Engine::Sets, Rest::Nothing) });
        }
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let nodes = estimated_nodes(&mut sets, &root);
    let split = splitting::split(&mut sets, root, nodes, arithmetic);
    let Split { roots, costs, covers, nodes } = split.map_err(|_| CountError::Overflow)?;
    let rest = Rest::Sets { sets, roots, idle: Idle::default() };
    Ok(Plan { engine: Engine::Sets, removed: 0, covers, nodes, costs, rest })
}
