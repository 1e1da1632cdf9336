//! `tallyboard scale queens N`

use crate::plural::s;
use anyhow::{Context, Result, ensure};
use tallyboard::queens::{Board, Count, known};
use tallyboard::scale::measure::{Sample, Setting};
use tallyboard::scale::recorder::{Recorded, Recorder};
use tallyboard::scale::report::Report;
use tallyboard::scale::resplit::{Grouped, Repeated};
use tallyboard::search::{Options, Problem, Silent, run as search};

use super::plan::{self, Job};
use crate::cli::args::Args;
use crate::cli::args::scale::Measuring;

/// Measures the count of all solutions of an n × n board.
pub fn measure(n: u32, measuring: &Measuring, args: &Args) -> Result<Report> {
    let problem = Count::new(Board::plain(n)?)?;
    let job = Job {
        problem: format!("queens {n}"),
        command: format!("tallyboard queens count {n}"),
        kernel: format!("{} ({})", problem.engine(), problem.kernel()),
    };
    let finest = problem.split().len();
    plan::measure(job, measuring, args, finest, |setting, places| {
        // Weak scaling repeats the board, so both the work and the count are exact multiples.
        let times = setting.work as usize;
        let (sample, found) = match setting.subtrees {
            Some(groups) => once(&Grouped { problem: &problem, groups }, setting, places)?,
            None if times > 1 => once(&Repeated { problem: &problem, times }, setting, places)?,
            None => once(&problem, setting, places)?,
        };
        let threads = setting.threads;
        let by_whom = || format!("counted by {threads} thread{}, {times} times over", s(threads));
        ensure!(found.is_multiple_of(times as u128), "found {found} solutions {}", by_whom());
        known::check(n, found / times as u128).with_context(by_whom)?;
        Ok(sample)
    })
}

/// One recorded run, and what it counted.
fn once(problem: &impl Problem, setting: &Setting, places: &[usize]) -> Result<(Sample, u128)> {
    let recorder = Recorder::start(setting.threads, places);
    let recorded = Recorded { problem, recorder: &recorder };
    let options = Options::new().threads(setting.threads);
    let outcome = search(&recorded, &options, &mut Silent)?;
    Ok((recorder.finish(), outcome.tally.solutions()))
}
