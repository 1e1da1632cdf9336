//! The cost and the gain of splitting finer.
//!
//! With few subtrees workers are idle at the end. Many subtrees cost time to make, to hand out and to start. Each number
//! of subtrees is measured with one worker, which shows the cost of splitting, and with all workers, which also shows
//! the time lost to stealing and waiting.

use serde::Serialize;

use super::measure::{Series, Setting};
use super::workers::Workers;
use tallyboard_base::statistics::Interval;

/// The measurement of a *grain*, which is one number of subtrees. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Grain {
    /// Number of subtrees that the search was asked for.
    pub asked: usize,
    /// Number of subtrees that it made.
    pub subtrees: usize,
    /// Median time with one worker.
    pub one: f64,
    /// Median time with all workers.
    pub all: f64,
    /// Interval of that median.
    pub all_interval: Option<Interval>,
    /// Processor time of one worker over that of the cheapest grain, less 1.
    pub splitting_loss: f64,
    /// Share of the workers' time outside of pieces, in the runs with all workers: stealing and waiting.
    pub stealing_loss: f64,
    /// Speed-up over the fastest time with one worker.
    pub speedup: f64,
    /// Longest piece of work with all workers.
    pub longest: Option<f64>,
}

/// A sweep over numbers of subtrees.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Granularity {
    /// Number of all workers.
    pub threads: usize,
    /// The grains, from few subtrees to many.
    pub grains: Vec<Grain>,
}

/// The settings of a sweep: each number of subtrees with one worker, then each with `threads` workers.
pub fn settings(subtrees: &[usize], threads: usize) -> Vec<Setting> {
    let mut settings = Vec::new();
    for threads in [1, threads] {
        for &count in subtrees {
            settings.push(Setting { subtrees: Some(count), ..Setting::threads(threads) });
        }
    }
    settings
}

/// Numbers of subtrees to try with `threads` workers: one for each worker, then four times as many at each of at most
/// five steps, and last `finest`, the largest number possible.
pub fn subtree_counts(threads: usize, finest: usize) -> Vec<usize> {
    let finest = finest.max(1);
    let steps = std::iter::successors(Some(threads.max(1)), |n| n.checked_mul(4));
    let mut counts: Vec<usize> = steps.take_while(|&n| n < finest).take(6).collect();
    counts.push(finest);
    counts
}

impl Granularity {
    /// Sums up the runs of [`settings`]. `None` if `series` is empty.
    pub fn from_series(series: &[Series]) -> Option<Self> {
        let (with_one, with_all) = series.split_at(series.len() / 2);
        let fastest = with_one.iter().map(Series::median_wall).min_by(f64::total_cmp)?;
        let least_cpu = with_one.iter().map(cpu_seconds).min_by(f64::total_cmp)?;
        let threads = with_all.first()?.setting.threads;
        let grains = with_one.iter().zip(with_all).map(|(single, many)| {
            let workers = many.typical().workers.as_ref();
            let asked = many.setting.subtrees.unwrap_or(0);
            Grain {
                asked,
                subtrees: workers.map_or(asked, Workers::subtrees),
                one: single.median_wall(),
                all: many.median_wall(),
                all_interval: Interval::of_median(&many.times()),
                splitting_loss: cpu_seconds(single) / least_cpu - 1.0,
                stealing_loss: many.median_of_workers(Workers::idle_share).unwrap_or(0.0),
                speedup: fastest / many.median_wall(),
                longest: workers.map(Workers::longest),
            }
        });
        let mut grains: Vec<Grain> = grains.collect();
        // A search that was asked for more subtrees may have made no more.
        grains.dedup_by_key(|grain| grain.subtrees);
        Some(Self { threads, grains })
    }

    /// The grain that is fastest with all workers.
    pub fn best(&self) -> Option<&Grain> {
        self.grains.iter().min_by(|a, b| a.all.total_cmp(&b.all))
    }

    /// The other grains that may be as fast as the best, since their intervals overlap with its interval; all others if
    /// there are no intervals.
    pub fn others_as_fast(&self) -> impl Iterator<Item = &Grain> {
        let best = self.best();
        let overlaps = |a: Interval, b: Interval| a.low <= b.high && b.low <= a.high;
        self.grains.iter().filter(move |grain| {
            let both = best.and_then(|best| best.all_interval).zip(grain.all_interval);
            best.is_some_and(|best| best != *grain) && both.is_none_or(|(a, b)| overlaps(a, b))
        })
    }
}

/// The median of the processor time in pieces, or of the wall time if pieces were not recorded.
fn cpu_seconds(series: &Series) -> f64 {
    series.median_of_workers(Workers::cpu_seconds).unwrap_or_else(|| series.median_wall())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Run;

    #[test]
    fn splits_as_fast_as_the_fastest_are_those_whose_intervals_overlap_and_none_is_told_twice() {
        // With all threads; the fourth made no more subtrees than the third.
        let walls = [[4.0, 4.1, 4.2], [3.1, 3.3, 3.5], [3.0, 3.2, 3.3], [3.0, 3.1, 3.3]];
        // One thread takes as long with each.
        let alone = [[12.0, 12.1, 12.2]; 4];
        let walls = alone.iter().chain(&walls);
        let series = settings(&[4, 16, 17, 64], 4).into_iter().zip(walls);
        let mut series: Vec<Series> = series
            .map(|(setting, walls)| {
                let runs = walls.iter().map(|&wall| {
                    let mut run = Run::even(setting.threads, wall, wall, wall);
                    let subtrees = setting.subtrees.unwrap().min(17);
                    run.workers.as_mut().unwrap().loads[0].subtrees += subtrees - setting.threads;
                    run
                });
                Series { setting, runs: runs.collect() }
            })
            .collect();
        let sweep = Granularity::from_series(&series).unwrap();
        assert_eq!(
            sweep.grains.iter().map(|grain| grain.subtrees).collect::<Vec<_>>(),
            [4, 16, 17]
        );
        let best = sweep.best().unwrap();
        assert_eq!((best.subtrees, best.all_interval.unwrap().high), (17, 3.3));
        assert_eq!(sweep.others_as_fast().map(|grain| grain.subtrees).collect::<Vec<_>>(), [16]);
        // One run tells of no difference.
        series.iter_mut().for_each(|series| series.runs.truncate(1));
        let sweep = Granularity::from_series(&series).unwrap();
        assert_eq!(sweep.others_as_fast().map(|grain| grain.asked).collect::<Vec<_>>(), [4, 16]);
    }

    #[test]
    fn subtree_counts_end_at_the_finest() {
        assert_eq!(subtree_counts(2, 100), [2, 8, 32, 100]);
        assert_eq!(subtree_counts(8, 5), [5]);
    }

    #[test]
    fn nothing_measured_is_nothing_to_say() {
        assert_eq!(Granularity::from_series(&[]), None);
    }
}
