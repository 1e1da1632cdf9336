//! Tables: in one pass, how many solutions use each of many cells, such as each square of a board or each option of a cover.
//!
//! A [`Table`] is the number of solutions and a number of 128 bits for each cell. An engine fills one for each subtree
//! ([`Tabulate::tabulate`]); the driver is that of every count, so threads, progress and [`Stop`] are too.
//!
//! Layout and cost: a table of c cells takes 16 · c bytes. Each subtree makes one, and its worker adds it to a table that
//! only one worker holds at a time: c checked additions a subtree, under a nanosecond each. At the end the tables of the
//! workers are added up. So t threads hold 2 · t tables, however many subtrees there are. Within a subtree an
//! engine that visits solutions adds to words of 64 bits, or smaller, in a layout of its own.
//!
//! A table is saved as a whole with the numbers of its subtrees ([`PartialTable`]): a subtotal of each subtree, as a count saves it,
//! would be as large as the sum of all.

use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tallyboard_base::idle::Idle;

use crate::driver::{Listener, run};
use crate::{
    Costs, Error, FinishedSubtree, Observer, Options, Outcome, Overflow, Problem, Progress, Stop,
    Stopped, Tally,
};

/// How many solutions there are, and how many of them use each cell.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Table {
    solutions: u128,
    cells: Vec<u128>,
    is_cut: bool,
}

impl Table {
    /// A table of `cells` cells without solutions.
    pub fn new(cells: usize) -> Self {
        Self { solutions: 0, cells: vec![0; cells], is_cut: false }
    }

    /// The table with these numbers.
    #[doc(hidden)]
    pub fn of_numbers(solutions: u128, cells: Vec<u128>) -> Self {
        Self { solutions, cells, is_cut: false }
    }

    /// The number of solutions.
    pub fn solutions(&self) -> u128 {
        self.solutions
    }

    /// The number of solutions that use each cell, in the order of the game that made the table.
    pub fn cells(&self) -> &[u128] {
        &self.cells
    }

    /// Whether there are more solutions than those that were looked at, because a limit ended the search: every number is
    /// then a lower bound.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Adds `solutions` solutions that use no cell yet.
    ///
    /// # Errors
    /// [`Overflow`].
    pub fn count(&mut self, solutions: u128) -> Result<(), Overflow> {
        self.solutions = self.solutions.checked_add(solutions).ok_or(Overflow)?;
        Ok(())
    }

    /// Adds `solutions` to the number of those that use `cell`. A table grows to the largest cell.
    ///
    /// # Errors
    /// [`Overflow`].
    pub fn add(&mut self, cell: usize, solutions: u128) -> Result<(), Overflow> {
        if cell >= self.cells.len() {
            self.cells.resize(cell + 1, 0);
        }
        self.cells[cell] = self.cells[cell].checked_add(solutions).ok_or(Overflow)?;
        Ok(())
    }

    /// Adds a solution that uses `cells`. Breaks at once if there are `limit` solutions already; the table is then
    /// [cut](Self::is_cut).
    pub fn add_solution(
        &mut self,
        cells: impl IntoIterator<Item = usize>,
        limit: u64,
    ) -> ControlFlow<()> {
        if self.solutions == u128::from(limit) {
            self.is_cut = true;
            return ControlFlow::Break(());
        }
        // A limit of 64 bits bounds every number.
        self.solutions += 1;
        for cell in cells {
            self.cells[cell] += 1;
        }
        ControlFlow::Continue(())
    }

