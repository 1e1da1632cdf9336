//! The one parallel driver, and the whole count of a problem in one call. Rayon's workers take subtrees, longest first; a channel
//! carries each finished subtree to the recorder, which tells the observer.

use std::any::Any;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};
use rayon::ScopeFifo;

use super::progress::Recorder;
use super::{
    Costs, FinishedSubtree, KnownSubtotals, Observer, Overflow, Problem, Progress, Stop, Tally,
};

/// Counts all solutions of `problem`, on every core.
///
/// With a number of threads, progress or a flag to stop: [`CountRun`].
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::{self, Problem, Stop, Stopped, Tally};
///
/// /// Words of 10 digits 0 and 1 without two 1s side by side; a subtree for each beginning of four digits.
/// struct Words;
///
/// impl Problem for Words {
///     fn subtrees(&self) -> usize {
///         16
///     }
///
///     fn count(&self, beginning: usize, stop: &Stop) -> Result<Tally, Stopped> {
///         stop.check()?;
///         let words = (0..64).map(|rest| beginning << 6 | rest);
///         let found = words.filter(|word| word & word >> 1 == 0).count();
///         Ok(Tally::from(found as u64))
///     }
/// }
///
/// assert_eq!(search::count(&Words)?, 144);
/// # Ok::<(), search::Error>(())
/// ```
///
/// # Errors
/// [`Error`]: the sum does not fit in 128 bits, there are no threads, or the problem has panicked or stopped by itself.
pub fn count(problem: &dyn Problem) -> Result<u128, Error> {
    CountRun::new(problem).run()
}

/// A count that is about to run: [`count()`] with a number of threads, progress, or a flag to stop.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::{CountRun, Problem, Stop, Stopped, Tally};
///
/// /// Numbers below 2^20 without a digit 7, a subtree for each first digit.
/// struct Numbers;
///
/// impl Problem for Numbers {
///     fn subtrees(&self) -> usize {
///         10
///     }
///
///     fn count(&self, subtree: usize, _: &Stop) -> Result<Tally, Stopped> {
///         let numbers = (0..1u32 << 20).map(|number| number.to_string());
///         let begins = |number: &String| number.as_bytes()[0] == b'0' + subtree as u8;
///         Ok((numbers.filter(|number| begins(number) && !number.contains('7')).count() as u64).into())
///     }
/// }
///
/// let run = CountRun::new(&Numbers).threads(2).on_progress(|now| eprintln!("{:.0} %", 100.0 * now.share()));
/// assert_eq!(run.run()?, 563_256);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is counted before `run` is called"]
pub struct CountRun<'a> {
    problem: &'a dyn Problem,
    options: Options<'a>,
    on_progress: Option<ProgressCallback<'a>>,
}

/// What a caller does with the progress of a count.
pub type ProgressCallback<'a> = Box<dyn FnMut(&Progress) + Send + 'a>;

impl<'a> CountRun<'a> {
    /// The count of `problem`, on every core.
    pub fn new(problem: &'a dyn Problem) -> Self {
        Self { problem, options: Options::new(), on_progress: None }
    }

    /// Worker threads; 0 for every core, or as many as the problem was planned for.
    pub fn threads(self, threads: usize) -> Self {
        Self { options: self.options.threads(threads), ..self }
    }

    /// The flag that ends the count early once somebody raises it.
    pub fn stop(self, stop: &'a Stop) -> Self {
        Self { options: self.options.stop(stop), ..self }
    }

    /// Calls `on_progress` about ten times a second and once at the end, on a thread that is no worker's.
    pub fn on_progress(self, on_progress: impl FnMut(&Progress) + Send + 'a) -> Self {
        Self { on_progress: Some(Box::new(on_progress)), ..self }
    }

    /// Counts.
    ///
    /// # Errors
    /// As [`count()`]; and [`Error::Stopped`] after a stop.
    pub fn run(self) -> Result<u128, Error> {
        let mut listener = Listener(self.on_progress);
        let outcome = run(self.problem, &self.options, &mut listener)?;
        let finished = outcome.finished;
        let subtrees = outcome.subtrees;
        outcome.whole().ok_or(Error::Stopped { finished, subtrees })
    }
}

/// The observer that hands progress on to a caller who wants it.
pub(super) struct Listener<'a>(pub Option<ProgressCallback<'a>>);

