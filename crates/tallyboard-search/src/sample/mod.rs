//! Estimates the result of a count, and the time it takes, from a few of its subtrees.
//!
//! Subtrees are drawn at random, with probability proportional to their estimated costs, and counted exactly.
//! Their subtotals give an unbiased estimate of the whole count, and their times give one of the time of the whole
//! count, both with a 95 % interval. This checks an engine on problems that are too large to count, and
//! forecasts their time. `estimate` draws the subtrees and has the statistics.
//!
//! ```
//! use tallyboard_search::sample::{SampleOptions, Amount, sample};
//! use tallyboard_search::{Problem, Silent, Stop, Stopped, Tally};
//!
//! /// Numbers below 2^20 with an even sum of their bits, a subtree for the upper ten.
//! struct Even;
//!
//! impl Problem for Even {
//!     fn subtrees(&self) -> usize {
//!         1 << 10
//!     }
//!
//!     fn count(&self, subtree: usize, _: &Stop) -> Result<Tally, Stopped> {
//!         let numbers = (0..1 << 10).map(|rest| (subtree as u32) << 10 | rest);
//!         Ok((numbers.filter(|number| number.count_ones() % 2 == 0).count() as u64).into())
//!     }
//! #   fn identity(&self) -> String { "even algorithm=1 layout=1".to_owned() }
//! }
//!
//! let sampling = SampleOptions { amount: Amount::Draws(200), ..SampleOptions::default() };
//! let found = sample(&Even, &sampling, &mut Silent)?;
//! let solutions = found.solutions().expect("200 draws are enough for an interval");
//! assert!((solutions.value / 524_288.0 - 1.0).abs() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod estimate;

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use estimate::{CostLine, Pairs, Round, estimate};

pub use estimate::Total;

use crate::{Error, Observer, Options, Problem, Stop, Stopped, Tally, run, thread_count};
use tallyboard_base::clock::ThreadWatch;

/// Subtrees that took less than this many seconds are counted a second time, and the second time is used: the
/// first count may have filled tables that a whole count fills once for many subtrees. At n = 20 a first
/// count takes up to six times as long as the second. At n = 24, where no tables are kept, a subtree takes a
/// second and is counted once. The second count comes after all others of the round. Directly after the first it would
/// find its lists in the caches, and in a whole count it would not.
const COUNTED_TWICE_BELOW_SECONDS: f64 = 0.05;

/// Strata of the first round: with fewer strata there is seldom an interval.
const FIRST_STRATA: usize = estimate::FEWEST_PAIRS + 1;

/// The fewest draws that can give an interval.
pub const FEWEST_DRAWS: usize = 2 * estimate::FEWEST_PAIRS;

/// How much to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This many draws, rounded up to an even number, or every subtree once if there are no more subtrees.
    /// The subtotals and the estimate of the count then depend on the seed alone.
    Draws(usize),
    /// As many draws as fit in this time, or every subtree once if that many fit. The draws that an interval
    /// needs are made however long they take, and a pair of subtrees that was begun is finished.
    Time(Duration),
}

/// What to draw, and how to count it.
#[derive(Debug, Clone, Copy)]
pub struct SampleOptions<'a> {
    /// How much to draw; ten seconds' worth by default.
    pub amount: Amount,
    /// The same seed draws the same subtrees.
    pub seed: u64,
    /// Worker threads, as in [`Options`].
    pub threads: usize,
    /// Raise this flag to end early, with what is finished.
    pub stop: Option<&'a Stop>,
}

impl Default for SampleOptions<'_> {
    fn default() -> Self {
        Self { amount: Amount::Time(Duration::from_secs(10)), seed: 1, threads: 0, stop: None }
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
    /// Seconds on one core: processor time where the system tells it, otherwise wall time.
    pub seconds: f64,
    /// When it was begun, from the start of the sample.
    begun: Duration,
}

/// The subtrees drawn, with their subtotals and times.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Each subtree, in the order of their numbers, if all were counted: the totals are exact.
    all: Option<Vec<Draw>>,
    /// Rounds of pairs; none if all were counted.
    rounds: Vec<Round<Draw>>,
    /// How many subtrees the problem has.
    pub subtrees: usize,
    /// Whether everything asked for was drawn, not only what was finished before a stop.
    pub is_complete: bool,
    /// Whether a draw begun in the first half of the time was not finished when the sample was stopped.
    cut_short: bool,
}

impl Sample {
    /// The draws in order. The estimate is the mean of subtotal / probability over all draws.
    pub fn draws(&self) -> impl Iterator<Item = &Draw> {
        let pairs = self.rounds.iter().flat_map(|round| &round.pairs);
        self.all.iter().flatten().chain(pairs.flat_map(|(pair, _)| pair))
    }

