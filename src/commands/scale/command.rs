//! `tallyboard scale run -- COMMAND`: measures any command.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{self, Child, ChildStderr, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tallyboard_base::clock::{Stopwatch, Times};
use tallyboard_base::figures::counted;
use tallyboard_scale::conditions::Throttling;
use tallyboard_scale::counters::{CounterScope, Counters, Counts};
use tallyboard_scale::measure::{Run, Setting};
use tallyboard_scale::pinning::AffinityGuard;
use tallyboard_scale::report::{COMMAND, Parameter, THREADS};
use tallyboard_scale::resident::{self, peak_of_command};
use tallyboard_scale::threads::{self, Observation, WatchedRun};
use tallyboard_scale::topology::Pin;
use tallyboard_search::{Stop, start_scoped};
use wait4::{ResUse, Wait4};

use super::CommandArgs;
use crate::commands::first_repeated;
use crate::scaling::measurement::{MeasureArgs, Measurement, Task, Workload};
use crate::terminal::{ExitStatus, UsageError};

/// Measures the command `words`, with the number of threads in place of `{threads}`. Its output is discarded.
pub fn measure(
    words: &[String],
    flags: &CommandArgs,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let commands: Vec<&[String]> = words.split(|word| word == VERSUS).collect();
    let lines: Vec<String> = commands.iter().map(|words| words.join(" ")).collect();
    for (words, line) in commands.iter().zip(&lines) {
        check_command(words, line)?;
    }
    check_flags(measurement.flags)?;
    let line = lines[0].clone();
    let parameters = match &lines[..] {
        [_] => parameters(&flags.parameter, &line)?,
        lines => rivals(lines, flags)?,
    };
    let template = Template { commands, flags, parameters };
    let workload = Workload {
        problem: if lines.len() > 1 { format!("{{{RIVAL}}}") } else { line.clone() },
        command: if lines.len() > 1 { format!("{{{RIVAL}}}") } else { line },
        kernel: COMMAND.into(),
        unit: flags.amount.as_ref().map(|amount| amount.unit.clone()),
        parameters: template.parameters.clone(),
    };
    let settings = measurement.settings(template.parameters.len().max(1));
    let measured = template.set_up_and_measure(&settings, workload, measurement);
    // `--cleanup` runs for every setting, also after a signal or an error. The first error is kept.
    let unstopped = Stop::new();
    let clean_up = |setting| template.run_shell("cleanup", &flags.cleanup, setting, &unstopped);
    let cleaned = settings.iter().map(clean_up).fold(Ok(()), Result::and);
    let ending = measured?;
    cleaned?;
    Ok(ending)
}

/// Fails unless `words`, which are those of `line`, have a command and a place for the number of threads.
fn check_command(words: &[String], line: &str) -> Result<(), UsageError> {
    if !line.contains(THREADS) {
        return Err(UsageError(format!(
            "found no {THREADS} in '{line}': write it where the command takes the number of threads"
        )));
    }
    if let [word] = words
        && word.contains(char::is_whitespace)
    {
        return Err(UsageError(format!(
            "found one word with blanks, '{word}', expected a command and its arguments: leave the quotes out, or let a shell read it: -- sh -c '{word}'"
        )));
    }
    if assignments(words) == words.len() {
        return Err(UsageError(format!(
            "found no command in '{line}': write it after the assignments"
        )));
    }
    Ok(())
}

/// Fails if an option is given that only counts of this program take.
fn check_flags(flags: &MeasureArgs) -> Result<(), UsageError> {
    let MeasureArgs { weak, pin, .. } = *flags;
    let refused = [(weak, "--weak"), (pin != Pin::None, "--pin")];
    if let Some((_, option)) = refused.into_iter().find(|(is_given, _)| *is_given) {
        let why = "leave it out: it needs work and workers of this program";
        return Err(UsageError(format!("scale run does not take {option}; {why}")));
    }
    Ok(())
}

/// Stands between commands that are measured in the same rounds.
const VERSUS: &str = "--versus";
/// The name of the second parameter, whose values are such commands.
const RIVAL: &str = "command";

