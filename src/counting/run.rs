//! A run: subtrees counted with or without a journal, and the observers that save, draw progress or keep subtotals.

use std::collections::BTreeMap;
use std::io;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Error, Result};
use indicatif::HumanDuration;
use tallyboard_base::figures::{counted, grouped, percent};
use tallyboard_search::journal::{Header, Journal, JournalError, Refusal};
use tallyboard_search::sample::FEWEST_DRAWS;
use tallyboard_search::{
    self, FinishedSubtree, Observer, Options, Outcome, Progress, Tally, run_split, thread_count,
};

use crate::counting::arguments::Run;
use crate::terminal::{Args, Interrupt, ProgressBar, eprint_line, info, program_name};

/// How a count is saved.
#[derive(Debug, clap::Args)]
pub struct JournalArgs {
    /// Save every finished part of the count in this file; a later run can continue from it, and the command
    /// `show` tells how far it is
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Continue from the journal; begin it if there is none
    #[arg(long, requires = "journal")]
    pub resume: bool,
}

impl Run {
    /// Prints what the finished subtrees of a count that was interrupted have.
    fn print_found(&self, outcome: &Outcome) {
        let subtrees = counted(outcome.subtrees, "subtree");
        match outcome.finished {
            _ if outcome.modulus.is_some() => {}
            0 => eprint_line(format_args!(
                "none of {subtrees} was finished, so nothing is known yet"
            )),
            finished => eprint_line(format_args!(
                "{} in the {} of {subtrees} that were finished",
                counted(outcome.tally.solutions(), self.noun),
                grouped(finished)
            )),
        }
    }

    /// Counts all of a problem, with the journal that `journaling` names.
    pub(crate) fn count(
        &self,
        journaling: &JournalArgs,
        args: &Args,
        interrupt: &Interrupt,
    ) -> Result<Outcome> {
        let Some(path) = &journaling.journal else {
            let outcome = self.search(None, None, args, interrupt)?;
            if !outcome.complete {
                let program = program_name();
                eprint_line(format_args!(
                    "{program}: interrupted; nothing is saved (--journal FILE would)"
                ));
                self.print_found(&outcome);
            }
            return Ok(outcome);
        };
        let header = Header::new(&*self.problem, &self.costs, "all", None);
        let threads = thread_count(args.threads);
        let mut journal = if journaling.resume {
            Journal::resume(path, &header, threads, |id| id < self.costs.len())
        } else {
            Journal::create(path, &header, threads)
        }
        .map_err(advise)?;
        report_found(path, &journal, args);
        interrupt.set_exit_line(format!(
            "what is saved in {} stays good; go on with the same command and --resume",
            path.display()
        ));
        let outcome = self.search(None, Some(&mut journal), args, interrupt)?;
        if !outcome.complete {
            eprint_line(format_args!(
                "{}: interrupted; {} of {} saved in {}\n\
                 go on with the same command and --resume",
                program_name(),
                grouped(outcome.finished),
                counted(outcome.subtrees, "subtree"),
                path.display()
            ));
        }
        Ok(outcome)
    }

    /// Counts the subtrees `only` of a problem (all by default), saving them in `journal`. If this succeeds, all that was
    /// counted is on the disk.
    pub(crate) fn search(
        &self,
        only: Option<&[usize]>,
        mut journal: Option<&mut Journal>,
        args: &Args,
        interrupt: &Interrupt,
    ) -> Result<Outcome> {
        let known = journal.as_mut().map(|journal| take(&mut journal.found.subtotals));
        let options = Options::new().threads(args.threads).stop(interrupt.stop());
        let options = options.only(only).known(known.as_ref());
        let mut watch = Watch::new(args.quiet, interrupt, journal.as_deref_mut());
        let counted = run_split(&*self.problem, &self.costs, &options, &mut watch);
        drop(watch);
        let Some(journal) = journal else { return Ok(counted?) };
        let in_place = journal.ensure_in_place();
        let outcome = counted.map_err(|error| match error {
            tallyboard_search::Error::Record(error) if in_place.is_ok() => Error::new(error)
                .context("the count has stopped, what is saved stays good: mend this, then resume"),
            error => error.into(),
        })?;
        journal.sync()?;
        match in_place {
            // A complete count is printed, though its journal is lost.
            Err(error) if outcome.complete => eprint_line(error),
            in_place => in_place.map_err(lost)?,
        }
        Ok(outcome)
    }
}