    /// Whether every subtree was counted, so that the totals are exact.
    pub fn is_whole(&self) -> bool {
        self.all.is_some()
    }

    /// The whole count; `None` without enough draws for an interval.
    pub fn solutions(&self) -> Option<Total> {
        self.total(|draw| draw.solutions as f64)
    }

    /// The seconds that one core takes for the whole count; `None` without enough draws.
    pub fn core_seconds(&self) -> Option<Total> {
        self.total(|draw| draw.seconds)
    }

    /// The total of `figure` over all subtrees of the problem.
    fn total(&self, figure: impl Fn(&Draw) -> f64) -> Option<Total> {
        if self.cut_short {
            return None;
        }
        if let Some(all) = &self.all {
            // Not `sum`, which is -0 of no subtrees.
            return Some(Total::exact(all.iter().map(figure).fold(0.0, |sum, value| sum + value)));
        }
        let estimate_by = |draw: &Draw| figure(draw) / draw.probability;
        estimate(&self.rounds.iter().map(|round| round.map(estimate_by)).collect::<Vec<_>>())
    }
}

/// Draws and counts subtrees of `problem`.
///
/// The subtotals never depend on the number of threads. When the time is up, draws that were begun are finished and kept,
/// with the other one of their pair: their order is random, so they are a sample too.
///
/// After a stop, only draws that were begun in the first half of the time until the stop are kept. If one of these is not
/// finished, nothing is estimated. Dropping just the unfinished draws, which tend to be the long ones, would make the
/// estimate too low.
pub fn sample(
    problem: &dyn Problem,
    sampling: &SampleOptions,
    observer: &mut dyn Observer,
) -> Result<Sample, Error> {
    let began = Instant::now();
    sample_by(&|| began.elapsed(), problem, sampling, observer)
}

/// [`sample`] with any clock.
fn sample_by(
    clock: Clock<'_>,
    problem: &dyn Problem,
    sampling: &SampleOptions,
    observer: &mut dyn Observer,
) -> Result<Sample, Error> {
    let costs = problem.split();
    let subtrees = costs.len();
    let line = CostLine::new(costs.each().iter().copied());
    let mut sampler = Sampler::new(clock, problem, line, sampling);
    let is_complete = match sampling.amount {
        Amount::Draws(draws) if draws >= subtrees => sampler.count_all(observer)?,
        Amount::Draws(draws) => sampler.count_round(draws.div_ceil(2), observer)?,
        Amount::Time(time) => sampler.count_rounds_until(time, observer)?,
    };
    let stopped = !is_complete && sampler.is_stopped();
    let cut_short = stopped && !sampler.keep_first_half(clock());
    let Sampler { all, rounds, .. } = sampler;
    Ok(Sample { all, rounds, subtrees, is_complete, cut_short })
}

/// Tells the time since a sample was begun.
type Clock<'a> = &'a (dyn Fn() -> Duration + Sync);

/// A subtree to count.
struct QueuedSubtree {
    id: usize,
    /// The first subtree of the pair, if this is the second and directly behind it in the queue.
    first_of_pair: Option<usize>,
}

/// A sample in the making. It is a problem too, whose subtrees are those in the queue.
struct Sampler<'a> {
    clock: Clock<'a>,
    problem: &'a dyn Problem,
    line: CostLine,
    sampling: &'a SampleOptions<'a>,
    queue: Vec<QueuedSubtree>,
    /// No subtree is begun after this time, unless its pair was begun before.
    deadline: Option<Duration>,
    /// When each subtree was first begun.
    begun: Mutex<HashMap<usize, Duration>>,
    /// The subtotal and the seconds of each finished subtree.
    found: Mutex<HashMap<usize, (Tally, f64)>>,
    rounds: Vec<Round<Draw>>,
    /// Every subtree, once all are counted.
    all: Option<Vec<Draw>>,
}

impl Sampler<'_> {
    /// A draw of `subtree`, if its count is finished.
    fn draw(&self, subtree: usize, probability: f64) -> Option<Draw> {
        let &(tally, seconds) = lock(&self.found).get(&subtree)?;
        let begun = self.begun(subtree)?;
        Some(Draw { subtree, probability, solutions: tally.solutions(), seconds, begun })
    }

    fn was_begun_in_time(&self, subtree: usize) -> bool {
        self.begun(subtree).is_some_and(|begun| !self.is_late(begun))
    }

    fn is_late(&self, time: Duration) -> bool {
        self.deadline.is_some_and(|deadline| time >= deadline)
    }

    fn begun(&self, subtree: usize) -> Option<Duration> {
        lock(&self.begun).get(&subtree).copied()
    }
}

