//! The count of all covers of a problem: chooses an engine, which splits the search into subtrees.

use std::hash::Hasher;

use base::Kernel;
use base::cpu::Instructions;
use search::{Costs, Halt, NodeBudget, Overflow, Problem, Stop, Stopped, Tally};

use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::frontier::{self, Outcome};
use crate::hash::mix;
use crate::item::Kind;
use crate::masks::{Encoded, MaskTree, Workspace};
use crate::planning::{Choice, Plan, plan_masks, plan_sets};
use crate::sets::SetTree;
use crate::settings::{CountError, Engine, Settings};

/// The exact count of all covers of a problem.
#[derive(Debug)]
pub struct Count {
    fingerprint: String,
    items: usize,
    options: usize,
    removed: usize,
    instructions: Instructions,
    arithmetic: Arithmetic,
    plan: Plan,
}

impl Count {
    /// Counts `cover` with the fastest engine for it.
    ///
    /// # Errors
    /// [`CountError`] for a cover of more than 2^32 entries.
    pub fn new(cover: &Cover) -> Result<Self, CountError> {
        Self::with(cover, Settings::default())
    }

    /// Counts `cover` with these settings.
    ///
    /// # Errors
    /// [`CountError`] if the engine cannot count this cover or the CPU cannot run the kernel.
    pub fn with(cover: &Cover, settings: Settings) -> Result<Self, CountError> {
        let asked = match settings.kernel {
            Some(kernel) => Some(Instructions::of(kernel).map_err(CountError::Kernel)?),
            None => None,
        };
        let mut count = Self {
            fingerprint: fingerprint(cover),
            items: cover.items().len(),
            options: cover.len(),
            removed: (0..cover.len()).filter(|&option| !cover.can_choose(option)).count(),
            instructions: asked.unwrap_or_else(Instructions::best),
            arithmetic: Arithmetic::new(settings.modulus),
            // The plan that is made below takes its place.
            plan: Plan::Counted { engine: Engine::Masks, total: 0, nodes: 0 },
        };
        let encoded = match settings.engine {
            Some(Engine::Sets) => None,
            _ => Encoded::new(cover),
        };
        let encoded = encoded.map(|encoded| Encoded { arithmetic: count.arithmetic, ..encoded });
        count.plan = match (encoded, settings.engine) {
            (None, Some(engine @ (Engine::Masks | Engine::Frontier))) => {
                return Err(CountError::NotFor(engine));
            }
            (None, _) => plan_sets(cover, count.arithmetic)?,
            (Some(encoded), Some(Engine::Frontier)) => Plan::Frontier { encoded },
            (Some(encoded), engine) => {
                let instructions = asked.unwrap_or_else(|| encoded.fastest_instructions());
                count.instructions = instructions;
                let choice = match engine {
                    None => Choice::MasksOrFrontier,
                    Some(_) => Choice::Masks,
                };
                let (plan, removed) = plan_masks(encoded, instructions, choice)?;
                count.removed += removed;
                plan
            }
        };
        Ok(count)
    }

    /// The engine that counts.
    #[doc(hidden)]
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
                "merging equal states was done in a fortieth of the time that the search would take"
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
    #[doc(hidden)]
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

    /// The number of options that were removed, because no cover can have them.
    pub fn removed(&self) -> usize {
        self.removed
    }

    /// The count of a subtree, as [`Arithmetic`] has it.
    fn count_nodes(&self, subtree: usize, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        match &self.plan {
            Plan::Counted { total, .. } => Ok(self.arithmetic.count(*total)),
            Plan::Frontier { encoded } => {
                match frontier::count(encoded, u64::MAX, budget.stop())? {
                    Outcome::Count(total) => Ok(total),
                    Outcome::GivenUp => Err(Halt::Limit),
                }
            }
            Plan::Masks { encoded, split, idle } => {
                let Some(number) = subtree.checked_sub(1) else {
                    return Ok(split.covers_at_split);
                };
                let workspace = idle.take().unwrap_or_else(|| Workspace::new(encoded));
                let mut tree = MaskTree { encoded, instructions: self.instructions, workspace };
                let found = tree.count_within(&split.roots[number], budget);
                idle.put(tree.workspace);
                found
            }
            Plan::Sets { root, split, idle } => {
                let Some(number) = subtree.checked_sub(1) else {
                    return Ok(split.covers_at_split);
                };
                let mut tree = SetTree { sets: idle.take().unwrap_or_else(|| root.clone()) };
                let found = tree.count_within(&split.roots[number], budget);
                idle.put(tree.sets);
                found.map(|solutions| self.arithmetic.count(solutions))
            }
        }
    }

