//! The count of a cover as a problem: chooses an engine, which splits the search into subtrees.

use std::hash::Hasher;

use base::idle::Idle;
use base::named::named;
use base::{Kernel, KernelMissing};
use search::{Costs, Problem, Revision, Stop, Stopped, Tally};

use crate::cells::{CellTree, Cells, Path};
use crate::cover::{Cover, Kind};
use crate::frontier::{self, Outcome};
use crate::hash::mix;
use crate::masks::{Encoded, Machine, MaskTree, Node};
use crate::splitting::{self, Split, Tree};
use crate::stop::{Halt, Pace};
use base::cpu::Instructions;

/// How covers are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// A search over masks, which remembers what it counted before: up to 512 bits, no multiplicities.
    Masks,
    /// Items in a fixed order, equal states merged: fast where pieces may be used again.
    Frontier,
    /// A search over sets of options: every cover.
    Sets,
}

named! {
    /// All engines.
    Engine { Masks = "masks", Frontier = "frontier", Sets = "sets" }
}

impl Engine {
    /// The version of the engine.
    const fn revision(self) -> Revision {
        match self {
            Self::Masks | Self::Frontier | Self::Sets => Revision { algorithm: 1, layout: 1 },
        }
    }
}

/// Why a cover cannot be counted.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// More covers than 128 bits can count.
    #[error("the count does not fit in 128 bits")]
    Overflow,
    /// The frontier has too many states.
    #[error("the frontier engine needs more than 512 MiB; the masks engine needs far less")]
    Memory,
    /// More entries than 32 bits can number.
    #[error("found more than 4294967295 entries in all options, expected fewer")]
    TooManyEntries,
    /// The engine asked for takes no such problem.
    #[error(
        "the {0} engine takes no multiplicities and at most 512 bits for items and colours; the sets engine does"
    )]
    NotFor(Engine),
    /// The CPU lacks instructions.
    #[error(transparent)]
    Kernel(#[from] KernelMissing),
}

/// How to count; all is chosen by itself if not asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    engine: Option<Engine>,
    kernel: Option<Kernel>,
}

impl Settings {
    /// The fastest engine and kernel.
    pub fn new() -> Self {
        Self::default()
    }

    /// This engine.
    #[must_use]
    pub fn engine(self, engine: impl Into<Option<Engine>>) -> Self {
        Self { engine: engine.into(), ..self }
    }

    /// This kernel.
    #[must_use]
    pub fn kernel(self, kernel: impl Into<Option<Kernel>>) -> Self {
        Self { kernel: kernel.into(), ..self }
    }
}

/// The exact count of all covers of a problem.
#[derive(Debug)]
pub struct Count {
    fingerprint: u128,
    items: usize,
    options: usize,
    removed: usize,
    instructions: Instructions,
    plan: Plan,
}

