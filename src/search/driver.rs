//! The one parallel driver: rayon steals subtrees, a channel carries what is finished to the observer.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use rayon::prelude::*;

use super::{Finished, Observer, Overflow, Problem, Progress, Stop, Tally};

/// How often the observer hears of progress.
const TICK: Duration = Duration::from_millis(100);

/// How to run a search.
#[derive(Debug, Default, Clone, Copy)]
pub struct Options<'a> {
    /// Worker threads; 0 takes `RAYON_NUM_THREADS` or else every logical core.
    pub threads: usize,
    /// Raise this flag to end the search early. The search raises it itself if a result cannot be
    /// recorded.
    pub stop: Option<&'a Stop>,
    /// Subtotals of subtrees that an earlier run has finished, by subtree number.
    pub known: Option<&'a HashMap<usize, Tally>>,
    /// Count these subtrees only (ascending numbers); all of them by default.
    pub only: Option<&'a [usize]>,
}

/// The result of a search.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// The merged subtotals of all finished subtrees, those of an earlier run included.
    pub tally: Tally,
    /// Whether every subtree is finished; false only after a stop.
    pub complete: bool,
    /// Wall time of the run, splitting included.
    pub elapsed: Duration,
    /// Worker threads used.
    pub threads: usize,
    /// Number of subtrees asked for.
    pub subtrees: usize,
    /// Number of those that are finished, those of an earlier run included.
    pub finished: usize,
}

/// Why a search could not give a result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The sum does not fit.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The observer could not keep a result.
    #[error("a finished subtree could not be recorded")]
    Record(#[source] std::io::Error),
    /// The operating system gave no threads.
    #[error("cannot start {threads} worker threads")]
    Threads {
        /// The number asked for.
        threads: usize,
        /// What rayon reports.
        #[source]
        source: rayon::ThreadPoolBuildError,
    },
}

/// Counts `problem`: splits it, counts its subtrees on `options.threads` workers, longest first,
/// and merges the subtotals.
///
/// The count is the same for any number of threads. When [`Options::stop`] is raised the outcome
/// holds what was finished and [`Outcome::complete`] is false.
///
/// # Errors
/// [`Error::Overflow`] if the sum exceeds `u128`, [`Error::Record`] if the observer failed,
/// [`Error::Threads`] if the worker threads cannot be started.
pub fn run<P: Problem>(
    problem: &P,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let began = Instant::now();
    let mut outcome = run_split(problem, &problem.split(), options, observer)?;
    outcome.elapsed = began.elapsed();
    Ok(outcome)
}

