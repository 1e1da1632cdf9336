//! Measures a workload as the flags ask, the machine and its kinds of cores beside it, and writes the report.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use tallyboard_scale::conditions::{self, Capacity, Ceiling, Conditions, Snapshot};
use tallyboard_scale::measure::{Experiment, Rounds, Run, Series, Setting, doubling};
use tallyboard_scale::report::{Parameter, Report, Scaling, Subject};
use tallyboard_scale::topology::{Machine, Pin, Places};

use super::reports::{self, Outputs, ReportArgs};
use crate::terminal::process::{environment_threads, explain};
use crate::terminal::{Args, ExitStatus, Interrupt, StatusLine, UsageError, io, named};
use tallyboard_base::figures::{counted, memory_size};
use tallyboard_base::memory;
use tallyboard_search::{MAX_THREADS, Stop, thread_count};

#[derive(Debug, clap::Args)]
pub struct MeasureArgs {
    /// Thread counts; that of --baseline is always added, since speed-ups are relative to it
    #[arg(short = 'P', long, value_name = "T,T…", value_delimiter = ',', conflicts_with = "max")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub points: Vec<u16>,

    /// Measure 1, 2, 4 … threads up to this number; by default up to -j, or else every core
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub max: Option<u16>,

    /// The number of threads to which speed-ups are relative: the fewest that are measured
    #[arg(long, value_name = "T", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub baseline: u16,

    /// Number of unmeasured rounds at the beginning
    #[arg(short, long, default_value_t = 1, value_name = "N")]
    pub warmup: u16,

    /// Number of rounds, each with one run of every thread count; replaces -m and -M. Six or more give
    /// 95 % intervals
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub runs: Option<u16>,

    /// Lower bound on the rounds
    #[arg(short, long, default_value_t = 7, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub min_runs: u16,

    /// Upper bound on the rounds, by default 30, or -m if that is more. From the lower bound on they end
    /// as soon as each thread count has run for 3 seconds, on average
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub max_runs: Option<u16>,

    /// Wait this long before each run, so that the machine cools down
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, hide_default_value = true)]
    #[arg(value_parser = seconds)]
    pub rest: f64,

    /// Weak scaling: p times the work with p threads
    #[arg(long)]
    pub weak: bool,

    /// The processors on which workers are kept
    #[arg(long, default_value = "none", value_name = "WHERE", value_parser = places())]
    pub pin: Pin,

    /// Also measure the machine with each number of threads, before the rounds and after them: clock speed,
    /// memory bandwidth, and latency beyond each cache
    #[arg(long)]
    pub machine: bool,

    /// Also show the times in this file, a report or one that `scale fit` takes, and compare with them
    #[arg(long, value_name = "FILE")]
    pub with: Option<PathBuf>,

    #[command(flatten)]
    pub report: ReportArgs,
}

fn places() -> impl TypedValueParser<Value = Pin> {
    let meaning = |pin| match pin {
        Pin::None => "Any: the system moves workers",
        Pin::Cores => {
            "One worker a core, fast cores first, NUMA node after node, then second hardware threads"
        }
        Pin::Nodes => "One worker a core, NUMA nodes in turn, then second hardware threads",
        Pin::Threads => "All hardware threads of a core before the next core",
    };
    named(Pin::ALL.map(|pin| PossibleValue::new(pin.name()).help(meaning(pin))))
}

/// Upper bound on the rounds by default; the help of -M names it.
const DEFAULT_MAX_RUNS: u16 = 30;

/// The seconds that each thread count has to run on average before the rounds end. The help of -M names them.
const SECONDS_PER_THREAD_COUNT: f64 = 3.0;

/// A description of what is measured, for the report.
pub struct Workload {
    pub problem: String,
    pub command: String,
    pub kernel: String,
    /// The unit of what runs count, such as puzzles; `None` if they count nothing.
    pub unit: Option<String>,
    /// The values of a second parameter (the first is the number of threads); empty if there is none.
    pub parameters: Vec<Parameter>,
}

impl Workload {
    /// How many values the second parameter has, if there is one beside the number of threads; else 1.
    fn value_count(&self) -> usize {
        self.parameters.len().max(1)
    }
}

