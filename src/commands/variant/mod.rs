//! `tallyboard variant …`: sudokus by rules from a file.
//!
//! They have commands of their own, beside `sudoku`, because a file of rules is one puzzle, or one set of rules for many,
//! while the commands of `sudoku` read files of millions in a dozen formats, with flags that no variant has.

mod draw;
mod generate;
mod solve;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use tallyboard_base::figures::counted;
use tallyboard_variants::{Count, Located, Puzzle, Solver};

use crate::counting::{CountFlags, Counting, Error, Resources, Run, SampleFlags, count, estimate};
use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, UsageError, ensure_apart, eprint_line, info, io,
    print_line,
};

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
    /// List solutions, a line each, in an order that depends on the puzzle alone
    List(solve::ListArgs),
    /// Print the values that each cell has in some solution
    Candidates {
        #[command(flatten)]
        file: FileArgs,
        /// Print a JSON document: a list of values for each cell, row by row
        #[arg(long)]
        json: bool,
    },
    /// Draw the puzzle with its rules, and its solution if asked for
    Draw(draw::DrawArgs),
    /// Explain the solution step by step, with the rule that each step uses
    Explain(solve::ExplainArgs),
    /// Make random puzzles with one solution by the rules of a file
    Generate(generate::GenerateArgs),
    /// Write the puzzle in the text form, whatever form it is read from
    Convert {
        #[command(flatten)]
        file: FileArgs,
        /// Write to this file; `-` is standard output
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Estimate the count and its time from randomly drawn subtrees, which are counted exactly
    Estimate {
        #[command(flatten)]
        file: FileArgs,
        #[command(flatten)]
        sampling: SampleFlags,
    },
}

/// Runs one of the variant commands.
pub fn run(command: &Command, args: &Args) -> Result<ExitStatus> {
    match command {
        Command::Solve(flags) => solve::run(flags, args),
        Command::List(flags) => solve::list(flags),
        Command::Count { file, limit, counting } => run_count(file, *limit, counting, args),
        Command::Candidates { file, json } => run_candidates(file, *json, args),
        Command::Draw(flags) => draw::run(flags, args),
        Command::Explain(flags) => solve::explain(flags),
        Command::Generate(flags) => generate::run(flags, args),
        Command::Convert { file, output } => run_convert(file, output.as_deref()),
        Command::Estimate { file, sampling } => estimate::run(&file.job()?, None, sampling, args),
    }
}

/// Counts all solutions, or up to a limit on one thread.
fn run_count(
    file: &FileArgs,
    limit: Option<u64>,
    flags: &CountFlags,
    args: &Args,
) -> Result<ExitStatus> {
    let found = file.read_all()?;
    // A journal and a subtree are of one count.
    if found.len() > 1 && (flags.journaling.journal.is_some() || flags.subtree.is_some()) {
        bail!(file.several(&found));
    }
    for Located { line, puzzle, .. } in &found {
        let job = file.job_of(puzzle, (found.len() > 1).then_some(*line));
        match count_one(&job, limit, flags, args)? {
            ExitStatus::Done => {}
            other => return Ok(other),
        }
    }
    Ok(ExitStatus::Done)
}

/// Counts the solutions of one puzzle.
fn count_one(
    job: &VariantFile,
    limit: Option<u64>,
    flags: &CountFlags,
    args: &Args,
) -> Result<ExitStatus> {
    let Some(limit) = limit else {
        // No facts follow from this count.
        return count::run(job, None, flags, args, &|_, _| Ok((Vec::new(), None)));
    };
    let puzzle = job.puzzle()?;
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let found = Solver::new(puzzle.rules()).solve_or_stop(&puzzle, limit, interrupt.stop());
    let Ok(answer) = found else { return Ok(interrupt.report_interruption("; nothing is saved")) };
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
    let puzzle = file.read()?;
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

/// Fails if values that the engine found are no solution by the definitions of the rules.
fn ensure_solution(puzzle: &Puzzle, values: &[u8]) -> Result<(), tallyboard_search::Error> {
    let is_right = puzzle.is_solved_by(values);
    tallyboard_search::Error::ensure_right(is_right, || {
        tallyboard_variants::line(puzzle.size(), values)
    })
}

/// Writes the puzzle in the text form.
fn run_convert(file: &FileArgs, output: Option<&Path>) -> Result<ExitStatus> {
    ensure_apart([&*file.file], output)?;
    // The input comes first, so that its mistakes are told even if the output cannot be created.
    let text = tallyboard_variants::write(&file.read()?);
    Output::create(output)?.put(text)?;
    Ok(ExitStatus::Done)
}

/// The puzzle.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Rules, givens and candidates, as docs/variants.md shows them, or a puzzle of f-puzzles or SudokuPad (JSON or a
    /// link), a link of Penpa, or a game id of Solo; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Leave out drawings of f-puzzles, SudokuPad or Penpa that stand for no rule, and list them on standard error
    #[arg(long)]
    pub ignore_drawings: bool,

    /// Take this puzzle of a file that has several, from 1
    #[arg(long = "puzzle", value_name = "N")]
    pub number: Option<usize>,
}

