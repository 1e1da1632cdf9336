//! The canonical form of a grid: the lexicographically least of its images.
//!
//! Sudoku has 3,359,232 symmetries (rows within bands, bands, columns within stacks, stacks,
//! transposition), and its digits can be relabelled in any way. Images are compared as text, row by
//! row; a blank sorts before every digit. The least image is found row by row:
//!
//! ```text
//! beginnings := the grid and its transpose; no row taken, the columns in any order
//! nine times
//!     for each beginning, for each row that may follow
//!         order the open stacks and columns so that the row reads least:
//!             blanks first, then known labels, then digits that get the next labels
//!         where that leaves a choice, take every order
//!     keep the beginnings with the least row: no other can lead to the least image
//! ```
//!
//! Columns that are blank in every row so far look alike, so their order stays *open* until a row has a clue in one of them;
//! the same holds for stacks. Open columns stand before the others of their stack, and open stacks before the others,
//! because blanks come first.

use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;
use tallyboard_base::random::Random;

/// The lexicographically least image of `grid` under its symmetries and relabellings.
///
/// Two grids are essentially the same exactly if their canonical forms are equal. Takes a few microseconds
/// for a puzzle, some hundreds for a solved grid.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Grid, canonical};
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut turned = *puzzle.cells();
/// turned.reverse();
/// assert_eq!(canonical(&Grid::new(turned).unwrap()), canonical(&puzzle));
/// # Ok::<(), tallyboard::sudoku::LineError>(())
/// ```
pub fn canonical(grid: &Grid) -> Grid {
    let orientations = Orientations::new(grid);
    let mut search = Search { orientations: &orientations, best: 0, kept: Vec::with_capacity(64) };
    search.kept.extend([0, 1].map(Beginning::new));
    let mut before = Vec::with_capacity(64);
    let mut cells = [0; CELLS];
    for row in cells.chunks_exact_mut(9) {
        std::mem::swap(&mut before, &mut search.kept);
        search.next_row(&before);
        for (place, cell) in row.iter_mut().enumerate() {
            *cell = (search.best >> (4 * (8 - place)) & 15) as u8;
        }
    }
    Grid::new(cells).expect("labels are digits")
}

/// A grid and its transpose: orientation 0 and 1.
struct Orientations {
    /// The digits by orientation, row and column; 0 is a blank.
    rows: [[[u8; 9]; 9]; 2],
    /// Rows without a clue, as bits.
    empty: [u16; 2],
    /// Whether a row or column has a digit twice. [`Order::new`] gives such a digit two labels, which makes the text of the
    /// row too large. So no row may be rejected for its text there.
    clash: bool,
}

impl Orientations {
    fn new(grid: &Grid) -> Self {
        let mut rows = [[[0; 9]; 9]; 2];
        for (cell, &digit) in grid.cells().iter().enumerate() {
            rows[0][cell / 9][cell % 9] = digit;
            rows[1][cell % 9][cell / 9] = digit;
        }
        let mut empty = [0; 2];
        let mut clash = false;
        for (orientation, rows) in rows.iter().enumerate() {
            for (row, cells) in rows.iter().enumerate() {
                let mut seen = 0_u16;
                for &cell in cells {
                    clash |= cell != 0 && seen >> cell & 1 != 0;
                    seen |= 1 << cell;
                }
                let has_blanks_only = seen == 1;
                empty[orientation] |= u16::from(has_blanks_only) << row;
            }
        }
        Self { rows, empty, clash }
    }

    /// The rows that may follow `taken`, as bits. A band is finished before another begins. Of the
    /// empty rows of a band, and of several empty bands, only the first is tried.
    fn next_rows(&self, orientation: usize, taken: u16, last: u8) -> u16 {
        let begins_band = taken.count_ones().is_multiple_of(3);
        let mut candidates = !taken & if begins_band { 0x1ff } else { band_of(last) };
        let empty = self.empty[orientation] & candidates;
        if empty != 0 {
            let mut has_empty_band = false;
            for band in [0, 3, 6].map(band_of) {
                let empty_of_band = empty & band;
                // Removes all but the first.
                candidates &= !(empty_of_band & empty_of_band.wrapping_sub(1));
                if empty_of_band == band && begins_band {
                    if has_empty_band {
                        candidates &= !band;
                    }
                    has_empty_band = true;
                }
            }
        }
        candidates
    }
}

/// The rows of the band of `row`, as bits.
fn band_of(row: u8) -> u16 {
    7 << (row / 3 * 3)
}

