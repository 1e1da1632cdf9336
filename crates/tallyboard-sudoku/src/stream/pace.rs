//! How much text a worker gets at a time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The time that a chunk should take: far longer than passing it between threads, and short enough to keep all
/// workers busy where a few puzzles take long.
const TARGET_TIME: Duration = Duration::from_millis(10);
/// The length of the shortest chunks, and of the first ones, when no time has been measured yet: a few puzzles.
const MIN_CHUNK_BYTES: usize = 256;
/// The length of the longest chunks, unless a record is longer.
const MAX_CHUNK_BYTES: usize = 128 << 10;

/// The length of chunks, learnt from the time that the chunk finished last took. A chunk of easy puzzles holds thousands, a
/// chunk of puzzles with millions of solutions one.
pub struct Pace {
    bytes: AtomicUsize,
    is_fixed: bool,
}

impl Pace {
    /// Chunks of `fixed` bytes, or as long as learnt by [`learn_from`](Self::learn_from).
    pub fn new(fixed: Option<usize>) -> Self {
        let bytes = AtomicUsize::new(fixed.unwrap_or(MIN_CHUNK_BYTES));
        Self { bytes, is_fixed: fixed.is_some() }
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Learns the length of the next chunks from a chunk of `bytes` bytes that took the time `elapsed`.
    pub fn learn_from(&self, bytes: usize, elapsed: Duration) {
        if !self.is_fixed {
            let wanted = bytes as u128 * TARGET_TIME.as_nanos() / elapsed.as_nanos().max(1);
            let wanted = usize::try_from(wanted).unwrap_or(MAX_CHUNK_BYTES);
            self.bytes.store(wanted.clamp(MIN_CHUNK_BYTES, MAX_CHUNK_BYTES), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_the_time_they_take_unless_their_length_is_fixed() {
        let pace = Pace::new(None);
        let fixed = Pace::new(Some(77));
        assert_eq!(pace.bytes(), MIN_CHUNK_BYTES);
        for (bytes, elapsed, learnt) in [
            (MIN_CHUNK_BYTES, Duration::from_micros(1), 1 << 17),
            (1 << 17, 8 * TARGET_TIME, 1 << 14),
            (1 << 14, Duration::from_secs(1000), MIN_CHUNK_BYTES),
            (0, Duration::ZERO, MIN_CHUNK_BYTES),
        ] {
            pace.learn_from(bytes, elapsed);
            fixed.learn_from(bytes, elapsed);
            assert_eq!((pace.bytes(), fixed.bytes()), (learnt, 77));
        }
    }
}