/// The queue is changed by `count_draws` alone, and the deadline by `count_draws` and `count_rounds_until`, each time
/// between two runs of the queue.
impl Problem for Sampler<'_> {
    /// All have the same cost, because `split` is not given, so they are counted in the order of the queue.
    fn subtrees(&self) -> usize {
        self.queue.len()
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn count(&self, index: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let now = (self.clock)();
        let QueuedSubtree { id, first_of_pair } = self.queue[index];
        // A first subtree that was begun in time needs its second. It is mostly a long one, since long subtrees take most
        // of the time, so leaving out its pair would make the estimate too low.
        let is_needed = first_of_pair.is_some_and(|first| self.was_begun_in_time(first));
        if self.is_late(now) && !is_needed {
            return Err(Stopped);
        }
        lock(&self.begun).entry(id).or_insert(now);
        let watch = ThreadWatch::start();
        let tally = self.problem.count(id, stop)?;
        lock(&self.found).insert(id, (tally, watch.seconds()));
        Ok(tally)
    }
}

impl<'a> Sampler<'a> {
    fn new(
        clock: Clock<'a>,
        problem: &'a dyn Problem,
        line: CostLine,
        sampling: &'a SampleOptions<'a>,
    ) -> Self {
        Self {
            clock,
            problem,
            line,
            sampling,
            queue: Vec::new(),
            deadline: None,
            begun: Mutex::default(),
            found: Mutex::default(),
            rounds: Vec::new(),
            all: None,
        }
    }

    fn is_stopped(&self) -> bool {
        self.sampling.stop.is_some_and(Stop::requested)
    }

    /// Counts those of the `draws` that have not been counted yet, the quick ones twice.
    fn count_draws(
        &mut self,
        draws: impl Iterator<Item = QueuedSubtree>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let Self { queue, found, .. } = self;
        let mut seen: HashSet<usize> = lock(found).keys().copied().collect();
        queue.clear();
        for QueuedSubtree { id, first_of_pair } in draws {
            if seen.insert(id) {
                // The first subtree is not in the queue if an earlier draw was the same.
                let before = queue.last().map(|draw| draw.id);
                let first_of_pair = first_of_pair.filter(|&first| before == Some(first));
                queue.push(QueuedSubtree { id, first_of_pair });
            }
        }
        self.count_queue(observer)?;
        let Self { queue, found, .. } = self;
        let is_quick = |&(_, seconds): &(Tally, f64)| seconds < COUNTED_TWICE_BELOW_SECONDS;
        queue.retain(|draw| lock(found).get(&draw.id).is_some_and(is_quick));
        // The second count of a draw that is kept comes even after the deadline.
        let deadline = self.deadline.take();
        self.count_queue(observer)?;
        self.deadline = deadline;
        Ok(())
    }

    fn count_queue(&self, observer: &mut dyn Observer) -> Result<(), Error> {
        let options = Options::new().threads(self.sampling.threads).stop(self.sampling.stop);
        match run(self, &options, observer) {
            Ok(_) => Ok(()),
            // The error states the problem's own number, by which the subtree can be counted alone.
            Err(Error::Count { id: index, message }) => {
                Err(Error::Count { id: self.queue[index].id, message })
            }
            Err(error) => Err(error),
        }
    }

    /// Counts every subtree; returns whether all were finished.
    fn count_all(&mut self, observer: &mut dyn Observer) -> Result<bool, Error> {
        let subtrees = self.line.subtrees();
        let queued = (0..subtrees).map(|id| QueuedSubtree { id, first_of_pair: None });
        self.count_draws(queued, observer)?;
        let all = (0..subtrees).map(|id| self.draw(id, 1.0 / subtrees as f64));
        // `None` unless every subtree is finished.
        self.all = all.collect();
        if self.all.is_some() {
            self.rounds.clear();
        }
        Ok(self.all.is_some())
    }

    /// Draws and counts a pair from each of `strata` strata; returns whether all were finished.
    fn count_round(&mut self, strata: usize, observer: &mut dyn Observer) -> Result<bool, Error> {
        // Different random numbers for each round.
        let seed = self.sampling.seed.wrapping_add((self.rounds.len() as u64) << 32);
        let pairs: Pairs = self.line.draw(strata, seed);
        let draws = pairs.iter().flat_map(|&([first, second], _)| {
            [(first, None), (second, Some(first))]
                .map(|(id, first_of_pair)| QueuedSubtree { id, first_of_pair })
        });
        self.count_draws(draws, observer)?;
        let draw = |id| self.draw(id, self.line.probability(id));
        // Pairs behind an unfinished one are left out: only the first pairs of the random order are a random sample.
        let finished = pairs
            .iter()
            .map_while(|&([first, second], kind)| Some(([draw(first)?, draw(second)?], kind)));
        let pairs: Vec<_> = finished.collect();
        let complete = pairs.len() == strata;
        self.rounds.push(Round { strata, pairs });
        Ok(complete)
    }