impl Observer for Listener<'_> {
    fn tick(&mut self, progress: &Progress) -> std::io::Result<()> {
        if let Some(on_progress) = &mut self.0 {
            on_progress(progress);
        }
        Ok(())
    }
}

/// Upper bound on worker threads, above the number of cores of any machine.
pub const MAX_THREADS: usize = 1024;

/// How to run a search; by default it counts all subtrees, on every core.
#[must_use]
#[derive(Debug, Default, Clone, Copy)]
pub struct Options<'a> {
    threads: usize,
    stop: Option<&'a Stop>,
    known: Option<&'a KnownSubtotals>,
    only: Option<&'a [usize]>,
}

impl<'a> Options<'a> {
    /// All subtrees on as many threads as the problem was planned for, or else every core.
    pub fn new() -> Self {
        Self::default()
    }

    /// Worker threads; 0 takes the number that the problem was planned for ([`Problem::threads`]), or, if
    /// that is 0 too, [`thread_count`] of 0. A problem never gets more threads than it was planned for.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The flag that ends the search early once the caller raises it. The search raises it too if it ends
    /// with an error.
    pub fn stop(self, stop: impl Into<Option<&'a Stop>>) -> Self {
        Self { stop: stop.into(), ..self }
    }

    /// Subtotals of subtrees that an earlier run has finished.
    pub fn known(self, known: impl Into<Option<&'a KnownSubtotals>>) -> Self {
        Self { known: known.into(), ..self }
    }

    /// Count these subtrees only, each once, in any order of their numbers.
    pub fn only(self, only: impl Into<Option<&'a [usize]>>) -> Self {
        Self { only: only.into(), ..self }
    }
}

/// The result of a search, which a stop may have ended early: [`whole`](Self::whole) tells.
#[must_use = "a search that was stopped gives a part of the count only"]
#[non_exhaustive]
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// The merged subtotals of all finished subtrees, those of an earlier run included.
    pub tally: Tally,
    /// The sum of the subtotals that this run counted, without those of an earlier run; rates are computed from it.
    pub tally_this_run: Tally,
    /// Whether every subtree is finished; false only after a stop.
    pub complete: bool,
    /// Wall time of the run, splitting included.
    pub elapsed: Duration,
    /// Worker threads used.
    pub threads: usize,
    /// Number of subtrees asked for.
    pub subtrees: usize,
    /// Number of these subtrees that are finished, by this run or an earlier one.
    pub finished: usize,
    /// The problem's [`Problem::modulus`].
    pub modulus: Option<u128>,
}

impl Outcome {
    /// The number of all solutions; `None` if a stop ended the search early.
    pub fn whole(&self) -> Option<u128> {
        let sum = self.tally.solutions();
        self.complete.then(|| self.modulus.map_or(sum, |modulus| sum % modulus))
    }
}

/// Why a search could not give a result.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The sum does not fit, or the count of a subtree.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The observer could not keep a result.
    #[error("a finished subtree could not be recorded")]
    Record(#[source] std::io::Error),
    /// The operating system gave no threads.
    #[error("the system gives {started} of {threads} threads: ask for fewer (-j)")]
    Threads {
        /// The number needed: those asked for, and one that records.
        threads: usize,
        /// How many of them could be had.
        started: usize,
        /// What the operating system says.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A run of some subtrees, or one that an earlier run has begun, names a subtree that the problem does not have.
    #[error("found subtree {id}, expected numbers below {subtrees}")]
    NoSuchSubtree {
        /// Its number.
        id: usize,
        /// How many the problem has.
        subtrees: usize,
    },
    /// A subtree was asked for twice.
    #[error("subtree {id} is named twice")]
    Twice {
        /// Its number.
        id: usize,
    },
    /// A stop flag was raised, or the problem has stopped by itself. Only calls that return a whole count make an
    /// error of it.
    #[error("the count was stopped with {finished} of {subtrees} subtrees finished")]
    Stopped {
        /// Number of subtrees that are finished.
        finished: usize,
        /// Number of subtrees in all.
        subtrees: usize,
    },
    /// A mistake in the problem: its count of a subtree has panicked. What was recorded before stays good.
    #[error("the count of subtree {id} panicked: {message}")]
    Count {
        /// The subtree's number.
        id: usize,
        /// What the panic said.
        message: String,
    },
    /// The problem says that it cannot count one of its subtrees.
    #[error("{0}")]
    Refused(String),
    /// A mistake in the program: a search has found what the definition of its puzzle refuses.
    #[error(
        "found {0}, which breaks a rule: this is a mistake of the program, please report it with the puzzle"
    )]
    WrongSolution(String),
    /// A mistake in the program: the observer, or another part of a run, has panicked. What was recorded
    /// before stays good.
    #[error("{what} panicked: {message}")]
    Panic {
        /// What panicked.
        what: String,
        /// What the panic said.
        message: String,
    },
}