    /// Counts all subtrees on this thread. With a modulus in the settings, this is the remainder.
    ///
    /// # Errors
    /// [`CountError::Overflow`], [`CountError::Memory`].
    pub fn total(&self) -> Result<u128, CountError> {
        self.total_and_nodes().map(|(total, _)| total)
    }

    /// Counts all subtrees on this thread as [`total`](Self::total) does, and also returns the nodes of the search.
    ///
    /// # Errors
    /// [`CountError::Overflow`], [`CountError::Memory`].
    pub fn total_and_nodes(&self) -> Result<(u128, u64), CountError> {
        let stop = Stop::new();
        let mut budget = NodeBudget::unlimited(&stop);
        let mut total = 0_u128;
        for subtree in 0..self.split().len() {
            let found = self.count_nodes(subtree, &mut budget).map_err(|halt| match halt {
                Halt::Overflow => CountError::Overflow,
                // Nobody raises the flag, so only the frontier ends in this way.
                Halt::Limit | Halt::Stopped => CountError::Memory,
            })?;
            total = self.arithmetic.add(total, found).ok_or(CountError::Overflow)?;
        }
        let nodes_of_plan = match &self.plan {
            Plan::Counted { nodes, .. } => *nodes,
            Plan::Frontier { .. } => 0,
            Plan::Masks { split, .. } => split.nodes_at_split,
            Plan::Sets { split, .. } => split.nodes_at_split,
        };
        Ok((self.arithmetic.solutions(total), nodes_of_plan + budget.nodes()))
    }
}

/// A hash of the kinds and names of the items, and of the options in their order. Identities have it in hexadecimal.
#[doc(hidden)]
pub fn fingerprint(cover: &Cover) -> String {
    let mut halves = [0_u64; 2];
    for (half, seed) in halves.iter_mut().zip([1, 2]) {
        let mut hasher = crate::hash::Mixer::default();
        hasher.write_u64(mix(seed));
        for item in cover.items() {
            // Not by `derive(Hash)`, whose result may change with the compiler: journals hold this number.
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
    format!("{:016x}{:016x}", halves[0], halves[1])
}

impl Problem for Count {
    fn identity(&self) -> String {
        let modulo =
            self.arithmetic.modulus().map_or(String::new(), |modulus| format!(" modulo={modulus}"));
        format!(
            "cover items={} options={} fingerprint={}{modulo} engine={} {}",
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

    /// The first subtree has what was counted while the search was split.
    fn split(&self) -> Costs {
        let (first, costs) = self.plan.costs();
        let mut all = vec![first];
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

    fn modulus(&self) -> Option<u128> {
        self.arithmetic.modulus().map(u128::from)
    }

    /// # Panics
    /// If there is no such subtree. A count that does not fit in 128 bits, or needs too much memory, is
    /// [raised](search::Error::raise).
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        match self.count_nodes(subtree, &mut NodeBudget::unlimited(stop)) {
            Ok(found) => Ok(Tally::new(self.arithmetic.solutions(found))),
            Err(Halt::Stopped) => Err(Stopped),
            Err(Halt::Overflow) => search::Error::from(Overflow).raise(),
            // Without a limit of nodes only the frontier ends in this way.
            Err(Halt::Limit) => search::Error::Refused(CountError::Memory.to_string()).raise(),
        }
    }
}
