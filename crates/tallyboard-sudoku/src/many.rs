//! Grids to answers by the batch engine, which solves files too: many at a time, or one with a solver that each thread keeps.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io::Read;
use std::ops::{ControlFlow, Range};

use crate::batch::fill;
use crate::error::{Error, LineError};
use crate::in_memory::Worker;
use crate::{Answer, CELLS, Grid, parse_line};
use tallyboard_files::read_some;
use tallyboard_search::{Stop, Stopped, ordered, thread_count};

/// Solutions are counted up to this number: the first is the answer, and a second shows that it is not the only one.
const LIMIT: u8 = 2;
/// Fewer puzzles than this are solved before threads have started.
const MIN_PUZZLES_FOR_THREADS: usize = 256;
/// The most and the fewest puzzles that a worker takes at a time; the fewest still fill the vectors.
const MAX_PORTION_PUZZLES: usize = 1024;
const MIN_PORTION_PUZZLES: usize = 128;

thread_local! {
    /// The solver of [`solve`] on this thread: it owns memory that is worth keeping.
    static SOLVER: RefCell<TableSolver> = RefCell::new(TableSolver::new());
}

/// The solution of `puzzle`, and whether it is the only one.
///
/// The first call on a thread makes a solver, which the thread keeps. For a limit on solutions other than 2 there is
/// [`solve_up_to`](crate::solve_up_to), and with a flag to stop [`solve_or_stop`](crate::solve_or_stop).
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{self, Grid};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let answer = sudoku::solve(&puzzle);
/// assert!(answer.is_unique());
/// assert_eq!(
///     answer.to_string(),
///     "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
/// );
/// # Ok::<(), sudoku::LineError>(())
/// ```
pub fn solve(puzzle: &Grid) -> Answer {
    SOLVER.with_borrow_mut(|solver| {
        solver.clear();
        solver.push(puzzle.cells());
        solver.solve(&Stop::new()).expect("this flag is never raised");
        solver.answer(0)
    })
}

/// [`solve`] of each of `puzzles`, in their order, on every core.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, solve_all};
///
/// let puzzles = vec![Grid::default(); 1000];
/// assert!(solve_all(&puzzles).iter().all(|answer| answer.first.is_some() && !answer.is_unique()));
/// ```
///
/// # Panics
/// If the engine panics, which is a fault of this library.
pub fn solve_all(puzzles: &[Grid]) -> Vec<Answer> {
    let threads = if puzzles.len() < MIN_PUZZLES_FOR_THREADS { 1 } else { thread_count(0) };
    match solve_portions(puzzles, threads) {
        Ok(answers) => answers,
        // Where the system gives no threads, the caller's is left.
        Err(tallyboard_search::Error::Threads { .. }) => {
            solve_portions(puzzles, 1).expect("the caller's thread is there")
        }
        Err(error) => panic!("{error}"),
    }
}

fn solve_portions(
    puzzles: &[Grid],
    threads: usize,
) -> Result<Vec<Answer>, tallyboard_search::Error> {
    let portion = (puzzles.len() / (4 * threads)).clamp(MIN_PORTION_PUZZLES, MAX_PORTION_PUZZLES);
    let solve = |solver: &mut TableSolver, places: Range<usize>, stop: &Stop| {
        solver.clear();
        puzzles[places].iter().for_each(|puzzle| solver.push(puzzle.cells()));
        solver.solve(stop)
    };
    fill(puzzles.len(), portion, threads, TableSolver::new, solve, TableSolver::answer)
}

/// The batch engine with the cells of some puzzles, and their answers once they are solved.
pub(super) struct TableSolver {
    worker: Worker,
    /// 81 for each puzzle: numbers, digits or dots.
    cells: Vec<u8>,
    /// As many cells of solutions, and a count for each puzzle.
    solutions: Vec<u8>,
    counts: Vec<u8>,
}

impl TableSolver {
    pub fn new() -> Self {
        let worker = Worker::new();
        Self { worker, cells: Vec::new(), solutions: Vec::new(), counts: Vec::new() }
    }

    /// Forgets all puzzles.
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    /// Adds a puzzle: numbers up to 9, or digits and dots.
    pub fn push(&mut self, cells: &[u8; CELLS]) {
        self.cells.extend_from_slice(cells);
    }

    /// Solves all puzzles.
    pub fn solve(&mut self, stop: &Stop) -> Result<(), Stopped> {
        self.worker.read(&self.cells).expect("all of them are cells");
        self.solutions.resize(self.cells.len(), 0);
        self.counts.resize(self.cells.len() / CELLS, 0);
        self.worker.solve(LIMIT, &mut self.solutions, &mut self.counts, stop)
    }

    /// The answer of a puzzle solved last, by its position.
    #[inline]
    pub fn answer(&self, puzzle: usize) -> Answer {
        let count = self.counts[puzzle];
        let solution = self.solutions[CELLS * puzzle..].first_chunk().expect("81 cells a puzzle");
        Answer { count: count.into(), first: (count > 0).then(|| Grid::of_digits(*solution)) }
    }
}