impl Error {
    /// Ends the count of a subtree, in [`Problem::count`], or another part of a run, and with it the run, which returns
    /// this error. It unwinds as a panic does, but no message is printed.
    pub fn raise(self) -> ! {
        resume_unwind(Box::new(self))
    }

    /// The error that was [raised](Self::raise) with `payload`, or else that of `what`, which has panicked with it.
    pub(super) fn panic(what: &str, payload: Box<dyn Any + Send>) -> Self {
        let panic = |payload: Box<dyn Any + Send>| Self::Panic {
            what: what.to_owned(),
            message: panic_message(&*payload).to_owned(),
        };
        payload.downcast::<Self>().map_or_else(panic, |raised| *raised)
    }

    /// Fails if a solution is not right; `found` spells it.
    ///
    /// # Errors
    /// [`WrongSolution`](Self::WrongSolution).
    #[doc(hidden)]
    pub fn ensure_right(is_right: bool, found: impl FnOnce() -> String) -> Result<(), Self> {
        if is_right { Ok(()) } else { Err(Self::WrongSolution(found())) }
    }
}

/// The message of a panic, from its payload.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message")
}

/// Counts `problem`: splits it, counts its subtrees on the worker threads, longest first, and merges the subtotals.
///
/// The count is the same for any number of threads. When [`Options::stop`] is raised the outcome
/// holds what was finished and [`Outcome::complete`] is false.
///
/// # Errors
/// Any [`Error`] but [`Error::Stopped`].
pub fn run(
    problem: &dyn Problem,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let began = Instant::now();
    let mut outcome = run_split(problem, &problem.split(), options, observer)?;
    outcome.elapsed = began.elapsed();
    Ok(outcome)
}

/// [`run`] for callers that have split `problem` already; [`Outcome::elapsed`] leaves the splitting out.
pub fn run_split(
    problem: &dyn Problem,
    costs: &Costs,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let began = Instant::now();
    ensure_once(options.only.unwrap_or_default())?;
    let (queue, progress) = backlog(costs, options)?;
    let pool = pool(asked_threads(options, problem))?;
    let own_stop = Stop::new();
    let stop = options.stop.unwrap_or(&own_stop);
    let next = AtomicUsize::new(0);
    let panic = Mutex::new(None);
    let workers = Workers { problem, stop, queue: &queue, next, panic };
    let mut recorder = Recorder::new(progress, began);

    let recorded = std::thread::scope(|scope| -> Result<_, Error> {
        let (sender, receiver) = unbounded();
        let recorder = &mut recorder;
        let listen = move || recorder.listen(&receiver, observer, stop);
        let listener = start_scoped(Builder::new(), scope, listen);
        let started = pool.current_num_threads();
        let too_few = |source: io::Error| too_few_threads(started + 1, started, source);
        let listener = listener.map_err(too_few)?;
        pool.install(|| workers.count_all(sender));
        Ok(listener.join().expect("the recorder catches the panics of the observer"))
    })?;
    if let Some(panic) = workers.panic.into_inner().expect("nobody panics holding it") {
        return Err(panic);
    }
    recorded?;

    let Recorder { progress, this_run: tally_this_run, .. } = recorder;
    let Progress { subtrees, finished, tally, .. } = progress;
    let complete = finished == subtrees;
    let elapsed = began.elapsed();
    let threads = pool.current_num_threads();
    let modulus = problem.modulus();
    Ok(Outcome { tally, tally_this_run, complete, elapsed, threads, subtrees, finished, modulus })
}

/// The threads to ask [`pool`] for, 0 for the automatic number. See [`Options::threads`].
fn asked_threads(options: &Options, problem: &dyn Problem) -> usize {
    match (options.threads, problem.threads()) {
        (0, planned) => planned,
        (asked, 0) => asked,
        (asked, planned) => asked.min(planned),
    }
}

