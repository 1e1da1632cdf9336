//! Splitting a state into two that exclude each other.
//!
//! For one puzzle:
//!
//! ```text
//! cell  := the first cell with exactly two candidates, by its place in the box, then by stack and
//!          band; one with a value that has three places in the box or more before all others;
//!          where there is none, the first of those with the fewest candidates
//! value := of two candidates the one with the lower minor, then the lower major;
//!          of more candidates the least
//! state := the state with `value` alone in `cell`          -- searched first
//! other := the state without `value` in `cell`             -- searched later
//! of two candidates, take from the rest of the box the one that the half keeps in the cell
//! ```
//!
//! Values with many places go first because what is left when there are none need not be split: its
//! halves are *twins* (see [`split`]).
//!
//! Departures from it:
//!
//! 1. Cells of three places (a row of each box) are looked at in one word, and all lanes at once; bits
//!    of candidates are counted as sums and carries.
//! 2. A lane without a cell of two candidates is rare and is split alone, in plain integers.
//! 3. Of twins, only the first is searched.
//!
//! Which cell and value are taken depends on the state alone, so that the search tree of a puzzle is
//! the same in every vector width.

use super::lanes::{Lanes, Set};
use super::layout::{ALL, State, at, exchange_9};

/// What became of the lanes, as sets of them.
pub struct Split {
    /// The lane was split.
    pub split: u32,
    /// The two halves have the same number of solutions, so that the second need not be searched.
    pub twins: u32,
    /// The two halves have one solution each. Twins, too.
    pub pairs: u32,
}

/// Splits the lanes of a set: `state` keeps the first halves, `other` receives the second halves
/// (its other lanes mean nothing).
///
/// Lanes that the last round left unchanged (`stuck`) must be alive and unsolved, and are always
/// split; other lanes only if they have a cell with two candidates.
///
/// *Twins.* Say that no value has three places in a box of a stuck state. A box then has as many open
/// values as open cells (were two values alone in one cell, the others would be too few for the rest),
/// each value with two places: every open cell has exactly two candidates. In a band, an open value has
/// two places for each of its open boxes and at least two in each of its open rows, which are as many:
/// exactly two in each row. The same holds for columns. So every rule that is left says of two
/// candidates that exactly one is true, and a solution turns into another one when all candidates that
/// the rules connect with each other change sides. That pairs the solutions of the first half with
/// those of the second.
///
/// *Pairs.* Twins with four or six open cells (there are at least two in every row and column, so five
/// is no number) have one solution each: these cells are connected, and the sides never contradict
/// each other. Either each row and column has two, along a ring of four or six, and a box holds two
/// that are neighbours or opposite; or two rows have three each, the columns pair them, and a row goes
/// round one way, the other row the other way. (With three columns of one box in both rows, or two,
/// a value would have more than two places in the box.)
#[inline(always)]
pub fn split<V: Lanes>(
    state: &mut State<V>,
    other: &mut State<V>,
    lanes: u32,
    stuck: u32,
) -> Split {
    let none = V::splat(0);
    let many = [three_places(state, 0), three_places(state, 1), three_places(state, 2)];
    let two = cells_with_two(state);
    let cells = choose(&two, holding(state, &many), V::only(lanes));
    let unpaired = lanes & cells[0].or3(cells[1], cells[2]).same(none);
    split_pairs(state, other, &cells);
    for lane in Set(unpaired & stuck) {
        split_cell(state, other, lane);
    }
    let twins = stuck & !unpaired & many[0].or3(many[1], many[2]).same(none);
    let pairs = if twins == 0 {
        0
    } else {
        let open = count(&two);
        twins & (open.same(V::splat(4)) | open.same(V::splat(6)))
    };
    Split { split: lanes & (!unpaired | stuck), twins, pairs }
}

/// A set of cells: the places of row `r` of all boxes in word `r`, place `j` of a box at bit
/// `9 * j + box`.
type CellSet<V> = [V; 3];