    /// Adds all numbers of `other`.
    ///
    /// # Errors
    /// [`Overflow`].
    pub fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.count(other.solutions)?;
        self.is_cut |= other.is_cut;
        other.cells.iter().enumerate().rev().try_for_each(|(cell, &uses)| self.add(cell, uses))
    }

    /// Fails unless the numbers of the cells of each of `sums` add up as they have to.
    fn ensure_sums(&self, sums: &[CellSum]) -> Result<(), Error> {
        for CellSum { cells, times } in sums {
            let numbers = cells.iter().map(|&cell| self.cells.get(cell).copied().unwrap_or(0));
            let sum = numbers.into_iter().try_fold(0_u128, u128::checked_add);
            let expected = self.solutions.checked_mul((*times).into());
            Error::ensure_right(sum.is_some() && sum == expected, || {
                format!(
                    "a table of {} solutions whose cells {cells:?} add up to {sum:?} in place of {expected:?}",
                    self.solutions
                )
            })?;
        }
        Ok(())
    }
}

/// Cells of which each solution uses the same number: the squares of a row, the options of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSum {
    /// The numbers of the cells.
    pub cells: Vec<usize>,
    /// How many of them each solution uses.
    pub times: u32,
}

impl CellSum {
    /// Cells of which each solution uses one.
    pub fn once(cells: impl IntoIterator<Item = usize>) -> Self {
        Self { cells: cells.into_iter().collect(), times: 1 }
    }
}

/// A problem that splits into subtrees as a [`Problem`] does, and of which each subtree gives a [`Table`].
pub trait Tabulate: Sync {
    /// The number of cells. An engine may find cells while it searches; it then says 0, and tables grow.
    fn cells(&self) -> usize;

    /// The number of subtrees.
    fn subtrees(&self) -> usize;

    /// The table of one subtree, from 0, polling `stop` several times a second. The sums over all subtrees are the table of the
    /// problem. [`Error::raise`] as for [`Problem::count`].
    fn tabulate(&self, subtree: usize, stop: &Stop) -> Result<Table, Stopped>;

    /// The table of the first `limit` solutions, in the order in which the game lists them: so it depends neither on threads
    /// nor on an engine.
    fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped>;

    /// The sums that every table of solutions has, by which each is checked.
    fn sums(&self) -> Vec<CellSum>;

    /// Names the problem, its cells and how it is split, as [`Problem::identity`] does: tables of subtrees of equal names may be
    /// added up. By default it has no name, an empty text, and its table cannot be saved.
    fn identity(&self) -> String {
        String::new()
    }

    /// The costs of the subtrees, as those of [`Problem::split`].
    fn split(&self) -> Costs {
        Costs::equal(self.subtrees())
    }

    /// The number of threads that the problem was planned for, as [`Problem::threads`].
    fn threads(&self) -> usize {
        0
    }

    /// The memory that does not depend on how many workers count, as [`Problem::memory`].
    fn memory(&self) -> u64 {
        0
    }

    /// The memory of each worker in addition, as [`Problem::worker_memory`].
    fn worker_memory(&self) -> u64 {
        0
    }
}

/// The table of some subtrees of a problem.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PartialTable {
    /// The numbers of the subtrees, each once.
    pub finished: Vec<usize>,
    /// The sum of their tables.
    pub table: Table,
}

impl PartialTable {
    /// Adds the table of other subtrees.
    fn merge(&mut self, other: &Self) -> Result<(), Overflow> {
        self.finished.extend_from_slice(&other.finished);
        self.table.merge(&other.table)
    }
}

/// How a table is saved while it is made.
pub struct Saving<'a> {
    /// What earlier runs have made.
    pub known: PartialTable,
    /// Saves all that is finished: about every ten seconds and at the end, after a stop too.
    pub save: &'a mut (dyn FnMut(&PartialTable) -> io::Result<()> + Send),
}

/// The time between two savings, at least.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// Saving takes at most one part in so many of the time.
const SAVE_PART: u32 = 20;

