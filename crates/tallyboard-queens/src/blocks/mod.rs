//! The engine for every board: splits it into subtrees, and these into starts that a kernel counts.
//!
//! ```text
//! board ── roots ──> positions with a weight                     (symmetry, see roots.rs)
//!       ── split ──> subtrees of similar cost                    (the units of parallel work)
//!       ── count ──> starts: parts of a subtree, seen from the cheapest side    (roots.rs)
//!       ── kernel ─> solutions
//! ```
//!
//! Both splits fill the outermost row or column with the fewest open squares. The empty lines then
//! form a block in the middle of the board. Up to n = 20 and beyond, it is narrow enough for the
//! kernels' 16-bit words.

mod kernel;
mod roots;
mod tally;

use kernel::StackMemory;
use roots::{Orientation, Root, roots};
pub(crate) use tally::TallyBlocks;

use super::Board;
use super::position::{Field, Position};
use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::idle::Idle;
use tallyboard_search::{Costs, Problem, Revision, Stop, Stopped, Tally};

/// The version of this engine; [`Revision`] says when to raise a number.
pub(super) const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// Upper bound on the estimated number of squares that a kernel tries below one start. They take about half a
/// millisecond: long enough to keep the kernel's vectors full, short enough that each position can be seen from
/// its cheapest side.
const MAX_START_SQUARES: f64 = 4e6;

/// A subtree with a larger share of the board's cost than this is split further, unless it has fewer squares
/// than [`MIN_CUT_SQUARES`].
const MAX_SUBTREE_SHARE: f64 = 1.0 / 4096.0;
/// A subtree whose estimated number of squares tried is below this is not split further.
const MIN_CUT_SQUARES: f64 = 2e6;

/// Costs are scaled so that the sum over all subtrees is about this.
const TOTAL_COST: f64 = 1e12;

/// The engine for one board, which it has split.
#[derive(Debug)]
pub(super) struct Blocks {
    n: u32,
    idle: Idle<StackMemory>,
    roots: Vec<Root>,
    /// Positions in a fixed order. Each solution, or one of its images, is below exactly one of them.
    subtrees: Vec<Subtree<()>>,
    instructions: Instructions,
    /// [`MAX_START_SQUARES`]; tests take less, to split small boards as finely as large ones.
    max_start_squares: f64,
}

/// The solutions below one position.
#[derive(Debug)]
struct Subtree<T> {
    root: usize,
    position: Position,
    trace: T,
    /// The share of [`TOTAL_COST`] that it takes.
    cost: u64,
}

impl Blocks {
    pub fn new(board: &Board, instructions: Instructions) -> Self {
        Self::with_limits(board, instructions, MIN_CUT_SQUARES, MAX_START_SQUARES)
    }

    /// [`new`](Self::new) with other limits: subtrees are split further from `min_cut_squares` on, starts from
    /// `max_start_squares` on.
    fn with_limits(
        board: &Board,
        instructions: Instructions,
        min_cut_squares: f64,
        max_start_squares: f64,
    ) -> Self {
        let roots = roots(board);
        let trace = |_: &Root| ();
        let subtrees = subtrees(&roots, trace, min_cut_squares);
        let n = board.n();
        let idle = Idle::default();
        Self { n, idle, roots, subtrees, instructions, max_start_squares }
    }
}

impl Problem for Blocks {
    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(|subtree| subtree.cost).collect())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Subtree { root, position, .. } = &self.subtrees[subtree];
        let Root { field, images, .. } = &self.roots[*root];
        let mut memory = self.idle.take().unwrap_or_else(|| StackMemory::new(self.n as usize));
        let mut solutions: u128 = 0;
        for_each_subtree(field, position, (), self.max_start_squares, &mut |_, (), side| {
            // 128 bits hold a sum of fewer than 2^61 numbers of 64 bits, times at most 8 images; to count so many
            // starts, one a nanosecond, would take seventy years.
            solutions +=
                u128::from(kernel::count(self.instructions, &side.start, &mut memory, stop)?);
            Ok(())
        })?;
        self.idle.put(memory);
        // So their images are counted, too.
        Ok(Tally::new(solutions * images.len() as u128))
    }
}

