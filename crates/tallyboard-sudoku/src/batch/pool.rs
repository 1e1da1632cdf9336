//! Counting solutions without looking at them: states of many puzzles in one pool.
//!
//! ```text
//! while there is a state or a puzzle, take a vector
//!         of second halves, or else of new puzzles, or else of whatever states there are;
//!     half a round, then a round
//!     solved:      add its weight to the count of its puzzle
//!     else if not dead: to the undecided states
//!     whenever these fill a vector, split them (or leave a state as it is where it cannot be split yet)
//!         twins:   the first half, at twice the weight, to the halves
//!         else:    both halves to the halves
//! ```
//!
//! Departures from it:
//!
//! 1. A state is split after a round and a half even if another round would deduce more: the shape
//!    of the tree matters little for a count, and it takes a round to find out that nothing changes.
//! 2. Where a split leaves one solution in each half, both are counted at once.
//!
//! Unlike in [`search`](super::search), second halves are searched at once, whatever their puzzle. So the
//! vectors are always full, and the memory for open states has no fixed bound. Which solution is found first
//! depends on the other puzzles.

use super::branch::split;
use super::choice::Order;
use super::lanes::{Lanes, Set};
use super::layout::{PackedGrids, count_candidates};
use super::round::{half_round, round};
use super::states::{Pile, States, first_lanes};
use crate::CELLS;
use tallyboard_search::{Stop, Stopped};

/// Vectors between two checks of the stop flag: half a millisecond.
const POLL_INTERVAL: u64 = 1 << 11;

/// The bit of a weight that marks a state unchanged by its last round. No weight is that large.
const STUCK: u32 = 1 << 31;

pub struct CountTask<'a> {
    /// The puzzles: as many as there are counts.
    pub grids: &'a [PackedGrids],
    /// The numbers of solutions found; zeros at the beginning.
    pub counts: &'a mut [u64],
    pub limit: FirstLimit,
    /// Called with a puzzle and its count when the count reaches the limit of the puzzle. Returns
    /// the next limit; one that is not above the count ends the search of the puzzle.
    pub next_limit: &'a mut dyn FnMut(usize, u64) -> u64,
}

/// The first limit of a puzzle's count. Puzzles with many candidates most likely have many solutions.
#[derive(Debug, Clone, Copy)]
pub struct FirstLimit {
    /// The limit of most puzzles.
    pub usual: u64,
    /// The limit of puzzles with at least `many_candidates` candidates to remove after a round and a half.
    pub if_many: u64,
    /// A number of candidates to remove: in each cell, all candidates but one.
    pub many_candidates: u32,
}

impl FirstLimit {
    pub fn same(limit: u64) -> Self {
        Self { usual: limit, if_many: limit, many_candidates: u32::MAX }
    }
}

/// The states of all puzzles, and memory to work on them.
pub struct Pool<V> {
    work: Box<States<V>>,
    /// Second halves of a split.
    other: Box<States<V>>,
    halves: Pile<V>,
    undecided: Pile<V>,
    /// The count of each puzzle at which its search ends.
    limits: Vec<u64>,
}

