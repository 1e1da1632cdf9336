//! Runs every thread count in turn, round after round.
//!
//! The speed of a machine drifts: it warms up, other programs start. If all runs of a thread count came before those of
//! the next, the drift would look like an effect of the threads. So each round runs every thread count once, in a new
//! order, and figures that compare thread counts are taken round by round.

use crate::counters::Counts;
use crate::threads::Observation;
use crate::workers::Workers;
use tallyboard_base::clock::Times;
use tallyboard_base::random::Random;
use tallyboard_base::statistics;

/// One run of the work at one thread count. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Wall time.
    pub wall: f64,
    /// Processor time in the program, summed over threads.
    pub user: f64,
    /// Processor time in the kernel, summed over threads.
    pub system: f64,
    /// When each worker was busy, if that was recorded.
    pub workers: Option<Workers>,
    /// Amount of work done, in the unit of the report, such as puzzles; `None` if nothing was counted.
    pub amount: Option<f64>,
    /// Exit code of a measured command; 0 for this program's own work.
    pub exit_code: i32,
    /// The threads of a measured command as seen from outside, if there were samples enough.
    pub observation: Option<Observation>,
    /// Readings of the processor's counters, if it has any.
    pub counts: Option<Counts>,
    /// Bytes of memory that the run held at most, if the system tells.
    pub peak_bytes: Option<u64>,
    /// Seconds of processor time that the control group's limit kept from its threads, if the system tells.
    pub throttled: Option<f64>,
}

impl Run {
    /// A run that took the times `spent`.
    pub fn new(spent: Times, workers: Option<Workers>) -> Self {
        let Times { wall, user, system } = spent;
        Self { wall, user, system, workers, ..Self::default() }
    }

    /// Processor time, in the program and in the kernel.
    pub fn cpu_seconds(&self) -> f64 {
        self.user + self.system
    }

    /// Processor time outside of all pieces of work; `None` if no pieces were recorded.
    pub fn cpu_outside_pieces(&self) -> Option<f64> {
        let workers = self.workers.as_ref()?;
        Some((self.cpu_seconds() - workers.cpu_seconds()).max(0.0))
    }

    /// Processor time of the helpers as a share of the workers' time: that outside of all pieces, less the time in which
    /// no worker was busy. Helpers are the threads that are no workers, and workers while they read or write a file.
    pub fn share_of_helpers(&self) -> Option<f64> {
        let workers = self.workers.as_ref()?;
        let owned = self.wall * workers.loads.len() as f64;
        Some((self.cpu_outside_pieces()? - workers.serial).max(0.0) / owned)
    }
}

/// What is varied between the runs of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Worker threads.
    pub threads: usize,
    /// Units of work: 1 in strong scaling, the thread count in weak scaling.
    pub work: f64,
    /// Index of the value of the second parameter; 0 if there is no second parameter.
    pub value: usize,
}

impl Setting {
    /// `threads` workers on one unit of work.
    pub fn threads(threads: usize) -> Self {
        Self { threads, work: 1.0, value: 0 }
    }
}

/// All runs of one setting, in the order of the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What was run.
    pub setting: Setting,
    /// One run a round.
    pub runs: Vec<Run>,
}

impl Series {
    /// Wall times, one a round.
    pub fn times(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.wall).collect()
    }

    /// Wall times of one unit of work, one a round. Speed-ups compare these.
    pub fn unit_times(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.wall / self.setting.work).collect()
    }

    /// The same without the time in which threads waited for a processor; `None` if a run was not observed.
    fn undisturbed_unit_times(&self) -> Option<Vec<f64>> {
        let undisturbed = |run: &Run| Some(run.observation?.undisturbed_share * run.wall);
        self.runs.iter().map(|run| Some(undisturbed(run)? / self.setting.work)).collect()
    }

    /// The mean of a figure over all runs.
    pub fn mean(&self, figure: impl Fn(&Run) -> f64) -> f64 {
        statistics::mean(&self.runs.iter().map(figure).collect::<Vec<_>>())
    }

    /// The median of a figure over all runs.
    pub fn median(&self, figure: impl Fn(&Run) -> f64) -> f64 {
        statistics::median(&self.runs.iter().map(figure).collect::<Vec<_>>())
    }

    /// The median of the wall time.
    pub fn median_wall(&self) -> f64 {
        self.median(|run| run.wall)
    }

    /// The median over all runs of a figure of the workers; `None` if they were not recorded in every run.
    pub fn median_of_workers(&self, figure: impl Fn(&Workers) -> f64) -> Option<f64> {
        let figures: Option<Vec<f64>> =
            self.runs.iter().map(|run| run.workers.as_ref().map(&figure)).collect();
        figures.filter(|figures| !figures.is_empty()).map(|figures| statistics::median(&figures))
    }

    /// The run whose wall time is closest to the median.
    pub fn typical(&self) -> &Run {
        let median = self.median_wall();
        let distance = |run: &Run| (run.wall - median).abs();
        let closest = self.runs.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        closest.expect("a series holds at least one run")
    }
}

