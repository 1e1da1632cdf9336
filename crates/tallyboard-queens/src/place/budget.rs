//! The limits of a search, and the steps and time that it has used.

use std::fmt;
use std::time::{Duration, Instant};

use tallyboard_base::figures::counted;
use tallyboard_search::Stop;

/// The limits of a search. The default has none.
#[derive(Clone, Debug, Default)]
pub struct Limits<'a> {
    /// Upper bound on the steps: queens placed, moved or tried (see [`Solution::steps`](super::Solution)).
    pub max_steps: Option<u64>,
    /// Upper bound on the time from the start of the method.
    pub time: Option<Duration>,
    /// Ends the search once it is raised; checked as often as the clock.
    pub stop: Option<&'a Stop>,
}

/// The limit that ended a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitReached {
    /// The number of steps.
    Steps(u64),
    /// The time.
    Time(Duration),
    /// [`Limits::stop`] was raised.
    Stopped,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitReached::Steps(steps) => {
                write!(f, "the limit of {}", counted(*steps, "step"))
            }
            LimitReached::Time(time) => write!(f, "the limit of {} s", time.as_secs_f64()),
            LimitReached::Stopped => f.write_str("a request to stop"),
        }
    }
}

/// Counts the steps of a search and ends it at its limits.
#[derive(Debug)]
pub(super) struct Budget<'a> {
    limits: Limits<'a>,
    started: Instant,
    /// The number of steps so far.
    pub steps: u64,
    /// The number of restarts so far.
    pub restarts: u64,
    /// The number of words that may be read before the time and the stop flag are checked again. To read the clock at
    /// each step would take longer than most steps.
    words_until_check: u64,
}

impl<'a> Budget<'a> {
    /// The number of words of memory that are read between two checks of the time and the stop flag: it takes some ten
    /// microseconds.
    const WORDS_BETWEEN_CHECKS: u64 = 1 << 16;
    /// The number of words that a step counts as.
    const WORDS_OF_A_STEP: u64 = 64;

    /// Starts the clock.
    pub fn new(limits: &Limits<'a>) -> Self {
        Budget {
            limits: limits.clone(),
            started: Instant::now(),
            steps: 0,
            restarts: 0,
            words_until_check: Self::WORDS_BETWEEN_CHECKS,
        }
    }

    /// Counts one step; fails if a limit is reached.
    #[inline]
    pub fn count_step(&mut self) -> Result<(), LimitReached> {
        if self.limits.max_steps == Some(self.steps) {
            return Err(LimitReached::Steps(self.steps));
        }
        self.steps += 1;
        self.count_reads(Self::WORDS_OF_A_STEP)
    }

    /// Counts `words` words as read; fails if the time is up or a stop was requested. On large boards a single step, or
    /// the choice of its row, may read many words.
    #[inline]
    pub fn count_reads(&mut self, words: u64) -> Result<(), LimitReached> {
        if words < self.words_until_check {
            self.words_until_check -= words;
            return Ok(());
        }
        self.check_time_and_stop()
    }

    /// Counts a restart; fails if the time is up or a stop was requested.
    pub fn count_restart(&mut self) -> Result<(), LimitReached> {
        self.restarts += 1;
        self.check_time_and_stop()
    }

    #[cold]
    fn check_time_and_stop(&mut self) -> Result<(), LimitReached> {
        self.words_until_check = Self::WORDS_BETWEEN_CHECKS;
        match self.limits {
            Limits { stop: Some(stop), .. } if stop.requested() => Err(LimitReached::Stopped),
            Limits { time: Some(time), .. } if self.started.elapsed() >= time => {
                Err(LimitReached::Time(time))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod budget_tests {
    use super::*;

    #[test]
    fn the_last_allowed_step_passes_and_the_next_fails() {
        for max in [0, 1, 5, 1023, 1024, 5000] {
            let mut budget = Budget::new(&Limits { max_steps: Some(max), ..Limits::default() });
            for _ in 0..max {
                assert_eq!(budget.count_step(), Ok(()));
            }
            assert_eq!(budget.count_step(), Err(LimitReached::Steps(max)));
            assert_eq!(budget.steps, max);
        }
    }

    #[test]
    fn a_time_limit_of_zero_ends_a_search_at_the_first_check() {
        let mut budget = Budget::new(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert!((0..=1024).any(|_| budget.count_step().is_err()));
        let mut budget = Budget::new(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert!(budget.count_reads(1 << 20).is_err(), "work counts without a step");
        assert!(budget.count_restart().is_err());
    }
}
