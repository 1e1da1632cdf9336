//! The outcome of a stream: what was counted, or why it ended early.

use std::time::Duration;

#[cfg(doc)]
use super::Settings;
use crate::BadLine;

/// What was counted in a stream.
#[non_exhaustive]
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Lines read, comments and empty lines included.
    pub lines: u64,
    /// Puzzles with exactly one solution (or, with a limit of 1, at least one).
    pub unique: u64,
    /// Puzzles without a solution.
    pub none: u64,
    /// Puzzles with more than one solution.
    pub many: u64,
    /// Puzzles that were not solved, because no column needs their solutions.
    pub unsolved: u64,
    /// Lines that are no puzzle.
    pub bad: u64,
    /// Puzzles for which the input states a solution, if these are compared.
    pub compared: u64,
    /// Puzzles for which the input states a wrong solution.
    pub disagreements: u64,
    /// Puzzles with a solution for which the input states none, if these are compared.
    pub unstated: u64,
    /// Puzzles left out because they are images of earlier ones.
    pub repeated: u64,
    /// Solutions written as rows, one each.
    pub solutions: u64,
    /// Puzzles with more solutions than were written: [`Settings::limit`](super::Settings::limit) is smaller.
    pub truncated: u64,
    /// Wall time.
    pub elapsed: Duration,
    /// Worker threads used.
    pub threads: usize,
}

impl Summary {
    /// The number of puzzles.
    pub fn puzzles(&self) -> u64 {
        self.unique + self.none + self.many + self.unsolved
    }

    /// Adds the numbers of another part of the stream, or of another stream that was solved after this one. None can
    /// reach 2^64: each counts what was read or written.
    pub fn merge(&mut self, other: &Self) {
        self.lines += other.lines;
        self.unique += other.unique;
        self.none += other.none;
        self.many += other.many;
        self.unsolved += other.unsolved;
        self.bad += other.bad;
        self.compared += other.compared;
        self.disagreements += other.disagreements;
        self.unstated += other.unstated;
        self.repeated += other.repeated;
        self.solutions += other.solutions;
        self.truncated += other.truncated;
        self.elapsed += other.elapsed;
        self.threads = self.threads.max(other.threads);
    }
}

/// Why a stream ended early.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The input cannot be read.
    #[error("cannot read the puzzles")]
    Read(#[source] std::io::Error),
    /// A line that does not end.
    #[error("line {0}: found no end of the line within 256 MiB, expected a puzzle")]
    LongLine(u64),
    /// The output cannot be written.
    #[error("cannot write the results")]
    Write(#[source] std::io::Error),
    /// A bad line with [`Settings::strict`].
    #[error(transparent)]
    Bad(#[from] BadLine),
    /// [`Settings::stop`] was raised.
    #[error("stopped before the end of the input")]
    Stopped,
    /// The operating system gave no threads, or a solver panicked.
    #[error(transparent)]
    Search(#[from] tallyboard_search::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of which none is another one, and all grow with `part`.
    fn summary(part: u64) -> Summary {
        Summary {
            lines: part,
            unique: 2 * part,
            none: 3 * part,
            many: 4 * part,
            unsolved: 5 * part,
            bad: 6 * part,
            compared: 7 * part,
            disagreements: 8 * part,
            unstated: 9 * part,
            repeated: 10 * part,
            solutions: 11 * part,
            truncated: 12 * part,
            elapsed: Duration::from_secs(13 * part),
            threads: 3,
        }
    }

    #[test]
    fn every_number_of_two_summaries_is_added_up() {
        let mut sum = Summary::default();
        sum.merge(&summary(1));
        sum.merge(&summary(100));
        assert_eq!(sum, summary(101));
        assert_eq!(sum.puzzles(), 14 * 101);
    }
}
