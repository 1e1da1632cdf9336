//! `tallyboard scale run -- COMMAND`: measures any command.

use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};
use std::time::Duration;

use crate::clock::{Stopwatch, Times};
use crate::figures::counted;
use crate::scale::counters::{Counting, Counts, Who};
use crate::scale::measure::{Run, Setting};
use crate::scale::report::{Parameter, THREADS};
use crate::scale::threads::{self, Watched};
use crate::search::Stop;
use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::measuring::{Measuring, Task, Workload};
use crate::cli::args::scale::CommandArgs;
use crate::cli::ending::{Ending, Usage};

/// Measures any command, in which `{threads}` stands for the number of threads. Its output is discarded.
pub fn measure(words: &[String], around: &CommandArgs, measuring: Measuring<'_>) -> Result<Ending> {
    let line = words.join(" ");
    if !line.contains(THREADS) {
        return Err(Usage(format!(
            "found no {THREADS} in '{line}': put it where the command takes the number of threads"
        ))
        .into());
    }
    if assignments(words) == words.len() {
        return Err(
            Usage(format!("found no command in '{line}': it follows the assignments")).into()
        );
    }
    measuring.refuse_what_needs_workers()?;
    let template = Template { words, around, parameters: parameters(&around.parameter, &line)? };
    let workload = Workload {
        problem: line.clone(),
        command: line,
        kernel: "command".into(),
        finest: None,
        unit: around.amount.as_ref().map(|it| it.unit.clone()),
        parameters: template.parameters.clone(),
    };
    let settings = measuring.settings(template.parameters.len().max(1));
    let set_up = |setting| template.shell("setup", &around.setup, setting, measuring.stop());
    let measured = settings.iter().try_for_each(set_up).and_then(|()| {
        measuring.measure(workload, |Task { setting, stop, .. }| {
            template.shell("prepare", &around.prepare, setting, stop)?;
            let run = template.run(setting, stop);
            run.with_context(|| format!("with {}", counted(setting.threads, "thread")))
        })
    });
    // A signal ends the rounds, but `--cleanup` still runs.
    let unstopped = Stop::new();
    let clean_up = |setting| template.shell("cleanup", &around.cleanup, setting, &unstopped);
    let cleaned = settings.iter().map(clean_up).fold(Ok(()), Result::and);
    measured.and_then(|ending| cleaned.map(|()| ending))
}

/// A command with places for the number of threads and for a second parameter.
struct Template<'a> {
    words: &'a [String],
    around: &'a CommandArgs,
    /// The values of the second parameter; empty if there is none.
    parameters: Vec<Parameter>,
}

impl Template<'_> {
    fn fill(&self, text: &str, setting: &Setting) -> String {
        let text = text.replace(THREADS, &setting.threads.to_string());
        self.parameters.get(setting.value).map_or(text.clone(), |it| it.fill(&text))
    }

    /// Runs the shell command of the option `name`, if there is one.
    fn shell(&self, name: &str, text: &Option<String>, at: &Setting, stop: &Stop) -> Result<()> {
        let Some(text) = text.as_ref().map(|text| self.fill(text, at)) else { return Ok(()) };
        let words = ["sh".to_owned(), "-c".to_owned(), text];
        let ended = once(&words, None, stop).and_then(Finished::succeeded);
        ended.map(drop).with_context(|| {
            format!("--{name} '{}' (append '|| true' if that is no failure)", words[2])
        })
    }

    /// One run of the command.
    fn run(&self, setting: &Setting, stop: &Stop) -> Result<Run> {
        let words: Vec<String> = self.words.iter().map(|word| self.fill(word, setting)).collect();
        let mut ended = once(&words, Some(setting.threads), stop)?;
        if !self.around.ignore_failure {
            ended = ended.succeeded()?;
        }
        let Finished { status, spent, watched, counts, .. } = ended;
        // As shells report it: 128 + the signal.
        let exit_code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(0);
        let amount = self.around.amount.as_ref().map(|it| it.number);
        Ok(Run { amount, exit_code, watched, counts, ..Run::new(spent, None) })
    }
}

/// The second parameter, from `NAME` and `V,V…`: one entry a value.
fn parameters(words: &[String], line: &str) -> Result<Vec<Parameter>> {
    let [name, values] = words else { return Ok(Vec::new()) };
    let braces = format!("{{{name}}}");
    if braces == THREADS || name.is_empty() {
        return Err(Usage(format!("--parameter: found the name '{name}', expected another")).into());
    }
    if !line.contains(&braces) {
        let expected = format!("found no {braces} in '{line}': put it where its value belongs");
        return Err(Usage(expected).into());
    }
    let parameter = |value: &str| Parameter { name: name.clone(), value: value.to_owned() };
    let parameters: Vec<Parameter> = values.split(',').map(parameter).collect();
    let twice = |(at, it): (usize, &Parameter)| parameters[..at].contains(it);
    if parameters.iter().enumerate().any(twice) {
        return Err(Usage(format!("--parameter {name}: found a value twice in '{values}'")).into());
    }
    Ok(parameters)
}

