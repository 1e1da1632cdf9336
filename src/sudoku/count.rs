//! Counting every solution of one grid as a [`Problem`]: the branches of its first empty cells are
//! the subtrees.
//!
//! Blank cells that share no candidate along any house, however remote, are independent: their
//! counts multiply. The search looks for such components wherever it branches. What is left of a
//! subtree without any goes to the block engine, many states at a time.

use super::block::{Engine, Table};
use super::components::components;
use super::kernel::state::{State, Step};
use super::{Grid, Solver};
use crate::search::{Problem, Stop, Stopped, Tally};

/// Branches are split further until there are this many, or none can be split.
const ENOUGH_SUBTREES: usize = 1000;
/// How many branchings pass between two looks at the stop flag.
const POLL_INTERVAL: u32 = 1 << 12;
/// A state with at most this many blank cells that are in one part is counted by the block engine.
const HANDED_OVER: usize = 45;
/// How many states the block engine gets at a time.
const TABLE: usize = 1 << 8;

type Nine = State<9, 81>;

/// The exact count of all solutions of one grid.
#[derive(Debug, Clone)]
pub struct CountOne {
    grid: Grid,
    solver: Solver,
}

/// The solutions that begin with given digits in the first branching cells.
pub struct Subtree(Nine);

impl CountOne {
    /// Counts every solution of `grid`, by the fastest solver.
    pub fn new(grid: Grid) -> Self {
        Self { grid, solver: Solver::default() }
    }

    /// The same by another solver. A kernel that the CPU lacks is replaced by the best it has.
    #[must_use]
    pub fn by(self, solver: Solver) -> Self {
        Self { solver, ..self }
    }

    /// The grid whose solutions are counted.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }
}

impl Problem for CountOne {
    type Subtree = Subtree;

    fn identity(&self) -> String {
        format!("sudoku grid={} algorithm=1 layout=2", self.grid)
    }

    fn split(&self) -> Vec<Subtree> {
        let mut level: Vec<Nine> = Nine::new(self.grid.cells()).into_iter().collect();
        // Breadth first, so that the subtrees end at about the same depth.
        while (1..ENOUGH_SUBTREES).contains(&level.len()) {
            let mut next = Vec::new();
            let mut grew = false;
            for mut state in level {
                match state.propagate() {
                    Step::Dead => {}
                    Step::Solved => next.push(state),
                    Step::Branch(choice) => {
                        grew = true;
                        next.extend(choice.moves().map(|step| state.child(step)));
                    }
                }
            }
            level = next;
            if !grew {
                break;
            }
        }
        level.into_iter().map(Subtree).collect()
    }

    fn cost(&self, _: &Subtree) -> u64 {
        1
    }

    fn count(&self, subtree: &Subtree, stop: &Stop) -> Result<Tally, Stopped> {
        let block = self.solver.engine().map(|engine| (engine, Table::default()));
        let mut counter = Counter { stop, branchings: 0, block };
        let sum = counter.count(subtree.0.clone(), true)?;
        Ok(Tally::new(sum + counter.empty_table()?))
    }
}

/// A 9 × 9 grid has fewer than 10^22 solutions, so no sum or product here reaches 2^128.
struct Counter<'a> {
    stop: &'a Stop,
    branchings: u32,
    /// The block engine, and the states that it is to count.
    block: Option<(Engine, Table)>,
}

impl Counter<'_> {
    /// The solutions of a state, save those that are left to the table. Only a `whole` grid can be: the
    /// block engine would count what is blank outside of a part, too.
    fn count(&mut self, mut state: Nine, whole: bool) -> Result<u128, Stopped> {
        let choice = match state.propagate() {
            Step::Dead => return Ok(0),
            Step::Solved => return Ok(1),
            Step::Branch(choice) => choice,
        };
        self.branchings = self.branchings.wrapping_add(1);
        if self.branchings.is_multiple_of(POLL_INTERVAL) {
            self.stop.check()?;
        }
        if let Some(parts) = components(&state) {
            let mut product = 1;
            for part in parts {
                product *= self.count(part, false)?;
                if product == 0 {
                    break;
                }
            }
            return Ok(product);
        }
        if whole
            && state.blank_cells().len() <= HANDED_OVER
            && let Some((_, table)) = &mut self.block
            && let Some(grid) = Grid::new(*state.cells())
        {
            table.push(&grid);
            return if table.len() == TABLE { self.empty_table() } else { Ok(0) };
        }
        let mut sum = 0;
        for step in choice.moves() {
            sum += self.count(state.child(step), whole)?;
        }
        Ok(sum)
    }

    /// The solutions of the states in the table.
    fn empty_table(&mut self) -> Result<u128, Stopped> {
        let Some((engine, table)) = &mut self.block else { return Ok(0) };
        table.count_all(engine, self.stop)?;
        let sum = table.counts().iter().copied().map(u128::from).sum();
        table.clear();
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Options, Silent, run};
    use crate::sudoku::solve;

    /// Two of its pairs of cells may be swapped, and they do not touch each other.
    const TWO_RECTANGLES: &str =
        "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";

    fn count(grid: &str) -> u128 {
        let problem = CountOne::new(grid.parse().unwrap());
        run(&problem, &Options::new(), &mut Silent).unwrap().tally.solutions()
    }

    #[test]
    fn counts_agree_with_plain_enumeration() {
        let sparse =
            ".2345678945678.12378912345..3.....897..89.3....97.3....1....9.8....1....2.......4";
        for grid in [TWO_RECTANGLES, sparse] {
            let plain = solve(&grid.parse().unwrap(), u64::MAX).count;
            assert_eq!(count(grid), u128::from(plain), "{grid}");
        }
        assert_eq!(count(TWO_RECTANGLES), 4);
    }

    #[test]
    fn a_clash_has_no_solution() {
        assert_eq!(count(&format!("11{}", ".".repeat(79))), 0);
    }
}
