//! `tallyboard variant solve`

use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use tallyboard_base::bound::{Line, MAX_RECORD_BYTES, read_line, skip_line};
use tallyboard_base::figures::{counted, memory_size};
use tallyboard_search::records::{
    BadRecord, Outcome, Record, RecordsError, Rows, Settings, Worker, solve_records,
};
use tallyboard_search::{Stop, Stopped};
use tallyboard_variants::{Answer, Located, Puzzle, Solver, line};

use crate::games::FileArgs;
use crate::games::records::{self, Files, print_summary};
use crate::games::variant::{self, rows};
use crate::terminal::{Args, ExitStatus, Interrupt, Output, ensure_apart, info};

#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// Solve each line of these files by the rules: `puzzle:count:solution`
    ///
    /// A line has a character for each cell, or one for each value of each cell (pencil marks, 729 at 9 x 9), then any
    /// text after a blank, a comma, a colon or a semicolon. The givens of FILE hold too. `-` is standard input.
    #[arg(value_name = "PUZZLES")]
    pub puzzles: Vec<PathBuf>,

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
    let inputs = [&flags.file.file].into_iter().chain(&flags.puzzles).map(PathBuf::as_path);
    ensure_apart(inputs, flags.output.as_deref())?;
    if !flags.puzzles.is_empty() {
        return solve_lines(&variant::read_one(&flags.file)?, flags, args);
    }
    let mut found = variant::read_all(&flags.file)?;
    match found.len() {
        1 => solve_one(&found.remove(0).puzzle, flags, args),
        _ => solve_each(found, flags, args),
    }
}

/// Solves the only puzzle of a file.
fn solve_one(puzzle: &Puzzle, flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let mut output = Output::create(flags.output.as_deref())?;
    let solver = &mut Solver::new(puzzle.rules());
    let Ok(answer) = solver.solve_or_stop(puzzle, flags.limit, interrupt.stop()) else {
        return output.interrupted(&interrupt, "0 rows");
    };
    if let Some(values) = &answer.first {
        variant::ensure_solved(puzzle, values)?;
        writeln!(output, "{}", rows(puzzle, values))?;
    }
    output.finish()?;
    info(args, verdict(&answer, flags.limit));
    Ok(ExitStatus::Done)
}

/// Solves each of several puzzles of a file, on every core. A comment above each solution says where the puzzle begins and what was found.
fn solve_each(found: Vec<Located>, flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let began = Instant::now();
    let mut output = Output::create(flags.output.as_deref())?;
    let taken = found.into_iter().map(Ok);
    let solved = solve_records(
        Box::new(taken),
        &|Located { line, puzzle, .. }| Record::Puzzle(line as u64, puzzle),
        settings(flags, args, &interrupt),
        &|| {
            Box::new(|lines, puzzles, text| {
                for (line, puzzle) in lines.iter().zip(puzzles) {
                    let solver = &mut Solver::new(puzzle.rules());
                    let answer = checked(solver, puzzle, flags.limit, interrupt.stop())?;
                    let solution = answer.first.as_ref().map(|values| rows(puzzle, values) + "\n");
                    let verdict = verdict(&answer, flags.limit);
                    let row = format!("# line {line}: {verdict}\n{}", solution.unwrap_or_default());
                    text.next(Outcome::of_count(answer.count)).extend(row.bytes());
                }
                Ok(())
            })
        },
        &mut output,
        &mut |_| {},
    );
    match solved {
        Err(RecordsError::Stopped(_)) => output.interrupted_in(&interrupt, "the output"),
        Err(error) => Err(error.into()),
        Ok(summary) => {
            output.finish()?;
            print_summary(&summary, "puzzle", flags.limit, began.elapsed(), args);
            Ok(ExitStatus::Done)
        }
    }
}

/// How records are solved: each is a search of its own.
fn settings<'a>(flags: &SolveArgs, args: &Args, interrupt: &'a Interrupt) -> Settings<'a> {
    Settings {
        together: 1,
        mark: BadRecord::mark_lines,
        strict: flags.strict,
        threads: args.threads,
        stop: interrupt.stop(),
    }
}

