//! Any reader's records to rows, on every core and in the order of the input, in bounded memory.
//!
//! A record that is no puzzle is reported, and comes back marked in its place; the records behind it are solved.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{Error, Parts, Stop, Stopped, ordered};

/// What a reader took from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record<P> {
    /// A puzzle, which begins in this line, from 1.
    Puzzle(u64, P),
    /// A comment or an empty line, which comes back as a row.
    Kept(Vec<u8>),
    /// What should have been a puzzle.
    Bad(BadRecord),
}

impl<P> Record<P> {
    /// The same with its puzzle taken for something else.
    pub fn map<Q>(self, taken_for: impl FnOnce(P) -> Q) -> Record<Q> {
        match self {
            Self::Puzzle(line, puzzle) => Record::Puzzle(line, taken_for(puzzle)),
            Self::Kept(text) => Record::Kept(text),
            Self::Bad(bad) => Record::Bad(bad),
        }
    }
}

/// A record that is no puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {mistake}")]
pub struct BadRecord {
    /// The line in which it begins, from 1.
    pub line: u64,
    /// What was found and what was expected.
    pub mistake: String,
    /// Its text or, of a long one, the beginning.
    pub text: Vec<u8>,
}

impl BadRecord {
    /// Appends the text and the mistake as a JSON object.
    pub fn mark_json(&self, row: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(&self.text);
        for (name, value) in [("{\"bad\":", &*text), (",\"error\":", &self.mistake)] {
            row.extend_from_slice(name.as_bytes());
            row.push(b'"');
            for character in value.chars() {
                match character {
                    '"' | '\\' => row.extend([b'\\', character as u8]),
                    '\0'..' ' => row.extend(format!("\\u{:04x}", character as u32).bytes()),
                    _ => row.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
            row.push(b'"');
        }
        row.extend_from_slice(b"}\n");
    }

    /// Appends the text as the first of `columns` columns of CSV, and `!` as each of the others.
    pub fn mark_csv(&self, columns: usize, row: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(&self.text).replace('"', "\"\"");
        row.extend(format!("\"{text}\"{}\n", ",!".repeat(columns - 1)).bytes());
    }

    /// Appends the text, each of its lines behind `!`.
    pub fn mark_lines(&self, row: &mut Vec<u8>) {
        for line in self.text.split(|&byte| byte == b'\n') {
            row.push(b'!');
            row.extend_from_slice(line);
            row.push(b'\n');
        }
    }
}

/// What was found of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It has no solution.
    None,
    /// It has one solution, or, if only one was looked for, at least one.
    One,
    /// It has several.
    Several,
    /// The search was given up.
    GivenUp,
}

impl Outcome {
    /// The outcome of a search that found this many solutions.
    pub fn of_count(solutions: u64) -> Self {
        match solutions {
            0 => Self::None,
            1 => Self::One,
            _ => Self::Several,
        }
    }
}

/// How many puzzles had which outcome.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Puzzles without a solution.
    pub none: u64,
    /// Puzzles with one.
    pub one: u64,
    /// Puzzles with several.
    pub several: u64,
    /// Puzzles that were given up.
    pub given_up: u64,
    /// Records that are no puzzles.
    pub bad: u64,
}

impl Summary {
    /// The number of puzzles.
    pub fn puzzles(&self) -> u64 {
        self.none + self.one + self.several + self.given_up
    }

    /// Adds the numbers of other records. None can reach 2^64: each counts what was read.
    pub fn merge(&mut self, other: &Self) {
        self.none += other.none;
        self.one += other.one;
        self.several += other.several;
        self.given_up += other.given_up;
        self.bad += other.bad;
    }

    fn add(&mut self, outcome: Outcome) {
        let number = match outcome {
            Outcome::None => &mut self.none,
            Outcome::One => &mut self.one,
            Outcome::Several => &mut self.several,
            Outcome::GivenUp => &mut self.given_up,
        };
        *number += 1;
    }
}

/// The rows of some puzzles.
#[derive(Debug, Default)]
pub struct Rows {
    text: Vec<u8>,
    /// Where each row begins, and the outcome of its puzzle.
    begins: Vec<(usize, Outcome)>,
}

