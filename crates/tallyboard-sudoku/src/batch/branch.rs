//! Splitting a state into two that exclude each other.
//!
//! For one puzzle:
//!
//! ```text
//! cell  := a cell with two candidates (see `choice`), or, where there is none, the first of those
//!          with the fewest
//! value := of two candidates the one with the lower minor, then the lower major;
//!          of more candidates the least
//! state := the state with `value` alone in `cell`          -- searched first
//! other := the state without `value` in `cell`             -- searched later
//! if the cell had two candidates: in each half, remove the value of the cell from the rest of its box
//! ```
//!
//! Departures from it:
//!
//! 1. All lanes are split at once. A lane without a cell of two candidates is rare; it is split
//!    alone, in plain integers.
//! 2. If the halves are *twins* (see [`split`]), only the first is searched.
//!
//! Which cell and value are taken depends on the state and the order alone, so that the search tree of
//! a puzzle is the same in every vector width.

use std::hint::black_box;

use super::choice::{CellSet, Order, by_place, choose, pairs_and_more};
use super::lanes::{Lanes, Set, ones};
use super::layout::{State, WORDS, at};
use super::round::BOXES;
use tallyboard_base::array::array;

/// What was split, as sets of lanes.
pub struct Split {
    /// The lane was split.
    pub split: u32,
    /// The two halves have equally many solutions, so the second need not be searched.
    pub twins: u32,
    /// The two halves have one solution each. These lanes are twins, too.
    pub pairs: u32,
}

/// Splits the lanes of a set: `state` keeps the first halves, `other` receives the second halves
/// (the contents of its other lanes are unspecified).
///
/// Lanes that the last round left unchanged (`stuck`) must be alive and unsolved, and are always
/// split; other lanes only if they have a cell with two candidates.
///
/// *Twins.* Assume that no cell of a stuck state has three candidates or more: every open cell has two. A
/// box has as many open values as open cells: if two values had their only place in one cell, too few values
/// would be left for the other cells. Each open value has at least two places in the box, so it has exactly
/// two. In a band, an open value has two places for each of its open boxes and at least two in each of its
/// open rows. It has as many open rows as open boxes, so exactly two places in each row. Columns are alike.
/// So every rule that is still open says that exactly one of two candidates is true. Exchange true and false
/// for all candidates that the rules connect with each other: a solution becomes another solution. This pairs
/// the solutions of the first half with those of the second.
///
/// *Pairs.* The halves of twins with four or six open cells have one solution each: the rules connect these
/// cells, and the choices never contradict each other. (Five are impossible, because every open row and column
/// has at least two.) There are two cases. Either each open row and column has two open cells: they form a
/// ring of four or six cells, in which the cells of a box are neighbours or opposite. Or two rows have three
/// open cells each: the columns pair them, and the values rotate one way in one row and the other way in the
/// other. (If two or three of these columns were in one box that has both rows, a value would have more than
/// two places in the box.)
#[inline(always)]
pub fn split<V: Lanes>(
    state: &mut State<V>,
    other: &mut State<V>,
    lanes: u32,
    stuck: u32,
    order: Order,
) -> Split {
    let none = V::splat(0);
    let [two, more] = pairs_and_more(state);
    // Black boxes as in `round`: words are loaded again rather than spilled.
    let cells = choose(black_box(&*state), &two, V::only(lanes), order);
    let unpaired = lanes & (cells[0] | cells[1] | cells[2]).same(none);
    split_pairs(black_box(&mut *state), other, &cells);
    for lane in Set(unpaired & stuck) {
        split_cell(state, other, lane);
    }
    let twins = stuck & (more[0] | more[1] | more[2]).same(none);
    let pairs = if twins == 0 {
        0
    } else {
        let open = count_cells(two);
        twins & (open.same(V::splat(4)) | open.same(V::splat(6)))
    };
    Split { split: lanes & (!unpaired | stuck), twins, pairs }
}

/// Splits each lane at its one cell of `cells`, if it has one; that cell has two candidates.
#[inline(always)]
fn split_pairs<V: Lanes>(state: &mut State<V>, other: &mut State<V>, cells: &CellSet<V>) {
    // `boxes`: for each place, the box of the cell to split, in all minors. `here`: the candidates of the cell.
    let (boxes, mut here) = (by_place(cells), [V::splat(0); 3]);
    for major in 0..3 {
        for place in 0..9 {
            here[major] = here[major] | state[9 * major + place] & boxes[place];
        }
    }
    let pick = (here[0] | here[1] | here[2]).lowest_bit();
    let first = [pick & here[0], pick & here[1] & !here[0], pick & !(here[0] | here[1])];
    for major in 0..3 {
        let second = here[major] & !first[major];
        for place in 0..9 {
            // Each half removes its value from the rest of the box, and the other value from the cell.
            let index = at(major, 0, 0) + place;
            let word = state[index];
            state[index] = word & !(first[major] ^ boxes[place]);
            other[index] = word & !(second ^ boxes[place]);
        }
    }
}

/// The number of cells in a set.
#[inline(always)]
fn count_cells<V: Lanes>([a, b, c]: CellSet<V>) -> V {
    ones(a ^ b ^ c) + (ones(a.majority(b, c)) << 1)
}

/// Splits one lane at the first candidate of a cell with the fewest.
#[inline(never)]
fn split_cell<V: Lanes>(state: &mut State<V>, other: &mut State<V>, lane: usize) {
    let words: [u32; WORDS] = array(|word| state[word].words()[lane]);
    let (place, cell) = cell_with_fewest(&words);
    let mask = (1 | 1 << 9 | 1 << 18) << cell;
    let mut taken = false;
    for major in 0..3 {
        let index = 9 * major + place;
        let here = words[index] & mask;
        let first = if taken { 0 } else { here & here.wrapping_neg() };
        taken |= first != 0;
        state[index].words_mut()[lane] = words[index] & !mask | first;
        other[index].words_mut()[lane] = words[index] & !first;
    }
}

