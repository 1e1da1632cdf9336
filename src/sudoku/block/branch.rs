//! Splitting a state that deduction leaves unchanged into two that exclude each other.
//!
//! For one puzzle:
//!
//! ```text
//! cell  := the first cell with exactly two candidates, by its place in the box, then by stack and
//!          band; where there is none, the first of those with the fewest candidates
//! value := of two candidates the one with the lower minor, then the lower major;
//!          of more candidates the least
//! state := the state with `value` alone in `cell`          -- searched first
//! other := the state without `value` in `cell`             -- searched later
//! ```
//!
//! Departures from it:
//!
//! 1. The lanes look through the places together: a lane takes the first one that has such a cell, and
//!    `free` tells which lanes still look.
//! 2. A lane without a cell of two candidates is rare and is split alone, in plain integers.
//! 3. Where the two halves are sure to have the same number of solutions, only the first is searched
//!    (*twins*, see [`split`]).
//!
//! Which cell and value are taken depends on the state alone, and the states at a split do not depend
//! on the order of deductions: the search tree of a puzzle is the same in every vector width.

use super::lanes::{Lanes, Set};
use super::layout::{State, at};

/// What is known of the lanes that were split, as sets of them.
pub struct Split {
    /// The two halves have the same number of solutions, so that the second need not be searched.
    pub twins: u32,
}

/// Splits the lanes of a set: `state` keeps the first halves, `other` receives the second halves
/// (its other lanes mean nothing).
///
/// The lanes must be stuck: alive, unsolved, and unchanged by a round.
///
/// *Twins.* Say that no value has three places in a box. In a box then, as many open values as open
/// cells, each value with two places: every open cell has exactly two candidates. In a band, an open
/// value has two places for each of its open boxes and at least two in each of its open rows, which
/// are as many: exactly two in each row. The same holds for columns. So every rule that is left says
/// of two candidates that exactly one is true, and a solution turns into another one when all
/// candidates that the rules connect with each other change sides. That pairs the solutions of the
/// first half with those of the second.
#[inline(always)]
pub fn split<V: Lanes>(state: &mut State<V>, other: &mut State<V>, lanes: u32) -> Split {
    let none = V::splat(0);
    let mut more = none;
    for major in 0..3 {
        more = more.or(three_places(state, major));
    }
    let only = V::only(lanes);
    let (mut free, mut found) = (only, none);
    for place in 0..9 {
        let words = [state[place], state[9 + place], state[18 + place]];
        let cell = cells_with_two(words).and(free).lowest_bit();
        free = free.and(V::only(cell.same(none)));
        found = found.or(cell);
        let cell = cell.or3(cell.up::<9>(), cell.up::<18>());
        let here = [words[0].and(cell), words[1].and(cell), words[2].and(cell)];
        // The value in the lowest minor, then major.
        let all = here[0].or3(here[1], here[2]);
        let pick = all.lowest_bit();
        let mut rest = pick;
        for major in 0..3 {
            let index = at(major, 0, 0) + place;
            let this = rest.and(words[major]);
            rest = rest.without(this);
            state[index] = words[major].without_unless(cell, this);
            other[index] = words[major].without(this);
        }
    }
    let unpaired = lanes & found.same(none);
    for lane in Set(unpaired) {
        split_cell(state, other, lane);
    }
    Split { twins: lanes & !unpaired & more.same(none) }
}

/// The cells of one place that have exactly two candidates, as all ones in the three minors.
#[inline(always)]
fn cells_with_two<V: Lanes>(words: [V; 3]) -> V {
    let [a, b, c] = words;
    let one = [a.or3(b, c), a.or3(b, c).down::<9>(), a.or3(b, c).down::<18>()];
    let two = [a.two_of(b, c), a.two_of(b, c).down::<9>(), a.two_of(b, c).down::<18>()];
    let three = [a.and3(b, c), a.and3(b, c).down::<9>(), a.and3(b, c).down::<18>()];
    let (two, three) = at_least(one, two, three);
    V::splat(0x1ff).and(two).without(three)
}

/// Of three groups whose members are set at least once, twice, thrice: at least two and three in all.
#[inline(always)]
fn at_least<V: Lanes>(one: [V; 3], two: [V; 3], three: [V; 3]) -> (V, V) {
    let all_two = two[0].or3(two[1], two[2]).or(one[0].two_of(one[1], one[2]));
    let all_three = three[0]
        .or3(three[1], three[2])
        .or(one[0].and3(one[1], one[2]))
        .or_both(two[0], one[1].or(one[2]))
        .or_both(two[1], one[0].or(one[2]))
        .or_both(two[2], one[0].or(one[1]));
    (all_two, all_three)
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
    at_least(one, two, three).1
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
        let split = split(&mut state, &mut other, 1);
        let (first, second) = (count(state, twins), count(other, twins));
        if split.twins != 0 {
            assert_eq!(first, second);
            *twins += 1;
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
            assert_eq!(split(&mut state, &mut other, 1).twins, expected, "{grid}");
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
            split(&mut first, &mut second, 1);
            let bits = |state: &State<One>| state.iter().map(|word| word[0].count_ones()).sum();
            let all: u32 = bits(&whole);
            let (kept, lost): (u32, u32) = (bits(&first), bits(&second));
            // Nine candidates: the first half keeps one, the second half the other ones.
            assert_eq!(all - kept + (all - lost), 9 - u32::from(grid.clues() > 0));
        }
    }
}
