//! Signals, in one place for every command. SIGINT, SIGTERM and SIGHUP end the program: at once, or, if the
//! command [listens](Interrupt::listen), after it has saved and printed its results. A second signal ends it
//! at once. Unfinished files are removed either way. SIGUSR1 asks for progress.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use base::durable::discard_unfinished;
use search::Stop;

use super::ending::Ending;
use super::io::note;
use super::os::{self, SIGUSR1};

/// Upper bound, after a signal, on waiting for a reader of the output or a writer of the input.
const PATIENCE: Duration = Duration::from_millis(900);
/// How often a program that is to end checks whether that wait is over.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// `State::manner` tells how the first signal ends the program. With this value, which holds until the command listens,
/// at once.
const AT_ONCE: u8 = 0;
/// With this value the command ends by itself, or is ended after [`PATIENCE`].
const BRIEFLY: u8 = 1;
/// With this value the command ends by itself, however long saving takes.
const PATIENTLY: u8 = 2;

/// The stop flag of the program, and the signal that raised it.
#[derive(Default, Clone)]
pub struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    stop: Arc<Stop>,
    asked: Arc<AtomicBool>,
    signal: AtomicI32,
    manner: AtomicU8,
    /// When the first signal came.
    since: OnceLock<Instant>,
    /// What to print if the program is ended before the command ends by itself.
    last_words: Mutex<Option<String>>,
    /// Since when results have been waiting for their reader, in milliseconds of [`now`]; 0 if none are.
    writing: AtomicU64,
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
    /// For a command that has nothing to save: it is ended within a second even if it is stuck.
    pub fn listen_briefly() -> Result<Self> {
        Ok(program().in_manner(BRIEFLY))
    }

    /// For a command that saves what it has, and may take its time for it.
    pub fn listen() -> Result<Self> {
        Ok(program().in_manner(PATIENTLY))
    }

    fn in_manner(&self, manner: u8) -> Self {
        self.0.manner.store(manner, SeqCst);
        self.clone()
    }

    /// Does what `signal` asks for.
    fn receive(&self, signal: i32) {
        let state = &self.0;
        if signal == SIGUSR1 {
            return state.asked.store(true, SeqCst);
        }
        if state.signal.swap(signal, SeqCst) != 0 {
            exit(signal, "ended at once");
        }
        state.since.get_or_init(Instant::now);
        state.stop.request();
        if state.manner.load(SeqCst) == AT_ONCE {
            exit(signal, "interrupted");
        }
        let watched = self.clone();
        // If no thread can be started, a second signal still ends a program that is stuck.
        let _ = thread::Builder::new().spawn(move || watched.end_what_is_stuck(signal));
    }

    /// Ends the program if it waits too long for a reader or a writer.
    fn end_what_is_stuck(&self, signal: i32) {
        loop {
            thread::sleep(CHECK_INTERVAL);
            let is_brief = self.0.manner.load(SeqCst) != PATIENTLY;
            if (is_brief && !self.has_patience()) || self.is_unread() {
                exit(signal, "interrupted");
            }
        }
    }

    /// Whether to go on waiting: always, until [`PATIENCE`] after a signal.
    fn has_patience(&self) -> bool {
        self.0.since.get().is_none_or(|since| since.elapsed() < PATIENCE)
    }

    /// Whether results have been waiting too long for their reader.
    fn is_unread(&self) -> bool {
        let writing = self.0.writing.load(SeqCst);
        writing != 0 && now() > writing + PATIENCE.as_millis() as u64
    }

    /// Sets what to print if the program is ended before the command can say what it has saved.
    pub fn set_last_words(&self, words: String) {
        *self.0.last_words.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
    }

    /// The flag that a signal raises.
    pub fn stop(&self) -> &Stop {
        &self.0.stop
    }

    /// The flag that a signal raises, shared.
    pub fn shared_stop(&self) -> Arc<Stop> {
        Arc::clone(&self.0.stop)
    }

    /// How a run ended: by the signal, if there was one and the run could not be finished.
    pub fn ending(&self, result: Result<Ending>) -> Result<Ending> {
        if result.is_err() && self.signal().is_some() {
            return Ok(self.interrupted(""));
        }
        result
    }

    /// How a run ends that a signal has stopped; prints `what` became of it.
    pub fn interrupted(&self, what: &str) -> Ending {
        note(format_args!("{}: interrupted{what}", super::program()));
        self.ended()
    }

    /// How a run ends that a signal has stopped.
    pub fn ended(&self) -> Ending {
        self.signal().map_or(Ending::Failed, |signal| Ending::Interrupted { signal })
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.signal.load(SeqCst)).filter(|&signal| signal != 0)
    }

    /// The flag that SIGUSR1 raises; whoever prints progress lowers it.
    pub fn progress_asked(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.asked)
    }
}

/// Whether to go on waiting for somebody to read messages.
pub fn has_patience() -> bool {
    program().has_patience()
}

/// Runs `write`, which may wait for the reader of the results. After a signal the program waits at most
/// [`PATIENCE`] for it.
pub fn while_writing<T>(write: impl FnOnce() -> T) -> T {
    program().0.writing.store(now().max(1), SeqCst);
    let written = write();
    program().0.writing.store(0, SeqCst);
    written
}

/// Milliseconds since the first call.
fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_millis() as u64
}

/// Ends the program at once, and prints `how`.
fn exit(signal: i32, how: &str) -> ! {
    let kept = discard_unfinished();
    let words = program().0.last_words.lock().unwrap_or_else(PoisonError::into_inner).take();
    parting(how, &kept, words).into_iter().for_each(note);
    std::process::exit(128 + signal)
}

/// The lines to print at such an end.
fn parting(how: &str, kept: &[PathBuf], last_words: Option<String>) -> Vec<String> {
    let name = super::program();
    let whole =
        kept.iter().map(|copy| format!("{name}: the results are whole in {}", copy.display()));
    [format!("{name}: {how}")].into_iter().chain(whole).chain(last_words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_results_are_is_said_when_the_program_is_cut_short() {
        assert_eq!(parting("interrupted", &[], None), ["tallyboard: interrupted"]);
        let interrupt = Interrupt::default();
        interrupt.set_last_words("go on with --resume".to_owned());
        let words = interrupt.0.last_words.lock().unwrap().take();
        let said = parting("ended at once", &["a/.f.1".into()], words);
        assert_eq!(said[0], "tallyboard: ended at once");
        assert_eq!(
            said[1..],
            ["tallyboard: the results are whole in a/.f.1", "go on with --resume"]
        );
    }

    #[test]
    fn a_command_may_take_its_time_once_its_results_are_read() {
        let interrupt = program();
        while_writing(|| assert_ne!(interrupt.0.writing.load(SeqCst), 0));
        assert_eq!(interrupt.0.writing.load(SeqCst), 0);
        assert!(!interrupt.is_unread() && interrupt.has_patience());
    }
}
