//! What a plan will take.

use anyhow::Result;
use tallyboard::queens::{Count, Settings};
use tallyboard::search::shard::{CoreHours, Forecast};

use crate::cli::forecast::core_seconds;
use crate::cli::room::PROGRAM;

/// The expected cost of counting `problem`.
pub fn forecast(problem: &Count, threads: usize) -> Result<Forecast> {
    let hours = |seconds: f64| seconds / 3600.0;
    let core_hours = core_seconds(problem, threads)?.map(|seconds| CoreHours {
        estimate: hours(seconds.value),
        low: hours(seconds.low),
        high: hours(seconds.high),
    });
    let memory = |threads| {
        let settings = Settings::new().engine(problem.engine()).threads(threads);
        Count::with(problem.board().clone(), settings).map(|problem| problem.memory())
    };
    let one = memory(1)?;
    Ok(Forecast {
        core_hours,
        memory_bytes: PROGRAM + one,
        memory_bytes_per_worker: memory(2)?.saturating_sub(one).max(1 << 20),
    })
}
