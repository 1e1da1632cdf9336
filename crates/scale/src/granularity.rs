//! The cost and the gain of splitting finer.
//!
//! With few subtrees workers are idle at the end. Many subtrees cost time to make, to hand out and to start. Each number
//! of subtrees is measured with one worker, which shows the cost of splitting, and with all workers, which also shows
//! the time lost to stealing and waiting.

use serde::{Deserialize, Serialize};

use super::measure::{Series, Setting};
use super::workers::Workers;

/// The measurement of one number of subtrees. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grain {
    /// Number of subtrees asked for.
    pub asked: usize,
    /// Number of subtrees counted.
    pub subtrees: usize,
    /// Median time with one worker.
    pub one: f64,
    /// Median time with all workers.
    pub all: f64,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Granularity {
    /// Number of all workers.
    pub threads: usize,
    /// The grains, from few subtrees to many.
    pub grains: Vec<Grain>,
}

/// The settings of a sweep: each number of subtrees with one worker, then each with `threads` workers.
pub fn settings(subtrees: &[usize], threads: usize) -> Vec<Setting> {
    let with =
        |threads| move |&n: &usize| Setting { subtrees: Some(n), ..Setting::threads(threads) };
    subtrees.iter().map(with(1)).chain(subtrees.iter().map(with(threads))).collect()
}

/// Numbers of subtrees to try with `threads` workers: one for each worker, then four times as many at each step, and
/// last `finest`, the largest number possible.
pub fn ladder(threads: usize, finest: usize) -> Vec<usize> {
    let finest = finest.max(1);
    let steps = std::iter::successors(Some(threads.max(1)), |n| n.checked_mul(4));
    let mut ladder: Vec<usize> = steps.take_while(|&n| n < finest).take(6).collect();
    ladder.push(finest);
    ladder
}

impl Granularity {
    /// Sums up the runs of [`settings`]. `None` if `series` is empty.
    pub fn from_series(series: &[Series]) -> Option<Self> {
        let (one, all) = series.split_at(series.len() / 2);
        let median = |s: &Series| s.median(|run| run.wall);
        let best = one.iter().map(median).min_by(f64::total_cmp)?;
        let effort = |s: &Series| s.median_of_workers(Workers::effort).unwrap_or_else(|| median(s));
        let least = one.iter().map(effort).min_by(f64::total_cmp)?;
        let threads = all.first()?.setting.threads;
        let grains = one.iter().zip(all).map(|(single, many)| {
            let workers = many.typical().workers.as_ref();
            let asked = many.setting.subtrees.unwrap_or(0);
            Grain {
                asked,
                subtrees: workers.map_or(asked, |w| w.subtrees()),
                one: median(single),
                all: median(many),
                splitting_loss: effort(single) / least - 1.0,
                stealing_loss: many.median_of_workers(Workers::idle).unwrap_or(0.0),
                speedup: best / median(many),
                longest: workers.map(|w| w.longest()),
            }
        });
        Some(Self { threads, grains: grains.collect() })
    }

    /// The grain that is fastest with all workers.
    pub fn best(&self) -> Option<&Grain> {
        self.grains.iter().min_by(|a, b| a.all.total_cmp(&b.all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Run;

    #[test]
    fn losses_are_told_apart() {
        let settings = settings(&[4, 16], 4);
        // Coarse: 8 s of work, of which all workers wait for half of the time. Fine: 10 s, no waiting.
        let (walls, worked) = ([8.0, 10.0, 4.0, 2.5], [8.0, 10.0, 8.0, 10.0]);
        let series: Vec<Series> = settings
            .iter()
            .zip(walls.into_iter().zip(worked))
            .map(|(&setting, (wall, worked))| {
                let each = worked / setting.threads as f64;
                Series { setting, runs: vec![Run::even(setting.threads, wall, each, each)] }
            })
            .collect();
        let sweep = Granularity::from_series(&series).unwrap();
        assert_eq!((sweep.grains[0].splitting_loss, sweep.grains[0].stealing_loss), (0.0, 0.5));
        assert_eq!((sweep.grains[1].splitting_loss, sweep.grains[1].stealing_loss), (0.25, 0.0));
        assert_eq!(sweep.best().unwrap().asked, 16);
        assert_eq!(sweep.grains[1].speedup, 3.2);
    }

    #[test]
    fn the_ladder_ends_at_the_finest() {
        assert_eq!(ladder(2, 100), [2, 8, 32, 100]);
        assert_eq!(ladder(8, 5), [5]);
    }

    #[test]
    fn nothing_measured_is_nothing_to_say() {
        assert_eq!(Granularity::from_series(&[]), None);
    }
}
