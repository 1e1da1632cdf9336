//! `tallyboard scale queens N`

use crate::figures::counted;
use crate::queens::{Board, Count, known};
use crate::scale::measure::{Run, Setting};
use crate::scale::notes::{Noted, Notes};
use crate::scale::report::THREADS;
use crate::scale::resplit::Resplit;
use crate::search::{Options, Problem, Silent, run as search};
use anyhow::{Context, Result, bail};

use super::measuring::{Measuring, Task, Workload};
use crate::cli::ending::Ending;

/// Measures the count of all solutions of an n × n board.
pub fn measure(n: u32, measuring: Measuring<'_>) -> Result<Ending> {
    let problem = Count::new(Board::plain(n)?)?;
    let workload = Workload {
        problem: format!("queens {n}"),
        command: format!("tallyboard queens count {n} -j {THREADS}"),
        kernel: format!("{} ({})", problem.engine(), problem.kernel()),
        finest: Some(problem.split().len()),
    };
    measuring.measure(workload, |task| {
        let (run, found) = times_over(&problem, task)?;
        if let Some(found) = found {
            known::check(n, found).with_context(|| by_whom(task.setting))?;
        }
        Ok(run)
    })
}

/// One run as the setting wants it, and what one unit of its work counted if it came to its end: weak
/// scaling repeats the problem, so both the work and the count are exact multiples.
pub fn times_over(problem: &dyn Problem, task: Task) -> Result<(Run, Option<u128>)> {
    let Setting { work, subtrees, .. } = *task.setting;
    let times = work as usize;
    let (run, found) = match subtrees {
        Some(groups) => once(&Resplit::grouped(problem, groups), task)?,
        None if times > 1 => once(&Resplit::repeated(problem, times), task)?,
        None => once(problem, task)?,
    };
    let times = times as u128;
    if let Some(found) = found.filter(|found| !found.is_multiple_of(times)) {
        bail!("found {found} solutions {}", by_whom(task.setting));
    }
    Ok((run, found.map(|found| found / times)))
}

fn by_whom(setting: &Setting) -> String {
    format!("counted by {}, {} times over", counted(setting.threads, "thread"), setting.work)
}

/// One noted run, and what it counted if it came to its end.
fn once(problem: &dyn Problem, task: Task) -> Result<(Run, Option<u128>)> {
    let threads = task.setting.threads;
    let notes = Notes::start(threads, task.places);
    let noted = Noted { problem, notes: &notes };
    let options = Options::new().threads(threads).stop(task.stop);
    let outcome = search(&noted, &options, &mut Silent)?;
    Ok((notes.finish(), outcome.whole()))
}
