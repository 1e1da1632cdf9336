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

/// The efficiencies at one thread count, each a share of 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Efficiencies {
    /// Parallel efficiency times computation scaling.
    pub global: f64,
    /// The mean useful computation of a thread over the run time.
    pub parallel: f64,
    /// The mean useful computation of a worker over the largest; `None` for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_balance: Option<f64>,
    /// The largest useful computation of a worker over the run time; `None` for a command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication: Option<f64>,
    /// Useful computation of the fewest threads over that of these, for the same work.
    pub computation_scaling: f64,
    /// The same of the instructions, of the instructions per cycle and of the clock, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_counters: Option<[f64; 3]>,
}

impl Efficiencies {
    /// Those of a run with these `losses`. `growth` is that of the counters since the fewest threads.
    pub(crate) fn of(losses: &Losses, workers: Option<&Workers>, growth: Option<Growth>) -> Self {
        let parallel = losses.useful + losses.slowdown;
        let computation_scaling = losses.useful / parallel;
        let communication = workers.and_then(|run| {
            let seconds = run.loads.iter().map(|load| load.cpu);
            let seconds: Option<Vec<f64>> = seconds.collect();
            Some(seconds?.into_iter().fold(0.0, f64::max) / run.wall)
        });
        Self {
            global: losses.useful,
            parallel,
            load_balance: communication.map(|communication| parallel / communication),
            communication,
            computation_scaling,
            of_counters: growth.map(|growth| {
                let Growth { instructions, cycles_per_instruction, seconds_per_cycle } = growth;
                [instructions, cycles_per_instruction, seconds_per_cycle].map(|factor| 1.0 / factor)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two workers for 10 s, busy for 7 and 4 s and half of that with a processor; one thread would take 5 s.
    #[test]
    fn efficiencies_are_those_of_their_definitions() {
        let workers = Workers::example();
        let losses = Losses::of(&workers, 5.0);
        let growth =
            Growth { instructions: 1.25, cycles_per_instruction: 2.0, seconds_per_cycle: 1.0 };
        let found = Efficiencies::of(&losses, Some(&workers), Some(growth));
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        near(found.parallel, 5.5 / 20.0);
        near(found.communication.unwrap(), 0.35);
        near(found.load_balance.unwrap(), 2.75 / 3.5);
        near(found.computation_scaling, 5.0 / 5.5);
        near(found.global, found.parallel * found.computation_scaling);
        near(found.parallel, found.load_balance.unwrap() * found.communication.unwrap());
        assert_eq!(found.of_counters, Some([0.8, 0.5, 1.0]));
        let of_command = Efficiencies::of(&losses, None, None);
        assert_eq!((of_command.load_balance, of_command.of_counters), (None, None));
    }
}