/// The table of `problem`, whose subtrees are tabulated as [`run`] counts those of a [`Problem`], and the outcome of that
/// run: after a stop it is not complete, and the table is [cut](Table::is_cut). Its sums are checked.
///
/// # Errors
/// As for [`run`]; and [`Error::WrongSolution`] if the sums are not those that they have to be.
pub fn tabulate(
    problem: &dyn Tabulate,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(Table, Outcome), Error> {
    let saving = Saving { known: PartialTable::default(), save: &mut |_| Ok(()) };
    tabulate_saving(problem, options, saving, observer)
}

/// As [`tabulate`], from what earlier runs have made on. The outcome tells of the subtrees that were left.
///
/// # Errors
/// As for [`tabulate`], and [`Error::Record`] if what is finished cannot be saved.
pub fn tabulate_saving(
    problem: &dyn Tabulate,
    options: &Options,
    saving: Saving,
    observer: &mut dyn Observer,
) -> Result<(Table, Outcome), Error> {
    let Saving { known, save } = saving;
    let mut is_left = vec![true; problem.subtrees()];
    known.finished.iter().for_each(|&subtree| is_left[subtree] = false);
    let left: Vec<usize> = (0..is_left.len()).filter(|&subtree| is_left[subtree]).collect();
    let known_solutions = known.table.solutions;
    let adding = Adding { problem, parts: Idle::default() };
    let mut saver = Saver { adding: &adding, made: known, save, observer, due: Instant::now() };
    saver.due += SAVE_INTERVAL;
    let outcome = run(&adding, &options.only(&left[..]), &mut saver)?;
    saver.save()?;
    let PartialTable { finished, mut table } = saver.made;
    table.cells.resize(table.cells.len().max(problem.cells()), 0);
    // Reported subtotals and the sums come by different ways.
    let counted = outcome.tally.solutions().checked_add(known_solutions).ok_or(Overflow)?;
    let sum = table.solutions;
    Error::ensure_right(sum == counted, || format!("a table of {sum} solutions for {counted}"))?;
    let (parts, subtrees) = (finished.len(), problem.subtrees());
    Error::ensure_right(!outcome.complete || parts == subtrees, || {
        format!("a table of {parts} subtrees for {subtrees}")
    })?;
    table.is_cut = !outcome.complete;
    table.ensure_sums(&problem.sums())?;
    Ok((table, outcome))
}

/// An observer that saves.
struct Saver<'a> {
    adding: &'a Adding<'a>,
    /// All that is known and was saved.
    made: PartialTable,
    save: &'a mut (dyn FnMut(&PartialTable) -> io::Result<()> + Send),
    observer: &'a mut dyn Observer,
    due: Instant,
}

impl Saver<'_> {
    /// Saves what is finished.
    fn save(&mut self) -> Result<(), Error> {
        let begin = Instant::now();
        while let Some(part) = self.adding.parts.take() {
            self.made.merge(&part)?;
        }
        (self.save)(&self.made).map_err(Error::Record)?;
        self.due = Instant::now() + SAVE_INTERVAL.max(SAVE_PART * begin.elapsed());
        Ok(())
    }
}

impl Observer for Saver<'_> {
    fn finished_all(&mut self, subtrees: &[FinishedSubtree]) -> io::Result<()> {
        self.observer.finished_all(subtrees)
    }

    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        self.observer.tick(progress)?;
        match Instant::now() < self.due {
            true => Ok(()),
            false => self.save().map_err(io::Error::other),
        }
    }
}

/// A [`Tabulate`] as the driver sees it: a problem that adds up tables on the side.
struct Adding<'a> {
    problem: &'a dyn Tabulate,
    parts: Idle<PartialTable>,
}

impl Problem for Adding<'_> {
    fn subtrees(&self) -> usize {
        self.problem.subtrees()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let part = self.problem.tabulate(subtree, stop)?;
        let solutions = part.solutions;
        let mut sum = self.parts.take().unwrap_or_default();
        sum.finished.push(subtree);
        sum.table.merge(&part).unwrap_or_else(|overflow| Error::from(overflow).raise());
        self.parts.put(sum);
        Ok(solutions.into())
    }

    fn split(&self) -> Costs {
        self.problem.split()
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn memory(&self) -> u64 {
        self.problem.memory()
    }

    fn worker_memory(&self) -> u64 {
        self.problem.worker_memory()
    }
}