/// The first open cell with the fewest candidates, as its place and its box.
fn cell_with_fewest(words: &[u32; WORDS]) -> (usize, u32) {
    // For each place, the number of candidates of its cell in each box, as planes of bits.
    let numbers: [[u32; 4]; 9] = array(|place| {
        let (a, b, c) = (words[place], words[9 + place], words[18 + place]);
        let [[s0, s1, s2], [c0, c1, c2]] =
            [a ^ b ^ c, a & b | a & c | b & c].map(|word| [word, word >> 9, word >> 18]);
        let (two, also_two) = (s0 & s1 | s0 & s2 | s1 & s2, c0 ^ c1 ^ c2);
        let (four, also_four) = (two & also_two, c0 & c1 | c0 & c2 | c1 & c2);
        [s0 ^ s1 ^ s2, two ^ also_two, four ^ also_four, four & also_four]
    });
    for number in 2..=9 {
        for (place, planes) in numbers.iter().enumerate() {
            let is = |bit: usize| if number >> bit & 1 == 1 { planes[bit] } else { !planes[bit] };
            let cells = BOXES & is(0) & is(1) & is(2) & is(3);
            if cells != 0 {
                return (place, cells.trailing_zeros());
            }
        }
    }
    unreachable!("a state without an open cell is solved or dead")
}

#[cfg(test)]
mod tests {
    use super::super::rating::{One, deduce, state_of_grid};
    use super::*;
    use crate::Grid;
    use crate::generate::Generator;

    /// Counts without the rule of twins, and compares the halves wherever the rule would apply.
    /// Returns the number of solutions, and adds to the number of twins.
    fn count(mut state: State<One>, twins: &mut u64) -> u64 {
        if let Some(solved) = deduce(&mut state) {
            return solved.into();
        }
        let mut other = [One::splat(0); WORDS];
        let split = split(&mut state, &mut other, 1, 1, Order::Reproducible);
        let (first, second) = (count(state, twins), count(other, twins));
        if split.twins != 0 {
            assert_eq!(first, second);
            *twins += 1;
        }
        if split.pairs != 0 {
            assert_eq!((split.twins, first), (1, 1));
        }
        first + second
    }

    #[test]
    fn twins_have_equally_many_solutions() {
        let mut twins = 0;
        for puzzle in (0..60).map(|number| Generator::for_tests(Some(30), 9).puzzle(number)) {
            let mut cells = *puzzle.cells();
            cells.iter_mut().step_by(9).for_each(|cell| *cell = 0);
            let grid = Grid::new(cells).unwrap();
            assert_eq!(
                count(state_of_grid(&grid), &mut twins),
                crate::solve_up_to(&grid, 1 << 20).count
            );
        }
        assert!(twins > 100, "found {twins} twins only");
    }

    #[test]
    fn pairs_everywhere_are_twins_and_a_third_candidate_is_none() {
        // Two rectangles of two values each.
        let pairs =
            "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";
        let more =
            "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";
        for (grid, expected) in [(pairs, 1), (more, 0)] {
            let (mut state, mut other) =
                (state_of_grid(&grid.parse().unwrap()), [One::splat(0); WORDS]);
            assert_eq!(deduce(&mut state), None, "{grid}");
            assert_eq!(
                split(&mut state, &mut other, 1, 1, Order::Reproducible).twins,
                expected,
                "{grid}"
            );
        }
        let mut twins = 0;
        assert_eq!(count(state_of_grid(&pairs.parse().unwrap()), &mut twins), 4);
        assert_eq!(twins, 3);
    }

    #[test]
    fn without_pairs_a_cell_with_the_fewest_is_split() {
        for puzzle in (0..40).map(|number| Generator::for_tests(Some(26), 5).puzzle(number)) {
            let mut cells = *puzzle.cells();
            cells.iter_mut().step_by(3).for_each(|cell| *cell = 0);
            let state = state_of_grid(&Grid::new(cells).unwrap());
            let mask = |cell: usize| (1 | 1 << 9 | 1 << 18) << cell;
            let bits = |place: usize, cell: usize| -> u32 {
                [0, 9, 18]
                    .map(|major| (state[major + place].0[0] & mask(cell)).count_ones())
                    .iter()
                    .sum()
            };
            let open = (0..81)
                .map(|cell| (cell / 9, cell % 9))
                .filter(|&(place, cell)| bits(place, cell) > 1);
            let expected = open.min_by_key(|&(place, cell)| bits(place, cell)).unwrap();
            let (place, cell) = cell_with_fewest(&state.map(|word| word.0[0]));
            assert_eq!((place, cell as usize), expected, "{puzzle}");
        }
    }

    #[test]
    fn halves_share_no_candidate_of_one_cell() {
        for grid in [Grid::default(), format!("1{}", ".".repeat(80)).parse().unwrap()] {
            let mut whole = state_of_grid(&grid);
            assert_eq!(deduce(&mut whole), None);
            let (mut first, mut second) = (whole, [One::splat(0); WORDS]);
            split(&mut first, &mut second, 1, 1, Order::Reproducible);
            let bits = |state: &State<One>| state.iter().map(|word| word.0[0].count_ones()).sum();
            let all: u32 = bits(&whole);
            let (kept, lost): (u32, u32) = (bits(&first), bits(&second));
            // Nine candidates: the first half keeps one, the second half the other ones.
            assert_eq!(all - kept + (all - lost), 9 - u32::from(grid.clues() > 0));
        }
    }
}
