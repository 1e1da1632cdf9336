//! How much text a worker gets at a time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// What one chunk is to take. Far more than it costs to hand a chunk from thread to thread, and short
/// enough to keep all workers busy with few puzzles that take long.
const WANTED: Duration = Duration::from_millis(10);
/// The first chunks, from which the pace is learnt, and the shortest ones: a few puzzles.
const LEAST: usize = 256;

/// The size of chunks, by how long the last ones took. Easy puzzles come by the thousand, those with
/// millions of solutions one by one.
pub struct Pace {
    bytes: AtomicUsize,
    /// Chunks are never longer, unless by a record that is.
    most: usize,
    learns: bool,
}

impl Pace {
    /// Chunks of `fixed` bytes, or of up to `most` by what is learnt from [`note`](Self::note).
    pub fn new(fixed: Option<usize>, most: usize) -> Self {
        let bytes = AtomicUsize::new(fixed.unwrap_or(LEAST));
        Self { bytes, most, learns: fixed.is_none() }
    }

    /// How long the next chunk is to be.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// A chunk of so many bytes has taken so long.
    pub fn note(&self, bytes: usize, elapsed: Duration) {
        if self.learns {
            let wanted = bytes as u128 * WANTED.as_nanos() / elapsed.as_nanos().max(1);
            let wanted = usize::try_from(wanted).unwrap_or(self.most);
            self.bytes.store(wanted.clamp(LEAST, self.most), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_the_time_they_take() {
        let pace = Pace::new(None, 1 << 17);
        assert_eq!(pace.bytes(), LEAST);
        pace.note(LEAST, Duration::from_micros(1));
        assert_eq!(pace.bytes(), 1 << 17);
        pace.note(1 << 17, 8 * WANTED);
        assert_eq!(pace.bytes(), 1 << 14);
        pace.note(1 << 14, Duration::from_secs(1000));
        assert_eq!(pace.bytes(), LEAST);
        pace.note(0, Duration::ZERO);
        assert_eq!(pace.bytes(), LEAST);
    }

    #[test]
    fn a_fixed_size_stays() {
        let pace = Pace::new(Some(77), 1 << 17);
        pace.note(77, Duration::from_secs(1));
        assert_eq!(pace.bytes(), 77);
    }
}
