//! Counting every solution of one grid as a [`Problem`], by the cheaper of two engines.

use crate::bands::{self, BandJoin, Limits, ListJoin};
use crate::batch::{FirstLimit, Puzzles, Solvers, lines_of};
use crate::enumeration::{self, Enumeration};
use crate::estimate::upper_estimate;
use crate::single::with_singles;
use crate::{Grid, Solver};
use tallyboard_base::cpu::{Instructions, Kernel};
use tallyboard_base::named::named;
use tallyboard_search::{Costs, Problem, Stop, Stopped, Tally};

/// [`CountOne`] prepares a join only for grids with more solutions than this: enumeration finds 30 a microsecond.
const MIN_SOLUTIONS_TO_PREPARE: u128 = 300_000;
/// Units of [`BandJoin::work`] that a join does in the time in which enumeration finds a solution.
const STEPS_PER_SOLUTION: u64 = 10;

/// Solutions found by enumeration in the time of one addition of a join by lists ([`ListJoin`]).
const SOLUTIONS_PER_ADDITION: f64 = 0.05;
/// A join by lists that takes more additions than this (5 ms) is not begun: a join without lists ([`BandJoin`]) is as
/// fast.
const MAX_ADDITIONS: u64 = 4_000_000;
/// If lists are too long, bands are joined without lists once this many solutions are found (which takes 2 ms),
/// or at once if `MIN_EXPECTED_TO_JOIN_AT_ONCE` solutions are expected.
const MAX_FOUND_BEFORE_JOIN: u64 = 100_000;
const MIN_EXPECTED_TO_JOIN_AT_ONCE: f64 = 3e6;

/// A single grid is searched for this many solutions before their number is estimated: the estimate takes as long as that search.
pub(super) const MAX_SOLUTIONS_BEFORE_ESTIMATE: u64 = 20_000;

/// Upper bounds on the bytes of slices that a join keeps of each band: for the only join that runs, and for joins of which
/// each worker may run one.
const MAX_BAND_BYTES: usize = 64 << 20;
const MAX_BAND_BYTES_OF_MANY: usize = 8 << 20;

/// How the solutions of a grid are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Each solution is found.
    Enumeration,
    /// Bands are joined: the time depends little on the number of solutions.
    Join,
}

named! {
    /// Both engines.
    Engine { Enumeration = "enumeration", Join = "join" }
}

/// The exact count of all solutions of one grid, for [`CountRun`](tallyboard_search::CountRun): a count with progress, a number of
/// threads or a flag to stop. Without them, [`Grid::count_solutions`] is shorter.
#[derive(Debug)]
pub struct CountOne {
    grid: Grid,
    split: SplitGrid,
}

/// A grid as an engine splits it.
#[derive(Debug)]
enum SplitGrid {
    Enumeration(Enumeration),
    Join(Box<BandJoin>),
}

impl SplitGrid {
    fn problem(&self) -> &dyn Problem {
        match self {
            Self::Enumeration(enumeration) => enumeration,
            Self::Join(join) => &**join,
        }
    }
}

impl CountOne {
    /// Counts every solution of `grid`, by finding each or, where an estimate says that there are too many, by joining
    /// bands. The choice is made by whole numbers and depends on the grid alone, so runs on all machines have one identity.
    pub fn new(grid: Grid) -> Self {
        Self::with(grid, None, Solver::default())
    }

    /// As [`new`](Self::new), by a given engine (`None`: the cheaper one) and another solver, whose kernel a join uses, too.
    #[doc(hidden)]
    pub fn with(grid: Grid, engine: Option<Engine>, solver: Solver) -> Self {
        Self::with_memory(grid, engine, solver, MAX_BAND_BYTES)
    }

    /// As [`with`](Self::with); a join keeps at most `max_band_bytes` bytes of slices of each band.
    fn with_memory(
        grid: Grid,
        engine: Option<Engine>,
        solver: Solver,
        max_band_bytes: usize,
    ) -> Self {
        // `None` if singles solve the grid or show that it has no solution. Enumeration is then the cheaper engine.
        let filled = with_singles(&grid);
        let instructions = solver.instructions();
        let join = match engine {
            Some(Engine::Enumeration) => None,
            Some(Engine::Join) => {
                Some(BandJoin::new(&filled.unwrap_or(grid), max_band_bytes, instructions))
            }
            None => filled.and_then(|grid| cheap_join(&grid, max_band_bytes, instructions)),
        };
        let split = match join {
            Some(join) => SplitGrid::Join(Box::new(join)),
            None => SplitGrid::Enumeration(Enumeration::new(&grid, solver)),
        };
        Self { grid, split }
    }

