//! Quarter boards: every way to fill given rows of one corner of the board.
//!
//! ```text
//!   column c  0 1 2 ..  h-1 |            rows and columns are counted from the border,
//!  row i  0   . . Q .   .   |            so the four corners look alike
//!         1   Q . . .   .   |
//!         :                 |  middle    falling  c - i + h
//!        h-1  . . . .   Q   |            rising   i + c
//!         ------------------+
//!               middle
//! ```
//!
//! A diagonal matters outside its quarter only if it crosses the middle column. All 2h - 1 falling
//! diagonals of a top left quarter do, and so do the rising ones from n - h on. A *key* holds one
//! bit for each such diagonal that a queen stands on, falling ones in the low word, rising ones in
//! the high word. A bottom left quarter is a top left one upside down: its key is the same with the
//! words swapped. Then one bit means one diagonal in all left keys, and two quarters, one above the
//! other, fit together exactly if their keys are disjoint.
//!
//! For odd n the middle row counts as row h of the top quarters.

use std::sync::OnceLock;

use super::subsets::Subsets;

/// The sizes that a board of n × n squares comes down to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// Rows and columns of the board.
    pub n: u32,
    /// Rows and columns of a quarter: half of n, rounded down.
    pub h: u32,
}

impl Sizes {
    pub(super) fn new(n: u32) -> Self {
        Self { n, h: n / 2 }
    }

    /// The sum of the two bit numbers that one diagonal has in a left key and in the key of a right
    /// half, whose boards are built as mirror images of left ones.
    pub(super) fn mirror(self) -> u32 {
        2 * self.h + 30
    }
}

/// Which quarter of a half board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    Top,
    Bottom,
}

/// Squares of a quarter that are closed by queens on the middle lines.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Closed {
    /// Falling diagonals, as bits c - i + h.
    pub falling: u64,
    /// Rising diagonals, as bits i + c.
    pub rising: u64,
    /// Columns of the middle row.
    pub middle_row: u32,
}

/// The keys of all fillings of one set of rows, by the set of columns that the queens use.
#[derive(Debug, Default)]
pub(super) struct Quarter {
    /// `keys[starts[p]..starts[p + 1]]` use the p-th column set of their size.
    starts: Vec<u32>,
    keys: Vec<u64>,
}

impl Quarter {
    /// The keys that use the column set with this [position](Subsets::position).
    pub(super) fn at(&self, position: usize) -> &[u64] {
        &self.keys[self.starts[position] as usize..self.starts[position + 1] as usize]
    }
}

/// Working memory for [`Quarters::fill`].
#[derive(Debug, Default)]
pub(super) struct Filling {
    found: Vec<(u32, u64)>,
}

/// One corner of the board: the fillings of any of its row sets.
#[derive(Debug)]
pub(super) struct Quarters {
    sizes: Sizes,
    corner: Corner,
    closed: Closed,
    /// Fillings made once and kept, by row set; empty if they are not to be kept.
    kept: Vec<OnceLock<Quarter>>,
}

impl Quarters {
    /// The fillings of `corner`; each is made once and kept if `keep` is set.
    pub(super) fn new(sizes: Sizes, corner: Corner, closed: Closed, keep: bool) -> Self {
        let row_sets = if keep { 2 << sizes.h } else { 0 };
        let kept = std::iter::repeat_with(OnceLock::new).take(row_sets).collect();
        Self { sizes, corner, closed, kept }
    }

