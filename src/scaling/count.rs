//! Measures the count of a problem at several thread counts.

use anyhow::{Context, Result, bail, ensure};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_scale::measure::{Run, Setting};
use tallyboard_scale::timer::{Regrouping, RunTimer, TimedProblem};
use tallyboard_search::{Options, Problem, Silent, run as search};

use super::measurement::{Measurement, Task, Workload, compare_with_first};
use crate::counting::{Counting, Details, KnownCount, Resources};
use crate::scaling::measurement::MeasureArgs;
use crate::terminal::{Args, ExitStatus};

/// Measures the count of `job`, which the report calls `problem` and which takes at most `memory` bytes. `command` is the command that
/// only counts.
pub fn run(
    job: &dyn Counting,
    memory: Option<u64>,
    problem: &str,
    command: String,
    flags: &MeasureArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let measurement = Measurement::begin(flags, args)?;
    let prepared = job.prepare(&Resources::elsewhere(measurement.most_threads(), memory))?;
    let subtrees = prepared.costs.len();
    ensure!(subtrees > 0, "{} has no subtrees: there is nothing to measure", prepared.title);
    let workload = Workload {
        problem: problem.to_owned(),
        command,
        kernel: kernel_text(&prepared.details),
        unit: Some("solutions".to_owned()),
        parameters: Vec::new(),
    };
    measure(&*prepared.problem, job.known_count(), workload, measurement)
}

/// How the problem is counted, for the report: the first detail, with the others in parentheses.
fn kernel_text(details: &Details) -> String {
    match &details.0[..] {
        [] => "unknown".to_owned(),
        [(_, only)] => only.clone(),
        [(_, first), others @ ..] => {
            let others: Vec<&str> = others.iter().map(|(_, value)| &**value).collect();
            format!("{first} ({})", others.join(", "))
        }
    }
}

/// Measures the count of `problem`. Every run has to find the known count, or the count of the first run if none is
/// known.
pub fn measure(
    problem: &dyn Problem,
    known: KnownCount,
    workload: Workload,
    measurement: Measurement,
) -> Result<ExitStatus> {
    let mut first = None;
    let name = workload.problem.clone();
    measurement.measure(workload, |task| {
        let (mut run, found) = run_setting(problem, task)?;
        let Some(found) = found else { return Ok(run) };
        known.check(&name, found).with_context(|| describe(task.setting))?;
        if let Err(expected) = compare_with_first(&mut first, found) {
            bail!(
                "{} found {}, expected {}",
                counted(task.setting.threads, "thread"),
                counted(found, "solution"),
                grouped(expected)
            );
        }
        // A residue is not the number of solutions.
        let is_number = problem.modulus().is_none();
        run.amount = is_number.then_some(found as f64 * task.setting.work);
        Ok(run)
    })
}

/// One run with the setting of `task`, and the count of the problem. There is no count if the run was stopped, or if it
/// counted residues several times over. Weak scaling counts the problem several times over, so the work and the sum are
/// exact multiples.
fn run_setting(problem: &dyn Problem, task: Task) -> Result<(Run, Option<u128>)> {
    let Setting { work, .. } = *task.setting;
    let times = work as usize;
    let (run, sum) = match times > 1 {
        true => count_timed(&Regrouping::repeated(problem, times), task)?,
        false => count_timed(problem, task)?,
    };
    // A sum of residues cannot be divided by their number.
    let sum = sum.filter(|_| times <= 1 || problem.modulus().is_none());
    let times = times as u128;
    if let Some(sum) = sum.filter(|sum| !sum.is_multiple_of(times)) {
        bail!("found {sum} solutions {}, expected a multiple of {times}", describe(task.setting));
    }
    Ok((run, sum.map(|sum| sum / times)))
}

fn describe(setting: &Setting) -> String {
    format!("with {}, counted {} times over", counted(setting.threads, "thread"), setting.work)
}

/// One run with each subtree timed, and its count unless it was stopped.
fn count_timed(problem: &dyn Problem, task: Task) -> Result<(Run, Option<u128>)> {
    let threads = task.setting.threads;
    let timer = RunTimer::start(threads, task.places);
    let timed = TimedProblem { problem, timer: &timer };
    let options = Options::new().threads(threads).stop(task.stop);
    let outcome = search(&timed, &options, &mut Silent)?;
    Ok((timer.finish(), outcome.whole()))
}
