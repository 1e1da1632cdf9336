//! The count of a cover.

use crate::cells::{self, Cells};
use crate::cover::Cover;
use crate::cpu::{Instructions, Kernel, KernelMissing};
use crate::masks::{self, Ask, Encoded, Machine, Start};
use crate::stop::{Halt, Pace, Stop};

/// Why a cover has not been counted.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// Somebody asked to stop.
    #[error("stopped before the count was finished")]
    Stopped,
    /// More covers than 128 bits can count.
    #[error("the count does not fit in 128 bits")]
    Overflow,
    /// More entries than 32 bits can number.
    #[error("found more than 4294967295 entries in all options, expected fewer")]
    TooManyEntries,
    /// The CPU lacks instructions.
    #[error(transparent)]
    Kernel(#[from] KernelMissing),
}

/// The count of the solutions of a cover.
#[derive(Debug)]
pub struct Count<'a> {
    cover: &'a Cover,
    instructions: Instructions,
    encoded: Option<Encoded>,
}

impl<'a> Count<'a> {
    /// Counts with the fastest kernel.
    pub fn new(cover: &'a Cover) -> Self {
        Self { cover, instructions: Instructions::best(), encoded: Encoded::new(cover) }
    }

    /// With this kernel.
    pub fn kernel(mut self, kernel: Kernel) -> Result<Self, KernelMissing> {
        self.instructions = Instructions::of(kernel)?;
        Ok(self)
    }

    /// Without masks.
    pub fn general(mut self) -> Self {
        self.encoded = None;
        self
    }

    /// By merging states.
    pub fn merged(&self) -> Option<u128> {
        let outcome = crate::frontier::count(self.encoded.as_ref()?, u64::MAX, &Stop::new()).ok()?;
        match outcome {
            crate::frontier::Outcome::Count(count) => Some(count),
            crate::frontier::Outcome::GivenUp => None,
        }
    }

    pub fn total(&self) -> Result<u128, CountError> {
        self.nodes().map(|(total, _)| total)
    }

    /// And the nodes.
    pub fn nodes(&self) -> Result<(u128, u64), CountError> {
        let stop = Stop::new();
        let mut pace = Pace::new(&stop);
        let found = match &self.encoded {
            Some(encoded) => {
                let mut machine = Machine::new(encoded);
                let forbidden = vec![0; encoded.words];
                let start = Start { encoded, open: &encoded.open, forbidden: &forbidden };
                masks::run(self.instructions, &mut machine, start, Ask::Count, &mut pace)
            }
            None => {
                let mut cells = Cells::new(self.cover).ok_or(CountError::TooManyEntries)?;
                cells::count(&mut cells, &mut pace)
            }
        };
        let total = found.map_err(|halt| match halt {
            Halt::Overflow => CountError::Overflow,
            Halt::Stopped | Halt::Limit => CountError::Stopped,
        })?;
        Ok((total, pace.nodes()))
    }
}
