//! Threads that certainly run.

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Starts a thread for `work` and waits until it runs.
///
/// `std` tells of a thread that the system refuses. It does not tell of one that dies before its first step because
/// there is no memory for it: whoever waits for its work would wait for ever.
///
/// # Errors
/// If there is no such thread.
pub fn start<T: Send + 'static>(
    builder: Builder,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    let (work, first_step) = announced(work);
    let thread = builder.spawn(work)?;
    first_step.recv().map_err(|_| died())?;
    Ok(thread)
}

/// [`start`] for work that borrows.
///
/// # Errors
/// If there is no such thread.
pub fn start_scoped<'scope, T: Send + 'scope>(
    builder: Builder,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let (work, first_step) = announced(work);
    let thread = builder.spawn_scoped(scope, work)?;
    if first_step.recv().is_err() {
        // Otherwise the scope would panic in its place.
        let _ = thread.join();
        return Err(died());
    }
    Ok(thread)
}

/// `work` that tells the receiver of its first step. The receiver fails if there is none.
fn announced<T>(work: impl FnOnce() -> T) -> (impl FnOnce() -> T, Receiver<()>) {
    let (sender, receiver) = channel();
    let announced = move || {
        // Nobody listens if starting has failed otherwise.
        let _ = sender.send(());
        work()
    };
    (announced, receiver)
}

/// The error of a thread that has no memory to begin.
pub(super) fn died() -> io::Error {
    io::Error::other("a thread ended before it began")
}
