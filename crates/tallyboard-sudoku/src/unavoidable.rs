//! Small unavoidable sets of a solved grid: cells that can be filled in another way while all others stay the same.
//!
//! Exchange two digits in one row: each now stands twice in a column and in a box. Exchange them there too, and so on,
//! until nothing stands twice. The cells that changed are such a set. Likewise, exchange the digits of two rows of a band
//! (of two columns of a stack) in one column: each now stands twice in a row, and is exchanged in its other column, too.
//!
//! A digit, a row or a column is a *line* of nine cells, one at each of nine places: a row of the grid for a digit and for a
//! column, a column for a row. So an exchange is of two lines, at a set of places. The sets of all pairs of lines are
//! found together, a pair in each lane of what the compiler makes vectors of.

use crate::CELLS;
use tallyboard_base::bits::bits;

/// Larger sets are not given out: they hardly ever lose all their clues.
const MAX_SET_PLACES: u32 = 6;

/// The digits, the rows and the columns.
const LINES: usize = 27;
/// The pairs of lines that are exchanged: any two digits, two rows of a band, two columns of a stack.
const PAIRS: [[usize; 2]; 54] = {
    let mut pairs = [[0; 2]; 54];
    let mut count = 0;
    let mut one = 0;
    while one < LINES {
        let mut other = if one < 9 { 0 } else { one / 3 * 3 };
        while other < one {
            pairs[count] = [one, other];
            count += 1;
            other += 1;
        }
        one += 1;
    }
    pairs
};
/// A lane for each pair, in whole vectors.
const LANES: usize = PAIRS.len().next_multiple_of(8);

/// The unavoidable sets of a solved grid that come from exchanges of two lines.
pub(crate) struct UnavoidableSets {
    /// The cell of each line at each place.
    cells: [[u8; 9]; LINES],
    /// For each place and pair, the places that have to be exchanged with it, a bit each.
    parts: [[u16; LANES]; 9],
}

/// What a line has at each place, and the place of each of these, as a bit. Sixteen of them, so that four bits are an index.
#[derive(Clone, Copy, Default)]
struct Held {
    at: [u8; 9],
    place: [u16; 16],
}

impl Held {
    fn set(&mut self, place: usize, what: usize) {
        self.at[place] = what as u8;
        self.place[what] = 1 << place;
    }
}

impl UnavoidableSets {
    pub fn of(solution: &[u8; CELLS]) -> Self {
        let mut cells = [[0; 9]; LINES];
        // A digit has its columns, and its boxes; a row and a column have digits.
        let mut held = [Held::default(); LINES];
        let mut boxes = [Held::default(); 9];
        for (row, column) in (0..9).flat_map(|row| (0..9).map(move |column| (row, column))) {
            let cell = 9 * row + column;
            let digit = usize::from(solution[cell]) - 1;
            boxes[digit].set(row, row / 3 * 3 + column / 3);
            let lines = [(digit, row, column), (9 + row, column, digit), (18 + column, row, digit)];
            for (line, place, what) in lines {
                cells[line][place] = cell as u8;
                held[line].set(place, what);
            }
        }
        let mut parts = [[0_u16; LANES]; 9];
        for (lane, [one, other]) in PAIRS.into_iter().enumerate() {
            for place in 0..9 {
                // What comes to `one` from `other` stands there already, at a place that has to change too.
                let forced = |to: &Held, from: &Held| to.place[usize::from(from.at[place] & 15)];
                parts[place][lane] = 1 << place | forced(&held[one], &held[other]);
                if one < 9 {
                    parts[place][lane] |= forced(&boxes[one], &boxes[other]);
                }
            }
        }
        close(&mut parts);
        Self { cells, parts }
    }

    /// Passes the cells of each set of at most twelve cells to `visit`.
    #[inline(always)]
    pub fn for_each_small(&self, mut visit: impl FnMut(&[u8])) {
        // Loops, because the compiler called each step of a chain of iterators: `generate` took a sixth more time.
        for (place, parts) in self.parts.iter().enumerate() {
            for (lane, [one, other]) in PAIRS.into_iter().enumerate() {
                let mut part = parts[lane];
                // Each set is given out at the first of its places.
                if part.trailing_zeros() != place as u32 || part.count_ones() > MAX_SET_PLACES {
                    continue;
                }
                let mut set = [0; 2 * MAX_SET_PLACES as usize];
                let mut length = 0;
                while part != 0 {
                    let at = part.trailing_zeros() as usize;
                    set[length] = self.cells[one][at];
                    set[length + 1] = self.cells[other][at];
                    length += 2;
                    part &= part - 1;
                }
                visit(&set[..length]);
            }
        }
    }

