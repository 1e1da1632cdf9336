//! `show JOURNAL`: the progress of a run, from its journal alone.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args as ClapArgs;
use indicatif::HumanDuration;
use tallyboard_base::figures::{counted, grouped, thread_time, with_prefix};
use tallyboard_search::Tally;
use tallyboard_search::journal::{Contents, JournalError, Record, Refusal, TableFile, read};

use crate::counting::arguments::share_done;
use crate::counting::identities::{describe, noun_of};
use crate::terminal::{ExitStatus, print_line};

/// Which journal, and how to print it.
#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// The journal of a count, running or not
    pub journal: PathBuf,

    /// Print every subtotal: subtree,solutions,seconds
    #[arg(long)]
    pub csv: bool,
}

/// Prints the share done, the subtotal, the rate and the time left, or every subtotal as CSV.
pub(crate) fn run(flags: &ShowArgs) -> Result<ExitStatus> {
    let contents = match read(&flags.journal) {
        Err(JournalError { reason: Refusal::Table, .. }) => {
            ensure!(!flags.csv, "a table has no subtotals: leave out --csv");
            return show_table(&flags.journal);
        }
        contents => contents?,
    };
    let sums = JournalSums::new(&contents)?;
    if flags.csv {
        print_csv(&sums.records)?;
    } else {
        print_line(sums.report(&contents, noun_of(&contents.header.identity)))?;
    }
    Ok(ExitStatus::Done)
}

/// Prints how far a tally is.
fn show_table(path: &Path) -> Result<ExitStatus> {
    let (work, finished, solutions) = TableFile::progress(path)?;
    print_line(format_args!(
        "{}, a table\n{} of {} finished\n{} in them",
        describe(&work.identity),
        grouped(finished),
        counted(work.subtrees, "subtree"),
        counted(solutions, noun_of(&work.identity))
    ))?;
    Ok(ExitStatus::Done)
}

/// The finished subtrees, each once, and the sums over them.
struct JournalSums {
    /// In the order of the subtrees' numbers.
    records: Vec<Record>,
    tally: Tally,
    cost: u64,
    busy: Duration,
    /// The number of workers of the latest run.
    threads: u32,
}

impl JournalSums {
    fn new(contents: &Contents) -> Result<Self> {
        let tally = contents.subtotals()?.total()?;
        let threads = contents.records.last().map_or(1, |record| record.threads.max(1));
        let records = contents.finished();
        let cost = records.iter().fold(0, |sum: u64, record| sum.saturating_add(record.cost));
        // A journal that states more was made by another version or by hand.
        let cost = cost.min(contents.header.cost);
        let busy = records.iter().map(|record| record.busy).sum();
        Ok(Self { records, tally, cost, busy, threads })
    }

    /// The report as text.
    fn report(&self, contents: &Contents, noun: &str) -> String {
        let header = &contents.header;
        // `all` stands for a count without shards.
        let part = match header.part.as_str() {
            "all" => String::new(),
            shard => format!(", {shard}"),
        };
        let mut text = format!(
            "{}{part}\ndone {:.2} %: {} of {}\nsubtotal {}\ntime {}",
            describe(&header.identity),
            share_done(self.cost, header.cost) * 100.0,
            grouped(self.records.len()),
            counted(header.subtrees, "subtree"),
            counted(self.tally.solutions(), noun),
            thread_time(self.busy.as_secs_f64())
        );
        if let Some((per_second, left)) = self.pace(header.cost) {
            text += &format!(
                "\nrate {} {noun}s/s on {threads}\ntime left {} on {threads}",
                with_prefix(per_second),
                HumanDuration(left),
                threads = counted(self.threads, "thread"),
            );
        }
        if contents.damaged > 0 {
            text += &format!("\ndamaged records {}: counted again", grouped(contents.damaged));
        }
        if contents.torn > 0 {
            let torn = counted(contents.torn, "byte");
            text += &format!("\nhalf-written record at the end: {torn}");
        }
        text
    }

    /// Solutions per second, and the time left for work of this `cost`, with as many workers as the latest run had.
    fn pace(&self, cost: u64) -> Option<(f64, Duration)> {
        let wall = self.busy.as_secs_f64() / f64::from(self.threads);
        if self.cost == 0 || wall == 0.0 {
            return None;
        }
        // The remaining cost takes as long as the finished one, in proportion.
        let left = wall * cost.saturating_sub(self.cost) as f64 / self.cost as f64;
        let left = Duration::try_from_secs_f64(left).ok()?;
        Some((self.tally.solutions() as f64 / wall, left))
    }
}

fn print_csv(records: &[Record]) -> Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "subtree,solutions,seconds")?;
    for Record { id, tally, busy, .. } in records {
        writeln!(out, "{id},{},{:.6}", tally.solutions(), busy.as_secs_f64())?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use tallyboard_queens::{Board, Count};
    use tallyboard_search::journal::{Header, Journal};
    use tallyboard_search::{FinishedSubtree, Problem};

    use super::*;

    #[test]
    fn a_journal_that_states_more_than_the_whole_is_done_and_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j");
        let problem = Count::new(Board::new(6).unwrap()).unwrap();
        let header = Header::new(&problem, &problem.split(), "all", None);
        let mut journal = Journal::create(&path, &header, 1).unwrap();
        let busy = Duration::from_secs(1);
        for id in [0, 1] {
            let tally = Tally::new(1u8);
            journal.append_all(&[FinishedSubtree { id, tally, cost: u64::MAX, busy }]).unwrap();
        }
        drop(journal);
        let contents = read(&path).unwrap();
        let report = JournalSums::new(&contents).unwrap().report(&contents, "solution");
        assert!(report.contains("done 100.00 %: 2 of "), "{report}");
        assert!(report.contains("time left 0 seconds"), "{report}");
    }
}
