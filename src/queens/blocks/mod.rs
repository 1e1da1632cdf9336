//! The engine for every board: split into subtrees, orient each, and let a kernel count it.
//!
//! ```text
//! board ── roots ──> positions with a weight                     (symmetry, see roots.rs)
//!       ── split ──> subtrees of similar cost                    (the units of parallel work)
//!       ── count ──> starts: split further, seen from the cheapest side    (side.rs)
//!       ── kernel ─> solutions
//! ```
//!
//! Both splits fill the outermost row or column that has the fewest open squares. The lines left
//! then form a block in the middle of the board, narrow enough for the kernels' 16-bit words up to
//! n = 20 and beyond.

mod kernel;
mod roots;
mod side;

use kernel::StackMemory;
use roots::{Root, roots};
use side::Orientation;

use super::Board;
use super::position::{Field, Position};
use crate::bits::bits;
use crate::cpu::Instructions;
use crate::idle::Idle;
use crate::search::{Costs, Counter, Revision, Stop, Stopped, Tally};

/// The version of this engine; [`Revision`] says when to raise a number.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// Upper bound on the estimated number of squares that a kernel tries below one start, about half a
/// millisecond: long enough to keep its vectors full, short enough for each position to be seen from its
/// cheapest side.
const START_COST: f64 = 4e6;

/// Subtrees of a large board have at most this share of its cost ...
const SUBTREE_SHARE: f64 = 1.0 / 4096.0;
/// ... but a subtree cheaper than this is not split for it.
const SUBTREE_COST: f64 = 2e6;

/// The approximate sum of the costs of all subtrees.
const WHOLE_COST: f64 = 1e12;

/// A board, split and ready to be counted.
#[derive(Debug)]
pub(super) struct Blocks {
    n: u32,
    idle: Idle<StackMemory>,
    roots: Vec<Root>,
    /// Positions that between them hold every solution once, in a fixed order.
    subtrees: Vec<Subtree>,
    instructions: Instructions,
    /// [`START_COST`], or less in tests, which split small boards as finely as large ones.
    start_cost: f64,
}

/// The solutions below one position.
#[derive(Debug)]
struct Subtree {
    root: usize,
    position: Position,
    /// Its share of [`WHOLE_COST`].
    cost: u64,
}

impl Blocks {
    pub fn new(board: &Board, instructions: Instructions) -> Self {
        Self::split_below(board, instructions, SUBTREE_COST, START_COST)
    }

    fn split_below(
        board: &Board,
        instructions: Instructions,
        subtree_cost: f64,
        start_cost: f64,
    ) -> Self {
        let roots = roots(board);
        let subtrees = subtrees(&roots, subtree_cost);
        let (n, idle) = (board.n(), Idle::default());
        Self { n, idle, roots, subtrees, instructions, start_cost }
    }

    /// Counts the solutions that `subtree` stands for.
    fn count_subtree(&self, subtree: &Subtree, stop: &Stop) -> Result<Tally, Stopped> {
        let root = &self.roots[subtree.root];
        let mut memory = self.idle.take().unwrap_or_else(|| StackMemory::new(self.n as usize));
        let mut solutions: u128 = 0;
        each_subtree(&root.field, &subtree.position, self.start_cost, &mut |_, side| {
            // Sums of 64-bit numbers, times a weight of 8 at most, do not reach 128 bits in any time.
            solutions +=
                u128::from(kernel::count(self.instructions, &side.start, &mut memory, stop)?);
            Ok(())
        })?;
        self.idle.put(memory);
        Ok(Tally::new(solutions * u128::from(root.weight)))
    }
}

impl Counter for Blocks {
    fn revision(&self) -> Revision {
        REVISION
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(|subtree| subtree.cost).collect())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.count_subtree(&self.subtrees[subtree], stop)
    }
}

/// The subtrees of all roots, each at most [`SUBTREE_SHARE`] of the whole or cheaper than `subtree_cost`.
fn subtrees(roots: &[Root], subtree_cost: f64) -> Vec<Subtree> {
    let cost =
        |root: &Root| Orientation::cheapest(&root.field, &root.position).map(|side| side.cost);
    let total: f64 = roots.iter().filter_map(cost).sum();
    let most = (total * SUBTREE_SHARE).max(subtree_cost);
    let mut subtrees = Vec::new();
    // A child can cost more than it adds to its parent's estimate, so the sum is not exact.
    let share = |cost: f64| (cost / total * WHOLE_COST).max(1.0) as u64;
    for (index, root) in roots.iter().enumerate() {
        each_subtree(&root.field, &root.position, most, &mut |position, side| {
            subtrees.push(Subtree { root: index, position: *position, cost: share(side.cost) });
            Ok(())
        })
        .unwrap_or_else(|Stopped| unreachable!("collecting never stops"));
    }
    subtrees
}

/// Calls `found` with the subtrees of `position` that cost `most` at most and may have solutions,
/// each seen from its cheapest side.
fn each_subtree(
    field: &Field,
    position: &Position,
    most: f64,
    found: &mut impl FnMut(&Position, Orientation) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    let Some(side) = Orientation::cheapest(field, position) else { return Ok(()) };
    let line = field.tightest_border(position).filter(|_| side.cost > most);
    let Some((line, open)) = line else { return found(position, side) };
    for square in bits(open) {
        let next = field.place_in(position, line, square.trailing_zeros());
        each_subtree(field, &next, most, found)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::{Square, known};

    fn count(plan: &Blocks) -> u128 {
        let numbers = 0..plan.subtrees.len();
        let counted = numbers.map(|number| plan.count(number, &Stop::new()).unwrap());
        counted.map(|tally| tally.solutions()).sum()
    }

    /// Boards with every kind of symmetry left, and none.
    fn boards() -> impl Iterator<Item = Board> {
        let parse = |names: &str| -> Vec<Square> {
            names.split_whitespace().map(|name| name.parse().unwrap()).collect()
        };
        let constrained = [
            ("", "c1 h3 f8 a6"),
            ("", "a1 h8"),
            ("", "d1 e1"),
            ("c1 f8", ""),
            ("b4", "g7 c2 h1"),
            ("", "a1 b1 c1 d1 e1 f1 h1"),
            ("", "a1 a2 a3 a5 a6 a7 a8 e5"),
        ]
        .map(|(placed, blocked)| Board::new(8, &parse(placed), &parse(blocked)).unwrap());
        (1..=9).map(|n| Board::plain(n).unwrap()).chain(constrained)
    }

    #[test]
    fn boards_split_as_finely_as_large_ones_have_the_same_counts() {
        for board in boards() {
            let whole = count(&Blocks::new(&board, Instructions::best()));
            assert!(!board.is_plain() || Some(whole) == known::solutions(board.n()), "{board:?}");
            for (subtree_cost, start_cost) in [(0.0, 0.0), (0.0, 1e9), (300.0, 20.0), (1e9, 0.0)] {
                let plan =
                    Blocks::split_below(&board, Instructions::best(), subtree_cost, start_cost);
                assert_eq!(count(&plan), whole, "{board:?} {subtree_cost} {start_cost}");
                let finest = subtree_cost == 0.0 && board.n() > 5;
                assert!(!finest || plan.subtrees.len() > 1, "{board:?}");
            }
        }
    }
}
