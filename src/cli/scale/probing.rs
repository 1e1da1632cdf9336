//! `--machine`: what the machine gives, before the rounds and after them.

use std::collections::BTreeSet;

use crate::figures::mebibytes;
use crate::memory;
use crate::scale::ceiling::{Ceiling, Given};
use crate::scale::measure::Setting;
use crate::scale::probe;
use crate::scale::topology::{Machine, Pin};
use crate::search::Stop;
use anyhow::{Result, bail};

use crate::cli::progress_bar::StatusLine;

/// The machine, and the runs beside which it is measured.
pub struct Probing<'a> {
    pub machine: &'a Machine,
    /// Where the workers of the runs are placed, and so the threads that measure.
    pub pin: Pin,
    pub settings: &'a [Setting],
    /// Raised when a signal ends the measurement: nothing further is measured.
    pub stop: &'a Stop,
}

impl Probing<'_> {
    /// What the machine gives before the rounds.
    ///
    /// # Errors
    /// If the memory to read is more than there is.
    pub fn before(&self, status: &StatusLine) -> Result<Vec<Given>> {
        let needed = probe::bytes_needed(self.machine);
        if let Some(room) = memory::too_little(needed, self.machine.processors()) {
            let needed = mebibytes(needed);
            bail!("--machine reads {needed}, four to eight times the last caches, and {room}");
        }
        status.show("measuring the machine".to_owned());
        Ok(self.measure())
    }

    /// What it gave `before` and what it gives after the rounds; without what a signal left out.
    pub fn after(&self, before: Vec<Given>) -> Vec<Ceiling> {
        let pairs = self.threads().into_iter().zip(before).zip(self.measure());
        pairs.map(|((threads, before), after)| Ceiling { threads, before, after }).collect()
    }

    fn measure(&self) -> Vec<Given> {
        let given = |it| probe::given(it, self.machine, &self.machine.places(self.pin, it));
        let threads = self.threads().into_iter().take_while(|_| !self.stop.requested());
        threads.map(given).collect()
    }

    /// The numbers of threads that have a processor each, and as many as there are processors.
    fn threads(&self) -> BTreeSet<usize> {
        let processors = self.machine.processors();
        let measured = self.settings.iter().map(|it| it.threads);
        measured.filter(|&it| it < processors).chain([processors]).collect()
    }
}