/// The commands `lines` as values of a parameter.
fn rivals(lines: &[String], flags: &CommandArgs) -> Result<Vec<Parameter>, UsageError> {
    if !flags.parameter.is_empty() {
        let found = "found --parameter and --versus, expected one of them";
        return Err(UsageError::of(found));
    }
    let value = |line: &String| Parameter { name: RIVAL.to_owned(), value: line.clone() };
    let values: Vec<Parameter> = lines.iter().map(value).collect();
    match first_repeated(&values) {
        Some(_) => Err(UsageError::of("found one command twice, expected another behind --versus")),
        None => Ok(values),
    }
}

/// Commands with placeholders for the number of threads and for a second parameter.
struct Template<'a> {
    /// One, or a value of the parameter each.
    commands: Vec<&'a [String]>,
    flags: &'a CommandArgs,
    /// The values of the second parameter; empty if there is none.
    parameters: Vec<Parameter>,
}

impl Template<'_> {
    /// `text` with the values of `setting` in place of the placeholders.
    fn fill(&self, text: &str, setting: &Setting) -> String {
        let text = text.replace(THREADS, &setting.threads.to_string());
        match self.parameters.get(setting.value) {
            Some(parameter) => parameter.fill(&text),
            None => text,
        }
    }

    /// Runs `--setup` for each of the `settings`, then the measurement.
    fn set_up_and_measure(
        &self,
        settings: &[Setting],
        workload: Workload,
        measurement: Measurement,
    ) -> Result<ExitStatus> {
        for setting in settings {
            let stop = measurement.interrupt.stop();
            self.run_shell("setup", &self.flags.setup, setting, stop)?;
        }
        measurement.measure(workload, |task| self.prepare_and_run(task))
    }

    /// Runs `--prepare`, then the command.
    fn prepare_and_run(&self, Task { setting, places, stop }: Task) -> Result<Run> {
        let prepared = self.run_shell("prepare", &self.flags.prepare, setting, stop);
        let run = prepared.and_then(|()| {
            let run = self.run(setting, &places.workers, stop);
            run.with_context(|| format!("with {}", counted(setting.threads, "thread")))
        });
        // A command that is ended because of the signal has not failed.
        stop.check()?;
        run
    }

    /// Runs the shell command of the option `name`, if it is given.
    fn run_shell(
        &self,
        name: &str,
        command: &Option<String>,
        setting: &Setting,
        stop: &Stop,
    ) -> Result<()> {
        let Some(command) = command else { return Ok(()) };
        let command = self.fill(command, setting);
        let words = ["sh".to_owned(), "-c".to_owned(), command.clone()];
        run_once(&words, None, None, stop)
            .and_then(CommandOutcome::ensure_success)
            .with_context(|| format!("--{name} '{command}' (append '|| true' if it may fail)"))?;
        Ok(())
    }

    /// One run of the command, on some `processors` or, if there are none, on any.
    fn run(&self, setting: &Setting, processors: &[usize], stop: &Stop) -> Result<Run> {
        let words = self.commands.get(setting.value).unwrap_or(&self.commands[0]);
        let words: Vec<String> = words.iter().map(|word| self.fill(word, setting)).collect();
        let pinned = AffinityGuard::on(processors);
        let mut outcome = run_once(&words, Some(setting.threads), pinned, stop)?;
        if !self.flags.ignore_failure {
            outcome = outcome.ensure_success()?;
        }
        let CommandOutcome { status, spent, observation, counts, peak_bytes, throttled, .. } =
            outcome;
        // As shells report it: 128 + the signal.
        let exit_code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(0);
        let amount = self.flags.amount.as_ref().map(|amount| amount.number);
        let seen = Run { observation, counts, peak_bytes, throttled, ..Run::new(spent, None) };
        Ok(Run { amount, exit_code, ..seen })
    }
}

/// The values of the second parameter, from `NAME` and `V,V…`; `line` is the command.
fn parameters(words: &[String], line: &str) -> Result<Vec<Parameter>, UsageError> {
    let [name, values] = words else { return Ok(Vec::new()) };
    let braces = format!("{{{name}}}");
    if braces == THREADS || name.is_empty() {
        let why = "expected a name other than threads";
        return Err(UsageError(format!("--parameter: found the name '{name}', {why}")));
    }
    if !line.contains(&braces) {
        let found = format!("found no {braces} in '{line}'");
        return Err(UsageError(format!("{found}: write it where the command takes the value")));
    }
    let parameter = |value: &str| Parameter { name: name.clone(), value: value.to_owned() };
    let parameters: Vec<Parameter> = values.split(',').map(parameter).collect();
    if first_repeated(&parameters).is_some() {
        return Err(UsageError(format!("--parameter {name}: found a value twice in '{values}'")));
    }
    Ok(parameters)
}

