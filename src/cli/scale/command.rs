//! `tallyboard scale run -- COMMAND`

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use tallyboard::scale::clock::Stopwatch;
use tallyboard::scale::measure::Sample;

use super::plan::{Job, Measuring};
use crate::cli::ending::{Ending, Usage};

/// Stands for the number of threads in a command.
const THREADS: &str = "{threads}";

/// Measures any command, in which `{threads}` stands for the number of threads. What it prints is
/// thrown away.
pub fn measure(words: &[String], measuring: &Measuring<'_>) -> Result<Ending> {
    let line = words.join(" ");
    if !line.contains(THREADS) {
        return Err(Usage(format!("found no {THREADS} in '{line}', which tells it apart")).into());
    }
    let job = Job { problem: line.clone(), command: line, kernel: "command".into(), finest: None };
    measuring.measure(job, |setting, _| {
        let threads = setting.threads.to_string();
        let mut words = words.iter().map(|word| word.replace(THREADS, &threads));
        let program = words.next().unwrap_or_default();
        let mut command = Command::new(&program);
        command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let watch = Stopwatch::of_children();
        let child = command.spawn().with_context(|| format!("cannot run {program}"))?;
        let output = child.wait_with_output().with_context(|| format!("cannot run {program}"))?;
        let cost = watch.stop();
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{program} with {threads} threads: {}: {}", output.status, said.trim_end());
        }
        ensure!(cost.wall > 0.0, "{program} took no time");
        let (user, system) = (cost.cpu.user, cost.cpu.system);
        Ok(Sample { wall: cost.wall, user, system, workers: None })
    })
}
