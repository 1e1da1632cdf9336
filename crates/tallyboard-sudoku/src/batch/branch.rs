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

use super::lanes::{Lanes, Set, ones};
use super::round::{ALL, BOXES, State, WORDS, at, exchange_9, rotate_bands, rotate_stacks};
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

// The cell where a state is split: one with two candidates (a *pair*), in all lanes at once.
//
// For one puzzle, and for each of the two orders of [`Order`]:
//
// ```text
// Reproducible: pairs with a value that has three places in the box or more, if there are any
// Busiest:      score of a value in a cell :=
//                  1 if a minirow elsewhere in the row holds it twice or more
//                + 1 if a minirow elsewhere in the column holds it twice or more
//                + 1 if a pair of another box in the row or in the column holds it
//              pairs with the highest sum of the scores of both values
// of these the first, by its place in the box, then by stack and band
// ```
//
// Deciding a value removes more candidates if many cells of the neighbouring boxes may hold it, above all if
// these cells are pairs, which become singles. The score has only terms that are cheap in vectors. Counting
// the neighbours instead of asking whether there are any saves no guesses.
//
// Departures of the code from it:
//
// 1. Scores are numbers in bit planes. The highest scores are found plane by plane, the highest bit first.
// 2. Whether other boxes hold a value is found for whole minirows (three cells), a word at a time.

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
    use super::*;
    use crate::Grid;
    use crate::batch::puzzles::{One, deduce, state_of_grid};
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

#[cfg(test)]
mod choice_tests {
    use super::*;
    use crate::batch::puzzles::{One, deduce, state_of_grid};
    use crate::batch::round::WORDS;
    use crate::generate::Generator;

    /// The place of a cell in sets of cells: its word, and its bit.
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