    /// The clues of `puzzle` of which each is the only one in a set, a bit a cell.
    pub fn only_clues(&self, puzzle: &[u8; CELLS]) -> u128 {
        let mut clues = [0_u16; LINES];
        for (places, cells) in clues.iter_mut().zip(&self.cells) {
            for (place, &cell) in cells.iter().enumerate() {
                *places |= u16::from(puzzle[usize::from(cell)] != 0) << place;
            }
        }
        let (mut ones, mut others) = ([0_u16; LANES], [0_u16; LANES]);
        for (lane, [one, other]) in PAIRS.into_iter().enumerate() {
            (ones[lane], others[lane]) = (clues[one], clues[other]);
        }
        let (mut only_ones, mut only_others) = ([0_u16; LANES], [0_u16; LANES]);
        for part in &self.parts {
            for lane in 0..LANES {
                let (one, other) = (ones[lane] & part[lane], others[lane] & part[lane]);
                // A set without its lowest bit is empty if it had one, or none.
                let not_one = other | one & one.wrapping_sub(1);
                let not_other = one | other & other.wrapping_sub(1);
                only_ones[lane] |= if not_one == 0 { one } else { 0 };
                only_others[lane] |= if not_other == 0 { other } else { 0 };
            }
        }
        let mut only = [0_u16; LINES];
        for (lane, [one, other]) in PAIRS.into_iter().enumerate() {
            only[one] |= only_ones[lane];
            only[other] |= only_others[lane];
        }
        let mut found = 0;
        for (cells, places) in self.cells.iter().zip(only) {
            for place in bits(u32::from(places)) {
                found |= 1 << cells[place.trailing_zeros() as usize];
            }
        }
        found
    }
}

/// Adds to the places of each part those that are reached by way of others.
fn close(parts: &mut [[u16; LANES]; 9]) {
    for via in 0..9 {
        let further = parts[via];
        for part in parts.iter_mut() {
            for lane in 0..LANES {
                let reaches = 0_u16.wrapping_sub(part[lane] >> via & 1);
                part[lane] |= further[lane] & reaches;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Generator, solved_grid};
    use crate::grid::test_grids::changed;
    use crate::{Grid, solve_up_to};
    use tallyboard_base::random::Random;

    #[test]
    fn every_set_can_be_filled_in_another_way() {
        let random = &mut Random::from_seed(3);
        for _ in 0..20 {
            let solved = *solved_grid(random).cells();
            let mut found = 0;
            UnavoidableSets::of(&solved).for_each_small(|set| {
                found += 1;
                let mut cells = solved;
                set.iter().for_each(|&cell| cells[usize::from(cell)] = 0);
                let blanks = cells.iter().filter(|&&cell| cell == 0).count();
                assert!((4..=12).contains(&blanks), "{blanks}");
                assert!(solve_up_to(&Grid::new(cells).unwrap(), 2).count > 1, "{cells:?}");
            });
            assert!(found > 20, "{found}");
        }
    }

    #[test]
    fn without_a_clue_that_is_alone_in_a_set_there_is_another_solution() {
        let generator = Generator::for_tests(Some(27), 4);
        // Clues that small sets show, and those that only larger ones do.
        let (mut in_small, mut in_larger) = (0, 0);
        for number in 0..40 {
            let puzzle = generator.puzzle(number);
            let sets = UnavoidableSets::of(solve_up_to(&puzzle, 1).first.unwrap().cells());
            let is_clue = |&cell: &usize| puzzle.cells()[cell] != 0;
            let clues = (0..CELLS).filter(is_clue).fold(0, |set, cell| set | 1 << cell);
            let mut small = 0;
            sets.for_each_small(|set| {
                let inside = clues & set.iter().fold(0, |cells, cell| cells | 1_u128 << cell);
                small |= if inside.count_ones() == 1 { inside } else { 0 };
            });
            let only = sets.only_clues(puzzle.cells());
            assert_eq!((small & !only, only & !clues), (0, 0));
            in_small += small.count_ones();
            in_larger += (only & !small).count_ones();
            for cell in (0..CELLS).filter(|cell| only >> cell & 1 != 0) {
                let others = changed(&puzzle, |cells| cells[cell] = 0);
                assert!(solve_up_to(&others, 2).count > 1, "{puzzle} {cell}");
            }
        }
        assert!(in_small > 400 && in_larger > 0, "{in_small} {in_larger}");
    }
}
