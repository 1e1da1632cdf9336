//! Open states on a stack, from which lanes are filled.

use super::lanes::{Lanes, MAX_LANES};
use super::layout::{State, WORDS};

/// States with `NOTES` words more each, last come first served.
#[derive(Default)]
pub struct Stack<const NOTES: usize> {
    /// Column by column, `height` words each, of which the first `len` count.
    words: Vec<u32>,
    height: usize,
    len: usize,
}

impl<const NOTES: usize> Stack<NOTES> {
    /// The number of states.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the states of a set of lanes.
    #[inline(always)]
    pub fn push<V: Lanes>(&mut self, lanes: u32, state: &State<V>, notes: &[V; NOTES]) {
        self.reserve();
        for (number, word) in state.iter().enumerate() {
            word.take(lanes, self.column_mut(number));
        }
        for (number, word) in notes.iter().enumerate() {
            word.take(lanes, self.column_mut(WORDS + number));
        }
        self.len += lanes.count_ones() as usize;
    }

    /// Moves the states that came last to a set of lanes, as far as there are; gives the lanes that
    /// were filled.
    #[inline(always)]
    pub fn fill<V: Lanes>(
        &mut self,
        mut lanes: u32,
        state: &mut State<V>,
        notes: &mut [V; NOTES],
    ) -> u32 {
        while lanes.count_ones() as usize > self.len {
            lanes &= lanes - 1;
        }
        self.len -= lanes.count_ones() as usize;
        for (number, word) in state.iter_mut().enumerate() {
            word.fill(lanes, self.column(number));
        }
        for (number, word) in notes.iter_mut().enumerate() {
            word.fill(lanes, self.column(WORDS + number));
        }
        lanes
    }

    /// Takes the states that came last, a vector of them or as many as there are; gives the lanes
    /// that hold them. The others mean nothing.
    #[inline(always)]
    pub fn pop<V: Lanes>(&mut self, state: &mut State<V>, notes: &mut [V; NOTES]) -> u32 {
        let count = self.len.min(V::COUNT);
        self.len -= count;
        for (number, word) in state.iter_mut().enumerate() {
            *word = V::load(self.column(number));
        }
        for (number, word) in notes.iter_mut().enumerate() {
            *word = V::load(self.column(WORDS + number));
        }
        ((1_u64 << count) - 1) as u32
    }

    /// Column `number` from the top on, as much as a vector holds.
    #[inline(always)]
    fn column(&self, number: usize) -> &[u32] {
        &self.words[number * self.height + self.len..][..MAX_LANES]
    }

    #[inline(always)]
    fn column_mut(&mut self, number: usize) -> &mut [u32] {
        &mut self.words[number * self.height + self.len..][..MAX_LANES]
    }

    /// Makes room for a vector of states and, above it, for reading another.
    #[inline(always)]
    fn reserve(&mut self) {
        if self.height < self.len + 2 * MAX_LANES {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        // Not a power of two, or all columns would want the same few places in the cache.
        let height = 2 * self.height.max(16 * MAX_LANES) + MAX_LANES;
        let mut words = vec![0; (WORDS + NOTES) * height];
        if self.len > 0 {
            for (new, old) in words.chunks_exact_mut(height).zip(self.words.chunks(self.height)) {
                new[..self.len].copy_from_slice(&old[..self.len]);
            }
        }
        (self.words, self.height) = (words, height);
    }
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use super::*;

    type Four = [u32; 4];

    #[test]
    fn states_come_back_last_first_however_many_there_are() {
        let mut stack = Stack::<1>::default();
        let vector = |first: u32| from_fn(|lane| first + lane as u32);
        for first in (0..4000).step_by(4) {
            let state: State<Four> = from_fn(|word| vector(first + 10_000 * word as u32));
            stack.push(0b1111, &state, &[vector(first)]);
        }
        let (mut state, mut notes) = ([[0; 4]; WORDS], [[0; 4]]);
        for first in (0..4000).step_by(4).rev() {
            assert_eq!(stack.pop::<Four>(&mut state, &mut notes), 0b1111);
            assert_eq!(notes, [vector(first)]);
            for (word, lanes) in state.iter().enumerate() {
                assert_eq!(*lanes, vector(first + 10_000 * word as u32), "word {word}");
            }
        }
        assert_eq!(stack.len(), 0);
    }
}
