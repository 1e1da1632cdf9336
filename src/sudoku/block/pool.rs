//! Counting every solution: states of many puzzles in one pool.
//!
//! ```text
//! while there is a state:
//!     take the one that came last
//!     half a round, then a round
//!     if solved:           add its weight to the count of its puzzle
//!     else if not dead:    split it, or leave it as it is where it cannot be split yet
//!         twins:           back with the first half, at twice the weight
//!         else:            back with both halves
//! ```
//!
//! Departures from it:
//!
//! 1. All lanes take a state each. A first half stays in its lane; second halves are packed and go to
//!    the stack as whole vectors, from which lanes without a state are filled.
//! 2. A state is split after a round and a half even if another round would deduce more: a count cares
//!    little for the shape of the tree, and finding out that nothing changes costs a round.
//! 3. Where a split leaves one solution in each half, both are counted at once.
//! 4. Lanes sum up in 32 bits, and hand their sums over when they change to another puzzle.
//!
//! Unlike in [`search`](super::search), lanes are never idle as long as there is work, and the memory
//! is that of the open states; but which solution comes first depends on the neighbours.

use super::branch::split;
use super::choice::Order;
use super::lanes::{Lanes, Set};
use super::layout::Batch;
use super::round::{half_round, round};
use super::stack::{Stack, Work, first};
use crate::search::{Stop, Stopped};

/// How many steps pass between two looks at the stop flag: half a millisecond.
///
/// A weight is at most 2^20, because it doubles where half of a group of at least four cells is
/// decided. So a lane's sum stays below 2^32 until it is handed over.
const POLL_INTERVAL: u64 = 1 << 11;

/// The states that are open, and sums.
pub struct Pool<V> {
    /// The states in the lanes.
    work: Work<V>,
    /// Solutions of the lane's puzzle that have not been handed over.
    sums: V,
    /// The other states that are open.
    stack: Stack<V>,
    /// Memory for second halves, and for puzzles that enter.
    other: Work<V>,
}

impl<V: Lanes> Pool<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let sums = V::splat(0);
        Self { work: Work::new(), sums, stack: Stack::new(), other: Work::new() }
    }

    /// Counts all solutions of the grids of `batches`, as many as there are `counts`, which are to be
    /// zero.
    #[inline(always)]
    pub fn count(
        &mut self,
        batches: &[Batch],
        counts: &mut [u64],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        if counts.is_empty() {
            return Ok(());
        }
        let full = first(V::COUNT);
        // Idle lanes belong to some puzzle, too.
        self.work.puzzles = V::splat(0);
        let mut next = 0;
        let mut steps = 0_u64;
        loop {
            while next < counts.len() && self.stack.len() < V::COUNT {
                self.other.enter(batches, next, counts.len());
                self.stack.push(self.other.lanes, &self.other);
                next += V::COUNT;
            }
            if self.work.lanes != full && self.stack.len() > 0 {
                self.refill(full & !self.work.lanes, counts);
            }
            if self.work.lanes == 0 {
                break;
            }
            self.step();
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) {
                self.hand_over(self.work.puzzles, full, counts);
                if stop.requested() {
                    self.work.lanes = 0;
                    self.stack.clear();
                    return Err(Stopped);
                }
            }
        }
        self.hand_over(self.work.puzzles, full, counts);
        Ok(())
    }

    /// Adds the sums of these lanes to the counts of their puzzles.
    #[inline(always)]
    fn hand_over(&mut self, puzzles: V, lanes: u32, counts: &mut [u64]) {
        for lane in Set(lanes) {
            let count = &mut counts[puzzles.words()[lane] as usize];
            let sum = u64::from(self.sums.words()[lane]);
            // Far beyond what can be searched, but a silent overflow would be a wrong answer.
            *count = count.checked_add(sum).expect("over 2^64 solutions");
        }
        self.sums = self.sums.without(V::only(lanes));
    }

    /// Moves states from the stack to idle lanes.
    #[inline(always)]
    fn refill(&mut self, idle: u32, counts: &mut [u64]) {
        let puzzles = self.work.puzzles;
        self.stack.fill(idle, &mut self.work);
        let moved = idle & !puzzles.same(self.work.puzzles);
        if moved != 0 {
            self.hand_over(puzzles, moved, counts);
        }
    }

    /// A round and a half, and what follows from it.
    #[inline(always)]
    fn step(&mut self) {
        let Work { state, weights, lanes, .. } = &mut self.work;
        half_round(state);
        let found = round(state);
        self.sums = self.sums.add(weights.and(V::only(found.solved & *lanes)));
        *lanes &= !(found.solved | found.dead);
        if *lanes != 0 {
            self.branch(self.work.lanes & !found.changed);
        }
    }

    #[inline(always)]
    fn branch(&mut self, stuck: u32) {
        let Self { work, sums, other, stack } = self;
        let found = split(&mut work.state, &mut other.state, work.lanes, stuck, Order::Shown);
        work.weights = work.weights.add(work.weights.and(V::only(found.twins)));
        *sums = sums.add(work.weights.and(V::only(found.pairs)));
        work.lanes &= !found.pairs;
        (other.puzzles, other.weights) = (work.puzzles, work.weights);
        stack.push(found.split & !found.twins, other);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Engine, Kernel, Table};
    use crate::search::Stop;
    use crate::sudoku::Grid;

    #[test]
    fn a_raised_flag_ends_it_and_leaves_nothing_behind() {
        let mut engine = Engine::new(Kernel::best()).unwrap();
        let mut table = Table::default();
        table.push(&Grid::default());
        let stop = Stop::new();
        stop.request();
        assert!(table.count_all(&mut engine, &stop).is_err());

        let pairs =
            "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";
        for puzzles in [40, 0, 1] {
            table.clear();
            (0..puzzles).for_each(|_| table.push(&pairs.parse().unwrap()));
            table.count_all(&mut engine, &Stop::new()).unwrap();
            assert!((0..puzzles).all(|puzzle| table.count(puzzle) == 4));
        }
    }
}
