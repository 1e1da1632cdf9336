//! What a count gives and takes, from a few of its subtrees.
//!
//! Subtrees are drawn at random, with probability proportional to their estimated costs, and counted
//! exactly. Their subtotals give an unbiased estimate of the whole count, their times one of the time
//! that it takes, both with a 95 % interval: a check of an engine on problems that nobody can count
//! whole, and a forecast that scales nothing up. How they are drawn: `design`. What follows:
//! `estimate`.
//!
//! ```
//! use tallyboard::queens::{Board, Count};
//! use tallyboard::sample::{Settings, Size, sample};
//! use tallyboard::search::Silent;
//!
//! let problem = Count::new(Board::plain(13)?)?;
//! let settings = Settings { size: Size::Draws(200), ..Settings::default() };
//! let found = sample(&problem, &settings, &mut Silent)?;
//! let solutions = found.solutions().expect("200 draws are enough for an interval");
//! assert!((solutions.value / 73_712.0 - 1.0).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod design;
mod estimate;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use design::{CostLine, Pairs};
use estimate::{Round, estimate};

pub use estimate::Total;

use crate::scale::clock::thread_time;
use crate::search::{
    Error, Observer, Options, Problem, Stop, Stopped, Tally, run_split, thread_count,
};

/// A subtree that took less than this is counted a second time, and that time is the one that
/// stands: the first may have filled tables that a whole count fills once for many subtrees. At
/// n = 20 a first count takes up to six times as long as the second, at n = 24, where no tables are
/// kept, a subtree takes a second and is counted once.
const TWICE_BELOW: f64 = 0.05;

/// How much to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// This many draws, rounded up to pairs. The subtotals and the estimate of the count then depend
    /// on the seed alone.
    Draws(usize),
    /// As many as this time allows. A subtree that has been begun is finished, so a long one may take
    /// longer. Ends early when there were as many draws as there are subtrees.
    Time(Duration),
}

/// What to draw, and how to count it.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// How much to draw; ten seconds' worth by default.
    pub size: Size,
    /// The same seed draws the same subtrees.
    pub seed: u64,
    /// Worker threads, as in [`Options`].
    pub threads: usize,
    /// Raise this flag to end early, with what is finished.
    pub stop: Option<&'a Stop>,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { size: Size::Time(Duration::from_secs(10)), seed: 1, threads: 0, stop: None }
    }
}

/// A drawn subtree.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Draw {
    /// Its stable number.
    pub subtree: usize,
    /// The probability that one draw gives this subtree.
    pub probability: f64,
    /// Its subtotal.
    pub solutions: u128,
    /// Its time on one core: processor time where the system tells, otherwise wall time.
    pub seconds: f64,
}

/// The subtrees drawn, and what they were found to hold.
#[derive(Debug, Clone)]
pub struct Sample {
    rounds: Vec<(usize, Vec<[Draw; 2]>)>,
    subtrees: usize,
    complete: bool,
}

impl Sample {
    /// The draws in order. The mean of subtotal / probability over all is the estimate.
    pub fn draws(&self) -> impl Iterator<Item = &Draw> {
        self.rounds.iter().flat_map(|(_, pairs)| pairs.iter().flatten())
    }

    /// How many subtrees the problem has.
    pub fn subtrees(&self) -> usize {
        self.subtrees
    }

    /// Whether everything asked for was drawn, not only what was finished before a stop.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The whole count; `None` without enough draws for an interval.
    pub fn solutions(&self) -> Option<Total> {
        self.total(|draw| draw.solutions as f64)
    }

    /// The seconds that one core takes for the whole count; `None` without enough draws.
    pub fn core_seconds(&self) -> Option<Total> {
        self.total(|draw| draw.seconds)
    }

    fn total(&self, of: impl Fn(&Draw) -> f64) -> Option<Total> {
        let whole = |draw: &Draw| of(draw) / draw.probability;
        let rounds: Vec<Round> = self
            .rounds
            .iter()
            .map(|(strata, pairs)| Round {
                strata: *strata,
                pairs: pairs.iter().map(|[a, b]| [whole(a), whole(b)]).collect(),
            })
            .collect();
        estimate(&rounds)
    }
}

/// Draws and counts subtrees of `problem`.
///
/// The subtotals never depend on the number of threads. A stop or the end of the time leaves the
/// draws before the first unfinished one: their order is random, so they are a sample too.
///
/// # Errors
/// As [`run`](crate::search::run).
pub fn sample<P: Problem>(
    problem: &P,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Sample, Error> {
    let began = Instant::now();
    let subtrees = problem.split();
    let line = CostLine::new(subtrees.iter().map(|subtree| problem.cost(subtree)));
    let mut sampler = Sampler {
        drawn: Drawn {
            problem,
            subtrees: &subtrees,
            ids: Vec::new(),
            deadline: None,
            found: Mutex::default(),
        },
        line,
        settings,
        rounds: Vec::new(),
    };
    let complete = match settings.size {
        Size::Draws(draws) => sampler.round(draws.div_ceil(2), observer)?,
        Size::Time(time) => sampler.rounds_until(began + time, observer)?,
    };
    Ok(Sample { rounds: sampler.rounds, subtrees: sampler.line.subtrees(), complete })
}

/// The drawn subtrees of a problem, as a problem of their own.
struct Drawn<'a, P: Problem> {
    problem: &'a P,
    subtrees: &'a [P::Subtree],
    /// The subtrees to count.
    ids: Vec<usize>,
    /// No subtree is begun after this time.
    deadline: Option<Instant>,
    found: Mutex<HashMap<usize, (Tally, f64)>>,
}

