//! The progress of a search: the trait of observers, and the listening end of the driver's channel, which merges subtotals and
//! tells the observer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError};

use super::{Error, Overflow, Stop, Tally};

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

/// Time between two calls of [`Observer::tick`].
const TICK_INTERVAL: Duration = Duration::from_millis(100);
/// Once a run has lasted this long, the recorder sleeps between batches of finished subtrees instead of being woken for
/// each. For 18 queens on one thread, 2,400 wakings took 4 % of the wall time and 15 % more processor time.
const LONG_RUN_TIME: Duration = Duration::from_millis(20);
/// How long the recorder sleeps between two batches. A run may end this much later.
const SLEEP_INTERVAL: Duration = Duration::from_millis(1);
/// Upper bound on the finished subtrees that the observer gets at once.
const MAX_BATCH: usize = 1024;

/// Adds up the subtotals of finished subtrees and keeps the progress.
pub(super) struct Recorder {
    /// Earlier runs included.
    pub progress: Progress,
    pub this_run: Tally,
    began: Instant,
}

impl Recorder {
    /// A recorder for a run that started at `began`, with the progress of earlier runs.
    pub fn new(progress: Progress, began: Instant) -> Self {
        Self { progress, this_run: Tally::default(), began }
    }

    /// Receives finished subtrees until every worker has dropped its sender. On an error, stops the workers.
    pub fn listen(
        &mut self,
        receiver: &Receiver<FinishedSubtree>,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), Error> {
        let received = catch_unwind(AssertUnwindSafe(|| self.receive_all(receiver, observer)));
        let result = received.unwrap_or_else(|payload| Err(Error::panic("the observer", payload)));
        result.inspect_err(|_| stop.request())
    }

    fn receive_all(
        &mut self,
        receiver: &Receiver<FinishedSubtree>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let mut next_tick = Instant::now() + TICK_INTERVAL;
        let mut batch = Vec::new();
        loop {
            match receiver.recv_deadline(next_tick) {
                Ok(first) => {
                    batch.push(first);
                    batch.extend(receiver.try_iter().take(MAX_BATCH - 1));
                    observer.finished_all(&batch).map_err(Error::Record)?;
                    for finished in batch.drain(..) {
                        self.add(&finished)?;
                    }
                    // While this thread sleeps, workers send without waking it.
                    if receiver.is_empty() && self.began.elapsed() > LONG_RUN_TIME {
                        std::thread::sleep(SLEEP_INTERVAL);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.tick(observer),
            }
            if Instant::now() >= next_tick {
                self.tick(observer)?;
                next_tick = Instant::now() + TICK_INTERVAL;
            }
        }
    }

    fn add(&mut self, finished: &FinishedSubtree) -> Result<(), Overflow> {
        self.this_run = self.this_run.merge(finished.tally)?;
        let progress = &mut self.progress;
        progress.tally = progress.tally.merge(finished.tally)?;
        progress.finished += 1;
        // Each subtree comes once, and the sum of all `Costs` fits in 64 bits.
        progress.cost_finished += finished.cost;
        progress.cost_this_run += finished.cost;
        Ok(())
    }

    fn tick(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.progress.elapsed = self.began.elapsed();
        observer.tick(&self.progress).map_err(Error::Record)
    }
}

#[cfg(test)]
mod tests {
    use crossbeam::channel::unbounded;

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

    /// Keeps the numbers of the subtrees of each batch.
    #[derive(Default)]
    struct Batches(Vec<Vec<usize>>);

    impl Observer for Batches {
        fn finished_all(&mut self, subtrees: &[FinishedSubtree]) -> std::io::Result<()> {
            self.0.push(subtrees.iter().map(|subtree| subtree.id).collect());
            Ok(())
        }
    }

    #[test]
    fn what_has_gathered_is_handed_on_at_once_and_in_order() {
        let subtrees = 2 * MAX_BATCH + 5;
        let (sender, receiver) = unbounded();
        for id in 0..subtrees {
            let tally = Tally::new(id as u64);
            sender.send(FinishedSubtree { id, tally, cost: 2, busy: Duration::ZERO }).unwrap();
        }
        drop(sender);
        let mut batches = Batches::default();
        let mut recorder = Recorder::new(Progress::default(), Instant::now());
        recorder.listen(&receiver, &mut batches, &Stop::new()).unwrap();
        let sum = (0..subtrees as u64).sum::<u64>();
        assert_eq!(recorder.this_run, Tally::new(sum));
        assert_eq!(recorder.progress.tally, Tally::new(sum));
        assert_eq!(recorder.progress.finished, subtrees);
        assert_eq!(recorder.progress.cost_this_run, 2 * subtrees as u64);
        assert_eq!(batches.0.iter().map(Vec::len).collect::<Vec<_>>(), [MAX_BATCH, MAX_BATCH, 5]);
        assert!(batches.0.concat().into_iter().eq(0..subtrees));
    }
}