/// How a command ended, and what it took.
struct CommandOutcome {
    status: process::ExitStatus,
    spent: Times,
    /// The name of the program that was run.
    program: String,
    /// The end of its standard error.
    stderr_tail: Vec<u8>,
    observation: Option<Observation>,
    counts: Option<Counts>,
    /// Bytes of memory that it held at most.
    peak_bytes: Option<u64>,
    /// As in [`Run::throttled`].
    throttled: Option<f64>,
}

impl CommandOutcome {
    /// Fails if the command has failed, with the end of its standard error.
    fn ensure_success(self) -> Result<Self> {
        let Self { status, program, stderr_tail, .. } = &self;
        if !status.success() {
            let message = String::from_utf8_lossy(stderr_tail);
            let message = match message.trim_end() {
                "" => "nothing on standard error",
                message => message,
            };
            bail!("{program}: {status}: {message}");
        }
        Ok(self)
    }
}

/// Runs a command once, and ends it when `stop` is requested. `threads` is the number of threads that the command is to
/// run; if it is known, the command's threads are sampled and the processor's counters read. The command stays on the
/// processors to which `pinned` has bound this thread.
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
    let throttling = Throttling::start();
    let counters = threads.and_then(|_| Counters::start(CounterScope::Children).ok());
    resident::forget_peak();
    let own_peak = resident::own_peak();
    let stopwatch = Stopwatch::of_children();
    let mut child = command.spawn().with_context(cannot_run)?;
    // The child has inherited the binding, and this thread is free again.
    drop(pinned);
    let watched = watch_to_the_end(&mut child, stopwatch, threads, stop)
        .with_context(|| format!("cannot start the threads that watch {program}"))?;
    let Watched { ended, spent, stderr_tail, seen } = watched;
    let ResUse { status, rusage } = ended.with_context(cannot_run)?;
    let WatchedRun { observation, resident_bytes } = seen;
    let peak_bytes = peak_of_command(Some(rusage.maxrss), own_peak, resident_bytes);
    ensure!(spent.wall > 0.0, "{program} took no time");
    let counts = counters.and_then(|counters| counters.finish(spent.user));
    let program = program.clone();
    let throttled = throttling.seconds();
    Ok(CommandOutcome {
        status,
        spent,
        program,
        stderr_tail,
        observation,
        counts,
        peak_bytes,
        throttled,
    })
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
/// it started; `threads` is as in [`run_once`]. Fails if the threads that watch it cannot be started; the group is then
/// killed.
fn watch_to_the_end(
    child: &mut Child,
    stopwatch: Stopwatch,
    threads: Option<usize>,
    stop: &Stop,
) -> io::Result<Watched> {
    let group = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    let stderr = child.stderr.take();
    let is_over = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watchers = Watchers::start(scope, group, stderr, threads, stop, is_over);
        if watchers.is_err() {
            // Nobody would read what it writes. Fails if it has ended.
            let _ = killpg(group, Signal::SIGKILL);
        }
        let ended = wait(child);
        let spent = stopwatch.stop();
        is_over.store(true, Release);
        let Watchers { sampler, ender, reader } = watchers?;
        ender.thread().unpark();
        sampler.iter().for_each(|sampler| sampler.thread().unpark());
        let seen = sampler.and_then(|sampler| sampler.join().ok()).unwrap_or_default();
        let stderr_tail = reader.join().ok().flatten().unwrap_or_default();
        Ok(Watched { ended, spent, stderr_tail, seen })
    })
}

/// The threads that watch a command until it is over.
struct Watchers<'scope> {
    /// Samples the command's threads, if their number is known.
    sampler: Option<ScopedJoinHandle<'scope, WatchedRun>>,
    /// Ends the command when a stop is requested.
    ender: ScopedJoinHandle<'scope, ()>,
    /// Reads standard error while the command runs: a full pipe would block it.
    reader: ScopedJoinHandle<'scope, Option<Vec<u8>>>,
}

