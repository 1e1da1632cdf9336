//! The search for the least image: beginnings, and the rows that may follow each.
//!
//! A row is read by *keys*: 0 for a blank, the label of a digit, or `NEW`, which is above all labels, for a digit without one. All
//! beginnings of as many rows have the same text, so the same number of labels, and keys compare as texts do. For each beginning:
//!
//! ```text
//! for each place in turn, for all rows that may follow at once:  look up the keys, those of open columns and stacks sorted
//! keep the rows with the least keys, if these are at most the least of other beginnings
//! for each of them:  sort the open columns and stacks by keys, and give labels to the digits without one
//!                    where the keys of two are equal but not blank, take both orders
//! ```
//!
//! 1. The rows of two bands lie in the eight words of a vector, so that all rows that may follow are read together.
//! 2. Of the first row no keys are read: its text follows from the numbers of clues in its three boxes.
//! 3. Keys are kept multiplied by 16, so that a byte has room for the key and the column of a place, and sorting moves both.

use super::orientations::Orientations;
use super::vectors::Vectors;
use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;

/// The key of a digit without a label.
const NEW: u8 = 10 << 4;

/// The place in a row of each byte, and its stack.
const PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const STACKS: [u8; 16] = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3];

/// The places with the first two columns of each stack exchanged.
const FIRST_TWO: [u8; 16] = [1, 0, 2, 4, 3, 5, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
/// The places with the last two columns of each stack exchanged.
const LAST_TWO: [u8; 16] = [0, 2, 1, 3, 5, 4, 6, 8, 7, 9, 10, 11, 12, 13, 14, 15];
/// Ones in the first column of each stack, the former one of [`FIRST_TWO`].
const FIRST: [u8; 16] = [255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// Ones in the second column of each stack, the former one of [`LAST_TWO`].
const SECOND: [u8; 16] = [0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0];

/// The first rows of an image, and the choices that they leave open.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Beginning {
    /// The key of each digit, multiplied by 16.
    keys: [u8; 16],
    /// The column of the orientation that stands at each place of the image.
    columns: [u8; 16],
    /// How many of the first columns of the place's stack are open. A stack is open if its three columns are; open ones stand first.
    open: [u8; 16],
    /// The columns without a clue in these rows, as bits.
    blank: u16,
    /// The rows taken, as bits.
    taken: u16,
    /// The last of them.
    last: u8,
    /// The orientation of the grid: as it is, or turned.
    orientation: u8,
    /// The label of the next digit that has none.
    next_label: u8,
}

impl Beginning {
    fn new(orientation: u8) -> Self {
        let mut keys = [NEW; 16];
        keys[0] = 0;
        Self {
            keys,
            columns: PLACES,
            open: [3; 16],
            blank: 0o777,
            taken: 0,
            last: 0,
            orientation,
            next_label: 1,
        }
    }

    #[inline(always)]
    fn open_stacks(&self) -> usize {
        let is_open = |stack: usize| usize::from(self.open[3 * stack] == 3);
        is_open(0) + is_open(1) + is_open(2)
    }
}

/// Puts the first `open` of three vectors in order, word by word.
#[inline(always)]
fn sort_words<X: Vectors>(open: usize, [mut a, mut b, mut c]: [X::V; 3]) -> [X::V; 3] {
    if open > 1 {
        (a, b) = (X::min_words(a, b), X::max_words(a, b));
    }
    if open > 2 {
        (b, c) = (X::min_words(b, c), X::max_words(b, c));
        (a, b) = (X::min_words(a, b), X::max_words(a, b));
    }
    [a, b, c]
}

/// A row with its columns in an order that makes its text least: 16 times the key of each place, and its column.
struct Sorted<V> {
    places: V,
    /// The open stacks whose keys are those of the next open stack, and not blank, as bits.
    like_stacks: u8,
    /// The open places whose digit has no label, and neither has that of the next open place, as bits.
    like_columns: u16,
}

/// A row in every order of columns that leaves its keys as they are.
struct Orders<'a> {
    /// What follows, but for the columns and the new labels.
    next: Beginning,
    cells: &'a [u8; 16],
    places: [[u8; 3]; 3],
    open_columns: [usize; 3],
    open_stacks: usize,
}

