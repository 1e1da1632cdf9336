//! Pencil marks: grids of which each cell has some candidates. They are solved by plain search over the candidates, because
//! the other engines start from digits alone.

use crate::Grid;
use crate::grid::CELLS;
use crate::single::GridState;
use tallyboard_search::{NodeBudget, Stop, Stopped};

/// The candidates of each cell: bit 0 is digit 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks(pub [u16; CELLS]);

const ALL: u16 = 0x1ff;

impl Marks {
    /// A digit leaves its cell one candidate, a blank all nine.
    pub fn of(grid: &Grid) -> Self {
        Self(grid.cells().map(|digit| if digit == 0 { ALL } else { 1 << (digit - 1) }))
    }

    /// The cells with one candidate as digits.
    pub fn digits(&self) -> Grid {
        let digit =
            |marks: u16| if marks.count_ones() == 1 { marks.trailing_zeros() + 1 } else { 0 };
        Grid::of_digits(self.0.map(|marks| digit(marks) as u8))
    }

    /// Whether the digits say as much: no other cell lacks a candidate that the digits leave it.
    pub fn follow_from_digits(&self) -> bool {
        let Some(state) = GridState::new(self.digits().cells()) else { return true };
        (0..CELLS).all(|cell| {
            let left = state.candidates(cell) as u16;
            state.cells()[cell] != 0 || self.0[cell] & left == left
        })
    }

    /// The number of solutions up to `limit`, and the one found first.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn solve(&self, limit: u64, stop: &Stop) -> Result<(u64, Option<Grid>), Stopped> {
        stop.check()?;
        let mut search =
            Search { limit, count: 0, first: None, nodes: NodeBudget::unlimited(stop) };
        if limit > 0 {
            search.descend(*self)?;
        }
        Ok((search.count, search.first))
    }

    /// Takes `digits` from a cell. A cell that is left with one candidate takes that from its peers, and so on. Returns whether
    /// each cell has a candidate left.
    fn remove(&mut self, cell: usize, digits: u16) -> bool {
        let mut open = vec![(cell, digits)];
        while let Some((cell, digits)) = open.pop() {
            let before = self.0[cell];
            let after = before & !digits;
            self.0[cell] = after;
            if after == 0 {
                return false;
            }
            if after != before && after.count_ones() == 1 {
                open.extend(peers(cell).map(|peer| (peer, after)));
            }
        }
        true
    }

    /// The marks with each single candidate taken from the peers of its cell; `None` if that leaves a cell without any.
    fn propagated(mut self) -> Option<Self> {
        for cell in 0..CELLS {
            let marks = self.0[cell];
            if marks == 0 {
                return None;
            }
            if marks.count_ones() == 1 && !peers(cell).all(|peer| self.remove(peer, marks)) {
                return None;
            }
        }
        Some(self)
    }

    /// Where to branch: the cell with the fewest candidates, at least two; or, if these are more than two, the first digit that
    /// has fewer places in a house. `None` if all cells have one; `Some` without alternatives if a digit has no place.
    fn alternatives(&self) -> Option<Vec<(usize, u16)>> {
        let open = (0..CELLS).filter(|&cell| self.0[cell].count_ones() > 1);
        let cell = open.min_by_key(|&cell| self.0[cell].count_ones())?;
        let of_cell = (0..9).map(|digit| (cell, 1 << digit));
        let mut fewest: Vec<_> = of_cell.filter(|&(cell, bit)| self.0[cell] & bit != 0).collect();
        if fewest.len() > 2 {
            for house in houses() {
                for bit in (0..9).map(|digit| 1 << digit) {
                    let places = house.iter().filter(|&&cell| self.0[cell] & bit != 0);
                    if places.clone().count() < fewest.len() {
                        let is_placed = places.clone().any(|&cell| self.0[cell] == bit);
                        if !is_placed {
                            fewest = places.map(|&cell| (cell, bit)).collect();
                        }
                    }
                }
            }
        }
        Some(fewest)
    }
}

