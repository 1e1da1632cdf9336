//! Solving: one solution, some, or all one by one; and the values that each cell has in some solution.

use std::sync::Arc;

use tallyboard_base::bits::bits;
use tallyboard_search::{Halt, NodeBudget, Stop, Stopped};

use crate::engine::clauses::PuzzleClauses;
use crate::engine::few::Few;
use crate::engine::propagate::CompiledRules;
use crate::engine::search::{Search, search};
use crate::engine::state::Cells256;
use crate::puzzle::{Candidates, Puzzle};
use crate::rules::Rules;
use crate::tables::Tables;

/// The answer for a puzzle: the number of its solutions up to a limit, and the first one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The solutions found; the search ended when it had as many as asked for.
    pub count: u64,
    /// The values of the first solution in reading order.
    pub first: Option<Vec<u8>>,
}

/// The engine for one set of rules, for any number of puzzles.
///
/// Making one takes some microseconds to a millisecond. To solve many puzzles of the same rules, make it once.
#[derive(Debug)]
pub struct Solver {
    search: Box<dyn Search>,
    /// The candidates of each cell in a grid without givens.
    start: Vec<u16>,
    /// The candidates from which the current search started.
    candidates: Vec<u16>,
    /// The nodes of the search for the last answer.
    nodes: u64,
}

impl Clone for Solver {
    fn clone(&self) -> Self {
        let search = self.search.fresh();
        Self { search, start: self.start.clone(), candidates: Vec::new(), nodes: 0 }
    }
}

impl Solver {
    /// The solver for these rules.
    pub fn new(rules: &Rules) -> Self {
        Self::of_tables(&Tables::new(rules))
    }

    pub(crate) fn of_tables(tables: &Tables) -> Self {
        let start = tables.start.clone();
        Self { search: search(tables), start, candidates: Vec::new(), nodes: 0 }
    }

    /// Counts the solutions of a puzzle up to `limit`, and keeps the first.
    ///
    /// # Panics
    /// If the puzzle is of another size than the rules.
    pub fn solve(&mut self, puzzle: &Puzzle, limit: u64) -> Answer {
        self.solve_or_stop(puzzle, limit, &Stop::new()).expect("nobody raises this flag")
    }

    /// As [`solve`](Self::solve), with a flag that ends it.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    ///
    /// # Panics
    /// If the puzzle is of another size than the rules.
    pub fn solve_or_stop(
        &mut self,
        puzzle: &Puzzle,
        limit: u64,
        stop: &Stop,
    ) -> Result<Answer, Stopped> {
        self.restart(puzzle.candidates());
        let mut values = vec![0; self.start.len()];
        let mut answer = Answer::default();
        let mut budget = NodeBudget::unlimited(stop);
        while answer.count < limit && self.next(&mut values, &mut budget)? {
            answer.count += 1;
            if answer.first.is_none() {
                answer.first = Some(values.clone());
            }
        }
        self.nodes = budget.nodes();
        Ok(answer)
    }