/// The cells that have exactly two candidates.
#[inline(always)]
fn cells_with_two<V: Lanes>(state: &State<V>) -> CellSet<V> {
    let mut cells = [V::splat(ALL); 3];
    for r in 0..3 {
        let (mut sums, mut carries) = (cells, cells);
        for j in 0..3 {
            let (a, b, c) = (state[at(0, r, j)], state[at(1, r, j)], state[at(2, r, j)]);
            sums[j] = a.xor3(b, c);
            carries[j] = a.two_of(b, c);
        }
        // By minor now: three sums and three carries for each cell.
        let ([s0, s1, s2], [c0, c1, c2]) = (exchange_9(sums), exchange_9(carries));
        let (sum, carry) = (s0.or3(s1, s2), c0.or3(c1, c2));
        let two_sums = s0.two_of(s1, s2).without_any(s0.and3(s1, s2), carry);
        let one_carry = carry.without_any(c0.two_of(c1, c2), sum);
        cells[r] = cells[r].and(two_sums.or(one_carry));
    }
    cells
}

/// The cells that have one of `values`, which are given by box.
#[inline(always)]
fn holding<V: Lanes>(state: &State<V>, values: &[V; 3]) -> CellSet<V> {
    let mut cells = [V::splat(0); 3];
    for r in 0..3 {
        let mut held = cells;
        for j in 0..3 {
            let (a, b, c) = (state[at(0, r, j)], state[at(1, r, j)], state[at(2, r, j)]);
            held[j] = a.and(values[0]).or_both(b, values[1]).or_both(c, values[2]);
        }
        let [a, b, c] = exchange_9(held);
        cells[r] = a.or3(b, c);
    }
    cells
}

/// The first of `cells` in the lanes of a mask, of those `rather` if there are any.
#[inline(always)]
fn choose<V: Lanes>(cells: &CellSet<V>, rather: CellSet<V>, lanes: V) -> CellSet<V> {
    let none = V::splat(0);
    let mut better = [none; 3];
    for r in 0..3 {
        better[r] = cells[r].and(rather[r]);
    }
    let some = V::only(!better[0].or3(better[1], better[2]).same(none));
    let (mut first, mut free) = ([none; 3], lanes);
    for r in 0..3 {
        let candidates = better[r].or_else(some, cells[r]);
        first[r] = candidates.lowest_bit().and(free);
        free = free.and(V::only(candidates.same(none)));
    }
    first
}

/// Splits each lane at its one cell of `cells`, if it has one; that cell has two candidates.
#[inline(always)]
fn split_pairs<V: Lanes>(state: &mut State<V>, other: &mut State<V>, cells: &CellSet<V>) {
    let (nine, none) = (V::splat(0x1ff), V::splat(0));
    // The cell in the words of its place, as the bit of its box in all minors; its candidates.
    let (mut boxes, mut here) = ([none; 9], [none; 3]);
    for r in 0..3 {
        let row = cells[r];
        let places = [row.and(nine), row.down::<9>().and(nine), row.down::<18>().and(nine)];
        for j in 0..3 {
            let place = places[j].or3(places[j].up::<9>(), places[j].up::<18>());
            boxes[3 * r + j] = place;
            for major in 0..3 {
                here[major] = here[major].or_both(state[at(major, r, j)], place);
            }
        }
    }
    let pick = here[0].or3(here[1], here[2]).lowest_bit();
    let first =
        [pick.and(here[0]), pick.and(here[1]).without(here[0]), pick.without_any(here[0], here[1])];
    for major in 0..3 {
        let second = here[major].without(first[major]);
        for place in 0..9 {
            // What a half keeps in the cell goes from the box, all else goes from the cell.
            let index = at(major, 0, 0) + place;
            let word = state[index];
            state[index] = word.without_change(first[major], boxes[place]);
            other[index] = word.without_change(second, boxes[place]);
        }
    }
}

/// The number of cells in a set.
#[inline(always)]
fn count<V: Lanes>([a, b, c]: &CellSet<V>) -> V {
    let (sums, carries) = (by_four(a.xor3(*b, *c)), by_four(a.two_of(*b, *c)));
    let sum = sums.add(carries).add(carries);
    let eight = V::splat(0x0f0f_0f0f);
    let sum = sum.and(eight).add(sum.down::<4>().and(eight));
    let sum = sum.add(sum.down::<8>());
    sum.add(sum.down::<16>()).and(V::splat(0x7f))
}

/// The number of bits in each four.
#[inline(always)]
fn by_four<V: Lanes>(word: V) -> V {
    let (two, four) = (V::splat(0x5555_5555), V::splat(0x3333_3333));
    let word = word.and(two).add(word.down::<1>().and(two));
    word.and(four).add(word.down::<2>().and(four))
}