impl Answer {
    /// Whether there is exactly one solution, given that solutions were counted up to 2 or more.
    pub fn is_unique(&self) -> bool {
        self.count == 1
    }
}

impl fmt::Display for Answer {
    /// The solution found; and if it is not the only one, how many were found.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.first, self.count) {
            (Some(solution), 1) => write!(f, "{solution}"),
            (Some(solution), count) => write!(f, "{solution} (the first of {count} or more)"),
            (None, _) => write!(f, "no solution"),
        }
    }
}

// Puzzles as lines of text, of any length, and an iterator over their answers.

/// Upper bound on the bytes that are read at a time, and on the length of a line.
const BLOCK_BYTES: usize = 1 << 20;
/// Fewer bytes than this are solved before threads have started.
const MIN_BYTES_FOR_THREADS: usize = 16 << 10;
/// The fewest bytes that a worker takes at a time.
const MIN_PIECE_BYTES: usize = 8 << 10;

/// The answer of every puzzle of `reader`, one a line, in order and on every core. The input may have any length:
/// at most 1 MiB of it is held.
///
/// What the reader has at the moment is solved at once, so that answers follow a slow input closely. Empty lines and
/// comments (`#`) are skipped.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::solve_lines;
///
/// let text = "# a puzzle, and a line that is none
/// 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
/// 53..7
/// ";
/// let mut answers = solve_lines(text.as_bytes());
/// assert!(answers.next().unwrap()?.is_unique());
/// let error = answers.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "line 3: found 5 cells, expected 81");
/// assert!(answers.next().is_none());
/// # Ok::<(), tallyboard::sudoku::Error>(())
/// ```
pub fn solve_lines<R: Read>(reader: R) -> Answers<R> {
    Answers { reader, text: Vec::new(), lines: 0, ready: VecDeque::new(), ended: false }
}

/// The answers of [`solve_lines`].
#[derive(Debug)]
pub struct Answers<R> {
    reader: R,
    /// Text that was read but not solved: the beginning of a line whose end was not read.
    text: Vec<u8>,
    /// The number of lines solved.
    lines: u64,
    /// Answers to be given out.
    ready: VecDeque<Result<Answer, Error>>,
    /// Whether nothing more is read: the input has ended or failed.
    ended: bool,
}

impl<R: Read> Answers<R> {
    /// Reads what the reader has, and solves the whole lines of it.
    fn refill(&mut self) -> Result<(), Error> {
        let begun = self.text.len();
        self.text.resize(BLOCK_BYTES, 0);
        let read = read_some(&mut self.reader, &mut self.text[begun..]);
        self.text.truncate(begun + *read.as_ref().unwrap_or(&0));
        self.ended = read.map_err(Error::Read)? == 0;
        let text = std::mem::take(&mut self.text);
        // The length of the whole lines.
        let whole = match text.iter().rposition(|&byte| byte == b'\n') {
            _ if self.ended => text.len(),
            Some(end) => end + 1,
            None if text.len() == BLOCK_BYTES => {
                self.ended = true;
                return Err(Error::Line { line: self.lines + 1, error: LineError::TooLong });
            }
            None => 0,
        };
        self.solve(&text[..whole])?;
        self.text = text;
        self.text.drain(..whole);
        Ok(())
    }

    /// Solves whole lines on every core.
    fn solve(&mut self, text: &[u8]) -> Result<(), tallyboard_search::Error> {
        let threads = if text.len() < MIN_BYTES_FOR_THREADS { 1 } else { thread_count(0) };
        let bytes = (text.len() / (4 * threads)).max(MIN_PIECE_BYTES);
        let Self { ready, lines, .. } = self;
        ordered(
            pieces(text, bytes),
            threads,
            &Stop::new(),
            TableSolver::new,
            |solver, piece, parts| {
                // A push fails only after the next closure has broken off, which it never does.
                let _ = parts.push(solve_piece(solver, piece)?);
                Ok(())
            },
            |piece: SolvedPiece| {
                ready.extend(piece.answers.into_iter().map(|answer| {
                    answer.map_err(|(line, error)| Error::Line { line: *lines + line, error })
                }));
                *lines += piece.lines;
                ControlFlow::<()>::Continue(())
            },
        )?;
        Ok(())
    }
}

/// Cuts `text` after lines, into pieces of `bytes` bytes or a little more.
fn pieces(text: &[u8], bytes: usize) -> impl Iterator<Item = &[u8]> + Send {
    let mut uncut = text;
    std::iter::from_fn(move || {
        let from = uncut.len().min(bytes);
        let line_end = memchr::memchr(b'\n', &uncut[from..]);
        let end = line_end.map_or(uncut.len(), |end| from + end + 1);
        uncut.split_off(..end).filter(|piece| !piece.is_empty())
    })
}

