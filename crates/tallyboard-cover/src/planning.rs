//! The choice of an engine for a count, and the subtrees that are left to count then.

use std::sync::Arc;

use tallyboard_base::cpu::Instructions;
use tallyboard_search::{
    DESCENTS, Halt, NodeBudget, Splitting, Stop, Subtrees, Tree, estimated_nodes,
};

use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::frontier;
use crate::masks::{Encoded, MaskTree};
use crate::sets::{OptionSets, SetTree};
use crate::settings::{CountError, Engine};

/// The engine of a count, and what it counts.
#[derive(Debug)]
pub(crate) struct Plan {
    pub engine: Engine,
    /// The number of options that were removed, because no cover can have them.
    pub removed: usize,
    pub work: Work,
}

/// What an engine counts, and what was counted while the plan was made.
#[derive(Debug)]
pub(crate) enum Work {
    /// Everything was counted while the plan was made: the covers, as [`Arithmetic`] has them, and the nodes visited.
    Counted {
        covers: u128,
        nodes: u64,
    },
    /// One subtree, for the frontier.
    Frontier(Encoded),
    Masks(Subtrees<MaskTree>),
    Sets(Subtrees<SetTree>),
}

/// The most nodes of a first try, which counts small puzzles at once.
const TRIAL_NODES: u64 = 1 << 11;
/// Units of work that take as long as a node of the search. A unit is a test of an option against a state of the frontier, or of
/// eight words against a mask.
const WORK_OF_A_NODE: u64 = 6;
/// Removing options may take one part in so many of the search's time.
const REDUCTION_PART: u64 = 10;
/// The frontier may take one part in so many of the search's time, to find out whether it is faster.
const FRONTIER_PART: u64 = 40;
/// The work that the frontier may take for any search: about a millisecond.
const FRONTIER_WORK: u64 = 1 << 18;

/// The work of a count of a small tree: it is counted at once.
fn trial<T: Tree>(tree: &mut T) -> Result<Option<Work>, CountError> {
    let stop = Stop::new();
    let mut budget = NodeBudget::limited(&stop, TRIAL_NODES);
    match tree.count(&tree.root(), &mut budget) {
        Ok(covers) => Ok(Some(Work::Counted { covers, nodes: budget.nodes() })),
        Err(Halt::Overflow) => Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => Ok(None),
    }
}

/// The subtrees of a tree with about so many nodes.
fn subtrees<T: Tree>(tree: T, nodes: u64) -> Result<Subtrees<T>, CountError> {
    Subtrees::with(tree, nodes, &Splitting::default()).map_err(|_| CountError::Overflow)
}

/// Counts by the frontier if `may_merge` and it is faster, and otherwise plans a search over masks.
pub(crate) fn plan_masks(
    encoded: Encoded,
    instructions: Instructions,
    may_merge: bool,
) -> Result<Plan, CountError> {
    let mut tree = MaskTree::new(Arc::new(encoded), instructions);
    if let Some(work) = trial(&mut tree)? {
        return Ok(Plan { engine: Engine::Masks, removed: 0, work });
    }
    let mut nodes = estimated_nodes(&mut tree, DESCENTS);
    let mut removed = 0;
    if tree.encoded.reduction_work() < nodes.saturating_mul(WORK_OF_A_NODE) / REDUCTION_PART {
        removed = tree.reduce();
    }
    if removed > 0 {
        nodes = estimated_nodes(&mut tree, DESCENTS);
    }
    if may_merge {
        let budget = (nodes / FRONTIER_PART).saturating_mul(WORK_OF_A_NODE).max(FRONTIER_WORK);
        match frontier::count(&tree.encoded, budget, &Stop::new()) {
            Ok(covers) => {
                let work = Work::Counted { covers, nodes: 0 };
                return Ok(Plan { engine: Engine::Frontier, removed, work });
            }
            Err(Halt::Limit) => {}
            Err(_) => return Err(CountError::Overflow),
        }
    }
    Ok(Plan { engine: Engine::Masks, removed, work: Work::Masks(subtrees(tree, nodes)?) })
}

/// Counts a small cover at once, and plans a search over sets of options for a larger one.
pub(crate) fn plan_sets(cover: &Cover, arithmetic: Arithmetic) -> Result<Plan, CountError> {
    let sets = OptionSets::new(cover).ok_or(CountError::TooManyEntries)?;
    let mut tree = SetTree { sets, arithmetic };
    let work = match trial(&mut tree)? {
        Some(work) => work,
        None => {
            let nodes = estimated_nodes(&mut tree, DESCENTS);
            Work::Sets(subtrees(tree, nodes)?)
        }
    };
    Ok(Plan { engine: Engine::Sets, removed: 0, work })
}
