//! How much a search may spend, and what it has spent.

use std::fmt;
use std::time::{Duration, Instant};

/// How long a method may try. The default sets no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Steps: queens put down, moved, or tried (see [`Found::steps`](super::Found)).
    pub max_steps: Option<u64>,
    /// Time from the start of the method.
    pub time: Option<Duration>,
}

/// The limit that ended a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exhausted {
    /// The most steps.
    Steps(u64),
    /// The longest time.
    Time(Duration),
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exhausted::Steps(steps) => write!(f, "the limit of {steps} steps"),
            Exhausted::Time(time) => write!(f, "the limit of {} s", time.as_secs_f64()),
        }
    }
}

/// Counts the steps of a search and ends it at its limits.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    started: Instant,
    steps: u64,
    restarts: u64,
    /// The step at which a limit is looked at next: reading the clock at each would cost more
    /// than the step.
    next_look: u64,
}

impl Budget {
    const STEPS_BETWEEN_LOOKS: u64 = 1024;

    /// Starts the clock.
    pub fn new(limits: &Limits) -> Self {
        let mut budget = Budget {
            limits: limits.clone(),
            started: Instant::now(),
            steps: 0,
            restarts: 0,
            next_look: 0,
        };
        budget.plan_next_look();
        budget
    }

    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Fresh starts so far, the first not counted.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Notes one step; fails once a limit is passed.
    #[inline]
    pub fn step(&mut self) -> Result<(), Exhausted> {
        self.spend(1)
    }

    /// Notes `steps` steps at once.
    #[inline]
    pub fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        self.steps += steps;
        if self.steps >= self.next_look { self.look() } else { Ok(()) }
    }

    /// Notes a fresh start, which also looks at the limits.
    pub fn restart(&mut self) -> Result<(), Exhausted> {
        self.restarts += 1;
        self.look()
    }

    #[cold]
    fn look(&mut self) -> Result<(), Exhausted> {
        if let Some(max) = self.limits.max_steps
            && self.steps > max
        {
            self.steps = max;
            return Err(Exhausted::Steps(max));
        }
        if let Some(time) = self.limits.time
            && self.started.elapsed() >= time
        {
            return Err(Exhausted::Time(time));
        }
        self.plan_next_look();
        Ok(())
    }

    fn plan_next_look(&mut self) {
        let regular = self.steps.saturating_add(Self::STEPS_BETWEEN_LOOKS);
        let last = self.limits.max_steps.map_or(u64::MAX, |max| max.saturating_add(1));
        self.next_look = regular.min(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_allowed_step_passes_and_the_next_fails() {
        for max in [0, 1, 5, 1023, 1024, 5000] {
            let mut budget = Budget::new(&Limits { max_steps: Some(max), time: None });
            for _ in 0..max {
                assert_eq!(budget.step(), Ok(()));
            }
            assert_eq!(budget.step(), Err(Exhausted::Steps(max)));
            assert_eq!(budget.steps(), max);
        }
    }

    #[test]
    fn no_time_ends_a_search_at_the_first_look() {
        let mut budget = Budget::new(&Limits { max_steps: None, time: Some(Duration::ZERO) });
        assert!((0..=Budget::STEPS_BETWEEN_LOOKS).any(|_| budget.step().is_err()));
        assert!(budget.restart().is_err());
    }
}
