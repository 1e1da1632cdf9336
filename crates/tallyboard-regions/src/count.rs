//! All solutions of one board, counted in parallel.

use crate::batch::{self, Limits, Start, Tasks};
use crate::board::Board;
use crate::position::{Layout, Position, Verdict};
use tallyboard_base::cpu::Instructions;
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
}

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
        Self { board: board.clone(), positions, instructions }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Calls `found` with the stars of each solution of a subtree, and returns their number.
    pub(crate) fn visit(
        &self,
        subtree: usize,
        found: impl FnMut(&[u32]),
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        let (board, rows) = (&self.board, &self.positions[subtree].rows);
        let start = Some(Start { regions: board.regions(), rows });
        let mut tasks = Subtree { start, count: 0, found };
        batch::run(self.instructions, board.size(), board.stars(), Limits::NONE, &mut tasks, stop)?;
        Ok(tasks.count)
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
    /// Called with the stars of each solution.
    found: F,
}

impl<F: FnMut(&[u32])> Tasks for Subtree<'_, F> {
    fn next(&mut self) -> Option<Start<'_>> {
        self.start.take()
    }

    fn found(&mut self, _: usize, stars: &[u32]) {
        (self.found)(stars);
    }

    fn finished(&mut self, _: usize, count: u64, _: u64, _: bool) {
        // A count takes longer than a nanosecond for each solution, so no sum reaches 2^64.
        self.count += count;
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