impl Orders<'_> {
    /// The last of the open stacks from `stack` on that have the same keys. Stacks of blanks have no alternatives: they stay open.
    fn last_stack_like(&self, stack: usize) -> usize {
        let keys = |stack: usize| self.places[stack].map(|place| place >> 4);
        let mut last = stack;
        while last + 1 < self.open_stacks && keys(stack) != [0; 3] && keys(last + 1) == keys(stack)
        {
            last += 1;
        }
        last
    }

    /// The last of the open columns of a stack from `column` on that have the same key. Blank columns have no alternatives: they stay
    /// open.
    fn last_column_like(&self, stack: usize, column: usize) -> usize {
        let key = |column: usize| self.places[stack][column] >> 4;
        let mut last = column;
        while last + 1 < self.open_columns[stack]
            && key(column) != 0
            && key(last + 1) == key(column)
        {
            last += 1;
        }
        last
    }
}

/// The state of the search: what is known of the row that is being added.
struct Search<'a, X> {
    vectors: X,
    orientations: &'a Orientations,
    /// The least keys of this row so far, four bits each, by stack.
    best: [u16; 3],
    /// The least text so far, if the grid has a clash.
    best_text: u64,
    /// The beginnings whose last row is least.
    kept: Vec<Beginning>,
}

/// The lexicographically least image of `grid`.
#[inline(always)]
pub(super) fn search<X: Vectors>(vectors: X, grid: &Grid) -> Grid {
    let orientations = Orientations::new(grid);
    let kept = Vec::with_capacity(16);
    let mut search =
        Search { vectors, orientations: &orientations, best: [0; 3], best_text: 0, kept };
    let mut before = Vec::with_capacity(16);
    search.kept.push(Beginning::new(0));
    search.kept.push(Beginning::new(1));
    let mut cells = [0; CELLS];
    for row in 0..9 {
        // `std::mem::swap` would not be inlined, and no kernel calls functions of the library.
        before = std::mem::replace(&mut search.kept, before);
        search.next_row(&before);
        let beginning = &search.kept[0];
        let rows = &orientations.cells[usize::from(beginning.orientation & 1)];
        let digits = vectors.load(&rows[usize::from(beginning.last.min(8))]);
        let keys = X::lookup(vectors.load(&beginning.keys), digits);
        let text = X::bytes(X::right(X::lookup(keys, vectors.load(&beginning.columns))));
        for column in 0..9 {
            cells[9 * row + column] = text[column];
        }
    }
    Grid::of_digits(cells)
}