/// Speed-ups of `more` threads over `fewer` for one unit of work, one a round.
pub(crate) fn speedups(fewer: &Series, more: &Series) -> Vec<f64> {
    ratios(&fewer.unit_times(), &more.unit_times())
}

/// The median speed-up of `more` threads over `fewer` by processor time: without the time in which threads waited for a
/// processor. `None` if a run was not observed.
pub(crate) fn cpu_speedup(fewer: &Series, more: &Series) -> Option<f64> {
    let ratios = ratios(&fewer.undisturbed_unit_times()?, &more.undisturbed_unit_times()?);
    (!ratios.is_empty()).then(|| statistics::median(&ratios))
}

/// The ratios of times of the same round.
pub(crate) fn ratios(fewer: &[f64], more: &[f64]) -> Vec<f64> {
    fewer.iter().zip(more).map(|(fewer, more)| fewer / more).collect()
}

/// How many rounds to run: at least `min`, then more until each setting has been measured for `seconds` on average, but
/// never more than `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounds {
    /// Lower bound on the rounds; 0 counts as 1.
    pub min: usize,
    /// Upper bound on the rounds.
    pub max: usize,
    /// Measuring time of each setting to reach, on average.
    pub seconds: f64,
}

impl Rounds {
    /// This number of rounds, however long they take.
    pub fn exactly(rounds: usize) -> Self {
        Self { min: rounds, max: rounds, seconds: 0.0 }
    }
}

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Everything that one round runs.
    pub settings: Vec<Setting>,
    /// Rounds before the measured ones, whose times are not kept.
    pub warmup: usize,
    /// Measured rounds.
    pub rounds: Rounds,
}

impl Experiment {
    /// Runs all rounds. Each run is announced to `announce` with the number of its round, `None` in warm-up rounds; then `run`
    /// does it and returns its times. The first error of `run` ends the measurement: it is returned with the rounds
    /// finished before it.
    pub fn measure<E>(
        &self,
        mut run: impl FnMut(&Setting) -> Result<Run, E>,
        mut announce: impl FnMut(Option<usize>, &Setting),
    ) -> (Vec<Series>, Result<(), E>) {
        let mut series: Vec<Series> =
            self.settings.iter().map(|&setting| Series { setting, runs: Vec::new() }).collect();
        let ended = self.run_rounds(&mut series, |round, setting| {
            announce(round, setting);
            run(setting)
        });
        (series, ended)
    }

    /// Runs all rounds, and adds the finished ones to `series`, which has one for each setting.
    fn run_rounds<E>(
        &self,
        series: &mut [Series],
        mut run: impl FnMut(Option<usize>, &Setting) -> Result<Run, E>,
    ) -> Result<(), E> {
        for _ in 0..self.warmup {
            for setting in &self.settings {
                run(None, setting)?;
            }
        }
        let mut order: Vec<usize> = (0..series.len()).collect();
        let mut random = Random::from_seed(0);
        let mut seconds = 0.0;
        let mut round = 0;
        while self.wants_another_round(round, seconds) {
            round += 1;
            random.shuffle(&mut order);
            let runs = order.iter().map(|&index| run(Some(round), &self.settings[index]));
            // A round that an error ends is lost, so that all series have as many runs.
            let runs: Vec<Run> = runs.collect::<Result<_, E>>()?;
            for (&index, run) in order.iter().zip(runs) {
                seconds += run.wall;
                series[index].runs.push(run);
            }
        }
        Ok(())
    }

