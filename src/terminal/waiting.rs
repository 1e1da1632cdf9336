//! How long the program waits for whoever reads its output or writes its input: without limit, until a signal has asked
//! it to end, and then for [`MAX_WAIT`].

use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

/// How long the program goes on waiting for a reader of the output or a writer of the input after a signal.
const MAX_WAIT: Duration = Duration::from_millis(900);

/// The time of the first signal that asks the program to end.
static SIGNALLED: OnceLock<Instant> = OnceLock::new();

/// Since when results have been waiting for their reader, in milliseconds of [`now`]; 0 if none are.
static WRITING_SINCE: AtomicU64 = AtomicU64::new(0);

/// Notes that a signal has come.
pub fn signal_came() {
    SIGNALLED.get_or_init(Instant::now);
}

/// The time of the first signal, if one came.
pub fn signalled() -> Option<Instant> {
    SIGNALLED.get().copied()
}

/// Whether the program may go on waiting.
pub fn may_wait() -> bool {
    signalled().is_none_or(|since| since.elapsed() < MAX_WAIT)
}

/// Runs `write`, which may wait for the reader of the results.
pub fn while_writing<T>(write: impl FnOnce() -> T) -> T {
    WRITING_SINCE.store(now().max(1), SeqCst);
    let written = write();
    WRITING_SINCE.store(0, SeqCst);
    written
}

/// Whether results have been waiting too long for their reader.
pub fn is_unread() -> bool {
    let since = WRITING_SINCE.load(SeqCst);
    since != 0 && now() > since + MAX_WAIT.as_millis() as u64
}

/// Milliseconds since the first call.
fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_millis() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_take_its_time_once_its_results_are_read() {
        while_writing(|| assert_ne!(WRITING_SINCE.load(SeqCst), 0));
        assert_eq!(WRITING_SINCE.load(SeqCst), 0);
        assert!(!is_unread() && may_wait());
    }
}
