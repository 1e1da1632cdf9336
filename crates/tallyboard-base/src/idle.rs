//! A pool of working memory that workers reuse, because fresh memory costs page faults. The memory that was put back last
//! is taken first: it is most likely still in a cache.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Working memory that no worker is using, to be taken again.
#[derive(Debug)]
pub struct Idle<T>(Mutex<Vec<T>>);

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Idle<T> {
    /// Takes the memory that was put last, if any is left.
    pub fn take(&self) -> Option<T> {
        self.all().pop()
    }

    /// Keeps `memory` for the next [`take`](Self::take).
    pub fn put(&self, memory: T) {
        self.put_below(memory, usize::MAX);
    }

    /// Keeps `memory`, unless `most` pieces of memory are kept already.
    pub fn put_below(&self, memory: T, most: usize) {
        let mut all = self.all();
        if all.len() < most {
            all.push(memory);
        }
    }

    fn all(&self) -> MutexGuard<'_, Vec<T>> {
        // A panic cannot leave the list inconsistent: nothing else runs while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_is_taken_first_and_no_more_than_enough_are_kept() {
        let idle = Idle::default();
        for name in ["a", "b", "c"] {
            idle.put_below(name, 2);
        }
        assert_eq!([(); 3].map(|()| idle.take()), [Some("b"), Some("a"), None]);
        for name in ["a", "b", "c"] {
            idle.put(name);
        }
        assert_eq!([(); 4].map(|()| idle.take()), [Some("c"), Some("b"), Some("a"), None]);
    }
}