/// Prints what an opened journal held, and what was wrong with it.
pub fn report_found(path: &Path, journal: &Journal, args: &Args) {
    warnings(path, journal).into_iter().for_each(eprint_line);
    let finished = journal.found.subtotals.len();
    if finished > 0 {
        let finished = counted(finished, "finished subtree");
        info(args, format_args!("{}: going on from {finished}", path.display()));
    }
}

/// Lines on what was wrong with a journal when it was opened.
fn warnings(path: &Path, journal: &Journal) -> Vec<String> {
    let path = path.display();
    let found = &journal.found;
    let mut lines = Vec::new();
    if !journal.locked {
        lines.push(format!(
            "{path}: this file system has no locks; see that only one process writes it, since a second \
             one would count the same subtrees"
        ));
    }
    if found.torn > 0 {
        let torn = counted(found.torn, "byte");
        lines.push(format!("{path}: dropped {torn} of a half-written record"));
    }
    if found.damaged > 0 {
        let damaged = counted(found.damaged, "damaged record");
        lines.push(format!("{path}: dropped {damaged}, to be counted again"));
    }
    lines
}

/// Adds to the error of a journal that is no longer in place what has become of the subtrees in it.
fn lost(error: JournalError) -> Error {
    let loss = match error.reason {
        Refusal::Cut(..) => "what was counted is lost, or a part of it",
        _ => "what was counted is lost",
    };
    Error::new(error).context(loss)
}

/// Adds advice to the error of a journal that cannot be used.
pub(crate) fn advise(error: JournalError) -> Error {
    let advice = match error.reason {
        Refusal::Exists => "go on from it with --resume, or name another file",
        Refusal::Folder => "name a file in it",
        Refusal::Locked => "wait for that process, or name another file",
        Refusal::Io(_) => return error.into(),
        _ => "name another file, or move this one away",
    };
    Error::msg(format!("{error}; {advice}"))
}

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
            Duration::ZERO if self.is_waiting() => {
                format!("waiting for the {FEWEST_DRAWS} draws or more that an interval needs")
            }
            Duration::ZERO => "waiting for the subtrees that were begun".to_owned(),
            left => format!("{} left", HumanDuration(left)),
        };
        let share = percent(self.share(elapsed));
        let subtrees = counted(self.subtrees, "subtree");
        format!("{share}, {left}, {subtrees} counted")
    }

    /// Whether fewer subtrees are finished than an interval needs.
    pub fn is_waiting(&self) -> bool {
        self.subtrees < FEWEST_DRAWS
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

    use super::*;
    use crate::counting::resources::Resources;

    /// Counts six queens with a new journal and an interrupt that `prepare` has changed.
    fn counted_six(prepare: impl Fn(&Interrupt)) -> (Result<Outcome>, Journal, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let problem = Count::new(Board::new(6).unwrap()).unwrap();
        let prepared = Run::new(problem).split(&Resources::unlimited(1)).unwrap();
        let header = Header::new(&*prepared.problem, &prepared.costs, "all", None);
        let mut journal = Journal::create(&path, &header, 1).unwrap();
        let args = Args { quiet: true, ..Args::default() };
        let interrupt = Interrupt::default();
        prepare(&interrupt);
        let outcome = prepared.search(None, Some(&mut journal), &args, &interrupt);
        (outcome, journal, folder)
    }

    #[test]
    fn a_count_that_ends_early_or_not_is_on_the_disk() {
        for is_stopped in [false, true] {
            let stop = |interrupt: &Interrupt| {
                if is_stopped {
                    interrupt.stop().request();
                }
            };
            let (outcome, journal, _folder) = counted_six(stop);
            assert_eq!(outcome.unwrap().complete, !is_stopped);
            assert!(journal.is_on_disk());
        }
    }

    #[test]
    fn what_was_wrong_with_a_journal_is_said() {
        let (_, mut journal, _folder) = counted_six(|_| ());
        let text = |journal: &Journal| warnings(Path::new("j"), journal).join("\n");
        assert_eq!(text(&journal), "");
        journal.locked = false;
        assert!(text(&journal).starts_with("j: this file system has no locks; see that only one"));
        journal.locked = true;
        journal.found.torn = 1;
        assert_eq!(text(&journal), "j: dropped 1 byte of a half-written record");
        (journal.found.torn, journal.found.damaged) = (0, 2);
        assert_eq!(text(&journal), "j: dropped 2 damaged records, to be counted again");
    }

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
