//! A pool of working memory that workers reuse.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Working memory that no worker is using, to be taken again.
#[derive(Debug)]
pub(crate) struct Idle<T>(Mutex<Vec<T>>);

impl<T> Default for Idle<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Idle<T> {
    pub fn take(&self) -> Option<T> {
        self.all().pop()
    }

    pub fn put(&self, memory: T) {
        self.all().push(memory);
    }

    fn all(&self) -> MutexGuard<'_, Vec<T>> {
        // A panic cannot leave the list inconsistent: nothing else runs while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
