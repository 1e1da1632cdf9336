//! Signals, in one place for every command. SIGINT, SIGTERM and SIGHUP end the program: at once, or, if the
//! command [listens](Interrupt::listen), after it has saved and printed its results. A second signal ends it
//! at once, unless it comes [with the first](REPEAT_TIME). Unfinished files are removed either way. SIGUSR1 asks
//! for progress.

use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicI32};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use tallyboard_files::whole::discard_unfinished;
use tallyboard_search::{Stop, Stopped};

use crate::terminal::args::{ExitStatus, is_broken_pipe};
use crate::terminal::os::{self, SIGUSR1};
use crate::terminal::print::{
    eprint_line, is_unread, may_wait, program_name, signal_came, signalled,
};

/// Further signals within this time after the first mean the same end: `timeout` signals a program and then its
/// group, a terminal that closes sends SIGHUP twice, systemd SIGTERM and SIGHUP.
const REPEAT_TIME: Duration = Duration::from_millis(500);
/// How often a program that is to end checks whether its [`Grace`] is over, or whether its reader waits too long.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// How long the program may go on after the first signal.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Grace {
    /// It ends at once: no command listens yet.
    #[default]
    None,
    /// The command ends by itself within 0.9 s, or is ended then.
    Brief,
    /// The command ends by itself, however long saving takes, unless its results wait for a reader for 0.9 s.
    Unlimited,
}

/// The stop flag of the program, and the signal that raised it.
#[derive(Default, Clone)]
pub struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    stop: Arc<Stop>,
    /// See [`Interrupt::progress_asked`].
    progress_asked: Arc<AtomicBool>,
    /// The signal that came; 0 if none did.
    signal: AtomicI32,
    grace: Mutex<Grace>,
    /// The line to print if the program is ended before the command ends by itself.
    exit_line: Mutex<Option<String>>,
}

/// The interrupt of this process.
fn program() -> &'static Interrupt {
    static PROGRAM: OnceLock<Interrupt> = OnceLock::new();
    PROGRAM.get_or_init(Interrupt::default)
}

/// Begins to handle signals. Until a command listens, the first one ends the program at once.
pub fn begin() -> Result<()> {
    os::on_signals(|signal| program().receive(signal))
}

impl Interrupt {
    /// For a command that has nothing to save: a second after the signal it is ended, even if it is stuck.
    pub fn listen_with_nothing_to_save() -> Self {
        program().with_grace(Grace::Brief)
    }

    /// For a command that saves what it has, however long that takes.
    pub fn listen() -> Self {
        program().with_grace(Grace::Unlimited)
    }

    fn with_grace(&self, grace: Grace) -> Self {
        *self.0.grace.lock().unwrap_or_else(PoisonError::into_inner) = grace;
        self.clone()
    }

    fn grace(&self) -> Grace {
        *self.0.grace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what `signal` asks for.
    fn receive(&self, signal: i32) {
        let state = &self.0;
        if signal == SIGUSR1 {
            return state.progress_asked.store(true, SeqCst);
        }
        if let Some(since) = signalled() {
            if since.elapsed() < REPEAT_TIME {
                return;
            }
            exit(signal, "ended at once");
        }
        signal_came();
        state.signal.store(signal, SeqCst);
        state.stop.request();
        if self.grace() == Grace::None {
            exit(signal, "interrupted");
        }
        let interrupt = self.clone();
        // If no thread can be started, a second signal still ends a program that is stuck.
        let _ = thread::Builder::new().spawn(move || interrupt.exit_when_grace_is_over(signal));
    }

    /// Ends the program when its [`Grace`] is over, or once its results wait too long for a reader.
    fn exit_when_grace_is_over(&self, signal: i32) {
        loop {
            thread::sleep(CHECK_INTERVAL);
            let is_brief = self.grace() != Grace::Unlimited;
            if (is_brief && !may_wait()) || is_unread() {
                exit(signal, "interrupted");
            }
        }
    }

    /// Sets the line to print if the program is ended before the command can say what it has saved.
    pub fn set_exit_line(&self, line: String) {
        *self.0.exit_line.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
    }

    /// The flag that a signal raises.
    pub fn stop(&self) -> &Stop {
        &self.0.stop
    }

    /// The flag that a signal raises, shared.
    pub fn shared_stop(&self) -> Arc<Stop> {
        Arc::clone(&self.0.stop)
    }

    /// How a run ended: by the signal, if the signal has caused its error.
    pub fn ending(&self, result: Result<ExitStatus>) -> Result<ExitStatus> {
        match result {
            Err(error) if self.has_caused(&error) => Ok(self.report_interruption("")),
            result => result,
        }
    }

    /// Whether `error` says no more than that a signal has stopped the run. A broken pipe counts, because Ctrl-C ends the reader
    /// of a pipe too.
    pub fn has_caused(&self, error: &anyhow::Error) -> bool {
        self.signal().is_some() && (is_stop(error) || is_broken_pipe(error))
    }

    /// Prints that a signal has stopped the run, followed by `details`; returns how the run ends.
    pub fn report_interruption(&self, details: &str) -> ExitStatus {
        eprint_line(format_args!("{}: interrupted{details}", program_name()));
        self.exit_status()
    }

    /// How a run ends that a signal has stopped.
    pub fn exit_status(&self) -> ExitStatus {
        self.signal().map_or(ExitStatus::Failed, |signal| ExitStatus::Interrupted { signal })
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.signal.load(SeqCst)).filter(|&signal| signal != 0)
    }

