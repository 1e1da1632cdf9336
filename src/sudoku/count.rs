//! Counting every solution of one grid as a [`Problem`], by the cheaper of two methods.

use super::bands::BandJoin;
use super::batch::{Puzzles, Solvers};
use super::enumeration::Enumeration;
use super::estimate::estimate;
use super::single::{self, deduced};
use super::{Grid, Solver};
use crate::cpu::Instructions;
use crate::named::named;
use crate::search::{Costs, Counter, Problem, Stop, Stopped, Tally};

/// Descents that estimate a number of solutions, some fifteen milliseconds.
const PROBES: u64 = 1000;
/// Descents that tell thousands of solutions from millions, a millisecond.
const FEW_PROBES: u64 = 64;
/// Grids with fewer solutions than this, at 30 a microsecond, are enumerated before a join is prepared.
const FEW: f64 = 300_000.0;
/// Solutions that are enumerated while a join does a step of its work.
const SOLUTIONS_PER_STEP: f64 = 0.1;

/// Solutions that a solver of single grids finds before it asks for an estimate, which takes as long.
const FEW_ALONE: u64 = 20_000;

/// What a join keeps of each band at most, in bytes: where it is alone, and where others work beside
/// it.
const KEPT_BYTES: usize = 64 << 20;
const KEPT_BYTES_OF_MANY: usize = 8 << 20;

/// How the solutions of a grid are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Every solution is found.
    Enumeration,
    /// Bands are joined: the time depends little on the number of solutions.
    Join,
}

named! {
    /// Both engines.
    Engine { Enumeration = "enumeration", Join = "join" }
}

/// The exact count of all solutions of one grid.
#[derive(Debug)]
pub struct CountOne {
    grid: Grid,
    engine: Engine,
    counter: Box<dyn Counter>,
}

impl CountOne {
    /// Counts every solution of `grid` by the engine that an estimate finds cheaper, with the fastest
    /// solver. The choice depends on the grid alone.
    pub fn new(grid: Grid) -> Self {
        Self::with(grid, None, Solver::default())
    }

    /// The same by a given engine (`None`: the cheaper one) and another solver, whose kernel is the
    /// join's as well.
    pub fn with(grid: Grid, engine: Option<Engine>, solver: Solver) -> Self {
        Self::sparing(grid, engine, solver, KEPT_BYTES)
    }

    /// The same with so much memory for what a join keeps of a band.
    fn sparing(grid: Grid, engine: Option<Engine>, solver: Solver, kept: usize) -> Self {
        let join = |from: &Grid| BandJoin::new(from, kept, solver.instructions());
        let join = match engine {
            Some(Engine::Enumeration) => None,
            Some(Engine::Join) => Some(join(&deduced(&grid).unwrap_or(grid))),
            None => deduced(&grid).and_then(|from| {
                let solutions = upper_estimate(&from);
                let join = (solutions > FEW).then(|| join(&from));
                join.filter(|join| join.work() as f64 * SOLUTIONS_PER_STEP < solutions)
            }),
        };
        let (engine, counter): (_, Box<dyn Counter>) = match join {
            Some(join) => (Engine::Join, Box::new(join)),
            None => (Engine::Enumeration, Box::new(Enumeration::new(&grid, solver))),
        };
        Self { grid, engine, counter }
    }

    /// How the solutions are counted.
    pub fn engine(&self) -> Engine {
        self.engine
    }
}

/// How to complete the count of one of many puzzles.
pub(super) enum Advice {
    /// Search for solutions until so many are found in all.
    SearchTo(u64),
    /// It is complete: so many solutions.
    Counted(u128),
}

/// Counts all solutions of `puzzles`. Once `limit` solutions of a puzzle are found, or the limit that
/// `advise` gave last, it says how the count of that puzzle is to be completed. Gives the puzzles whose
/// counts are not those of the table, with their counts.
pub(super) fn count_as_advised(
    puzzles: &mut Puzzles,
    engine: &mut Solvers,
    limit: u64,
    mut advise: impl FnMut(&Grid, u64) -> Result<Advice, Stopped>,
    stop: &Stop,
) -> Result<Vec<(usize, u128)>, Stopped> {
    let (mut counted, mut stopped) = (Vec::new(), false);
    let next_limit = |puzzle, grid: &Grid, found| match advise(grid, found) {
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
    puzzles.count_while(engine, limit, next_limit, stop)?;
    if stopped { Err(Stopped) } else { Ok(counted) }
}

/// Decides how to complete the counts of puzzles in a file, of which some solutions are found.
///
/// A search costs 40 ns a solution, a join from 8 ms on. So the decision is made in steps, each of
/// which costs less than the search before it: first a short estimate, then the preparation of a join,
/// then, where the join would cost more than what is found already, an estimate that can be trusted.
/// Whatever these say, a search ends when it has cost as much as the join: at most twice the cheaper
/// way is paid for.
pub(super) struct Remaining<'a> {
    /// Those of the join.
    pub instructions: Instructions,
    /// Raised to end the count.
    pub stop: &'a Stop,
}

