//! The calls to the operating system that decide which files a crash leaves. A [`fault_point`] stands before each, so that tests
//! see the order of the calls and can make any of them fail, in this crate and in those that write files by it.

use std::cell::RefCell;
use std::io;

/// A call to the operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Creates a file, or opens one to write it.
    Create,
    /// Writes bytes.
    Write,
    /// Changes a file's length.
    Cut,
    /// Forces a file to the disk.
    Sync,
    /// Gives a file another name.
    Rename,
    /// Opens a folder to force it to the disk.
    OpenFolder,
    /// Forces a folder to the disk.
    SyncFolder,
}

/// The calls of this thread since [`failing`] began, the number of the one that fails, and its error.
struct Log {
    calls: Vec<Call>,
    failing_call: usize,
    error: fn() -> io::Error,
}

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// Stands before a call. Returns an error in its place if a test wants it to fail; tests alone call [`failing`].
///
/// # Errors
/// What the test chose.
pub fn fault_point(call: Call) -> io::Result<()> {
    LOG.with_borrow_mut(|log| {
        let Some(log) = log else { return Ok(()) };
        let number = log.calls.len();
        log.calls.push(call);
        if number == log.failing_call { Err((log.error)()) } else { Ok(()) }
    })
}

/// Runs `write` and lets its call number `failing_call`, from 0, end with `error`. Returns the result of `write`, and
/// all calls that it made.
pub fn failing<T>(
    failing_call: usize,
    error: fn() -> io::Error,
    write: impl FnOnce() -> T,
) -> (T, Vec<Call>) {
    LOG.set(Some(Log { calls: Vec::new(), failing_call, error }));
    let result = write();
    (result, LOG.take().unwrap().calls)
}

/// Lets the first call of `write` fail, then its second one, and so on until it makes no more calls and succeeds.
/// Checks that each failure is reported and that nothing is done after it. Each time `prepare` comes first, and
/// after a failure `check` gets the calls, of which the last failed, and the error. Returns all calls.
pub fn fail_each<E>(
    prepare: impl Fn(),
    write: impl Fn() -> Result<(), E>,
    check: impl Fn(&[Call], E),
) -> Vec<Call> {
    let mut before_failures = Vec::new();
    loop {
        prepare();
        let no_disk = || io::Error::other("no disk");
        let (written, calls) = failing(before_failures.len(), no_disk, &write);
        let Err(error) = written else {
            assert_eq!(calls.len(), before_failures.len(), "a failure was not reported");
            for (number, before) in before_failures.iter().enumerate() {
                assert_eq!(before, &calls[..=number], "nothing is done after a failure");
            }
            return calls;
        };
        // Otherwise a `write` that fails by itself would be called for ever.
        let expected = before_failures.len() + 1;
        assert_eq!(calls.len(), expected, "it ends with the call that fails");
        check(&calls, error);
        before_failures.push(calls);
    }
}