impl Rows {
    /// The row of the next puzzle, which had this outcome: its text is to be appended, with a line break.
    pub fn next(&mut self, outcome: Outcome) -> &mut Vec<u8> {
        self.begins.push((self.text.len(), outcome));
        &mut self.text
    }
}

/// Solves puzzles, which begin in these lines, and writes a row for each, in their order. If it is stopped, the rows of the first ones may
/// have been written.
pub type Worker<'a, P> = Box<dyn FnMut(&[u64], &[P], &mut Rows) -> Result<(), Stopped> + 'a>;

/// What a reader takes from a file, one after the other, at least so far that a worker can read it.
pub type Taken<'a, R> = Box<dyn Iterator<Item = io::Result<R>> + Send + 'a>;

/// Reads what was taken.
pub type Read<'a, R, P> = &'a (dyn Fn(R) -> Record<P> + Sync);

/// How records are solved.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The most puzzles that a worker gets at once, so that they fill the lanes of its vectors.
    pub together: usize,
    /// Writes the row of a bad record.
    pub mark: fn(&BadRecord, &mut Vec<u8>),
    /// End at the first bad record.
    pub strict: bool,
    /// Worker threads; 0 for one on each core.
    pub threads: usize,
    /// Raise this flag to end early. It is raised, too, when the run fails, so that an input which polls it gives up waiting.
    pub stop: &'a Stop,
}

