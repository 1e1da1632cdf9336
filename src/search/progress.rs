//! What a running search reports to its observer.

use std::time::Duration;

use super::Tally;

/// One finished subtree, as the worker that counted it reports it.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The stable number of the subtree: its position in [`Problem::split`](super::Problem::split).
    pub id: usize,
    /// Its subtotal.
    pub tally: Tally,
    /// Its relative cost.
    pub cost: u64,
    /// How long a worker was busy with it.
    pub busy: Duration,
}

/// How far a search has come.
#[derive(Debug, Default, Clone, Copy)]
#[non_exhaustive]
pub struct Progress {
    /// Subtrees in all, including those that an earlier run has finished.
    pub subtrees: usize,
    /// Subtrees finished, earlier runs included.
    pub finished: usize,
    /// Cost of all subtrees, in the problem's own relative unit.
    pub cost: u64,
    /// Cost of the finished subtrees, earlier runs included.
    pub cost_finished: u64,
    /// Cost finished by this run alone, from which rates and the time left are computed.
    pub cost_this_run: u64,
    /// The merged subtotals of the finished subtrees, earlier runs included.
    pub tally: Tally,
    /// Wall time since this run began.
    pub elapsed: Duration,
}

impl Progress {
    /// The share of the work done, 0 to 1, by cost.
    pub fn share(&self) -> f64 {
        if self.cost == 0 { 1.0 } else { self.cost_finished as f64 / self.cost as f64 }
    }

    /// The time left at the pace of this run; `None` until a subtree is finished.
    pub fn time_left(&self) -> Option<Duration> {
        if self.cost_this_run == 0 {
            return None;
        }
        let left = self.cost.saturating_sub(self.cost_finished) as f64;
        let pace = self.cost_this_run as f64 / self.elapsed.as_secs_f64();
        Duration::try_from_secs_f64(left / pace).ok()
    }
}

/// Watches a search on a separate thread. All methods have defaults that do nothing.
pub trait Observer: Send {
    /// A subtree is finished. An error ends the search, since its result could not be kept.
    fn finished(&mut self, subtree: &Finished) -> std::io::Result<()> {
        let _ = subtree;
        Ok(())
    }

    /// Called about ten times a second and once at the end.
    fn tick(&mut self, progress: &Progress) -> std::io::Result<()> {
        let _ = progress;
        Ok(())
    }
}

/// The observer that watches nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Silent;

impl Observer for Silent {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_what_this_run_has_done() {
        let elapsed = Duration::from_secs(10);
        // Half of it was done by earlier runs, in whatever time.
        let mut progress =
            Progress { cost: 100, cost_finished: 60, elapsed, ..Progress::default() };
        assert_eq!(progress.time_left(), None);
        progress.cost_this_run = 10;
        assert_eq!(progress.time_left(), Some(Duration::from_secs(40)));
        assert_eq!(progress.share(), 0.6);
        progress.cost_finished = 100;
        assert_eq!(progress.time_left(), Some(Duration::ZERO));
        assert_eq!(Progress::default().share(), 1.0);
    }
}
