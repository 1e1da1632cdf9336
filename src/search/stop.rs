//! A flag that asks every worker to stop soon.

use std::sync::atomic::{AtomicBool, Ordering};

/// Asks a running search to end early. Kernels poll it between batches of nodes.
///
/// ```
/// let stop = tallyboard::search::Stop::new();
/// assert!(stop.check().is_ok());
/// stop.request();
/// assert!(stop.check().is_err());
/// ```
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

/// The search was asked to stop before this subtree was finished; its partial count is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the subtree was finished")]
pub struct Stopped;

impl Stop {
    /// A flag that nobody has raised yet.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks all who poll this flag to stop.
    pub fn request(&self) {
        // Relaxed: the flag publishes no other memory, it only has to arrive soon.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Err(Stopped)` once somebody has asked to stop, for use with `?`.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.requested() { Err(Stopped) } else { Ok(()) }
    }
}
