//! `tallyboard scale …`

use anyhow::{Context, Result, ensure};
use tallyboard::queens::{Board, Count, known};
use tallyboard::scale::{Report, measure, thread_ladder};
use tallyboard::search::{Options, Silent, Stop, run as search};
use tallyboard::sudoku::stream::{Row, Settings, solve_stream};

use super::args::Args;
use super::args::scale::{Command, Measuring};
use super::ending::Ending;
use super::io::say;

/// Measures one of the jobs.
pub fn run(command: &Command, _args: &Args) -> Result<Ending> {
    let (report, measuring) = match command {
        Command::Queens { n, measuring } => (queens(*n, measuring)?, measuring),
        Command::Sudoku { file, measuring } => {
            let text =
                std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            (sudoku(&file.display().to_string(), &text, measuring)?, measuring)
        }
    };
    if measuring.json {
        say(serde_json::to_string_pretty(&report)?)?;
    } else {
        say(table(&report))?;
    }
    Ok(Ending::Done)
}

fn ladder(measuring: &Measuring) -> Vec<usize> {
    thread_ladder(measuring.max.map_or_else(num_cpus::get, usize::from))
}

fn queens(n: u32, measuring: &Measuring) -> Result<Report> {
    let problem = Count::new(Board::plain(n)?)?;
    let job = format!("queens count {n}");
    measure(&job, &ladder(measuring), measuring.runs.into(), |threads| {
        let options = Options { threads, ..Options::default() };
        let found = search(&problem, &options, &mut Silent)?.tally.solutions();
        ensure!(known::solutions(n).is_none_or(|known| known == found), "wrong count: {found}");
        Ok(())
    })
}

fn sudoku(name: &str, text: &[u8], measuring: &Measuring) -> Result<Report> {
    let job = format!("sudoku solve {name}");
    measure(&job, &ladder(measuring), measuring.runs.into(), |threads| {
        let stop = Stop::new();
        let settings =
            Settings { limit: 2, row: Row::Solution, strict: false, threads, stop: &stop };
        solve_stream(text, &mut std::io::sink(), &settings, &mut |_| {})?;
        Ok(())
    })
}

fn table(report: &Report) -> String {
    let mut text = format!(
        "{}: {} logical cores, {} physical cores\nthreads   median s   speed-up   efficiency",
        report.job, report.logical_cores, report.physical_cores
    );
    for result in &report.results {
        text += &format!(
            "\n{:>7}   {:>8.4}   {:>8.2}   {:>9.0}%",
            result.threads,
            result.median,
            result.speed_up,
            result.efficiency * 100.0
        );
    }
    text
}