/// The first rows of an image, and the choices that they leave open.
#[derive(Clone, Copy)]
struct Beginning {
    orientation: u8,
    /// The column of the orientation that stands at each place of the image, by stack.
    columns: [[u8; 3]; 3],
    /// How many of the first stacks, and of the first columns of each stack, are open.
    open_stacks: u8,
    open_columns: [u8; 3],
    /// The rows taken, as bits, and the last of them.
    taken: u16,
    last: u8,
    /// The label of each digit, 0 if it has none yet.
    labels: [u8; 10],
    next_label: u8,
}

impl Beginning {
    fn new(orientation: u8) -> Self {
        Self {
            orientation,
            columns: [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
            open_stacks: 3,
            open_columns: [3; 3],
            taken: 0,
            last: 0,
            labels: [0; 10],
            next_label: 1,
        }
    }

    /// The sort key of a digit: blanks first, then labels, then digits without a label.
    fn key(&self, digit: u8) -> u8 {
        match self.labels[usize::from(digit)] {
            0 if digit > 0 => WITHOUT_LABEL,
            label => label,
        }
    }
}

/// The key of a digit without a label.
const WITHOUT_LABEL: u8 = 10;

/// A row with its columns in an order that makes its text least. Its text is a number: a label for each place, four bits
/// each.
struct Order<'a> {
    beginning: &'a Beginning,
    row: u8,
    cells: &'a [u8; 9],
    columns: [[u8; 3]; 3],
    keys: [[u8; 3]; 3],
}

/// Puts the first `open` columns of a stack in order of their keys; or the first `open` stacks, of which all three columns are
/// open, because they have been blank so far.
#[inline]
fn sort<K: PartialOrd, C>(open: u8, keys: &mut [K; 3], columns: &mut [C; 3]) {
    let mut sort_two = |left: usize, right: usize| {
        if keys[left] > keys[right] {
            keys.swap(left, right);
            columns.swap(left, right);
        }
    };
    if open > 1 {
        sort_two(0, 1);
    }
    if open > 2 {
        sort_two(1, 2);
        sort_two(0, 1);
    }
}

impl<'a> Order<'a> {
    /// The order for `row`, or `None` if its text is above `best`: most rows are rejected after their first stack.
    /// Assumes that the row has no digit twice.
    #[inline]
    fn new(beginning: &'a Beginning, row: u8, cells: &'a [u8; 9], best: u64) -> Option<Self> {
        let &Beginning { columns, open_stacks, .. } = beginning;
        let mut order = Self { beginning, row, cells, columns, keys: [[0; 3]; 3] };
        (0..usize::from(open_stacks)).for_each(|stack| order.sort_columns(stack));
        sort(open_stacks, &mut order.keys, &mut order.columns);
        let mut text = 0;
        let mut next_label = beginning.next_label;
        for stack in 0..3 {
            // A stack that is not open keeps its place, so its columns are not sorted before the text of the stacks in front of it
            // is known: that text rejects most rows.
            if stack >= usize::from(open_stacks) {
                order.sort_columns(stack);
            }
            for key in order.keys[stack] {
                let is_new = key == WITHOUT_LABEL;
                text = text << 4 | u64::from(if is_new { next_label } else { key });
                next_label += u8::from(is_new);
            }
            // Without the twelve bits of each later stack.
            if text > best >> (12 * (2 - stack)) {
                return None;
            }
        }
        Some(order)
    }

    /// Finds the keys of a stack, and puts its open columns in order.
    #[inline]
    fn sort_columns(&mut self, stack: usize) {
        let columns = &mut self.columns[stack];
        let keys = &mut self.keys[stack];
        for place in 0..3 {
            keys[place] = self.beginning.key(self.cells[usize::from(columns[place])]);
        }
        sort(self.beginning.open_columns[stack], keys, columns);
    }

    /// The last of the open stacks after `stack` that have the same keys, if there is one. Stacks of blanks have no
    /// alternatives: they stay open.
    #[inline]
    fn last_stack_like(&self, stack: usize) -> Option<usize> {
        let keys = self.keys[stack];
        let is_like = |other: &usize| keys != [0; 3] && self.keys[*other] == keys;
        (stack + 1..usize::from(self.beginning.open_stacks)).take_while(is_like).last()
    }

    /// The last of the open columns of a stack after `column` that have the same key, if there is one. Blank columns have no
    /// alternatives: they stay open.
    #[inline]
    fn last_column_like(&self, stack: usize, column: usize) -> Option<usize> {
        let keys = self.keys[stack];
        let is_like = |other: &usize| keys[column] != 0 && keys[*other] == keys[column];
        (column + 1..usize::from(self.beginning.open_columns[stack])).take_while(is_like).last()
    }
}

