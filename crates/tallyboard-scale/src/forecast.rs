//! Predicts the time of the measured pieces of work on more cores than the machine has.
//!
//! The pieces are those of a run with one thread, each with its processor time, in the order in which the driver dealt
//! them. Each of `p` workers takes the next piece when it is free (list scheduling), as the driver does. The serial part
//! is added. If several threads were measured, two corrections apply: pieces take longer by their `slowdown`, and a share
//! of the serial part, `overlap`, passes beside pieces of other workers, as when one worker reads a file while others
//! solve.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use serde::{Deserialize, Serialize};

use super::conditions::Ceiling;
use super::measure::{Run, Series, doubling};
use super::topology::Machine;
use super::workers::Workers;
use tallyboard_base::statistics;

const MAX_CORES: usize = 1024;

/// Predicted time and speed-up on a number of cores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForecastPoint {
    /// Number of workers, one on each core.
    pub threads: usize,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Speed-up over the predicted time of one worker.
    pub speedup: f64,
}

/// The pieces of one thread, and the predictions from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// The serial part: processor seconds outside of all pieces in runs with one thread, such as splitting and
    /// reducing. At most the time in which no worker had a piece.
    pub serial: f64,
    /// Processor seconds of each piece in a run with one thread, in the order of dealing.
    pub pieces: Vec<f64>,
    /// Share of the serial part during which other workers had pieces, measured with the most threads that have a processor
    /// each (medians). 0 if only one thread was measured.
    pub overlap: f64,
    /// For each measured number of threads that have a processor each: the processor time of the pieces over that with one
    /// thread (medians).
    pub slowdown: Vec<(usize, f64)>,
    /// Seconds that the machine's memory needs at least to deliver what the work reads; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delivery: Option<f64>,
    /// Predictions for powers of two up to 1,024 cores, and for the measured thread counts.
    pub points: Vec<ForecastPoint>,
}

impl Forecast {
    /// The forecast from strong scaling. The first of `series` has one thread; `delivery` is as in the field. `None`
    /// without a record of the workers.
    pub fn new(series: &[Series], processors: usize, delivery: Option<f64>) -> Option<Self> {
        let single = series.first()?;
        let cpu_seconds = single.median_of_workers(Workers::cpu_seconds)?;
        // The run whose processor time is closest to the median.
        let workers = single.runs.iter().filter_map(|run| run.workers.as_ref());
        let distance = |workers: &&Workers| (workers.cpu_seconds() - cpu_seconds).abs();
        let typical = workers.min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let pieces: Vec<f64> = typical.piece_seconds().collect();
        if pieces.is_empty() || cpu_seconds <= 0.0 {
            return None;
        }
        let outside: Vec<f64> = single.runs.iter().filter_map(outside_alone).collect();
        let serial = statistics::median(&outside);
        let several = series.iter().filter(|many| (2..=processors).contains(&many.setting.threads));
        let mut slowdown = Vec::new();
        for many in several.clone() {
            if let Some(seconds) = many.median_of_workers(Workers::cpu_seconds) {
                slowdown.push((many.setting.threads, seconds / cpu_seconds));
            }
        }
        let most = several.max_by_key(|many| many.setting.threads);
        let not_overlapped = most.and_then(|many| many.median_of_workers(|workers| workers.serial));
        let overlap = match not_overlapped.filter(|_| serial > 0.0) {
            Some(seconds) => (1.0 - seconds / serial).clamp(0.0, 1.0),
            None => 0.0,
        };
        let mut forecast = Self { serial, pieces, overlap, slowdown, delivery, points: Vec::new() };
        let mut threads: BTreeSet<usize> = doubling(1, MAX_CORES).into_iter().collect();
        threads.extend(series.iter().map(|series| series.setting.threads));
        let seconds_of_one = forecast.time(1);
        for threads in threads {
            let seconds = forecast.time(threads);
            let speedup = seconds_of_one / seconds;
            forecast.points.push(ForecastPoint { threads, seconds, speedup });
        }
        Some(forecast)
    }

    /// Wall time with `threads` workers, one on each core. Takes `O(pieces log threads)` steps.
    pub fn time(&self, threads: usize) -> f64 {
        let factor = self.slowdown_factor(threads);
        // When each worker is free. Floats that are not negative sort by their bits.
        let mut free: BinaryHeap<Reverse<u64>> =
            (0..threads.max(1)).map(|_| Reverse(0f64.to_bits())).collect();
        let mut last_end = 0.0f64;
        for piece in &self.pieces {
            let Reverse(start) = free.pop().expect("there is a worker");
            let end = f64::from_bits(start) + piece * factor;
            last_end = last_end.max(end);
            free.push(Reverse(end.to_bits()));
        }
        // The overlapped part is done by one worker at a time: each does a share of it beside its pieces. All of it takes
        // at least its own time.
        let overlapped = self.overlapped();
        let share = overlapped / threads.max(1) as f64;
        let seconds = self.serial - overlapped + overlapped.max(last_end + share);
        seconds.max(self.delivery.unwrap_or(0.0))
    }

