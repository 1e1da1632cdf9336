//! What a count leaves to do once it has chosen an engine, and the choice itself.

use base::cpu::Instructions;
use base::idle::Idle;
use search::{Halt, Stop};

use crate::arithmetic::Arithmetic;
use crate::cells::{CellTree, Cells, Path};
use crate::cover::Cover;
use crate::frontier::{self, Outcome};
use crate::masks::{Encoded, Machine, MaskTree, Node};
use crate::settings::{CountError, Engine};
use crate::splitting::{self, Split, Tree};

/// What is left to do.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Nothing: it was counted while the plan was made.
    Counted {
        engine: Engine,
        total: u128,
        nodes: u64,
    },
    Frontier {
        encoded: Encoded,
    },
    Masks {
        encoded: Encoded,
        split: Split<Node>,
        idle: Idle<Machine>,
    },
    Sets {
        root: Cells,
        split: Split<Path>,
        idle: Idle<Cells>,
    },
}

impl Plan {
    /// The cost of what was counted while the plan was made, and of each subtree that is left.
    pub fn costs(&self) -> (u64, &[u64]) {
        match self {
            Self::Counted { nodes, .. } => (*nodes, &[]),
            Self::Frontier { .. } => (1, &[]),
            Self::Masks { split, .. } => (split.spent, &split.costs),
            Self::Sets { split, .. } => (split.spent, &split.costs),
        }
    }
}

/// Nodes of a first try. Small puzzles are done then, and cost nothing more.
const TRIAL: u64 = 1 << 11;
/// Descents that tell how large the search is.
const DESCENTS: u64 = 32;
/// Nodes that take as long as a descent.
const NODES_OF_A_DESCENT: u64 = 128;
/// Descents may take this part of the search's time.
const DESCENTS_PART: u64 = 100;
const MOST_DESCENTS: u64 = 1 << 10;
/// What takes as long as a node of the search: tests of an option against a state, or of eight against a mask.
const WORK_OF_A_NODE: u64 = 6;
/// Taking out options may cost this part of the search's time.
const REDUCTION_PART: u64 = 10;
/// The frontier may take this part of the search's time, to find out whether it is faster.
const FRONTIER_PART: u64 = 40;
/// Work that it may take at any rate: about a millisecond.
const FRONTIER_WORK: u64 = 1 << 18;

/// The estimated nodes of a search. A few descents tell about how many more are worth their time: single ones are far off.
fn size<T: Tree>(tree: &mut T, root: &T::Node) -> u64 {
    let few = splitting::estimate(tree, root, DESCENTS);
    let descents = few / (DESCENTS_PART * NODES_OF_A_DESCENT);
    splitting::estimate(tree, root, descents.clamp(DESCENTS, MOST_DESCENTS))
}

/// Plans a search over masks, or by the frontier if it may be `raced` and is faster. Also returns the number of options
/// taken out.
pub(crate) fn plan_masks(
    mut encoded: Encoded,
    instructions: Instructions,
    raced: bool,
) -> Result<(Plan, usize), CountError> {
    let overflow = |_| CountError::Overflow;
    let root = encoded.root();
    let mut tree = MaskTree { encoded: &encoded, instructions, machine: Machine::new(&encoded) };
    match tree.count(&root, TRIAL) {
        Ok((total, nodes)) => {
            return Ok((Plan::Counted { engine: Engine::Masks, total, nodes }, 0));
        }
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let mut nodes = size(&mut tree, &root);
    let mut removed = 0;
    if encoded.reduction_work() < nodes.saturating_mul(WORK_OF_A_NODE) / REDUCTION_PART {
        removed = encoded.reduce(instructions);
    }
    let mut tree = MaskTree { encoded: &encoded, instructions, machine: Machine::new(&encoded) };
    if removed > 0 {
        nodes = size(&mut tree, &root);
    }
    if raced {
        let budget = (nodes / FRONTIER_PART).saturating_mul(WORK_OF_A_NODE).max(FRONTIER_WORK);
        match frontier::count(&encoded, budget, &Stop::new()) {
            Ok(Outcome::Count(total)) => {
                return Ok((Plan::Counted { engine: Engine::Frontier, total, nodes: 0 }, removed));
            }
            Ok(Outcome::GivenUp) => {}
            Err(_) => return Err(CountError::Overflow),
        }
    }
    let split = splitting::split(&mut tree, root, nodes, encoded.arithmetic).map_err(overflow)?;
    let idle = Idle::default();
    idle.put(tree.machine);
    Ok((Plan::Masks { encoded, split, idle }, removed))
}

pub(crate) fn plan_sets(cover: &Cover, arithmetic: Arithmetic) -> Result<Plan, CountError> {
    let cells = Cells::new(cover).ok_or(CountError::TooManyEntries)?;
    let mut tree = CellTree { cells };
    match tree.count(&Path::new(), TRIAL) {
        Ok((total, nodes)) => return Ok(Plan::Counted { engine: Engine::Sets, total, nodes }),
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let nodes = size(&mut tree, &Path::new());
    let split = splitting::split(&mut tree, Path::new(), nodes, arithmetic)
        .map_err(|_| CountError::Overflow)?;
    Ok(Plan::Sets { root: tree.cells, split, idle: Idle::default() })
}
