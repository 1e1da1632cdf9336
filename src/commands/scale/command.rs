//! `tallyboard scale run -- COMMAND`: measures any command.

use std::io;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::Builder;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use base::clock::{Stopwatch, Times};
use base::figures::counted;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use scale::counters::{CounterScope, Counters, Counts};
use scale::measure::{Run, Setting};
use scale::pinning::AffinityGuard;
use scale::report::{COMMAND, Parameter, THREADS};
use scale::resident::{self, peak_of_command};
use scale::threads::{self, Observation, WatchedRun};
use scale::topology::Pin;
use search::{Stop, start_scoped};
use wait4::{ResUse, Wait4};

use super::command_args::CommandArgs;
use crate::scaling::measurement::{MeasureArgs, Measurement, Workload};
use crate::scaling::task::Task;
use crate::terminal::exit_status::{ExitStatus, UsageError};

/// Measures the command `words`, with the number of threads in place of `{threads}`. Its output is discarded.
pub fn measure(
    words: &[String],
    flags: &CommandArgs,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let line = words.join(" ");
    if !line.contains(THREADS) {
        return Err(UsageError(format!(
            "found no {THREADS} in '{line}': write it where the command takes the number of threads"
        ))
        .into());
    }
    if assignments(words) == words.len() {
        return Err(UsageError(format!(
            "found no command in '{line}': write it after the assignments"
        ))
        .into());
    }
    let MeasureArgs { weak, granularity, pin, .. } = *measurement.flags;
    let refused = [(weak, "--weak"), (granularity, "--granularity"), (pin != Pin::None, "--pin")];
    if let Some((_, option)) = refused.into_iter().find(|(is_given, _)| *is_given) {
        let why = "leave it out: it needs work and workers of this program";
        return Err(UsageError(format!("scale run does not take {option}; {why}")).into());
    }
    let template = Template { words, flags, parameters: parameters(&flags.parameter, &line)? };
    let workload = Workload {
        problem: line.clone(),
        command: line,
        kernel: COMMAND.into(),
        finest: None,
        unit: flags.amount.as_ref().map(|it| it.unit.clone()),
        parameters: template.parameters.clone(),
    };
    let settings = measurement.settings(template.parameters.len().max(1));
    let set_up =
        |setting| template.shell("setup", &flags.setup, setting, measurement.interrupt.stop());
    let measured = settings.iter().try_for_each(set_up).and_then(|()| {
        measurement.measure(workload, |Task { setting, places, stop }| {
            let prepared = template.shell("prepare", &flags.prepare, setting, stop);
            let run = prepared.and_then(|()| {
                let run = template.run(setting, &places.workers, stop);
                run.with_context(|| format!("with {}", counted(setting.threads, "thread")))
            });
            // A command that is ended because of the signal has not failed.
            stop.check()?;
            run
        })
    });
    // `--cleanup` runs even after a signal.
    let unstopped = Stop::new();
    let clean_up = |setting| template.shell("cleanup", &flags.cleanup, setting, &unstopped);
    let cleaned = settings.iter().map(clean_up).fold(Ok(()), Result::and);
    measured.and_then(|ending| cleaned.map(|()| ending))
}

/// A command with placeholders for the number of threads and for a second parameter.
struct Template<'a> {
    words: &'a [String],
    flags: &'a CommandArgs,
    /// The values of the second parameter; empty if there is none.
    parameters: Vec<Parameter>,
}

impl Template<'_> {
    /// `text` with the values of `setting` in place of the placeholders.
    fn fill(&self, text: &str, setting: &Setting) -> String {
        let text = text.replace(THREADS, &setting.threads.to_string());
        self.parameters.get(setting.value).map_or(text.clone(), |it| it.fill(&text))
    }

    /// Runs `text`, the shell command of the option `name`, if there is one.
    fn shell(&self, name: &str, text: &Option<String>, with: &Setting, stop: &Stop) -> Result<()> {
        let Some(text) = text.as_ref().map(|text| self.fill(text, with)) else { return Ok(()) };
        let words = ["sh".to_owned(), "-c".to_owned(), text];
        let outcome = run_once(&words, None, None, stop).and_then(CommandOutcome::ensure_success);
        outcome
            .map(drop)
            .with_context(|| format!("--{name} '{}' (append '|| true' if it may fail)", words[2]))
    }

    /// One run of the command, on some `processors` or, if there are none, on any.
    fn run(&self, setting: &Setting, processors: &[usize], stop: &Stop) -> Result<Run> {
        let words: Vec<String> = self.words.iter().map(|word| self.fill(word, setting)).collect();
        let pinned = AffinityGuard::on(processors);
        let mut outcome = run_once(&words, Some(setting.threads), pinned, stop)?;
        if !self.flags.ignore_failure {
            outcome = outcome.ensure_success()?;
        }
        let CommandOutcome { status, spent, observation, counts, peak_bytes, .. } = outcome;
        // As shells report it: 128 + the signal.
        let exit_code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(0);
        let amount = self.flags.amount.as_ref().map(|it| it.number);
        Ok(Run { amount, exit_code, observation, counts, peak_bytes, ..Run::new(spent, None) })
    }
}

