//! Starts threads, and notices if one dies before it runs.

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Starts a thread for `work` and waits until it runs.
///
/// `std` reports a thread that the system refuses. It does not report a thread that dies before its first step because
/// there is no memory for it, and a caller would wait for its work for ever.
///
/// # Errors
/// If the system refuses the thread, or the thread dies before its first step.
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
pub fn start_scoped<'scope, T: Send + 'scope>(
    builder: Builder,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    let (work, first_step) = announced(work);
    let thread = builder.spawn_scoped(scope, work)?;
    if first_step.recv().is_err() {
        // A thread that was not joined would make the scope panic.
        let _ = thread.join();
        return Err(died());
    }
    Ok(thread)
}

/// `work` that sends a message before its first step. The receiver fails if the thread dies before.
fn announced<T>(work: impl FnOnce() -> T) -> (impl FnOnce() -> T, Receiver<()>) {
    let (sender, receiver) = channel();
    let announced = move || {
        // Sending fails only if the receiver was dropped, and nobody waits for the message then.
        let _ = sender.send(());
        work()
    };
    (announced, receiver)
}

/// The error of a thread that has no memory to begin.
pub(super) fn died() -> io::Error {
    io::Error::other("a thread ended before it began")
}
