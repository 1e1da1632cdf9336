//! Grids to answers by the batch engine, which solves files too: many at a time, or one with a solver that each thread keeps.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use super::batch::fill;
use super::in_memory::Worker;
use super::{Answer, CELLS, Grid};
use tallyboard_search::{Stop, Stopped, thread_count};

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