    fn wants_another_round(&self, rounds_done: usize, seconds_spent: f64) -> bool {
        let Rounds { min, max, seconds } = self.rounds;
        let is_time_over = seconds_spent >= seconds * self.settings.len() as f64;
        rounds_done < min.max(1) || (rounds_done < max && !is_time_over)
    }
}

/// Thread counts `fewest`, twice and four times as many and so on, and `max` itself.
pub fn doubling(fewest: usize, max: usize) -> Vec<usize> {
    let max = max.max(fewest);
    let mut counts: Vec<usize> = std::iter::successors(Some(fewest), |n| n.checked_mul(2))
        .take_while(|&n| n < max)
        .collect();
    counts.push(max);
    counts
}

#[cfg(test)]
impl Run {
    /// `threads` workers, each busy for the first `busy` seconds of `wall`, with a processor for `cpu` of them.
    pub(super) fn even(threads: usize, wall: f64, busy: f64, cpu: f64) -> Self {
        use super::workers::Span;
        let span = |worker| Span { worker, start: 0.0, end: busy, cpu: Some(cpu), subtrees: 1 };
        let spans: Vec<Span> = (0..threads).map(span).collect();
        let workers = Some(Workers::from_spans(threads, wall, &spans));
        Self { wall, user: wall, workers, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::measure::Run;

    fn run(wall: f64) -> Run {
        Run { wall, user: wall, ..Run::default() }
    }

    fn plan(rounds: Rounds) -> Experiment {
        Experiment { settings: [1, 2, 4].map(Setting::threads).to_vec(), warmup: 1, rounds }
    }

    #[test]
    fn every_round_runs_every_thread_count_once() {
        let mut steps = Vec::new();
        let series = plan(Rounds::exactly(6))
            .measure(
                |s| Ok::<_, Infallible>(run(1.0 / s.threads as f64)),
                |round, setting| steps.push((round, setting.threads)),
            )
            .0;
        assert_eq!(steps.len(), 3 * 7);
        for round in 0..=6 {
            let round = (round > 0).then_some(round);
            let mut threads: Vec<usize> =
                steps.iter().filter(|s| s.0 == round).map(|s| s.1).collect();
            threads.sort_unstable();
            assert_eq!(threads, [1, 2, 4]);
        }
        let orders: std::collections::HashSet<Vec<usize>> =
            steps[3..].chunks(3).map(|c| c.iter().map(|s| s.1).collect()).collect();
        assert!(orders.len() > 1, "the order within a round changes");
        assert_eq!(series[2].times(), [0.25; 6]);
    }

    #[test]
    fn rounds_stop_at_the_time_wanted_and_at_the_maximum() {
        let count = |wall: f64| {
            plan(Rounds { min: 3, max: 20, seconds: 5.0 })
                .measure(|_| Ok::<_, Infallible>(run(wall)), |_, _| {})
                .0[0]
                .runs
                .len()
        };
        assert_eq!(count(10.0), 3);
        assert_eq!(count(1.0), 5);
        assert_eq!(count(0.001), 20);
    }

    #[test]
    fn an_error_ends_the_measurement_and_whole_rounds_are_kept() {
        let mut runs = 0;
        let (series, ended) = plan(Rounds::exactly(5)).measure(
            |_| {
                runs += 1;
                // A round of warming up, two whole ones, and one run of the next.
                if runs == 3 * 3 + 2 { Err("boom") } else { Ok(run(1.0)) }
            },
            |_, _| {},
        );
        assert_eq!(ended.unwrap_err(), "boom");
        assert!(series.iter().all(|series| series.runs.len() == 2));
    }

    #[test]
    fn doubling_ends_at_the_maximum() {
        assert_eq!(doubling(1, 1), [1]);
        assert_eq!(doubling(1, 6), [1, 2, 4, 6]);
        assert_eq!(doubling(1, 8), [1, 2, 4, 8]);
    }
}
