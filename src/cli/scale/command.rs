//! `tallyboard scale run -- COMMAND`

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::figures::counted;
use crate::scale::measure::{Run, Setting};
use crate::scale::report::THREADS;
use crate::search::Stop;
use anyhow::{Context, Result, bail, ensure};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

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
    let program = &words[0];
    let cannot_run = || format!("cannot run {program}");
    let mut command = Command::new(program);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // A group of its own: a signal reaches whatever it starts, and reaches it from here alone.
    command.process_group(0);
    let watch = Stopwatch::of_children();
    let mut child = command.spawn().with_context(cannot_run)?;
    let group = Pid::from_raw(i32::try_from(child.id())?);
    let over = AtomicBool::new(false);
    let (stderr, mut said) = (child.stderr.take(), Vec::new());
    let (status, spent) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| end_when_stopped(group, stop, &over));
        // Read while it runs: a full pipe would stop the command.
        let reader = scope.spawn(|| stderr.map(|mut from| from.read_to_end(&mut said)));
        let (status, spent) = (child.wait(), watch.stop());
        over.store(true, Relaxed);
        watcher.thread().unpark();
        let _ = reader.join();
        (status, spent)
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

/// Passes a stop on to the process group until it is over: kindly at first.
fn end_when_stopped(group: Pid, stop: &Stop, over: &AtomicBool) {
    const LOOK: Duration = Duration::from_millis(50);
    /// Looks after which a command that ignores SIGTERM is killed.
    const PATIENCE: u32 = 40;
    let mut looks = 0;
    while !over.load(Relaxed) {
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
