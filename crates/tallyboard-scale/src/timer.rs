//! Times each piece of work inside the worker that does it, pins the workers, and repeats the pieces.
//!
//! The search knows nothing of it: [`TimedProblem`] wraps a problem. So a search that is not measured loses no time.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::conditions::Throttling;
use crate::counters::{CounterScope, Counters};
use crate::measure::Run;
use crate::pinning::{AffinityGuard, pin_current};
use crate::resident::{forget_peak, own_peak};
use crate::topology::Places;
use crate::workers::{Span, Workers};
use tallyboard_base::clock::{Stopwatch, ThreadWatch};
use tallyboard_search::{Costs, Problem, Stop, Stopped, Tally, worker};

/// The times of one run.
#[derive(Debug)]
pub struct RunTimer {
    began: Instant,
    watch: Stopwatch,
    /// The pieces of each worker. During the run only that worker locks its list.
    workers: Vec<Mutex<Vec<Span>>>,
    /// The processor of each worker; empty if workers are not pinned.
    places: Vec<usize>,
    /// Keeps the other threads on the spare processors.
    _guard: Option<AffinityGuard>,
    counters: Option<Counters>,
    throttling: Throttling,
    /// Whether the peak of this process's memory is that of this run alone.
    is_peak_of_run: bool,
}

impl RunTimer {
    /// Starts the clock for a run of `threads` workers. They are pinned to `places.workers`, unless that is empty. The
    /// calling thread and the other threads that it starts stay on `places.spare` until the run is finished.
    pub fn start(threads: usize, places: &Places) -> Self {
        Self {
            workers: (0..threads.max(1)).map(|_| Mutex::default()).collect(),
            places: places.workers.clone(),
            _guard: AffinityGuard::on(&places.spare),
            counters: Counters::start(CounterScope::Own).ok(),
            is_peak_of_run: forget_peak(),
            throttling: Throttling::start(),
            watch: Stopwatch::start(),
            began: Instant::now(),
        }
    }

    /// Does one piece of work on the calling worker, and keeps its times. Costs about a microsecond.
    pub fn time_piece<T>(&self, work: impl FnOnce() -> T) -> T {
        let worker = worker() % self.workers.len();
        self.pin(worker);
        let start = self.began.elapsed().as_secs_f64();
        let watch = ThreadWatch::start();
        let result = work();
        let cpu = watch.cpu();
        let end = self.began.elapsed().as_secs_f64();
        let span = Span { worker, start, end, cpu, subtrees: 1 };
        self.spans(worker).push(span);
        result
    }

    /// Stops the clock.
    pub fn finish(self) -> Run {
        let spent = self.watch.stop();
        let threads = self.workers.len();
        let spans: Vec<Span> = (0..threads).flat_map(|worker| self.spans(worker).clone()).collect();
        let counts = self.counters.and_then(|counters| counters.finish(spent.user));
        let peak_bytes = own_peak().filter(|_| self.is_peak_of_run);
        Run {
            counts,
            peak_bytes,
            throttled: self.throttling.seconds(),
            ..Run::new(spent, Some(Workers::from_spans(threads, spent.wall, &spans)))
        }
    }

    fn spans(&self, worker: usize) -> MutexGuard<'_, Vec<Span>> {
        self.workers[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pins the calling worker before its first piece: the workers of a run are new threads. If the system refuses,
    /// the worker runs anywhere.
    fn pin(&self, worker: usize) {
        if !self.places.is_empty() && self.spans(worker).is_empty() {
            pin_current(self.places[worker % self.places.len()]);
        }
    }
}

/// A problem whose subtrees are timed, each as a piece of work.
#[derive(Clone, Copy)]
pub struct TimedProblem<'a> {
    /// The problem itself.
    pub problem: &'a dyn Problem,
    /// Where the times are kept.
    pub timer: &'a RunTimer,
}

impl Problem for TimedProblem<'_> {
    fn subtrees(&self) -> usize {
        self.problem.subtrees()
    }

    fn split(&self) -> Costs {
        self.problem.split()
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn modulus(&self) -> Option<u128> {
        self.problem.modulus()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.timer.time_piece(|| self.problem.count(subtree, stop))
    }
}

/// A problem each of whose subtrees is a range of another problem's subtrees.
#[derive(Clone)]
pub struct Regrouping<'a> {
    problem: &'a dyn Problem,
    /// For each subtree of this problem the range of `problem`'s subtrees.
    parts: Vec<Range<usize>>,
}

