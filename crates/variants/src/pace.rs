//! Ends of a search before its end: a request, or a limit of nodes.

use search::{Stop, Stopped};

/// Why a search ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Somebody asked for it.
    Stopped,
    /// It took as many nodes as it might.
    Limit,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Counts nodes, and looks at the flag now and then.
#[derive(Debug)]
pub(crate) struct Pace<'a> {
    stop: &'a Stop,
    nodes: u64,
    limit: u64,
}

/// Nodes between two looks at the flag: about a millisecond.
const NODES_BETWEEN_POLLS: u64 = 256;

impl<'a> Pace<'a> {
    /// Without a limit.
    pub fn new(stop: &'a Stop) -> Self {
        Self::limited(stop, u64::MAX)
    }

    /// For at most `limit` nodes.
    pub fn limited(stop: &'a Stop, limit: u64) -> Self {
        Self { stop, nodes: 0, limit }
    }

    /// The nodes counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node.
    #[inline]
    pub fn node(&mut self) -> Result<(), Halt> {
        if self.nodes.is_multiple_of(NODES_BETWEEN_POLLS) {
            self.stop.check()?;
        }
        if self.nodes >= self.limit {
            return Err(Halt::Limit);
        }
        self.nodes += 1;
        Ok(())
    }
}
