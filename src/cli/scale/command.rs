//! `tallyboard scale run -- COMMAND`

use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};
use std::time::Duration;

use crate::clock::{Spent, Stopwatch};
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

/// Measures any command, in which `{threads}` stands for the number of threads. What it prints is
/// thrown away.
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
    // A signal ends the rounds, not what is to be done after them.
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

    /// What is run beside the command, if the user wants it, by the shell.
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
        // As shells tell it: 128 and the signal.
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

/// A command that has come to its end.
struct Finished {
    status: ExitStatus,
    spent: Spent,
    program: String,
    /// The last that it said on standard error.
    said: Vec<u8>,
    watched: Option<Watched>,
    counts: Option<Counts>,
}

impl Finished {
    /// An error if it failed.
    fn succeeded(self) -> Result<Self> {
        let Self { status, program, said, .. } = &self;
        if !status.success() {
            let said = String::from_utf8_lossy(said);
            let said = Some(said.trim_end()).filter(|said| !said.is_empty());
            bail!("{program}: {status}: {}", said.unwrap_or("nothing on standard error"));
        }
        Ok(self)
    }
}

/// One run of a command, which ends when `stop` is raised. It is watched, and its instructions are counted, if it
/// was told how many `threads` to run.
fn once(words: &[String], threads: Option<usize>, stop: &Stop) -> Result<Finished> {
    let (variables, words) = words.split_at(assignments(words));
    let program = &words[0];
    let cannot_run = || format!("cannot run {program}");
    let mut command = Command::new(program);
    command.envs(variables.iter().filter_map(|word| word.split_once('=')));
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // A group of its own: a signal reaches whatever it starts, and reaches it from here alone.
    command.process_group(0);
    let counting = threads.and_then(|_| Counting::start(Who::Children).ok());
    let watch = Stopwatch::of_children();
    let mut child = command.spawn().with_context(cannot_run)?;
    let group = Pid::from_raw(i32::try_from(child.id())?);
    let over = AtomicBool::new(false);
    let stderr = child.stderr.take();
    let (pid, over_) = (child.id(), &over);
    let (status, spent, said, watched) = std::thread::scope(|scope| {
        let sampler =
            threads.map(|threads| scope.spawn(move || threads::watch(pid, threads, over_)));
        let watcher = scope.spawn(|| end_when_stopped(group, stop, &over));
        // Read while it runs: a full pipe would stop the command.
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
    Ok(Finished { status, spent, program: program.clone(), said, watched, counts })
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

/// The last of what a command says until it is `over`. A background process that it has left behind may
/// hold the pipe open for ever.
fn read_until(mut from: impl Read + AsFd, over: &AtomicBool) -> Vec<u8> {
    const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
    const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
    /// A pipe holds as many bytes, and no error message is longer.
    const PIPE_BYTES: usize = 64 << 10;
    let (mut said, mut buffer, mut read_since_end) = (Vec::new(), [0; 4096], 0);
    while read_since_end < PIPE_BYTES {
        // Looked at before the pipe: what was written until then is read.
        let is_over = over.load(Acquire);
        let wait = if is_over { AT_ONCE } else { LOOK };
        match poll(&mut [PollFd::new(&from, PollFlags::IN)], Some(&wait)) {
            Ok(0) if is_over => break,
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => break,
        }
        let Ok(read @ 1..) = from.read(&mut buffer) else { break };
        said.extend_from_slice(&buffer[..read]);
        said.drain(..said.len().saturating_sub(PIPE_BYTES));
        read_since_end += if is_over { read } else { 0 };
    }
    said
}

/// Passes a stop on to the process group until it is over: kindly at first.
fn end_when_stopped(group: Pid, stop: &Stop, over: &AtomicBool) {
    const LOOK: Duration = Duration::from_millis(50);
    /// Looks after which a command that ignores SIGTERM is killed.
    const PATIENCE: u32 = 40;
    let mut looks = 0;
    while !over.load(Acquire) {
        if stop.requested() {
            let signal = if looks < PATIENCE { Signal::SIGTERM } else { Signal::SIGKILL };
            // It may be gone by now.
            if looks.is_multiple_of(PATIENCE) {
                let _ = killpg(group, signal);
            }
            looks += 1;
        }
        std::thread::park_timeout(LOOK);
    }
}