/// The values that have at least three places in each box.
#[inline(always)]
fn three_places<V: Lanes>(state: &State<V>, major: usize) -> V {
    let none = V::splat(0);
    let (mut one, mut two, mut three) = ([none; 3], [none; 3], [none; 3]);
    for r in 0..3 {
        let (a, b, c) = (state[at(major, r, 0)], state[at(major, r, 1)], state[at(major, r, 2)]);
        one[r] = a.or3(b, c);
        two[r] = a.two_of(b, c);
        three[r] = a.and3(b, c);
    }
    three[0]
        .or3(three[1], three[2])
        .or(one[0].and3(one[1], one[2]))
        .or_both(two[0], one[1].or(one[2]))
        .or_both(two[1], one[0].or(one[2]))
        .or_both(two[2], one[0].or(one[1]))
}

/// The bits of one cell of box 0 in the three minors.
const MINORS: u32 = 1 | 1 << 9 | 1 << 18;

/// Splits one lane at the first candidate of a cell with the fewest.
#[cold]
fn split_cell<V: Lanes>(state: &mut State<V>, other: &mut State<V>, lane: usize) {
    let candidates = |state: &State<V>, place: usize, mask: u32| -> u32 {
        (0..3).map(|major| (state[9 * major + place].words()[lane] & mask).count_ones()).sum()
    };
    let cells = (0..9).flat_map(|place| (0..9).map(move |cell| (place, MINORS << cell)));
    let open = cells.filter(|&(place, mask)| candidates(state, place, mask) > 1);
    let Some((place, mask)) = open.min_by_key(|&(place, mask)| candidates(state, place, mask))
    else {
        unreachable!("a state without an open cell is solved or dead");
    };
    let mut taken = false;
    for major in 0..3 {
        let index = 9 * major + place;
        let word = state[index].words()[lane];
        let here = if taken { 0 } else { word & mask & (word & mask).wrapping_neg() };
        taken |= here != 0;
        state[index].words_mut()[lane] = word & !mask | here;
        other[index].words_mut()[lane] = word & !here;
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::WORDS;
    use super::super::method::{One, deduce, open_one};
    use super::*;
    use crate::sudoku::Grid;
    use crate::sudoku::generate::{Generator, Wish};

    /// Counts without the rule of twins, and compares the halves wherever the rule would apply;
    /// gives the number of solutions and adds to that of the twins.
    fn count(mut state: State<One>, twins: &mut u64) -> u64 {
        if let Some(solved) = deduce(&mut state) {
            return solved.into();
        }
        let mut other = [[0]; WORDS];
        let split = split(&mut state, &mut other, 1, 1);
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
        let wish = Wish { clues: Some(30), minimal: false, symmetric: false };
        let mut twins = 0;
        for puzzle in (0..60).map(|number| Generator::new(wish, 9).puzzle(number)) {
            let mut cells = *puzzle.cells();
            cells.iter_mut().step_by(9).for_each(|cell| *cell = 0);
            let grid = Grid::new(cells).unwrap();
            assert_eq!(
                count(open_one(&grid), &mut twins),
                crate::sudoku::solve(&grid, 1 << 20).count
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
            let (mut state, mut other) = (open_one(&grid.parse().unwrap()), [[0]; WORDS]);
            assert_eq!(deduce(&mut state), None, "{grid}");
            assert_eq!(split(&mut state, &mut other, 1, 1).twins, expected, "{grid}");
        }
        let mut twins = 0;
        assert_eq!(count(open_one(&pairs.parse().unwrap()), &mut twins), 4);
        assert_eq!(twins, 3);
    }

    #[test]
    fn halves_share_no_candidate_of_one_cell() {
        for grid in [Grid::default(), format!("1{}", ".".repeat(80)).parse().unwrap()] {
            let mut whole = open_one(&grid);
            assert_eq!(deduce(&mut whole), None);
            let (mut first, mut second) = (whole, [[0]; WORDS]);
            split(&mut first, &mut second, 1, 1);
            let bits = |state: &State<One>| state.iter().map(|word| word[0].count_ones()).sum();
            let all: u32 = bits(&whole);
            let (kept, lost): (u32, u32) = (bits(&first), bits(&second));
            // Nine candidates: the first half keeps one, the second half the other ones.
            assert_eq!(all - kept + (all - lost), 9 - u32::from(grid.clues() > 0));
        }
    }
}
