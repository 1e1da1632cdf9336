//! `tallyboard scale run -- COMMAND`

use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Acquire, Ordering::Release};
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::figures::counted;
use crate::scale::measure::{Run, Setting};
use crate::scale::report::THREADS;
use crate::search::Stop;
use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::measuring::{Measuring, Task, Workload};
use crate::cli::ending::{Ending, Usage};

/// Measures any command, in which `{threads}` stands for the number of threads. What it prints is
/// thrown away.
pub fn measure(words: &[String], measuring: Measuring<'_>) -> Result<Ending> {
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
    let (problem, kernel) = (line.clone(), "command".into());
    let workload = Workload { problem, command: line, kernel, finest: None };
    measuring.measure(workload, |Task { setting: Setting { threads, .. }, stop, .. }| {
        let number = threads.to_string();
        let words: Vec<String> = words.iter().map(|word| word.replace(THREADS, &number)).collect();
        once(&words, stop).with_context(|| format!("with {}", counted(*threads, "thread")))
    })
}

/// One run of a command, which ends when `stop` is raised.
fn once(words: &[String], stop: &Stop) -> Result<Run> {
    let (variables, words) = words.split_at(assignments(words));
    let program = &words[0];
    let cannot_run = || format!("cannot run {program}");
    let mut command = Command::new(program);
    command.envs(variables.iter().filter_map(|word| word.split_once('=')));
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // A group of its own: a signal reaches whatever it starts, and reaches it from here alone.
    command.process_group(0);
    let watch = Stopwatch::of_children();
    let mut child = command.spawn().with_context(cannot_run)?;
    let group = Pid::from_raw(i32::try_from(child.id())?);
    let over = AtomicBool::new(false);
    let stderr = child.stderr.take();
    let (status, spent, said) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| end_when_stopped(group, stop, &over));
        // Read while it runs: a full pipe would stop the command.
        let reader = scope.spawn(|| stderr.map(|from| read_until(from, &over)));
        let (status, spent) = (child.wait(), watch.stop());
        over.store(true, Release);
        watcher.thread().unpark();
        (status, spent, reader.join().ok().flatten().unwrap_or_default())
    });
    let status = status.with_context(cannot_run)?;
    if !status.success() {
        let said = String::from_utf8_lossy(&said);
        let said = Some(said.trim_end()).filter(|said| !said.is_empty());
        bail!("{program}: {status}: {}", said.unwrap_or("nothing on standard error"));
    }
    ensure!(spent.wall > 0.0, "{program} took no time");
    Ok(Run::new(spent, None))
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
