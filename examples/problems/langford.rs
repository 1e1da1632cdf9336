//! Langford pairings: rows of 1, 1, 2, 2, …, n, n in which k numbers stand between the two k, for each k.

use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use tallyboard::program::{Counting, Error, Resources, Run};
use tallyboard::search::{Problem, Stop, Stopped, Tally};

/// Count Langford pairings: rows of 1, 1, 2, 2, …, n, n with k numbers between the two k
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Arguments {
    /// Number of pairs, from 1 to 23
    n: u32,
}

impl Counting for Arguments {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        match self.n {
            1..=23 => {
                Ok(Run::new(Langford::new(self.n)).title(format!("Langford, {} pairs", self.n)))
            }
            n => Err(format!("found {n} pairs, expected 1 to 23").into()),
        }
    }

    fn known(&self) -> Option<u128> {
        let known =
            [0, 0, 1, 1, 0, 0, 26, 150, 0, 0, 17_792, 108_144, 0, 0, 39_809_640, 326_721_800];
        known.get(self.n as usize - 1).copied()
    }

    fn source(&self) -> &'static str {
        "OEIS A014552"
    }

    fn noun(&self) -> &'static str {
        "pairing"
    }
}

/// This many of the largest numbers are placed first, and each way to place them is a subtree. On 12 pairs, four
/// instead of three leave a fifth fewer nodes.
const NUMBERS_PLACED_FIRST: u32 = 3;

/// The pairings, one of each two mirror images. A subtree is the set of places that the largest
/// numbers leave free, a bit each.
pub struct Langford {
    n: u32,
    subtrees: Vec<u64>,
}

impl Langford {
    /// For n from 1 to 23: a subtree of 20 numbers has at most 20! solutions, which fits in 64 bits.
    pub fn new(n: u32) -> Self {
        let mut subtrees = vec![u64::MAX >> (64 - 2 * n)];
        for number in (n.saturating_sub(NUMBERS_PLACED_FIRST) + 1..=n).rev() {
            let placed = subtrees.iter().flat_map(|&free| place(n, number, free));
            subtrees = placed.collect();
        }
        Self { n, subtrees }
    }
}

/// For each pair of free places that `number` can take, the places that stay free. Mirroring a pairing exchanges the
/// first half of the pairs of places of a number with the second half. The largest odd number has an even number of
/// pairs in the empty row, so the first half of them is enough.
fn place(n: u32, number: u32, free: u64) -> impl Iterator<Item = u64> {
    let largest_odd = n - 1 + n % 2;
    let all_pairs = 2 * n - number - 1;
    let needed_pairs = if number == largest_odd { all_pairs / 2 } else { all_pairs };
    let pairs = (0..needed_pairs).map(move |first| 1 << first | 1 << (first + number + 1));
    pairs.filter(move |pair| pair & free == *pair).map(move |pair| free ^ pair)
}

impl Problem for Langford {
    fn identity(&self) -> String {
        format!("langford n={} algorithm=1 layout=1", self.n)
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let unused = (1 << self.n.saturating_sub(NUMBERS_PLACED_FIRST)) - 1;
        Ok(Tally::new(fill(self.subtrees[subtree], unused, stop)?))
    }
}

/// The number of ways to fill the `free` places with the `unused` numbers: bit 0 stands for number 1.
fn fill(free: u64, unused: u64, stop: &Stop) -> Result<u64, Stopped> {
    match unused.count_ones() {
        0 => return Ok(1),
        // Often enough: a node with ten numbers has some thousand nodes below it.
        10 => stop.check()?,
        _ => {}
    }
    // The first free place takes a number k if the place k + 1 after it is free, too.
    let place = free.trailing_zeros();
    let mut fitting = unused & free >> place >> 2;
    let mut found = 0;
    while fitting != 0 {
        let number = fitting & fitting.wrapping_neg();
        fitting ^= number;
        found += fill(free ^ 1 << place ^ number << place << 2, unused ^ number, stop)?;
    }
    Ok(found)
}

fn main() -> ExitCode {
    tallyboard::program::main::<Arguments>("langford", "15")
}
