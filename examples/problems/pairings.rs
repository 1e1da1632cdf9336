//! A problem of one's own in two methods: rows of 1, 1, 2, 2, …, n, n with k numbers between the two k, for each k.

use tallyboard::search::{self, Problem, Stop, Stopped, Tally};

/// The rows for n, up to 15. A subtree is a pair of places for the number n.
struct Pairings {
    n: usize,
}

impl Problem for Pairings {
    fn subtrees(&self) -> usize {
        self.n - 1
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let filled = (1 | 1 << (self.n + 1)) << subtree;
        Ok(fill(self.n, self.n - 1, filled, stop)?.into())
    }
}

/// The ways to place `number` and all smaller ones in 2n places, some of them `filled`: a bit each.
fn fill(n: usize, number: usize, filled: u32, stop: &Stop) -> Result<u64, Stopped> {
    stop.check()?;
    if number == 0 {
        return Ok(1);
    }
    let pairs = (0..2 * n - number - 1).map(|first| (1 | 1 << (number + 1)) << first);
    pairs
        .filter(|pair| pair & filled == 0)
        .try_fold(0, |found, pair| Ok(found + fill(n, number - 1, filled | pair, stop)?))
}

fn main() -> Result<(), search::Error> {
    println!("{} pairings", search::count(&Pairings { n: 8 })? / 2);
    Ok(())
}
