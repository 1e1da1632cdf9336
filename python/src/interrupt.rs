//! Runs work without the interpreter's lock, and stops it soon after Ctrl-C.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tallyboard_search::Stop;

/// The time between two checks for signals. A check takes a microsecond.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work` on another thread while this one checks for signals, and whether the caller's `Cancellation` or the
/// interpreter ends. If that raises an exception, `work` is stopped and waited for.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    interruptible_with(py, work, &mut |_| Ok(()))
}

/// As [`interruptible`]; after each check for signals `meanwhile` is called, whose error ends the work, too.
pub fn interruptible_with<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send,
    meanwhile: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let stop = Stop::new();
    // None in the main thread without a `Cancellation`.
    let is_wanted = py.import("tallyboard._engines")?.call_method0("check")?;
    let mut ask = |py: Python<'_>| {
        py.check_signals()?;
        if !is_wanted.is_none() {
            is_wanted.call0()?;
        }
        meanwhile(py)
    };
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let stop = &stop;
        // The send fails only after a signal.
        let worker = scope.spawn(move || drop(sender.send(work(stop))));
        let mut waiting = Some(receiver);
        let found = loop {
            let receiver = waiting.take().expect("the last turn has put it back");
            let (answer, receiver) =
                py.detach(move || (receiver.recv_timeout(CHECK_INTERVAL), receiver));
            match answer {
                Ok(found) => break Ok(found),
                Err(RecvTimeoutError::Disconnected) => break Err(panicked()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = ask(py) {
                        stop.request();
                        break Err(error);
                    }
                }
            }
            waiting = Some(receiver);
        };
        // The thread has ended or ends soon. A panic has printed its message already.
        let _ = py.detach(|| worker.join());
        found
    })
}

/// As [`interruptible`], for work that checks its flag so rarely that a signal does not wait for it. The work
/// continues in its own thread until the next check.
pub fn interruptible_alone<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let stop_work = Arc::new(Stop::new());
    let stop_of_thread = Arc::clone(&stop_work);
    // The send fails only after a signal.
    thread::spawn(move || drop(sender.send(work(&stop_of_thread))));
    let found = interruptible(py, move |stop| {
        loop {
            match receiver.recv_timeout(CHECK_INTERVAL) {
                Err(RecvTimeoutError::Timeout) if !stop.requested() => {}
                answer => return answer.ok(),
            }
        }
    });
    stop_work.request();
    found?.ok_or_else(panicked)
}

fn panicked() -> PyErr {
    PyRuntimeError::new_err("the work panicked")
}
