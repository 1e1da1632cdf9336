//! Working memory that workers use again.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The working memory of workers that are between subtrees.
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
        // A worker that panicked cannot have left anything half done in here.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