/// The answers of a piece of the input.
struct SolvedPiece {
    /// For each record its answer, or the line that is no puzzle, counted from 1 in the piece, and what is wrong with it.
    answers: Vec<Result<Answer, (u64, LineError)>>,
    lines: u64,
}

fn solve_piece(
    solver: &mut TableSolver,
    piece: &[u8],
) -> Result<SolvedPiece, tallyboard_search::Stopped> {
    solver.clear();
    let mut lines = 0;
    // For each record, nothing if it is a puzzle, or else what is wrong.
    let mut records = Vec::new();
    for line in piece.split_inclusive(|&byte| byte == b'\n') {
        lines += 1;
        let line = line.trim_ascii_end();
        if matches!(line.trim_ascii_start().first(), None | Some(b'#')) {
            continue;
        }
        records.push(push_line(solver, line).map_err(|error| (lines, error)));
    }
    solver.solve(&Stop::new())?;
    let mut puzzles = 0..;
    let answers = records
        .into_iter()
        .map(|record| record.map(|()| solver.answer(puzzles.next().expect("numbers without end"))));
    Ok(SolvedPiece { answers: answers.collect(), lines })
}

/// Adds the puzzle of a line.
fn push_line(solver: &mut TableSolver, line: &[u8]) -> Result<(), LineError> {
    // Most lines are nothing but digits and dots, which need no reading here.
    match <&[u8; CELLS]>::try_from(line).ok() {
        Some(cells) if are_digits_and_dots(cells) => solver.push(cells),
        _ => solver.push(parse_line(line)?.cells()),
    }
    Ok(())
}

/// Looks at every byte, so that it is compiled to vectors.
fn are_digits_and_dots(cells: &[u8; CELLS]) -> bool {
    cells.iter().fold(true, |all, byte| all & (byte.is_ascii_digit() | (*byte == b'.')))
}

impl<R: Read> Iterator for Answers<R> {
    type Item = Result<Answer, Error>;

    /// The next answer; it may wait for the reader.
    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            if let Err(error) = self.refill() {
                self.ended = true;
                self.ready.push_back(Err(error));
            }
        }
        self.ready.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::solve_up_to;

    #[test]
    fn all_of_many_puzzles_are_answered_in_order() {
        let generator = Generator::for_tests(Some(30), 5);
        let mut puzzles: Vec<Grid> = (0..700).map(|number| generator.puzzle(number)).collect();
        puzzles[3] = Grid::new([1; 81]).unwrap();
        puzzles[650] = Grid::default();
        let answers = solve_all(&puzzles);
        assert_eq!(answers.len(), puzzles.len());
        for (puzzle, answer) in puzzles.iter().zip(answers) {
            let alone = solve(puzzle);
            assert_eq!((answer, alone.count), (alone, solve_up_to(puzzle, 2).count));
            let solution = alone.first.map(|first| solve_up_to(&first, 2).count);
            assert_eq!(solution, (alone.count > 0).then_some(1));
        }
        assert_eq!(solve_all(&[]), []);
    }

    #[test]
    fn answers_say_what_was_found() {
        assert_eq!(solve(&Grid::new([1; 81]).unwrap()).to_string(), "no solution");
        let several = solve(&Grid::default()).to_string();
        assert!(several.ends_with(" (the first of 2 or more)"), "{several}");
    }
}

#[cfg(test)]
mod solve_lines_tests {
    use std::io;

    use super::*;
    use crate::generate::Generator;
    use crate::{Grid, solve};

    /// Gives at most this many bytes of the text at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let bytes = self.1.min(room.len());
            self.0.read(&mut room[..bytes])
        }
    }

    #[test]
    fn answers_are_those_of_each_line_however_it_arrives() {
        let generator = Generator::for_tests(Some(32), 9);
        let puzzles: Vec<Grid> = (0..900).map(|number| generator.puzzle(number)).collect();
        let mut text = String::from("# puzzles\r\n\n");
        for (number, puzzle) in puzzles.iter().enumerate() {
            text += &format!("{puzzle},{number}\r\n");
        }
        // The last line has no end.
        text += "12x";
        for bytes in [1000, 7777, usize::MAX] {
            let mut found: Vec<_> = solve_lines(Trickle(text.as_bytes(), bytes)).collect();
            let bad = found.pop().unwrap().unwrap_err();
            assert_eq!(bad.to_string(), "line 903: found 3 cells, expected 81");
            let found: Vec<Answer> = found.into_iter().map(Result::unwrap).collect();
            assert_eq!(found, puzzles.iter().map(solve).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_cannot_be_read_ends_the_answers() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("planted"))
            }
        }
        let found: Vec<_> = solve_lines(Broken).collect();
        assert!(matches!(found[..], [Err(Error::Read(_))]));
        let endless: Vec<_> = solve_lines(io::repeat(b'1')).collect();
        assert!(matches!(endless[..], [Err(Error::Line { line: 1, .. })]));
    }
}