/// The subtrees of all roots. The estimated cost of each is at most [`MAX_SUBTREE_SHARE`] of the whole, or at most
/// `min_cut_squares`.
fn subtrees<T: Trace>(
    roots: &[Root],
    trace: impl Fn(&Root) -> T,
    min_cut_squares: f64,
) -> Vec<Subtree<T>> {
    let cost =
        |root: &Root| Orientation::cheapest(&root.field, &root.position).map(|side| side.cost);
    let total: f64 = roots.iter().filter_map(cost).sum();
    let max_cost = (total * MAX_SUBTREE_SHARE).max(min_cut_squares);
    let mut subtrees = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        let (field, position) = (&root.field, &root.position);
        for_each_subtree(field, position, trace(root), max_cost, &mut |position, trace, side| {
            // The estimates of the children of a position need not add up to its own, so the sum is not exact.
            let cost = (side.cost / total * TOTAL_COST).max(1.0) as u64;
            subtrees.push(Subtree { root: index, position: *position, trace, cost });
            Ok(())
        })
        .unwrap_or_else(|Stopped| unreachable!("collecting never stops"));
    }
    subtrees
}

/// What is remembered of the queens of a position: nothing, or where they stand.
trait Trace: Copy {
    /// The trace of the position with one more queen.
    fn place(self, row: u32, column: u32) -> Self;
}

impl Trace for () {
    fn place(self, _: u32, _: u32) {}
}

/// Splits `position` into subtrees that cost at most `max_cost` each. Calls `found` with those that may have
/// solutions, each with its trace and seen from its cheapest side.
fn for_each_subtree<T: Trace>(
    field: &Field,
    position: &Position,
    trace: T,
    max_cost: f64,
    found: &mut impl FnMut(&Position, T, Orientation) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let Some(side) = Orientation::cheapest(field, position) else { return Ok(()) };
    let line = field.tightest_border(position).filter(|_| side.cost > max_cost);
    let Some((line, open)) = line else { return found(position, trace, side) };
    for square in bits(open) {
        let (row, column) = line.square(square.trailing_zeros());
        let next = field.place(position, row, column);
        for_each_subtree(field, &next, trace.place(row, column), max_cost, found)?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::board::board;
    use crate::known;

    fn count(blocks: &Blocks) -> u128 {
        let numbers = 0..blocks.subtrees.len();
        let tallies = numbers.map(|number| blocks.count(number, &Stop::new()).unwrap());
        tallies.map(|tally| tally.solutions()).sum()
    }

    /// Boards with each kind of symmetry, and boards with none.
    pub fn boards() -> impl Iterator<Item = Board> {
        let constrained = [
            ("", "c1 h3 f8 a6"),
            ("", "a1 h8"),
            ("", "d1 e1"),
            ("c1 f8", ""),
            ("b4", "g7 c2 h1"),
            ("", "a1 b1 c1 d1 e1 f1 h1"),
            ("", "a1 a2 a3 a5 a6 a7 a8 e5"),
        ]
        .map(|(placed, blocked)| board(8, placed, blocked));
        (1..=9).map(|n| Board::new(n).unwrap()).chain(constrained)
    }

    #[test]
    fn boards_split_as_finely_as_large_ones_have_the_same_counts() {
        for board in boards() {
            let whole = count(&Blocks::new(&board, Instructions::best()));
            assert!(!board.is_plain() || Some(whole) == known::solutions(board.n()), "{board:?}");
            for (subtree_cost, start_cost) in [(0.0, 0.0), (0.0, 1e9), (300.0, 20.0), (1e9, 0.0)] {
                let blocks =
                    Blocks::with_limits(&board, Instructions::best(), subtree_cost, start_cost);
                assert_eq!(count(&blocks), whole, "{board:?} {subtree_cost} {start_cost}");
                let finest = subtree_cost == 0.0 && board.n() > 5;
                assert!(!finest || blocks.subtrees.len() > 1, "{board:?}");
            }
        }
    }
}