impl<X: Vectors> Search<'_, X> {
    /// Adds a row to each of `beginnings` in every way, and keeps the results whose row is least.
    #[inline(always)]
    fn next_row(&mut self, beginnings: &[Beginning]) {
        self.best = [u16::MAX; 3];
        self.best_text = u64::MAX;
        self.kept.clear();
        for beginning in beginnings {
            let orientation = usize::from(beginning.orientation & 1);
            let rows = self.orientations.next_rows(orientation, beginning.taken, beginning.last);
            if self.orientations.clash {
                bits(rows).for_each(|row| self.keep_row(beginning, row.trailing_zeros() as usize));
            } else if beginning.taken == 0 {
                self.keep_first_rows(beginning, rows);
            } else {
                self.keep_least_rows(beginning, rows);
            }
        }
    }

    /// Keeps those of `rows` that have the least text of all first rows.
    #[inline(always)]
    fn keep_first_rows(&mut self, beginning: &Beginning, mut rows: u16) {
        let least = &self.orientations.least_patterns[usize::from(beginning.orientation & 1)];
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            if least[row.min(8)] == self.orientations.least_pattern {
                self.keep_row(beginning, row);
            }
        }
    }

    /// Keeps those of `rows` that have the least text, if it is at most that of rows kept before. They are of two bands or one.
    #[inline(always)]
    fn keep_least_rows(&mut self, beginning: &Beginning, rows: u16) {
        let first = (rows.trailing_zeros() as usize / 3).min(2);
        let last = (15 - rows.leading_zeros() as usize) / 3;
        let of_band = |band: usize| rows >> (3 * band) & 7;
        let candidates = of_band(first) | of_band(last) << 4;
        let bands = &self.orientations.bands[usize::from(beginning.orientation & 1)];
        let pair = [&bands[first], &bands[last.min(2)]];
        let Some((text, mut words)) = self.least_words(beginning, pair, candidates) else { return };
        if text < self.best {
            self.best = text;
            self.kept.clear();
        }
        // The rows of a single band are in both halves.
        words &= if first == last { 0x3f } else { 0x3f3f };
        while words != 0 {
            let word = words.trailing_zeros() as usize / 2;
            words &= words - 1;
            self.keep_row(beginning, 3 * [first, last][word / 4] + word % 4);
        }
    }

    /// The least keys of the `candidates` among the rows of two bands, and these rows, as every other bit; `None` if these keys
    /// are above the best.
    #[inline(always)]
    fn least_words(
        &self,
        beginning: &Beginning,
        bands: [&[u64; 9]; 2],
        candidates: u16,
    ) -> Option<([u16; 3], u16)> {
        let vectors = self.vectors;
        let table = vectors.load(&beginning.keys);
        let key = |place: usize| {
            let column = usize::from(beginning.columns[place]).min(8);
            X::lookup(table, vectors.of(bands[0][column], bands[1][column]))
        };
        let keys = |stack: usize| {
            let keys = [key(3 * stack), key(3 * stack + 1), key(3 * stack + 2)];
            let [left, middle, right] = sort_words::<X>(beginning.open[3 * stack].into(), keys);
            X::or(X::or(X::left(left), middle), X::right(right))
        };
        let zero = vectors.of(0, 0);
        let open_stacks = beginning.open_stacks();
        let mut stacks = [zero; 3];
        for stack in 0..3 {
            if stack < open_stacks {
                stacks[stack] = keys(stack);
            }
        }
        stacks = sort_words::<X>(open_stacks, stacks);
        let word_bits = vectors.of(0x0008_0004_0002_0001, 0x0080_0040_0020_0010);
        // Ones in the words of rows that are out.
        let mut out = X::equal_words(X::and(vectors.each_word(candidates), word_bits), zero);
        let mut text = [0; 3];
        let mut is_less = false;
        for stack in 0..3 {
            // A stack that is not open keeps its place, so its keys are not read before those of the stacks in front of it are
            // known: these reject most rows.
            let keys = if stack < open_stacks { stacks[stack] } else { keys(stack) };
            let keys = X::or(keys, out);
            text[stack] = X::least_word(keys);
            if !is_less && text[stack] > self.best[stack] {
                return None;
            }
            is_less |= text[stack] < self.best[stack];
            out = X::equal_words(X::equal_words(keys, vectors.each_word(text[stack])), zero);
        }
        Some((text, !X::top_bits(out) & 0x5555))
    }

    /// Keeps `beginning` with one more row, in every order of its open columns and stacks that makes the row's text least.
    #[inline(always)]
    fn keep_row(&mut self, beginning: &Beginning, row: usize) {
        let vectors = self.vectors;
        let orientation = usize::from(beginning.orientation & 1);
        let row = row.min(8);
        let cells = &self.orientations.cells[orientation][row];
        let columns = vectors.load(&beginning.columns);
        let keys = X::lookup(vectors.load(&beginning.keys), vectors.load(cells));
        let places = X::or(X::lookup(keys, columns), columns);
        let blank = beginning.blank & !self.orientations.patterns[orientation][row];
        if blank == beginning.blank && !self.orientations.clash {
            return self.keep(beginning, row, blank, vectors.load(&beginning.open), places);
        }
        let Sorted { places, like_stacks, like_columns } = self.sort(beginning, places);
        let columns = X::bytes(places);
        let open = |stack: usize| {
            let first_of_stack = (columns[3 * stack] & 15) / 3 * 3;
            u64::from((blank >> first_of_stack & 7).count_ones())
        };
        let open = vectors.of(open(0) | open(1) << 8 | open(2) << 16, 0);
        let open = X::lookup(open, vectors.load(&STACKS));
        let other = match (like_stacks, like_columns) {
            _ if self.orientations.clash => None,
            (0, 0) => return self.keep(beginning, row, blank, open, places),
            (0b01, 0) => Some(vectors.of(0x0706_0201_0005_0403, 0x0f0e_0d0c_0b0a_0908)),
            (0b10, 0) => Some(vectors.of(0x0403_0807_0602_0100, 0x0f0e_0d0c_0b0a_0905)),
            (0, pair) if pair.is_power_of_two() => {
                let place = pair.trailing_zeros();
                let change = (u128::from(place ^ (place + 1)) * 0x0101) << (8 * place);
                let exchanged = u128::from_le_bytes(PLACES) ^ change;
                Some(vectors.of(exchanged as u64, (exchanged >> 64) as u64))
            }
            _ => None,
        };
        if let Some(other) = other {
            self.keep(beginning, row, blank, open, places);
            return self.keep(beginning, row, blank, open, X::lookup(places, other));
        }
        let taken = beginning.taken | 1 << row;
        let next = Beginning { open: X::bytes(open), blank, taken, last: row as u8, ..*beginning };
        let places = array(|stack| array(|column| columns[3 * stack + column]));
        let open_columns = array(|stack| beginning.open[3 * stack].into());
        let open_stacks = beginning.open_stacks();
        self.keep_orders(&mut Orders { next, cells, places, open_columns, open_stacks }, 0, 0);
    }

    /// Puts the columns of a row in order that the beginning leaves open.
    #[inline(always)]
    fn sort(&self, beginning: &Beginning, mut places: X::V) -> Sorted<X::V> {
        let vectors = self.vectors;
        let open = vectors.load(&beginning.open);
        let at_least =
            |count: u8| X::equal_bytes(X::max_bytes(open, vectors.each_byte(count)), open);
        let (two, three) = (at_least(2), at_least(3));
        let if_open =
            |is_open, exchanged| X::select(is_open, vectors.load(&PLACES), vectors.load(exchanged));
        let first_two = if_open(two, &FIRST_TWO);
        let last_two = if_open(three, &LAST_TWO);
        let exchange = |places: X::V, exchanged: X::V, former: &[u8; 16]| {
            let others = X::lookup(places, exchanged);
            X::select(
                vectors.load(former),
                X::max_bytes(places, others),
                X::min_bytes(places, others),
            )
        };
        places = exchange(places, first_two, &FIRST);
        places = exchange(places, last_two, &SECOND);
        places = exchange(places, first_two, &FIRST);
        let open_stacks = beginning.open_stacks();
        let mut like_stacks = 0;
        if open_stacks > 1 {
            let bytes = X::bytes(places);
            let key = |place: usize| u32::from(bytes[place] >> 4);
            let stack = |at: usize| {
                key(3 * at) << 12 | key(3 * at + 1) << 8 | key(3 * at + 2) << 4 | at as u32
            };
            let [mut a, mut b, mut c] = [stack(0), stack(1), stack(2)];
            (a, b) = (a.min(b), a.max(b));
            if open_stacks > 2 {
                (b, c) = (b.min(c), b.max(c));
                (a, b) = (a.min(b), a.max(b));
                like_stacks = u8::from(b >> 4 != 0 && b >> 4 == c >> 4) << 1;
            }
            like_stacks |= u8::from(a >> 4 != 0 && a >> 4 == b >> 4);
            let places_of = |stack: u32| 0x02_0100 + 0x03_0303 * u64::from(stack & 3);
            let (left, right) =
                (places_of(a) | places_of(b) << 24 | places_of(c) << 48, places_of(c) >> 16);
            places = X::lookup(places, vectors.of(left, right | 0x0f0e_0d0c_0b0a_0900));
        }
        let new = self.new_places(places);
        let open_pairs = X::top_bits(two) & 0o111 | X::top_bits(three) & 0o222;
        Sorted { places, like_stacks, like_columns: new & new >> 1 & open_pairs }
    }

    /// The places whose digit has no label, as bits.
    #[inline(always)]
    fn new_places(&self, places: X::V) -> u16 {
        let keys = X::and(places, self.vectors.each_byte(15 << 4));
        X::top_bits(X::equal_bytes(keys, self.vectors.each_byte(NEW)))
    }

    /// Keeps `beginning` with `row`, and gives labels to the digits of the row that have none. Afterwards the columns `blank` have no
    /// clue, `open` tells how many columns of each stack are open, and the columns stand as in `places`.
    #[inline(always)]
    fn keep(&mut self, beginning: &Beginning, row: usize, blank: u16, open: X::V, places: X::V) {
        let cells = &self.orientations.cells[usize::from(beginning.orientation & 1)][row];
        let mut new = self.new_places(places) & 0o777;
        // What changes is written into the copy: a copy of what was just written would wait for it.
        self.kept.push(*beginning);
        let kept = self.kept.len() - 1;
        let next = &mut self.kept[kept];
        next.taken |= 1 << row;
        next.last = row as u8;
        next.blank = blank;
        next.open = X::bytes(open);
        next.columns = X::bytes(X::and(places, self.vectors.each_byte(15)));
        while new != 0 {
            let column = next.columns[new.trailing_zeros() as usize & 15];
            new &= new - 1;
            next.keys[usize::from(cells[usize::from(column & 15)] & 15)] = next.next_label << 4;
            next.next_label += 1;
        }
    }

    /// Keeps every order of the columns that leaves the keys as they are. The columns before `first_place` and the first
    /// `chosen_stacks` stacks stay where they are.
    fn keep_orders(&mut self, orders: &mut Orders, first_place: usize, chosen_stacks: usize) {
        // At the first place with a choice, takes each alternative; the call for it makes the choices that follow.
        for place in first_place..9 {
            let stack = place / 3;
            let column = place % 3;
            // Which stack stands here is chosen before its columns are.
            if column == 0 && stack >= chosen_stacks {
                let last = orders.last_stack_like(stack);
                if last > stack {
                    for other in stack..=last {
                        orders.places.swap(stack, other);
                        self.keep_orders(orders, place, stack + 1);
                        orders.places.swap(stack, other);
                    }
                    return;
                }
            }
            let last = orders.last_column_like(stack, column);
            if last > column {
                for other in column..=last {
                    orders.places[stack].swap(column, other);
                    self.keep_orders(orders, place + 1, stack + 1);
                    orders.places[stack].swap(column, other);
                }
                return;
            }
        }
        self.keep_order(orders);
    }

    /// Keeps the order of the columns that `orders` has now; in a grid with a clash, unless a row with a smaller text is known.
    fn keep_order(&mut self, orders: &Orders) {
        let mut next = orders.next;
        let mut text = 0;
        for place in 0..9 {
            let column = orders.places[place / 3][place % 3] & 15;
            next.columns[place] = column;
            let key = &mut next.keys[usize::from(orders.cells[usize::from(column)] & 15)];
            if *key == NEW {
                *key = next.next_label << 4;
                next.next_label += 1;
            }
            text = text << 4 | u64::from(*key >> 4);
        }
        if self.orientations.clash {
            if text > self.best_text {
                return;
            }
            if text < self.best_text {
                self.kept.clear();
                self.best_text = text;
            }
        }
        self.kept.push(next);
    }
}
