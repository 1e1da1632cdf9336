//! A backtracker for one grid of any box size: it fills singles, then branches, depth first.
//!
//! It solves single grids and grids of sizes other than 9 × 9, and tests compare the faster engines with it. It branches as
//! [`State::propagate`] says, and takes cells and digits in ascending order. This order decides which of several solutions
//! it finds first.

use crate::grid::{Houses, houses};
use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;
use tallyboard_base::random::Random;
use tallyboard_search::{NodeBudget, Stop, Stopped};

/// The answer for one grid: the number of solutions found, and the first of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer {
    /// Solutions found; the search ended when this reached the limit.
    pub count: u64,
    /// The first solution found, if there is one.
    pub first: Option<Grid>,
}

/// Solves `grid`: counts its solutions up to `limit` and keeps the first one found. The time grows with the number of solutions
/// found. To count all solutions of an open grid, use [`CountOne`](crate::CountOne).
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, solve_up_to};
/// let empty = Grid::default();
/// assert_eq!(solve_up_to(&empty, 2).count, 2);
/// ```
pub fn solve_up_to(grid: &Grid, limit: u64) -> Answer {
    solve_or_stop(grid, limit, &Stop::new()).expect("nobody raises this flag")
}

/// As [`solve_up_to`], with a stop flag.
///
/// # Errors
/// [`Stopped`] if `stop` was raised meanwhile.
pub fn solve_or_stop(grid: &Grid, limit: u64, stop: &Stop) -> Result<Answer, Stopped> {
    let (count, first) = solve_any::<9, 81>(grid.cells(), limit, stop)?;
    Ok(Answer { count, first: first.and_then(Grid::new) })
}

/// Solves a grid of any box size (0 is a blank): the number of solutions up to `limit`, and the first one found.
pub fn solve_any<const SIDE: usize, const CELLS: usize>(
    grid: &[u8; CELLS],
    limit: u64,
    stop: &Stop,
) -> Result<(u64, Option<[u8; CELLS]>), Stopped> {
    stop.check()?;
    let branchings = NodeBudget::unlimited(stop);
    let mut descent = Descent { count: 0, first: None, limit, branchings };
    if let Some(state) = State::<SIDE, CELLS>::new(grid)
        && limit > 0
    {
        descent.search(state)?;
    }
    Ok((descent.count, descent.first))
}

/// `grid` with all singles filled in; `None` if they end in a contradiction.
pub fn fill_singles(grid: &Grid) -> Option<Grid> {
    let mut state = GridState::new(grid.cells())?;
    match state.propagate() {
        Propagation::Dead => None,
        Propagation::Branch(_) | Propagation::Solved => Grid::new(*state.cells()),
    }
}

/// `grid` with all singles filled in; `None` if that solves it or shows that it has no solution.
pub fn with_singles(grid: &Grid) -> Option<Grid> {
    fill_singles(grid).filter(|filled| filled.clues() < CELLS)
}

/// A search, the number of solutions found so far, and the first of them.
struct Descent<'a, const CELLS: usize> {
    count: u64,
    first: Option<[u8; CELLS]>,
    limit: u64,
    branchings: NodeBudget<'a>,
}

impl<const CELLS: usize> Descent<'_, CELLS> {
    /// Counts the solutions of `state` until the limit is reached.
    fn search<const SIDE: usize>(&mut self, mut state: State<SIDE, CELLS>) -> Result<(), Stopped> {
        let choice = match state.propagate() {
            Propagation::Dead => return Ok(()),
            Propagation::Solved => {
                self.first.get_or_insert(*state.cells());
                self.count += 1;
                return Ok(());
            }
            Propagation::Branch(choice) => choice,
        };
        self.branchings.count_node().or(Err(Stopped))?;
        for alternative in choice.alternatives() {
            self.search(state.child(alternative))?;
            if self.count == self.limit {
                break;
            }
        }
        Ok(())
    }
}

// A partly filled grid of any box size, and what follows from it by singles.
//
// Every row, column and box keeps a mask of the digits it still needs; the candidates of a cell are the digits
// that its three houses all need. A first sweep over the blank cells fills the naked singles and counts how
// many cells of each house may hold each digit: the *census*. A second sweep fills the hidden singles that the
// census shows. The first sweep fills cells while it counts, so the census may count too many places, but
// never too few: every hidden single that it shows is one.

/// A grid of `SIDE` × `SIDE` cells in boxes of √`SIDE` × √`SIDE`; `CELLS` is `SIDE`².
#[derive(Debug, Clone)]
pub struct State<const SIDE: usize, const CELLS: usize> {
    /// The digits that each row, column and box still needs: bit 0 is digit 1.
    needs: [[u32; SIDE]; 3],
    cells: [u8; CELLS],
    /// The blank cells in reading order, `blanks` of them.
    blank: [u16; CELLS],
    blanks: usize,
}

