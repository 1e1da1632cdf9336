//! How long a count will take: the one place that knows.

use std::io;
use std::time::{Duration, Instant};

use anyhow::Result;
use tallyboard::queens::Count;
use tallyboard::sample::{Settings, Size, Total, sample};
use tallyboard::search::{Observer, Progress, Stop};

/// Subtrees are drawn for this long: an interval of some per cent for boards whose subtrees take
/// milliseconds.
const DRAWING: Duration = Duration::from_secs(3);
/// Subtrees that take longer than this are given up.
const PATIENCE: Duration = Duration::from_secs(40);

/// The seconds that one core takes to count `problem`, from a random sample of its very subtrees;
/// `None` if hardly any of them ends soon enough.
pub fn core_seconds(problem: &Count, threads: usize) -> Result<Option<Total>> {
    let stop = Stop::new();
    let size = Size::Time(DRAWING);
    let settings = Settings { size, threads, stop: Some(&stop), ..Settings::default() };
    let found = sample(problem, &settings, &mut Impatient { stop: &stop, began: Instant::now() })?;
    Ok(found.core_seconds())
}

/// Why there is no forecast.
pub fn too_long() -> String {
    format!("no forecast: hardly a subtree is finished within {} s", PATIENCE.as_secs())
}

/// Stops a run that takes too long.
struct Impatient<'a> {
    stop: &'a Stop,
    began: Instant,
}

impl Observer for Impatient<'_> {
    fn tick(&mut self, _: &Progress) -> io::Result<()> {
        if self.began.elapsed() >= PATIENCE {
            self.stop.request();
        }
        Ok(())
    }
}
