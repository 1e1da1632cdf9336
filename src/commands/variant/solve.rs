//! `tallyboard variant solve`

use std::io::{BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use tallyboard_base::bound::{Line, MAX_RECORD_BYTES, read_line};
use tallyboard_base::figures::{counted, grouped, memory_size, with_prefix};
use tallyboard_search::ordered;
use tallyboard_variants::{Answer, Located, Puzzle, Solver, line};

use crate::games::FileArgs;
use crate::games::variant::{self, rows};
use crate::terminal::{Args, ExitStatus, Interrupt, Output, ensure_apart, eprint_line, info, io};

#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Solve each line of this file by the rules: `puzzle:count:solution`
    ///
    /// A line has a character for each cell, or one for each value of each cell (pencil marks, 729 at 9 x 9), then any
    /// text after a blank, a comma, a colon or a semicolon. The givens of FILE hold too. `-` is standard input.
    #[arg(value_name = "PUZZLES")]
    pub puzzles: Option<PathBuf>,

    /// Stop counting a puzzle's solutions here; 2 proves uniqueness, 1 takes the first
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Stop at the first line that is no puzzle
    #[arg(long, requires = "puzzles")]
    pub strict: bool,
}

/// Solves one puzzle, or many by the same rules.
pub fn run(flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let inputs = [Some(&*flags.file.file), flags.puzzles.as_deref()];
    ensure_apart(inputs.into_iter().flatten(), flags.output.as_deref())?;
    match &flags.puzzles {
        Some(path) => solve_lines(&variant::read_one(&flags.file)?, path, flags, args),
        None => solve_each(&variant::read_all(&flags.file)?, flags, args),
    }
}

/// Solves each puzzle of a file. Of several, a comment above each solution says where the puzzle begins and what was found.
fn solve_each(found: &[Located], flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let mut output = Output::create(flags.output.as_deref())?;
    let mut summary = Summary::default();
    let mut last = String::new();
    for Located { line: number, puzzle, .. } in found {
        let solver = &mut Solver::new(puzzle.rules());
        let Ok(answer) = solver.solve_or_stop(puzzle, flags.limit, interrupt.stop()) else {
            return output.interrupted(&interrupt, &counted(summary.puzzles, "row"));
        };
        summary.add(answer.count);
        last = verdict(&answer, flags.limit);
        if found.len() > 1 {
            writeln!(output, "# line {number}: {last}")?;
        }
        if let Some(values) = &answer.first {
            variant::ensure_solved(puzzle, values)?;
            writeln!(output, "{}", rows(puzzle, values))?;
        }
    }
    output.finish()?;
    if found.len() == 1 {
        info(args, last);
    } else {
        report(&summary, flags.limit, began, args);
    }
    Ok(ExitStatus::Done)
}

/// What an answer says, in words.
fn verdict(answer: &Answer, limit: u64) -> String {
    match answer.count {
        0 => "no solution".to_owned(),
        1 if limit > 1 => "the only solution".to_owned(),
        count if count == limit => {
            format!("at least {}; this is the first", counted(count, "solution"))
        }
        count => format!("{}; this is the first", counted(count, "solution")),
    }
}

/// The number of lines of each kind.
#[derive(Default)]
struct Summary {
    puzzles: u64,
    /// Puzzles of which one solution was found: the only one, unless the limit is 1.
    single: u64,
    unsolvable: u64,
    bad: u64,
}

impl Summary {
    /// Adds a puzzle of which this many solutions were found.
    fn add(&mut self, solutions: u64) {
        self.puzzles += 1;
        self.single += u64::from(solutions == 1);
        self.unsolvable += u64::from(solutions == 0);
    }
}

/// The number of lines that a worker solves at a time.
const CHUNK_LINES: usize = 64;

