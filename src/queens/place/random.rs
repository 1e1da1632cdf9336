//! The one source of randomness of the placing methods: a named generator with a fixed seed rule.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// xoshiro256++ seeded through SplitMix64, both as published by Blackman and Vigna.
///
/// The generator and the way numbers are cut down to a range are fixed, so a seed gives the same
/// board on every platform and in every release that keeps this type.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator's state is the SplitMix64 expansion of `seed`.
    pub fn from_seed(seed: u64) -> Self {
        Random(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number in `0..bound`, each exactly equally likely (Lemire's multiply and reject).
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "no number lies below 0");
        let bound64 = u64::from(bound);
        let mut product = (self.bits() >> 32) * bound64;
        if (product as u32) < bound {
            let rejected = bound.wrapping_neg() % bound;
            while (product as u32) < rejected {
                product = (self.bits() >> 32) * bound64;
            }
        }
        (product >> 32) as u32
    }

    /// Puts `items` into a uniformly random order (Fisher and Yates).
    pub fn shuffle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_fixes_the_numbers() {
        let mut random = Random::from_seed(1);
        let first: Vec<u32> = (0..6).map(|_| random.below(100)).collect();
        let mut again = Random::from_seed(1);
        assert_eq!(first, (0..6).map(|_| again.below(100)).collect::<Vec<_>>());
        let mut other = Random::from_seed(2);
        assert_ne!(first, (0..6).map(|_| other.below(100)).collect::<Vec<_>>());
    }

    #[test]
    fn below_reaches_each_number_about_equally_often() {
        let mut random = Random::from_seed(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
    }

    #[test]
    fn shuffling_keeps_the_items() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::from_seed(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
