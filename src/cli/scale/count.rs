//! Measures the count of a problem at several thread counts.

use crate::figures::{counted, grouped};
use crate::program::Settings;
use crate::program::job::{Job, KnownCount};
use crate::scale::measure::{Run, Setting};
use crate::scale::notes::{Noted, Notes};
use crate::scale::resplit::Resplit;
use crate::search::{Options, Problem, Silent, run as search};
use anyhow::{Context, Result, bail, ensure};

use super::measuring::{Measuring, Task, Workload, as_first};
use crate::cli::args::{Args, scale::MeasureArgs};
use crate::cli::ending::Ending;

/// Measures the count of `job`, which a report calls `problem`; `command` counts it alone.
pub fn run(
    job: &dyn Job,
    problem: &str,
    command: String,
    flags: &MeasureArgs,
    args: &Args,
) -> Result<Ending> {
    let measuring = Measuring::begin(flags, args)?;
    let it = job.prepare(&Settings::unlimited(measuring.most_threads()))?;
    ensure!(it.costs.len() > 0, "{} has no subtrees: there is nothing to measure", it.title);
    let kernel = match &it.details.0[..] {
        [] => "not told".to_owned(),
        [(_, only)] => only.clone(),
        [(_, first), others @ ..] => {
            let others: Vec<&str> = others.iter().map(|(_, value)| &**value).collect();
            format!("{first} ({})", others.join(", "))
        }
    };
    let finest = Some(it.costs.len());
    let problem = problem.to_owned();
    let workload = Workload::new(problem, command, kernel, finest, "solutions");
    measure(&*it.problem, job.known(), workload, measuring)
}

/// Measures the count of `problem`: every run has to find the known count, or else what the first run
/// found.
pub fn measure(
    problem: &dyn Problem,
    known: KnownCount,
    workload: Workload,
    measuring: Measuring<'_>,
) -> Result<Ending> {
    let (mut expected, name) = (None, workload.problem.clone());
    measuring.measure(workload, |task| {
        let (mut run, found) = times_over(problem, task)?;
        let Some(found) = found else { return Ok(run) };
        known.check(&name, found).with_context(|| by_whom(task.setting))?;
        if let Err(expected) = as_first(&mut expected, found) {
            bail!(
                "{} found {}, expected {}",
                counted(task.setting.threads, "thread"),
                counted(found, "solution"),
                grouped(expected)
            );
        }
        // A residue is no number of solutions.
        let is_number = problem.modulus().is_none();
        run.amount = is_number.then_some(found as f64 * task.setting.work);
        Ok(run)
    })
}

/// One run by the setting of `task`, and the count of the problem if the run was not stopped. Weak scaling
/// repeats the problem, so both the work and the sum are exact multiples.
fn times_over(problem: &dyn Problem, task: Task) -> Result<(Run, Option<u128>)> {
    let Setting { work, subtrees, .. } = *task.setting;
    let times = work as usize;
    let (run, found) = match subtrees {
        Some(groups) => once(&Resplit::grouped(problem, groups), task)?,
        None if times > 1 => once(&Resplit::repeated(problem, times), task)?,
        None => once(problem, task)?,
    };
    // With a modulus the sum of several counts cannot be divided by their number.
    let found = found.filter(|_| times <= 1 || problem.modulus().is_none());
    let times = times as u128;
    if let Some(found) = found.filter(|found| !found.is_multiple_of(times)) {
        bail!("found {found} solutions {}", by_whom(task.setting));
    }
    Ok((run, found.map(|found| found / times)))
}

fn by_whom(setting: &Setting) -> String {
    format!("counted by {}, {} times over", counted(setting.threads, "thread"), setting.work)
}

/// One run with notes of its subtrees, and its count if it was not stopped.
fn once(problem: &dyn Problem, task: Task) -> Result<(Run, Option<u128>)> {
    let threads = task.setting.threads;
    let notes = Notes::start(threads, task.places);
    let noted = Noted { problem, notes: &notes };
    let options = Options::new().threads(threads).stop(task.stop);
    let outcome = search(&noted, &options, &mut Silent)?;
    Ok((notes.finish(), outcome.whole()))
}
