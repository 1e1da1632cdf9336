//! The interface between a puzzle and the search: subtrees and their costs, checked counts, a flag to stop, a budget of nodes.

use std::sync::atomic::{AtomicBool, Ordering};

/// A counting problem that splits into independent subtrees.
///
/// The subtrees partition the solutions: each solution is counted in exactly one of them. (With symmetry,
/// one solution of each set of images is counted, times the size of the set.) So the result depends
/// neither on the order in which subtrees are counted nor on the threads that count them.
///
/// Two methods are enough; [`count()`](crate::count()) shows them at work. Journals, plans and shards also need
/// an [`identity`](Self::identity), and a problem whose subtrees differ in their work runs better with the costs
/// of a [`split`](Self::split) of its own. Words of 0 and 1 without two 1s side by side, with an identity:
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::{self, Problem, Stop, Stopped, Tally};
///
/// struct Words {
///     digits: u32,
/// }
///
/// impl Problem for Words {
///     fn subtrees(&self) -> usize {
///         16
///     }
///
///     fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
///         let mut found = 0u64;
///         for rest in 0..1 << (self.digits - 4) {
///             stop.check()?;
///             let word = (subtree as u64) << (self.digits - 4) | rest;
///             found += u64::from(word & word >> 1 == 0);
///         }
///         Ok(found.into())
///     }
///
///     fn identity(&self) -> String {
///         format!("words digits={} algorithm=1 layout=1", self.digits)
///     }
/// }
///
/// assert_eq!(search::count(&Words { digits: 10 })?, 144);
/// # Ok::<(), search::Error>(())
/// ```
pub trait Problem: Sync {
    /// The number of subtrees. Some hundreds to some thousands keep all cores busy to the end.
    fn subtrees(&self) -> usize;

    /// Counts the subtree with this number, from 0, to its end, polling `stop` at least several times a second.
    ///
    /// It is called from several threads at once, perhaps more than once for a subtree, and may panic if
    /// there is no subtree with this number. For a subtree that cannot be counted, such as one with more solutions than
    /// a tally holds, it calls [`Error::raise`](crate::Error::raise).
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped>;

    /// Names the problem and the engine, with two version numbers: one of the algorithm, one of the layout
    /// of the subtrees. A change of either raises its number.
    ///
    /// Two problems with equal identities split into equal subtrees with equal subtotals, on any machine. So
    /// runs of such problems may exchange subtotals.
    ///
    /// By default a problem has no name, an empty text: it can be counted, but journals, plans and shards refuse it.
    fn identity(&self) -> String {
        String::new()
    }

    /// Splits the problem: the costs of its [`subtrees`](Self::subtrees), in an order that depends on nothing but the
    /// [identity](Self::identity). The place of a subtree is its stable number. By default all costs are equal.
    fn split(&self) -> Costs {
        Costs::equal(self.subtrees())
    }

    /// The number of worker threads that the problem was planned for, if its memory depends on it; 0 for any number.
    fn threads(&self) -> usize {
        0
    }

    /// `Some(m)` if subtotals are residues modulo `m`, because the formula of the problem also subtracts (inclusion and
    /// exclusion). The number of solutions is then the residue of the sum of all subtotals; the sum of some of them says nothing.
    fn modulus(&self) -> Option<u128> {
        None
    }

    /// An upper estimate of the memory, in bytes, that does not depend on how many workers count: what they share, or what all
    /// [`threads`](Self::threads) that the problem was planned for take. The list of subtrees is not in it. 0, the default, is right
    /// for backtrackers, which hold little more than a position each.
    fn memory(&self) -> u64 {
        0
    }

    /// An upper estimate of the memory, in bytes, that each worker takes in addition to [`memory`](Self::memory); 0 by default.
    fn worker_memory(&self) -> u64 {
        0
    }
}

/// Upper estimate of the bytes for the list of `subtrees` subtrees, in a process that counts `counted` of them.
pub fn list_bytes(subtrees: u64, counted: u64) -> u64 {
    /// For each subtree: 20 in the problem, 8 for its cost and 8 while shards are dealt.
    const LISTED: u64 = 36;
    /// For each subtree that is counted: 16 in the search and up to 48 in its journal.
    const COUNTED: u64 = 64;
    subtrees.saturating_mul(LISTED).saturating_add(counted.saturating_mul(COUNTED))
}