/// A command that has ended.
struct Finished {
    status: ExitStatus,
    spent: Times,
    program: String,
    /// The end of its standard error.
    stderr_tail: Vec<u8>,
    watched: Option<Watched>,
    counts: Option<Counts>,
}

impl Finished {
    /// An error if it failed.
    fn succeeded(self) -> Result<Self> {
        let Self { status, program, stderr_tail, .. } = &self;
        if !status.success() {
            let stderr_tail = String::from_utf8_lossy(stderr_tail);
            let stderr_tail =
                Some(stderr_tail.trim_end()).filter(|stderr_tail| !stderr_tail.is_empty());
            bail!("{program}: {status}: {}", stderr_tail.unwrap_or("nothing on standard error"));
        }
        Ok(self)
    }
}

/// Runs a command once, and ends it when `stop` is raised. If `threads` are given, its threads are watched
/// and its instructions counted.
fn once(words: &[String], threads: Option<usize>, stop: &Stop) -> Result<Finished> {
    let (variables, words) = words.split_at(assignments(words));
    let program = &words[0];
    let cannot_run = || format!("cannot run {program}");
    let mut command = Command::new(program);
    command.envs(variables.iter().filter_map(|word| word.split_once('=')));
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // In its own process group: a signal sent from here reaches all that it starts, and signals to this
    // program do not.
    command.process_group(0);
    let counting = threads.and_then(|_| Counting::start(Who::Children).ok());
    let watch = Stopwatch::of_children();
    let mut child = command.spawn().with_context(cannot_run)?;
    let group = Pid::from_raw(i32::try_from(child.id())?);
    let over = AtomicBool::new(false);
    let stderr = child.stderr.take();
    let (pid, is_over) = (child.id(), &over);
    let (status, spent, stderr_tail, watched) = std::thread::scope(|scope| {
        let sampler =
            threads.map(|threads| scope.spawn(move || threads::watch(pid, threads, is_over)));
        let watcher = scope.spawn(|| end_when_stopped(group, stop, &over));
        // Read while the command runs, which a full pipe would block.
        let reader = scope.spawn(|| stderr.map(|from| read_until(from, &over)));
        let (status, spent) = (child.wait(), watch.stop());
        over.store(true, Release);
        watcher.thread().unpark();
        sampler.iter().for_each(|it| it.thread().unpark());
        let watched = sampler.and_then(|it| it.join().ok().flatten());
        (status, spent, reader.join().ok().flatten().unwrap_or_default(), watched)
    });
    let status = status.with_context(cannot_run)?;
    ensure!(spent.wall > 0.0, "{program} took no time");
    let counts = counting.and_then(|it| it.finish(spent.user));
    Ok(Finished { status, spent, program: program.clone(), stderr_tail, watched, counts })
}

/// How many of the first `words` are assignments, `NAME=VALUE` as a shell reads them.
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

/// The end of what a command writes until it is `over`. Does not wait for the pipe to close, which a
/// background process of the command may hold open for ever.
fn read_until(mut from: impl Read + AsFd, over: &AtomicBool) -> Vec<u8> {
    const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
    /// How much is kept, and read after the end: a pipe holds as many bytes.
    const PIPE_BYTES: usize = 64 << 10;
    let (mut stderr_tail, mut buffer, mut read_since_end) = (Vec::new(), [0; 4096], 0);
    while read_since_end < PIPE_BYTES {
        // Loaded before the pipe is polled, so that all that was written until then is read.
        let is_over = over.load(Acquire);
        let wait = if is_over { AT_ONCE } else { LOOK };
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

/// Passes a stop on to the process group: first SIGTERM, later SIGKILL, until it has ended.
fn end_when_stopped(group: Pid, stop: &Stop, over: &AtomicBool) {
    const LOOK: Duration = Duration::from_millis(50);
    /// Number of [`LOOK`] intervals after which a command that ignores SIGTERM is killed.
    const PATIENCE: u32 = 40;
    let mut looks = 0;
    while !over.load(Acquire) {
        if stop.requested() {
            let signal = if looks < PATIENCE { Signal::SIGTERM } else { Signal::SIGKILL };
            // Fails if the group has ended by now.
            if looks.is_multiple_of(PATIENCE) {
                let _ = killpg(group, signal);
            }
            looks += 1;
        }
        std::thread::park_timeout(LOOK);
    }
}
