//! The canonical form of a grid: the lexicographically least of its images.
//!
//! A grid keeps its nature under 3,359,232 symmetries (rows within bands, bands, columns within
//! stacks, stacks, transposition) and any relabelling of the digits. Of all images, written row by
//! row with a blank before every digit, the least is found row by row: all ways to choose the rows
//! so far that give the least beginning are kept, the others can never catch up.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::grid::ORDERS;
use super::single::state::State;
use super::{CELLS, Grid};

/// Every order of the columns that keeps stacks together: `orders[i][column]` is the column of the
/// grid that is shown there.
struct ColumnOrders {
    orders: Vec<[u8; 9]>,
    /// For each pattern of clues in a row (bit 8 is the first column): the least pattern that an
    /// order makes of it, and the orders that do.
    least: Vec<(u16, Vec<u16>)>,
}

static COLUMN_ORDERS: LazyLock<ColumnOrders> = LazyLock::new(ColumnOrders::new);

impl ColumnOrders {
    fn new() -> Self {
        let mut orders = Vec::with_capacity(1296);
        for stacks in ORDERS {
            for inner in 0..216 {
                let within = [ORDERS[inner / 36], ORDERS[inner / 6 % 6], ORDERS[inner % 6]];
                orders.push(std::array::from_fn(|column| {
                    (stacks[column / 3] * 3 + within[column / 3][column % 3]) as u8
                }));
            }
        }
        let least = (0..512).map(|pattern| least_pattern(&orders, pattern)).collect();
        Self { orders, least }
    }
}

fn least_pattern(orders: &[[u8; 9]], pattern: u16) -> (u16, Vec<u16>) {
    let shown = |order: &[u8; 9]| {
        order.iter().fold(0, |shown, column| shown << 1 | pattern >> (8 - column) & 1)
    };
    let least = orders.iter().map(shown).min().unwrap_or(0);
    let best = (0..orders.len()).filter(|&index| shown(&orders[index]) == least);
    (least, best.map(|index| index as u16).collect())
}

/// One way to begin the image: an orientation, an order of the columns, the rows so far, and the
/// labels that their digits have got.
#[derive(Clone, Copy)]
struct Beginning {
    transposed: bool,
    columns: u16,
    /// The rows taken, as bits, and the last of them.
    taken: u16,
    last: u8,
    labels: [u8; 10],
    next_label: u8,
}

/// A grid and its transpose, and which rows of them are interchangeable.
struct Faces {
    rows: [[[u8; 9]; 9]; 2],
    /// Rows without a clue, as bits.
    empty: [u16; 2],
}

impl Faces {
    fn new(grid: &Grid) -> Self {
        let cell = |row: usize, column: usize| grid.cells()[row * 9 + column];
        let upright = std::array::from_fn(|row| std::array::from_fn(|column| cell(row, column)));
        let turned = std::array::from_fn(|row| std::array::from_fn(|column| cell(column, row)));
        let rows: [[[u8; 9]; 9]; 2] = [upright, turned];
        let empty = rows.map(|rows| {
            (0..9).filter(|&row| rows[row] == [0; 9]).fold(0, |empty, row| empty | 1 << row)
        });
        Self { rows, empty }
    }

    fn pattern(&self, face: usize, row: usize) -> usize {
        self.rows[face][row].iter().fold(0, |pattern, &cell| pattern << 1 | usize::from(cell != 0))
    }

    /// The rows that may follow `taken`: of the same band while it lasts. Of rows without a clue in
    /// one band, and of bands without a clue, the first stands for the others.
    fn next_rows(&self, face: usize, taken: u16, last: u8) -> impl Iterator<Item = usize> {
        let band = u32::from(last / 3 * 3);
        let open =
            if taken.count_ones().is_multiple_of(3) { !taken & 0x1ff } else { !taken & 7 << band };
        let empty = self.empty[face] & open;
        (0..9).filter(move |&row| {
            let before = (1 << row) - 1;
            let band_before = before & 7 << (row / 3 * 3);
            let twin_row = empty >> row & 1 != 0 && empty & band_before != 0;
            let twin_band =
                is_band(empty, row) && (0..row / 3).any(|band| is_band(empty, band * 3));
            open >> row & 1 != 0 && !twin_row && !twin_band
        })
    }

