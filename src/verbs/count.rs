//! `count`: all solutions of a puzzle, or up to a limit, or up to symmetry.

use std::cell::Cell;
use std::time::Instant;

use anyhow::Result;
use tallyboard_base::figures::counted;
use tallyboard_search::{Error, Overflow};

use super::{Source, Verb};
use crate::counting::{CountFlags, count};
use crate::games::{FileArgs, Method, MethodArgs, Puzzle, ensure_fit, ensure_useful, too_many};
use crate::terminal::{Args, ExitStatus, Interrupt, info, print_line};

#[derive(Debug, clap::Args)]
pub struct Count {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    method: MethodArgs,

    /// Stop counting here, and say that there are at least as many; on one thread
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["journal", "resume", "subtree"])]
    limit: Option<u64>,

    /// Count covers up to symmetry too: that of a drawn board, or that of lines such as `| symmetry: (a b)` in
    /// Knuth's format
    #[arg(long, conflicts_with_all = ["subtree", "modulo", "limit"])]
    fundamental: bool,

    /// Count the different pictures of numbers, too: of dominoes on a board of Pips, each way in which the numbers can stand on its
    /// cells once
    #[arg(long, conflicts_with_all = ["subtree", "modulo", "limit", "fundamental"])]
    by_values: bool,

    /// Count the remainder by M, for problems with more than 2^128 - 1 covers
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(2..=u64::MAX), conflicts_with = "limit")]
    modulo: Option<u64>,

    #[command(flatten)]
    counting: CountFlags,
}

impl Verb for Count {
    const NAME: &'static str = "count";
    const ABOUT: &'static str = "Count all solutions";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_fit(source.game, &self.file, Some(&self.method))?;
        ensure_useful(source.game, Self::NAME, "modulo", self.modulo.is_some())?;
        // A journal and a subtree are of one count.
        let is_of_one =
            self.counting.journaling.journal.is_some() || self.counting.subtree.is_some();
        let puzzles = if is_of_one {
            vec![source.read(args)?]
        } else {
            source.game.read_all(&self.file, args)?
        };
        for puzzle in &puzzles {
            let ending = match self.limit {
                Some(limit) => self.count_some(&**puzzle, limit, args)?,
                None => self.count_all(&**puzzle, args)?,
            };
            if ending != ExitStatus::Done {
                return Ok(ending);
            }
        }
        Ok(ExitStatus::Done)
    }
}

impl Count {
    /// Counts all solutions, checks the number against the one that the file states, and prints it.
    fn count_all(&self, puzzle: &dyn Puzzle, args: &Args) -> Result<ExitStatus> {
        let job = puzzle.counting(&Method { modulo: self.modulo, ..self.method.method() })?;
        let classes = match (self.fundamental, self.by_values) {
            (true, _) => Some(puzzle.up_to_symmetry()?),
            (_, true) => Some(puzzle.by_values()?),
            _ => None,
        };
        let has_none = Cell::new(false);
        let ending =
            count::run(&*job, self.method.memory, &self.counting, args, &|solutions, stop| {
                has_none.set(solutions == 0 && self.modulo.is_none());
                let Some(classes) = &classes else { return Ok((Vec::new(), None)) };
                let fact = classes(solutions, args.threads, stop)?;
                let number = fact.as_ref().map(|fact| fact.value.to_string());
                Ok((fact.into_iter().collect(), number))
            });
        if has_none.get() && ending.is_ok() {
            puzzle.why_none().iter().for_each(|why| info(args, why));
        }
        ending.map_err(|error| match error.chain().any(is_overflow) {
            true => too_many(puzzle.game()).into(),
            false => error,
        })
    }

    /// Counts up to a limit, on one thread.
    fn count_some(&self, puzzle: &dyn Puzzle, limit: u64, args: &Args) -> Result<ExitStatus> {
        let interrupt = Interrupt::listen();
        let began = Instant::now();
        let found = match puzzle.solve(limit, interrupt.stop()) {
            Err(_) if interrupt.stop().requested() => {
                return Ok(interrupt.report_interruption("; nothing is saved"));
            }
            found => found?,
        };
        let is_all = found.count < limit;
        if self.counting.json {
            let job = puzzle.counting(&self.method.method())?;
            let solutions = found.count.into();
            count::print_limited(&*job, puzzle.title(), solutions, is_all, began.elapsed())?;
        } else if args.quiet {
            print_line(found.count)?;
        } else {
            let extent = if is_all { "" } else { "at least " };
            let place = puzzle.line().map_or(String::new(), |line| format!("line {line}: "));
            let solutions = counted(found.count, puzzle.game().noun());
            print_line(format_args!("{place}{extent}{solutions}"))?;
        }
        Ok(ExitStatus::Done)
    }
}

fn is_overflow(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<Overflow>() || matches!(error.downcast_ref(), Some(Error::Overflow(_)))
}
