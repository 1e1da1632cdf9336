//! Work without the interpreter's lock that ends soon after Ctrl-C.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tallyboard::search::Stop;

/// The interpreter is asked for signals so often; it takes a microsecond.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Does `work` on a thread of its own while this one looks for signals. When one raises an exception,
/// `work` is told to stop and waited for.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&Stop) -> T + Send) -> PyResult<T> {
    let stop = Stop::new();
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let stop = &stop;
        // Nobody listens after a signal.
        let worker = scope.spawn(move || drop(sender.send(work(stop))));
        let mut waiting = Some(receiver);
        let found = loop {
            let receiver = waiting.take().expect("it comes back each time");
            let (answer, receiver) =
                py.detach(move || (receiver.recv_timeout(BETWEEN_LOOKS), receiver));
            match answer {
                Ok(found) => break Ok(found),
                Err(RecvTimeoutError::Disconnected) => break Err(panicked()),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        stop.request();
                        break Err(error);
                    }
                }
            }
            waiting = Some(receiver);
        };
        // It has ended, or ends soon: whatever it panics with has been said.
        let _ = py.detach(|| worker.join());
        found
    })
}

/// The same for work that looks at its flag too seldom to be waited for: it is left behind, to end when it
/// next looks.
pub fn interruptible_alone<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Stop) -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let left_behind = Arc::new(Stop::new());
    let its_stop = Arc::clone(&left_behind);
    // Nobody listens after a signal.
    thread::spawn(move || drop(sender.send(work(&its_stop))));
    let found = interruptible(py, move |stop| {
        loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Err(RecvTimeoutError::Timeout) if !stop.requested() => {}
                answer => return answer.ok(),
            }
        }
    });
    left_behind.request();
    found?.ok_or_else(panicked)
}

fn panicked() -> PyErr {
    PyRuntimeError::new_err("the work panicked")
}