/// What is left to do.
#[derive(Debug)]
enum Plan {
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
    fn costs(&self) -> (u64, &[u64]) {
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
/// What takes as long as a node of the search: tests of an option against a state, or of eight against a mask.
const WORK_OF_A_NODE: u64 = 6;
/// Taking out options may cost this part of the search's time.
const REDUCTION_PART: u64 = 10;
/// The frontier may take this part of the search's time, to find out whether it is faster.
const FRONTIER_PART: u64 = 20;
/// Work that it may take at any rate: about a millisecond.
const FRONTIER_WORK: u64 = 1 << 18;

impl Count {
    /// Counts `cover` with the fastest engine for it.
    ///
    /// # Errors
    /// [`CountError`] for a cover of more than 2^32 entries.
    pub fn new(cover: &Cover) -> Result<Self, CountError> {
        Self::with(cover, Settings::default())
    }

    /// Counts `cover` as `settings` ask.
    ///
    /// # Errors
    /// [`CountError`] if the engine cannot count this cover or the CPU cannot run the kernel.
    pub fn with(cover: &Cover, settings: Settings) -> Result<Self, CountError> {
        let instructions =
            settings.kernel.map(Instructions::of).transpose()?.unwrap_or_else(Instructions::best);
        let mut count = Self {
            fingerprint: fingerprint(cover),
            items: cover.items().len(),
            options: cover.len(),
            removed: (0..cover.len()).filter(|&option| !cover.can_choose(option)).count(),
            instructions,
            plan: Plan::Counted { engine: Engine::Masks, total: 0, nodes: 0 },
        };
        let encoded =
            if settings.engine == Some(Engine::Sets) { None } else { Encoded::new(cover) };
        count.plan = match (encoded, settings.engine) {
            (None, Some(engine @ (Engine::Masks | Engine::Frontier))) => {
                return Err(CountError::NotFor(engine));
            }
            (None, _) => plan_sets(cover)?,
            (Some(encoded), Some(Engine::Frontier)) => Plan::Frontier { encoded },
            (Some(encoded), engine) => {
                let (plan, removed) = plan_masks(encoded, instructions, engine.is_none())?;
                count.removed += removed;
                plan
            }
        };
        Ok(count)
    }

    /// The engine that counts.
    pub fn engine(&self) -> Engine {
        match self.plan {
            Plan::Counted { engine, .. } => engine,
            Plan::Frontier { .. } => Engine::Frontier,
            Plan::Masks { .. } => Engine::Masks,
            Plan::Sets { .. } => Engine::Sets,
        }
    }

    /// Why this engine counts, in a few words.
    pub fn reason(&self) -> &'static str {
        match self.plan {
            Plan::Counted { engine: Engine::Frontier, .. } => {
                "merging equal states was done in a twentieth of the time that the search would take"
            }
            Plan::Counted { .. } => "so small that it was counted at once",
            Plan::Frontier { .. } => "asked for",
            Plan::Masks { .. } => {
                "the search is faster than merging equal states, as far as that was tried"
            }
            Plan::Sets { .. } => "it has multiplicities or more than 512 bits, or was asked for",
        }
    }

    /// The kernel that runs on this machine.
    pub fn kernel(&self) -> Kernel {
        self.instructions.kernel()
    }

    /// The number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// The number of options.
    pub fn options(&self) -> usize {
        self.options
    }

    /// The number of options that were taken out, since no cover can have them.
    pub fn removed(&self) -> usize {
        self.removed
    }

    fn count_nodes(&self, subtree: usize, pace: &mut Pace<'_>) -> Result<u128, Halt> {
        match &self.plan {
            Plan::Counted { total, .. } => Ok(*total),
            Plan::Frontier { encoded } => match frontier::count(encoded, u64::MAX, pace.stop())? {
                Outcome::Count(total) => Ok(total),
                Outcome::GivenUp => Err(Halt::Limit),
            },
            Plan::Masks { encoded, split, idle } => {
                let Some(place) = subtree.checked_sub(1) else { return Ok(split.found) };
                let machine = idle.take().unwrap_or_else(|| Machine::new(encoded));
                let mut tree = MaskTree { encoded, instructions: self.instructions, machine };
                let found = tree.count_within(&split.nodes[place], pace);
                idle.put(tree.machine);
                found
            }
            Plan::Sets { root, split, idle } => {
                let Some(place) = subtree.checked_sub(1) else { return Ok(split.found) };
                let mut tree = CellTree { cells: idle.take().unwrap_or_else(|| root.clone()) };
                let found = tree.count_within(&split.nodes[place], pace);
                idle.put(tree.cells);
                found
            }
        }
    }

    /// Counts all subtrees, on this thread.
    ///
    /// # Errors
    /// [`CountError::Overflow`], [`CountError::Memory`].
    pub fn total(&self) -> Result<u128, CountError> {
        self.total_and_nodes().map(|(total, _)| total)
    }

    /// Counts all subtrees, on this thread, and the nodes of the search.
    ///
    /// # Errors
    /// [`CountError::Overflow`], [`CountError::Memory`].
    pub fn total_and_nodes(&self) -> Result<(u128, u64), CountError> {
        let stop = Stop::new();
        let mut pace = Pace::new(&stop);
        let mut total = 0_u128;
        for subtree in 0..self.split().len() {
            let found = self.count_nodes(subtree, &mut pace).map_err(|halt| match halt {
                Halt::Overflow => CountError::Overflow,
                // Nobody raises the flag.
                Halt::Limit | Halt::Stopped => CountError::Memory,
            })?;
            total = total.checked_add(found).ok_or(CountError::Overflow)?;
        }
        let before = match &self.plan {
            Plan::Counted { nodes, .. } => *nodes,
            Plan::Frontier { .. } => 0,
            Plan::Masks { split, .. } => split.spent,
            Plan::Sets { split, .. } => split.spent,
        };
        Ok((total, before + pace.nodes()))
    }
}

/// Plans a search over masks, or by the frontier if it may be `raced` and is faster. Also returns the number of options
/// taken out.
fn plan_masks(
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
    let mut nodes = splitting::estimate(&mut tree, &root, DESCENTS);
    let mut removed = 0;
    if encoded.reduction_work() < nodes.saturating_mul(WORK_OF_A_NODE) / REDUCTION_PART {
        removed = encoded.reduce(instructions);
    }
    let mut tree = MaskTree { encoded: &encoded, instructions, machine: Machine::new(&encoded) };
    if removed > 0 {
        nodes = splitting::estimate(&mut tree, &root, DESCENTS);
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
    let split = splitting::split(&mut tree, root, nodes).map_err(overflow)?;
    let idle = Idle::default();
    idle.put(tree.machine);
    Ok((Plan::Masks { encoded, split, idle }, removed))
}

fn plan_sets(cover: &Cover) -> Result<Plan, CountError> {
    let cells = Cells::new(cover).ok_or(CountError::TooManyEntries)?;
    let mut tree = CellTree { cells };
    match tree.count(&Path::new(), TRIAL) {
        Ok((total, nodes)) => return Ok(Plan::Counted { engine: Engine::Sets, total, nodes }),
        Err(Halt::Overflow) => return Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => {}
    }
    let nodes = splitting::estimate(&mut tree, &Path::new(), DESCENTS);
    let split =
        splitting::split(&mut tree, Path::new(), nodes).map_err(|_| CountError::Overflow)?;
    Ok(Plan::Sets { root: tree.cells, split, idle: Idle::default() })
}

/// A number that tells covers apart: of the items' kinds and names and of the options in their order.
fn fingerprint(cover: &Cover) -> u128 {
    let mut halves = [0_u64; 2];
    for (half, seed) in halves.iter_mut().zip([1, 2]) {
        let mut hasher = crate::hash::Mixer::default();
        hasher.write_u64(mix(seed));
        for item in cover.items() {
            // By hand, not by `derive(Hash)`, whose ways may change with the compiler: journals hold this number.
            let (low, high) = match item.kind() {
                Kind::Primary { low, high } => (low, high),
                Kind::Secondary => (u32::MAX, u32::MAX),
            };
            hasher.write_u64(u64::from(low) << 32 | u64::from(high));
            hasher.write(item.name().as_bytes());
        }
        for option in 0..cover.len() {
            let entries = cover.entries(option);
            hasher.write_u64(entries.len() as u64);
            for entry in entries {
                hasher.write_u64(u64::from(entry.item) << 32 | u64::from(entry.colour));
            }
        }
        *half = hasher.finish();
    }
    u128::from(halves[0]) << 64 | u128::from(halves[1])
}

impl Problem for Count {
    fn identity(&self) -> String {
        format!(
            "cover items={} options={} fingerprint={:032x} engine={} {}",
            self.items,
            self.options,
            self.fingerprint,
            self.engine(),
            self.engine().revision(),
        )
    }

    fn subtrees(&self) -> usize {
        let (_, costs) = self.plan.costs();
        1 + costs.len()
    }

    /// The first subtree was counted while the search was split.
    fn split(&self) -> Costs {
        let (spent, costs) = self.plan.costs();
        let mut all = vec![spent];
        all.extend(costs);
        Costs::new(all)
    }

    fn memory(&self) -> u64 {
        match &self.plan {
            Plan::Counted { .. } => 0,
            Plan::Frontier { .. } => frontier::MOST_BYTES as u64,
            Plan::Masks { encoded, .. } => encoded.memory(),
            Plan::Sets { root, .. } => root.memory(),
        }
    }

    /// # Panics
    /// If the count of this subtree does not fit in 128 bits, or if there is no such subtree.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        match self.count_nodes(subtree, &mut Pace::new(stop)) {
            Ok(found) => Ok(Tally::new(found)),
            Err(Halt::Stopped) => Err(Stopped),
            Err(Halt::Overflow) => panic!("{}", CountError::Overflow),
            // Without a limit of nodes only the frontier ends in this way.
            Err(Halt::Limit) => panic!("{}", CountError::Memory),
        }
    }
}
