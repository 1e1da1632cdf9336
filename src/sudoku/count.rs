//! Counting every solution of one grid as a [`Problem`], by the cheaper of two methods.

use super::bands::BandJoin;
use super::enumeration::Enumeration;
use super::estimate::estimate;
use super::single::deduced;
use super::{Grid, Solver};
use crate::named::named;
use crate::search::{Costs, Counter, Problem, Stop, Stopped, Tally};

/// Descents that estimate a number of solutions, some milliseconds.
const PROBES: u64 = 1000;
/// Grids with fewer solutions than this, at 30 a microsecond, are enumerated before a join is prepared.
const FEW: f64 = 300_000.0;
/// Solutions that are enumerated while a join does a step of its work.
const SOLUTIONS_PER_STEP: f64 = 0.1;

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
                let about = estimate(&from, PROBES, 1);
                // Where a few descents outweigh the others there are rather more.
                let high = about.interval.map_or(about.ln + 3_f64.ln(), |(_, high)| high);
                let solutions = high.exp();
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

/// The number of solutions of one of many grids, counted by the calling thread alone.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub(super) fn count_alone(grid: Grid, solver: Solver, stop: &Stop) -> Result<u128, Stopped> {
    let counter = CountOne::sparing(grid, None, solver, KEPT_BYTES_OF_MANY).counter;
    (0..counter.subtrees())
        .try_fold(0, |sum, number| Ok(sum + counter.count(number, stop)?.solutions()))
}

impl Problem for CountOne {
    fn identity(&self) -> String {
        let join = if self.engine == Engine::Join { "join " } else { "" };
        format!("sudoku grid={} {join}{}", self.grid, self.counter.revision())
    }

    fn split(&self) -> Costs {
        self.counter.split()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.counter.count(subtree, stop)
    }
}
