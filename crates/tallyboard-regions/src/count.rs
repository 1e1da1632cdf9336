//! All solutions of one board, counted in parallel.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::batch::{self, Limits, Start, Tasks};
use crate::board::{Board, Row};
use crate::clauses::BoardClauses;
use crate::position::{Layout, Position, Verdict};
use crate::solutions::{self, Step};
use tallyboard_base::cpu::Instructions;
use tallyboard_search::clauses::Found;
use tallyboard_search::{Problem, Stop, Stopped, Tally};

/// A board is split, a branch of every open position at a time, until it has at least so many positions, so fewer than twice as
/// many: enough for some hundred cores. Another number is another layout: raise `layout` in `identity`.
const SUBTREES: usize = 2_000;

/// Counts the solutions of a board: its first branches are the subtrees, each counted in all lanes of a vector.
///
/// ```
/// use tallyboard_regions::{Board, Count};
///
/// // Six rows as regions: permutations of six without neighbours that differ by one.
/// let rows: Vec<u32> = (0..36).map(|cell| cell / 6).collect();
/// assert_eq!(tallyboard_search::count(&Count::new(&Board::new(&rows, 1)?))?, 90);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Count {
    board: Board,
    positions: Vec<Position>,
    instructions: Instructions,
    layout: Layout,
    /// The guesses of the lanes so far.
    guesses: AtomicU64,
    /// The solutions that they found.
    solutions: AtomicU64,
    /// The clauses of the board and what they learned at first, once they were needed.
    learned: OnceLock<BoardClauses>,
    /// Copies of these that no worker uses at the moment, with what they learned later.
    clauses: Mutex<Vec<BoardClauses>>,
}

/// Guesses of the lanes before subtrees are asked of the clauses first, for one star and for several, where a guess takes as long as
/// some conflicts of the clauses.
const PATIENCE: [u64; 2] = [30_000, 3_000];
/// How many guesses for each solution, and rounds of a subtree for each of its solutions, are too many for the lanes.
const MOST_FOR_EACH: u64 = 32;
/// Guesses of the clauses while all other workers wait: some seconds.
const GUESSES_ALONE: u64 = 300_000;

impl Count {
    /// The count of a board, by the widest vectors that this CPU has.
    pub fn new(board: &Board) -> Self {
        Self::with(board, Instructions::best())
    }

    /// The count of a board by these instructions.
    #[doc(hidden)]
    pub fn with(board: &Board, instructions: Instructions) -> Self {
        let layout = Layout::new(board);
        let mut positions = vec![Position::new(board)];
        // Each step replaces every open position by its two branches, so positions of the same depth stay together.
        loop {
            let before = positions.len();
            let mut next = Vec::with_capacity(2 * before);
            let mut has_branched = false;
            for mut position in positions {
                match position.deduce(&layout) {
                    Verdict::Dead => {}
                    Verdict::Solved => next.push(position),
                    Verdict::Open => {
                        has_branched = true;
                        next.extend(position.branch(&layout));
                    }
                }
            }
            positions = next;
            if !has_branched || positions.len() >= SUBTREES {
                break;
            }
        }
        Self {
            board: board.clone(),
            positions,
            instructions,
            layout,
            guesses: AtomicU64::new(0),
            solutions: AtomicU64::new(0),
            learned: OnceLock::new(),
            clauses: Mutex::new(Vec::new()),
        }
    }

