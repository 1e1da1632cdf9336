//! The count of all covers of a problem: chooses an engine, which splits the search into subtrees.

use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{
    Costs, Halt, NodeBudget, Overflow, Problem, Revision, Stop, Stopped, Tally,
};

use crate::arithmetic::Arithmetic;
use crate::bounds::without_free_items;
use crate::cover::{Cover, Kind};
use crate::frontier;
use crate::hash::{Hash, mix};
use crate::masks::Encoded;
use crate::planning::{Plan, Work, plan_masks, plan_sets};
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
    /// Whether the user asked for the engine.
    is_asked: bool,
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
        let counted = without_free_items(cover);
        let (asked, encoded) = Self::means(&counted, settings)?;
        let mut instructions = asked.unwrap_or_else(Instructions::best);
        let arithmetic = Arithmetic::new(settings.modulus);
        let plan = match (encoded, settings.engine) {
            (None, engine) => plan_sets(&counted, arithmetic, engine.is_none())?,
            (Some(encoded), Some(Engine::Frontier)) => {
                Plan { engine: Engine::Frontier, removed: 0, work: Work::Frontier(encoded) }
            }
            (Some(encoded), engine) => {
                instructions = asked.unwrap_or_else(|| encoded.fastest_instructions());
                plan_masks(&counted, encoded, instructions, engine.is_none())?
            }
        };
        Ok(Self {
            fingerprint: fingerprint(cover),
            items: cover.items().len(),
            options: cover.len(),
            removed: cover.len() - cover.usable_options().count() + plan.removed,
            instructions,
            arithmetic,
            is_asked: settings.engine.is_some(),
            plan,
        })
    }

    /// Whether `cover` can be counted with these settings, as far as it is known without a plan.
    ///
    /// # Errors
    /// As [`with`](Self::with).
    #[doc(hidden)]
    pub fn check(cover: &Cover, settings: Settings) -> Result<(), CountError> {
        Self::means(&without_free_items(cover), settings).map(|_| ())
    }

    /// The instructions that the settings ask for, and the cover as masks; `None` if the engine of sets counts it.
    fn means(
        cover: &Cover,
        settings: Settings,
    ) -> Result<(Option<Instructions>, Option<Encoded>), CountError> {
        let asked =
            settings.kernel.map(Instructions::of).transpose().map_err(CountError::Kernel)?;
        let encoded = match settings.engine {
            Some(Engine::Sets) => None,
            _ => Encoded::new(cover, Arithmetic::new(settings.modulus)),
        };
        let has_ladders = encoded.as_ref().is_some_and(|encoded| encoded.ladders.is_some());
        match settings.engine {
            Some(engine @ Engine::Masks) if encoded.is_none() => Err(CountError::NotFor(engine)),
            Some(engine @ Engine::Frontier) if encoded.is_none() || has_ladders => {
                Err(CountError::NotFor(engine))
            }
            _ => Ok((asked, encoded)),
        }
    }

    /// The engine that counts.
    #[doc(hidden)]
    pub fn engine(&self) -> Engine {
        self.plan.engine
    }

    /// Why this engine counts, in a few words.
    pub fn reason(&self) -> &'static str {
        match &self.plan.work {
            Work::Counted { .. } if self.plan.engine == Engine::Frontier => {
                "merging equal states was done in a fortieth of the time that the search would take"
            }
            Work::Counted { .. } if self.plan.engine == Engine::Sets => {
                "by components, whose counts are multiplied and remembered, it was counted at once"
            }
            Work::Counted { .. } => "so small that it was counted at once",
            Work::Few(_) => {
                "a search that learns from conflicts found all covers, which are few, at once"
            }
            _ if self.is_asked => "it was asked for",
            Work::Frontier(_) => {
                "merging equal states seems to take a fortieth of the time of the search"
            }
            Work::Masks(subtrees) if subtrees.tree().encoded.ladders.is_some() => {
                "it has items with multiplicities, whose equal states are not merged"
            }
            Work::Masks(_) => {
                "the search is faster than merging equal states, as far as that was tried"
            }
            Work::Sets(_) => {
                "it has more than 512 bits, weights or options of items with multiplicities alone"
            }
        }
    }

    /// What the plan does without, because the options are so many that it would take too long: a line for each.
    pub fn remarks(&self) -> Vec<String> {
        let (is_cut_short, subtrees) = match &self.plan.work {
            Work::Masks(subtrees) => (subtrees.is_cut_short(), subtrees.subtrees()),
            Work::Sets(subtrees) => (subtrees.is_cut_short(), subtrees.subtrees()),
            Work::Counted { .. } | Work::Few(_) | Work::Frontier(_) => return Vec::new(),
        };
        let Self { items, options, .. } = self;
        let remark = format!(
            "{items} items and {options} options are so many that most of the {subtrees} subtrees were dealt without a \
             look at them: the time that is left will be a guess"
        );
        Vec::from_iter(is_cut_short.then_some(remark))
    }

    /// The kernel that runs on this machine; only the search over masks has several.
    #[doc(hidden)]
    pub fn kernel(&self) -> Kernel {
        match self.plan.engine {
            Engine::Masks => self.instructions.kernel(),
            Engine::Frontier | Engine::Sets => Kernel::Portable,
        }
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

    /// The revision of the way in which it is counted. What clauses tell is one subtree, and not the split of its engine.
    fn revision(&self) -> Revision {
        match self.plan.work {
            Work::Few(_) => Revision { algorithm: 2, layout: 1 },
            _ => self.engine().revision(),
        }
    }

    /// The count of a subtree, as [`Arithmetic`] has it.
    fn count_nodes(&self, subtree: usize, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        match &self.plan.work {
            Work::Counted { covers, .. } | Work::Few(covers) => Ok(*covers),
            Work::Frontier(encoded) => {
                frontier::count(encoded, u64::MAX, budget.stop()).map_err(|ended| ended.why)
            }
            Work::Masks(subtrees) => subtrees.count_subtree(subtree, budget),
            Work::Sets(subtrees) => subtrees.count_subtree(subtree, budget),
        }
    }

    /// The nodes visited while the plan was made, to count what the first subtree has.
    fn nodes_of_plan(&self) -> u64 {
        match &self.plan.work {
            Work::Counted { nodes, .. } => *nodes,
            Work::Few(_) | Work::Frontier(_) => 0,
            Work::Masks(subtrees) => subtrees.nodes_at_split(),
            Work::Sets(subtrees) => subtrees.nodes_at_split(),
        }
    }

    /// Counts all subtrees on this thread. With a modulus in the settings, this is the remainder.
    ///
    /// # Errors
    /// [`CountError::Overflow`], [`CountError::Memory`].
    pub fn total(&self) -> Result<u128, CountError> {
        self.total_and_nodes().map(|(total, _)| total)
    }

    /// Counts all subtrees on this thread as [`total`](Self::total) does, and also returns the nodes of the search: 0 if states are
    /// merged, since that visits none.
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
        Ok((self.arithmetic.solutions(total), self.nodes_of_plan() + budget.nodes()))
    }
}