/// The cells that share a house with `cell`.
fn peers(cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / 9, cell % 9);
    (0..CELLS).filter(move |&other| {
        let (r, c) = (other / 9, other % 9);
        other != cell && (r == row || c == column || (r / 3, c / 3) == (row / 3, column / 3))
    })
}

/// The cells of each row, column and box.
fn houses() -> impl Iterator<Item = [usize; 9]> {
    (0..27).map(|house| {
        std::array::from_fn(|place| match house / 9 {
            0 => house % 9 * 9 + place,
            1 => place * 9 + house % 9,
            _ => house % 9 / 3 * 27 + house % 3 * 3 + place / 3 * 9 + place % 3,
        })
    })
}

/// A search, the number of solutions found so far, and the first of them.
struct Search<'a> {
    limit: u64,
    count: u64,
    first: Option<Grid>,
    nodes: NodeBudget<'a>,
}

impl Search<'_> {
    fn descend(&mut self, marks: Marks) -> Result<(), Stopped> {
        let Some(marks) = marks.propagated() else { return Ok(()) };
        self.nodes.count_node().or(Err(Stopped))?;
        let Some(alternatives) = marks.alternatives() else {
            self.first.get_or_insert(marks.digits());
            self.count += 1;
            return Ok(());
        };
        for (cell, bit) in alternatives {
            let mut child = marks;
            if child.remove(cell, !bit & ALL) {
                self.descend(child)?;
            }
            if self.count == self.limit {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::for_each_solution;
    use crate::generate::Generator;
    use std::ops::ControlFlow;
    use tallyboard_base::random::Random;

    /// The solutions of the digits that respect the marks, found by another engine.
    fn expected(marks: &Marks) -> u64 {
        let mut count = 0;
        for_each_solution(&marks.digits(), &Stop::new(), |solution| {
            let allowed = |(&marks, &digit): (&u16, &u8)| marks >> (digit - 1) & 1 != 0;
            count += u64::from(marks.0.iter().zip(solution.cells()).all(allowed));
            ControlFlow::Continue(())
        })
        .unwrap();
        count
    }

    #[test]
    fn marks_are_counted_as_the_solutions_of_their_digits_that_they_allow() {
        let random = &mut Random::from_seed(7);
        let generator = Generator::for_tests(Some(30), 3);
        let mut by_count = [0; 3];
        for number in 0..60 {
            let mut cells = *generator.puzzle(number).cells();
            // Without some clues there are several solutions, of which the marks allow some.
            for _ in 0..6 {
                cells[random.below(81) as usize] = 0;
            }
            let mut marks = Marks::of(&Grid::new(cells).unwrap());
            for _ in 0..8 {
                let cell = random.below(81) as usize;
                let without = marks.0[cell] & !(1 << random.below(9));
                if without.count_ones() > 1 {
                    marks.0[cell] = without;
                }
            }
            let (count, first) = marks.solve(u64::MAX, &Stop::new()).unwrap();
            assert_eq!(count, expected(&marks));
            assert_eq!(first.is_some(), count > 0);
            assert_eq!(marks.solve(2, &Stop::new()).unwrap().0, count.min(2));
            by_count[count.min(2) as usize] += 1;
        }
        assert!(by_count.iter().all(|&puzzles| puzzles > 2), "{by_count:?}");
    }

    #[test]
    fn a_cell_without_candidates_leaves_no_solution() {
        let mut marks = Marks([ALL; CELLS]);
        marks.0[40] = 0;
        assert_eq!(marks.solve(2, &Stop::new()).unwrap(), (0, None));
        marks.0[40] = 1;
        assert_eq!(marks.solve(2, &Stop::new()).unwrap().0, 2);
        assert!(marks.follow_from_digits());
        marks.0[0] = 3;
        assert!(!marks.follow_from_digits());
    }
}
