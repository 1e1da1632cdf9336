//! What the command line does while a count runs: save, draw, answer SIGUSR1.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tallyboard::search::journal::Journal;
use tallyboard::search::{Finished, Observer, Progress, Tally};

use super::io::note;
use super::progress_bar::{ProgressBar, describe};
use super::signals::Interrupt;

/// The observer of every count.
pub struct Watch<'a> {
    bar: ProgressBar,
    asked: Arc<AtomicBool>,
    journal: Option<&'a mut Journal>,
}

impl<'a> Watch<'a> {
    /// Draws on the terminal unless `quiet`; saves in `journal` if there is one.
    pub fn new(quiet: bool, interrupt: &Interrupt, journal: Option<&'a mut Journal>) -> Self {
        Self { bar: ProgressBar::new(quiet), asked: interrupt.progress_asked(), journal }
    }
}

impl Observer for Watch<'_> {
    fn finished(&mut self, subtree: &Finished) -> io::Result<()> {
        match &mut self.journal {
            Some(journal) => journal.append(subtree),
            None => Ok(()),
        }
    }

    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        if self.asked.swap(false, Ordering::SeqCst) {
            note(format_args!("tallyboard: {}", describe(progress)));
        }
        self.bar.tick(progress)?;
        match &mut self.journal {
            Some(journal) => journal.sync_if_due(),
            None => Ok(()),
        }
    }
}

/// Keeps the subtotals of one run and draws its progress.
pub struct Subtotals {
    bar: ProgressBar,
    pub tallies: BTreeMap<usize, Tally>,
}

impl Subtotals {
    /// Draws on the terminal unless `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self { bar: ProgressBar::new(quiet), tallies: BTreeMap::new() }
    }
}

impl Observer for Subtotals {
    fn finished(&mut self, subtree: &Finished) -> io::Result<()> {
        self.tallies.insert(subtree.id, subtree.tally);
        Ok(())
    }

    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        self.bar.tick(progress)
    }
}
