//! Signals and streams on Unix.

use std::fs::File;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::{io, thread};

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio;
pub use signal_hook::consts::SIGUSR1;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use tallyboard_search::start;

/// How long to wait for input, or for the reader of messages, before checking for signals.
const SIGNAL_CHECK_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// Calls `receive` for each SIGINT, SIGTERM, SIGUSR1 and SIGHUP from now on, on a separate thread.
pub fn on_signals(receive: impl Fn(i32) + Send + 'static) -> Result<()> {
    // With a handler for SIGXFSZ, a file that reaches the limit on its size is an error, like a full disk. Without one it
    // would end the program.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    // What was ignored at the start stays so: SIGHUP under `nohup`, SIGINT of a job that a script puts into the background.
    // Signal n is bit n - 1.
    let ignored = ignored_signals();
    let is_heard = |signal: &i32| ignored >> (signal - 1) & 1 == 0;
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(is_heard).chain([SIGUSR1]);
    let mut signals = Signals::new(handled).context("cannot handle signals")?;
    let handle = move || signals.forever().for_each(receive);
    let started = start(thread::Builder::new().name("signals".into()), handle);
    started.context("cannot start the thread that hears signals: the system gives no more")?;
    Ok(())
}

/// Ends the program by `signal` itself if it is SIGINT, because a shell ends a loop only if SIGINT itself has ended the
/// program. After other signals this does nothing, and the program ends with an exit code that schedulers know.
pub fn end_by(signal: i32) {
    if signal == SIGINT {
        // If this fails, the program goes on to end with the exit code of the signal.
        let _ = emulate_default_handler(signal);
    }
}

/// The signals that were ignored when the program was started, a bit each; 0 where the system does not tell.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok()).unwrap_or(0)
}

/// Waits until `input` can be read, at most [`SIGNAL_CHECK_INTERVAL`]; returns whether it can.
pub fn has_input(input: &File) -> io::Result<bool> {
    Ok(poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&SIGNAL_CHECK_INTERVAL))? != 0)
}

/// Writes `text` to standard error. Gives up if that fails, or if nobody reads it and `may_wait` returns
/// false.
///
/// It does not use `io::stderr()`: while the thread that draws progress waits for a stopped terminal, it holds the lock of
/// that.
pub fn write_stderr(text: &[u8], may_wait: impl Fn() -> bool) {
    /// A pipe that is ready for writing takes this much without waiting (`PIPE_BUF`).
    const PIECE_BYTES: usize = 4096;
    let mut left = text;
    while !left.is_empty() {
        let stderr = stdio::stderr();
        match poll(&mut [PollFd::new(&stderr, PollFlags::OUT)], Some(&SIGNAL_CHECK_INTERVAL)) {
            Ok(0) if !may_wait() => return,
            Ok(0) | Err(Errno::INTR) => continue,
            _ => {}
        }
        match rustix::io::write(stderr, &left[..left.len().min(PIECE_BYTES)]) {
            Ok(written) => left = &left[written..],
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => return,
        }
    }
}

/// Standard input as a file. Fails if it was closed when the program was started.
pub fn stdin() -> io::Result<File> {
    if STDIN_WAS_CLOSED.load(Relaxed) {
        return Err(io::Error::other("standard input is closed"));
    }
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Standard output as a file.
pub fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Whether standard input was closed when the program was started.
static STDIN_WAS_CLOSED: AtomicBool = AtomicBool::new(false);
/// Whether standard output was closed when the program was started.
static STDOUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Checks the streams before Rust's own start, which opens `/dev/null` in place of a closed stream.
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
static CHECK_STREAMS: extern "C" fn() = {
    extern "C" fn check() {
        let is_closed = |stream| rustix::io::fcntl_getfd(stream) == Err(Errno::BADF);
        STDIN_WAS_CLOSED.store(is_closed(stdio::stdin()), Relaxed);
        STDOUT_WAS_CLOSED.store(is_closed(stdio::stdout()), Relaxed);
    }
    check
};

/// Whether standard output was closed when the program was started.
pub fn is_stdout_closed() -> bool {
    STDOUT_WAS_CLOSED.load(Relaxed)
}

/// Makes writing to a closed standard output fail; without this, results would be lost unnoticed.
pub fn guard_closed_stdout() {
    // Every write to `/dev/full` fails as on a full disk.
    if is_stdout_closed()
        && let Ok(full) = File::options().write(true).open("/dev/full")
    {
        let _ = stdio::dup2_stdout(full);
    }
}