    /// How the solutions are counted.
    #[doc(hidden)]
    pub fn engine(&self) -> Engine {
        match self.split {
            SplitGrid::Enumeration(_) => Engine::Enumeration,
            SplitGrid::Join(_) => Engine::Join,
        }
    }
}

/// The join of a grid if it takes less time than finding each solution.
fn cheap_join(grid: &Grid, max_band_bytes: usize, instructions: Instructions) -> Option<BandJoin> {
    let solutions = upper_estimate(grid);
    if solutions <= MIN_SOLUTIONS_TO_PREPARE {
        return None;
    }
    let join = BandJoin::new(grid, max_band_bytes, instructions);
    is_join_cheaper(join.work(), solutions).then_some(join)
}

/// Whether a join of so much work takes less time than finding so many solutions.
fn is_join_cheaper(work: u64, solutions: u128) -> bool {
    u128::from(work) < solutions.saturating_mul(STEPS_PER_SOLUTION.into())
}

/// The number of solutions to expect of a grid with this many candidates to remove (in each cell, all candidates but one).
/// The line was fitted to 1,400 minimal puzzles from which up to 7 clues were taken away. It is right within a factor of 2
/// for half of them, and within a factor of 10 for 19 of 20.
fn expected_solutions(candidates: u32) -> f64 {
    10_f64.powf(f64::from(candidates) * 0.0312 - 1.57)
}

/// How the count of one of many puzzles goes on.
enum Advice {
    /// Search until this many solutions are known, those found before included.
    SearchTo(u64),
    /// The adviser has counted all solutions itself: their number.
    Counted(u128),
}

/// Decides how to complete the count of a puzzle once some of its solutions are found. A search takes at least 24 ns a
/// solution, a join by lists 10 to 1,000 µs, a join without lists some milliseconds. A search ends when it has taken as long
/// as a join would, whatever was expected.
pub(super) struct CountAdviser<'a> {
    /// The instructions that a join uses.
    pub instructions: Instructions,
    pub stop: &'a Stop,
    /// The join by lists; it is passed on from grid to grid because it owns memory.
    pub lists: &'a mut ListJoin,
}

impl CountAdviser<'_> {
    /// Counts all solutions of `puzzles`. The search of a puzzle stops for advice at its first limit, and again at each limit
    /// that it is advised. Returns the puzzles whose solutions were counted while it stopped, with their counts. The table
    /// holds the counts of the others.
    pub fn count(
        &mut self,
        puzzles: &mut Puzzles,
        solvers: &mut Solvers,
    ) -> Result<Vec<(usize, u128)>, Stopped> {
        let limit = self.first_limit();
        let stop = self.stop;
        let mut counted = Vec::new();
        let mut stopped = false;
        // The limit 0 ends the search of a puzzle.
        let next_limit = |puzzle, grid: &Grid, found| match self.advise(grid, found) {
            Ok(Advice::SearchTo(limit)) => limit,
            Ok(Advice::Counted(all)) => {
                counted.push((puzzle, all));
                0
            }
            Err(Stopped) => {
                stopped = true;
                0
            }
        };
        puzzles.count_while(solvers, limit, next_limit, stop)?;
        if stopped { Err(Stopped) } else { Ok(counted) }
    }

    /// Solutions to search for before the first advice, as measured for each kernel. A search for the usual number takes at
    /// least as long as a join by lists. A puzzle with many candidates most likely has more solutions, so its search ends
    /// as soon as it is clear that there are several.
    fn first_limit(&self) -> FirstLimit {
        let (usual, many_candidates) = match self.instructions.kernel() {
            Kernel::Portable => (150, 120),
            kernel if kernel < Kernel::Avx512 => (700, 160),
            _ => (2_500, 175),
        };
        FirstLimit { usual, if_many: 16, many_candidates }
    }

    /// Advice for `grid`, `found` solutions of which are known.
    fn advise(&mut self, grid: &Grid, found: u64) -> Result<Advice, Stopped> {
        // Deduction solves the grid or shows that it has no solution, so the search is short.
        let Some((lines, candidates)) = lines_of(grid) else {
            return Ok(Advice::SearchTo(u64::MAX));
        };
        let FirstLimit { usual, many_candidates, .. } = self.first_limit();
        // The search deduced less before it compared candidates with `many_candidates`, so it may have stopped too early.
        if found < usual && candidates < many_candidates {
            return Ok(Advice::SearchTo(usual));
        }
        let expected = expected_solutions(candidates);
        match self.lists.prepare(&lines, Limits::OF_COUNTS, self.instructions) {
            Some(work) if work <= MAX_ADDITIONS => {
                let price = work as f64 * SOLUTIONS_PER_ADDITION;
                Ok(match search_to(found, price, || expected) {
                    Some(limit) => Advice::SearchTo(limit),
                    None => Advice::Counted(self.lists.count(self.instructions).into()),
                })
            }
            _ if found < MAX_FOUND_BEFORE_JOIN && expected < MIN_EXPECTED_TO_JOIN_AT_ONCE => {
                Ok(Advice::SearchTo(MAX_FOUND_BEFORE_JOIN))
            }
            _ => self.without_lists(grid, found),
        }
    }

    /// Advice for a grid whose lists would be too long.
    fn without_lists(&self, grid: &Grid, found: u64) -> Result<Advice, Stopped> {
        // Singles solve the grid or show that it has no solution, so the search is short.
        let Some(filled) = with_singles(grid) else { return Ok(Advice::SearchTo(u64::MAX)) };
        let join = BandJoin::new(&filled, MAX_BAND_BYTES_OF_MANY, self.instructions);
        let price = join.work() as f64 / STEPS_PER_SOLUTION as f64;
        if let Some(limit) = search_to(found, price, || upper_estimate(&filled) as f64) {
            return Ok(Advice::SearchTo(limit));
        }
        count_subtrees(&join, self.stop).map(Advice::Counted)
    }
}

