//! What most users call: a count, a board with queens and closed squares, and all solutions in order, in a line each.

use std::convert::Infallible;

use super::count::{Count, EngineError};
use super::solutions::{Placements, Solutions};
use super::{Board, BoardError, Settings, Square};
use crate::blocks::TallyBlocks;
use tallyboard_base::cpu::{Instructions, Kernel, KernelMissing};
use tallyboard_base::memory;
use tallyboard_search::{CountRun, Progress, ProgressCallback, Stop, TableRun, thread_count};

/// Why a board could not be counted.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such board.
    #[error(transparent)]
    Board(#[from] BoardError),
    // Hidden, since only hidden settings lead to it.
    /// No engine counts the board as the settings ask.
    #[doc(hidden)]
    #[error(transparent)]
    Engine(EngineError),
    /// The count has ended early.
    #[error(transparent)]
    Search(#[from] tallyboard_search::Error),
}

/// The number of ways to place `n` queens on `n` × `n` squares so that none attacks another, by the fastest engine
/// on every core. A length or another `usize` becomes an `n` by `u32::try_from`.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// assert_eq!(tallyboard::queens::count(12)?, 14_200);
/// # Ok::<(), tallyboard::queens::Error>(())
/// ```
///
/// # Errors
/// [`Error::Board`] unless `n` is from 1 to 32, and whatever ends the count early.
pub fn count(n: u32) -> Result<u128, Error> {
    Board::new(n)?.count().run()
}

/// Every solution of the board of `n` × `n` squares, in lexicographic order, lazily and in constant memory.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// let solutions = tallyboard::queens::solutions(6)?;
/// let lines: Vec<String> = solutions.map(|placement| placement.to_string()).collect();
/// assert_eq!(lines, ["2 4 6 1 3 5", "3 6 2 5 1 4", "4 1 5 2 6 3", "5 3 1 6 4 2"]);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
///
/// # Errors
/// [`BoardError::Size`] unless `n` is from 1 to 32.
pub fn solutions(n: u32) -> Result<Placements, BoardError> {
    Ok(Board::new(n)?.solutions())
}

impl Board {
    /// This board with one more queen, on a [`Square`] or the name of one, a `&str` or a `String`:
    ///
    /// ```
    /// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
    /// use tallyboard::queens::Board;
    ///
    /// let board = Board::new(12)?.place("a1")?.block("h5")?;
    /// let count = board.count().threads(4).on_progress(|now| eprintln!("{:.0} %", 100.0 * now.share()));
    /// assert_eq!(count.run()?, 453);
    /// # Ok::<(), tallyboard::queens::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`BoardError::Name`] for a text that names no square, [`BoardError::OffBoard`] and [`BoardError::Twice`] as
    /// for [`with`](Self::with).
    pub fn place<S>(self, square: S) -> Result<Self, BoardError>
    where
        S: TryInto<Square, Error: Into<BoardError>>,
    {
        let square = square.try_into().map_err(Into::into)?;
        Self::with(self.n(), &[self.placed(), &[square]].concat(), self.blocked())
    }

    /// This board with one more square where no queen may stand, given as for [`place`](Self::place).
    ///
    /// # Errors
    /// As [`place`](Self::place).
    pub fn block<S>(self, square: S) -> Result<Self, BoardError>
    where
        S: TryInto<Square, Error: Into<BoardError>>,
    {
        let square = square.try_into().map_err(Into::into)?;
        Self::with(self.n(), self.placed(), &[self.blocked(), &[square]].concat())
    }

    /// The count of this board, to be [`run`](BoardCount::run).
    pub fn count(&self) -> BoardCount<'_> {
        BoardCount { board: self, settings: Settings::new(), stop: None, on_progress: None }
    }

    /// How many solutions have a queen on each square, to be [run](TableRun::run). The cells of the table are the squares, row
    /// by row from the top.
    ///
    /// ```
    /// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
    /// use tallyboard::queens::Board;
    ///
    /// let table = Board::new(6)?.tally().run()?;
    /// assert_eq!(table.solutions(), 4);
    /// assert_eq!(&table.cells()[..12], [0, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1]);
    /// # Ok::<(), tallyboard::queens::Error>(())
    /// ```
    pub fn tally(&self) -> TableRun<'static> {
        TableRun::new(TallyBlocks::new(self.clone(), Instructions::best()))
    }

    /// [`tally`](Self::tally) by a kernel.
    ///
    /// # Errors
    /// [`KernelMissing`] if the CPU lacks its instructions.
    #[doc(hidden)]
    pub fn tally_by(&self, kernel: Kernel) -> Result<TableRun<'static>, KernelMissing> {
        Ok(TableRun::new(TallyBlocks::new(self.clone(), Instructions::of(kernel)?)))
    }

    /// Every solution of this board, in lexicographic order, lazily and in constant memory.
    pub fn solutions(&self) -> Placements {
        Placements::new(Solutions::on(self))
    }
}

