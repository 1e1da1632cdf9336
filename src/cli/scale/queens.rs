//! `tallyboard scale queens N`

use anyhow::{Context, Result, ensure};
use tallyboard::figures::counted;
use tallyboard::queens::{Board, Count, known};
use tallyboard::scale::measure::{Run, Setting};
use tallyboard::scale::notes::{Noted, Notes};
use tallyboard::scale::report::THREADS;
use tallyboard::scale::resplit::Resplit;
use tallyboard::search::{Options, Problem, Silent, Stop, run as search};

use super::measuring::{Measuring, Workload};
use crate::cli::ending::Ending;

/// Measures the count of all solutions of an n × n board.
pub fn measure(n: u32, measuring: &Measuring<'_>) -> Result<Ending> {
    let problem = Count::new(Board::plain(n)?)?;
    let workload = Workload {
        problem: format!("queens {n}"),
        command: format!("tallyboard queens count {n} -j {THREADS}"),
        kernel: format!("{} ({})", problem.engine(), problem.kernel()),
        finest: Some(problem.split().len()),
    };
    let stop = measuring.stop();
    measuring.measure(workload, |setting, places| {
        let (sample, found) = times_over(&problem, setting, places, stop)?;
        if let Some(found) = found {
            known::check(n, found).with_context(|| by_whom(setting))?;
        }
        Ok(sample)
    })
}

/// One run as the setting wants it, and what one unit of its work counted if it came to its end: weak
/// scaling repeats the problem, so both the work and the count are exact multiples.
pub fn times_over(
    problem: &dyn Problem,
    setting: &Setting,
    places: &[usize],
    stop: &Stop,
) -> Result<(Run, Option<u128>)> {
    let times = setting.work as usize;
    let (sample, found) = match setting.subtrees {
        Some(groups) => once(&Resplit::grouped(problem, groups), setting, places, stop)?,
        None if times > 1 => once(&Resplit::repeated(problem, times), setting, places, stop)?,
        None => once(problem, setting, places, stop)?,
    };
    let Some(found) = found else { return Ok((sample, None)) };
    ensure!(found.is_multiple_of(times as u128), "found {found} solutions {}", by_whom(setting));
    Ok((sample, Some(found / times as u128)))
}

fn by_whom(setting: &Setting) -> String {
    format!("counted by {}, {} times over", counted(setting.threads, "thread"), setting.work)
}

/// One noted run, and what it counted if it came to its end.
fn once(
    problem: &dyn Problem,
    setting: &Setting,
    places: &[usize],
    stop: &Stop,
) -> Result<(Run, Option<u128>)> {
    let notes = Notes::start(setting.threads, places);
    let noted = Noted { problem, notes: &notes };
    let options = Options::new().threads(setting.threads).stop(stop);
    let outcome = search(&noted, &options, &mut Silent)?;
    Ok((notes.finish(), outcome.complete.then(|| outcome.tally.solutions())))
}