    /// Seconds of the serial part during which other workers have pieces. One worker at a time is busy with it.
    fn overlapped(&self) -> f64 {
        self.serial * self.overlap
    }

    /// The number of threads with which the overlap was measured; `None` if there is no overlap.
    pub fn overlap_threads(&self) -> Option<usize> {
        let (threads, _) = self.slowdown.last().filter(|_| self.overlap > 0.0)?;
        Some(*threads)
    }

    /// The factor by which pieces take longer with `threads` threads. It was measured with as many, or else with the next
    /// fewer.
    fn slowdown_factor(&self, threads: usize) -> f64 {
        let closest = self.slowdown.iter().rev().find(|(measured, _)| *measured <= threads);
        // A factor below 1 is noise, or a disturbed run with one thread. It does not hold for more cores.
        closest.map_or(1.0, |(_, factor)| factor.max(1.0))
    }

    /// Processor time of all pieces.
    pub fn work(&self) -> f64 {
        self.pieces.iter().sum()
    }

    /// Processor time of the longest piece.
    pub fn longest(&self) -> f64 {
        self.pieces.iter().copied().fold(0.0, f64::max)
    }

    /// Upper bound on the speed-up with these pieces: all work over the critical path, or over the time that memory
    /// takes if that is longer.
    pub fn bound(&self) -> f64 {
        (self.serial + self.work()) / self.critical_path().max(self.delivery.unwrap_or(0.0))
    }

    /// Seconds of the serial part and the longest piece, less what of the two can overlap.
    fn critical_path(&self) -> f64 {
        let overlapped = self.overlapped();
        self.serial - overlapped + overlapped.max(self.longest())
    }

    /// The seconds that memory takes, if they bound the speed-up.
    pub fn bounding_delivery(&self) -> Option<f64> {
        self.delivery.filter(|seconds| *seconds > self.critical_path())
    }

    /// The prediction for `threads`.
    pub fn at(&self, threads: usize) -> Option<&ForecastPoint> {
        self.points.iter().find(|point| point.threads == threads)
    }
}

/// Seconds that the machine's memory needs at least to deliver the bytes that the work of a `single` thread reads; `None` if
/// the bandwidth or the bytes are unknown.
pub(crate) fn delivery(single: &Series, ceilings: &[Ceiling], machine: &Machine) -> Option<f64> {
    let counts = single.typical().counts.filter(|_| machine.missed_cache().is_none())?;
    let bandwidths = ceilings.iter().map(|ceiling| ceiling.best().bytes_per_second);
    Some(counts.bytes_read(machine.line_bytes()) / bandwidths.max_by(f64::total_cmp)?)
}