/// A measurement: its flags, its outputs, the machine, and the signals that may end it.
pub struct Measurement<'a> {
    pub flags: &'a MeasureArgs,
    args: &'a Args,
    outputs: Outputs,
    /// The reports of `--with`.
    others: Vec<Report>,
    /// Its stop flag is raised when a signal ends the measurement.
    pub interrupt: Interrupt,
    machine: Machine,
}

impl<'a> Measurement<'a> {
    /// Opens the outputs and listens to signals.
    pub fn begin(flags: &'a MeasureArgs, args: &'a Args) -> Result<Self> {
        let least = flags.min_runs;
        if let Some(most) = flags.max_runs.filter(|most| flags.runs.is_none() && *most < least) {
            let found = format!("found -M {most}, expected at least the {least} rounds of -m");
            bail!(UsageError(found));
        }
        io::ensure_apart(flags.with.as_deref(), flags.report.paths())?;
        // Read before the rounds, so that a bad file fails early.
        let others = flags.with.as_deref().map_or(Ok(Vec::new()), reports::read_other)?;
        let outputs = Outputs::create(&flags.report)?;
        let interrupt = Interrupt::listen();
        Ok(Self { flags, args, outputs, others, interrupt, machine: Machine::here() })
    }

    /// The most threads that a run will have.
    pub fn most_threads(&self) -> usize {
        self.thread_counts().into_iter().max().unwrap_or(1)
    }

    /// The settings of a round, with `values` values of a second parameter.
    pub fn settings(&self, values: usize) -> Vec<Setting> {
        let mut settings = Vec::new();
        for value in 0..values {
            for threads in self.thread_counts() {
                let work = if self.flags.weak { threads as f64 } else { 1.0 };
                settings.push(Setting { work, value, ..Setting::threads(threads) });
            }
        }
        settings
    }

    fn thread_counts(&self) -> Vec<usize> {
        thread_counts(self.flags, self.args.threads, self.machine.threads_to_try())
    }

    /// Measures `workload` and writes the report. Each call of `run` does one run. If an error or a signal ends the
    /// measurement early, the report is that of the rounds finished before.
    pub fn measure(
        self,
        workload: Workload,
        mut run: impl FnMut(Task) -> Result<Run>,
    ) -> Result<ExitStatus> {
        let settings = self.settings(workload.value_count());
        let status = StatusLine::new(self.args.quiet);
        let probe = self.machine_probe(&settings);
        let before = probe.as_ref().map(|probe| probe.before(&status)).transpose()?;
        let began = Snapshot::now(&self.machine.cpus);
        let (series, mut ended) =
            self.run_rounds(settings.clone(), &workload.parameters, &status, &mut run);
        let mut conditions = began.until_now(&self.machine.cpus);
        if let Some((probe, before)) = probe.zip(before) {
            match probe.after(before) {
                Ok(ceilings) => conditions.ceilings = ceilings,
                Err(error) => explain(&error),
            }
        }
        // A signal after the last round ends the measurement too.
        ended = ended.and_then(|()| Ok(self.interrupt.stop().check()?));
        // Takes the status line away before anything else is printed.
        drop(status);
        let Some(done) = whole_rounds(&series) else {
            return end(ended, &self.interrupt, "no round");
        };
        let done = counted(done, "round");
        let mut reports = self.reports(&workload, &series, &conditions);
        if ended.is_err() {
            for report in &mut reports {
                report.warnings.insert(0, format!("ended early: {done} measured"));
            }
        }
        reports.extend(self.others);
        self.outputs.write(reports)?;
        self.flags.report.print_written(self.args);
        end(ended, &self.interrupt, &done)
    }

    fn machine_probe<'s>(&'s self, settings: &'s [Setting]) -> Option<MachineProbe<'s>> {
        self.flags.machine.then(|| MachineProbe {
            machine: &self.machine,
            pin: self.flags.pin,
            settings,
            stop: self.interrupt.stop(),
        })
    }

