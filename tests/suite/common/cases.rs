//! Properties are tried on random cases, from seeds that stay the same.

use std::thread::panicking;

use tallyboard_base::random::Random;

/// Calls `check` once for each seed below `cases`, with the random numbers of that seed. A failure is told with its seed.
///
/// `TALLYBOARD_CASES` in the environment multiplies the cases, for `ci/fuzz.sh`; `TALLYBOARD_SEED` is the first seed.
pub fn each_case(cases: u64, mut check: impl FnMut(&mut Random)) {
    let from_environment = |name, default| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number of seeds"))
    };
    let first: u64 = from_environment("TALLYBOARD_SEED", 0);
    for seed in first..first + cases * from_environment("TALLYBOARD_CASES", 1) {
        let _told = TellsSeed(seed);
        check(&mut Random::from_seed(seed));
    }
}

/// Prints the seed of a case that panics.
struct TellsSeed(u64);

impl Drop for TellsSeed {
    fn drop(&mut self) {
        if panicking() {
            eprintln!(
                "the case of seed {} failed: TALLYBOARD_SEED={} begins there",
                self.0, self.0
            );
        }
    }
}

/// A number from `least` to `most`.
pub fn between(random: &mut Random, least: u64, most: u64) -> u64 {
    least + random.below_wide(most - least + 1)
}

/// One of `items`.
pub fn one_of<'a, T>(random: &mut Random, items: &'a [T]) -> &'a T {
    &items[random.below_wide(items.len() as u64) as usize]
}

/// The numbers below `count` in a random order.
pub fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    random.shuffle(&mut numbers);
    numbers
}