pub type GridState = State<9, 81>;

/// The result of filling all singles.
pub enum Propagation {
    /// A cell has no candidate, or a house no place for a digit.
    Dead,
    /// Every cell is filled.
    Solved,
    /// Where to branch.
    Branch(Choice),
}

/// The alternatives of one branching: some digits for one cell, or two cells for one digit.
#[derive(Clone, Copy)]
pub struct Choice {
    /// The cells, of which the first `places` count.
    cells: [u16; 2],
    places: usize,
    /// The digits, a bit each.
    digits: u32,
}

impl Choice {
    /// Each alternative: a cell and the bit of its digit.
    pub fn alternatives(self) -> impl Iterator<Item = (usize, u32)> {
        let cells = self.cells.into_iter().take(self.places);
        cells.flat_map(move |cell| bits(self.digits).map(move |bit| (cell.into(), bit)))
    }

    /// One of the alternatives, each as likely as any other.
    pub fn random(self, random: &mut Random) -> (usize, u32) {
        let number = random.below(self.count()) as usize;
        self.alternatives().nth(number).expect("one of the alternatives")
    }

    pub fn count(self) -> u32 {
        self.places as u32 * self.digits.count_ones()
    }
}

/// The digits that have at least one, two and three places in a house.
#[derive(Clone, Copy, Default)]
struct PlaceCounts {
    once: u32,
    twice: u32,
    thrice: u32,
}

impl PlaceCounts {
    #[inline]
    fn add(&mut self, candidates: u32) {
        self.thrice |= self.twice & candidates;
        self.twice |= self.once & candidates;
        self.once |= candidates;
    }

    #[inline]
    fn single(&self) -> u32 {
        self.once & !self.twice
    }
}

/// The place counts of every house.
type Census<const SIDE: usize> = [[PlaceCounts; SIDE]; 3];

impl<const SIDE: usize, const CELLS: usize> State<SIDE, CELLS> {
    /// The houses of every cell.
    pub const HOUSES: &'static [Houses; CELLS] = &houses::<SIDE, CELLS>();

    /// The state of a grid (0 is a blank) before the search; `None` if two givens clash, so that the
    /// grid has no solution. A value over `SIDE` counts as a clash.
    pub fn new(grid: &[u8; CELLS]) -> Option<Self> {
        let all = u32::MAX >> (32 - SIDE);
        let mut state =
            Self { needs: [[all; SIDE]; 3], cells: [0; CELLS], blank: [0; CELLS], blanks: 0 };
        for (cell, &digit) in grid.iter().enumerate() {
            if digit == 0 {
                state.blank[state.blanks] = cell as u16;
                state.blanks += 1;
            } else {
                let bit = 1_u32.checked_shl(u32::from(digit) - 1)?;
                if state.candidates(cell) & bit == 0 {
                    return None;
                }
                state.put(cell, bit);
            }
        }
        Some(state)
    }

    /// The digits that a blank cell may hold.
    #[inline]
    pub fn candidates(&self, cell: usize) -> u32 {
        let [row, column, box_number] = Self::houses_by_kind(cell);
        self.needs[0][row] & self.needs[1][column] & self.needs[2][box_number]
    }

    /// The row, the column and the box of a cell, each counted from 0. Inner loops use these: with numbers across
    /// all houses they would need `as_flattened`, which is not inlined in every build (`base::array` says why), and
    /// take 1.5 times as long.
    #[inline]
    fn houses_by_kind(cell: usize) -> Houses {
        let [row, column, box_number] = Self::HOUSES[cell];
        [row, column - SIDE, box_number - 2 * SIDE]
    }

    /// The cells; 0 is a blank.
    pub fn cells(&self) -> &[u8; CELLS] {
        &self.cells
    }

    pub fn blank_cells(&self) -> &[u16] {
        &self.blank[..self.blanks]
    }

    /// The state after one of the alternatives of a branching.
    pub fn child(&self, (cell, bit): (usize, u32)) -> Self {
        let mut child = self.clone();
        let position = child.blank_cells().iter().position(|&blank| usize::from(blank) == cell);
        let position = position.expect("a branching fills a blank cell");
        child.blank.copy_within(position + 1..child.blanks, position);
        child.blanks -= 1;
        child.put(cell, bit);
        child
    }