impl<'scope> Watchers<'scope> {
    /// Starts them for the process `group` of a command. Parameters are as in [`watch_to_the_end`].
    fn start(
        scope: &'scope Scope<'scope, '_>,
        group: Pid,
        stderr: Option<ChildStderr>,
        threads: Option<usize>,
        stop: &'scope Stop,
        is_over: &'scope AtomicBool,
    ) -> io::Result<Self> {
        // The leader's number is that of its group.
        let leader = group.as_raw().unsigned_abs();
        let sampler = threads.map(|threads| {
            let sample = move || threads::watch(leader, threads, is_over);
            start_scoped(Builder::new(), scope, sample)
        });
        let sampler = sampler.transpose()?;
        let end = move || end_when_stopped(group, stop, is_over);
        let ender = start_scoped(Builder::new(), scope, end)?;
        let read = move || stderr.map(|stderr| read_until(stderr, is_over));
        let reader = start_scoped(Builder::new(), scope, read)?;
        Ok(Self { sampler, ender, reader })
    }
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
    let is_assignment =
        |word: &&String| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    words.iter().take_while(is_assignment).count()
}

/// Whether a shell takes `text` as the name of a variable.
fn is_name(text: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let begins_with_digit = text.starts_with(|letter: char| letter.is_ascii_digit());
    !text.is_empty() && text.chars().all(is_allowed) && !begins_with_digit
}

/// The end of what a command writes until it `is_over`. Does not wait for the pipe to close: a background process of the
/// command may hold it open for ever.
fn read_until(mut pipe: impl Read + AsFd, is_over: &AtomicBool) -> Vec<u8> {
    const POLL_TIMEOUT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    const NO_TIMEOUT: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
    /// Upper bound on the bytes kept, and on those read after the end. A pipe holds this many.
    const PIPE_BYTES: usize = 64 << 10;
    let mut tail = Vec::new();
    let mut buffer = [0; 4096];
    let mut read_since_end = 0;
    while read_since_end < PIPE_BYTES {
        // Loaded before the poll, so that everything written before the end is read.
        let has_ended = is_over.load(Acquire);
        let timeout = if has_ended { NO_TIMEOUT } else { POLL_TIMEOUT };
        match poll(&mut [PollFd::new(&pipe, PollFlags::IN)], Some(&timeout)) {
            Ok(0) if has_ended => break,
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        let Ok(read @ 1..) = pipe.read(&mut buffer) else { break };
        tail.extend_from_slice(&buffer[..read]);
        tail.drain(..tail.len().saturating_sub(PIPE_BYTES));
        read_since_end += if has_ended { read } else { 0 };
    }
    tail
}

/// When `stop` is requested, sends the process group SIGTERM, and later SIGKILL, until the command `is_over`.
fn end_when_stopped(group: Pid, stop: &Stop, is_over: &AtomicBool) {
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    /// Number of intervals after which a command that ignores SIGTERM is killed, and killed again: two seconds.
    const INTERVALS_BEFORE_KILL: u32 = 40;
    let mut intervals = 0_u32;
    while !is_over.load(Acquire) {
        if stop.requested() {
            if intervals.is_multiple_of(INTERVALS_BEFORE_KILL) {
                let signal = if intervals == 0 { Signal::SIGTERM } else { Signal::SIGKILL };
                // Fails if the group has ended.
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
        let last = tallyboard_scale::topology::Machine::here().cpus.last().unwrap().id;
        let pinned = AffinityGuard::on(&[last]);
        assert!(pinned.is_some());
        let script = "grep Cpus_allowed_list /proc/self/status >&2; exit 3";
        let words = ["sh", "-c", script].map(str::to_owned);
        let outcome = run_once(&words, None, pinned, &Stop::new()).unwrap();
        let seen = String::from_utf8(outcome.stderr_tail).unwrap();
        assert_eq!(seen.split_whitespace().last(), Some(last.to_string().as_str()), "{seen}");
        let own = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let own = own.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        let all = tallyboard_scale::topology::Machine::here().cpus.len();
        assert_eq!(own.trim() == last.to_string(), all == 1, "this thread may go anywhere again");
    }
}
