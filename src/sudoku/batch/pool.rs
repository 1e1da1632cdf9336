//! Counting solutions without looking at them: states of many puzzles in one pool.
//!
//! ```text
//! while there is a state or a puzzle, take a vector
//!         of second halves, or else of new puzzles, or else of what is left;
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
//! 1. A state is split after a round and a half even if another round would deduce more: a count cares
//!    little for the shape of the tree, and finding out that nothing changes costs a round.
//! 2. Where a split leaves one solution in each half, both are counted at once.
//!
//! Unlike in [`search`](super::search), every half comes back at once, whatever its puzzle, and which
//! solution comes first depends on the neighbours; so the vectors are always full and the memory is that
//! of the open states.

use super::branch::split;
use super::choice::Order;
use super::lanes::{Lanes, Set};
use super::layout::Sixteen;
use super::round::{half_round, round};
use super::states::{Pile, States, first};
use crate::search::{Stop, Stopped};

/// How many vectors pass between two looks at the stop flag: half a millisecond.
const POLL_INTERVAL: u64 = 1 << 11;

/// Marks the weight of a state that its last round left unchanged: a bit that no weight reaches.
const STUCK: u32 = 1 << 31;

/// The states of all puzzles, and memory to work on them.
pub struct Pool<V> {
    work: Box<States<V>>,
    /// Second halves of a split.
    other: Box<States<V>>,
    halves: Pile<V>,
    undecided: Pile<V>,
    /// Whether a puzzle has reached the limit.
    finished: bool,
}

impl<V: Lanes> Pool<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let work = || Box::new(States::new());
        let (halves, undecided) = (Pile::new(), Pile::new());
        Self { work: work(), other: work(), halves, undecided, finished: false }
    }

    /// Counts the solutions of as many grids of `grids` as there are `counts`, which are to be zero:
    /// all of them, or `limit` of them or more.
    #[inline(always)]
    pub fn count(
        &mut self,
        grids: &[Sixteen],
        limit: u64,
        counts: &mut [u64],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.finished = false;
        let (mut next, mut steps) = (0, 0_u64);
        while self.take(grids, limit, &mut next, counts) {
            self.deduce(limit, counts);
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) && stop.requested() {
                self.halves.clear();
                self.undecided.clear();
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Takes a vector to work on, if there is any; `next` is the first puzzle that is new.
    #[inline(always)]
    fn take(
        &mut self,
        grids: &[Sixteen],
        limit: u64,
        next: &mut usize,
        counts: &mut [u64],
    ) -> bool {
        // Whole vectors first; then, when there are no puzzles left, what is there.
        let mut least = V::COUNT;
        loop {
            if self.undecided.len() >= least {
                self.undecided.pop(&mut self.work);
                self.branch(limit, counts);
                // A full vector of first halves need not go by the pile.
                if self.work.lanes == first(V::COUNT) {
                    return true;
                }
                self.halves.push_all(&mut self.work);
            } else if self.halves.len() >= least {
                self.halves.pop(&mut self.work);
                return true;
            } else if *next < counts.len() {
                self.work.enter(grids, *next, counts.len());
                *next += V::COUNT;
                return true;
            } else if least > 1 {
                least = 1;
            } else {
                return false;
            }
        }
    }

    /// A round and a half, and what follows from it.
    #[inline(always)]
    fn deduce(&mut self, limit: u64, counts: &mut [u64]) {
        let States { state, lanes, .. } = &mut *self.work;
        half_round(state);
        let found = round(state);
        let solved = *lanes & found.solved;
        *lanes &= !(found.solved | found.dead);
        self.add(solved, limit, counts);
        let weights = &mut self.work.weights;
        *weights = *weights | V::splat(STUCK) & !V::only(found.changed);
        self.undecided.push_all(&mut self.work);
    }

    /// Splits the vector, keeps the first halves and puts the second halves aside.
    #[inline(always)]
    fn branch(&mut self, limit: u64, counts: &mut [u64]) {
        if self.finished {
            self.work.drop_finished(limit, counts);
        }
        let Self { work, other, .. } = self;
        let mark = V::splat(STUCK);
        let stuck = work.lanes & (work.weights & mark).same(mark);
        work.weights = work.weights & !mark;
        let found = split(&mut work.state, &mut other.state, work.lanes, stuck, Order::Shown);
        work.weights = work.weights + (work.weights & V::only(found.twins));
        (other.puzzles, other.weights) = (work.puzzles, work.weights);
        other.lanes = found.split & !found.twins;
        work.lanes &= !found.pairs;
        self.add(found.pairs, limit, counts);
        self.halves.push_all(&mut self.other);
    }

    /// Adds the weights of these lanes to the counts of their puzzles.
    #[inline(always)]
    fn add(&mut self, lanes: u32, limit: u64, counts: &mut [u64]) {
        let States { puzzles, weights, .. } = &*self.work;
        for lane in Set(lanes) {
            let count = &mut counts[puzzles.words()[lane] as usize];
            // Far beyond what can be searched, but a silent overflow would be a wrong answer.
            *count = count.checked_add(weights.words()[lane].into()).expect("over 2^64 solutions");
            self.finished |= *count >= limit;
        }
    }
}