/// Why not all records were solved. The rows of those before were written.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// The input cannot be read.
    #[error("cannot read the puzzles")]
    Read(#[source] io::Error),
    /// A row cannot be written.
    #[error("cannot write the results")]
    Write(#[source] io::Error),
    /// A bad record, where none may be.
    #[error(transparent)]
    Bad(BadRecord),
    /// The flag was raised.
    #[error("stopped before the end of the input")]
    Stopped(#[from] Stopped),
    /// There are no threads, or a closure has panicked.
    #[error(transparent)]
    Search(#[from] Error),
}

/// Rows that were made together.
#[derive(Default)]
struct Part {
    rows: Vec<u8>,
    /// Bad records, and where their rows begin.
    bad: Vec<(usize, BadRecord)>,
    summary: Summary,
    /// Why nothing follows.
    failed: Option<io::Error>,
}

/// Records that a worker draws at once, if they are fast enough: passing them between threads costs little then.
const FAST_DRAWN: usize = 64;
/// After this time rows are passed on before all drawn records are solved.
const PATIENCE: Duration = Duration::from_millis(50);

/// Solves each puzzle of a reader and writes a row for it to `output`, which is flushed from time to time. Bad records are passed to
/// `report` in order. What is `taken` one after the other is `read` by the workers.
///
/// # Errors
/// [`RecordsError`] if not all records were solved.
pub fn solve_records<'a, R: Send, P>(
    mut taken: Taken<R>,
    read: Read<R, P>,
    settings: Settings,
    make_worker: &(dyn Fn() -> Worker<'a, P> + Sync),
    output: &mut (dyn Write + Send),
    report: &mut (dyn FnMut(&BadRecord) + Send),
) -> Result<Summary, RecordsError> {
    let mut summary = Summary::default();
    // A record that takes long is drawn alone, so that no worker waits for another one with many of them.
    let drawn = AtomicUsize::new(settings.together.max(1));
    let chunks = std::iter::from_fn(|| {
        let chunk: Vec<_> = taken.by_ref().take(drawn.load(Relaxed)).collect();
        (!chunk.is_empty()).then_some(chunk)
    });
    let failed = ordered(
        chunks,
        settings.threads,
        settings.stop,
        make_worker,
        |worker, chunk, parts| {
            let (began, length) = (Instant::now(), chunk.len());
            let solved = solve_chunk(chunk, read, worker, settings, parts);
            let is_fast = began.elapsed() < PATIENCE / 10;
            let most = if is_fast { FAST_DRAWN.min(2 * length) } else { 0 };
            drawn.store(most.max(settings.together.max(1)), Relaxed);
            solved
        },
        |part| match write_part(part, settings.strict, &mut summary, output, report) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                settings.stop.request();
                ControlFlow::Break(error)
            }
        },
    )?;
    match failed {
        Some(error) => Err(error),
        None if settings.stop.requested() => Err(Stopped.into()),
        None => Ok(summary),
    }
}

/// Solves the puzzles of `chunk` and passes their rows on.
fn solve_chunk<R, P>(
    chunk: Vec<io::Result<R>>,
    read: Read<R, P>,
    worker: &mut Worker<P>,
    settings: Settings,
    parts: &Parts<Part>,
) -> Result<(), Stopped> {
    let mut part = Part::default();
    let mut passed_on = Instant::now();
    let mut taken = chunk.into_iter();
    loop {
        let group = taken.by_ref().take(settings.together.max(1));
        let group: Vec<_> = group.map(|taken| taken.map(read)).collect();
        let is_last = group.is_empty();
        let solved = solve_group(group, worker, settings.mark, &mut part);
        if solved.is_err() || is_last || passed_on.elapsed() >= PATIENCE {
            passed_on = Instant::now();
            let is_unwanted = parts.push(std::mem::take(&mut part)).is_break();
            if solved.is_err() || is_last || is_unwanted {
                return solved;
            }
        }
    }
}

/// Solves the puzzles of `group` together, and appends a row for each of its records to `part`.
fn solve_group<P>(
    group: Vec<io::Result<Record<P>>>,
    worker: &mut Worker<P>,
    mark: fn(&BadRecord, &mut Vec<u8>),
    part: &mut Part,
) -> Result<(), Stopped> {
    let (mut lines, mut puzzles) = (Vec::new(), Vec::with_capacity(group.len()));
    // What is no puzzle, and how many puzzles stand before it.
    let mut others = Vec::new();
    for record in group {
        match record {
            Ok(Record::Puzzle(line, puzzle)) => {
                lines.push(line);
                puzzles.push(puzzle);
            }
            Ok(Record::Kept(text)) => others.push((puzzles.len(), Ok(Other::Kept(text)))),
            Ok(Record::Bad(bad)) => others.push((puzzles.len(), Ok(Other::Bad(bad)))),
            Err(error) => others.push((puzzles.len(), Err(error))),
        }
    }
    let mut rows = Rows::default();
    let solved = if puzzles.is_empty() { Ok(()) } else { worker(&lines, &puzzles, &mut rows) };
    let written = rows.begins.len();
    debug_assert!(solved.is_err() || written == puzzles.len(), "a row for each puzzle");
    rows.begins.iter().for_each(|&(_, outcome)| part.summary.add(outcome));
    // The bytes of rows that were appended.
    let mut done = 0;
    for (before, other) in others {
        // Of a group that was stopped only what stands before the first puzzle without a row.
        if before > written {
            break;
        }
        let begin = rows.begins.get(before).map_or(rows.text.len(), |&(begin, _)| begin);
        part.rows.extend_from_slice(&rows.text[done..begin]);
        done = begin;
        match other {
            Ok(Other::Kept(text)) => part.rows.extend([&text[..], b"\n"].concat()),
            Ok(Other::Bad(bad)) => {
                let begin = part.rows.len();
                mark(&bad, &mut part.rows);
                part.summary.bad += 1;
                part.bad.push((begin, bad));
            }
            Err(error) => {
                part.failed.get_or_insert(error);
            }
        }
    }
    part.rows.extend_from_slice(&rows.text[done..]);
    solved
}

/// A record that is no puzzle.
enum Other {
    Kept(Vec<u8>),
    Bad(BadRecord),
}

/// Writes the rows of `part`, reports its bad records and adds its numbers to `summary`.
fn write_part(
    part: Part,
    strict: bool,
    summary: &mut Summary,
    output: &mut (dyn Write + Send),
    report: &mut (dyn FnMut(&BadRecord) + Send),
) -> Result<(), RecordsError> {
    for (begin, bad) in part.bad {
        if strict {
            output.write_all(&part.rows[..begin]).map_err(RecordsError::Write)?;
            return Err(RecordsError::Bad(bad));
        }
        report(&bad);
    }
    let written = output.write_all(&part.rows).and_then(|()| output.flush());
    written.map_err(RecordsError::Write)?;
    summary.merge(&part.summary);
    part.failed.map_or(Ok(()), |error| Err(RecordsError::Read(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of lines: a number is a puzzle that has so many solutions, `#` is a comment, `%` a failure of the input.
    fn rows(text: &str, together: usize, threads: usize, strict: bool) -> (String, String) {
        let numbered = (1..).zip(text.lines().map(str::to_owned).collect::<Vec<_>>());
        let taken = numbered.map(|(number, line)| match &*line {
            "%" => Err(io::Error::other("broken")),
            _ => Ok((number, line)),
        });
        let read = |(line, text): (u64, String)| match text.parse::<u64>() {
            Ok(puzzle) => Record::Puzzle(line, puzzle),
            Err(_) if text.starts_with('#') => Record::Kept(text.into()),
            Err(error) => {
                Record::Bad(BadRecord { line, mistake: error.to_string(), text: text.into() })
            }
        };
        let make_worker = || {
            Box::new(|lines: &[u64], puzzles: &[u64], rows: &mut Rows| {
                for (line, puzzle) in lines.iter().zip(puzzles) {
                    let row = rows.next(Outcome::of_count(*puzzle));
                    row.extend(format!("{line}:{puzzle}\n").bytes());
                }
                Ok(())
            }) as Worker<u64>
        };
        let stop = Stop::new();
        let settings =
            Settings { together, mark: BadRecord::mark_lines, strict, threads, stop: &stop };
        let (mut output, mut told) = (Vec::new(), String::new());
        let mut report = |bad: &BadRecord| told += &format!("{bad}; ");
        let solved =
            solve_records(Box::new(taken), &read, settings, &make_worker, &mut output, &mut report);
        told += &match solved {
            Ok(Summary { none, one, several, given_up, bad }) => {
                format!("{none} {one} {several} {given_up} {bad}")
            }
            Err(error) => error.to_string(),
        };
        (String::from_utf8(output).unwrap(), told)
    }

    #[test]
    fn rows_come_in_order_with_bad_records_marked_in_their_places() {
        let line = |number: u64| match number % 7 {
            3 => "x".to_owned(),
            5 => "# note".to_owned(),
            _ => (number % 3).to_string(),
        };
        let text: String = (0..1000).map(|number| line(number) + "\n").collect();
        let expected: String = (0..1000)
            .map(|number| match &*line(number) {
                "x" => "!x\n".to_owned(),
                text if text.starts_with('#') => format!("{text}\n"),
                text => format!("{}:{text}\n", number + 1),
            })
            .collect();
        for threads in [1, 2, 3] {
            for together in [1, 7, 200] {
                let (found, told) = rows(&text, together, threads, false);
                assert_eq!(found, expected);
                assert_eq!(told.matches("invalid digit").count(), 143);
                assert!(told.ends_with("238 238 238 0 143"), "{told}");
                // What stands before the first bad record, alone.
                let (found, told) = rows(&text, together, threads, true);
                assert_eq!(
                    (&*found, &*told),
                    ("1:0\n2:1\n3:2\n", "line 4: invalid digit found in string")
                );
                let (found, told) = rows("1\n%\n2\n", together, threads, false);
                assert!(found.starts_with("1:1\n"));
                assert_eq!(told, "cannot read the puzzles");
            }
        }
    }

    #[test]
    fn bad_records_are_marked_in_every_format() {
        let bad = BadRecord { line: 1, mistake: "found \"\t\"".into(), text: b"a\"\nb".into() };
        let marked = |mark: fn(&BadRecord, &mut Vec<u8>)| {
            let mut row = Vec::new();
            mark(&bad, &mut row);
            String::from_utf8(row).unwrap()
        };
        assert_eq!(marked(BadRecord::mark_lines), "!a\"\n!b\n");
        assert_eq!(marked(|bad, row| bad.mark_csv(3, row)), "\"a\"\"\nb\",!,!\n");
        let json = "{\"bad\":\"a\\\"\\u000ab\",\"error\":\"found \\\"\\u0009\\\"\"}\n";
        assert_eq!(marked(BadRecord::mark_json), json);
    }
}
