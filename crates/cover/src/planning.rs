//! The choice of an engine for a count, and the subtrees that are left to count then.

use base::cpu::Instructions;
use base::idle::Idle;
use search::{Halt, Stop};

use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::frontier::{self, Outcome};
use crate::masks::{Encoded, MaskTree, Node, Workspace};
use crate::sets::{OptionSets, Path, SetTree};
use crate::settings::{CountError, Engine};
use crate::splitting::{self, Split, Tree};

/// The engine of a count, and what is left to count.
#[derive(Debug)]
pub(crate) enum Plan {
    /// All was counted while the plan was made.
    Counted { engine: Engine, total: u128, nodes: u64 },
    /// One subtree, for the frontier.
    Frontier { encoded: Encoded },
    Masks {
        encoded: Encoded,
        split: Split<Node>,
        /// The memory of workers that have no subtree.
        idle: Idle<Workspace>,
    },
    Sets {
        root: OptionSets,
        split: Split<Path>,
        /// The sets of workers that have no subtree.
        idle: Idle<OptionSets>,
    },
}

impl Plan {
    /// The cost of what was counted while the plan was made, and of each subtree that is left.
    pub fn costs(&self) -> (u64, &[u64]) {
        match self {
            Self::Counted { nodes, .. } => (*nodes, &[]),
            Self::Frontier { .. } => (1, &[]),
            Self::Masks { split, .. } => (split.nodes_at_split, &split.costs),
            Self::Sets { split, .. } => (split.nodes_at_split, &split.costs),
        }
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

/// The engines that a plan for masks may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Masks,
    MasksOrFrontier,
}

/// Counts by the frontier if `choice` allows it and it is faster, and otherwise plans a search over masks. Also returns the
/// number of options removed.
pub(crate) fn plan_masks(
    mut encoded: Encoded,
    instructions: Instructions,
    choice: Choice,
) -> Result<(Plan, usize), CountError> {
    let root = encoded.root();
    let mut tree =
        MaskTree { encoded: &encoded, instructions, workspace: Workspace::new(&encoded) };
    match tree.count(&root, TRIAL_NODES) {
        Ok((total, nodes)) => {
            return Ok((Plan::Counted { engine: Engine::Masks, total, nodes }, 0));
        }
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let mut nodes = estimated_nodes(&mut tree, &root);
    let mut removed = 0;
    if encoded.reduction_work() < nodes.saturating_mul(WORK_OF_A_NODE) / REDUCTION_PART {
        removed = encoded.reduce(instructions);
    }
    let mut tree =
        MaskTree { encoded: &encoded, instructions, workspace: Workspace::new(&encoded) };
    if removed > 0 {
        nodes = estimated_nodes(&mut tree, &root);
    }
    if choice == Choice::MasksOrFrontier {
        let budget = (nodes / FRONTIER_PART).saturating_mul(WORK_OF_A_NODE).max(FRONTIER_WORK);
        match frontier::count(&encoded, budget, &Stop::new()) {
            Ok(Outcome::Count(total)) => {
                return Ok((Plan::Counted { engine: Engine::Frontier, total, nodes: 0 }, removed));
            }
            Ok(Outcome::GivenUp) => {}
            Err(_) => return Err(CountError::Overflow),
        }
    }
    let split = splitting::split(&mut tree, root, nodes, encoded.arithmetic)
        .map_err(|_| CountError::Overflow)?;
    let idle = Idle::default();
    idle.put(tree.workspace);
    Ok((Plan::Masks { encoded, split, idle }, removed))
}

/// Counts a small cover at once, and plans a search over sets of options for a larger one.
pub(crate) fn plan_sets(cover: &Cover, arithmetic: Arithmetic) -> Result<Plan, CountError> {
    let sets = OptionSets::new(cover).ok_or(CountError::TooManyEntries)?;
    let mut tree = SetTree { sets };
    match tree.count(&Path::new(), TRIAL_NODES) {
        Ok((total, nodes)) => return Ok(Plan::Counted { engine: Engine::Sets, total, nodes }),
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let nodes = estimated_nodes(&mut tree, &Path::new());
    let split = splitting::split(&mut tree, Path::new(), nodes, arithmetic)
        .map_err(|_| CountError::Overflow)?;
    Ok(Plan::Sets { root: tree.sets, split, idle: Idle::default() })
}
