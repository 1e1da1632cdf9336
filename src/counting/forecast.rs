//! Forecasts of the time and memory that a count takes.

use std::io;
use std::time::{Duration, Instant};

use anyhow::Result;
use tallyboard_base::figures::core_estimate;
use tallyboard_scale::conditions::Snapshot;
use tallyboard_scale::topology::{Cpu, Machine};
use tallyboard_scale::warnings;
use tallyboard_search::sample::{Amount, SampleOptions, Total, sample};
use tallyboard_search::shard::{CoreHours, PlanForecast};
use tallyboard_search::{Observer, Progress, Stop};

use crate::counting::job::{Job, PreparedJob};
use crate::counting::resources::{Resources, process_bytes};
use crate::terminal::{Args, info};

/// Time for which subtrees are drawn. If they take milliseconds, this gives an interval of a few per cent.
const DRAWING_TIME: Duration = Duration::from_secs(3);
/// How long a plan waits for the few subtrees that an interval needs. One subtree takes seconds at n = 26, and a minute
/// at n = 27.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The seconds that one core takes to count a problem, from a random sample of its subtrees; `None` if too
/// few of them end within `patience`, or before `stop` is raised.
pub fn core_seconds(
    prepared: &PreparedJob,
    threads: usize,
    patience: Duration,
    stop: &Stop,
) -> Result<Option<Total>> {
    let amount = Amount::Time(DRAWING_TIME.min(patience));
    let sampling = SampleOptions { amount, threads, stop: Some(stop), ..SampleOptions::default() };
    let began = Instant::now();
    let found = sample(&*prepared.problem, &sampling, &mut Deadline { stop, began, patience })?;
    Ok(found.core_seconds())
}

/// The forecast of a plan to count `prepared`, the problem of `job`, in `shards` shards.
pub fn of_plan(
    job: &dyn Job,
    prepared: &PreparedJob,
    threads: usize,
    shards: usize,
) -> Result<PlanForecast> {
    let hours = |seconds: f64| seconds / 3600.0;
    let core_hours =
        core_seconds(prepared, threads, PATIENCE, &Stop::new())?.map(|seconds| CoreHours {
            estimate: hours(seconds.value),
            low: hours(seconds.low),
            high: hours(seconds.high),
        });
    let resources = |threads| Resources::unlimited(threads).of_shards(shards);
    let memory = |threads| job.prepare(&resources(threads)).map(|prepared| prepared.memory);
    let of_one_thread = memory(1)?;
    let of_two_threads = memory(2)?;
    Ok(PlanForecast {
        core_hours,
        memory_bytes: process_bytes(of_one_thread),
        // At least one mebibyte, the unit in which schedulers are asked.
        memory_bytes_per_worker: of_two_threads.saturating_sub(of_one_thread).max(1 << 20),
    })
}

/// Why there is no forecast.
pub fn too_long(patience: Duration) -> String {
    let waited = patience.as_secs_f64();
    format!("no forecast: too few of the subtrees drawn were finished within {waited} s")
}

/// Seconds of one core as text for people.
pub fn core_text(seconds: &Total) -> String {
    core_estimate(seconds.value, seconds.low, seconds.high)
}

/// Watches how much of the processors other programs take while subtrees are timed.
pub struct OtherLoad {
    cpus: Vec<Cpu>,
    /// The processor times at the start.
    began: Snapshot,
}

impl OtherLoad {
    /// Watches from now on.
    pub fn watch() -> Self {
        let cpus = Machine::here().cpus;
        Self { began: Snapshot::now(&cpus), cpus }
    }

    /// Warns if other programs have taken so much processor time since the start that measured times are too long.
    pub fn warn(&self, args: &Args) {
        let share = self.began.others_until_now(&self.cpus);
        if let Some(warning) = share.and_then(warnings::crowded) {
            info(args, format_args!("{warning}, so that the forecast may be too long"));
        }
    }
}

/// An observer that stops a run after `patience`.
struct Deadline<'a> {
    stop: &'a Stop,
    began: Instant,
    patience: Duration,
}

impl Observer for Deadline<'_> {
    fn tick(&mut self, _: &Progress) -> io::Result<()> {
        if self.began.elapsed() >= self.patience {
            self.stop.request();
        }
        Ok(())
    }
}