/// The answer of a puzzle, whose solution was checked.
fn checked(
    solver: &mut Solver,
    puzzle: &Puzzle,
    limit: u64,
    stop: &Stop,
) -> Result<Answer, Stopped> {
    let answer = solver.solve_or_stop(puzzle, limit, stop)?;
    if let Some(values) = &answer.first {
        variant::ensure_solved(puzzle, values).unwrap_or_else(|error| error.raise());
    }
    Ok(answer)
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

/// Solves each line of the files of puzzles by the rules and givens of `rules`.
fn solve_lines(rules: &Puzzle, flags: &SolveArgs, args: &Args) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen();
    let output = flags.output.as_deref();
    let files = Files { inputs: &flags.puzzles, output, header: "" };
    let settings = settings(flags, args, &interrupt);
    let solver = Solver::new(rules.rules());
    let make_worker = || {
        let mut solver = solver.clone();
        let solve = move |_: &[u64], puzzles: &[(String, Puzzle)], rows: &mut Rows| {
            for (cells, puzzle) in puzzles {
                let answer = checked(&mut solver, puzzle, flags.limit, settings.stop)?;
                let solution = answer.first.map(|values| line(puzzle.size(), &values));
                let row = format!("{cells}:{}:{}\n", answer.count, solution.unwrap_or_default());
                rows.next(Outcome::of_count(answer.count)).extend(row.bytes());
            }
            Ok(())
        };
        Box::new(solve) as Worker<_>
    };
    records::run(
        &files,
        &interrupt,
        args,
        &mut |input, rows, report| {
            let lines = Box::new(lines_of(input));
            let read = |line| read_line_of(rules, line);
            solve_records(lines, &read, settings, &make_worker, rows, report)
        },
        &mut |summary, elapsed| print_summary(summary, "puzzle", flags.limit, elapsed, args),
    )
}

/// Reads a line: a puzzle of `rules` and its cells, or a comment or empty line, which stays as it is.
fn read_line_of(
    rules: &Puzzle,
    (line, text, mistake): (u64, Vec<u8>, Option<String>),
) -> Record<(String, Puzzle)> {
    let bad =
        |mistake| Record::Bad(BadRecord { line, mistake, text: text.trim_ascii_end().into() });
    if let Some(mistake) = mistake {
        return bad(mistake);
    }
    if matches!(text.trim_ascii_start().first(), None | Some(b'#')) {
        return Record::Kept(text.trim_ascii_end().to_vec());
    }
    let Ok(words) = std::str::from_utf8(&text) else {
        return bad("found bytes that are no UTF-8, expected text in UTF-8".to_owned());
    };
    let words = words.trim_end();
    let end = words.bytes().position(|byte| b" \t,:;".contains(&byte)).unwrap_or(words.len());
    let cells = &words[..end];
    match rules.with_line(cells) {
        Ok(puzzle) => Record::Puzzle(line, (cells.to_owned(), puzzle)),
        Err(error) => bad(error.to_string()),
    }
}

/// What editors on Windows write before text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The lines of an input as bytes, without a byte order mark, with their numbers; of one that is too long the beginning, and a mistake.
fn lines_of(
    input: Box<dyn Read + Send>,
) -> impl Iterator<Item = std::io::Result<(u64, Vec<u8>, Option<String>)>> + Send {
    let mut input = BufReader::new(input);
    let mut next = move |number: u64| -> std::io::Result<Option<_>> {
        let mut line = Vec::new();
        let mut mistake = None;
        match read_line(&mut input, &mut line, MAX_RECORD_BYTES)? {
            Line::None => return Ok(None),
            Line::Whole => {}
            Line::Long => {
                skip_line(&mut input)?;
                let most = memory_size(MAX_RECORD_BYTES as u64);
                mistake = Some(format!("found a line of more than {most}, expected a puzzle"));
            }
        }
        line.pop_if(|last| *last == b'\n');
        if number == 1 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some((number, line, mistake)))
    };
    (1..).map_while(move |number| next(number).transpose())
}
