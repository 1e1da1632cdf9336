//! Notes what each worker does, from inside the workers, and pins them.
//!
//! Nothing in the search knows of this: [`Noted`] wraps a problem and passes
//! every call on, so a search that is not measured pays nothing.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::counters::{Counting, Who};
use super::measure::Run;
use super::pinning::{Aside, pin_current};
use super::topology::Places;
use super::workers::{Span, Workers};
use crate::clock::{Stopwatch, ThreadWatch};
use crate::search::{Costs, Problem, Stop, Stopped, Tally, worker};

/// The notes of one run.
#[derive(Debug)]
pub struct Notes {
    began: Instant,
    watch: Stopwatch,
    /// What each worker has done; nobody else locks it while that runs.
    workers: Vec<Mutex<Vec<Span>>>,
    /// The processor of each worker; may be empty.
    places: Vec<usize>,
    /// Keeps the other threads off these.
    _aside: Option<Aside>,
    /// The processor's counters, where there are any.
    counting: Option<Counting>,
}

impl Notes {
    /// Starts the clock for a run of `threads` workers, which will be pinned to
    /// their `places`, if there are any. The calling thread, and those that it starts and that are no workers, stay
    /// on the spare ones until the run is finished.
    pub fn start(threads: usize, places: &Places) -> Self {
        Self {
            workers: (0..threads.max(1)).map(|_| Mutex::default()).collect(),
            places: places.workers.clone(),
            _aside: Aside::on(&places.spare),
            counting: Counting::start(Who::Own).ok(),
            watch: Stopwatch::start(),
            began: Instant::now(),
        }
    }

    /// Does one piece of work of `subtrees` subtrees on the calling worker and
    /// notes how long it took. Costs about a microsecond.
    pub fn piece<T>(&self, subtrees: usize, work: impl FnOnce() -> T) -> T {
        let worker = worker() % self.workers.len();
        self.pin(worker);
        let (start, watch) = (self.began.elapsed().as_secs_f64(), ThreadWatch::start());
        let result = work();
        let (cpu, end) = (watch.cpu(), self.began.elapsed().as_secs_f64());
        let span = Span { worker, start, end, cpu, subtrees };
        self.spans(worker).push(span);
        result
    }

    /// Stops the clock.
    pub fn finish(self) -> Run {
        let spent = self.watch.stop();
        let threads = self.workers.len();
        let spans: Vec<Span> = (0..threads).flat_map(|worker| self.spans(worker).clone()).collect();
        let counts = self.counting.and_then(|it| it.finish(spent.user));
        Run { counts, ..Run::new(spent, Some(Workers::from_spans(threads, spent.wall, &spans))) }
    }

    fn spans(&self, worker: usize) -> MutexGuard<'_, Vec<Span>> {
        self.workers[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The workers of a run are new threads, so each pins itself before its first
    /// piece. Where the system refuses, it stays where it is.
    fn pin(&self, worker: usize) {
        if !self.places.is_empty() && self.spans(worker).is_empty() {
            let _ = pin_current(self.places[worker % self.places.len()]);
        }
    }
}

/// A problem whose pieces of work are noted by a [`Notes`].
#[derive(Clone, Copy)]
pub struct Noted<'a> {
    /// The problem itself.
    pub problem: &'a dyn Problem,
    /// Who takes the notes.
    pub notes: &'a Notes,
}

impl Problem for Noted<'_> {
    fn identity(&self) -> String {
        self.problem.identity()
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
        self.notes.piece(1, || self.problem.count(subtree, stop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::{Board, Count};
    use crate::scale::topology::{Machine, Pin};
    use crate::search::{Options, Silent, run};

    /// Two subtrees, counted at once by two workers, which ask the system where they may run.
    #[cfg(target_os = "linux")]
    struct Asking {
        both: std::sync::Barrier,
        seen: Mutex<Vec<(usize, String)>>,
    }

    #[cfg(target_os = "linux")]
    impl Problem for Asking {
        fn identity(&self) -> String {
            "places".to_owned()
        }

        fn split(&self) -> Costs {
            Costs::equal(2)
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
        let list = status.lines().find_map(|it| it.strip_prefix("Cpus_allowed_list:"));
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
        let notes = Notes::start(2, &Places { workers: places.clone(), spare: vec![spare] });
        let helper = std::thread::spawn(allowed).join().unwrap();
        assert_eq!(helper, spare.to_string());
        let noted = Noted { problem: &problem, notes: &notes };
        let _ = run(&noted, &Options::new().threads(2), &mut Silent).unwrap();
        drop(notes);
        assert_eq!(allowed(), before);
        let mut seen = problem.seen.into_inner().unwrap();
        seen.sort();
        assert_eq!(seen, [0, 1].map(|at| (at, places[at % places.len()].to_string())));
    }

    #[test]
    fn every_subtree_is_noted_once_and_the_count_stays() {
        let problem = Count::new(Board::plain(9).unwrap()).unwrap();
        let notes = Notes::start(3, &Places::default());
        let noted = Noted { problem: &problem, notes: &notes };
        let options = Options::new().threads(3);
        let outcome = run(&noted, &options, &mut Silent).unwrap();
        let workers = notes.finish().workers.unwrap();
        assert_eq!(outcome.tally.solutions(), 352);
        assert_eq!(workers.subtrees(), outcome.subtrees);
        assert_eq!(workers.loads.len(), 3);
        assert!(workers.busy() <= 3.0 * workers.wall);
    }
}
