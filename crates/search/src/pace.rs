//! The reasons for which a search ends early: a request, a limit of nodes, or a count that does not fit.

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

/// Counts the nodes of a search, and checks its stop flag now and then.
///
/// ```
/// use tallyboard::unstable::search::{Halt, Pace, Stop};
///
/// let stop = Stop::new();
/// let mut pace = Pace::limited(&stop, 2);
/// assert_eq!([pace.node(), pace.node(), pace.node()], [Ok(()), Ok(()), Err(Halt::Limit)]);
/// assert_eq!(pace.nodes(), 2);
/// ```
#[derive(Debug)]
pub struct Pace<'a> {
    stop: &'a Stop,
    nodes: u64,
    /// The number of nodes after which the flag and the limit are checked next.
    next_check: u64,
    limit: u64,
}

/// Nodes between two checks of the flag: a fraction of a millisecond to some milliseconds.
const NODES_BETWEEN_CHECKS: u64 = 1 << 10;

impl<'a> Pace<'a> {
    /// Without a limit.
    pub fn new(stop: &'a Stop) -> Self {
        Self::limited(stop, u64::MAX)
    }

    /// For at most `limit` nodes.
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
    pub fn node(&mut self) -> Result<(), Halt> {
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
    fn run(mut pace: Pace) -> (u64, Halt) {
        loop {
            if let Err(halt) = pace.node() {
                return (pace.nodes(), halt);
            }
        }
    }

    #[test]
    fn a_search_ends_at_its_limit_or_soon_after_its_flag() {
        let stop = Stop::new();
        for limit in [0, 1, NODES_BETWEEN_CHECKS, NODES_BETWEEN_CHECKS + 1, 5_000] {
            assert_eq!(run(Pace::limited(&stop, limit)), (limit, Halt::Limit));
        }
        let mut pace = Pace::new(&stop);
        pace.node().unwrap();
        stop.request();
        assert_eq!(run(pace), (NODES_BETWEEN_CHECKS, Halt::Stopped));
        assert_eq!(run(Pace::limited(&stop, 9)), (0, Halt::Stopped));
    }
}
