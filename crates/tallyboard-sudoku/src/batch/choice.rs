//! The cell where a state is split: one with two candidates (a *pair*), in all lanes at once.
//!
//! For one puzzle, and for each of the two orders of [`Order`]:
//!
//! ```text
//! Reproducible: pairs with a value that has three places in the box or more, if there are any
//! Busiest:      score of a value in a cell :=
//!                  1 if a minirow elsewhere in the row holds it twice or more
//!                + 1 if a minirow elsewhere in the column holds it twice or more
//!                + 1 if a pair of another box in the row or in the column holds it
//!              pairs with the highest sum of the scores of both values
//! of these the first, by its place in the box, then by stack and band
//! ```
//!
//! Deciding a value removes more candidates if many cells of the neighbouring boxes may hold it, above all if
//! these cells are pairs, which become singles. The score has only terms that are cheap in vectors. Counting
//! the neighbours instead of asking whether there are any saves no guesses.
//!
//! Departures of the code from it:
//!
//! 1. Scores are numbers in bit planes. The highest scores are found plane by plane, the highest bit first.
//! 2. Whether other boxes hold a value is found for whole minirows (three cells), a word at a time.

use super::lanes::Lanes;
use super::layout::{ALL, State, at, exchange_9};
use super::round::{BOXES, rotate_bands, rotate_stacks};

/// How the cell to split is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Splits so that the first solution found is the one that the output promises. It depends on
    /// the puzzle alone.
    Reproducible,
    /// Splits so that the fewest guesses follow, for puzzles with one solution or none, and for
    /// high limits.
    Busiest,
}

/// A set of cells: bit `9 * c + box` of word `r` is the cell of that box in row `r` and column `c`,
/// both counted within the box.
pub type CellSet<V> = [V; 3];

/// The pair that comes first by `order`, in each of `lanes`.
#[inline(always)]
pub fn choose<V: Lanes>(
    state: &State<V>,
    pairs: &CellSet<V>,
    lanes: V,
    order: Order,
) -> CellSet<V> {
    let mut best = *pairs;
    match order {
        Order::Reproducible => prefer(&mut best, &holding_many(state)),
        Order::Busiest => {
            for plane in &scores(state, pairs) {
                prefer(&mut best, plane);
            }
        }
    }
    let (mut first, mut free) = ([V::splat(0); 3], lanes);
    for r in 0..3 {
        first[r] = best[r].lowest_bit() & free;
        free = free & V::only(best[r].same(V::splat(0)));
    }
    first
}

/// Narrows `cells` to those in `preferred`, in each lane where `preferred` has any of them.
#[inline(always)]
fn prefer<V: Lanes>(cells: &mut CellSet<V>, preferred: &CellSet<V>) {
    let mut better = *cells;
    for r in 0..3 {
        better[r] = cells[r] & preferred[r];
    }
    let some = V::only(!(better[0] | better[1] | better[2]).same(V::splat(0)));
    for r in 0..3 {
        cells[r] = some.select(better[r], cells[r]);
    }
}

/// The cells that have exactly two candidates, and those that have more.
#[inline(always)]
pub fn pairs_and_more<V: Lanes>(state: &State<V>) -> [CellSet<V>; 2] {
    let mut cells = [[V::splat(ALL); 3]; 2];
    for r in 0..3 {
        let (mut sums, mut carries) = ([V::splat(0); 3], [V::splat(0); 3]);
        for c in 0..3 {
            let (x, y, z) = (state[at(0, r, c)], state[at(1, r, c)], state[at(2, r, c)]);
            sums[c] = x ^ y ^ z;
            carries[c] = x.majority(y, z);
        }
        // One word for each minor now: each cell has three sums and three carries.
        let ([s0, s1, s2], [c0, c1, c2]) = (exchange_9(sums), exchange_9(carries));
        let (sum, carry) = (s0 | s1 | s2, c0 | c1 | c2);
        let several = (carry | s0.majority(s1, s2)) & cells[0][r];
        let more = s0 & s1 & s2 | c0.majority(c1, c2) | carry & sum;
        cells[0][r] = several & !more;
        cells[1][r] = several & more;
    }
    cells
}

/// For each place, the boxes whose cell there is in `cells`, repeated in all three minors.
#[inline(always)]
pub fn by_place<V: Lanes>(cells: &CellSet<V>) -> [V; 9] {
    let nine = V::splat(BOXES);
    let mut places = [nine; 9];
    for r in 0..3 {
        let row = cells[r];
        let boxes = [row & nine, row >> 9 & nine, row >> 18 & nine];
        for c in 0..3 {
            places[3 * r + c] = boxes[c] | boxes[c] << 9 | boxes[c] << 18;
        }
    }
    places
}

