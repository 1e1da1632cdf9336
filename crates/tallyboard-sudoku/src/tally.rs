//! How many solutions of one grid have each digit in each cell.
//!
//! The grid is cut into subtrees by its first branchings, and these further until a join by lists takes one: its forward and
//! backward sums (`bands/lists/kernel/marginals.rs`) give all 729 numbers without visiting a solution. A grid that the
//! join takes at once, as most with less than some 10^8 solutions, is one subtree. Each part adds 729 numbers of 128 bits to the
//! table of its subtree.

use std::ops::ControlFlow;

use crate::Grid;
use crate::bands::{CellSums, Limits, ListJoin};
use crate::batch::lines_of;
use crate::grid_solutions::for_each_solution;
use crate::single::{GridState, Propagation, solve_up_to};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::idle::Idle;
use tallyboard_search::{CellSum, Error, Stop, Stopped, Table, TableRun, Tabulate};

/// Parts whose join takes more additions of vectors are cut further. A join of this number takes some four seconds.
/// A cut does not make it much shorter: the cells that are cut first leave empty bands as they are.
const MAX_ADDITIONS: u64 = 1 << 28;
/// Grids are cut until there are this many subtrees, or a join takes each.
const MIN_SUBTREES: usize = 256;

/// How many solutions have each digit in each cell of `grid`, to be [run](TableRun::run). Cell 9 c + d - 1 of the table is digit
/// d in cell c, row by row.
///
/// Grids of more than some 10^12 solutions take minutes and more, although [`count_solutions`](Grid::count_solutions) is fast:
/// [`estimate`](crate::estimate()) tells beforehand.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, tally};
///
/// let puzzle: Grid =
///     "53..7....6..1......98......8...6...34....3..17...2...6.6....28....419..5....8..79".parse()?;
/// let table = tally(&puzzle).run()?;
/// assert_eq!(table.solutions(), 30);
/// assert_eq!(table.cells()[9 * 2..9 * 3].iter().sum::<u128>(), 30);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tally(grid: &Grid) -> TableRun<'static> {
    TableRun::new(GridTally::new(*grid, Instructions::best()))
}

/// The engine for one grid, which it has cut.
#[derive(Debug)]
struct GridTally {
    grid: Grid,
    instructions: Instructions,
    subtrees: Vec<Grid>,
    idle: Idle<ListJoin>,
}

/// A part of a grid.
enum Part {
    /// It has no solution.
    Dead,
    /// It has one.
    Solved(Grid),
    /// The join is prepared for it.
    Joined,
    /// It is cut.
    Cut(Vec<Grid>),
}

/// Looks at a grid, and prepares `join` if it takes it.
fn part(grid: &Grid, join: &mut ListJoin, instructions: Instructions) -> Part {
    let Some((lines, _)) = lines_of(grid) else {
        // Deduction solves the grid or shows that it has no solution.
        return solve_up_to(grid, 1).first.map_or(Part::Dead, Part::Solved);
    };
    let additions = join.prepare(&lines, Limits::OF_TALLIES, instructions);
    if additions.is_some_and(|additions| additions <= MAX_ADDITIONS) {
        return Part::Joined;
    }
    let Some(mut state) = GridState::new(grid.cells()) else { return Part::Dead };
    let grid_of = |state: &GridState| Grid::new(*state.cells()).expect("digits of a grid");
    match state.propagate() {
        Propagation::Dead => Part::Dead,
        Propagation::Solved => Part::Solved(grid_of(&state)),
        Propagation::Branch(choice) => {
            Part::Cut(choice.alternatives().map(|taken| grid_of(&state.child(taken))).collect())
        }
    }
}

impl GridTally {
    fn new(grid: Grid, instructions: Instructions) -> Self {
        let mut join = ListJoin::default();
        let mut subtrees = Vec::new();
        let mut level = vec![grid];
        while !level.is_empty() && level.len() + subtrees.len() < MIN_SUBTREES {
            let mut next = Vec::new();
            for grid in level {
                match part(&grid, &mut join, instructions) {
                    Part::Dead => {}
                    Part::Solved(_) | Part::Joined => subtrees.push(grid),
                    Part::Cut(parts) => next.extend(parts),
                }
            }
            level = next;
        }
        subtrees.append(&mut level);
        Self { grid, instructions, subtrees, idle: Idle::default() }
    }

    /// Adds the solutions of `grid` to `table`.
    fn add(
        &self,
        grid: &Grid,
        join: &mut ListJoin,
        table: &mut Table,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        stop.check()?;
        let mut cells: CellSums = [[0; 9]; 81];
        let solutions = match part(grid, join, self.instructions) {
            Part::Dead => return Ok(()),
            Part::Cut(parts) => {
                return parts.iter().try_for_each(|part| self.add(part, join, table, stop));
            }
            Part::Solved(solution) => {
                let digits = cells.iter_mut().zip(solution.cells());
                digits.for_each(|(sums, &digit)| sums[usize::from(digit) - 1] = 1);
                1
            }
            Part::Joined => join.tally(self.instructions, &mut cells, stop)?,
        };
        let mut numbers = cells.as_flattened().iter().enumerate();
        table
            .count(solutions.into())
            .and_then(|()| numbers.try_for_each(|(cell, &sum)| table.add(cell, sum.into())))
            .unwrap_or_else(|overflow| Error::from(overflow).raise());
        Ok(())
    }
}