/// A hash of the kinds and names of the items, and of the options and weights in their order. Identities have it in hexadecimal.
#[doc(hidden)]
pub fn fingerprint(cover: &Cover) -> String {
    let half = |seed| {
        let mut hash = Hash::default();
        hash.add(mix(seed));
        for item in cover.items() {
            // Not by `derive(Hash)`, whose result may change with the compiler: journals hold this number.
            let (low, high) = match item.kind() {
                Kind::Primary { low, high } => (low, high),
                Kind::Secondary => (u32::MAX, u32::MAX),
            };
            hash.add(u64::from(low) << 32 | u64::from(high));
            hash.add_bytes(item.name().as_bytes());
        }
        for option in 0..cover.len() {
            let entries = cover.entries(option);
            hash.add(entries.len() as u64);
            for entry in entries {
                hash.add(u64::from(entry.item) << 32 | u64::from(entry.colour));
            }
            // Covers without weights keep the hash that they had before there were any.
            if cover.has_weights() {
                cover.weights(option).for_each(|weight| hash.add(weight.into()));
            }
        }
        hash.0
    };
    format!("{:016x}{:016x}", half(1), half(2))
}

/// The first word of each identity of this crate.
const GAME: &str = "cover";

/// Whether this is the identity of a count of covers.
pub fn is_identity(identity: &str) -> bool {
    identity.split(' ').next() == Some(GAME)
}

impl Problem for Count {
    fn identity(&self) -> String {
        let modulo =
            self.arithmetic.modulus().map_or(String::new(), |modulus| format!(" modulo={modulus}"));
        format!(
            "{GAME} items={} options={} fingerprint={}{modulo} engine={} {}",
            self.items,
            self.options,
            self.fingerprint,
            self.engine(),
            self.revision(),
        )
    }

    fn subtrees(&self) -> usize {
        match &self.plan.work {
            Work::Counted { .. } | Work::Few(_) | Work::Frontier(_) => 1,
            Work::Masks(subtrees) => subtrees.subtrees(),
            Work::Sets(subtrees) => subtrees.subtrees(),
        }
    }

    fn split(&self) -> Costs {
        match &self.plan.work {
            Work::Counted { nodes, .. } => Costs::new(vec![*nodes]),
            Work::Few(_) | Work::Frontier(_) => Costs::equal(1),
            Work::Masks(subtrees) => subtrees.split(),
            Work::Sets(subtrees) => subtrees.split(),
        }
    }

    fn memory(&self) -> u64 {
        match &self.plan.work {
            // The only subtree is merged by one worker.
            Work::Frontier(_) => 3 * frontier::MOST_BYTES as u64 / 2,
            Work::Counted { .. } | Work::Few(_) | Work::Masks(_) | Work::Sets(_) => 0,
        }
    }

    fn worker_memory(&self) -> u64 {
        match &self.plan.work {
            Work::Counted { .. } | Work::Few(_) | Work::Frontier(_) => 0,
            Work::Masks(subtrees) => subtrees.tree().encoded.memory(),
            Work::Sets(subtrees) => subtrees.tree().sets.memory(),
        }
    }

    fn modulus(&self) -> Option<u128> {
        self.arithmetic.modulus().map(u128::from)
    }

    /// # Panics
    /// If there is no such subtree. A count that does not fit in 128 bits, or needs too much memory, is
    /// [raised](tallyboard_search::Error::raise).
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        // Otherwise a problem that is one subtree would be counted whole for any number.
        assert!(subtree < self.subtrees(), "no subtree has the number {subtree}");
        match self.count_nodes(subtree, &mut NodeBudget::unlimited(stop)) {
            Ok(found) => Ok(Tally::new(self.arithmetic.solutions(found))),
            Err(Halt::Stopped) => Err(Stopped),
            Err(Halt::Overflow) => tallyboard_search::Error::from(Overflow).raise(),
            // Without a limit of nodes only the frontier ends in this way.
            Err(Halt::Limit) => {
                tallyboard_search::Error::Refused(CountError::Memory.to_string()).raise()
            }
        }
    }
}
