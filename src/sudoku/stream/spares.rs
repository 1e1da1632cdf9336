//! Chunks that have been written, to be filled again.

use std::sync::{Mutex, MutexGuard};

use super::chunks::Chunk;

/// Chunks whose memory is used again, because fresh memory costs page faults. The chunk kept last is taken first: it is
/// still in a cache, which would be too small for all chunks in turn.
pub struct Spares {
    chunks: Mutex<Vec<Chunk>>,
    /// The most chunks that are kept.
    most: usize,
}

impl Spares {
    /// Keeps up to `most` chunks.
    pub fn new(most: usize) -> Self {
        Self { chunks: Mutex::default(), most }
    }

    /// The chunk that came last, or an empty one.
    pub fn take(&self) -> Chunk {
        self.chunks().pop().unwrap_or_default()
    }

    /// Keeps `chunk`, unless there are enough.
    pub fn keep(&self, chunk: Chunk) {
        let mut chunks = self.chunks();
        if chunks.len() < self.most {
            chunks.push(chunk);
        }
    }

    fn chunks(&self) -> MutexGuard<'_, Vec<Chunk>> {
        self.chunks.lock().expect("nobody panics holding it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_taken_first_and_no_more_than_enough_are_kept() {
        let spares = Spares::new(2);
        for name in [b"a", b"b", b"c"] {
            spares.keep(Chunk { text: name.to_vec(), ..Chunk::default() });
        }
        assert_eq!([(); 3].map(|()| spares.take().text), [&b"b"[..], b"a", b""]);
    }
}
