//! `--machine`: measures the machine's capacity before the rounds and after them.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use tallyboard_base::figures::{counted, memory_size};
use tallyboard_base::memory;
use tallyboard_scale::ceiling::{Capacity, Ceiling};
use tallyboard_scale::measure::Setting;
use tallyboard_scale::probe;
use tallyboard_scale::topology::{Machine, Pin, Places};
use tallyboard_search::Stop;

use crate::terminal::StatusLine;

/// A measurement of the machine for the runs of a report.
pub struct MachineProbe<'a> {
    pub machine: &'a Machine,
    /// Where the workers of the runs are placed. The threads of the probe are placed there too.
    pub pin: Pin,
    pub settings: &'a [Setting],
    /// Requested when a signal ends the measurement. Nothing more is measured then.
    pub stop: &'a Stop,
}

impl MachineProbe<'_> {
    /// The capacity before the rounds, for each number of threads. Fails if there is too little memory, or if the
    /// system gives fewer threads.
    pub fn before(&self, status: &StatusLine) -> Result<Vec<Capacity>> {
        let needed = probe::bytes_needed(self.machine);
        if let Some(room) = memory::too_little(needed, self.machine.processors()) {
            let needed = memory_size(needed);
            bail!(
                "--machine needs {needed}, four to eight times the last-level caches, and {room}; leave it out"
            );
        }
        status.show("measuring the machine".to_owned());
        self.capacities()
    }

    /// The capacities `before` with those after the rounds. Thread counts that a signal kept from being measured are
    /// left out. Fails if the system gives fewer threads.
    pub fn after(&self, before: Vec<Capacity>) -> Result<Vec<Ceiling>> {
        Ok(self.ceilings(before, self.capacities()?))
    }

    fn capacities(&self) -> Result<Vec<Capacity>> {
        self.for_each_count(|threads, places| {
            let measured = probe::measure(threads, self.machine, places);
            measured.with_context(|| {
                format!("--machine cannot start {}; leave it out", counted(threads, "thread"))
            })
        })
    }

    fn ceilings(&self, before: Vec<Capacity>, after: Vec<Capacity>) -> Vec<Ceiling> {
        let pairs = self.threads().into_iter().zip(before).zip(after);
        pairs.map(|((threads, before), after)| Ceiling { threads, before, after }).collect()
    }

    /// The result of `measure` for each number of threads in its places.
    fn for_each_count(
        &self,
        measure: impl Fn(usize, &Places) -> Result<Capacity>,
    ) -> Result<Vec<Capacity>> {
        let mut capacities = Vec::new();
        for threads in self.threads() {
            if self.stop.requested() {
                break;
            }
            capacities.push(measure(threads, &self.machine.places(self.pin, threads))?);
        }
        Ok(capacities)
    }

    /// The measured numbers of threads that have a processor each, and the number of processors.
    fn threads(&self) -> BTreeSet<usize> {
        let processors = self.machine.processors();
        let measured = self.settings.iter().map(|setting| setting.threads);
        measured.filter(|&threads| threads < processors).chain([processors]).collect()
    }
}

#[cfg(test)]
mod tests {
    use tallyboard_scale::topology::Cpu;

    use super::*;

    /// Calls `check` with a probe of a machine of two nodes with two cores each.
    fn with_probe(check: impl Fn(&MachineProbe)) {
        let cpu = |id| Cpu { id, package: id / 2, core: id % 2, node: id / 2 };
        let cpus = (0..4).map(cpu).collect();
        let machine = Machine { cpus, cgroup_limit: None, ..Machine::here() };
        let settings = [1, 2, 9].map(Setting::threads);
        check(&MachineProbe {
            machine: &machine,
            pin: Pin::Nodes,
            settings: &settings,
            stop: &Stop::new(),
        });
    }

    fn capacity(hertz: f64) -> Capacity {
        Capacity { hertz, bytes_per_second: 1.0, latencies: Vec::new() }
    }

    #[test]
    fn threads_with_a_processor_each_measure_in_the_places_of_the_workers() {
        with_probe(|probe| {
            let seen = std::cell::RefCell::new(Vec::new());
            let measured = probe.for_each_count(|threads, places| {
                seen.borrow_mut().push((threads, places.workers.clone()));
                Ok(capacity(threads as f64))
            });
            let expected = [(1, vec![0]), (2, vec![0, 2]), (4, vec![0, 2, 1, 3])];
            assert_eq!(seen.into_inner(), expected);
            assert_eq!(measured.unwrap(), [1.0, 2.0, 4.0].map(capacity));
            probe.stop.request();
            assert_eq!(probe.for_each_count(|_, _| Ok(capacity(0.0))).unwrap(), []);
        });
    }

    #[test]
    fn capacities_before_and_after_are_kept_apart() {
        with_probe(|probe| {
            let ceilings = probe.ceilings(
                [1.0, 2.0, 3.0].map(capacity).to_vec(),
                vec![capacity(5.0), capacity(6.0)],
            );
            let of = |threads, before, after| Ceiling {
                threads,
                before: capacity(before),
                after: capacity(after),
            };
            assert_eq!(ceilings, [of(1, 1.0, 5.0), of(2, 2.0, 6.0)]);
        });
    }
}
