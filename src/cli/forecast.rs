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
/// Where subtrees take longer, this long at most for the few that an interval needs: at n = 26 one
/// takes seconds, at n = 27 a minute.
const PATIENCE: Duration = Duration::from_secs(120);

/// The seconds that one core takes to count `problem`, from a random sample of its very subtrees;
/// `None` if too few of them end soon enough.
pub fn core_seconds(problem: &Count, threads: usize) -> Result<Option<Total>> {
    let stop = Stop::new();
    let size = Size::Time(DRAWING);
    let settings = Settings { size, threads, stop: Some(&stop), ..Settings::default() };
    let found = sample(problem, &settings, &mut Impatient { stop: &stop, began: Instant::now() })?;
    Ok(found.core_seconds())
}

/// Why there is no forecast.
pub fn too_long() -> String {
    let waited = PATIENCE.as_secs();
    format!("no forecast: too few of the subtrees drawn were finished within {waited} s")
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
