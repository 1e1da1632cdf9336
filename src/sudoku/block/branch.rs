//! Splitting a state that deduction leaves unchanged into two that exclude each other.
//!
//! For one puzzle, in words: find a value with exactly two places in a box, and let one state lose
//! the first place and the other state the second. Where there is none, one state gets the first
//! candidate of a cell with the fewest candidates, and the other state loses it.
//!
//! Which value and box are taken depends on the state alone, and the states at a split do not depend
//! on the order of deductions: the search tree of a puzzle is the same in every vector width.

use super::lanes::{Lanes, Set};
use super::layout::{State, at};

/// What became of the lanes to be split, as sets.
pub struct Split {
    /// Every open value has two places in each box, so the two halves of any split have the same
    /// number of solutions: only the first half was made.
    pub twins: u32,
}

/// Splits the lanes of a set: `state` keeps the first halves, `other` receives the second halves
/// (its other lanes mean nothing).
///
/// *Twins.* If every open value has exactly two places in its boxes, every open cell has two
/// candidates, and rows and columns have two places as well. Then each candidate excludes two-way:
/// deciding one decides everything connected with it, and the opposite decision decides the same
/// candidates the other way round. Either both lead to a contradiction or neither does, and what is
/// not connected is untouched.
#[inline(always)]
pub fn split<V: Lanes>(state: &mut State<V>, other: &mut State<V>, lanes: u32) -> Split {
    let none = V::splat(0);
    let mut pairs = [none; 3];
    let mut more = none;
    for major in 0..3 {
        let (two, three) = two_and_three_places(state, major);
        pairs[major] = two.without(three);
        more = more.or(three);
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

/// The values that have at least two, and at least three, places in each box.
#[inline(always)]
fn two_and_three_places<V: Lanes>(state: &State<V>, major: usize) -> (V, V) {
    let none = V::splat(0);
    let (mut one, mut two, mut three) = ([none; 3], [none; 3], [none; 3]);
    for r in 0..3 {
        let (a, b, c) = (state[at(major, r, 0)], state[at(major, r, 1)], state[at(major, r, 2)]);
        one[r] = a.or3(b, c);
        two[r] = a.two_of(b, c);
        three[r] = a.and3(b, c);
    }
    at_least(one, two, three)
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