struct Search<'a> {
    orientations: &'a Orientations,
    /// The least text of this row so far.
    best: u64,
    /// The beginnings whose last row has this text.
    kept: Vec<Beginning>,
}

impl Search<'_> {
    /// Adds a row to each of `beginnings` in every way, and keeps the results whose row is least.
    fn next_row(&mut self, beginnings: &[Beginning]) {
        self.best = u64::MAX;
        self.kept.clear();
        for beginning in beginnings {
            let orientation = usize::from(beginning.orientation);
            let rows = self.orientations.next_rows(orientation, beginning.taken, beginning.last);
            for row in bits(rows).map(u16::trailing_zeros) {
                let cells = &self.orientations.rows[orientation][row as usize];
                // See `Orientations::clash`.
                let best = if self.orientations.clash { u64::MAX } else { self.best };
                if let Some(mut order) = Order::new(beginning, row as u8, cells, best) {
                    self.keep_orders(&mut order, 0, 0);
                }
            }
        }
    }

    /// Keeps every order of the columns that leaves the keys as they are. The columns before `first_place` and the first
    /// `chosen_stacks` stacks stay where they are.
    fn keep_orders(&mut self, order: &mut Order, first_place: usize, chosen_stacks: usize) {
        // At the first place with a choice, takes each alternative; the call for it makes the choices that follow.
        for place in first_place..9 {
            let stack = place / 3;
            let column = place % 3;
            // Which stack stands here is chosen before its columns are.
            if column == 0
                && stack >= chosen_stacks
                && let Some(last) = order.last_stack_like(stack)
            {
                for other in stack..=last {
                    order.columns.swap(stack, other);
                    self.keep_orders(order, place, stack + 1);
                    order.columns.swap(stack, other);
                }
                return;
            }
            if let Some(last) = order.last_column_like(stack, column) {
                for other in column..=last {
                    order.columns[stack].swap(column, other);
                    self.keep_orders(order, place + 1, stack + 1);
                    order.columns[stack].swap(column, other);
                }
                return;
            }
        }
        self.keep_order(order);
    }

    /// Keeps `order` unless a row with a smaller text is known.
    fn keep_order(&mut self, order: &Order) {
        let mut next = *order.beginning;
        let mut text = 0;
        // By index: `zip` is a call here (see `base::array`).
        for place in 0..9 {
            let column = order.columns[place / 3][place % 3];
            let key = order.keys[place / 3][place % 3];
            let mut label_shown = key;
            if key == WITHOUT_LABEL {
                let label = &mut next.labels[usize::from(order.cells[usize::from(column)])];
                if *label == 0 {
                    *label = next.next_label;
                    next.next_label += 1;
                }
                label_shown = *label;
            }
            text = text << 4 | u64::from(label_shown);
        }
        if text > self.best {
            return;
        }
        if text < self.best {
            self.kept.clear();
            self.best = text;
        }
        next.columns = order.columns;
        let open_stacks = order.keys[..usize::from(next.open_stacks)].iter();
        next.open_stacks = open_stacks.take_while(|&&keys| keys == [0; 3]).count() as u8;
        for (open, keys) in next.open_columns.iter_mut().zip(order.keys) {
            *open = keys[..usize::from(*open)].iter().take_while(|&&key| key == 0).count() as u8;
        }
        next.taken |= 1 << order.row;
        next.last = order.row;
        self.kept.push(next);
    }
}

// The symmetries of sudoku: 3,359,232 ways to move the cells, with any renaming of the digits.

/// A symmetry: the cell that each cell of the image comes from, and the new name of each digit.
#[derive(Debug, Clone)]
pub struct Symmetry {
    sources: [u8; CELLS],
    digits: [u8; 10],
}

impl Symmetry {
    /// One of all symmetries and renamings, each as likely as any other.
    pub(super) fn random(random: &mut Random) -> Self {
        let rows = line_order(random);
        let columns = line_order(random);
        let transposed = random.below(2) == 1;
        let source = |cell: usize| {
            let row = rows[cell / 9];
            let column = columns[cell % 9];
            if transposed { column * 9 + row } else { row * 9 + column }
        };
        let mut digits = std::array::from_fn(|digit| digit as u8);
        random.shuffle(&mut digits[1..]);
        Self { sources: std::array::from_fn(|cell| source(cell) as u8), digits }
    }

