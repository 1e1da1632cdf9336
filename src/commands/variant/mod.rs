//! `tallyboard variant …`: sudokus by rules from a file.
//!
//! They have commands of their own, beside `sudoku`, because a file of rules is one puzzle, or one set of rules for many,
//! while the commands of `sudoku` read files of millions in a dozen formats, with flags that no variant has.

mod generate;
mod solve;

use std::time::Instant;

use anyhow::{Result, bail};
use tallyboard_base::figures::counted;
use tallyboard_variants::{Located, Solver};

use crate::counting::{CountFlags, count};
use crate::games::variant::{self, VariantPuzzle, read_all, several};
use crate::games::{FileArgs, Puzzle, Variant};
use crate::terminal::{Args, ExitStatus, Interrupt, info, print_line};
use crate::verbs::{Below, Call};

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve the puzzle of a file, or every line of another file by its rules
    Solve(solve::SolveArgs),
    /// Count all solutions
    Count {
        #[command(flatten)]
        file: FileArgs,
        /// Stop counting here, and say that there are at least as many
        #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["journal", "resume", "subtree"])]
        limit: Option<u64>,
        #[command(flatten)]
        counting: CountFlags,
    },
    /// Print the values that each cell has in some solution
    Candidates {
        #[command(flatten)]
        file: FileArgs,
        /// Print a JSON document: a list of values for each cell, row by row
        #[arg(long)]
        json: bool,
    },
    /// Make random puzzles with one solution by the rules of a file
    Generate(generate::GenerateArgs),
    #[command(flatten)]
    Verb(Call<Below<Variant>>),
}

/// Runs one of the variant commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Solve(flags) => solve::run(flags, args),
        Command::Count { file, limit, counting } => run_count(file, *limit, counting, args),
        Command::Candidates { file, json } => run_candidates(file, *json, args),
        Command::Generate(flags) => generate::run(flags, args),
        Command::Verb(call) => call.run(args),
    }
}

/// Counts all solutions, or up to a limit on one thread.
fn run_count(
    file: &FileArgs,
    limit: Option<u64>,
    flags: &CountFlags,
    args: &Args,
) -> Result<ExitStatus> {
    let found = read_all(file)?;
    // A journal and a subtree are of one count.
    if found.len() > 1 && (flags.journaling.journal.is_some() || flags.subtree.is_some()) {
        bail!(several(file, &found));
    }
    for Located { line, puzzle, .. } in &found {
        let line = (found.len() > 1).then_some(*line);
        match count_one(&VariantPuzzle::new(file, line, puzzle.clone()), limit, flags, args)? {
            ExitStatus::Done => {}
            other => return Ok(other),
        }
    }
    Ok(ExitStatus::Done)
}

/// Counts the solutions of one puzzle.
fn count_one(
    puzzle: &VariantPuzzle,
    limit: Option<u64>,
    flags: &CountFlags,
    args: &Args,
) -> Result<ExitStatus> {
    let job = &puzzle.job();
    let Some(limit) = limit else {
        // No facts follow from this count.
        return count::run(job, None, flags, args, &|_, _| Ok((Vec::new(), None)));
    };
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let Ok(answer) = puzzle.solve(limit, interrupt.stop()) else {
        return Ok(interrupt.report_interruption("; nothing is saved"));
    };
    let is_all = answer.count < limit;
    if flags.json {
        let solutions = answer.count.into();
        count::print_limited(job, job.title(), solutions, is_all, began.elapsed())?;
    } else if args.quiet {
        print_line(answer.count)?;
    } else {
        let extent = if is_all { "" } else { "at least " };
        let place = job.line.map_or(String::new(), |line| format!("line {line}: "));
        print_line(format_args!("{place}{extent}{}", counted(answer.count, "solution")))?;
    }
    Ok(ExitStatus::Done)
}

/// Prints the values that each cell has in some solution.
fn run_candidates(file: &FileArgs, as_json: bool, args: &Args) -> Result<ExitStatus> {
    let puzzle = variant::read_one(file)?;
    let interrupt = Interrupt::listen();
    let found = Solver::new(puzzle.rules()).true_candidates(&puzzle, interrupt.stop());
    let Ok(candidates) = found else {
        return Ok(interrupt.report_interruption("; nothing is saved"));
    };
    if as_json {
        let size = candidates.size();
        let values_of = |index| candidates.of(size.cell(index));
        let cells: Vec<Vec<u8>> = (0..size.cells()).map(values_of).collect();
        let rows: Vec<&[Vec<u8>]> = cells.chunks(size.side()).collect();
        print_line(serde_json::to_string(&rows)?)?;
    } else {
        print_line(candidates.to_string().trim_end())?;
    }
    info(args, counted(candidates.total(), "candidate"));
    Ok(ExitStatus::Done)
}