/// The scores of pairs, as planes of bits, the highest bit first; other cells have unspecified scores.
#[inline(always)]
fn scores<V: Lanes>(state: &State<V>, pairs: &CellSet<V>) -> [CellSet<V>; 3] {
    let none = V::splat(0);
    let places = by_place(pairs);
    // For each place and minor: the number of values whose score has bit 0 set, and the number with bit 1 set.
    // Both are numbers of two bits, because a pair has two values.
    let (mut low, mut high) = ([[none; 2]; 9], [[none; 2]; 9]);
    for major in 0..3 {
        let words = state[9 * major..].first_chunk().expect("nine words");
        let mut paired = *words;
        for place in 0..9 {
            paired[place] = words[place] & places[place];
        }
        let (mut rows, mut columns) = ([[none; 2]; 3], [[none; 2]; 3]);
        for line in 0..3 {
            let [twice, pair] =
                held_in_line([3 * line, 3 * line + 1, 3 * line + 2], words, &paired);
            rows[line] = [either(rotate_stacks(twice)), either(rotate_stacks(pair))];
            let [twice, pair] = held_in_line([line, line + 3, line + 6], words, &paired);
            columns[line] = [either(rotate_bands(twice)), either(rotate_bands(pair))];
        }
        for place in 0..9 {
            let ([row, row_pair], [column, column_pair]) = (rows[place / 3], columns[place % 3]);
            let pair = row_pair | column_pair;
            add_bit(&mut low[place], (row ^ column ^ pair) & paired[place]);
            add_bit(&mut high[place], row.majority(column, pair) & paired[place]);
        }
    }
    let mut planes = [[none; 3]; 3];
    for r in 0..3 {
        let mut sums = [[none; 3]; 3];
        for c in 0..3 {
            let ([one, two], [also_two, four]) = (low[3 * r + c], high[3 * r + c]);
            sums[0][c] = one;
            sums[1][c] = two ^ also_two;
            sums[2][c] = four | two & also_two;
        }
        // One word for each minor now; a cell has scores in at most two of them.
        let ([a0, b0, c0], [a1, b1, c1]) = (exchange_9(sums[0]), exchange_9(sums[1]));
        let [a2, b2, c2] = exchange_9(sums[2]);
        let (one, two) = (a0 ^ b0 ^ c0, a0.majority(b0, c0));
        let (also_two, four) = (a1 ^ b1 ^ c1, a1.majority(b1, c1));
        planes[2][r] = one;
        planes[1][r] = two ^ also_two;
        planes[0][r] = four | a2 | b2 | c2 | two & also_two;
    }
    planes
}

/// The values that two of three cells in a line hold, and those that a pair among them holds.
#[inline(always)]
fn held_in_line<V: Lanes>([a, b, c]: [usize; 3], words: &[V; 9], paired: &[V; 9]) -> [V; 2] {
    [words[a].majority(words[b], words[c]), paired[a] | paired[b] | paired[c]]
}

#[inline(always)]
fn either<V: Lanes>([a, b]: [V; 2]) -> V {
    a | b
}

/// Adds a bit to a number of two bits.
#[inline(always)]
fn add_bit<V: Lanes>([one, two]: &mut [V; 2], bit: V) {
    *two = *two | *one & bit;
    *one = *one ^ bit;
}

/// The cells that hold a value with at least three places in the box.
#[inline(always)]
fn holding_many<V: Lanes>(state: &State<V>) -> CellSet<V> {
    let many = [three_places(state, 0), three_places(state, 1), three_places(state, 2)];
    let mut cells = [V::splat(0); 3];
    for r in 0..3 {
        let mut held = cells;
        for c in 0..3 {
            let (x, y, z) = (state[at(0, r, c)], state[at(1, r, c)], state[at(2, r, c)]);
            held[c] = x & many[0] | y & many[1] | z & many[2];
        }
        let [a, b, c] = exchange_9(held);
        cells[r] = a | b | c;
    }
    cells
}

/// The values that have at least three places in each box.
#[inline(always)]
fn three_places<V: Lanes>(state: &State<V>, major: usize) -> V {
    let none = V::splat(0);
    let (mut one, mut two, mut three) = ([none; 3], [none; 3], [none; 3]);
    for r in 0..3 {
        let (a, b, c) = (state[at(major, r, 0)], state[at(major, r, 1)], state[at(major, r, 2)]);
        one[r] = a | b | c;
        two[r] = a.majority(b, c);
        three[r] = a & b & c;
    }
    let in_one_row = three[0] | three[1] | three[2];
    let in_two_rows =
        two[0] & (one[1] | one[2]) | two[1] & (one[0] | one[2]) | two[2] & (one[0] | one[1]);
    in_one_row | in_two_rows | one[0] & one[1] & one[2]
}

