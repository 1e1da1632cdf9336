//! `tallyboard cluster plan …`

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::figures::{core_interval, core_time, counted, grouped, mebibytes, percent};
use crate::queens::{Board, Count, Engine, Settings, Square};
use crate::search::durable::is_special;
use crate::search::shard::{InFile, Plan, Work, deal};
use crate::search::{Costs, Problem, describe};
use crate::sudoku::format::{Form, Wanted, compress::Compression};
use anyhow::{Context, Result, bail, ensure};

use super::job::{Job, JobPlan, Piece, Queens, Sudoku};
use crate::cli::args::Args;
use crate::cli::args::cluster::{PlanArgs, PlanCommand};
use crate::cli::ending::Ending;
use crate::cli::forecast::{PATIENCE, expected, too_long};
use crate::cli::io::{cannot_read, remark};
use crate::cli::problem::board;

/// Makes a plan and says what it will take.
pub fn run(command: &PlanCommand, args: &Args) -> Result<Ending> {
    let (plan, planning) = match command {
        PlanCommand::Queens { board: it, engine, planning } => {
            (queens(board(it.n, &it.squares, args)?, *engine, planning, args)?, planning)
        }
        PlanCommand::Sudoku { file, limit, planning } => {
            (sudoku(file, *limit, planning)?, planning)
        }
    };
    let is_stdout = planning.output == Path::new("-");
    let path = if is_stdout { Path::new("/dev/stdout") } else { &planning.output };
    ensure_free(path, &plan)?;
    plan.write(path).context("cannot write the plan")?;
    remark(args, report(&plan, path));
    Ok(Ending::Done)
}

/// That `path` holds no plan of other work: its results would belong to nothing any more.
fn ensure_free(path: &Path, plan: &JobPlan) -> Result<()> {
    if is_special(path) || !path.try_exists().with_context(|| cannot_read(path))? {
        return Ok(());
    }
    match JobPlan::read(path) {
        Ok(there) if there.job == plan.job && there.work == plan.work => Ok(()),
        Ok(there) => bail!(
            "{} holds another plan ({} in {} shards), whose results would no longer merge: name another \
             file, or remove this one",
            path.display(),
            describe(&there.work.identity),
            there.work.shards
        ),
        Err(error) => Err(error).context("found a file that is no plan, expected a free name"),
    }
}

fn queens(
    board: Board,
    engine: Option<Engine>,
    planning: &PlanArgs,
    args: &Args,
) -> Result<JobPlan> {
    let names = |squares: &[Square]| squares.iter().map(ToString::to_string).collect();
    let (n, placed, blocked) = (board.n(), names(board.placed()), names(board.blocked()));
    let settings = Settings::new().engine(engine).threads(args.threads);
    let problem = Count::with(board, settings)?;
    let costs = problem.split();
    let shards = planning.shards as usize;
    ensure!(
        shards <= costs.len().max(1),
        "found {shards} shards, expected at most {}: the count has no more subtrees",
        costs.len()
    );
    let work = Work {
        identity: problem.identity(),
        shards,
        subtrees: costs.len(),
        layout: costs.fingerprint(),
    };
    remark(args, balance(&costs, shards));
    let job = Job::Queens(Queens { n, placed, blocked, engine: problem.engine().to_string() });
    Ok(Plan { job, work, forecast: Some(expected(&problem, args.threads)?) })
}

/// How evenly the work is dealt.
fn balance(costs: &Costs, shards: usize) -> String {
    let shares = deal(costs.each(), shards).into_iter().map(|ids| costs.sum(Some(&ids)));
    let longest = shares.max().unwrap_or(0) as f64;
    let mean = costs.sum(None) as f64 / shards as f64;
    format!("the longest shard costs {} more than the mean", percent(longest / mean - 1.0))
}