    /// The nodes of the search for the last answer: 1 if no guess was needed.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn restart(&mut self, candidates: &Candidates) {
        assert_eq!(candidates.sets().len(), self.start.len(), "a puzzle of the rules' size");
        self.candidates.clear();
        let sets = self.start.iter().zip(candidates.sets());
        self.candidates.extend(sets.map(|(start, set)| start & set));
        self.search.restart(&self.candidates);
    }

    fn next(&mut self, values: &mut [u8], budget: &mut NodeBudget<'_>) -> Result<bool, Stopped> {
        self.search.next(values, budget).map_err(stopped)
    }

    pub(crate) fn search(&self) -> &dyn Search {
        &*self.search
    }

    /// The first solutions of a puzzle, at most `limit`.
    pub(crate) fn first_solutions(
        &mut self,
        puzzle: &Puzzle,
        limit: usize,
        budget: &mut NodeBudget<'_>,
    ) -> Result<Vec<Vec<u8>>, Halt> {
        self.restart(puzzle.candidates());
        let mut found = Vec::new();
        let mut values = vec![0; self.start.len()];
        while found.len() < limit && self.search.next(&mut values, budget)? {
            found.push(values.clone());
        }
        Ok(found)
    }

    /// The candidates with which the search for the solutions of a puzzle starts.
    pub(crate) fn start_of(&self, puzzle: &Puzzle) -> Vec<u16> {
        let sets = self.start.iter().zip(puzzle.candidates().sets());
        sets.map(|(start, set)| start & set).collect()
    }

    /// The values that each cell has in some solution.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    ///
    /// # Panics
    /// If the puzzle is of another size than the rules.
    pub fn true_candidates(&mut self, puzzle: &Puzzle, stop: &Stop) -> Result<Candidates, Stopped> {
        let size = puzzle.size();
        let mut proven = vec![0_u16; size.cells()];
        let mut budget = NodeBudget::unlimited(stop);
        let mut values = vec![0; size.cells()];
        self.restart(puzzle.candidates());
        let few = Arc::new(Few::new(&self.candidates));
        let Some(mut possible) = self.search.propagate(&self.candidates) else {
            return Ok(Candidates::new(size, proven));
        };
        for cell in 0..size.cells() {
            for bit in bits(possible[cell]) {
                if proven[cell] & bit != 0 {
                    continue;
                }
                // Searches for a solution with this value in this cell.
                let all = std::mem::replace(&mut possible[cell], bit);
                self.search.restart_below(&few, &possible);
                possible[cell] = all;
                if self.next(&mut values, &mut budget)? {
                    for (proven, &value) in proven.iter_mut().zip(&values) {
                        *proven |= 1 << (value - 1);
                    }
                } else {
                    possible[cell] &= !bit;
                }
            }
        }
        Ok(Candidates::new(size, proven))
    }
}

/// Why a search without a limit has ended early.
pub(crate) fn stopped(halt: Halt) -> Stopped {
    match halt {
        Halt::Stopped => Stopped,
        Halt::Limit | Halt::Overflow => {
            unreachable!("solutions are found one by one, without a limit")
        }
    }
}

/// All solutions of a puzzle by clauses, ascending; `None` if they are many, or if a rule has no clauses.
///
/// # Panics
/// If the puzzle is of another size than its rules.
pub fn few_solutions(puzzle: &Puzzle) -> Option<Vec<Vec<u8>>> {
    let tables = Tables::new(puzzle.rules());
    let rules = CompiledRules::<Cells256, 16>::new(&tables);
    let solver = Solver::of_tables(&tables);
    let mut clauses = PuzzleClauses::new(&rules, &solver.start_of(puzzle), usize::MAX)?;
    clauses.all(u64::MAX, &Stop::new()).expect("nobody raises this flag")
}

impl Puzzle {
    /// The first solution, and whether there is none, one or more: solutions are counted up to two.
    pub fn solve(&self) -> Answer {
        Solver::new(self.rules()).solve(self, 2)
    }

    /// All solutions, each as its values in reading order.
    pub fn solutions(&self) -> Solutions {
        let mut solver = Solver::new(self.rules());
        solver.restart(self.candidates());
        Solutions { solver, cells: self.size().cells() }
    }

    /// The values that each cell has in some solution.
    pub fn true_candidates(&self) -> Candidates {
        let found = Solver::new(self.rules()).true_candidates(self, &Stop::new());
        found.expect("nobody raises this flag")
    }
}

/// The solutions of a puzzle, found as they are asked for, in an order that depends on the puzzle alone.
#[derive(Debug)]
pub struct Solutions {
    solver: Solver,
    cells: usize,
}

impl Iterator for Solutions {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut values = vec![0; self.cells];
        let stop = Stop::new();
        let found = self.solver.next(&mut values, &mut NodeBudget::unlimited(&stop));
        found.expect("nobody raises this flag").then_some(values)
    }
}