impl<'a> Regrouping<'a> {
    /// `problem` with each subtree counted `times` times: the work of weak scaling.
    pub fn repeated(problem: &'a dyn Problem, times: usize) -> Self {
        let subtrees = problem.split().len();
        let repeated = std::iter::repeat_n(0..subtrees, times).flatten();
        Self { problem, parts: repeated.map(|subtree| subtree..subtree + 1).collect() }
    }
}

impl Problem for Regrouping<'_> {
    fn subtrees(&self) -> usize {
        self.parts.len()
    }

    fn split(&self) -> Costs {
        // The problem is split once, however often it is repeated.
        let costs = self.problem.split();
        let parts = self.parts.iter().map(|part| costs.each()[part.clone()].iter().sum());
        Costs::new(parts.collect())
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn modulus(&self) -> Option<u128> {
        self.problem.modulus()
    }

    /// # Panics
    /// If the subtotals of a part exceed `u128`.
    fn count(&self, part: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.parts[part].clone().try_fold(Tally::default(), |sum, subtree| {
            let tally = self.problem.count(subtree, stop)?;
            Ok(sum.merge(tally).expect("the subtotals of a part fit in 128 bits"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Machine, Pin};
    use tallyboard_queens::{Board, Count};
    use tallyboard_search::{Options, Silent, run};

    /// Two subtrees, counted at once by two workers, which ask the system where they may run.
    #[cfg(target_os = "linux")]
    struct Asking {
        both: std::sync::Barrier,
        seen: Mutex<Vec<(usize, String)>>,
    }

    #[cfg(target_os = "linux")]
    impl Problem for Asking {
        fn subtrees(&self) -> usize {
            2
        }

        fn count(&self, _: usize, _: &Stop) -> Result<Tally, Stopped> {
            self.both.wait();
            self.seen.lock().unwrap().push((worker(), allowed()));
            Ok(Tally::default())
        }
    }

    /// The processors on which the calling thread may run.
    #[cfg(target_os = "linux")]
    fn allowed() -> String {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        list.unwrap().trim().to_owned()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn workers_take_the_places_in_their_order_and_others_the_spare_ones() {
        let mut places = Machine::here().order(Pin::Cores);
        places.reverse();
        let problem = Asking { both: std::sync::Barrier::new(2), seen: Mutex::default() };
        let before = allowed();
        let spare = places[places.len() - 1];
        let timer = RunTimer::start(2, &Places { workers: places.clone(), spare: vec![spare] });
        let helper = std::thread::spawn(allowed).join().unwrap();
        assert_eq!(helper, spare.to_string());
        let timed = TimedProblem { problem: &problem, timer: &timer };
        let _ = run(&timed, &Options::new().threads(2), &mut Silent).unwrap();
        drop(timer);
        assert_eq!(allowed(), before);
        let mut seen = problem.seen.into_inner().unwrap();
        seen.sort();
        assert_eq!(seen, [0, 1].map(|at| (at, places[at % places.len()].to_string())));
    }

    #[test]
    fn every_subtree_is_timed_once_and_the_count_stays() {
        let problem = Count::new(Board::new(9).unwrap()).unwrap();
        let timer = RunTimer::start(3, &Places::default());
        let timed = TimedProblem { problem: &problem, timer: &timer };
        let options = Options::new().threads(3);
        let outcome = run(&timed, &options, &mut Silent).unwrap();
        let workers = timer.finish().workers.unwrap();
        assert_eq!(outcome.tally.solutions(), 352);
        assert_eq!(workers.subtrees(), outcome.subtrees);
        assert_eq!(workers.loads.len(), 3);
        assert!(workers.busy() <= 3.0 * workers.wall);
    }

    fn solutions(problem: &dyn Problem) -> (u128, usize) {
        let options = Options::new().threads(2);
        let outcome = run(problem, &options, &mut Silent).unwrap();
        (outcome.tally.solutions(), outcome.subtrees)
    }

    #[test]
    fn repeating_multiplies_the_count() {
        let problem = &Count::new(Board::new(8).unwrap()).unwrap();
        let natural = problem.split().len();
        assert_eq!(solutions(&Regrouping::repeated(problem, 3)), (276, 3 * natural));
    }
}