    /// The runs of `settings`, in as many rounds as the flags ask for. The second result is the error that ended them early.
    fn run_rounds(
        &self,
        settings: Vec<Setting>,
        parameters: &[Parameter],
        status: &StatusLine,
        run: &mut impl FnMut(Task) -> Result<Run>,
    ) -> (Vec<Series>, Result<()>) {
        let warmup = self.flags.warmup.into();
        let experiment = Experiment { settings, warmup, rounds: rounds(self.flags) };
        let stop = self.interrupt.stop();
        experiment.measure(
            |setting| {
                rest(self.flags.rest, stop);
                let places = &self.machine.places(self.flags.pin, setting.threads);
                let measured = run(Task { setting, places, stop })?;
                // A stopped run did not do all of its work.
                stop.check()?;
                Ok(measured)
            },
            |round, setting| status.show(describe(round, setting, parameters)),
        )
    }

    /// A report for each value of the second parameter.
    fn reports(
        &self,
        workload: &Workload,
        series: &[Series],
        conditions: &Conditions,
    ) -> Vec<Report> {
        let series_by_value = series.chunk_by(|a, b| a.setting.value == b.setting.value);
        let mut reports = Vec::new();
        for (value, series) in series_by_value.enumerate() {
            let parameter = workload.parameters.get(value).cloned();
            let subject = self.subject(workload, parameter, conditions.clone());
            reports.push(Report::new(subject, series));
        }
        reports
    }

    fn subject(
        &self,
        workload: &Workload,
        parameter: Option<Parameter>,
        conditions: Conditions,
    ) -> Subject {
        let problem = &workload.problem;
        Subject {
            problem: parameter.as_ref().map_or(problem.clone(), |value| value.fill(problem)),
            command: workload.command.clone(),
            scaling: if self.flags.weak { Scaling::Weak } else { Scaling::Strong },
            kernel: workload.kernel.clone(),
            pin: self.flags.pin,
            machine: self.machine.clone(),
            conditions,
            unit: workload.unit.clone(),
            parameter,
            source: None,
        }
    }
}

/// How the command ends. If an error or a signal `ended` it early, prints that, and how many rounds are `done`.
fn end(ended: Result<()>, interrupt: &Interrupt, done: &str) -> Result<ExitStatus> {
    match ended {
        Ok(()) => Ok(ExitStatus::Done),
        Err(error) if interrupt.has_caused(&error) => {
            Ok(interrupt.report_interruption(&format!("; {done} measured")))
        }
        Err(error) => {
            explain(&error);
            bail!("ended early: {done} measured")
        }
    }
}

/// Keeps the result of the first run in `first`. Fails with that if the result that a later run `found` differs.
pub fn compare_with_first<T: Copy + PartialEq>(first: &mut Option<T>, found: T) -> Result<(), T> {
    match *first.get_or_insert(found) {
        first if first == found => Ok(()),
        first => Err(first),
    }
}

/// The number of finished rounds; `None` if there are none.
fn whole_rounds(series: &[Series]) -> Option<usize> {
    series.iter().map(|series| series.runs.len()).min().filter(|&rounds| rounds > 0)
}

fn rounds(flags: &MeasureArgs) -> Rounds {
    match flags.runs {
        Some(runs) => Rounds::exactly(runs.into()),
        None => {
            let max = flags.max_runs.unwrap_or(flags.min_runs.max(DEFAULT_MAX_RUNS)).into();
            Rounds { min: flags.min_runs.into(), max, seconds: SECONDS_PER_THREAD_COUNT }
        }
    }
}

/// The thread counts to measure, ascending. The first is the baseline; smaller ones are left out.
fn thread_counts(flags: &MeasureArgs, threads: usize, processors: usize) -> Vec<usize> {
    let fewest = usize::from(flags.baseline);
    if !flags.points.is_empty() {
        let counts = flags.points.iter().map(|&threads| threads.into());
        let counts: BTreeSet<usize> = counts.filter(|it| *it > fewest).chain([fewest]).collect();
        return counts.into_iter().collect();
    }
    doubling(
        fewest,
        match (flags.max, threads) {
            (Some(max), _) => max.into(),
            // Who sets RAYON_NUM_THREADS wants no more threads, as for a count.
            (None, 0) if environment_threads().is_some() => thread_count(0),
            (None, 0) => processors,
            (None, most) => most,
        },
    )
}