    /// Whether an order of the columns keeps columns without a clue as they were, within their
    /// stack, and stacks without a clue among themselves: other orders give no other images.
    fn keeps_empty_columns(&self, face: usize, order: &[u8; 9]) -> bool {
        let empty = self.empty[1 - face];
        let within = order
            .chunks(3)
            .all(|stack| stack.iter().filter(|&column| empty >> column & 1 != 0).is_sorted());
        let stacks = order.iter().step_by(3).map(|&column| column / 3 * 3);
        within && stacks.filter(|&head| is_band(empty, head.into())).is_sorted()
    }
}

/// Whether all rows of the band of `row` are in `rows`.
fn is_band(rows: u16, row: usize) -> bool {
    rows >> (row / 3 * 3) & 7 == 7
}

/// The lexicographically least image of `grid` under its symmetries and relabellings.
///
/// Two grids are essentially the same exactly if their canonical forms are equal. Takes some tens of
/// microseconds for a puzzle, some hundreds for a solved grid.
///
/// ```
/// use tallyboard::sudoku::{Grid, canonical};
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut turned = *puzzle.cells();
/// turned.reverse();
/// assert_eq!(canonical(&Grid::new(turned).unwrap()), canonical(&puzzle));
/// # Ok::<(), tallyboard::sudoku::LineError>(())
/// ```
pub fn canonical(grid: &Grid) -> Grid {
    let faces = Faces::new(grid);
    // Where givens clash a row may hold a digit twice, and its pattern alone does not order it.
    let by_pattern = State::<9, 81>::new(grid.cells()).is_some();
    let mut search = Search { faces: &faces, best: [u8::MAX; 9], kept: Vec::new() };
    search.first_rows(by_pattern);
    let mut cells = [0; CELLS];
    cells[..9].copy_from_slice(&search.best);
    for row in 1..9 {
        search.next_row();
        cells[row * 9..row * 9 + 9].copy_from_slice(&search.best);
    }
    Grid::new(cells).expect("labels are digits")
}

struct Search<'a> {
    faces: &'a Faces,
    /// The least row found on this level.
    best: [u8; 9],
    /// The beginnings that end with it.
    kept: Vec<Beginning>,
}

impl Search<'_> {
    fn first_rows(&mut self, by_pattern: bool) {
        let table = &*COLUMN_ORDERS;
        let all_orders: Vec<u16> = (0..1296).collect();
        let starts = || (0..2).flat_map(|face| (0..9).map(move |row| (face, row)));
        let least = |(face, row)| &table.least[self.faces.pattern(face, row)];
        let target = starts().map(|start| least(start).0).min();
        for (face, row) in starts() {
            let (pattern, fitting) = &table.least[self.faces.pattern(face, row)];
            if by_pattern && Some(*pattern) != target {
                continue;
            }
            let free_columns = self.faces.empty[1 - face].count_ones() > 1;
            for &columns in if by_pattern { fitting } else { &all_orders } {
                let order = &table.orders[usize::from(columns)];
                if free_columns && !self.faces.keeps_empty_columns(face, order) {
                    continue;
                }
                let beginning = Beginning {
                    transposed: face == 1,
                    columns,
                    taken: 0,
                    last: 0,
                    labels: [0; 10],
                    next_label: 1,
                };
                self.try_row(&beginning, row);
            }
        }
    }

    fn next_row(&mut self) {
        let beginnings = std::mem::take(&mut self.kept);
        self.best = [u8::MAX; 9];
        for beginning in &beginnings {
            let face = usize::from(beginning.transposed);
            for row in self.faces.next_rows(face, beginning.taken, beginning.last) {
                self.try_row(beginning, row);
            }
        }
    }

    /// Keeps `beginning` with `row` if no smaller row is known for this place.
    fn try_row(&mut self, beginning: &Beginning, row: usize) {
        let cells = &self.faces.rows[usize::from(beginning.transposed)][row];
        let order = &COLUMN_ORDERS.orders[usize::from(beginning.columns)];
        let (mut labels, mut next_label) = (beginning.labels, beginning.next_label);
        let mut shown = [0; 9];
        let mut standing = Ordering::Equal;
        for (place, &column) in order.iter().enumerate() {
            let digit = usize::from(cells[usize::from(column)]);
            if digit != 0 {
                if labels[digit] == 0 {
                    labels[digit] = next_label;
                    next_label += 1;
                }
                shown[place] = labels[digit];
            }
            standing = standing.then(shown[place].cmp(&self.best[place]));
            if standing == Ordering::Greater {
                return;
            }
        }
        if standing == Ordering::Less {
            self.kept.clear();
            self.best = shown;
        }
        let taken = beginning.taken | 1 << row;
        self.kept.push(Beginning { taken, last: row as u8, labels, next_label, ..*beginning });
    }
}
