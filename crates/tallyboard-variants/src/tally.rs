//! How many solutions of a puzzle have each value in each cell.
//!
//! The search of the count, cut at its first branches into subtrees, visits each solution and adds one to a number of 64 bits for
//! each cell: some 50 ns beside the microseconds that a solution takes to be found. A subtree adds one number for each cell and
//! value to a table of 128 bits.

use std::sync::Arc;
use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

use tallyboard_search::{CellSum, Error, NodeBudget, Stop, Stopped, Table, TableRun, Tabulate};

use crate::count::fingerprint;
use crate::engine::few::Few;
use crate::engine::search::Expanded;
use crate::puzzle::{Puzzle, values_of};
use crate::solver::{Solver, stopped};

/// The search is cut until there are so many subtrees.
const MIN_SUBTREES: usize = 256;

impl Puzzle {
    /// How many solutions have each value in each cell, to be [run](TableRun::run). With V values, cell V c + v of the table is
    /// the v-th value, from 0, in cell c, row by row.
    ///
    /// ```
    /// # mod tallyboard { pub use ::tallyboard_variants as variants; }
    /// use tallyboard::variants::{Puzzle, Rules};
    ///
    /// let table = Puzzle::new(Rules::new(4)?).tally().run()?;
    /// assert_eq!((table.solutions(), table.cells()), (288, &[72; 64][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tally(&self) -> TableRun<'static> {
        TableRun::new(PuzzleTally::new(self.clone()))
    }

    /// How many solutions have each value in each cell, where none counts beyond `most`: the table of an editor, which shows what may
    /// still be where, of puzzles with any number of solutions. The cells of the table are those of [`tally`](Self::tally); it does
    /// not tell how many solutions there are in all.
    #[doc(hidden)]
    pub fn tally_up_to(&self, most: u64) -> TableRun<'static> {
        TableRun::new(CappedTally::new(self, most))
    }
}

/// The engine for one puzzle, which it has cut.
#[derive(Debug)]
struct PuzzleTally {
    puzzle: Puzzle,
    solver: Solver,
    /// What clauses tell of the whole puzzle.
    few: Arc<Few>,
    /// The candidates of the cells of each subtree.
    subtrees: Vec<Vec<u16>>,
    /// The number of values that a cell may have.
    values: usize,
}

impl PuzzleTally {
    fn new(puzzle: Puzzle) -> Self {
        let solver = Solver::new(puzzle.rules());
        let start = solver.start_of(&puzzle);
        let few = Arc::new(Few::new(&start));
        let (mut ended, mut level) = (Vec::new(), vec![start]);
        while !level.is_empty() && ended.len() + level.len() < MIN_SUBTREES {
            let mut next = Vec::new();
            for grid in level {
                match solver.search().expand(&grid) {
                    Expanded::Dead => {}
                    Expanded::Solved => ended.push(grid),
                    Expanded::Children(children) => next.extend(children),
                }
            }
            level = next;
        }
        ended.append(&mut level);
        let values = puzzle.size().values().count();
        Self { puzzle, solver, few, subtrees: ended, values }
    }

    /// The cells of the table that a solution uses.
    fn cells_of<'a>(&self, solution: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        let values = self.values;
        solution
            .iter()
            .enumerate()
            .map(move |(cell, &value)| values * cell + usize::from(value) - 1)
    }
}

