//! Promise: the driver counts exactly the subtrees it was asked for, begins them longest first, and ends with
//! an error if anything panics.

use std::sync::{Condvar, Mutex};

use crate::common::runs::{Folder, shell};
use tallyboard_search::{
    Costs, Error, FinishedSubtree, KnownSubtotals, Observer, Options, Problem, Progress, Silent,
    Stop, Stopped, Tally, run,
};

/// Subtree i costs `costs[i]` and has 10^i solutions.
struct Powers {
    costs: Vec<u64>,
    panics_at: Option<usize>,
}

impl Powers {
    fn new(subtrees: usize) -> Self {
        Self { costs: vec![1; subtrees], panics_at: None }
    }
}

impl Problem for Powers {
    fn identity(&self) -> String {
        "powers of ten".to_owned()
    }

    fn subtrees(&self) -> usize {
        self.costs.len()
    }

    fn split(&self) -> Costs {
        Costs::new(self.costs.clone())
    }

    fn count(&self, id: usize, _: &Stop) -> Result<Tally, Stopped> {
        assert!(self.panics_at != Some(id), "planted");
        Ok(Tally::new(10_u64.pow(id as u32)))
    }
}

#[test]
fn the_subtrees_asked_for_are_counted_in_whatever_order_they_are_named() {
    for (only, expected) in [(&[0, 2, 5][..], 100_101), (&[5, 0, 2], 100_101), (&[], 0)] {
        let outcome = run(&Powers::new(6), &Options::new().only(only), &mut Silent).unwrap();
        assert_eq!((outcome.whole(), outcome.subtrees), (Some(expected), only.len()));
    }
}

#[test]
fn subtrees_that_do_not_exist_or_come_twice_are_errors() {
    let problem = Powers::new(6);
    let error = run(&problem, &Options::new().only(&[3, 6][..]), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::NoSuchSubtree { id: 6, subtrees: 6 }), "{error}");
    let error = run(&problem, &Options::new().only(&[3, 1, 3][..]), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::Twice { id: 3 }), "{error}");
    let known = KnownSubtotals::from_iter([(2, Tally::new(100_u64)), (7, Tally::new(1_u64))]);
    let error = run(&problem, &Options::new().known(&known), &mut Silent).unwrap_err();
    assert!(matches!(error, Error::NoSuchSubtree { id: 7, .. }), "{error}");
}

#[test]
fn what_this_run_counted_is_told_apart_from_what_was_known() {
    let known = KnownSubtotals::from_iter([(2, Tally::new(100_u64)), (4, Tally::new(10_000_u64))]);
    let outcome = run(&Powers::new(6), &Options::new().known(&known), &mut Silent).unwrap();
    assert_eq!(outcome.tally.solutions(), 111_111);
    assert_eq!(outcome.tally_this_run.solutions(), 101_011);
}

/// Subtrees that begin and then wait until they are let go.
struct Gates {
    costs: Vec<u64>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    begun: Vec<usize>,
    let_go: Vec<usize>,
}

impl Problem for Gates {
    fn identity(&self) -> String {
        "gates".to_owned()
    }

    fn subtrees(&self) -> usize {
        self.costs.len()
    }

    fn split(&self) -> Costs {
        Costs::new(self.costs.clone())
    }

    fn count(&self, id: usize, _: &Stop) -> Result<Tally, Stopped> {
        let mut state = self.state.lock().unwrap();
        state.begun.push(id);
        self.changed.notify_all();
        let free = |state: &mut State| !state.let_go.contains(&id);
        drop(self.changed.wait_while(state, free).unwrap());
        Ok(Tally::new(1_u64))
    }
}

impl Gates {
    /// Waits until `count` subtrees have begun; gives them in the order in which they did.
    fn begun(&self, count: usize) -> Vec<usize> {
        let state = self.state.lock().unwrap();
        self.changed.wait_while(state, |state| state.begun.len() < count).unwrap().begun.clone()
    }

    fn let_go(&self, id: usize) {
        self.state.lock().unwrap().let_go.push(id);
        self.changed.notify_all();
    }
}

#[test]
fn the_longest_subtree_left_is_always_the_next_to_begin() {
    const SUBTREES: usize = 64;
    for threads in 1..=8 {
        // Costs in an order of their own: a permutation, for 29 and 64 have no common divisor.
        let costs: Vec<u64> = (0..SUBTREES as u64).map(|id| 1 + id * 29 % 64).collect();
        let mut longest_first: Vec<usize> = (0..SUBTREES).collect();
        longest_first.sort_by_key(|&id| std::cmp::Reverse(costs[id]));
        let gates = Gates { costs, state: Mutex::default(), changed: Condvar::new() };
        let mut begun = std::thread::scope(|scope| {
            let options = Options::new().threads(threads);
            let gates = &gates;
            let running = scope.spawn(move || run(gates, &options, &mut Silent).unwrap());
            // As many as there are workers begin at once; then each that ends lets one begin.
            for next in threads..SUBTREES {
                gates.let_go(gates.begun(next)[next - threads]);
                gates.begun(next + 1);
            }
            (0..SUBTREES).for_each(|id| gates.let_go(id));
            assert_eq!(running.join().unwrap().tally.solutions(), SUBTREES as u128);
            gates.begun(SUBTREES)
        });
        begun[..threads].sort_by_key(|&id| std::cmp::Reverse(gates.costs[id]));
        assert_eq!(begun, longest_first, "{threads} threads");
    }
}