/// A pool of [`thread_count`]`(threads)` worker threads.
pub(super) fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let threads = thread_count(threads);
    let (running, first_steps) = unbounded();
    let mut refusal = None;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .spawn_handler(|worker| {
            let running = running.clone();
            let name = format!("tallyboard-{}", worker.index());
            let started = Builder::new().name(name).spawn(move || {
                // Nobody listens if another thread was refused.
                let _ = running.send(());
                drop(running);
                worker.run();
            });
            started.map(drop).map_err(|error| {
                // The error itself is kept for the caller. Rayon needs one too and gets its kind alone.
                let kind = error.kind();
                refusal = Some(error);
                kind.into()
            })
        })
        .build();
    drop(running);
    // A thread for which there is no memory dies before its first step. The pool would wait for it for ever.
    let started = first_steps.iter().take(threads).count();
    match pool {
        Ok(pool) if started == threads => Ok(pool),
        _ => Err(too_few_threads(threads, started, refusal.unwrap_or_else(died))),
    }
}

fn too_few_threads(threads: usize, started: usize, source: io::Error) -> Error {
    Error::Threads { threads, started, source: source.into() }
}

/// The number of worker threads that a request for `threads` gives, at most `MAX_THREADS`. 0 stands for the value of
/// `RAYON_NUM_THREADS`, or else the number of logical cores that this process may use.
pub fn thread_count(threads: usize) -> usize {
    let from_environment = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok();
    let count = match threads {
        0 => from_environment().filter(|&count| count > 0).unwrap_or_else(num_cpus::get),
        given => given,
    };
    count.min(MAX_THREADS)
}

/// Index of the calling worker, below the number of threads; 0 outside of a search.
pub fn worker() -> usize {
    rayon::current_thread_index().unwrap_or(0)
}

/// The numbers and costs of the subtrees that this run has to count, longest first, and the progress of earlier runs.
fn backlog(costs: &Costs, options: &Options) -> Result<(Vec<(usize, u64)>, Progress), Error> {
    let cost_of = |id: usize| {
        let cost = costs.each().get(id).copied();
        cost.ok_or(Error::NoSuchSubtree { id, subtrees: costs.len() })
    };
    // Known subtotals of subtrees that the problem lacks are an error, even if this run does not ask for them.
    if let Some(id) = options.known.and_then(KnownSubtotals::last) {
        cost_of(id)?;
    }
    let ids = options.only.map_or_else(|| (0..costs.len()).collect(), <[_]>::to_vec);
    let mut subtrees = Vec::with_capacity(ids.len());
    let mut progress = Progress { subtrees: ids.len(), ..Progress::default() };
    for id in ids {
        let cost = cost_of(id)?;
        // `Costs` have a sum that fits in 64 bits.
        progress.cost += cost;
        match options.known.and_then(|known| known.get(id)) {
            Some(tally) => {
                progress.finished += 1;
                progress.cost_finished += cost;
                progress.tally = progress.tally.merge(tally)?;
            }
            None => subtrees.push((id, cost)),
        }
    }
    subtrees.sort_by_key(|&(id, cost)| (Reverse(cost), id));
    Ok((subtrees, progress))
}

/// Fails if a subtree is asked for twice.
fn ensure_once(only: &[usize]) -> Result<(), Error> {
    let mut seen = HashSet::new();
    match only.iter().find(|&&id| !seen.insert(id)) {
        Some(&id) => Err(Error::Twice { id }),
        None => Ok(()),
    }
}

/// The workers of a run: what they share, and how each takes subtrees.
struct Workers<'a> {
    problem: &'a dyn Problem,
    stop: &'a Stop,
    queue: &'a [(usize, u64)],
    /// Index in the queue of the next subtree to begin.
    next: AtomicUsize,
    /// The error of the first count that panicked, or that [`Error::raise`] ended.
    panic: Mutex<Option<Error>>,
}

