//! Ends of a count before its end: a request, or a limit of nodes.

use search::{Stop, Stopped};

/// Why a count ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Somebody asked for it.
    Stopped,
    /// It took as many nodes as it might.
    Limit,
    /// The count does not fit in 128 bits.
    Overflow,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Counts nodes, and polls the flag now and then.
#[derive(Debug)]
pub(crate) struct Pace<'a> {
    stop: &'a Stop,
    nodes: u64,
    /// The number of nodes after which something is due: a look at the flag, or the end.
    due: u64,
    limit: u64,
}

/// Nodes between two looks at the flag: a fraction of a millisecond.
const NODES_BETWEEN_POLLS: u64 = 1 << 12;

impl<'a> Pace<'a> {
    /// Without a limit.
    pub fn new(stop: &'a Stop) -> Self {
        Self::limited(stop, u64::MAX)
    }

    /// For at most `limit` nodes.
    pub fn limited(stop: &'a Stop, limit: u64) -> Self {
        Self { stop, nodes: 0, due: 0, limit }
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
    #[inline(always)]
    pub fn node(&mut self) -> Result<(), Halt> {
        if self.nodes >= self.due {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Halt> {
        self.stop.check()?;
        if self.nodes >= self.limit {
            return Err(Halt::Limit);
        }
        self.due = self.limit.min(self.nodes + NODES_BETWEEN_POLLS);
        Ok(())
    }
}
