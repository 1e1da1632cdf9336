//! A budget of nodes for a search, and the reasons for which a search ends early.

use crate::{Stop, Stopped};

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
mod tests {
    use super::*;

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