/// The relative costs of all subtrees of a problem, in the order of their numbers. They serve scheduling and
/// progress bars. Their sum fits in 64 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs(Vec<u64>);

impl Costs {
    /// These costs, where a cost of 0 becomes 1. If the sum is 2^63 or more, all costs are halved until it is less: only
    /// their ratios matter.
    pub fn new(mut costs: Vec<u64>) -> Self {
        let sum: u128 = costs.iter().map(|&cost| u128::from(cost)).sum();
        let halvings = (u128::BITS - sum.leading_zeros()).saturating_sub(63);
        costs.iter_mut().for_each(|cost| *cost = (*cost >> halvings).max(1));
        Self(costs)
    }

    /// The costs of `subtrees` subtrees with equal costs, for problems that cannot estimate them.
    pub fn equal(subtrees: usize) -> Self {
        Self(vec![1; subtrees])
    }

    /// The number of subtrees.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a problem without subtrees is no special case"
    )]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The cost of each subtree, at least 1.
    pub fn each(&self) -> &[u64] {
        &self.0
    }

    /// The sum of the costs of the subtrees with the numbers `ids`, or of all subtrees.
    ///
    /// # Panics
    /// If there is no subtree with one of these numbers.
    pub fn sum(&self, ids: Option<&[usize]>) -> u64 {
        match ids {
            Some(ids) => ids.iter().map(|&id| self.0[id]).sum(),
            None => self.0.iter().sum(),
        }
    }

    /// A checksum over the costs. Two machines that agree on it deal the same shards.
    #[cfg(feature = "journal")]
    pub fn fingerprint(&self) -> String {
        let mut hasher = crc32fast::Hasher::new();
        for cost in &self.0 {
            hasher.update(&cost.to_le_bytes());
        }
        format!("{:08x}", hasher.finalize())
    }
}

/// The number of solutions found in one subtree, or in several merged ones.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "journal", derive(serde::Serialize, serde::Deserialize))]
pub struct Tally {
    solutions: u128,
}

/// A count exceeds `u128::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the count is more than 2^128 - 1")]
pub struct Overflow;

impl Tally {
    /// A tally of `solutions` solutions.
    pub fn new(solutions: impl Into<u128>) -> Self {
        Self { solutions: solutions.into() }
    }

    /// The number of solutions.
    pub fn solutions(self) -> u128 {
        self.solutions
    }

    /// Adds two tallies.
    ///
    /// ```
    /// # mod tallyboard { pub use ::tallyboard_search as search; }
    /// use tallyboard::search::Tally;
    /// assert_eq!(Tally::new(40u64).merge(Tally::new(52u64)), Ok(Tally::new(92u64)));
    /// assert!(Tally::new(u128::MAX).merge(Tally::new(1u64)).is_err());
    /// ```
    pub fn merge(self, other: Self) -> Result<Self, Overflow> {
        let solutions = self.solutions.checked_add(other.solutions).ok_or(Overflow)?;
        Ok(Self { solutions })
    }
}

impl<N: Into<u128>> From<N> for Tally {
    fn from(solutions: N) -> Self {
        Self::new(solutions)
    }
}

/// Asks a running search to end early. Kernels poll it between batches of nodes.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// let stop = tallyboard::search::Stop::new();
/// assert!(stop.check().is_ok());
/// stop.request();
/// assert!(stop.check().is_err());
/// ```
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

/// The error of a count that was stopped before its subtree was finished; the partial count is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the subtree was finished")]
pub struct Stopped;

