//! Tests of samples that are stopped: their estimates are not too low.

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
        let end =
            self.clock.fetch_add(self.lengths[subtree], Ordering::SeqCst) + self.lengths[subtree];
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
    let sampling = SampleOptions { amount: Amount::Draws(100), seed: 1, threads: 1, stop: None };
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
