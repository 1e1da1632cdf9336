//! The efficiencies of the POP Centre of Excellence ("POP Standard Metrics for Parallel Performance Analysis"), from the
//! places of the threads' time.
//!
//! ```text
//! global = parallel efficiency × computation scaling
//! parallel efficiency = load balance × communication       useful computation per thread / run time
//! computation scaling = instruction × IPC × frequency scaling     useful computation of the fewest threads / of these
//! ```
//!
//! Useful computation is processor time: `useful` and `slowdown` of [`Losses`]. Of this program's workers it is that
//! inside pieces, so the balance among them is known; of a command's threads only the sum.

use serde::{Deserialize, Serialize};

use crate::counters::Growth;
use crate::workers::{Losses, Workers};

/// The efficiencies at one thread count, each a share of 1. Only those of computation may be above 1, where the same work
/// took less processor time than with the fewest threads; then the global efficiency may be so too.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiencies {
    /// Parallel efficiency times computation scaling.
    pub global_efficiency: f64,
    /// The mean useful computation of a thread over the run time.
    pub parallel_efficiency: f64,
    /// The mean useful computation of a worker over the largest; `None` for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_balance: Option<f64>,
    /// The largest useful computation of a worker over the run time; `None` for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication_efficiency: Option<f64>,
    /// Useful computation of the fewest threads over that of these, for the same work.
    pub computation_scaling: f64,
    /// The same of the instructions, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_scaling: Option<f64>,
    /// Instructions per cycle of these threads over those of the fewest, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ipc_scaling: Option<f64>,
    /// The clock of these threads over that of the fewest, if it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_scaling: Option<f64>,
}

impl Efficiencies {
    /// Those of a run with these `losses`, in which the work took `computation` times the processor time that it takes the
    /// fewest threads. `growth` is that of the counters since the fewest threads.
    pub(crate) fn of(
        losses: &Losses,
        computation: f64,
        workers: Option<&Workers>,
        growth: Option<Growth>,
    ) -> Self {
        let parallel = losses.useful + losses.slowdown;
        let communication = workers.and_then(|run| {
            let mut seconds = run.loads.iter().map(|load| load.cpu);
            let largest = seconds.try_fold(0.0, |largest: f64, cpu| Some(largest.max(cpu?)));
            Some(largest? / run.wall)
        });
        Self {
            global_efficiency: parallel / computation,
            parallel_efficiency: parallel,
            load_balance: communication.map(|communication| parallel / communication),
            communication_efficiency: communication,
            computation_scaling: 1.0 / computation,
            instruction_scaling: growth.map(|growth| 1.0 / growth.instructions),
            ipc_scaling: growth.map(|growth| 1.0 / growth.cycles_per_instruction),
            frequency_scaling: growth.map(|growth| 1.0 / growth.seconds_per_cycle),
        }
    }

    /// Each efficiency with the name that POP has for it.
    pub(crate) fn parts(&self) -> [(&'static str, Option<f64>); 8] {
        [
            ("global", Some(self.global_efficiency)),
            ("parallel", Some(self.parallel_efficiency)),
            ("load balance", self.load_balance),
            ("communication", self.communication_efficiency),
            ("computation scaling", Some(self.computation_scaling)),
            ("instruction scaling", self.instruction_scaling),
            ("IPC scaling", self.ipc_scaling),
            ("frequency scaling", self.frequency_scaling),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    /// Two workers for 10 s, busy for 7 and 4 s and half of that with a processor; one thread would take 5 s.
    #[test]
    fn efficiencies_are_those_of_their_definitions() {
        let workers = Workers::example();
        let losses = Losses::of(&workers, 5.0);
        let growth =
            Growth { instructions: 1.25, cycles_per_instruction: 2.0, seconds_per_cycle: 1.0 };
        let found = Efficiencies::of(&losses, 5.5 / 5.0, Some(&workers), Some(growth));
        near(found.parallel_efficiency, 5.5 / 20.0);
        near(found.communication_efficiency.unwrap(), 0.35);
        near(found.load_balance.unwrap(), 2.75 / 3.5);
        near(found.computation_scaling, 5.0 / 5.5);
        near(found.global_efficiency, 5.0 / 20.0);
        let of_counters = [found.instruction_scaling, found.ipc_scaling, found.frequency_scaling];
        assert_eq!(of_counters, [0.8, 0.5, 1.0].map(Some));
        let of_command = Efficiencies::of(&losses, 1.1, None, None);
        assert_eq!((of_command.load_balance, of_command.ipc_scaling), (None, None));
    }

    #[test]
    fn work_that_takes_less_time_than_on_one_thread_has_an_efficiency_above_1() {
        let workers = Workers::example();
        let losses = Losses::of(&workers, 8.0);
        let found = Efficiencies::of(&losses, 5.5 / 8.0, Some(&workers), None);
        near(found.computation_scaling, 8.0 / 5.5);
        near(found.global_efficiency, 8.0 / 20.0);
    }
}