    /// Drops the draws that were begun in the second half of the time between the start of the first draw and `now`.
    /// Returns whether all others are finished.
    fn keep_first_half(&mut self, now: Duration) -> bool {
        let first = lock(&self.begun).values().min().copied().unwrap_or(now);
        let middle = (first + now) / 2;
        for round in &mut self.rounds {
            let is_later = |(pair, _): &([Draw; 2], _)| pair.iter().any(|draw| draw.begun > middle);
            let end = round.pairs.iter().position(is_later).unwrap_or(round.pairs.len());
            round.pairs.truncate(end);
        }
        let begun = lock(&self.begun);
        let found = lock(&self.found);
        begun.iter().all(|(subtree, &begun)| begun > middle || found.contains_key(subtree))
    }

    /// Counts rounds of growing size until `deadline`. The time of the rounds so far sets the size of the next. Returns
    /// whether the sample was not stopped.
    fn count_rounds_until(
        &mut self,
        deadline: Duration,
        observer: &mut dyn Observer,
    ) -> Result<bool, Error> {
        let clock = self.clock;
        let subtrees = self.line.subtrees();
        let began = clock();
        let mut strata = thread_count(self.sampling.threads).max(FIRST_STRATA);
        // The first round has no deadline: an interval needs all of it.
        while 2 * strata < subtrees {
            if !self.count_round(strata, observer)? {
                return Ok(!self.is_stopped());
            }
            let finished: usize = self.rounds.iter().map(|round| round.strata).sum();
            let seconds_per_stratum = (clock() - began).as_secs_f64() / finished as f64;
            let left = deadline.saturating_sub(clock());
            // A tenth is kept for draws that take longer than those so far. The time of a stratum may be measured as 0.
            let fitting = left.as_secs_f64() * 0.9 / seconds_per_stratum.max(1e-9);
            // The time of a few strata says little about that of very many.
            strata = (fitting as usize).min(8 * finished);
            if strata < estimate::FEWEST_PAIRS {
                return Ok(true);
            }
            self.deadline = Some(deadline);
        }
        // The draws would be more than the subtrees.
        let complete = self.count_all(observer)?;
        Ok(complete || !self.is_stopped())
    }
}

