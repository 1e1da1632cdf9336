//! SIGINT and SIGTERM raise the stop flag; a second one ends the program at once. SIGUSR1 asks for
//! progress.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use tallyboard::search::Stop;

/// The stop flag of the program, and the signal that raised it.
pub struct Interrupt {
    stop: Arc<Stop>,
    signal: Arc<AtomicI32>,
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Begins to listen for signals.
    pub fn listen() -> Result<Self> {
        let interrupt =
            Self { stop: Arc::default(), signal: Arc::default(), asked: Arc::default() };
        let stop = Arc::clone(&interrupt.stop);
        let received = Arc::clone(&interrupt.signal);
        let asked = Arc::clone(&interrupt.asked);
        let mut signals =
            Signals::new([SIGINT, SIGTERM, SIGUSR1]).context("cannot handle signals")?;
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if signal == SIGUSR1 {
                    asked.store(true, Ordering::SeqCst);
                    continue;
                }
                if received.swap(signal, Ordering::SeqCst) != 0 {
                    std::process::exit(128 + signal);
                }
                stop.request();
            }
        });
        Ok(interrupt)
    }

    /// The flag that a signal raises.
    pub fn stop(&self) -> &Stop {
        &self.stop
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