/// Reads seconds, which may have a fraction.
fn seconds(text: &str) -> Result<f64, String> {
    /// A day.
    const MOST: f64 = 86_400.0;
    let seconds = text.parse().ok().filter(|seconds| (0.0..=MOST).contains(seconds));
    seconds.ok_or_else(|| "expected seconds, such as 2 or 0.5, up to a day".to_owned())
}

/// Waits for `seconds`, or until a stop is requested.
fn rest(seconds: f64, stop: &Stop) {
    const STEP: Duration = Duration::from_millis(50);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    while !stop.requested() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        std::thread::sleep(left.min(STEP));
    }
}

/// The text for the status line during a run.
fn describe(round: Option<usize>, setting: &Setting, parameters: &[Parameter]) -> String {
    let round = match round {
        None => "warm-up".to_owned(),
        Some(round) => format!("round {round}"),
    };
    let mut text = format!("{round}: {}", counted(setting.threads, "thread"));
    if let Some(Parameter { name, value, .. }) = parameters.get(setting.value) {
        text += &format!(", {name} = {value}");
    }
    text
}

/// The setting of a run, its places, and the flag that stops it.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub setting: &'a Setting,
    /// Processors for the workers and for the other threads.
    pub places: &'a Places,
    /// Requested when a signal ends the measurement. The run has to end soon after.
    pub stop: &'a Stop,
}

/// A measurement of the machine for the runs of a report.
pub struct MachineProbe<'a> {
    pub machine: &'a Machine,
    /// Where the workers of the runs are placed. The threads of the probe are placed there too.
    pub pin: Pin,
    pub settings: &'a [Setting],
    /// Requested when a signal ends the measurement. Nothing more is measured then.
    pub stop: &'a Stop,
}