impl FileArgs {
    /// Reads the puzzle. The error of a mistake in the file names its line.
    pub fn read(&self) -> Result<Puzzle> {
        let mut found = self.read_all()?;
        if found.len() > 1 {
            bail!(self.several(&found));
        }
        Ok(found.remove(0).puzzle)
    }

    /// The error of these puzzles where one is wanted.
    fn several(&self, found: &[Located]) -> UsageError {
        UsageError(format!(
            "{}: line {}: found a second puzzle, of {}, expected one: --puzzle takes one of them; `variant solve` and `variant count` \
             take all",
            io::name(&self.file),
            found[1].line,
            found.len()
        ))
    }

    /// Reads the puzzles of the file, or the one that was asked for.
    pub fn read_all(&self) -> Result<Vec<Located>> {
        let bytes = io::read_puzzle(&self.file)?;
        let name = io::name(&self.file);
        let mut found = tallyboard_variants::read_all(&bytes, &name).map_err(UsageError::of)?;
        if let Some(number) = self.number {
            let count = found.len();
            if number == 0 || number > count {
                bail!(UsageError(format!("{name}: found puzzle {number}, expected 1 to {count}")));
            }
            found = vec![found.swap_remove(number - 1)];
        }
        for puzzle in &found {
            let Located { line, drawings, is_in_text, .. } = puzzle;
            if *is_in_text {
                eprint_line(format_args!(
                    "{name}: line {line}: the puzzle is this link; other words are left out"
                ));
            }
            if drawings.is_empty() {
                continue;
            }
            if !self.ignore_drawings {
                let place = if *line == 1 { String::new() } else { format!("line {line}: ") };
                let error = tallyboard_variants::Error::Drawings(drawings.clone());
                bail!(UsageError(format!("{name}: {place}{error}")));
            }
            eprint_line(format_args!("{name}: left out: {}", drawings.join(", ")));
        }
        Ok(found)
    }

    /// The count of the puzzle. The file is read once, here, and its puzzle kept as text, so that standard input can be counted
    /// too.
    pub fn job(&self) -> Result<VariantFile> {
        Ok(self.job_of(&self.read()?, None))
    }

    /// The count of a puzzle that begins in this line, if there are others in the file.
    fn job_of(&self, puzzle: &Puzzle, line: Option<usize>) -> VariantFile {
        VariantFile { file: self.file.clone(), line, text: tallyboard_variants::write(puzzle) }
    }
}

/// All solutions of the puzzle in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    pub file: PathBuf,
    /// The line in which the puzzle begins, if there are others in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The puzzle when the file was read, in the text form.
    text: String,
}

impl VariantFile {
    /// What is counted.
    fn title(&self) -> String {
        let place = self.line.map_or(String::new(), |line| format!(", line {line}"));
        format!("solutions of {}{place}", io::name(&self.file))
    }

    /// The puzzle when the file was read.
    pub fn puzzle(&self) -> Result<Puzzle, tallyboard_variants::Error> {
        tallyboard_variants::read(self.text.as_bytes(), &io::name(&self.file))
    }
}

impl Counting for VariantFile {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        Ok(Run::new(Count::new(&self.puzzle()?)).title(self.title()))
    }

    fn name(&self) -> &'static str {
        "variant"
    }
}