/// The values of the second parameter, from `NAME` and `V,V…`; `line` is the command.
fn parameters(words: &[String], line: &str) -> Result<Vec<Parameter>> {
    let [name, values] = words else { return Ok(Vec::new()) };
    let braces = format!("{{{name}}}");
    if braces == THREADS || name.is_empty() {
        let why = "expected a name other than threads";
        return Err(UsageError(format!("--parameter: found the name '{name}', {why}")).into());
    }
    if !line.contains(&braces) {
        let expected =
            format!("found no {braces} in '{line}': write it where the command takes the value");
        return Err(UsageError(expected).into());
    }
    let parameter = |value: &str| Parameter { name: name.clone(), value: value.to_owned() };
    let parameters: Vec<Parameter> = values.split(',').map(parameter).collect();
    let twice = |(at, it): (usize, &Parameter)| parameters[..at].contains(it);
    if parameters.iter().enumerate().any(twice) {
        return Err(
            UsageError(format!("--parameter {name}: found a value twice in '{values}'")).into()
        );
    }
    Ok(parameters)
}

/// How a command ended, and what it took.
struct CommandOutcome {
    status: process::ExitStatus,
    spent: Times,
    program: String,
    /// The end of its standard error.
    stderr_tail: Vec<u8>,
    observation: Option<Observation>,
    counts: Option<Counts>,
    /// Bytes of memory that it held at most.
    peak_bytes: Option<u64>,
}

impl CommandOutcome {
    /// # Errors
    /// If the command failed, with the end of its standard error.
    fn ensure_success(self) -> Result<Self> {
        let Self { status, program, stderr_tail, .. } = &self;
        if !status.success() {
            let message = String::from_utf8_lossy(stderr_tail);
            let message = Some(message.trim_end()).filter(|it| !it.is_empty());
            bail!("{program}: {status}: {}", message.unwrap_or("nothing on standard error"));
        }
        Ok(self)
    }
}

/// Runs a command once, and ends it when `stop` is requested. With `threads`, the number of threads that the command
/// was told, its threads are sampled and the processor's counters read. It stays where `pinned` keeps this thread when it
/// starts.
fn run_once(
    words: &[String],
    threads: Option<usize>,
    pinned: Option<AffinityGuard>,
    stop: &Stop,
) -> Result<CommandOutcome> {
    let (variables, words) = words.split_at(assignments(words));
    let program = &words[0];
    let cannot_run = || format!("cannot run {program}");
    let mut command = Command::new(program);
    command.envs(variables.iter().filter_map(|word| word.split_once('=')));
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // In a separate process group: a signal to the group reaches all that the command starts, and Ctrl-C reaches only
    // this program.
    command.process_group(0);
    let counters = threads.and_then(|_| Counters::start(CounterScope::Children).ok());
    resident::forget_peak();
    let own_peak = resident::own_peak();
    let watch = Stopwatch::of_children();
    let mut child = command.spawn().with_context(cannot_run)?;
    drop(pinned);
    let watched = watch_to_the_end(&mut child, watch, threads, stop)
        .with_context(|| format!("cannot start the threads that watch {program}"))?;
    let Watched { ended, spent, stderr_tail, seen } = watched;
    let ResUse { status, rusage } = ended.with_context(cannot_run)?;
    let WatchedRun { observation, resident_bytes } = seen;
    let peak_bytes = peak_of_command(Some(rusage.maxrss), own_peak, resident_bytes);
    ensure!(spent.wall > 0.0, "{program} took no time");
    let counts = counters.and_then(|it| it.finish(spent.user));
    let program = program.clone();
    Ok(CommandOutcome { status, spent, program, stderr_tail, observation, counts, peak_bytes })
}

/// What was seen of a command until it ended.
struct Watched {
    ended: io::Result<ResUse>,
    spent: Times,
    /// The end of its standard error.
    stderr_tail: Vec<u8>,
    /// Empty unless the number of its threads is known.
    seen: WatchedRun,
}

