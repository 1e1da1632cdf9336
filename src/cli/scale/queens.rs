//! `tallyboard scale queens N`

use anyhow::{Context, Result, ensure};
use tallyboard::queens::{Board, Count, known};
use tallyboard::scale::measure::{Sample, Setting};
use tallyboard::scale::recorder::{Recorded, Recorder};
use tallyboard::scale::resplit::{Grouped, Repeated};
use tallyboard::search::{Options, Problem, Silent, Stop, run as search};

use super::plan::{Job, Measuring};
use crate::cli::ending::Ending;
use crate::plural::s;

/// Measures the count of all solutions of an n × n board.
pub fn measure(n: u32, measuring: &Measuring<'_>) -> Result<Ending> {
    let problem = Count::new(Board::plain(n)?)?;
    let job = Job {
        problem: format!("queens {n}"),
        command: format!("tallyboard queens count {n}"),
        kernel: format!("{} ({})", problem.engine(), problem.kernel()),
        finest: Some(problem.split().len()),
    };
    let stop = measuring.stop();
    measuring.measure(job, |setting, places| {
        // Weak scaling repeats the board, so both the work and the count are exact multiples.
        let times = setting.work as usize;
        let (sample, found) = match setting.subtrees {
            Some(groups) => once(&Grouped { problem: &problem, groups }, setting, places, stop)?,
            None if times > 1 => {
                once(&Repeated { problem: &problem, times }, setting, places, stop)?
            }
            None => once(&problem, setting, places, stop)?,
        };
        let Some(found) = found else { return Ok(sample) };
        let threads = setting.threads;
        let by_whom = || format!("counted by {threads} thread{}, {times} times over", s(threads));
        ensure!(found.is_multiple_of(times as u128), "found {found} solutions {}", by_whom());
        known::check(n, found / times as u128).with_context(by_whom)?;
        Ok(sample)
    })
}

/// One recorded run, and what it counted if it came to its end.
fn once(
    problem: &impl Problem,
    setting: &Setting,
    places: &[usize],
    stop: &Stop,
) -> Result<(Sample, Option<u128>)> {
    let recorder = Recorder::start(setting.threads, places);
    let recorded = Recorded { problem, recorder: &recorder };
    let options = Options::new().threads(setting.threads).stop(stop);
    let outcome = search(&recorded, &options, &mut Silent)?;
    Ok((recorder.finish(), outcome.complete.then(|| outcome.tally.solutions())))
}