impl TryFrom<&str> for Square {
    type Error = BoardError;

    fn try_from(name: &str) -> Result<Self, BoardError> {
        name.parse()
    }
}

impl TryFrom<&String> for Square {
    type Error = BoardError;

    fn try_from(name: &String) -> Result<Self, BoardError> {
        name.parse()
    }
}

impl TryFrom<String> for Square {
    type Error = BoardError;

    fn try_from(name: String) -> Result<Self, BoardError> {
        name.parse()
    }
}

impl From<Infallible> for BoardError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The count of a board that is about to run: by default by the fastest engine, on every core, in the memory that
/// the machine leaves.
#[must_use = "nothing is counted before `run` is called"]
pub struct BoardCount<'a> {
    board: &'a Board,
    settings: Settings,
    stop: Option<&'a Stop>,
    on_progress: Option<ProgressCallback<'a>>,
}

impl<'a> BoardCount<'a> {
    /// Worker threads; 0 for every core.
    pub fn threads(self, threads: usize) -> Self {
        Self { settings: self.settings.threads(threads), ..self }
    }

    /// The engine, the kernel and the memory, and the number of threads in place of [`threads`](Self::threads).
    #[doc(hidden)]
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// The flag that ends the count early once somebody raises it.
    pub fn stop(self, stop: &'a Stop) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Calls `on_progress` about ten times a second and once at the end, on a thread that is no worker's.
    pub fn on_progress(self, on_progress: impl FnMut(&Progress) + Send + 'a) -> Self {
        Self { on_progress: Some(Box::new(on_progress)), ..self }
    }

    /// Counts the board.
    ///
    /// # Errors
    /// [`Error::Search`] if the count ends early.
    pub fn run(self) -> Result<u128, Error> {
        let mut settings = self.settings;
        if settings.available_memory.is_none() {
            let room = memory::room(thread_count(settings.threads));
            settings = settings.available_memory(room.map(|room| room.bytes));
        }
        let count = Count::with(self.board.clone(), settings).map_err(Error::Engine)?;
        let mut run = CountRun::new(&count);
        if let Some(stop) = self.stop {
            run = run.stop(stop);
        }
        if let Some(on_progress) = self.on_progress {
            run = run.on_progress(on_progress);
        }
        Ok(run.run()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    #[test]
    fn boards_are_counted_and_listed() {
        assert_eq!(count(9).ok(), known::solutions(9));
        assert_eq!(solutions(9).unwrap().count() as u128, known::solutions(9).unwrap());
        let corner = "a9".to_owned();
        let board = Board::new(9).unwrap().place("c1").unwrap().block(&corner).unwrap();
        assert_eq!(board.blocked(), [Square::new(0, 8)]);
        assert_eq!(Board::new(9).unwrap().block(corner).unwrap().blocked(), board.blocked());
        let listed = board.solutions().count() as u128;
        assert_eq!(board.count().threads(1).run().unwrap(), listed);
        assert!(listed > 0);
    }

    #[test]
    fn progress_is_reported_and_ends_with_the_count() {
        let board = Board::new(8).unwrap();
        let mut last = None;
        let run = board.count().threads(2).on_progress(|progress| last = Some(*progress));
        let counted = run.run().unwrap();
        let last = last.unwrap();
        assert_eq!((last.share(), last.tally.solutions()), (1.0, counted));
    }

    #[test]
    fn names_of_no_square_and_sizes_out_of_range_are_errors() {
        let refusal = |name| Board::new(8).unwrap().place(name).unwrap_err().to_string();
        assert!(refusal("5c").starts_with("found the square `5c`"));
        assert!(refusal("i1").starts_with("square i1 is not on a board of size 8"));
        assert_eq!(
            count(33).unwrap_err().to_string(),
            "found a board size of 33, expected 1 to 32"
        );
    }

    #[test]
    fn a_stop_is_an_error_and_not_a_smaller_count() {
        let stop = Stop::new();
        stop.request();
        let stopped = Board::new(10).unwrap().count().stop(&stop).run();
        assert!(matches!(
            stopped,
            Err(Error::Search(tallyboard_search::Error::Stopped { finished: 0, .. }))
        ));
    }
}