/// Processor seconds of `run` outside of all pieces, at most the time in which no worker had one.
fn outside_alone(run: &Run) -> Option<f64> {
    Some(run.cpu_outside_pieces()?.min(run.workers.as_ref()?.serial))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Setting;
    use crate::workers::{Span, Workers};

    /// One worker on `pieces` in a row after `serial`, with a processor for a share of the time.
    fn run(serial: f64, pieces: &[f64], share: f64) -> Run {
        let mut end = serial / share;
        let spans: Vec<Span> = pieces
            .iter()
            .map(|piece| {
                let start = end;
                end += piece / share;
                Span { worker: 0, start, end, cpu: Some(*piece), subtrees: 1 }
            })
            .collect();
        let workers = Some(Workers::from_spans(1, end, &spans));
        let user = serial + pieces.iter().sum::<f64>();
        Run { wall: end, user, workers, ..Run::default() }
    }

    fn series(threads: usize, run: Run) -> Series {
        Series { setting: Setting::threads(threads), runs: vec![run] }
    }

    /// Pieces of 1 s.
    fn of_pieces(serial: f64, pieces: usize) -> Forecast {
        let slowdown = Vec::new();
        let points = Vec::new();
        let pieces = vec![1.0; pieces];
        Forecast { serial, pieces, overlap: 0.0, slowdown, delivery: None, points }
    }

    /// Pieces that take less time beside each other, as on a busy machine, must not give a prediction beyond the bound.
    #[test]
    fn no_prediction_exceeds_the_bound_when_two_threads_took_less() {
        let forecast = Forecast { slowdown: vec![(2, 0.8)], ..of_pieces(0.1, 2) };
        for threads in [2, 4, 1024] {
            assert!(forecast.time(1) / forecast.time(threads) <= forecast.bound() + 1e-12);
        }
        assert_eq!(forecast.time(2), 1.1);
    }

    #[test]
    fn a_busy_machine_changes_neither_the_bound_nor_the_forecast() {
        let pieces = [3.0, 3.0, 2.0, 2.0, 2.0];
        let quiet = Forecast::new(&[series(1, run(1.0, &pieces, 1.0))], 1, None).unwrap();
        // 3 2 2 | 3 2: seven seconds after the serial one.
        assert_eq!([2, 3].map(|threads| quiet.time(threads)), [8.0, 6.0]);
        let runs = [0.3, 0.7, 0.5].map(|share| run(1.0, &pieces, share)).to_vec();
        let busy = Series { setting: Setting::threads(1), runs };
        let busy = Forecast::new(&[busy], 1, None).unwrap();
        assert_eq!(busy, quiet);
    }

    /// A program that computes on threads of its own beside the pieces has more processor time outside of pieces than the time in
    /// which no worker had one.
    #[test]
    fn processor_time_outside_of_pieces_is_no_more_than_the_time_without_one() {
        let calm = run(1.0, &[1.0; 4], 1.0);
        let busy = Run { user: calm.user + 3.0, ..run(1.0, &[1.0; 4], 1.0) };
        assert_eq!((outside_alone(&calm), outside_alone(&busy)), (Some(1.0), Some(1.0)));
        let idle = Run { user: calm.user - 0.5, ..run(1.0, &[1.0; 4], 1.0) };
        assert_eq!(outside_alone(&idle), Some(0.5));
    }

    /// Reading takes 2 s, beside which eight pieces of 1 s are solved.
    #[test]
    fn what_passes_beside_the_work_is_a_bound_and_no_addition() {
        let whole = Forecast { overlap: 1.0, ..of_pieces(2.0, 8) };
        assert_eq!([1, 2, 4, 8, 64].map(|p| whole.time(p)), [10.0, 5.0, 2.5, 2.0, 2.0]);
        assert_eq!(whole.bound(), 5.0);
        // 1 s alone, 1 s beside the pieces.
        let half = Forecast { overlap: 0.5, ..whole };
        assert_eq!([1, 2, 8, 16].map(|p| half.time(p)), [10.0, 5.5, 2.125, 2.0625]);
        assert_eq!(half.bound(), 5.0);
    }

    #[test]
    fn no_prediction_is_faster_than_memory() {
        let forecast = |delivery| {
            let one = series(1, run(1.0, &[1.0; 8], 1.0));
            Forecast::new(&[one], 1, Some(delivery)).unwrap()
        };
        let narrow = forecast(2.5);
        assert_eq!([1, 4, 8, 1024].map(|p| narrow.at(p).unwrap().seconds), [9.0, 3.0, 2.5, 2.5]);
        assert_eq!((narrow.bound(), narrow.bounding_delivery()), (9.0 / 2.5, Some(2.5)));
        let wide = forecast(2.0);
        assert_eq!((wide.bound(), wide.bounding_delivery()), (4.5, None));
    }

    #[test]
    fn the_overlap_is_the_share_of_the_serial_part_in_which_two_threads_had_work() {
        let one = series(1, run(2.0, &[1.0; 8], 1.0));
        // Half a second without work: a quarter of what one thread spent.
        let two = series(2, run(0.5, &[1.0; 8], 1.0));
        let forecast = Forecast::new(&[one.clone(), two.clone()], 2, None).unwrap();
        assert_eq!((forecast.overlap, forecast.overlap_threads()), (0.75, Some(2)));
        // Thread counts above the processors are not used.
        let forecast = Forecast::new(&[one.clone(), two.clone()], 1, None).unwrap();
        assert_eq!((forecast.overlap, forecast.overlap_threads()), (0.0, None));
        // Half of it is left with four.
        let four = series(4, run(1.0, &[1.0; 8], 1.0));
        let forecast = Forecast::new(&[one.clone(), two, four], 4, None).unwrap();
        assert_eq!((forecast.overlap, forecast.overlap_threads()), (0.5, Some(4)));
        let slower = series(2, run(3.0, &[1.0; 8], 1.0));
        assert_eq!(Forecast::new(&[one, slower], 2, None).unwrap().overlap, 0.0);
    }
}