#[cfg(test)]
mod tests {
    use super::super::branch::split;
    use super::super::layout::WORDS;
    use super::super::rating::{One, deduce, state_of_grid};
    use super::*;
    use crate::generate::Generator;

    /// A band and a stack, a row and a column in the box: the place of a cell in sets of cells.
    fn place(row: usize, column: usize) -> (usize, usize) {
        (row % 3, 9 * (column % 3) + 3 * (column / 3) + row / 3)
    }

    /// The candidates of every cell, as bits.
    fn candidates(state: &State<One>) -> [[u32; 9]; 9] {
        let holds = |row: usize, column: usize, value: usize| {
            let bit = 9 * (value % 3) + 3 * (column / 3) + row / 3;
            state[at(value / 3, row % 3, column % 3)].0[0] >> bit & 1
        };
        let cell = |row, column| (0..9).map(|value| holds(row, column, value) << value).sum();
        std::array::from_fn(|row| std::array::from_fn(|column| cell(row, column)))
    }

    /// The score of a value in a cell, by the words of the module.
    fn score(cells: &[[u32; 9]; 9], row: usize, column: usize, value: u32) -> u32 {
        let holds = |row: usize, column: usize| cells[row][column] >> value & 1 == 1;
        let pair =
            |row: usize, column: usize| holds(row, column) && cells[row][column].count_ones() == 2;
        let others = |line: usize| (0..3).filter(move |&part| part != line / 3);
        let cells_of = |part: usize| 3 * part..3 * part + 3;
        let in_row = others(column).any(|s| cells_of(s).filter(|&c| holds(row, c)).count() > 1);
        let in_column = others(row).any(|b| cells_of(b).filter(|&r| holds(r, column)).count() > 1);
        let pair = others(column).flat_map(cells_of).any(|c| pair(row, c))
            || others(row).flat_map(cells_of).any(|r| pair(r, column));
        u32::from(in_row) + u32::from(in_column) + u32::from(pair)
    }

    #[test]
    fn values_with_three_places_in_a_box_are_found_however_they_lie() {
        for places in 0u32..1 << 9 {
            // Of every value in every box.
            let mut state = [One::splat(0); WORDS];
            for (r, c) in (0..9).map(|cell| (cell / 3, cell % 3)) {
                let holds = places >> (3 * r + c) & 1 == 1;
                let word = One::splat(if holds { ALL } else { 0 });
                (0..3).for_each(|major| state[at(major, r, c)] = word);
            }
            let expected = One::splat(if places.count_ones() >= 3 { ALL } else { 0 });
            let found = [0, 1, 2].map(|major| three_places(&state, major));
            assert_eq!(found, [expected; 3], "{places:09b}");
        }
    }

    #[test]
    fn the_busiest_pair_is_chosen() {
        let mut seen = 0;
        for puzzle in (0..150).map(|number| Generator::for_tests(None, 3).puzzle(number)) {
            let mut later = vec![state_of_grid(&puzzle)];
            while let Some(mut state) = later.pop() {
                if deduce(&mut state).is_some() {
                    continue;
                }
                let cells = candidates(&state);
                let squares = (0..81).map(|cell| (cell / 9, cell % 9));
                let best = squares
                    .filter(|&(row, column)| cells[row][column].count_ones() == 2)
                    .min_by_key(|&(row, column)| {
                        let values = (0..9).filter(|value| cells[row][column] >> value & 1 == 1);
                        let sum: u32 = values.map(|v| score(&cells, row, column, v)).sum();
                        (6 - sum, place(row, column))
                    });
                let mut expected = [One::splat(0); 3];
                if let Some((word, bit)) = best.map(|(row, column)| place(row, column)) {
                    expected[word] = One::splat(1 << bit);
                    seen += 1;
                }
                let [pairs, _] = pairs_and_more(&state);
                assert_eq!(
                    choose(&state, &pairs, One::splat(u32::MAX), Order::Busiest),
                    expected,
                    "{puzzle}"
                );
                let mut other = [One::splat(0); WORDS];
                split(&mut state, &mut other, 1, 1, Order::Busiest);
                later.extend([other, state]);
            }
        }
        assert!(seen > 100, "{seen} states with a pair only");
    }
}