/// The number of solutions, the `found` ones included, up to which a search is cheaper than a join; `None` if the
/// join is cheaper. `price` is the number of solutions that a search finds in the time of the join. `expected` estimates the
/// number of all solutions.
fn search_to(found: u64, price: f64, expected: impl FnOnce() -> f64) -> Option<u64> {
    // The solutions found so far have to have cost less than the join, and those that remain have to cost less, too.
    let search_is_cheaper = price > found as f64 && price > expected() - found as f64;
    // The conversion saturates.
    search_is_cheaper.then(|| price.ceil() as u64)
}

/// The number of solutions of a grid, counted without the batch solver. Each of many workers may call it, so a join keeps
/// little memory.
#[cfg(feature = "files")]
pub(super) fn count_without_batch(grid: Grid, stop: &Stop) -> Result<u128, Stopped> {
    let count = super::solve_or_stop(&grid, MAX_SOLUTIONS_BEFORE_ESTIMATE, stop)?.count;
    if count < MAX_SOLUTIONS_BEFORE_ESTIMATE {
        return Ok(count.into());
    }
    let count = CountOne::with_memory(grid, None, Solver::Single, MAX_BAND_BYTES_OF_MANY);
    count_subtrees(&count, stop)
}

/// The sum over all subtrees. A 9 × 9 grid has fewer than 10^22 solutions, so it does not overflow.
fn count_subtrees(problem: &dyn Problem, stop: &Stop) -> Result<u128, Stopped> {
    (0..problem.subtrees())
        .try_fold(0, |sum, number| Ok(sum + problem.count(number, stop)?.solutions()))
}

/// The first word of each identity of this crate.
pub(super) const GAME: &str = "sudoku";

/// Whether this is the identity of a count of the solutions of a sudoku.
pub fn is_identity(identity: &str) -> bool {
    identity.split(' ').next() == Some(GAME)
}

impl Problem for CountOne {
    fn identity(&self) -> String {
        let (join, revision) = match self.split {
            SplitGrid::Enumeration(_) => ("", enumeration::REVISION),
            SplitGrid::Join(_) => ("join ", bands::REVISION),
        };
        format!("{GAME} grid={} {join}{revision}", self.grid)
    }

    fn memory(&self) -> u64 {
        self.split.problem().memory()
    }

    fn worker_memory(&self) -> u64 {
        self.split.problem().worker_memory()
    }

    fn subtrees(&self) -> usize {
        self.split.problem().subtrees()
    }

