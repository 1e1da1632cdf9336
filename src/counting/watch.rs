//! Observers of counts: they save in a journal, draw progress, or keep subtotals.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use tallyboard_base::figures::{counted, percent};
use tallyboard_search::journal::Journal;
use tallyboard_search::sample::FEWEST_DRAWS;
use tallyboard_search::{FinishedSubtree, Observer, Progress, Tally};

use crate::terminal::{Interrupt, ProgressBar};

/// The observer of a count, which may have a journal.
pub struct Watch<'a> {
    bar: ProgressBar,
    journal: Option<&'a mut Journal>,
}

impl<'a> Watch<'a> {
    /// Draws on the terminal unless `quiet`; saves in `journal` if there is one.
    pub fn new(quiet: bool, interrupt: &Interrupt, journal: Option<&'a mut Journal>) -> Self {
        Self { bar: ProgressBar::new(quiet, interrupt), journal }
    }
}

impl Observer for Watch<'_> {
    fn finished_all(&mut self, subtrees: &[FinishedSubtree]) -> io::Result<()> {
        match &mut self.journal {
            Some(journal) => journal.append_all(subtrees),
            None => Ok(()),
        }
    }

    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        self.bar.tick(progress)?;
        match &mut self.journal {
            Some(journal) => journal.sync_if_due(),
            None => Ok(()),
        }
    }
}

/// The observer of a sample that takes a given time. It draws one bar for that time, however many searches there are.
pub struct TimeBar {
    bar: ProgressBar,
    began: Instant,
    time: Duration,
    subtrees: usize,
}

impl TimeBar {
    /// Draws on the terminal unless `quiet`; `time` begins now.
    pub fn new(time: Duration, quiet: bool, interrupt: &Interrupt) -> Self {
        let bar = ProgressBar::new(quiet, interrupt);
        Self { bar, began: Instant::now(), time, subtrees: 0 }
    }

    /// `25.0 %, 15 seconds left, 1,234 subtrees counted`.
    fn describe(&self, elapsed: Duration) -> String {
        let left = match self.time.saturating_sub(elapsed) {
            Duration::ZERO if self.subtrees < FEWEST_DRAWS => {
                format!("waiting for the {FEWEST_DRAWS} draws or more that an interval needs")
            }
            Duration::ZERO => "waiting for the subtrees that were begun".to_owned(),
            left => format!("{} left", HumanDuration(left)),
        };
        let share = percent(self.share(elapsed));
        let subtrees = counted(self.subtrees, "subtree");
        format!("{share}, {left}, {subtrees} counted")
    }

    fn share(&self, elapsed: Duration) -> f64 {
        (elapsed.as_secs_f64() / self.time.as_secs_f64()).min(1.0)
    }
}

impl Observer for TimeBar {
    fn finished(&mut self, _: &FinishedSubtree) -> io::Result<()> {
        self.subtrees += 1;
        Ok(())
    }

    fn tick(&mut self, _: &Progress) -> io::Result<()> {
        let elapsed = self.began.elapsed();
        self.bar.draw(elapsed, self.share(elapsed), || self.describe(elapsed));
        Ok(())
    }
}

/// The observer that keeps the subtotals of one run and draws its progress.
pub struct Subtotals {
    bar: ProgressBar,
    pub tallies: BTreeMap<usize, Tally>,
}

impl Subtotals {
    /// Draws on the terminal unless `quiet`.
    pub fn new(quiet: bool, interrupt: &Interrupt) -> Self {
        Self { bar: ProgressBar::new(quiet, interrupt), tallies: BTreeMap::new() }
    }
}

impl Observer for Subtotals {
    fn finished(&mut self, subtree: &FinishedSubtree) -> io::Result<()> {
        self.tallies.insert(subtree.id, subtree.tally);
        Ok(())
    }

    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        self.bar.tick(progress)
    }
}

#[cfg(test)]
mod tests {
    use tallyboard_queens::{Board, Count};
    use tallyboard_search::Problem;
    use tallyboard_search::journal::Header;

    use super::*;

    #[test]
    fn a_tick_forces_to_the_disk_what_has_waited_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let problem = Count::new(Board::new(6).unwrap()).unwrap();
        let header = Header::new(&problem, &problem.split(), "all", None);
        let mut journal = Journal::create(&folder.path().join("j"), &header, 1).unwrap();
        let subtree =
            FinishedSubtree { id: 0, tally: Tally::default(), cost: 1, busy: Duration::ZERO };
        for (seconds, is_due) in [(1, false), (3, true)] {
            journal.append_before(&subtree, Duration::from_secs(seconds));
            let mut watch = Watch::new(true, &Interrupt::default(), Some(&mut journal));
            watch.tick(&Progress::default()).unwrap();
            drop(watch);
            assert_eq!(journal.has_unsynced(), !is_due, "after {seconds} s");
            journal.sync().unwrap();
        }
    }

    #[test]
    fn a_bar_of_a_given_time_goes_by_that_time() {
        let mut watch = TimeBar {
            bar: ProgressBar::new(true, &Interrupt::default()),
            began: Instant::now(),
            time: Duration::from_secs(20),
            subtrees: 1234,
        };
        let after = |seconds| watch.describe(Duration::from_secs(seconds));
        assert_eq!(after(5), "25.0 %, 15 seconds left, 1,234 subtrees counted");
        assert!(after(30).starts_with("100.0 %, waiting for the subtrees that were begun, 1,234"));
        watch.subtrees = 3;
        let waiting = watch.describe(Duration::from_secs(30));
        assert_eq!(
            waiting,
            "100.0 %, waiting for the 8 draws or more that an interval needs, 3 subtrees counted"
        );
    }
}