impl Stop {
    /// A flag that nobody has raised yet.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks all who poll this flag to stop.
    pub fn request(&self) {
        // Relaxed: the flag publishes no other memory, it only has to arrive soon.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    #[inline]
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Err(Stopped)` once somebody has asked to stop, for use with `?`.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        if self.requested() { Err(Stopped) } else { Ok(()) }
    }
}

/// Why a search ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// Somebody asked for it.
    Stopped,
    /// The search has reached its limit of nodes.
    Limit,
    /// The count does not fit in 128 bits.
    Overflow,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The number of nodes that a search may visit. Counts them, and checks the stop flag of the search now and then.
#[derive(Debug)]
pub struct NodeBudget<'a> {
    stop: &'a Stop,
    nodes: u64,
    /// The number of nodes after which the flag and the limit are checked next.
    next_check: u64,
    /// The most nodes.
    limit: u64,
}

/// Nodes between two checks of the flag: a fraction of a millisecond to some milliseconds.
const NODES_BETWEEN_CHECKS: u64 = 1 << 10;

impl<'a> NodeBudget<'a> {
    /// A budget without a limit: the search ends early only if it is stopped.
    pub fn unlimited(stop: &'a Stop) -> Self {
        Self::limited(stop, u64::MAX)
    }

    /// A budget of `limit` nodes.
    pub fn limited(stop: &'a Stop, limit: u64) -> Self {
        Self { stop, nodes: 0, next_check: 0, limit }
    }

    /// The flag.
    pub fn stop(&self) -> &'a Stop {
        self.stop
    }

    /// Whether there is no limit.
    pub fn is_unlimited(&self) -> bool {
        self.limit == u64::MAX
    }

    /// The nodes counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node.
    ///
    /// # Errors
    /// [`Halt::Stopped`] soon after the flag is raised, [`Halt::Limit`] if the limit is reached already.
    #[inline(always)]
    pub fn count_node(&mut self) -> Result<(), Halt> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Result<(), Halt> {
        self.stop.check()?;
        if self.nodes >= self.limit {
            return Err(Halt::Limit);
        }
        self.next_check = self.limit.min(self.nodes + NODES_BETWEEN_CHECKS);
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Six subtrees, each with as many solutions as its number says.
    pub struct Six;

    impl Problem for Six {
        fn identity(&self) -> String {
            "six algorithm=1 layout=1".to_owned()
        }

        fn subtrees(&self) -> usize {
            6
        }

        fn split(&self) -> Costs {
            Costs::new(vec![6, 5, 4, 3, 2, 1])
        }

        fn count(&self, subtree: usize, _: &Stop) -> Result<Tally, Stopped> {
            Ok(Tally::new(subtree as u64))
        }
    }

    #[test]
    fn a_shard_needs_less_memory_for_the_subtrees_of_others() {
        assert_eq!(list_bytes(1_000_000, 1_000_000), 100_000_000);
        assert_eq!(list_bytes(1_000_000, 1_000), 36_064_000);
        assert_eq!(list_bytes(u64::MAX, u64::MAX), u64::MAX);
    }

    #[test]
    fn costs_keep_their_ratios_and_have_a_sum() {
        assert_eq!(Costs::new(vec![0, 7, 3]).each(), [1, 7, 3]);
        let most = u64::MAX;
        let costs = Costs::new(vec![most, most / 2, 5, most / 4]);
        assert_eq!(costs.each(), [most / 4, most / 8, 1, most / 16]);
        assert_eq!(costs.sum(None), most / 4 + most / 8 + 1 + most / 16);
        assert_eq!(costs.sum(Some(&[1, 2])), most / 8 + 1);
        let below = Costs::new(vec![most >> 2, (most >> 2) + 1]);
        assert_eq!(
            below.each(),
            [most >> 2, (most >> 2) + 1],
            "a sum of 2^63 - 1 is left as it is"
        );
    }

    /// The nodes that a search may take, and how it ends.
    fn run(mut budget: NodeBudget) -> (u64, Halt) {
        loop {
            if let Err(halt) = budget.count_node() {
                return (budget.nodes(), halt);
            }
        }
    }

    #[test]
    fn a_search_ends_at_its_limit_or_soon_after_its_flag() {
        let stop = Stop::new();
        for limit in [0, 1, NODES_BETWEEN_CHECKS, NODES_BETWEEN_CHECKS + 1, 5_000] {
            assert_eq!(run(NodeBudget::limited(&stop, limit)), (limit, Halt::Limit));
        }
        let mut budget = NodeBudget::unlimited(&stop);
        budget.count_node().unwrap();
        stop.request();
        assert_eq!(run(budget), (NODES_BETWEEN_CHECKS, Halt::Stopped));
        assert_eq!(run(NodeBudget::limited(&stop, 9)), (0, Halt::Stopped));
    }
}