/// Waits for `child`, which leads a process group, and ends the group when `stop` is requested. `stopwatch` began when
/// it started; `threads` is as in [`run_once`].
///
/// # Errors
/// If the threads that watch it cannot be started; the group is then killed.
fn watch_to_the_end(
    child: &mut Child,
    stopwatch: Stopwatch,
    threads: Option<usize>,
    stop: &Stop,
) -> io::Result<Watched> {
    let pid = child.id();
    let group = Pid::from_raw(i32::try_from(pid).map_err(io::Error::other)?);
    let stderr = child.stderr.take();
    let over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let started = (|| {
            let watch = move |threads| move || threads::watch(pid, threads, over);
            let sampler = threads.map(|it| start_scoped(Builder::new(), scope, watch(it)));
            let end = move || end_when_stopped(group, stop, over);
            let watcher = start_scoped(Builder::new(), scope, end)?;
            // Read while the command runs: a full pipe would block it.
            let read = move || stderr.map(|from| read_until(from, over));
            io::Result::Ok((
                sampler.transpose()?,
                watcher,
                start_scoped(Builder::new(), scope, read)?,
            ))
        })();
        if started.is_err() {
            // Nobody would read what it writes. Fails if it has ended.
            let _ = killpg(group, Signal::SIGKILL);
        }
        let ended = wait(child);
        let spent = stopwatch.stop();
        over.store(true, Release);
        let (sampler, watcher, reader) = started?;
        watcher.thread().unpark();
        sampler.iter().for_each(|it| it.thread().unpark());
        let seen = sampler.and_then(|it| it.join().ok()).unwrap_or_default();
        let stderr_tail = reader.join().ok().flatten().unwrap_or_default();
        Ok(Watched { ended, spent, stderr_tail, seen })
    })
}

/// Waits for the end of `child`.
fn wait(child: &mut Child) -> io::Result<ResUse> {
    loop {
        match child.wait4() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            ended => return ended,
        }
    }
}

/// The number of assignments (`NAME=VALUE` as a shell reads them) at the beginning of `words`.
fn assignments(words: &[String]) -> usize {
    let is_name = |name: &str| {
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && name.chars().all(letters)
            && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_assignment =
        |word: &&String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    words.iter().take_while(is_assignment).count()
}

/// The end of what a command writes until `over` is set. Does not wait for the pipe to close: a background process of
/// the command may hold it open for ever.
fn read_until(mut from: impl Read + AsFd, over: &AtomicBool) -> Vec<u8> {
    const POLL_TIMEOUT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    const NO_TIMEOUT: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
    /// Upper bound on the bytes kept, and on those read after the end. A pipe holds this many.
    const PIPE_BYTES: usize = 64 << 10;
    let mut stderr_tail = Vec::new();
    let mut buffer = [0; 4096];
    let mut read_since_end = 0;
    while read_since_end < PIPE_BYTES {
        // Loaded before the poll, so that everything written before the end is read.
        let is_over = over.load(Acquire);
        let wait = if is_over { NO_TIMEOUT } else { POLL_TIMEOUT };
        match poll(&mut [PollFd::new(&from, PollFlags::IN)], Some(&wait)) {
            Ok(0) if is_over => break,
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        let Ok(read @ 1..) = from.read(&mut buffer) else { break };
        stderr_tail.extend_from_slice(&buffer[..read]);
        stderr_tail.drain(..stderr_tail.len().saturating_sub(PIPE_BYTES));
        read_since_end += if is_over { read } else { 0 };
    }
    stderr_tail
}

/// When `stop` is requested, sends the process group SIGTERM, and later SIGKILL, until the command is `over`.
fn end_when_stopped(group: Pid, stop: &Stop, over: &AtomicBool) {
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    /// Number of intervals after which a command that ignores SIGTERM is killed.
    const INTERVALS_BEFORE_KILL: u32 = 40;
    let mut intervals = 0;
    while !over.load(Acquire) {
        if stop.requested() {
            let is_first = intervals < INTERVALS_BEFORE_KILL;
            let signal = if is_first { Signal::SIGTERM } else { Signal::SIGKILL };
            // Fails if the group has ended.
            if intervals.is_multiple_of(INTERVALS_BEFORE_KILL) {
                let _ = killpg(group, signal);
            }
            intervals += 1;
        }
        std::thread::park_timeout(POLL_INTERVAL);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_command_stays_where_it_was_started() {
        let last = scale::topology::Machine::here().cpus.last().unwrap().id;
        let pinned = AffinityGuard::on(&[last]);
        assert!(pinned.is_some());
        let script = "grep Cpus_allowed_list /proc/self/status >&2; exit 3";
        let words = ["sh", "-c", script].map(str::to_owned);
        let outcome = run_once(&words, None, pinned, &Stop::new()).unwrap();
        let seen = String::from_utf8(outcome.stderr_tail).unwrap();
        assert_eq!(seen.split_whitespace().last(), Some(last.to_string().as_str()), "{seen}");
        let own = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let own = own.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        let all = scale::topology::Machine::here().cpus.len();
        assert_eq!(own.trim() == last.to_string(), all == 1, "this thread may go anywhere again");
    }
}