    /// The fillings of `rows`: the kept ones, or else new ones in `spare`.
    pub(super) fn get<'a>(
        &'a self,
        rows: u32,
        subsets: &Subsets,
        spare: &'a mut Quarter,
        filling: &mut Filling,
    ) -> &'a Quarter {
        match self.kept.get(rows as usize) {
            Some(kept) => kept.get_or_init(|| {
                let mut quarter = Quarter::default();
                self.fill(rows, subsets, &mut quarter, filling);
                quarter
            }),
            None => {
                self.fill(rows, subsets, spare, filling);
                spare
            }
        }
    }

    /// Replaces `quarter` by the fillings of `rows`.
    pub(super) fn load(
        &self,
        rows: u32,
        subsets: &Subsets,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) {
        if self.kept.is_empty() {
            return self.fill(rows, subsets, quarter, filling);
        }
        let mut unused = Quarter::default();
        let kept = self.get(rows, subsets, &mut unused, filling);
        quarter.starts.clone_from(&kept.starts);
        quarter.keys.clone_from(&kept.keys);
    }

    /// Finds the fillings of `rows`, then sorts them by column set.
    fn fill(&self, rows: u32, subsets: &Subsets, quarter: &mut Quarter, filling: &mut Filling) {
        let found = &mut filling.found;
        found.clear();
        let Closed { falling, rising, .. } = self.closed;
        self.extend(Node { columns: 0, falling, rising, key: 0 }, rows, found);

        let starts = &mut quarter.starts;
        starts.clear();
        starts.resize(subsets.of_size(rows.count_ones()).len() + 2, 0);
        for (columns, _) in found.iter_mut() {
            *columns = subsets.position(*columns) as u32;
            starts[*columns as usize + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        quarter.keys.clear();
        quarter.keys.resize(found.len(), 0);
        for &(columns, key) in found.iter() {
            let next = &mut starts[columns as usize + 1];
            quarter.keys[*next as usize] = key;
            *next += 1;
        }
        starts.pop();
    }

    fn extend(&self, node: Node, rows: u32, found: &mut Vec<(u32, u64)>) {
        let h = self.sizes.h;
        if rows == 0 {
            found.push((node.columns, node.key));
            return;
        }
        let i = rows.trailing_zeros();
        let taken = node.columns | (node.falling >> (h - i)) as u32 | (node.rising >> i) as u32;
        let mut free = !taken & ((1 << h) - 1);
        if i == h {
            free &= !self.closed.middle_row;
        }
        while free != 0 {
            let c = free.trailing_zeros();
            free &= free - 1;
            let child = Node {
                columns: node.columns | 1 << c,
                falling: node.falling | 1 << (c + h - i),
                rising: node.rising | 1 << (i + c),
                key: node.key | self.key(i, c),
            };
            self.extend(child, rows & (rows - 1), found);
        }
    }

    /// The key of a single queen.
    fn key(&self, i: u32, c: u32) -> u64 {
        let Sizes { n, h } = self.sizes;
        let falling = 1u64 << (c + h - i) >> 1;
        let rising = if i + c >= n - h { 1u64 << (i + c - (n - h)) } else { 0 };
        match self.corner {
            Corner::Top => falling | rising << 32,
            Corner::Bottom => rising | falling << 32,
        }
    }
}

/// A partly filled quarter.
#[derive(Clone, Copy)]
struct Node {
    columns: u32,
    falling: u64,
    rising: u64,
    key: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All keys of a row set.
    fn keys(n: u32, corner: Corner, rows: u32) -> Vec<(u32, u64)> {
        let sizes = Sizes::new(n);
        let mut found = Vec::new();
        let start = Node { columns: 0, falling: 0, rising: 0, key: 0 };
        Quarters::new(sizes, corner, Closed::default(), false).extend(start, rows, &mut found);
        found
    }

    /// Placements of any number of queens that do not attack each other, square by square.
    fn placements(h: u32, square: u32, queens: &mut Vec<(u32, u32)>) -> usize {
        if square == h * h {
            return 1;
        }
        let (i, c) = (square / h, square % h);
        let mut count = placements(h, square + 1, queens);
        if queens.iter().all(|&(j, d)| i != j && c != d && i.abs_diff(j) != c.abs_diff(d)) {
            queens.push((i, c));
            count += placements(h, square + 1, queens);
            queens.pop();
        }
        count
    }

    #[test]
    fn finds_every_placement_in_a_quarter() {
        for h in 1..=6 {
            let found: usize = (0..1 << h).map(|rows| keys(2 * h, Corner::Top, rows).len()).sum();
            assert_eq!(found, placements(h, 0, &mut Vec::new()), "h = {h}");
        }
    }

    #[test]
    fn keys_are_disjoint_exactly_if_queens_do_not_attack() {
        for n in 4..=9u32 {
            let h = n / 2;
            for (i, c, j, d) in
                (0..h.pow(4)).map(|x| (x % h, x / h % h, x / h / h % h, x / h.pow(3)))
            {
                let key = |corner, i: u32, c: u32| {
                    let quarters = Quarters::new(Sizes::new(n), corner, Closed::default(), false);
                    quarters.key(i, c)
                };
                let (top, below) = (key(Corner::Top, i, c), key(Corner::Bottom, j, d));
                let attack = (n - 1 - j - i) == c.abs_diff(d);
                assert_eq!(top & below != 0, attack, "n = {n}: {i} {c} over {j} {d}");

                // The right half is built as its mirror image.
                let mirror = Sizes::new(n).mirror();
                let across = |key: u64| key.reverse_bits() >> (63 - mirror);
                let opposite = (n - 1 - j - i) == n - 1 - d - c;
                assert_eq!(top & across(below) != 0, opposite, "n = {n}: {i} {c} and {j} {d}");
                let right = key(Corner::Top, j, d);
                let beside = i.abs_diff(j) == n - 1 - d - c;
                assert_eq!(top & across(right) != 0, beside, "n = {n}: {i} {c} beside {j} {d}");
            }
        }
    }

    #[test]
    fn fillings_are_sorted_by_columns() {
        let subsets = Subsets::new(5);
        let quarters = Quarters::new(Sizes::new(10), Corner::Bottom, Closed::default(), true);
        let (mut spare, mut loaded) = Default::default();
        let mut filling = Filling::default();
        for rows in 0..=subsets.full() {
            let mut expected = keys(10, Corner::Bottom, rows);
            quarters.load(rows, &subsets, &mut loaded, &mut filling);
            let quarter = quarters.get(rows, &subsets, &mut spare, &mut filling);
            let mut found = Vec::new();
            for (position, &columns) in subsets.of_size(rows.count_ones()).iter().enumerate() {
                found.extend(quarter.at(position).iter().map(|&key| (columns, key)));
                assert_eq!(quarter.at(position), loaded.at(position));
            }
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "rows {rows:b}");
        }
    }
}