impl Remaining<'_> {
    /// Solutions that are searched for without asking (4 ms).
    pub const FIRST_LIMIT: u64 = 100_000;
    /// Solutions that are searched for unless the short estimate expects more of them. A join takes
    /// the time of about as many.
    const SECOND_LIMIT: u64 = 300_000;

    /// Advice for `grid`, of which so many solutions are found.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised while bands were joined.
    pub fn advise(&self, grid: &Grid, found: u64) -> Result<Advice, Stopped> {
        // A grid that is solved by singles has one solution.
        let Some(from) = deduced(grid) else { return Ok(Advice::SearchTo(u64::MAX)) };
        if found < Self::SECOND_LIMIT {
            let about = estimate(&from, FEW_PROBES, 1).ln.exp();
            if about < Self::SECOND_LIMIT as f64 {
                return Ok(Advice::SearchTo(Self::SECOND_LIMIT));
            }
        }
        let join = BandJoin::new(&from, KEPT_BYTES_OF_MANY, self.instructions);
        let price = join.work() as f64 * SOLUTIONS_PER_STEP;
        if let Some(limit) = search_to(found, price, || upper_estimate(&from)) {
            return Ok(Advice::SearchTo(limit));
        }
        (0..join.subtrees())
            .try_fold(0, |sum, number| Ok(sum + join.count(number, self.stop)?.solutions()))
            .map(Advice::Counted)
    }
}

/// How many solutions to search for, of which so many are found, before a join is worth its price, which
/// is a number of solutions, too; `None` if it is cheaper at once. `expected` estimates how many there are.
fn search_to(found: u64, price: f64, expected: impl FnOnce() -> f64) -> Option<u64> {
    let is_dearer = price > found as f64 && price > expected() - found as f64;
    // The conversion saturates.
    is_dearer.then(|| price.ceil() as u64)
}

/// About how many solutions a grid has, rather more than too few.
fn upper_estimate(grid: &Grid) -> f64 {
    let about = estimate(grid, PROBES, 1);
    // Where a few descents outweigh the others there are rather more.
    about.interval.map_or(about.ln + 3_f64.ln(), |(_, high)| high).exp()
}

/// The number of solutions of one of many grids, without the batch engine.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub(super) fn count_alone(grid: Grid, stop: &Stop) -> Result<u128, Stopped> {
    let few = single::solve_or_stop(&grid, FEW_ALONE, stop)?.count;
    if few < FEW_ALONE {
        return Ok(few.into());
    }
    let counter = CountOne::sparing(grid, None, Solver::Single, KEPT_BYTES_OF_MANY).counter;
    (0..counter.subtrees())
        .try_fold(0, |sum, number| Ok(sum + counter.count(number, stop)?.solutions()))
}

impl Problem for CountOne {
    fn identity(&self) -> String {
        let join = if self.engine == Engine::Join { "join " } else { "" };
        format!("sudoku grid={} {join}{}", self.grid, self.counter.revision())
    }

    fn memory(&self) -> u64 {
        self.counter.memory()
    }

    fn split(&self) -> Costs {
        self.counter.split()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.counter.count(subtree, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advise(grid: &str, found: u64) -> Advice {
        let stop = Stop::new();
        let remaining = Remaining { instructions: Instructions::best(), stop: &stop };
        remaining.advise(&grid.parse().unwrap(), found).unwrap()
    }

    /// 135,575 and 1,082,204 solutions.
    const TENTH: &str =
        "....2.....2...3...16..5...........5....4...2.4.......3...9.5.84..93..1........7..";
    const MILLION: &str =
        "5..3..2.9...15.....7.....5.2............2614.8.6..4.3.7...6......................";

    #[test]
    fn searches_go_on_where_they_are_cheaper_than_a_join() {
        assert!(matches!(advise(TENTH, 100_000), Advice::SearchTo(Remaining::SECOND_LIMIT)));
        assert!(matches!(advise(MILLION, 100_000), Advice::Counted(1_082_204)));
        // Whatever an estimate says, a search ends when it has cost as much as the join.
        assert!(matches!(advise(TENTH, 300_000), Advice::Counted(135_575)));
        // A join that costs more than what is found already is for what an estimate finds far more of.
        assert!(matches!(
            advise(&".".repeat(81), 300_000),
            Advice::Counted(6_670_903_752_021_072_936_960)
        ));
    }

    #[test]
    fn a_search_goes_on_until_it_has_cost_as_much_as_the_join() {
        let unasked = || -> f64 { panic!("a cheap join needs no estimate") };
        assert_eq!(search_to(1000, 1000.0, unasked), None);
        assert_eq!(search_to(1000, 1000.5, || 1500.0), Some(1001));
        assert_eq!(search_to(1000, 5000.0, || 6000.0), None);
        assert_eq!(search_to(1000, 5000.0, || 5999.0), Some(5000));
        assert_eq!(search_to(1000, f64::INFINITY, || 0.0), Some(u64::MAX));
    }

    #[test]
    fn a_stop_ends_the_join() {
        let stop = Stop::new();
        stop.request();
        let remaining = Remaining { instructions: Instructions::best(), stop: &stop };
        assert!(remaining.advise(&MILLION.parse().unwrap(), 1 << 40).is_err());
    }

    #[test]
    fn a_single_solver_counts_many_solutions_too() {
        for (grid, solutions) in [(TENTH, 135_575), (MILLION, 1_082_204)] {
            assert_eq!(count_alone(grid.parse().unwrap(), &Stop::new()).unwrap(), solutions);
        }
    }
}
