//! Random choices that are the same on every machine.

use rand_core::Rng;

/// A number below `bound`, each as likely as the others (Lemire's multiplication with rejection).
pub fn below(random: &mut impl Rng, bound: u64) -> u64 {
    let threshold = bound.wrapping_neg() % bound;
    loop {
        let wide = u128::from(random.next_u64()) * u128::from(bound);
        if wide as u64 >= threshold {
            return (wide >> 64) as u64;
        }
    }
}

/// Puts `items` into a random order.
pub fn shuffle<T>(items: &mut [T], random: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(random, last as u64 + 1) as usize);
    }
}
