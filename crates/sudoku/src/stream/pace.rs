//! How much text a worker gets at a time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The time that a chunk should take: far longer than passing it between threads, and short enough to keep all
/// workers busy where a few puzzles take long.
const TARGET_TIME: Duration = Duration::from_millis(10);
/// The length of the shortest chunks, and of the first ones, when no time has been measured yet: a few puzzles.
const MIN_CHUNK_BYTES: usize = 256;

/// The length of chunks, learnt from the time that the chunk finished last took. A chunk of easy puzzles holds thousands, a
/// chunk of puzzles with millions of solutions one.
pub struct Pace {
    bytes: AtomicUsize,
    /// Upper bound on the bytes of a chunk, unless a record is longer.
    max_bytes: usize,
    is_fixed: bool,
}

impl Pace {
    /// Chunks of `fixed` bytes, or of up to `max_bytes` bytes as learnt by [`learn_from`](Self::learn_from). Without `fixed`,
    /// `max_bytes` must be at least [`MIN_CHUNK_BYTES`].
    pub fn new(fixed: Option<usize>, max_bytes: usize) -> Self {
        let bytes = AtomicUsize::new(fixed.unwrap_or(MIN_CHUNK_BYTES));
        Self { bytes, max_bytes, is_fixed: fixed.is_some() }
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Learns the length of the next chunks from a chunk of `bytes` bytes that took the time `elapsed`.
    pub fn learn_from(&self, bytes: usize, elapsed: Duration) {
        if !self.is_fixed {
            let wanted = bytes as u128 * TARGET_TIME.as_nanos() / elapsed.as_nanos().max(1);
            let wanted = usize::try_from(wanted).unwrap_or(self.max_bytes);
            self.bytes.store(wanted.clamp(MIN_CHUNK_BYTES, self.max_bytes), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_the_time_they_take() {
        let pace = Pace::new(None, 1 << 17);
        assert_eq!(pace.bytes(), MIN_CHUNK_BYTES);
        pace.learn_from(MIN_CHUNK_BYTES, Duration::from_micros(1));
        assert_eq!(pace.bytes(), 1 << 17);
        pace.learn_from(1 << 17, 8 * TARGET_TIME);
        assert_eq!(pace.bytes(), 1 << 14);
        pace.learn_from(1 << 14, Duration::from_secs(1000));
        assert_eq!(pace.bytes(), MIN_CHUNK_BYTES);
        pace.learn_from(0, Duration::ZERO);
        assert_eq!(pace.bytes(), MIN_CHUNK_BYTES);
    }

    #[test]
    fn a_fixed_size_stays() {
        let pace = Pace::new(Some(77), 1 << 17);
        pace.learn_from(77, Duration::from_secs(1));
        assert_eq!(pace.bytes(), 77);
    }
}
