//! `--machine`: what the machine gives, before the rounds and after them.

use std::collections::BTreeSet;

use crate::figures::mebibytes;
use crate::memory;
use crate::scale::ceiling::{Ceiling, Given};
use crate::scale::measure::Setting;
use crate::scale::probe;
use crate::scale::topology::{Machine, Pin, Places};
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
        Ok(self.measure(|threads, places| probe::given(threads, self.machine, places)))
    }

    /// What it gave `before` and what it gives after the rounds; without what a signal left out.
    pub fn after(&self, before: Vec<Given>) -> Vec<Ceiling> {
        let after = self.measure(|threads, places| probe::given(threads, self.machine, places));
        self.ceilings(before, after)
    }

    fn ceilings(&self, before: Vec<Given>, after: Vec<Given>) -> Vec<Ceiling> {
        let pairs = self.threads().into_iter().zip(before).zip(after);
        pairs.map(|((threads, before), after)| Ceiling { threads, before, after }).collect()
    }

    /// What `given` tells of each number of threads in its places.
    fn measure(&self, given: impl Fn(usize, &Places) -> Given) -> Vec<Given> {
        let given = |it| given(it, &self.machine.places(self.pin, it));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::topology::Cpu;

    /// Of a machine with two nodes of two cores.
    fn check(with: impl Fn(&Probing)) {
        let cpu = |id| Cpu { id, package: id / 2, core: id % 2, node: id / 2 };
        let cpus = (0..4).map(cpu).collect();
        let machine = Machine { cpus, cgroup_limit: None, ..Machine::here() };
        let settings = [1, 2, 9].map(Setting::threads);
        with(&Probing {
            machine: &machine,
            pin: Pin::Nodes,
            settings: &settings,
            stop: &Stop::new(),
        });
    }

    fn given(hertz: f64) -> Given {
        Given { hertz, bytes_per_second: 1.0, latencies: Vec::new() }
    }

    #[test]
    fn threads_with_a_processor_each_measure_in_the_places_of_the_workers() {
        check(|probing| {
            let seen = std::cell::RefCell::new(Vec::new());
            let measured = probing.measure(|threads, places| {
                seen.borrow_mut().push((threads, places.workers.clone()));
                given(threads as f64)
            });
            let expected = [(1, vec![0]), (2, vec![0, 2]), (4, vec![0, 2, 1, 3])];
            assert_eq!(seen.into_inner(), expected);
            assert_eq!(measured, [1.0, 2.0, 4.0].map(given));
            probing.stop.request();
            assert_eq!(probing.measure(|_, _| given(0.0)), []);
        });
    }

    #[test]
    fn what_was_given_before_is_told_from_what_is_given_after() {
        check(|probing| {
            let ceilings =
                probing.ceilings([1.0, 2.0, 3.0].map(given).to_vec(), vec![given(5.0), given(6.0)]);
            let of = |threads, before, after| Ceiling {
                threads,
                before: given(before),
                after: given(after),
            };
            assert_eq!(ceilings, [of(1, 1.0, 5.0), of(2, 2.0, 6.0)]);
        });
    }
}