impl Tabulate for GridTally {
    fn cells(&self) -> usize {
        9 * 81
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn tabulate(&self, subtree: usize, stop: &Stop) -> Result<Table, Stopped> {
        let mut table = Table::new(self.cells());
        let mut join = self.idle.take().unwrap_or_default();
        self.add(&self.subtrees[subtree], &mut join, &mut table, stop)?;
        self.idle.put(join);
        Ok(table)
    }

    fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped> {
        let mut table = Table::new(self.cells());
        for_each_solution(&self.grid, stop, |solution| -> ControlFlow<()> {
            let digits = solution.cells().iter().enumerate();
            table
                .add_solution(digits.map(|(cell, &digit)| 9 * cell + usize::from(digit) - 1), limit)
        })?;
        Ok(table)
    }

    /// With a larger number whenever a grid is cut in another way.
    fn identity(&self) -> String {
        format!("sudoku grid={} table=2", self.grid)
    }

    /// Each cell has one digit, and each house has each digit once.
    fn sums(&self) -> Vec<CellSum> {
        let cells = (0..81).map(|cell| CellSum::once((0..9).map(move |digit| 9 * cell + digit)));
        let in_house = |house: usize, digit: usize| {
            let cells = (0..81).filter(move |&cell| GridState::HOUSES[cell].contains(&house));
            CellSum::once(cells.map(move |cell| 9 * cell + digit))
        };
        let houses = (0..27).flat_map(|house| (0..9).map(move |digit| in_house(house, digit)));
        cells.chain(houses).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grid::test_grids::{MILLION, PAIRS, THOUSANDS, UNIQUE};

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    #[test]
    fn tables_are_those_of_the_lists_of_solutions() {
        let mut grids = [UNIQUE, PAIRS, THOUSANDS].map(grid).to_vec();
        grids.push(Grid::new([1; 81]).unwrap());
        for number in 0..24 {
            let mut cells = *Generator::for_tests(Some(24), 7).puzzle(number).cells();
            cells.iter_mut().skip(number as usize).step_by(9).for_each(|cell| *cell = 0);
            grids.push(Grid::new(cells).unwrap());
            grids.push(Grid::new(std::array::from_fn(|at| cells[at % 9 * 9 + at / 9])).unwrap());
        }
        let mut several = 0;
        for grid in grids {
            for instructions in Instructions::all() {
                let engine = GridTally::new(grid, instructions);
                let expected = engine.first(u64::MAX, &Stop::new()).unwrap();
                several += u32::from(expected.solutions() > 1);
                assert_eq!(TableRun::new(engine).threads(1).run().unwrap(), expected, "{grid}");
            }
        }
        assert!(several > 20, "only {several} grids had several solutions");
    }

    /// Grids that are cut have the tables of their parts, however many there are.
    #[test]
    fn a_grid_that_is_cut_has_the_sums_of_its_parts() {
        let engine = GridTally::new(grid(MILLION), Instructions::best());
        let Part::Cut(parts) = ({
            let mut state = GridState::new(engine.grid.cells()).unwrap();
            let Propagation::Branch(choice) = state.propagate() else { panic!("a branch") };
            let grids =
                choice.alternatives().map(|it| Grid::new(*state.child(it).cells()).unwrap());
            Part::Cut(grids.collect())
        }) else {
            panic!("parts")
        };
        let whole = TableRun::new(engine).threads(2).run().unwrap();
        assert_eq!(whole.solutions(), 1_082_204);
        let mut sum = Table::new(9 * 81);
        parts.iter().for_each(|part| sum.merge(&tally(part).run().unwrap()).unwrap());
        assert_eq!(sum, whole);
    }

    /// A band and more is empty: cut cell by cell, this grid took minutes.
    #[test]
    fn a_grid_with_an_empty_band_is_joined_whole() {
        let grid = grid(
            "................................3.2...1.4......5....6..3......4.7..8...962...7...",
        );
        assert!(matches!(
            part(&grid, &mut ListJoin::default(), Instructions::best()),
            Part::Joined
        ));
        let table = tally(&grid).threads(1).run().unwrap();
        assert_eq!(table.solutions(), 18_084_492);
        // Each number is the count of the grid with that candidate given, by the engines of counts.
        for (cell, digit) in [(0, 4), (4, 1), (8, 9), (30, 5), (80, 1)] {
            let mut cells = *grid.cells();
            cells[cell] = digit;
            let expected = Grid::new(cells).unwrap().count_solutions().unwrap();
            assert_eq!(
                table.cells()[9 * cell + usize::from(digit) - 1],
                expected,
                "{cell} {digit}"
            );
        }
    }

    #[test]
    fn a_limit_takes_the_first_solutions_in_order() {
        let thousands = grid(THOUSANDS);
        let table = tally(&thousands).limit(1000).run().unwrap();
        assert!(table.is_cut() && table.solutions() == 1000);
        let whole = tally(&thousands).run().unwrap();
        assert_eq!((whole.solutions(), whole.is_cut()), (12_462, false));
        assert_eq!(tally(&thousands).limit(12_462).run().unwrap(), whole);
    }
}
