//! Makes what is a function of a seed and a number alone, such as random puzzles, on every core: the first that succeed, in the order of
//! their numbers, whatever the number of threads.

use std::ops::{ControlFlow, Range};

use super::{Error, Stop, Stopped, ordered};

/// How numbers are dealt to threads in pieces of consecutive ones.
#[derive(Debug, Clone, Copy)]
pub struct Pieces {
    /// The number of pieces of each size; then the size doubles. The first are small, so that the first results come soon.
    pub per_size: u64,
    /// The most numbers of a piece, as a power of two.
    pub max_log2: u64,
    /// The end of all numbers, where each of them succeeds and so no more are needed.
    pub end: u64,
}

impl Pieces {
    fn ranges(self) -> impl Iterator<Item = Range<u64>> {
        let mut begin = 0_u64;
        (0..).map_while(move |piece: u64| {
            let size = 1 << (piece / self.per_size).min(self.max_log2);
            let range = begin..self.end.min(begin.saturating_add(size));
            begin = range.end;
            (!range.is_empty()).then_some(range)
        })
    }
}

/// What was made of the numbers of a piece, in their order, and why nothing behind it is made, if so.
pub type Made<T, B> = (Vec<T>, Option<B>);

/// Makes `count` things on `threads` threads (0: automatic), each with a worker from `make_worker`, and passes them to `take` in the
/// order of their numbers. `take` also gets how many numbers were tried so far.
///
/// The result is the value with which `make` or `take` broke off, or `None` if all things were passed, if the numbers have ended, or if
/// `stop` was raised before.
///
/// # Errors
/// If the operating system gives no threads, or if a closure panics.
pub fn make_in_order<W, T: Send, B: Send>(
    count: u64,
    pieces: Pieces,
    threads: usize,
    stop: &Stop,
    make_worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, Range<u64>) -> Result<Made<T, B>, Stopped> + Sync,
    mut take: impl FnMut(&[T], u64) -> ControlFlow<B> + Send,
) -> Result<Option<B>, Error> {
    if count == 0 {
        return Ok(None);
    }
    let mut left = count;
    let ended = ordered(
        pieces.ranges(),
        threads,
        stop,
        make_worker,
        |worker, numbers: Range<u64>, parts| {
            let tried = numbers.end;
            // A push fails only after the last thing that is wanted.
            let _ = parts.push((make(worker, numbers)?, tried));
            Ok(())
        },
        |((things, broken), tried)| {
            let taken = things.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            left -= taken as u64;
            // Ended by the last thing, or with a value.
            match (take(&things[..taken], tried), broken) {
                (ControlFlow::Break(value), _) => ControlFlow::Break(Some(value)),
                _ if left == 0 => ControlFlow::Break(None),
                (_, Some(value)) => ControlFlow::Break(Some(value)),
                _ => ControlFlow::Continue(()),
            }
        },
    );
    ended.map(Option::flatten)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is made of the numbers that three divides, up to one that breaks off.
    fn made(count: u64, threads: usize, end: u64, breaks_at: u64) -> (Vec<u64>, Option<u64>) {
        let pieces = Pieces { per_size: 2, max_log2: 3, end };
        let mut taken = Vec::new();
        let make = |(): &mut (), numbers: Range<u64>| {
            let broken = numbers.contains(&breaks_at).then_some(breaks_at);
            Ok((numbers.filter(|number| number % 3 == 0 && *number < breaks_at).collect(), broken))
        };
        let take = |things: &[u64], _| {
            taken.extend_from_slice(things);
            ControlFlow::Continue(())
        };
        let ended = make_in_order(count, pieces, threads, &Stop::new(), || (), make, take);
        (taken, ended.unwrap())
    }

    #[test]
    fn the_same_things_are_made_on_any_number_of_threads() {
        let multiples = |count| (0..count).map(|number| 3 * number).collect::<Vec<u64>>();
        for threads in [1, 2, 5] {
            assert_eq!(made(100, threads, u64::MAX, 1000), (multiples(100), None));
            assert_eq!(made(0, threads, u64::MAX, 1000), (Vec::new(), None));
            // The numbers end before as many are found, or a number breaks off.
            assert_eq!(made(100, threads, 31, 1000), (multiples(11), None));
            assert_eq!(made(100, threads, u64::MAX, 40), (multiples(14), Some(40)));
            assert_eq!(made(14, threads, u64::MAX, 40), (multiples(14), None));
        }
    }

    #[test]
    fn pieces_grow_up_to_their_most() {
        let pieces = Pieces { per_size: 2, max_log2: 2, end: 16 };
        let sizes: Vec<u64> = pieces.ranges().map(|range| range.end - range.start).collect();
        assert_eq!(sizes, [1, 1, 2, 2, 4, 4, 2]);
    }
}