impl MachineProbe<'_> {
    /// The capacity before the rounds, for each number of threads. Fails if there is too little memory, or if the
    /// system gives fewer threads.
    pub fn before(&self, status: &StatusLine) -> Result<Vec<Capacity>> {
        let needed = conditions::bytes_needed(self.machine);
        if let Some(room) = memory::too_little(needed, self.machine.processors()) {
            let needed = memory_size(needed);
            bail!(
                "--machine needs {needed}, four to eight times the last-level caches, and {room}; leave it out"
            );
        }
        status.show("measuring the machine".to_owned());
        self.capacities()
    }

    /// The capacities `before` with those after the rounds. Thread counts that a signal kept from being measured are
    /// left out. Fails if the system gives fewer threads.
    pub fn after(&self, before: Vec<Capacity>) -> Result<Vec<Ceiling>> {
        Ok(self.ceilings(before, self.capacities()?))
    }

    fn capacities(&self) -> Result<Vec<Capacity>> {
        self.for_each_count(|threads, places| {
            let measured = conditions::measure(threads, self.machine, places);
            measured.with_context(|| {
                format!("--machine cannot start {}; leave it out", counted(threads, "thread"))
            })
        })
    }

    fn ceilings(&self, before: Vec<Capacity>, after: Vec<Capacity>) -> Vec<Ceiling> {
        let pairs = self.threads().into_iter().zip(before).zip(after);
        pairs.map(|((threads, before), after)| Ceiling { threads, before, after }).collect()
    }

    /// The result of `measure` for each number of threads in its places.
    fn for_each_count(
        &self,
        measure: impl Fn(usize, &Places) -> Result<Capacity>,
    ) -> Result<Vec<Capacity>> {
        let mut capacities = Vec::new();
        for threads in self.threads() {
            if self.stop.requested() {
                break;
            }
            capacities.push(measure(threads, &self.machine.places(self.pin, threads))?);
        }
        Ok(capacities)
    }

    /// The measured numbers of threads that have a processor each, and the number of processors.
    fn threads(&self) -> BTreeSet<usize> {
        let processors = self.machine.processors();
        let measured = self.settings.iter().map(|setting| setting.threads);
        measured.filter(|&threads| threads < processors).chain([processors]).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tallyboard_scale::topology::Cpu;

    use super::*;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        flags: MeasureArgs,
    }

    fn flags(words: &str) -> MeasureArgs {
        Flags::parse_from(["scale"].into_iter().chain(words.split_whitespace())).flags
    }

    #[test]
    fn runs_that_find_something_else_than_the_first_are_refused() {
        let mut first = None;
        let found: Vec<_> =
            [4, 4, 5, 4].iter().map(|&it| compare_with_first(&mut first, it)).collect();
        assert_eq!(found, [Ok(()), Ok(()), Err(4), Ok(())]);
    }

    #[test]
    fn rounds_are_those_asked_for() {
        let of = |words| {
            let Rounds { min, max, seconds } = rounds(&flags(words));
            (min, max, seconds)
        };
        assert_eq!(of(""), (7, 30, 3.0));
        assert_eq!(of("-m 2 -M 9"), (2, 9, 3.0));
        assert_eq!((of("-m 30"), of("-m 40")), ((30, 30, 3.0), (40, 40, 3.0)));
        assert_eq!(of("-r 4"), (4, 4, 0.0));
        assert_eq!(of("-r 3 -m 5 -M 4"), (3, 3, 0.0));
    }

    #[test]
    fn thread_counts_are_those_asked_for_and_one() {
        let of = |words, threads| thread_counts(&flags(words), threads, 64);
        assert_eq!(of("-P 8,3,16 --baseline 4", 5), [4, 8, 16]);
        assert_eq!(of("--max 20 --baseline 4", 5), [4, 8, 16, 20]);
        assert_eq!(of("--max 2 --baseline 4", 5), [4]);
        assert_eq!(of("-P 8,3,8", 5), [1, 3, 8]);
        assert_eq!(of("--max 6", 5), [1, 2, 4, 6]);
        assert_eq!(of("", 5), [1, 2, 4, 5]);
        assert_eq!(of("", 1), [1]);
        assert!(of("", 0).contains(&64));
    }

    /// Calls `check` with a probe of a machine of two nodes with two cores each.
    fn with_probe(check: impl Fn(&MachineProbe)) {
        let cpu = |id| Cpu { id, package: id / 2, core: id % 2, node: id / 2 };
        let cpus = (0..4).map(cpu).collect();
        let machine = Machine { cpus, cgroup_limit: None, ..Machine::here() };
        let settings = [1, 2, 9].map(Setting::threads);
        check(&MachineProbe {
            machine: &machine,
            pin: Pin::Nodes,
            settings: &settings,
            stop: &Stop::new(),
        });
    }

    fn capacity(hertz: f64) -> Capacity {
        Capacity { hertz, bytes_per_second: 1.0, latencies: Vec::new() }
    }

    #[test]
    fn threads_with_a_processor_each_measure_in_the_places_of_the_workers() {
        with_probe(|probe| {
            let seen = std::cell::RefCell::new(Vec::new());
            let measured = probe.for_each_count(|threads, places| {
                seen.borrow_mut().push((threads, places.workers.clone()));
                Ok(capacity(threads as f64))
            });
            let expected = [(1, vec![0]), (2, vec![0, 2]), (4, vec![0, 2, 1, 3])];
            assert_eq!(seen.into_inner(), expected);
            assert_eq!(measured.unwrap(), [1.0, 2.0, 4.0].map(capacity));
            probe.stop.request();
            assert_eq!(probe.for_each_count(|_, _| Ok(capacity(0.0))).unwrap(), []);
        });
    }

    #[test]
    fn capacities_before_and_after_are_kept_apart() {
        with_probe(|probe| {
            let ceilings = probe.ceilings(
                [1.0, 2.0, 3.0].map(capacity).to_vec(),
                vec![capacity(5.0), capacity(6.0)],
            );
            let of = |threads, before, after| Ceiling {
                threads,
                before: capacity(before),
                after: capacity(after),
            };
            assert_eq!(ceilings, [of(1, 1.0, 5.0), of(2, 2.0, 6.0)]);
        });
    }
}