/// Keeps the last progress that was reported.
#[derive(Default)]
struct Last(Option<Progress>);

impl Observer for Last {
    fn tick(&mut self, progress: &Progress) -> std::io::Result<()> {
        self.0 = Some(*progress);
        Ok(())
    }
}

#[test]
fn progress_tells_what_this_run_has_done_from_what_was_known() {
    let problem = Powers { costs: vec![5, 3, 2, 40, 1], panics_at: None };
    let known = KnownSubtotals::from_iter([(1, Tally::new(10_u64)), (4, Tally::new(10_000_u64))]);
    let only = [1, 2, 3];
    let mut last = Last::default();
    let options = Options::new().known(&known).only(&only[..]).threads(1);
    let outcome = run(&problem, &options, &mut last).unwrap();
    let told = last.0.unwrap();
    assert_eq!((told.subtrees, told.finished), (3, 3));
    assert_eq!((told.cost, told.cost_finished, told.cost_this_run), (45, 45, 42));
    assert_eq!(told.tally, Tally::new(1110_u64));
    assert_eq!(outcome.tally_this_run, Tally::new(1100_u64));
    assert_eq!(told.time_left(), Some(std::time::Duration::ZERO));
    assert!(told.elapsed > std::time::Duration::ZERO);
}

#[test]
fn a_worker_that_panics_ends_the_run_with_an_error() {
    for threads in [1, 3] {
        let problem = Powers { panics_at: Some(4), ..Powers::new(15) };
        let stop = Stop::new();
        let options = Options::new().threads(threads).stop(&stop);
        let error = run(&problem, &options, &mut Silent).unwrap_err();
        assert_eq!(error.to_string(), "the count of subtree 4 panicked: planted");
        assert!(stop.requested(), "the other workers counted on");
    }
}

#[test]
fn an_observer_that_panics_ends_the_run_with_an_error() {
    struct Fragile;
    impl Observer for Fragile {
        fn finished(&mut self, subtree: &FinishedSubtree) -> std::io::Result<()> {
            panic!("cannot bear subtree {}", subtree.id)
        }
    }
    // Each subtree runs until the error raises the stop flag.
    struct Endless;
    impl Problem for Endless {
        fn identity(&self) -> String {
            "endless".to_owned()
        }
        fn subtrees(&self) -> usize {
            9
        }
        fn count(&self, id: usize, stop: &Stop) -> Result<Tally, Stopped> {
            if id == 0 {
                return Ok(Tally::default());
            }
            loop {
                stop.check()?;
                std::thread::yield_now();
            }
        }
    }
    let error = run(&Endless, &Options::new().threads(2), &mut Fragile).unwrap_err();
    assert_eq!(error.to_string(), "the observer panicked: cannot bear subtree 0");
}

#[test]
fn a_problem_is_never_counted_by_more_threads_than_it_was_planned_for() {
    use tallyboard_queens::{Board, Count, Settings};
    for (planned, asked, used) in [(2, 0, 2), (2, 5, 2), (3, 1, 1), (0, 3, 3)] {
        let settings = Settings::new().threads(planned);
        let count = Count::with(Board::new(6).unwrap(), settings).unwrap();
        let outcome = run(&count, &Options::new().threads(asked), &mut Silent).unwrap();
        assert_eq!(outcome.threads, used, "planned for {planned}, asked for {asked}");
        assert_eq!(outcome.tally.solutions(), 4);
    }
    // A limit on memory holds for the number of workers that it was computed for.
    let limited = Count::with(Board::new(6).unwrap(), Settings::new().memory(1 << 30)).unwrap();
    let outcome = run(&limited, &Options::new().threads(1000), &mut Silent).unwrap();
    assert_eq!(outcome.threads, tallyboard_search::thread_count(0));
}

/// Without the memory for so many, since as many that start take seconds of processor time.
#[test]
#[cfg(target_os = "linux")]
fn a_number_of_threads_from_the_environment_has_the_limit_of_the_flag() {
    let script = "ulimit -v 200000; RAYON_NUM_THREADS=20000 exec PROGRAM queens count 6";
    let (_, _, message) = shell(&Folder::new(), script);
    assert!(message.contains("1024 threads at most"), "{message}");
    // Where a thread begins with the last of the memory, the standard library has the last word:
    // it maps no signal stack, or its allocator ends the process.
    let last_words = [" of 1024 threads", "alternative stack", "memory allocation of"];
    assert!(last_words.iter().any(|it| message.contains(it)), "{message}");
}
