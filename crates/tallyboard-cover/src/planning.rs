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
use crate::sets::SetTree;
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

/// Components may take one node for so many of the search. A node of theirs takes up to thirty times as long as one of the masks.
const COMPONENTS_PART: u64 = 1 << 10;
/// The most nodes that components may take while a plan is made: about half a second.
const MOST_COMPONENT_NODES: u64 = 1 << 17;

/// The work of a count of a tree of at most `limit` nodes: it is counted at once.
fn trial<T: Tree>(tree: &mut T, limit: u64) -> Result<Option<Work>, CountError> {
    let stop = Stop::new();
    let mut budget = NodeBudget::limited(&stop, limit);
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

/// Counts by the frontier or by components if `may_merge` and one of them is faster, and otherwise plans a search over masks.
pub(crate) fn plan_masks(
    cover: &Cover,
    encoded: Encoded,
    instructions: Instructions,
    may_merge: bool,
) -> Result<Plan, CountError> {
    let mut tree = MaskTree::new(Arc::new(encoded), instructions);
    if let Some(work) = trial(&mut tree, TRIAL_NODES)? {
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
        if let Some(mut sets) = SetTree::new(cover, tree.encoded.arithmetic)
            && let Some(work) = count_by_components(&mut sets, nodes)?
        {
            return Ok(Plan { engine: Engine::Sets, removed, work });
        }
    }
    Ok(Plan { engine: Engine::Masks, removed, work: Work::Masks(subtrees(tree, nodes)?) })
}

/// Counts by components, if that takes few of the nodes of the search: one part in [`COMPONENTS_PART`] of `nodes`.
fn count_by_components(tree: &mut SetTree, nodes: u64) -> Result<Option<Work>, CountError> {
    match nodes / COMPONENTS_PART {
        0..=TRIAL_NODES => Ok(None),
        limit => trial(tree, limit.min(MOST_COMPONENT_NODES)),
    }
}

/// Counts a small cover at once, and plans a search over sets of options for a larger one.
pub(crate) fn plan_sets(cover: &Cover, arithmetic: Arithmetic) -> Result<Plan, CountError> {
    let mut tree = SetTree::new(cover, arithmetic).ok_or(CountError::TooManyEntries)?;
    let mut work = trial(&mut tree, TRIAL_NODES)?;
    if work.is_none() {
        let nodes = estimated_nodes(&mut tree, DESCENTS);
        work = match count_by_components(&mut tree, nodes)? {
            None => Some(Work::Sets(subtrees(tree, nodes)?)),
            counted => counted,
        };
    }
    let work = work.expect("it is counted, or split");
    Ok(Plan { engine: Engine::Sets, removed: 0, work })
}
