//! Second halves of splits. A split makes two states of one: the first half has a candidate in a cell, the second half lacks it.
//! The search goes on with first halves; second halves wait here, in the vectors in which they were split off.

use super::lanes::{Lanes, MAX_LANES, Set};
use super::states::States;

/// Vectors of second halves. Some are taken whole: they form a stack. The states of the others are taken one by one: those
/// of each puzzle form a stack, which is a linked list:
///
/// ```text
/// top[puzzle] ──> slot of its last half ──below──> the one before ──below──> NOWHERE
/// ```
pub struct SecondHalves<V> {
    vectors: Vec<Box<States<V>>>,
    /// For each lane of a vector that is taken state by state: the half of the same puzzle below it.
    below: Vec<[Slot; MAX_LANES]>,
    unused: Vec<u32>,
    /// The vectors to be taken whole.
    whole: Vec<u32>,
    /// The uppermost half of each puzzle, in vectors that are taken state by state.
    top: Vec<Slot>,
}

/// A lane of a vector: `vector * MAX_LANES + lane`.
type Slot = u32;
const NOWHERE: Slot = u32::MAX;

impl<V: Lanes> SecondHalves<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            vectors: Vec::new(),
            below: Vec::new(),
            unused: Vec::new(),
            whole: Vec::new(),
            top: Vec::new(),
        }
    }

    /// Forgets all halves, and makes room for this many puzzles.
    pub fn clear(&mut self, puzzles: usize) {
        self.whole.clear();
        self.unused.clear();
        self.unused.extend(0..self.vectors.len() as u32);
        self.top.clear();
        self.top.resize(puzzles, NOWHERE);
    }

    /// An unused vector for the caller to fill. It stays unused unless the caller keeps it.
    #[inline(always)]
    pub fn unused_vector(&mut self) -> &mut States<V> {
        if self.unused.is_empty() {
            self.grow();
        }
        let vector = self.unused[self.unused.len() - 1];
        &mut self.vectors[vector as usize]
    }

    #[cold]
    fn grow(&mut self) {
        self.unused.push(self.vectors.len() as u32);
        self.vectors.push(Box::new(States::new()));
        self.below.push([NOWHERE; MAX_LANES]);
    }

    /// Keeps the vector that [`unused_vector`](Self::unused_vector) gave, to be taken whole. Only to be called after that.
    #[inline(always)]
    pub fn keep_whole(&mut self) {
        if let Some(vector) = self.unused.pop() {
            self.whole.push(vector);
        }
    }

    /// Keeps the vector that [`unused_vector`](Self::unused_vector) gave, to be taken state by state. Only to be called
    /// after that.
    #[inline(always)]
    pub fn keep_by_puzzle(&mut self) {
        let Some(vector) = self.unused.pop() else { return };
        let States { puzzles, lanes, .. } = &*self.vectors[vector as usize];
        for lane in Set(*lanes) {
            let top = &mut self.top[puzzles.words()[lane] as usize];
            self.below[vector as usize][lane] = *top;
            *top = vector * MAX_LANES as u32 + lane as u32;
        }
    }

    /// Exchanges `states` for the vector that was kept last. Returns whether there was one.
    #[inline(always)]
    pub fn take_whole(&mut self, states: &mut Box<States<V>>) -> bool {
        let Some(vector) = self.whole.pop() else { return false };
        std::mem::swap(states, &mut self.vectors[vector as usize]);
        self.unused.push(vector);
        true
    }

    /// Takes the last half of a puzzle: a lane of a vector, valid until the next call.
    #[inline(always)]
    pub fn take_half_of(&mut self, puzzle: usize) -> Option<(&States<V>, usize)> {
        let slot = self.top[puzzle];
        if slot == NOWHERE {
            return None;
        }
        let vector = slot as usize / MAX_LANES;
        let lane = slot as usize % MAX_LANES;
        let states = &mut self.vectors[vector];
        self.top[puzzle] = self.below[vector][lane];
        states.lanes &= !(1 << lane);
        if states.lanes == 0 {
            self.unused.push(vector as u32);
        }
        Some((states, lane))
    }
}
