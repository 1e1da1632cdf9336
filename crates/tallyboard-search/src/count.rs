//! The whole count of a problem, in one call.

use super::{Error, Observer, Options, Problem, Progress, Stop, run};

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

struct Listener<'a>(Option<ProgressCallback<'a>>);

impl Observer for Listener<'_> {
    fn tick(&mut self, progress: &Progress) -> std::io::Result<()> {
        if let Some(on_progress) = &mut self.0 {
            on_progress(progress);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use super::*;
    use crate::test_problem::Six;
    use crate::{Stopped, Tally};

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