    /// The flag that SIGUSR1 raises; whoever prints progress lowers it.
    pub fn progress_asked(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.progress_asked)
    }
}

/// Whether `error` says that a stop flag was raised, which ended a stream, a read that waited, or a count.
fn is_stop(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        // The inner error of an `io::Error` is no link of the chain.
        let inner = cause.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        cause.is::<Stopped>() || inner.is_some_and(|inner| inner.is::<Stopped>())
    })
}

/// Ends the program at once. Prints `how` it ended, and which files hold its results.
fn exit(signal: i32, how: &str) -> ! {
    let kept = discard_unfinished();
    let exit_line = program().0.exit_line.lock().unwrap_or_else(PoisonError::into_inner).take();
    exit_lines(how, &kept, exit_line).into_iter().for_each(eprint_line);
    // Ends the program by SIGINT, if that is the signal: a shell then sees that it was interrupted. After others it returns.
    os::end_by(signal);
    std::process::exit(128 + signal)
}

/// The lines to print when the program is ended at once. `kept` are the files that hold whole results.
fn exit_lines(how: &str, kept: &[PathBuf], exit_line: Option<String>) -> Vec<String> {
    let name = program_name();
    let mut lines = vec![format!("{name}: {how}")];
    for file in kept {
        lines.push(format!("{name}: the results are whole in {}", file.display()));
    }
    lines.extend(exit_line);
    lines
}

#[cfg(test)]
mod tests {
    use tallyboard_sudoku::stream::StreamError;

    use super::*;

    #[test]
    fn a_program_that_is_cut_short_says_where_its_results_are() {
        assert_eq!(exit_lines("interrupted", &[], None), ["tallyboard: interrupted"]);
        let interrupt = Interrupt::default();
        interrupt.set_exit_line("go on with --resume".to_owned());
        let exit_line = interrupt.0.exit_line.lock().unwrap().take();
        let lines = exit_lines("ended at once", &["a/.f.1".into()], exit_line);
        assert_eq!(lines[0], "tallyboard: ended at once");
        assert_eq!(
            lines[1..],
            ["tallyboard: the results are whole in a/.f.1", "go on with --resume"]
        );
    }

    #[test]
    fn errors_that_the_signal_has_not_caused_are_kept() {
        use anyhow::{Context, anyhow};
        let interrupt = Interrupt::default();
        let stops = [
            || anyhow::Error::new(Stopped),
            || anyhow::Error::new(StreamError::from(Stopped)).context("a file"),
            || StreamError::Read(std::io::Error::other(Stopped)).into(),
            || Err::<(), _>(std::io::Error::other(Stopped)).context("cannot read").unwrap_err(),
            || std::io::Error::from(std::io::ErrorKind::BrokenPipe).into(),
        ];
        let failures = [
            || anyhow!("what was counted is lost"),
            || StreamError::Read(std::io::Error::other("a bad disk")).into(),
            || StreamError::Write(std::io::ErrorKind::StorageFull.into()).into(),
            || StreamError::Search(tallyboard_search::Error::Twice { id: 1 }).into(),
        ];
        for error in stops.iter().chain(&failures) {
            assert!(interrupt.ending(Err(error())).is_err(), "no signal came: {}", error());
        }
        interrupt.0.signal.store(2, SeqCst);
        for error in stops {
            let ending = interrupt.ending(Err(error())).unwrap();
            assert_eq!(ending, ExitStatus::Interrupted { signal: 2 }, "{}", error());
        }
        for error in failures {
            assert!(interrupt.ending(Err(error())).is_err(), "{}", error());
        }
        assert_eq!(interrupt.ending(Ok(ExitStatus::Failed)).unwrap(), ExitStatus::Failed);
    }
}