impl Tabulate for PuzzleTally {
    fn cells(&self) -> usize {
        self.values * self.puzzle.size().cells()
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    /// Its last number is raised whenever puzzles are cut in another way.
    fn identity(&self) -> String {
        let side = self.puzzle.size().side();
        format!("variant size={side} fingerprint={:016x} table=1", fingerprint(&self.puzzle))
    }

    fn tabulate(&self, subtree: usize, stop: &Stop) -> Result<Table, Stopped> {
        let mut search = self.solver.search().fresh();
        search.restart_below(&self.few, &self.subtrees[subtree]);
        let mut budget = NodeBudget::unlimited(stop);
        let mut solution = vec![0; self.puzzle.size().cells()];
        // Each number counts solutions that were visited, so 64 bits are enough.
        let mut uses = vec![0_u64; self.cells()];
        let mut solutions = 0_u64;
        while search.next(&mut solution, &mut budget).map_err(stopped)? {
            solutions += 1;
            self.cells_of(&solution).for_each(|cell| uses[cell] += 1);
        }
        let mut table = Table::new(self.cells());
        let mut numbers = uses.iter().enumerate();
        table
            .count(solutions.into())
            .and_then(|()| numbers.try_for_each(|(cell, &uses)| table.add(cell, uses.into())))
            .unwrap_or_else(|overflow| Error::from(overflow).raise());
        Ok(table)
    }

    fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped> {
        let mut table = Table::new(self.cells());
        let mut search = self.solver.search().fresh();
        search.restart(&self.solver.start_of(&self.puzzle));
        let mut budget = NodeBudget::unlimited(stop);
        let mut solution = vec![0; self.puzzle.size().cells()];
        while search.next(&mut solution, &mut budget).map_err(stopped)? {
            if table.add_solution(self.cells_of(&solution), limit).is_break() {
                break;
            }
        }
        Ok(table)
    }

    /// Each cell has one value.
    fn sums(&self) -> Vec<CellSum> {
        let cells = 0..self.puzzle.size().cells();
        let values = self.values;
        cells.map(|cell| CellSum::once(values * cell..values * (cell + 1))).collect()
    }
}

/// A table of which each number is counted for itself, up to a limit.
#[derive(Debug)]
struct CappedTally {
    solver: Solver,
    /// What clauses tell of the whole puzzle.
    few: Arc<Few>,
    /// The candidates that propagation leaves, a set for each cell.
    possible: Vec<u16>,
    /// The cells of the table that may not be 0, each as its cell of the grid and its value.
    candidates: Vec<(usize, u8)>,
    /// The number of values that a cell may have.
    values: usize,
    /// The limit.
    most: u64,
    /// The values of each cell in the solutions that were found. Where one solution is enough, nobody has to search for these.
    proven: Vec<AtomicU16>,
}

impl CappedTally {
    fn new(puzzle: &Puzzle, most: u64) -> Self {
        let solver = Solver::new(puzzle.rules());
        let start = solver.start_of(puzzle);
        let few = Arc::new(Few::new(&start));
        let possible = solver.search().propagate(&start).unwrap_or_else(|| vec![0; start.len()]);
        let sets = possible.iter().enumerate();
        let candidates = sets
            .flat_map(|(cell, &set)| values_of(set).into_iter().map(move |value| (cell, value)));
        let candidates = candidates.collect();
        let values = puzzle.size().values().count();
        let proven = possible.iter().map(|_| AtomicU16::new(0)).collect();
        Self { solver, few, possible, candidates, values, most, proven }
    }

    /// The number of solutions with this value in this cell, up to the limit.
    fn count(&self, cell: usize, value: u8, stop: &Stop) -> Result<u64, Stopped> {
        let bit = 1 << (value - 1);
        if self.most == 1 && self.proven[cell].load(Relaxed) & bit != 0 {
            return Ok(1);
        }
        let mut candidates = self.possible.clone();
        candidates[cell] = bit;
        let mut search = self.solver.search().fresh();
        search.restart_below(&self.few, &candidates);
        let mut budget = NodeBudget::unlimited(stop);
        let mut solution = vec![0; candidates.len()];
        let mut found = 0;
        while found < self.most && search.next(&mut solution, &mut budget).map_err(stopped)? {
            found += 1;
            if self.most == 1 {
                for (proven, &value) in self.proven.iter().zip(&solution) {
                    proven.fetch_or(1 << (value - 1), Relaxed);
                }
            }
        }
        Ok(found)
    }
}

impl Tabulate for CappedTally {
    fn cells(&self) -> usize {
        self.values * self.possible.len()
    }

    fn subtrees(&self) -> usize {
        self.candidates.len()
    }

    fn tabulate(&self, candidate: usize, stop: &Stop) -> Result<Table, Stopped> {
        let (cell, value) = self.candidates[candidate];
        let found = self.count(cell, value, stop)?;
        let mut table = Table::new(self.cells());
        let added = table.add(self.values * cell + usize::from(value) - 1, found.into());
        added.unwrap_or_else(|overflow| Error::from(overflow).raise());
        Ok(table)
    }

    /// Each number has a limit of its own.
    fn first(&self, _: u64, _: &Stop) -> Result<Table, Stopped> {
        Error::Refused("a table up to a limit is of all solutions".to_owned()).raise()
    }

    /// Numbers that are cut add up to nothing.
    fn sums(&self) -> Vec<CellSum> {
        Vec::new()
    }
}
