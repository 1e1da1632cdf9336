//! A table of puzzles and their results: the interface of the batch engine.

use super::choice::Order;
use super::lanes::MAX_LANES;
use super::layout::{PackedGrids, Planes, grid, planes, planes_of, store_planes};
use super::{CountTask, FirstLimit, Job, Rating, Results, Solvers, Task};
use crate::{Answer, Grid};
use tallyboard_search::{Stop, Stopped};

/// If more than 1/8 of the puzzles solved last were ambiguous (had several solutions), the next table is searched in the
/// reproducible order at once. The other order takes at most a third less time for a puzzle with one solution,
/// but a puzzle with several solutions has to be searched again.
const AMBIGUOUS_DIVISOR: usize = 8;

/// Above this limit on solutions, every search begins in the order [`Order::Busiest`]. Finding the first
/// solution again costs little compared with the count. In the reproducible order, a few puzzles with thousands
/// of solutions would not fill the vectors.
const MAX_ORDERED_LIMIT: u64 = 16;

/// The puzzles of a sample that decides the order for the first table.
const SAMPLE_PUZZLES: usize = 2 * MAX_LANES;

/// Puzzles to be solved together, and their results. Clearing keeps the memory.
#[derive(Default, Debug)]
pub struct Puzzles {
    puzzles: Vec<PackedGrids>,
    solutions: Vec<PackedGrids>,
    counts: Vec<u64>,
    len: usize,
    /// Whether many of the puzzles solved last had several solutions; `None` before the first.
    ambiguous: Option<bool>,
}

impl Puzzles {
    /// Forgets all puzzles.
    pub fn clear(&mut self) {
        self.len = 0;
        self.counts.clear();
    }

    /// The number of puzzles.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a puzzle.
    pub fn push(&mut self, grid: &Grid) {
        self.reserve(1);
        self.push_planes(&planes(grid.cells()));
    }

    /// Makes room for this many more puzzles.
    pub(crate) fn reserve(&mut self, puzzles: usize) {
        let grids = (self.len + puzzles).div_ceil(MAX_LANES);
        self.puzzles.resize(grids.max(self.puzzles.len()), PackedGrids::BLANK);
    }

    /// Adds the puzzle with these planes, for which there is room.
    #[inline(always)]
    pub(crate) fn push_planes(&mut self, planes: &Planes) {
        store_planes(&mut self.puzzles, self.len, planes);
        self.len += 1;
    }

    /// A puzzle, by its position.
    pub fn puzzle(&self, puzzle: usize) -> Grid {
        grid(&planes_of(&self.puzzles, puzzle))
    }

    /// Solves all puzzles, each up to `limit` solutions, and finds a solution of each that has one: the
    /// first in an order that depends on the puzzle alone.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile; the results are then unspecified.
    pub fn solve(&mut self, solvers: &mut Solvers, limit: u64, stop: &Stop) -> Result<(), Stopped> {
        // The limit 1 does not show whether there are other solutions, so the one found has to be the promised one.
        if limit <= 1 {
            return self.search(solvers, limit, Order::Reproducible, stop);
        }
        let in_order = limit <= MAX_ORDERED_LIMIT && self.are_many_ambiguous(solvers, stop)?;
        let order = if in_order { Order::Reproducible } else { Order::Busiest };
        self.search(solvers, limit, order, stop)?;
        let ambiguous = self.ambiguous_puzzles();
        if self.len > 0 {
            self.ambiguous = Some(ambiguous.len() * AMBIGUOUS_DIVISOR > self.len);
        }
        if order == Order::Busiest && !ambiguous.is_empty() {
            // Of these the first solution has to be shown.
            let mut again = self.table_of(ambiguous.iter().copied());
            again.search(solvers, 1, Order::Reproducible, stop)?;
            for (number, &puzzle) in ambiguous.iter().enumerate() {
                store_planes(&mut self.solutions, puzzle, &again.solution(number));
            }
        }
        Ok(())
    }

    /// Whether many puzzles have several solutions, judged by those solved last or by a sample.
    fn are_many_ambiguous(&self, solvers: &mut Solvers, stop: &Stop) -> Result<bool, Stopped> {
        if let Some(known) = self.ambiguous {
            return Ok(known);
        }
        let mut sample = self.table_of(0..self.len.min(SAMPLE_PUZZLES));
        sample.search(solvers, 2, Order::Reproducible, stop)?;
        Ok(sample.ambiguous_puzzles().len() * AMBIGUOUS_DIVISOR > sample.len)
    }

    /// The puzzles that have several solutions.
    fn ambiguous_puzzles(&self) -> Vec<usize> {
        (0..self.len).filter(|&puzzle| self.counts[puzzle] > 1).collect()
    }

    /// A table of some of the puzzles.
    fn table_of(&self, puzzles: impl ExactSizeIterator<Item = usize>) -> Self {
        let mut copy = Self::default();
        copy.reserve(puzzles.len());
        for puzzle in puzzles {
            copy.push_planes(&planes_of(&self.puzzles, puzzle));
        }
        copy
    }

    fn search(
        &mut self,
        solvers: &mut Solvers,
        limit: u64,
        order: Order,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.solutions.resize(self.puzzles.len().max(self.solutions.len()), PackedGrids::BLANK);
        self.counts.clear();
        self.counts.resize(self.len, 0);
        let guesses = &mut [];
        let results = Results { grids: &mut self.solutions, counts: &mut self.counts, guesses };
        let task = Task { grids: &self.puzzles, limit, order };
        solvers.0.solve(Job::Search(task, results), stop)
    }

