//! Random numbers from a seed, the same on every machine and in every release.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// xoshiro256++ seeded through SplitMix64, both as published by Blackman and Vigna.
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// The generator whose state is the SplitMix64 expansion of `seed`.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, all exactly equally likely.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.below_wide(bound.into()) as u32
    }

    /// [`below`](Self::below) for 64 bits (Lemire's multiplication with rejection).
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below_wide(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number lies below 0");
        loop {
            let wide = u128::from(self.bits()) * u128::from(bound);
            // Low halves below 2^64 mod `bound` are rejected. That threshold is below `bound` itself, so the first
            // comparison mostly saves the division.
            if wide as u64 >= bound || wide as u64 >= bound.wrapping_neg() % bound {
                return (wide >> 64) as u64;
            }
        }
    }

    /// A systematic sample: `kept` evenly spaced numbers below `all`, ascending, with a random start. Each
    /// number is among them with the probability `kept` / `all`; `kept` is at most `all`.
    ///
    /// # Panics
    /// If `all` is 0.
    pub fn evenly(&mut self, kept: u64, all: u64) -> impl Iterator<Item = u64> + use<> {
        let first = u128::from(self.below_wide(all));
        let number = move |index| (u128::from(index) * u128::from(all) + first) / u128::from(kept);
        (0..kept).map(move |index| number(index) as u64)
    }

    /// A uniform random number between 0 and 1, both excluded.
    pub fn unit(&mut self) -> f64 {
        // The largest sum is rounded up to 2^53.
        let unit = ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        unit.min(1.0 - f64::EPSILON / 2.0)
    }

    /// A standard normal number (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let u = self.unit();
        let v = self.unit();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Puts `items` into a uniformly random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below_wide(last as u64 + 1) as usize);
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
    fn evenly_spaced_numbers_are_each_taken_equally_often() {
        let mut random = Random::from_seed(5);
        let mut seen = [0u32; 7];
        for _ in 0..7_000 {
            let taken: Vec<u64> = random.evenly(3, 7).collect();
            assert!(taken.len() == 3 && taken.windows(2).all(|pair| pair[1] - pair[0] >= 2));
            taken.iter().for_each(|&number| seen[number as usize] += 1);
        }
        assert!(seen.iter().all(|&count| (2_800..3_200).contains(&count)), "{seen:?}");
        assert!(random.evenly(4, 4).eq(0..4));
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
