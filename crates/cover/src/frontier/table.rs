//! Counts of states.

use crate::arithmetic::Arithmetic;
use crate::hash::hash_words;

/// A hash table of states with linear probing; a count of 0 is an empty place.
#[derive(Debug)]
pub(super) struct Table<const W: usize> {
    places: Vec<([u64; W], u128)>,
    used: usize,
}

const FIRST_PLACES: usize = 16;

impl<const W: usize> Table<W> {
    /// Without states, and without memory.
    pub fn new() -> Self {
        Self { places: Vec::new(), used: 0 }
    }

    /// Adds `count`, which is not 0, to the count of `state`. Returns whether the sum fits in 128 bits.
    pub fn add(&mut self, state: [u64; W], count: u128, arithmetic: Arithmetic) -> bool {
        if 4 * self.used >= 3 * self.places.len() {
            self.grow();
        }
        let mask = self.places.len() - 1;
        let mut place = hash_words(&state) as usize & mask;
        loop {
            let (key, sum) = &mut self.places[place];
            if *sum == 0 {
                *key = state;
                *sum = count;
                self.used += 1;
                return true;
            }
            if *key == state {
                match arithmetic.add(*sum, count) {
                    Some(added) => *sum = added,
                    None => return false,
                }
                return true;
            }
            place = (place + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let larger = (2 * self.places.len()).max(FIRST_PLACES);
        let places = std::mem::replace(&mut self.places, vec![([0; W], 0); larger]);
        self.used = 0;
        for (state, count) in places.into_iter().filter(|place| place.1 > 0) {
            // Each state is new, and nothing is added up.
            self.add(state, count, Arithmetic::default());
        }
    }

    /// The states and their counts.
    pub fn iter(&self) -> impl Iterator<Item = ([u64; W], u128)> {
        self.places.iter().filter(|place| place.1 > 0).copied()
    }

    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.places.len() * size_of::<([u64; W], u128)>()
    }
}