    fn split(&self) -> Costs {
        self.split.problem().split()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.split.problem().count(subtree, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::test_grids::{MILLION, PAIRS, SOLVED, TENTH_OF_A_MILLION};
    use tallyboard_base::random::Random;

    /// What `call` returns for an adviser with this flag.
    fn with_adviser<T>(stop: &Stop, call: impl FnOnce(&mut CountAdviser) -> T) -> T {
        let lists = &mut ListJoin::default();
        call(&mut CountAdviser { instructions: Instructions::best(), stop, lists })
    }

    fn advise(grid: &str, found: u64) -> Advice {
        let advice = with_adviser(&Stop::new(), |it| it.advise(&grid.parse().unwrap(), found));
        advice.unwrap()
    }

    #[test]
    fn searches_go_on_where_they_are_cheaper_than_a_join() {
        // Few candidates: some hundred solutions are found before lists are made.
        let Advice::SearchTo(usual) = advise(PAIRS, 16) else { panic!("16 are few") };
        assert!(usual > 16);
        assert!(matches!(advise(PAIRS, usual), Advice::Counted(4)));
        // Many candidates.
        assert!(matches!(advise(TENTH_OF_A_MILLION, 16), Advice::Counted(135_575)));
        assert!(matches!(advise(MILLION, 16), Advice::Counted(1_082_204)));
        // No lists.
        let all = 6_670_903_752_021_072_936_960;
        assert!(matches!(advise(&".".repeat(81), 16), Advice::Counted(count) if count == all));
    }

    #[test]
    fn more_solutions_are_expected_of_more_candidates() {
        assert!((90.0..110.0).contains(&expected_solutions(115)), "{}", expected_solutions(115));
        assert!((0.9e6..1.1e6).contains(&expected_solutions(243)), "{}", expected_solutions(243));
    }

    #[test]
    fn a_search_goes_on_until_it_has_cost_as_much_as_the_join() {
        let never_asked = || -> f64 { panic!("a cheap join needs no estimate") };
        assert_eq!(search_to(1000, 1000.0, never_asked), None);
        assert_eq!(search_to(1000, 1000.5, || 1500.0), Some(1001));
        assert_eq!(search_to(1000, 5000.0, || 6000.0), None);
        assert_eq!(search_to(1000, 5000.0, || 5999.0), Some(5000));
        assert_eq!(search_to(1000, f64::INFINITY, || 0.0), Some(u64::MAX));
    }

    /// The engine of journals that were begun before the choice was made by whole numbers: what logarithms chose.
    #[test]
    fn the_engine_is_the_one_that_logarithms_chose() {
        let mut random = Random::from_seed(9);
        let mut chosen = [0; 2];
        for clues in (18..44).cycle().take(250) {
            let mut places: Vec<usize> = (0..81).collect();
            random.shuffle(&mut places);
            let mut cells = ['.'; 81];
            places[..clues]
                .iter()
                .for_each(|&place| cells[place] = SOLVED.as_bytes()[place].into());
            let grid: Grid = cells.iter().collect::<String>().parse().unwrap();
            let Some(filled) = with_singles(&grid) else { continue };
            let estimate = crate::estimate(&filled, 1000, 1);
            let upper = estimate.interval.map_or(estimate.ln + 3_f64.ln(), |(_, high)| high).exp();
            let work =
                || BandJoin::new(&filled, MAX_BAND_BYTES, Instructions::best()).work() as f64;
            let join = upper > 300_000.0 && work() * 0.1 < upper;
            let engine = CountOne::new(grid).engine();
            assert_eq!(engine == Engine::Join, join, "{grid}");
            chosen[usize::from(join)] += 1;
        }
        assert!(chosen.iter().all(|&seen| seen > 20), "{chosen:?}");
        let cheaper = [999_999, 1_000_000].map(|work| is_join_cheaper(work, 100_000));
        assert_eq!(cheaper, [true, false]);
        assert!(is_join_cheaper(u64::MAX, u128::MAX));
    }

    #[test]
    fn a_stop_ends_the_join() {
        let stop = Stop::new();
        stop.request();
        let mut puzzles = Puzzles::default();
        puzzles.push(&Grid::default());
        let solvers = &mut Solvers::best();
        assert!(with_adviser(&stop, |adviser| adviser.count(&mut puzzles, solvers)).is_err());
        assert!(with_adviser(&stop, |it| it.advise(&Grid::default(), 1 << 40)).is_err());
    }

    #[test]
    fn a_single_solver_counts_many_solutions_too() {
        for (grid, solutions) in [(TENTH_OF_A_MILLION, 135_575), (MILLION, 1_082_204)] {
            let found = count_without_batch(grid.parse().unwrap(), &Stop::new());
            assert_eq!(found.unwrap(), solutions);
        }
    }
}