/// [`run`] for callers that have split `problem` already; the time counts from there.
///
/// # Errors
/// As for [`run`].
pub fn run_split<P: Problem>(
    problem: &P,
    subtrees: &[P::Subtree],
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let began = Instant::now();
    let pool = pool(options.threads)?;
    let threads = pool.current_num_threads();
    let work = Work::choose(problem, subtrees, options)?;
    let own_stop = Stop::new();
    let stop = options.stop.unwrap_or(&own_stop);
    let job = Job { problem, subtrees, stop };
    let mut record = Record::new(&work, began);

    std::thread::scope(|scope| {
        let (sender, receiver) = unbounded();
        let record = &mut record;
        let recorder = scope.spawn(move || record.listen(&receiver, observer, stop));
        pool.install(|| job.count_all(&work.queue, sender));
        recorder.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;

    Ok(Outcome {
        tally: record.tally,
        complete: record.progress.finished == work.total,
        elapsed: began.elapsed(),
        threads,
        subtrees: work.total,
        finished: record.progress.finished,
    })
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(thread_count(threads))
        .thread_name(|index| format!("tallyboard-{index}"))
        .build()
        .map_err(|source| Error::Threads { threads, source })
}

/// The number of worker threads that a request for `threads` gives: 0 takes the value of
/// `RAYON_NUM_THREADS`, or else the number of logical cores this process may use.
pub fn thread_count(threads: usize) -> usize {
    let from_environment = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok();
    match threads {
        0 => from_environment().filter(|&count| count > 0).unwrap_or_else(num_cpus::get),
        given => given,
    }
}

/// Index of the calling worker, below the number of threads; 0 outside of a search.
pub fn worker() -> usize {
    rayon::current_thread_index().unwrap_or(0)
}

/// What is to be counted, and what an earlier run already has.
struct Work {
    /// Numbers of the subtrees to count, longest first.
    queue: Vec<(usize, u64)>,
    total: usize,
    cost: u64,
    known_count: usize,
    known_cost: u64,
    known_tally: Tally,
}

impl Work {
    fn choose<P: Problem>(
        problem: &P,
        subtrees: &[P::Subtree],
        options: &Options,
    ) -> Result<Self, Overflow> {
        let mut work = Self {
            queue: Vec::new(),
            total: 0,
            cost: 0,
            known_count: 0,
            known_cost: 0,
            known_tally: Tally::default(),
        };
        for (id, subtree) in subtrees.iter().enumerate() {
            if options.only.is_some_and(|only| only.binary_search(&id).is_err()) {
                continue;
            }
            let cost = problem.cost(subtree).max(1);
            work.total += 1;
            work.cost += cost;
            match options.known.and_then(|known| known.get(&id)) {
                Some(&tally) => {
                    work.known_count += 1;
                    work.known_cost += cost;
                    work.known_tally = work.known_tally.merge(tally)?;
                }
                None => work.queue.push((id, cost)),
            }
        }
        work.queue.sort_by_key(|&(id, cost)| (std::cmp::Reverse(cost), id));
        Ok(work)
    }
}

/// What the workers share.
struct Job<'a, P: Problem> {
    problem: &'a P,
    subtrees: &'a [P::Subtree],
    stop: &'a Stop,
}

impl<P: Problem> Job<'_, P> {
    /// Counts every subtree of `queue`; returns when all are finished or stopped.
    fn count_all(&self, queue: &[(usize, u64)], sender: Sender<Finished>) {
        // One subtree is the smallest unit to steal: they are long, and differ much in length.
        queue.par_iter().with_max_len(1).for_each_with(sender, |sender, &(id, cost)| {
            if self.stop.requested() {
                return;
            }
            let started = Instant::now();
            if let Ok(tally) = self.problem.count(&self.subtrees[id], self.stop) {
                let (worker, busy) = (worker(), started.elapsed());
                // The recorder is gone only when it has failed, which it reports itself.
                let _ = sender.send(Finished { id, tally, cost, worker, started, busy });
            }
        });
    }
}

/// The recorder's side of the channel: sums up and tells the observer.
struct Record {
    tally: Tally,
    progress: Progress,
    began: Instant,
}

impl Record {
    fn new(work: &Work, began: Instant) -> Self {
        let progress = Progress {
            subtrees: work.total,
            finished: work.known_count,
            cost: work.cost,
            cost_finished: work.known_cost,
            cost_this_run: 0,
            solutions: work.known_tally.solutions(),
            elapsed: Duration::ZERO,
        };
        Self { tally: work.known_tally, progress, began }
    }

    /// Listens until every worker has hung up. On an error the workers are stopped.
    fn listen(
        &mut self,
        receiver: &Receiver<Finished>,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<(), Error> {
        let result = self.follow(receiver, observer);
        if result.is_err() {
            stop.request();
        }
        result
    }

    fn follow(
        &mut self,
        receiver: &Receiver<Finished>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let mut next_tick = Instant::now() + TICK;
        loop {
            let finished = match receiver.recv_deadline(next_tick) {
                Ok(finished) => Some(finished),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Some(finished) = finished {
                self.add(&finished)?;
                observer.finished(&finished).map_err(Error::Record)?;
            }
            if Instant::now() >= next_tick {
                self.tick(observer)?;
                next_tick = Instant::now() + TICK;
            }
        }
        self.tick(observer)
    }

    fn add(&mut self, finished: &Finished) -> Result<(), Overflow> {
        self.tally = self.tally.merge(finished.tally)?;
        self.progress.finished += 1;
        self.progress.cost_finished += finished.cost;
        self.progress.cost_this_run += finished.cost;
        self.progress.solutions = self.tally.solutions();
        Ok(())
    }

    fn tick(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        self.progress.elapsed = self.began.elapsed();
        observer.tick(&self.progress).map_err(Error::Record)
    }
}
