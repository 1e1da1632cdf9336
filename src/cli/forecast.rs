//! What a count will take: the one place that knows.

use std::io;
use std::time::{Duration, Instant};

use crate::figures::{core_interval, core_time};
use crate::queens::{Count, Settings};
use crate::sample::{Amount, Sampling, Total, sample};
use crate::search::shard::{CoreHours, Expected};
use crate::search::{Observer, Progress, Stop};
use anyhow::Result;

use super::problem::PROGRAM;

/// Subtrees are drawn for this long: an interval of some per cent for boards whose subtrees take
/// milliseconds.
const DRAWING: Duration = Duration::from_secs(3);
/// Where subtrees take longer, a plan may take this long for the few that an interval needs: at n = 26
/// one takes seconds, at n = 27 a minute.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The seconds that one core takes to count `problem`, from a random sample of its very subtrees;
/// `None` if too few of them end within `patience`, or before `stop` is raised.
pub fn core_seconds(
    problem: &Count,
    threads: usize,
    patience: Duration,
    stop: &Stop,
) -> Result<Option<Total>> {
    let amount = Amount::Time(DRAWING.min(patience));
    let sampling = Sampling { amount, threads, stop: Some(stop), ..Sampling::default() };
    let began = Instant::now();
    let found = sample(problem, &sampling, &mut Impatient { stop, began, patience })?;
    Ok(found.core_seconds())
}

/// What a plan to count `problem` will take.
pub fn expected(problem: &Count, threads: usize) -> Result<Expected> {
    let hours = |seconds: f64| seconds / 3600.0;
    let core_hours =
        core_seconds(problem, threads, PATIENCE, &Stop::new())?.map(|seconds| CoreHours {
            estimate: hours(seconds.value),
            low: hours(seconds.low),
            high: hours(seconds.high),
        });
    let memory = |threads| {
        let settings = Settings::new().engine(problem.engine()).threads(threads);
        Count::with(problem.board().clone(), settings).map(|problem| problem.memory())
    };
    let one = memory(1)?;
    Ok(Expected {
        core_hours,
        memory_bytes: PROGRAM + one,
        memory_bytes_per_worker: memory(2)?.saturating_sub(one).max(1 << 20),
    })
}

/// Why there is no forecast.
pub fn too_long(patience: Duration) -> String {
    let waited = patience.as_secs_f64();
    format!("no forecast: too few of the subtrees drawn were finished within {waited} s")
}

/// Seconds of one core as people read them.
pub fn core_text(seconds: &Total) -> String {
    let Total { value, low, high, .. } = *seconds;
    format!("{}, 95 % interval {}", core_time(value), core_interval(low, high))
}

/// Stops a run that takes too long.
struct Impatient<'a> {
    stop: &'a Stop,
    began: Instant,
    patience: Duration,
}

impl Observer for Impatient<'_> {
    fn tick(&mut self, _: &Progress) -> io::Result<()> {
        if self.began.elapsed() >= self.patience {
            self.stop.request();
        }
        Ok(())
    }
}