/// Cuts `file` into pieces of about the same number of bytes, after whole lines.
fn sudoku(file: &Path, limit: u64, planning: &PlanArgs) -> Result<JobPlan> {
    let cannot_read = || cannot_read(file);
    let path = file.canonicalize().with_context(cannot_read)?;
    ensure!(path.to_str().is_some(), "{}: a plan holds paths in UTF-8 only", path.display());
    let opened = File::open(&path).with_context(cannot_read)?;
    let bytes = opened.metadata().with_context(cannot_read)?.len();
    let mut reader = BufReader::with_capacity(1 << 20, opened);
    let head = reader.fill_buf().with_context(cannot_read)?;
    ensure!(
        Compression::of_head(head).is_ok_and(|found| found == Compression::None),
        "{}: found a compressed file; a byte range of it means nothing",
        file.display()
    );
    let form = Form::find(head, &Wanted::default()).with_context(cannot_read)?;
    ensure!(
        form.is_plain(),
        "{}: found another format or size, expected 9 × 9 puzzles one a line, of which any piece can \
         be solved by itself; tallyboard sudoku solve --to lines makes them",
        file.display()
    );
    let pieces = cut(reader, bytes, u64::from(planning.shards)).with_context(cannot_read)?;
    let job = Sudoku { file: path, limit, pieces };
    let work = job.work();
    Ok(Plan { job: Job::Sudoku(job), work, forecast: None })
}

fn cut(mut reader: impl BufRead, bytes: u64, shards: u64) -> std::io::Result<Vec<Piece>> {
    let (mut pieces, mut line) = (Vec::new(), Vec::new());
    let (mut start, mut at, mut lines, mut lines_before) = (0, 0, 0, 0);
    for shard in 1..=shards {
        let target = (u128::from(bytes) * u128::from(shard) / u128::from(shards)) as u64;
        let mut hasher = crc32fast::Hasher::new();
        // The last piece takes whatever is there, should the file be growing.
        while at < target || shard == shards {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                break;
            }
            hasher.update(&line);
            at += length;
            lines += 1;
        }
        pieces.push(Piece { start, end: at, lines_before, crc32: hasher.finalize() });
        (start, lines_before) = (at, lines);
    }
    Ok(pieces)
}

/// What people want to know of a plan.
fn report(plan: &JobPlan, path: &Path) -> String {
    let work = &plan.work;
    let mut text = format!(
        "{}: {} in {} (0 to {}), {}",
        path.display(),
        describe(&work.identity),
        counted(work.shards, "shard"),
        grouped(work.shards - 1),
        counted(work.subtrees, "subtree")
    );
    if let Some(forecast) = plan.forecast {
        let seconds = |hours: f64| hours * 3600.0;
        text += &match forecast.core_hours {
            Some(hours) => format!(
                "\nexpected: {} in all (95 % interval {}), {} a shard, on cores like this one",
                core_time(seconds(hours.estimate)),
                core_interval(seconds(hours.low), seconds(hours.high)),
                core_time(seconds(hours.estimate / work.shards as f64))
            ),
            None => format!("\n{}", too_long(PATIENCE)),
        };
        text += &format!(
            "\nmemory: {} a shard, and {} for each further core",
            mebibytes(forecast.memory_bytes),
            mebibytes(forecast.memory_bytes_per_worker)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_lines_that_cover_the_file() {
        let text: String = (0..100).map(|n| format!("{}\n", "x".repeat(n % 17))).collect();
        for shards in [1, 2, 7, 100, 300] {
            let pieces = cut(text.as_bytes(), text.len() as u64, shards).unwrap();
            assert_eq!(pieces.len() as u64, shards);
            let mut at = 0;
            for piece in &pieces {
                assert_eq!(piece.start, at);
                let before = &text.as_bytes()[..at as usize];
                assert!(before.is_empty() || before.ends_with(b"\n"));
                let lines = before.iter().filter(|&&byte| byte == b'\n').count();
                assert_eq!(piece.lines_before, lines as u64);
                at = piece.end;
            }
            assert_eq!(at, text.len() as u64);
        }
    }
}