    /// The state that is solved when `cells` (in reading order) are filled: each house needs only digits that
    /// these may hold. The other blank cells stay blank.
    pub fn restricted_to(&self, cells: &[u16]) -> Self {
        let mut part = self.clone();
        part.needs = [[0; SIDE]; 3];
        for &cell in cells {
            for house in Self::HOUSES[usize::from(cell)] {
                part.needs.as_flattened_mut()[house] |= self.candidates(cell.into());
            }
        }
        part.blank[..cells.len()].copy_from_slice(cells);
        part.blanks = cells.len();
        part
    }

    /// Fills naked and hidden singles until there are none.
    ///
    /// Then it branches on the cell with the fewest candidates, the first of them in reading order. But if that has
    /// three or more candidates, and a digit has just two places in some house, it branches on that digit.
    pub fn propagate(&mut self) -> Propagation {
        loop {
            let before = self.blanks;
            let Some((census, fewest)) = self.fill_naked() else { return Propagation::Dead };
            if self.blanks == 0 {
                return Propagation::Solved;
            }
            if self.lacks_a_place(&census) || !self.fill_hidden(&census) {
                return Propagation::Dead;
            }
            if self.blanks == before {
                return Propagation::Branch(self.two_places(&census, fewest).unwrap_or(fewest));
            }
        }
    }

    /// Writes the digit of `bit` into a cell. The caller removes the cell from the blank ones.
    #[inline]
    fn put(&mut self, cell: usize, bit: u32) {
        let [row, column, box_number] = Self::houses_by_kind(cell);
        self.needs[0][row] &= !bit;
        self.needs[1][column] &= !bit;
        self.needs[2][box_number] &= !bit;
        self.cells[cell] = bit.trailing_zeros() as u8 + 1;
    }

    /// Fills naked singles in one sweep over the blank cells. Returns the census of the others, and a branching on the
    /// first cell with the fewest candidates; `None` if a cell has no candidate.
    fn fill_naked(&mut self) -> Option<(Census<SIDE>, Choice)> {
        let mut census = [[PlaceCounts::default(); SIDE]; 3];
        let mut fewest = Choice { cells: [0; 2], places: 1, digits: u32::MAX };
        let mut kept = 0;
        for position in 0..self.blanks {
            let cell = self.blank[position];
            let candidates = self.candidates(cell.into());
            if candidates & candidates.wrapping_sub(1) == 0 {
                if candidates == 0 {
                    return None;
                }
                self.put(cell.into(), candidates);
                continue;
            }
            if candidates.count_ones() < fewest.digits.count_ones() {
                fewest = Choice { cells: [cell; 2], places: 1, digits: candidates };
            }
            let [row, column, box_number] = Self::houses_by_kind(cell.into());
            census[0][row].add(candidates);
            census[1][column].add(candidates);
            census[2][box_number].add(candidates);
            self.blank[kept] = cell;
            kept += 1;
        }
        self.blanks = kept;
        Some((census, fewest))
    }

    /// Whether a house needs a digit that none of its cells may hold.
    fn lacks_a_place(&self, census: &Census<SIDE>) -> bool {
        // By index: see base::array.
        let mut lacking = 0;
        for kind in 0..self.needs.len() {
            for house in 0..SIDE {
                lacking |= self.needs[kind][house] & !census[kind][house].once;
            }
        }
        lacking != 0
    }

    /// Fills the hidden singles of the census; false if two are in one cell.
    fn fill_hidden(&mut self, census: &Census<SIDE>) -> bool {
        let mut kept = 0;
        for position in 0..self.blanks {
            let cell = self.blank[position];
            let houses = Self::houses_by_kind(cell.into());
            let [in_row, in_column, in_box] = array(|kind| census[kind][houses[kind]].single());
            let hidden = self.candidates(cell.into()) & (in_row | in_column | in_box);
            if hidden == 0 {
                self.blank[kept] = cell;
                kept += 1;
            } else if hidden.is_power_of_two() {
                self.put(cell.into(), hidden);
            } else {
                return false;
            }
        }
        self.blanks = kept;
        true
    }

    /// The branching on a digit that has two places in a house, if every cell has three candidates or more.
    fn two_places(&self, census: &Census<SIDE>, fewest: Choice) -> Option<Choice> {
        if fewest.count() <= 2 {
            return None;
        }
        let houses = census.as_flattened().iter().enumerate();
        let (house, digits) = houses
            .map(|(house, seen)| (house, seen.twice & !seen.thrice))
            .find(|(_, digits)| *digits != 0)?;
        let digit = bits(digits).next()?;
        let mut places = self.blank_cells().iter().copied().filter(|&cell| {
            Self::HOUSES[usize::from(cell)].contains(&house)
                && self.candidates(cell.into()) & digit != 0
        });
        Some(Choice { cells: [places.next()?, places.next()?], places: 2, digits: digit })
    }
}