fn lock<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic of another thread leaves no map inconsistent: threads only insert.
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Samples that are stopped: their estimates are not too low.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use std::sync::atomic::{AtomicU64, Ordering};
    use tallyboard_base::random::Random;

    /// Subtrees of one cost whose time is known: the milliseconds that they add to a clock are their
    /// solutions. At `limit` the clock stands still and the stop is raised.
    struct KnownTimes {
        lengths: Vec<u64>,
        clock: AtomicU64,
        limit: u64,
        stop: Stop,
    }

    impl KnownTimes {
        fn new(lengths: &[u64], limit: u64) -> Self {
            let clock = AtomicU64::new(0);
            Self { lengths: lengths.to_vec(), clock, limit, stop: Stop::new() }
        }

        /// The sample of one worker by this clock.
        fn sample(&self, amount: Amount, seed: u64) -> Sample {
            let clock = || Duration::from_millis(self.clock.load(Ordering::SeqCst));
            let sampling = SampleOptions { amount, seed, threads: 1, stop: Some(&self.stop) };
            sample_by(&clock, self, &sampling, &mut Silent).unwrap()
        }
    }

    impl Problem for KnownTimes {
        fn subtrees(&self) -> usize {
            self.lengths.len()
        }

        fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
            stop.check()?;
            let end = self.clock.fetch_add(self.lengths[subtree], Ordering::SeqCst)
                + self.lengths[subtree];
            if end >= self.limit {
                self.clock.store(self.limit, Ordering::SeqCst);
                self.stop.request();
                return Err(Stopped);
            }
            Ok(Tally::new(self.lengths[subtree]))
        }
    }

    /// One worker's sample of `lengths` in milliseconds, stopped at `limit`.
    fn stopped_at(limit: u64, lengths: &[u64], seed: u64) -> Sample {
        KnownTimes::new(lengths, limit).sample(Amount::Draws(300), seed)
    }

    /// Keeping the draws before the first unfinished one, which is mostly a long one, would fail here.
    #[test]
    fn a_stop_makes_no_estimate_too_low() {
        let mut random = Random::from_seed(3);
        // Exponentially distributed with a mean of 1,000 ms.
        let mut length = || (-1000.0 * (1.0 - random.unit()).ln()) as u64 + 1;
        let lengths: Vec<u64> = (0..400).map(|_| length()).collect();
        let truth = lengths.iter().sum::<u64>() as f64;
        for seconds in [24, 60] {
            let mut given = 0;
            let mut wrong = 0;
            let mut sum = 0.0;
            for seed in 0..600 {
                let found = stopped_at(1000 * seconds, &lengths, seed);
                assert!(!found.is_complete);
                let Some(total) = found.solutions() else { continue };
                given += 1;
                wrong += u32::from(!total.contains(truth));
                sum += total.value / truth;
            }
            let mean = sum / f64::from(given);
            let summary = format!("{seconds} s: {wrong} wrong of {given}, {mean}");
            // In the other samples a long draw under way leaves nothing to estimate.
            assert!(given > 400, "{summary}");
            // Intervals of 95 %, and a little for chance. Nearly all wrong intervals are too low, since few subtrees are long
            // and most samples have none of them. The estimates are not too low: their mean shows it.
            assert!(1000 * wrong <= 70 * given && (mean - 1.0).abs() < 0.05, "{summary}");
        }
    }

    /// The draw that is under way when the time is up is mostly a long one.
    #[test]
    fn a_draw_under_way_when_the_time_is_up_is_kept() {
        let timed = |lengths: &[u64]| {
            let amount = Amount::Time(Duration::from_secs(100));
            let found = KnownTimes::new(lengths, u64::MAX).sample(amount, 1);
            found.draws().map(|draw| draw.subtree).collect::<Vec<_>>()
        };
        let mut lengths = vec![1000; 4000];
        let drawn = timed(&lengths);
        let last = drawn.len() - 10;
        for at in last..drawn.len() {
            // One of the last draws takes longer than all the time.
            let long = drawn[at];
            assert_eq!(drawn.iter().position(|&subtree| subtree == long), Some(at), "drawn twice");
            lengths[long] = 1_000_000;
            let with_long = timed(&lengths);
            assert!(with_long.contains(&long), "{at} of {}: {with_long:?}", drawn.len());
            assert_eq!(with_long[..], drawn[..with_long.len()]);
            // The pair of the long draw is the last one.
            assert_eq!(with_long.len(), at / 2 * 2 + 2);
            lengths[long] = 1000;
        }
    }

    /// Two rounds that drew the same subtrees would tell no more than one.
    #[test]
    fn rounds_of_as_many_strata_draw_other_subtrees() {
        let problem = KnownTimes::new(&[1; 4000], u64::MAX);
        let sampling =
            SampleOptions { amount: Amount::Draws(100), seed: 1, threads: 1, stop: None };
        let line = CostLine::new([1; 4000].into_iter());
        let clock = || Duration::ZERO;
        let mut sampler = Sampler::new(&clock, &problem, line, &sampling);
        for _ in 0..2 {
            assert!(sampler.count_round(50, &mut Silent).unwrap());
        }
        let [first, second] = [0, 1].map(|round: usize| -> HashSet<usize> {
            let pairs = sampler.rounds[round].pairs.iter();
            pairs.flat_map(|(pair, _)| pair.map(|draw| draw.subtree)).collect()
        });
        assert!(first.len() > 80 && second.len() > 80);
        // Two or three fall on one that was drawn before.
        assert!(first.intersection(&second).count() < 20, "{first:?}, {second:?}");
    }

    #[test]
    fn a_long_draw_under_way_since_the_first_half_leaves_nothing_to_estimate() {
        let mut lengths = vec![1000; 4000];
        let all_alike = stopped_at(30_500, &lengths, 1);
        // Thirty are finished; those begun after 15.25 s are left out. A subtree drawn twice is counted once.
        let begun: Vec<u64> = all_alike.draws().map(|draw| draw.begun.as_secs()).collect();
        assert!((14..=20).contains(&begun.len()) && begun.iter().all(|&at| at <= 15), "{begun:?}");
        assert!(all_alike.solutions().is_some() && all_alike.core_seconds().is_some());
        let eleventh = all_alike.draws().nth(10).unwrap().subtree;
        lengths[eleventh] = 60_000;
        let waiting = stopped_at(30_500, &lengths, 1);
        assert_eq!((waiting.draws().count(), waiting.solutions()), (10, None));
        assert!(waiting.core_seconds().is_none());
    }
}
