//! SIGINT and SIGTERM raise the stop flag; a second one ends the program at once, without leaving an
//! unfinished file behind. SIGUSR1 asks for progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use crate::search::Stop;
use crate::search::durable::discard_unfinished;
use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;

use super::ending::Ending;
use super::io::note;

/// A run that has not ended so long after the first signal waits for somebody who neither reads nor
/// writes, and is ended.
const PATIENCE: Duration = Duration::from_millis(900);

/// The stop flag of the program, and the signal that raised it.
#[derive(Default, Clone)]
pub struct Interrupt {
    stop: Arc<Stop>,
    signal: Arc<AtomicI32>,
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Begins to listen for signals, for a run that has nothing to save: it is ended within a second
    /// even if it is stuck.
    pub fn listen_briefly() -> Result<Self> {
        Self::begin(Some(PATIENCE))
    }

    /// Begins to listen for signals.
    pub fn listen() -> Result<Self> {
        Self::begin(None)
    }

    fn begin(patience: Option<Duration>) -> Result<Self> {
        let interrupt = Self::default();
        let Self { stop, signal: received, asked } = interrupt.clone();
        let mut signals =
            Signals::new([SIGINT, SIGTERM, SIGUSR1]).context("cannot handle signals")?;
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if signal == SIGUSR1 {
                    asked.store(true, Ordering::SeqCst);
                    continue;
                }
                if received.swap(signal, Ordering::SeqCst) != 0 {
                    exit(signal);
                }
                stop.request();
                if let Some(patience) = patience {
                    std::thread::spawn(move || {
                        std::thread::sleep(patience);
                        note("tallyboard: interrupted");
                        exit(signal);
                    });
                }
            }
        });
        Ok(interrupt)
    }

    /// The flag that a signal raises.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The same flag, for those who outlive this.
    pub fn shared_stop(&self) -> Arc<Stop> {
        Arc::clone(&self.stop)
    }

    /// How a run ended: by the signal, if there was one and the run could not be finished.
    pub fn ending(&self, result: Result<Ending>) -> Result<Ending> {
        if result.is_err() && self.signal().is_some() {
            return Ok(self.interrupted(""));
        }
        result
    }

    /// How a run ends that a signal has stopped; `what` became of it is said.
    pub fn interrupted(&self, what: &str) -> Ending {
        note(format_args!("tallyboard: interrupted{what}"));
        self.ended()
    }

    /// How a run ends that a signal has stopped.
    pub fn ended(&self) -> Ending {
        self.signal().map_or(Ending::Failed, |signal| Ending::Interrupted { signal })
    }

    /// The signal that came, if one did.
    pub fn signal(&self) -> Option<i32> {
        Some(self.signal.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
    }

    /// The flag that SIGUSR1 raises; who answers lowers it.
    pub fn progress_asked(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }
}

/// Ends the program at once.
fn exit(signal: i32) -> ! {
    for copy in discard_unfinished() {
        note(format_args!("tallyboard: the results are whole in {}", copy.display()));
    }
    std::process::exit(128 + signal)
}