    /// Rates each puzzle, up to `limit` solutions, as [`Rating::of`] does. Does not change the results of the table. Costs as
    /// much as [`solve`](Self::solve), and a microsecond more for each puzzle without a guess.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn rate(
        &self,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<Vec<Rating>, Stopped> {
        let guesses = self.guesses(solvers, limit, stop)?.into_iter().enumerate();
        let rating = |(puzzle, guesses)| Rating::of_guesses(guesses, || self.puzzle(puzzle));
        Ok(guesses.map(rating).collect())
    }

    /// Only the [`Rating::guesses`] of each puzzle.
    pub(crate) fn guesses(
        &self,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<Vec<u64>, Stopped> {
        let mut counts = vec![0; self.len];
        let mut guesses = vec![0; self.len];
        let mut grids = vec![PackedGrids::BLANK; self.puzzles.len()];
        let task = Task { grids: &self.puzzles, limit, order: Order::Reproducible };
        let results = Results { grids: &mut grids, counts: &mut counts, guesses: &mut guesses };
        solvers.0.solve(Job::Search(task, results), stop)?;
        Ok(guesses)
    }

    /// Counts the solutions of each puzzle: all of them, or at least `limit`. Costs about two thirds of
    /// [`solve`](Self::solve), and keeps no solutions.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn count_up_to(
        &mut self,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        // A next limit of 0 ends the search of a puzzle at its first limit.
        self.count_while(solvers, FirstLimit::same(limit), |_, _, _| 0, stop)
    }

    /// As [`count_up_to`](Self::count_up_to), with limits that rise. When the count of a puzzle reaches its limit,
    /// `next_limit` gets the number of the puzzle, its grid, and the count, and returns the next limit. The search of the
    /// puzzle ends if this limit is not above the count.
    pub(crate) fn count_while(
        &mut self,
        solvers: &mut Solvers,
        limit: FirstLimit,
        mut next_limit: impl FnMut(usize, &Grid, u64) -> u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.solutions.clear();
        self.counts.clear();
        self.counts.resize(self.len, 0);
        let grids = self.puzzles.as_slice();
        let counts = &mut self.counts[..];
        let next_limit =
            &mut |puzzle: usize, count| next_limit(puzzle, &grid(&planes_of(grids, puzzle)), count);
        solvers.0.solve(Job::Count(CountTask { grids, counts, limit, next_limit }), stop)
    }

    /// The number of solutions of a puzzle, by its position.
    #[inline]
    pub fn count(&self, puzzle: usize) -> u64 {
        self.counts[puzzle]
    }

    /// The numbers of solutions of all puzzles.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether solutions were kept when the puzzles were solved.
    pub(crate) fn has_solutions(&self) -> bool {
        !self.solutions.is_empty()
    }

    /// The planes of the solution of a puzzle that has one.
    #[inline(always)]
    pub(crate) fn solution(&self, puzzle: usize) -> Planes {
        planes_of(&self.solutions, puzzle)
    }

    /// What was found for a puzzle.
    pub fn answer(&self, puzzle: usize) -> Answer {
        let count = self.count(puzzle);
        let found = count > 0 && self.has_solutions();
        Answer { count, first: found.then(|| grid(&self.solution(puzzle))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_grids::{PAIRS, TENTH_OF_A_MILLION, UNIQUE};

    type SolveOrCount = fn(&mut Puzzles, &mut Solvers, u64, &Stop) -> Result<(), Stopped>;

    #[test]
    fn counts_up_to_nothing_end_at_once() {
        let mut puzzles = Puzzles::default();
        puzzles.push(&Grid::default());
        puzzles.count_up_to(&mut Solvers::best(), 0, &Stop::new()).unwrap();
    }

    #[test]
    fn puzzles_with_many_candidates_have_a_limit_of_their_own() {
        // The second has 12 candidates to remove.
        let grids = [UNIQUE, PAIRS, TENTH_OF_A_MILLION].repeat(11);
        let grids: Vec<Grid> = grids.iter().map(|grid| grid.parse().unwrap()).collect();
        for instructions in tallyboard_base::cpu::Instructions::all() {
            let mut puzzles = Puzzles::default();
            grids.iter().for_each(|grid| puzzles.push(grid));
            let limit = FirstLimit { usual: 3, if_many: 50, many_candidates: 100 };
            let mut asked = vec![0; grids.len()];
            let next_limit = |puzzle: usize, grid: &Grid, found| {
                assert_eq!(*grid, grids[puzzle]);
                assert_eq!(std::mem::replace(&mut asked[puzzle], found), 0, "asked twice");
                0
            };
            let mut solvers = Solvers::of(instructions);
            puzzles.count_while(&mut solvers, limit, next_limit, &Stop::new()).unwrap();
            for (at, &found) in asked.iter().enumerate() {
                match at % 3 {
                    0 => assert_eq!((found, puzzles.count(at)), (0, 1)),
                    1 => assert_eq!((found, puzzles.count(at)), (4, 4)),
                    _ => assert!((50..100).contains(&found), "{found} of puzzle {at}"),
                }
            }
        }
    }

    #[test]
    fn a_raised_flag_ends_the_search_and_leaves_nothing_behind() {
        for (run, limit) in [(Puzzles::solve as SolveOrCount, 10), (Puzzles::count_up_to, u64::MAX)]
        {
            let mut solvers = Solvers::best();
            let mut puzzles = Puzzles::default();
            puzzles.push(&Grid::default());
            let stop = Stop::new();
            stop.request();
            assert!(run(&mut puzzles, &mut solvers, u64::MAX, &stop).is_err());

            for number in [40, 0, 1] {
                puzzles.clear();
                (0..number).for_each(|_| puzzles.push(&PAIRS.parse().unwrap()));
                run(&mut puzzles, &mut solvers, limit, &Stop::new()).unwrap();
                assert!((0..number).all(|puzzle| puzzles.count(puzzle) == 4));
            }
        }
    }
}