impl<P: Problem> Drawn<'_, P> {
    fn found(&self) -> std::sync::MutexGuard<'_, HashMap<usize, (Tally, f64)>> {
        // Insertions leave nothing half done.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self, line: &CostLine, subtree: usize) -> Option<Draw> {
        let &(tally, seconds) = self.found().get(&subtree)?;
        let probability = line.probability(subtree);
        Some(Draw { subtree, probability, solutions: tally.solutions(), seconds })
    }
}

impl<P: Problem> Problem for Drawn<'_, P> {
    type Subtree = usize;

    fn identity(&self) -> String {
        self.problem.identity()
    }

    fn split(&self) -> Vec<usize> {
        self.ids.clone()
    }

    /// The same for all, so that they are counted in the order of the draws.
    fn cost(&self, _: &usize) -> u64 {
        1
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn count(&self, &id: &usize, stop: &Stop) -> Result<Tally, Stopped> {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stopped);
        }
        let timed = || {
            let clock = Clock::start();
            let tally = self.problem.count(&self.subtrees[id], stop)?;
            Ok((tally, clock.seconds()))
        };
        let (tally, mut seconds) = timed()?;
        if seconds < TWICE_BELOW {
            seconds = seconds.min(timed()?.1);
        }
        self.found().insert(id, (tally, seconds));
        Ok(tally)
    }
}

/// Time of the calling thread.
struct Clock {
    wall: Instant,
    processor: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor: thread_time() }
    }

    fn seconds(&self) -> f64 {
        match (self.processor, thread_time()) {
            (Some(began), Some(now)) => now - began,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// A sample in the making.
struct Sampler<'a, P: Problem> {
    drawn: Drawn<'a, P>,
    line: CostLine,
    settings: &'a Settings<'a>,
    /// For each round its strata and the pairs finished.
    rounds: Vec<(usize, Vec<[Draw; 2]>)>,
}

impl<P: Problem> Sampler<'_, P> {
    /// Draws a pair from each of `strata` strata; whether all were counted.
    fn round(&mut self, strata: usize, observer: &mut dyn Observer) -> Result<bool, Error> {
        if self.line.subtrees() == 0 {
            return Ok(true);
        }
        let strata = strata.max(1);
        // Each round has random numbers of its own.
        let seed = self.settings.seed.wrapping_add((self.rounds.len() as u64) << 32);
        let pairs: Pairs = self.line.draw(strata, seed);
        self.drawn.ids.clear();
        let mut is_new: std::collections::HashSet<usize> =
            self.drawn.found().keys().copied().collect();
        self.drawn.ids.extend(pairs.iter().flatten().filter(|&&id| is_new.insert(id)));
        let mut options = Options::new().threads(self.settings.threads);
        if let Some(stop) = self.settings.stop {
            options = options.stop(stop);
        }
        let _ = run_split(&self.drawn, &self.drawn.ids, &options, observer)?;
        let finished = pairs.iter().map_while(|&[first, second]| {
            let draw = |subtree| self.drawn.draw(&self.line, subtree);
            Some([draw(first)?, draw(second)?])
        });
        let finished: Vec<[Draw; 2]> = finished.collect();
        let complete = finished.len() == strata;
        self.rounds.push((strata, finished));
        Ok(complete)
    }

    /// Rounds of growing size until `deadline`: each tells how much the next one may draw.
    fn rounds_until(
        &mut self,
        deadline: Instant,
        observer: &mut dyn Observer,
    ) -> Result<bool, Error> {
        let began = Instant::now();
        let mut strata = thread_count(self.settings.threads);
        loop {
            self.drawn.deadline = Some(deadline);
            if !self.round(strata, observer)? {
                return Ok(!self.settings.stop.is_some_and(Stop::requested));
            }
            let done: usize = self.rounds.iter().map(|(strata, _)| strata).sum();
            let each = began.elapsed() / done as u32;
            let left = deadline.saturating_duration_since(Instant::now());
            // A tenth is kept for the draws that take longer than those so far.
            let fit = (left.as_secs_f64() * 0.9 / each.as_secs_f64().max(1e-9)) as usize;
            strata = fit.min(8 * done);
            if strata < 2 || 2 * done >= self.line.subtrees() {
                return Ok(true);
            }
        }
    }
}