    /// An endless sequence of random symmetries, each as likely as any other. The puzzle and `seed` together seed the random
    /// numbers: the same puzzle and the same `seed` give the same sequence.
    ///
    /// ```
    /// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
    /// use tallyboard::sudoku::{Generator, Requirements, Symmetry, canonical};
    /// let puzzle = Generator::new(Requirements::default(), 1)?.puzzle(0);
    /// for symmetry in Symmetry::of(&puzzle, 7).take(3) {
    ///     assert_eq!(canonical(&symmetry.image(&puzzle)), canonical(&puzzle));
    /// }
    /// # Ok::<(), tallyboard::sudoku::WishError>(())
    /// ```
    pub fn of(puzzle: &Grid, seed: u64) -> impl Iterator<Item = Self> + use<> {
        // The hash FNV-1a, with its usual constants.
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for &cell in puzzle.cells() {
            hash = (hash ^ u64::from(cell)).wrapping_mul(0x100_0000_01b3);
        }
        let mut random = Random::from_seed(hash ^ Random::from_seed(seed).bits());
        std::iter::repeat_with(move || Self::random(&mut random))
    }

    /// The image of a grid. The image of its solution is the solution of its image.
    pub fn image(&self, grid: &Grid) -> Grid {
        let cell = |place| {
            let source = usize::from(self.sources[place]);
            self.digits[usize::from(grid.cells()[source])]
        };
        Grid::new(array(cell)).expect("digits are renamed to digits")
    }
}

/// A random order of nine rows that keeps bands together, or of nine columns that keeps stacks together.
fn line_order(random: &mut Random) -> [usize; 9] {
    let mut order_of_three = || {
        let mut order = [0, 1, 2];
        random.shuffle(&mut order);
        order
    };
    let bands = order_of_three();
    let within = [(); 3].map(|()| order_of_three());
    std::array::from_fn(|at| 3 * bands[at / 3] + within[at / 3][at % 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grid::ORDERS;
    use tallyboard_base::random::Random;

    /// Every order of nine lines that keeps threes together.
    fn line_orders() -> Vec<[usize; 9]> {
        let mut orders = Vec::with_capacity(1296);
        for threes in ORDERS {
            for inner in 0..216 {
                let within = [ORDERS[inner / 36], ORDERS[inner / 6 % 6], ORDERS[inner % 6]];
                let line = |at: usize| threes[at / 3] * 3 + within[at / 3][at % 3];
                orders.push(std::array::from_fn(line));
            }
        }
        orders
    }

    /// The least image by brute force: each of 3,359,232 symmetries is compared row by row, until
    /// one is above the least so far.
    fn least_of_all(grid: &Grid) -> Grid {
        let orders = line_orders();
        let mut least = [9; CELLS];
        for transposed in [false, true] {
            for rows in &orders {
                for columns in &orders {
                    let mut labels = [0; 10];
                    let mut next = 1;
                    let mut image = [0; CELLS];
                    let mut is_less = false;
                    for cell in 0..CELLS {
                        let row = rows[cell / 9];
                        let column = columns[cell % 9];
                        let from = if transposed { column * 9 + row } else { row * 9 + column };
                        let digit = usize::from(grid.cells()[from]);
                        if digit > 0 && labels[digit] == 0 {
                            labels[digit] = next;
                            next += 1;
                        }
                        image[cell] = labels[digit];
                        if !is_less && image[cell] > least[cell] {
                            break;
                        }
                        is_less |= image[cell] < least[cell];
                        if cell + 1 == CELLS {
                            least = image;
                        }
                    }
                }
            }
        }
        Grid::new(least).unwrap()
    }

    #[test]
    fn no_image_is_less() {
        let random = &mut Random::from_seed(5);
        for number in 0..6 {
            let mut cells = *Generator::for_tests(None, 3).puzzle(number).cells();
            match number {
                // Columns, rows, a stack and a band without a clue.
                1 => (0..CELLS).filter(|cell| cell % 9 < 4).for_each(|cell| cells[cell] = 0),
                2 => cells[..45].fill(0),
                // Digits that stand twice in a row or a column.
                3 => cells.iter_mut().filter(|cell| **cell > 5).for_each(|cell| *cell = 5),
                4 => cells.fill_with(|| (random.below(20) as u8).saturating_sub(16)),
                5 => cells.fill_with(|| u8::from(random.below(12) == 0)),
                _ => {}
            }
            let grid = Grid::new(cells).unwrap();
            assert_eq!(canonical(&grid).to_string(), least_of_all(&grid).to_string(), "{grid}");
        }
    }
}

#[cfg(test)]
mod symmetry_tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_cell_of_an_image_comes_from_any_cell() {
        let random = &mut Random::from_seed(3);
        let sources: HashSet<u8> = (0..1000).map(|_| Symmetry::random(random).sources[0]).collect();
        assert_eq!(sources.len(), CELLS);
    }
}