impl<V: Lanes> Pool<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let work = || Box::new(States::new());
        let (halves, undecided) = (Pile::new(), Pile::new());
        let limits = Vec::new();
        Self { work: work(), other: work(), halves, undecided, limits }
    }

    /// Counts the solutions of each puzzle: all of them, or at least its last limit.
    #[inline(always)]
    pub fn count(&mut self, mut task: CountTask, stop: &Stop) -> Result<(), Stopped> {
        if task.limit.usual == 0 {
            return Ok(());
        }
        self.limits.clear();
        self.limits.resize(task.counts.len(), task.limit.usual);
        let (mut next, mut steps) = (0, 0_u64);
        loop {
            let begun = next;
            if !self.take_vector(&mut next, &mut task) {
                break;
            }
            self.deduce(next > begun, &mut task);
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) && stop.requested() {
                self.halves.clear();
                self.undecided.clear();
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Takes a vector to work on, if there is any; `next` is the number of the first new puzzle.
    #[inline(always)]
    fn take_vector(&mut self, next: &mut usize, task: &mut CountTask) -> bool {
        // First only full vectors and new puzzles, then incomplete vectors.
        let mut least = V::COUNT;
        loop {
            if self.undecided.len() >= least {
                self.undecided.pop(&mut self.work);
                self.branch(task);
                // A full vector of first halves need not go through the pile.
                if self.work.lanes == first_lanes(V::COUNT) {
                    return true;
                }
                self.halves.push_all(&mut self.work);
            } else if self.halves.len() >= least {
                self.halves.pop(&mut self.work);
                return true;
            } else if *next < task.counts.len() {
                self.work.load_puzzles(task.grids, *next, task.counts.len());
                *next += V::COUNT;
                return true;
            } else if least > 1 {
                least = 1;
            } else {
                return false;
            }
        }
    }

    /// Deduces for a round and a half, then counts, drops or keeps the states.
    #[inline(always)]
    fn deduce(&mut self, are_new: bool, task: &mut CountTask) {
        let States { state, lanes, puzzles, .. } = &mut *self.work;
        half_round(state);
        let mut found = round(state);
        if are_new {
            // While rounds still change most lanes, another round is cheaper than splits.
            let half = V::COUNT as u32 / 2;
            while (*lanes & found.changed & !(found.solved | found.dead)).count_ones() > half {
                found = round(state);
            }
        }
        let solved = *lanes & found.solved;
        *lanes &= !(found.solved | found.dead);
        let FirstLimit { if_many, many_candidates, .. } = task.limit;
        if are_new && *lanes != 0 && many_candidates < u32::MAX {
            let candidates = count_candidates(state);
            for lane in Set(*lanes) {
                if candidates.words()[lane] >= many_candidates + CELLS as u32 {
                    self.limits[puzzles.words()[lane] as usize] = if_many;
                }
            }
        }
        self.add(solved, task);
        let weights = &mut self.work.weights;
        *weights = *weights | V::splat(STUCK) & !V::only(found.changed);
        self.undecided.push_all(&mut self.work);
    }

    /// Splits the vector, keeps the first halves and puts the second halves aside.
    #[inline(always)]
    fn branch(&mut self, task: &mut CountTask) {
        let Self { work, other, .. } = self;
        let mark = V::splat(STUCK);
        let stuck = (work.weights & mark).same(mark);
        work.weights = work.weights & !mark;
        // States of finished puzzles have the weight 0.
        work.lanes &= !work.weights.same(V::splat(0));
        let stuck = stuck & work.lanes;
        let found =
            split(&mut work.state, &mut other.state, work.lanes, stuck, Order::Reproducible);
        work.weights = work.weights + (work.weights & V::only(found.twins));
        (other.puzzles, other.weights) = (work.puzzles, work.weights);
        other.lanes = found.split & !found.twins;
        work.lanes &= !found.pairs;
        self.add(found.pairs, task);
        self.halves.push_all(&mut self.other);
    }

    /// Adds the weights of these lanes to the counts of their puzzles.
    #[inline(always)]
    fn add(&mut self, lanes: u32, task: &mut CountTask) {
        for lane in Set(lanes) {
            let States { puzzles, weights, .. } = &*self.work;
            let puzzle = puzzles.words()[lane] as usize;
            let (count, limit) = (&mut task.counts[puzzle], &mut self.limits[puzzle]);
            let open = *count < *limit;
            // No search reaches 2^64, but a silent overflow would give a wrong answer.
            *count = count.checked_add(weights.words()[lane].into()).expect("over 2^64 solutions");
            if open && *count >= *limit {
                *limit = (task.next_limit)(puzzle, *count);
                if *count >= *limit {
                    self.forget(puzzle);
                }
            }
        }
    }

    /// Marks all states of a puzzle as to be dropped.
    #[inline(always)]
    fn forget(&mut self, puzzle: usize) {
        self.halves.forget(puzzle);
        self.undecided.forget(puzzle);
        self.work.forget(puzzle);
        self.other.forget(puzzle);
    }
}
