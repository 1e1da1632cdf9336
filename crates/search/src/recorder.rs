//! The listening end of the driver's channel: merges subtotals and tells the observer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError};

use super::{Error, FinishedSubtree, Observer, Overflow, Progress, Stop, Tally};

/// How often the observer hears of progress.
const TICK_INTERVAL: Duration = Duration::from_millis(100);
/// Once a run has lasted this long, the recorder sleeps between batches of finished subtrees instead of being
/// woken for each. For 18 queens on one thread, 2,400 wakings took 4 % of the wall time and 15 % more
/// processor time.
const LONG_RUN_TIME: Duration = Duration::from_millis(20);
/// How long the recorder sleeps between two batches. A run may end this much later.
const SLEEP_INTERVAL: Duration = Duration::from_millis(1);

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
        let followed = catch_unwind(AssertUnwindSafe(|| self.follow(receiver, observer)));
        let result = followed
            .unwrap_or_else(|payload| Err(Error::panic("the observer".to_owned(), &*payload)));
        result.inspect_err(|_| stop.request())
    }

    fn follow(
        &mut self,
        receiver: &Receiver<FinishedSubtree>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let mut next_tick = Instant::now() + TICK_INTERVAL;
        loop {
            match receiver.recv_deadline(next_tick) {
                Ok(finished) => {
                    self.add(&finished)?;
                    observer.finished(&finished).map_err(Error::Record)?;
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
