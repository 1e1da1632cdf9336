//! Langford pairings: sequences of 1, 1, 2, 2, …, n, n with k numbers between the two k, for each k.

use tallyboard::search::{Costs, Options, Problem, Silent, Stop, Stopped, Tally, run};

/// Numbers that the beginnings place, the largest first. On 12 pairs 3 leave the fewest nodes but for 4 and
/// more, whose gain is below one in five.
const PLACED_NUMBERS: u32 = 3;

/// All Langford pairings of n pairs, one of each two that are mirror images. Each subtree is a way to place
/// the largest numbers.
pub struct Langford {
    n: u32,
    /// The free places of each beginning, a bit each.
    beginnings: Vec<u64>,
}

impl Langford {
    /// # Panics
    /// If n is not from 1 to 23. A subtree of 20 numbers has at most 20! solutions, a number of 64 bits.
    pub fn new(n: u32) -> Self {
        assert!((1..=23).contains(&n), "found {n} pairs, expected 1 to 23");
        let mut beginnings = vec![u64::MAX >> (64 - 2 * n)];
        for number in (unplaced(n) + 1..=n).rev() {
            beginnings = beginnings.iter().flat_map(|&free| placed(n, number, free)).collect();
        }
        Self { n, beginnings }
    }
}

/// How many numbers the beginnings leave.
fn unplaced(n: u32) -> u32 {
    n.saturating_sub(PLACED_NUMBERS)
}

/// What is free after `number` is placed, in each way that there is.
///
/// The largest odd number has an even number of ways to stand on the empty row, of which mirroring exchanges
/// the first half and the second: the first half alone counts one of each two images.
fn placed(n: u32, number: u32, free: u64) -> impl Iterator<Item = u64> {
    let ways = 2 * n - number - 1;
    let largest_odd = n - 1 + n % 2;
    let ways = if number == largest_odd { ways / 2 } else { ways };
    (0..ways).map(move |way| 1 << way | 1 << (way + number + 1)).filter_map(move |pair: u64| {
        let fits = pair & free == pair;
        fits.then_some(free ^ pair)
    })
}

impl Problem for Langford {
    fn identity(&self) -> String {
        format!("langford n={} algorithm=1 layout=1", self.n)
    }

    fn split(&self) -> Costs {
        Costs::equal(self.beginnings.len())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let unused = (1 << unplaced(self.n)) - 1;
        Ok(Tally::new(fill(unused, self.beginnings[subtree], stop)?))
    }
}

/// The ways to fill the `free` places with the numbers that are `unused`: bit 0 is number 1.
fn fill(unused: u64, free: u64, stop: &Stop) -> Result<u64, Stopped> {
    if unused == 0 {
        return Ok(1);
    }
    // Thousands of nodes are below one with ten numbers.
    if unused.count_ones() == 10 {
        stop.check()?;
    }
    // The first free place takes a number whose other place is free, too: number k stands k + 1 places on.
    let first = free & free.wrapping_neg();
    let mut fitting = unused & free >> first.trailing_zeros() >> 2;
    let mut found = 0;
    while fitting != 0 {
        let number = fitting & fitting.wrapping_neg();
        fitting ^= number;
        found += fill(unused ^ number, free ^ first ^ (first * number) << 2, stop)?;
    }
    Ok(found)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(12), |n| n.parse())?;
    let outcome = run(&Langford::new(n), &Options::new(), &mut Silent)?;
    println!("{} Langford pairings in {:?}", outcome.tally.solutions(), outcome.elapsed);
    Ok(())
}