    /// The same count, which asks the clauses from the start.
    #[doc(hidden)]
    pub fn by_clauses(self) -> Self {
        Self { guesses: AtomicU64::new(1 << 60), ..self }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Calls `found` with the stars of each solution of a subtree, and returns their number.
    pub(crate) fn visit(
        &self,
        subtree: usize,
        mut found: impl FnMut(&[u32]),
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        let (board, position) = (&self.board, &self.positions[subtree]);
        if !batch::has_lanes(board.stars()) {
            return self.search(vec![position.clone()], &mut found, stop);
        }
        if self.is_hard() && self.ask(position, stop)? == Found::None {
            return Ok(0);
        }
        let start = Some(Start { regions: board.regions(), rows: &position.rows });
        let mut tasks =
            Subtree { start, count: 0, guesses: 0, open: Vec::new(), found: &mut found };
        batch::run(self.instructions, board.size(), board.stars(), Limits::NONE, &mut tasks, stop)?;
        let Subtree { count, guesses, open, .. } = tasks;
        self.guesses.fetch_add(guesses, Ordering::Relaxed);
        self.solutions.fetch_add(count, Ordering::Relaxed);
        if open.is_empty() {
            return Ok(count);
        }
        // Neither sum reaches 2^64, since each solution takes longer than a nanosecond.
        Ok(count + self.search(open, &mut found, stop)?)
    }

    /// Whether the lanes have failed far more often than they found a solution.
    fn is_hard(&self) -> bool {
        let guesses = self.guesses.load(Ordering::Relaxed);
        guesses > PATIENCE[usize::from(self.board.stars() > 1)]
            && guesses / MOST_FOR_EACH > self.solutions.load(Ordering::Relaxed)
    }

    /// Asks the clauses whether a position has a solution.
    fn ask(&self, position: &Position, stop: &Stop) -> Result<Found, Stopped> {
        let mut clauses = self.take_clauses(stop)?;
        let found = clauses.ask(position, u64::MAX, stop);
        self.keep_clauses(Some(clauses));
        found
    }

    /// Calls `found` with the stars of each solution of these positions, and returns their number.
    fn search(
        &self,
        open: Vec<Position>,
        found: &mut impl FnMut(&[u32]),
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        let clauses = self.take_clauses(stop)?;
        // Once all solutions are known, to ask costs nothing.
        let patience = if clauses.is_complete() { 0 } else { solutions::PATIENCE };
        let mut search = solutions::Search::new(self.layout.clone(), open, patience);
        search.clauses = Some(clauses);
        let mut count = 0;
        while let Step::Solution(stars) = search.next(u64::MAX, stop)? {
            count += 1;
            found(&stars);
        }
        self.keep_clauses(search.clauses);
        Ok(count)
    }

    fn take_clauses(&self, stop: &Stop) -> Result<BoardClauses, Stopped> {
        let learned = self.learned.get_or_init(|| {
            let mut clauses = BoardClauses::new(&self.layout, self.board.rows());
            // Whoever asks next finds the flag raised, too.
            let _ = clauses.complete(GUESSES_ALONE, stop);
            clauses
        });
        stop.check()?;
        let kept = self.clauses.lock().expect("nobody panics holding it").pop();
        Ok(kept.unwrap_or_else(|| learned.clone()))
    }

    fn keep_clauses(&self, clauses: Option<BoardClauses>) {
        self.clauses.lock().expect("nobody panics holding it").extend(clauses);
    }

    /// The instructions by which it is counted.
    #[doc(hidden)]
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }
}

/// One position, whose branches all lanes share.
struct Subtree<'a, F> {
    start: Option<Start<'a>>,
    count: u64,
    guesses: u64,
    /// The positions that the lanes left.
    open: Vec<Position>,
    /// Called with the stars of each solution.
    found: F,
}

impl<F: FnMut(&[u32])> Tasks for Subtree<'_, F> {
    fn next(&mut self) -> Option<Start<'_>> {
        self.start.take()
    }

    fn found(&mut self, _: usize, stars: &[u32]) {
        // A count takes longer than a nanosecond for each solution, so no sum reaches 2^64.
        self.count += 1;
        (self.found)(stars);
    }

    fn finished(&mut self, _: usize, _: u64, guesses: u64, _: bool) {
        self.guesses += guesses;
    }

    fn goes_on(&mut self, rounds: u64) -> bool {
        rounds / MOST_FOR_EACH <= self.count
    }

    fn left(&mut self, rows: &[Row]) {
        self.open.push(Position { rows: rows.into() });
    }

    fn shared(&self) -> bool {
        true
    }
}

impl Problem for Count {
    fn subtrees(&self) -> usize {
        self.positions.len()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.visit(subtree, |_| (), stop).map(Tally::new)
    }

    /// The board as text, and the engine's revision.
    fn identity(&self) -> String {
        let name = |digit: u8| char::from_digit(digit.into(), 36).expect("at most 32 regions");
        let cells: String = self.board.regions().iter().map(|&region| name(region)).collect();
        let marks: Vec<String> = self
            .board
            .rows()
            .iter()
            .map(|row| format!("{:x}.{:x}", row.possible, row.stars))
            .collect();
        format!(
            "regions n={} stars={} cells={cells} rows={} engine=lanes algorithm=1 layout=1",
            self.board.size(),
            self.board.stars(),
            marks.join(",")
        )
    }
}