impl Workers<'_> {
    /// Counts the whole queue, whose subtrees are begun in its order. Returns when all are finished or stopped.
    fn count_all(&self, sender: Sender<FinishedSubtree>) {
        rayon::scope_fifo(|scope| {
            (0..rayon::current_num_threads()).for_each(|_| self.spawn_next(&sender, scope));
        });
    }

    /// Spawns a job that first spawns the job after it and then counts the next subtree of the queue. So at
    /// most one job per worker waits. A job per subtree would be millions of jobs on large boards.
    fn spawn_next<'s>(&'s self, sender: &'s Sender<FinishedSubtree>, scope: &ScopeFifo<'s>) {
        scope.spawn_fifo(move |scope| {
            // Relaxed: each job only has to get a different index; the counter guards no other memory.
            if let Some(&(id, cost)) = self.queue.get(self.next.fetch_add(1, Ordering::Relaxed)) {
                self.spawn_next(sender, scope);
                self.count(id, cost, sender);
            }
        });
    }

    /// Counts a subtree and sends its subtotal, unless the run is stopped. A panic stops the run.
    fn count(&self, id: usize, cost: u64, sender: &Sender<FinishedSubtree>) {
        if self.stop.requested() {
            return;
        }
        let started = Instant::now();
        // After a panic the whole run ends with an error, so nobody uses state that it left inconsistent.
        let counted = AssertUnwindSafe(|| self.problem.count(id, self.stop));
        match catch_unwind(counted) {
            Ok(Ok(tally)) => {
                let busy = started.elapsed();
                // Sending fails only if the recorder has ended with an error, which it reports itself.
                let _ = sender.send(FinishedSubtree { id, tally, cost, busy });
            }
            Ok(Err(_stopped)) => {}
            Err(payload) => {
                self.stop.request();
                let error = payload.downcast::<Error>().map_or_else(
                    |payload| Error::Count { id, message: panic_message(&*payload).to_owned() },
                    |raised| *raised,
                );
                self.panic.lock().expect("nobody panics holding it").get_or_insert(error);
            }
        }
    }
}

/// Starts a thread for `work` and waits until it runs.
///
/// `std` reports a thread that the system refuses. It does not report a thread that dies before its first step because
/// there is no memory for it, and a caller would wait for its work for ever.
///
/// # Errors
/// If the system refuses the thread, or the thread dies before its first step.
pub fn start<T: Send + 'static>(
    builder: Builder,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let (work, first_step) = announced(work);
    let thread = builder.spawn(work)?;
    first_step.recv().map_err(|_| died())?;
    Ok(thread)
}

/// [`start`] for work that borrows.
pub fn start_scoped<'scope, T: Send + 'scope>(
    builder: Builder,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let (work, first_step) = announced(work);
    let thread = builder.spawn_scoped(scope, work)?;
    if first_step.recv().is_err() {
        // A thread that was not joined would make the scope panic.
        let _ = thread.join();
        return Err(died());
    }
    Ok(thread)
}

/// `work` that sends a message before its first step. The receiver fails if the thread dies before.
fn announced<T>(work: impl FnOnce() -> T) -> (impl FnOnce() -> T, mpsc::Receiver<()>) {
    let (sender, receiver) = mpsc::channel();
    let announced = move || {
        // Sending fails only if the receiver was dropped, and nobody waits for the message then.
        let _ = sender.send(());
        work()
    };
    (announced, receiver)
}

/// The error of a thread that has no memory to begin.
pub(super) fn died() -> io::Error {
    io::Error::other("a thread ended before it began")
}

#[cfg(test)]
mod tests {
    use crate::problem::tests::Six;
    use crate::{Stopped, Tally};
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn everything_is_counted_and_progress_ends_at_one() {
        assert_eq!(count(&Six).unwrap(), 15);
        let mut shares = Vec::new();
        let run = CountRun::new(&Six).threads(2).on_progress(|now| shares.push(now.share()));
        assert_eq!(run.run().unwrap(), 15);
        assert_eq!(shares.last(), Some(&1.0));
    }

    /// Three subtrees, which note how many workers there are.
    #[derive(Default)]
    struct Crew(Mutex<BTreeSet<usize>>);

    impl Problem for Crew {
        fn subtrees(&self) -> usize {
            3
        }

        fn count(&self, _: usize, _: &Stop) -> Result<Tally, Stopped> {
            self.0.lock().unwrap().insert(rayon::current_num_threads());
            Ok(Tally::new(1u8))
        }
    }

    #[test]
    fn as_many_threads_count_as_are_asked_for() {
        for threads in [2, 5] {
            let crew = Crew::default();
            assert_eq!(CountRun::new(&crew).threads(threads).run().unwrap(), 3);
            assert_eq!(crew.0.into_inner().unwrap(), [threads].into());
        }
    }

    #[test]
    fn a_stop_is_an_error() {
        let stop = Stop::new();
        stop.request();
        let stopped = CountRun::new(&Six).stop(&stop).run().unwrap_err();
        assert_eq!(stopped.to_string(), "the count was stopped with 0 of 6 subtrees finished");
    }
}
