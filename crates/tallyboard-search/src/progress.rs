//! The progress of a search, and the trait of observers, to whom the search reports it.

use std::time::Duration;

use super::Tally;

/// One finished subtree, as the worker that counted it reports it.
#[derive(Debug, Clone)]
pub struct FinishedSubtree {
    /// The stable number of the subtree: its position in [`Problem::split`](super::Problem::split).
    pub id: usize,
    /// Its subtotal.
    pub tally: Tally,
    /// Its relative cost.
    pub cost: u64,
    /// Wall time of the worker that counted it.
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
    /// Cost finished by this run alone; rates and the time left are computed from it.
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

/// Observes a search while it runs. Its methods are called on a thread that is no worker's; by default they do nothing.
pub trait Observer: Send {
    /// Called for each finished subtree. An error says that its result could not be kept, and ends the search.
    fn finished(&mut self, subtree: &FinishedSubtree) -> std::io::Result<()> {
        let _ = subtree;
        Ok(())
    }

    /// Called with all finished subtrees, at least one, that workers have reported since the last call. By default calls
    /// [`finished`](Self::finished) for each.
    fn finished_all(&mut self, subtrees: &[FinishedSubtree]) -> std::io::Result<()> {
        subtrees.iter().try_for_each(|subtree| self.finished(subtree))
    }

    /// Called about ten times a second and once at the end.
    fn tick(&mut self, progress: &Progress) -> std::io::Result<()> {
        let _ = progress;
        Ok(())
    }
}

/// The observer that does nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Silent;

impl Observer for Silent {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps the numbers of the subtrees that it gets one by one.
    struct Each(Vec<usize>);

    impl Observer for Each {
        fn finished(&mut self, subtree: &FinishedSubtree) -> std::io::Result<()> {
            self.0.push(subtree.id);
            Ok(())
        }
    }

    #[test]
    fn subtrees_are_handed_on_one_by_one_in_order() {
        let mut each = Each(Vec::new());
        let subtree =
            |id| FinishedSubtree { id, tally: Tally::default(), cost: 1, busy: Duration::ZERO };
        each.finished_all(&[3, 1, 2].map(subtree)).unwrap();
        assert_eq!(each.0, [3, 1, 2]);
    }

    #[test]
    fn the_time_left_follows_from_what_this_run_has_done() {
        let elapsed = Duration::from_secs(10);
        // Earlier runs have done 50 of 100; their time does not matter.
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