/// Solves each line of the file at `path` by the rules and givens of `rules`.
fn solve_lines(rules: &Puzzle, path: &Path, flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let mut output = Output::create(flags.output.as_deref())?;
    let mut summary = Summary::default();
    let mut failed = None;
    let mut lines = lines_of(path)?.enumerate();
    let chunks = std::iter::from_fn(|| {
        let chunk: Vec<_> = lines.by_ref().take(CHUNK_LINES).collect();
        (!chunk.is_empty()).then_some(chunk)
    });
    let solver = Solver::new(rules.rules());
    ordered(
        chunks,
        args.threads,
        interrupt.stop(),
        || solver.clone(),
        |solver, chunk, rows| {
            for (index, line) in chunk {
                let row = match line {
                    Ok(line) => solve_line(solver, rules, line, flags.limit, interrupt.stop())?,
                    Err(error) => Row::Unreadable(error),
                };
                if rows.push((index + 1, row)).is_break() {
                    break;
                }
            }
            Ok(())
        },
        |(number, row)| match write_row(row, number, path, flags, &mut summary, &mut output) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(error) = failed {
        return Err(error);
    }
    if interrupt.signal().is_some() {
        let rows = counted(summary.puzzles + summary.bad, "row");
        return output.interrupted(&interrupt, &rows);
    }
    output.finish()?;
    report(&summary, flags.limit, began, args);
    Ok(if summary.bad > 0 { ExitStatus::Failed } else { ExitStatus::Done })
}

fn report(summary: &Summary, limit: u64, began: Instant, args: &Args) {
    let Summary { puzzles, single, unsolvable, bad } = summary;
    let several = grouped(puzzles - single - unsolvable);
    let single = grouped(*single);
    let unsolvable = grouped(*unsolvable);
    let kinds = match limit {
        1 => format!("{single} with a solution, {unsolvable} without one"),
        _ => format!(
            "{single} unique, {unsolvable} without a solution, {several} with more than one"
        ),
    };
    let seconds = began.elapsed().as_secs_f64();
    info(
        args,
        format_args!(
            "{}: {kinds}, {}\ntime {seconds:.3} s, {} puzzles/s",
            counted(*puzzles, "puzzle"),
            counted(*bad, "bad line"),
            with_prefix(*puzzles as f64 / seconds),
        ),
    );
}

/// What became of a line.
enum Row {
    /// A comment or an empty line, which stays as it is.
    Kept(Vec<u8>),
    /// The characters of the cells, the number of solutions, and the first one.
    Solved(String, u64, String),
    /// The line, and what is wrong with it.
    Bad(Vec<u8>, String),
    Unreadable(std::io::Error),
}

fn solve_line(
    solver: &mut Solver,
    rules: &Puzzle,
    row: Vec<u8>,
    limit: u64,
    stop: &tallyboard_search::Stop,
) -> Result<Row, tallyboard_search::Stopped> {
    if row.trim_ascii().is_empty() || row.starts_with(b"#") {
        return Ok(Row::Kept(row.trim_ascii_end().to_vec()));
    }
    let Ok(text) = std::str::from_utf8(&row) else {
        let error = "found bytes that are no UTF-8, expected text in UTF-8".to_owned();
        return Ok(Row::Bad(row.trim_ascii_end().to_vec(), error));
    };
    let text = text.trim_end();
    let end = text.bytes().position(|byte| b" \t,:;".contains(&byte)).unwrap_or(text.len());
    let cells = &text[..end];
    match rules.with_line(cells) {
        Ok(puzzle) => {
            let answer = solver.solve_or_stop(&puzzle, limit, stop)?;
            if let Some(values) = &answer.first {
                variant::ensure_solved(&puzzle, values).unwrap_or_else(|error| error.raise());
            }
            let solution = answer.first.map(|values| line(puzzle.size(), &values));
            Ok(Row::Solved(cells.to_owned(), answer.count, solution.unwrap_or_default()))
        }
        Err(error) => Ok(Row::Bad(text.as_bytes().to_vec(), error.to_string())),
    }
}

/// Writes what became of line `number` of the file at `path`, and adds it to the summary.
fn write_row(
    row: Row,
    number: usize,
    path: &Path,
    flags: &SolveArgs,
    summary: &mut Summary,
    output: &mut Output,
) -> Result<()> {
    match row {
        Row::Kept(text) => output.write_all(&[&text[..], b"\n"].concat())?,
        Row::Solved(puzzle, count, solution) => {
            summary.add(count);
            writeln!(output, "{puzzle}:{count}:{solution}")?;
        }
        Row::Bad(text, error) => {
            let message = format!("{}: line {number}: {error}", io::name(path));
            if flags.strict {
                bail!(message);
            }
            summary.bad += 1;
            eprint_line(message);
            output.write_all(&[b"!", &text[..], b"\n"].concat())?;
        }
        Row::Unreadable(error) => {
            return Err(anyhow!(error).context(io::cannot_read(path)));
        }
    }
    Ok(())
}

/// What editors on Windows write before text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The lines of a file as bytes, without a byte order mark.
fn lines_of(path: &Path) -> Result<impl Iterator<Item = std::io::Result<Vec<u8>>> + Send> {
    let mut input = BufReader::new(io::open(path)?);
    let mut is_first = true;
    Ok(std::iter::from_fn(move || {
        let mut line = Vec::new();
        match read_line(&mut input, &mut line, MAX_RECORD_BYTES) {
            Ok(Line::None) => return None,
            Ok(Line::Whole) => {}
            Ok(Line::Long) => {
                let max_size = memory_size(MAX_RECORD_BYTES as u64);
                let text = format!("found a line of more than {max_size}, expected a puzzle");
                return Some(Err(std::io::Error::other(text)));
            }
            Err(error) => return Some(Err(error)),
        }
        line.pop_if(|last| *last == b'\n');
        if is_first && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        is_first = false;
        Some(Ok(line))
    }))
}