/// A table that is about to be made: by default of all solutions, on every core.
#[must_use = "nothing is counted before `run` is called"]
pub struct TableRun<'a> {
    problem: Box<dyn Tabulate + Send + 'a>,
    threads: usize,
    limit: Option<u64>,
    stop: Option<&'a Stop>,
    listener: Listener<'a>,
}

impl<'a> TableRun<'a> {
    /// The table of `problem`.
    #[doc(hidden)]
    pub fn new(problem: impl Tabulate + Send + 'a) -> Self {
        let listener = Listener(None);
        Self { problem: Box::new(problem), threads: 0, limit: None, stop: None, listener }
    }

    /// Worker threads; 0 for every core, or as many as the problem was planned for.
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Looks at the first `limit` solutions only, in the order in which the game lists them, on one thread. If there are
    /// more, the table is [cut](Table::is_cut).
    pub fn limit(self, limit: impl Into<Option<u64>>) -> Self {
        Self { limit: limit.into(), ..self }
    }

    /// The flag that ends the search early once somebody raises it.
    pub fn stop(self, stop: &'a Stop) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Calls `on_progress` about ten times a second and once at the end, on a thread that is no worker's. With a
    /// [limit](Self::limit) there is no progress to tell.
    pub fn on_progress(self, on_progress: impl FnMut(&Progress) + Send + 'a) -> Self {
        Self { listener: Listener(Some(Box::new(on_progress))), ..self }
    }

    /// The problem.
    #[doc(hidden)]
    pub fn problem(&self) -> &dyn Tabulate {
        &*self.problem
    }

    /// Makes the table, and checks its sums.
    ///
    /// # Errors
    /// [`Error::Stopped`] after a stop, and others as for [`tabulate`].
    pub fn run(mut self) -> Result<Table, Error> {
        if self.limit.is_some() {
            let unraised = Stop::new();
            return self.run_here(self.limit, self.stop.unwrap_or(&unraised));
        }
        let options = Options::new().threads(self.threads).stop(self.stop);
        let (table, outcome) = tabulate(&*self.problem, &options, &mut self.listener)?;
        match outcome.complete {
            true => Ok(table),
            false => Err(Error::Stopped { finished: outcome.finished, subtrees: outcome.subtrees }),
        }
    }

    /// As [`run`](Self::run), on the calling thread alone and without progress: one of many tables, among which the caller
    /// shares out threads.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    #[doc(hidden)]
    pub fn run_here(&self, limit: Option<u64>, stop: &Stop) -> Result<Table, Error> {
        let problem = &*self.problem;
        let subtrees = problem.subtrees();
        let stopped = |finished| move |_| Error::Stopped { finished, subtrees };
        let make = || match limit {
            Some(limit) => problem.first(limit, stop).map_err(stopped(0)),
            None => {
                let mut table = Table::new(problem.cells());
                for subtree in 0..subtrees {
                    table.merge(&problem.tabulate(subtree, stop).map_err(stopped(subtree))?)?;
                }
                Ok(table)
            }
        };
        let made = catch_unwind(AssertUnwindSafe(make));
        let table = made.unwrap_or_else(|payload| Err(Error::panic("the table", payload)))?;
        table.ensure_sums(&problem.sums())?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    /// Pairs of a digit below 7 and a digit below 5, a subtree for each first digit. Cells are the first digits, then the second.
    struct Pairs {
        /// What a mistake adds to the cell of the second digit 3.
        mistake: u128,
    }

    impl Tabulate for Pairs {
        fn cells(&self) -> usize {
            12
        }

        fn subtrees(&self) -> usize {
            7
        }

        fn tabulate(&self, first: usize, stop: &Stop) -> Result<Table, Stopped> {
            stop.check()?;
            let mut table = Table::new(0);
            table.count(5).unwrap();
            table.add(first, 5).unwrap();
            (7..12).for_each(|second| table.add(second, 1).unwrap());
            table.add(10, self.mistake).unwrap();
            Ok(table)
        }

        fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped> {
            stop.check()?;
            let mut table = Table::new(12);
            let mut pairs = (0..35).map(|pair| [pair / 5, 7 + pair % 5]);
            let _ = pairs.try_for_each(|pair| table.add_solution(pair, limit));
            Ok(table)
        }

        fn sums(&self) -> Vec<CellSum> {
            let both = CellSum { cells: (0..12).collect(), times: 2 };
            vec![CellSum::once(0..7), CellSum::once(7..12), both]
        }

        fn split(&self) -> Costs {
            Costs::new((1..8).collect())
        }

        fn threads(&self) -> usize {
            2
        }

        fn memory(&self) -> u64 {
            99
        }
    }

    const PAIRS: Pairs = Pairs { mistake: 0 };

    #[test]
    fn the_table_is_the_same_on_any_number_of_threads() {
        let mut expected = vec![5; 7];
        expected.extend([7; 5]);
        for threads in [1, 2, 5] {
            let table = TableRun::new(PAIRS).threads(threads).run().unwrap();
            assert_eq!((table.solutions(), table.cells()), (35, &expected[..]));
            assert!(!table.is_cut());
        }
        let here = TableRun::new(PAIRS).run_here(None, &Stop::new()).unwrap();
        assert_eq!((here.solutions(), here.cells()), (35, &expected[..]));
    }

    /// Wherever it is stopped, and however often.
    #[test]
    fn a_table_that_is_gone_on_with_is_the_same() {
        let expected = TableRun::new(PAIRS).run().unwrap();
        for kept in 0..=7 {
            // All subsets would do; these are the last ones.
            let mut known = PartialTable::default();
            for first in 7 - kept..7 {
                known.finished.push(first);
                known.table.merge(&PAIRS.tabulate(first, &Stop::new()).unwrap()).unwrap();
            }
            let mut saved = None;
            let mut save = |made: &PartialTable| {
                saved = Some(made.clone());
                Ok(())
            };
            let saving = Saving { known, save: &mut save };
            let (table, outcome) =
                tabulate_saving(&PAIRS, &Options::new().threads(2), saving, &mut Silent).unwrap();
            assert_eq!((outcome.subtrees, outcome.complete), (7 - kept, true));
            assert_eq!(table, expected);
            let saved = saved.unwrap();
            assert_eq!((saved.finished.len(), &saved.table), (7, &expected));
        }
    }

    #[test]
    fn what_was_finished_before_a_stop_is_saved() {
        let stop = Stop::new();
        stop.request();
        let mut saved = None;
        let mut save = |made: &PartialTable| {
            saved = Some(made.clone());
            Ok(())
        };
        let known =
            PartialTable { finished: vec![3], table: PAIRS.tabulate(3, &Stop::new()).unwrap() };
        let saving = Saving { known: known.clone(), save: &mut save };
        let options = Options::new().threads(1).stop(Some(&stop));
        let (table, outcome) = tabulate_saving(&PAIRS, &options, saving, &mut Silent).unwrap();
        assert!(table.is_cut() && !outcome.complete);
        let saved = saved.unwrap();
        assert_eq!((saved.finished[0], saved.table.solutions()), (3, table.solutions()));
        assert_eq!(saved.table.solutions(), 5 * saved.finished.len() as u128);
    }

    #[test]
    fn a_table_that_cannot_be_saved_ends_the_run() {
        let mut save = |_: &PartialTable| Err(io::Error::other("full"));
        let saving = Saving { known: PartialTable::default(), save: &mut save };
        let refused = tabulate_saving(&PAIRS, &Options::new(), saving, &mut Silent);
        assert!(matches!(refused, Err(Error::Record(_))), "{refused:?}");
    }

    #[test]
    fn a_problem_that_refuses_is_an_error_on_the_calling_thread_too() {
        struct Refusing;
        impl Tabulate for Refusing {
            fn cells(&self) -> usize {
                1
            }

            fn subtrees(&self) -> usize {
                1
            }

            fn tabulate(&self, _: usize, _: &Stop) -> Result<Table, Stopped> {
                Error::Refused("too many".to_owned()).raise()
            }

            fn first(&self, _: u64, _: &Stop) -> Result<Table, Stopped> {
                Error::from(Overflow).raise()
            }

            fn sums(&self) -> Vec<CellSum> {
                Vec::new()
            }
        }
        let run = |limit| TableRun::new(Refusing).limit(limit).run();
        let run_here = |limit| TableRun::new(Refusing).run_here(limit, &Stop::new());
        for refused in [run(None), run_here(None)] {
            assert!(matches!(refused, Err(Error::Refused(_))));
        }
        for overflow in [run(Some(1)), run_here(Some(1))] {
            assert!(matches!(overflow, Err(Error::Overflow(_))));
        }
    }

    #[test]
    fn a_limit_takes_the_first_solutions_and_says_whether_there_are_more() {
        for (limit, solutions, is_cut) in
            [(0, 0, true), (11, 11, true), (35, 35, false), (99, 35, false)]
        {
            let table = TableRun::new(PAIRS).limit(limit).run().unwrap();
            assert_eq!((table.solutions(), table.is_cut()), (solutions, is_cut), "{limit}");
        }
        let table = TableRun::new(PAIRS).limit(11).run().unwrap();
        assert_eq!(table.cells(), [5, 5, 1, 0, 0, 0, 0, 3, 2, 2, 2, 2]);
    }

    #[test]
    fn a_table_whose_sums_are_wrong_is_an_error() {
        let wrong = TableRun::new(Pairs { mistake: 1 }).run().unwrap_err();
        assert!(matches!(wrong, Error::WrongSolution(_)), "{wrong}");
        assert!(wrong.to_string().contains("add up to Some(42) in place of Some(35)"), "{wrong}");
        let mut most = Table::new(1);
        most.add(0, u128::MAX).unwrap();
        let mut more = most.clone();
        assert_eq!(
            (more.merge(&most), more.add(0, 1), most.count(1)),
            (Err(Overflow), Err(Overflow), Ok(()))
        );
    }

    #[test]
    fn a_sum_with_a_cut_table_is_cut() {
        let mut cut = Table::new(1);
        assert!(cut.add_solution([0], 0).is_break());
        let mut whole = Table::new(1);
        whole.merge(&cut).unwrap();
        assert!(whole.is_cut());
        cut.merge(&Table::new(1)).unwrap();
        assert!(cut.is_cut());
    }

    /// The driver asks the problem itself for all that a count depends on.
    #[test]
    fn what_the_driver_asks_is_what_the_problem_says() {
        let adding = Adding { problem: &PAIRS, parts: Idle::default() };
        assert_eq!((Problem::subtrees(&adding), Problem::threads(&adding)), (7, 2));
        assert_eq!(Problem::split(&adding).each(), PAIRS.split().each());
        assert_eq!(Problem::memory(&adding), 99);
    }

    #[test]
    fn a_stopped_table_is_an_error_or_says_that_it_is_cut() {
        let stop = Stop::new();
        stop.request();
        for limit in [None, Some(9)] {
            let run = TableRun::new(PAIRS).limit(limit).stop(&stop).run();
            for stopped in [run, TableRun::new(PAIRS).run_here(limit, &stop)] {
                assert!(matches!(stopped, Err(Error::Stopped { finished: 0, .. })));
            }
        }
        let options = Options::new().stop(&stop);
        let (table, outcome) = tabulate(&PAIRS, &options, &mut Silent).unwrap();
        assert!(table.is_cut() && !outcome.complete && table.solutions() == 0);
    }
}
