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
//! bit for each such diagonal that a queen stands on: in the low word those that fall on the board,
//! from left to right, in the high word those that rise, from right to left. So two parts of the
//! board fit together exactly if their keys are disjoint, and the key of a mirror image has the two
//! words swapped: right quarters are left ones with their words swapped.
//!
//! For odd n the middle row counts as row h of the top quarters.

use std::cmp::Ordering;
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
}

/// Which quarter of a half board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    Top,
    Bottom,
}

/// Which half of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    /// The key on this side, given that on the left.
    fn key(self, key: u64) -> u64 {
        match self {
            Self::Left => key,
            Self::Right => key.rotate_left(32),
        }
    }
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

impl Quarter {
    /// All keys.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Those whose keys have `bit`, or lack it.
    pub(super) fn having<const HAS: bool>(&self, bit: u64) -> Self {
        let mut quarter = Self::default();
        quarter.starts.reserve(self.starts.len());
        quarter.keys.reserve(self.keys.len());
        for range in self.starts.windows(2) {
            quarter.starts.push(quarter.keys.len() as u32);
            let keys = self.keys[range[0] as usize..range[1] as usize].iter().copied();
            quarter.keys.extend(keys.filter(|key| (key & bit != 0) == HAS));
        }
        quarter.starts.push(quarter.keys.len() as u32);
        quarter
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

    /// Replaces `quarter` by the fillings of `rows` on one side of the board.
    pub(super) fn load(
        &self,
        rows: u32,
        side: Side,
        subsets: &Subsets,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) {
        let Some(kept) = self.kept.get(rows as usize) else {
            return self.fill(rows, side, subsets, quarter, filling);
        };
        let kept = kept.get_or_init(|| {
            let mut quarter = Quarter::default();
            self.fill(rows, Side::Left, subsets, &mut quarter, filling);
            quarter
        });
        quarter.starts.clone_from(&kept.starts);
        quarter.keys.clear();
        quarter.keys.extend(kept.keys.iter().map(|&key| side.key(key)));
    }

    /// Finds the fillings of `rows`, then sorts them by column set.
    fn fill(
        &self,
        rows: u32,
        side: Side,
        subsets: &Subsets,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) {
        let found = &mut filling.found;
        found.clear();
        self.extend(self.root(), rows, found);

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
            quarter.keys[*next as usize] = side.key(key);
            *next += 1;
        }
        starts.pop();
    }

    /// Finds the fillings of `rows` whose columns are `rows` again, each with its place in an order:
    /// equal if it is its own mirror image in the main diagonal, else greater or less, and its mirror
    /// image is the opposite.
    pub(super) fn upright(&self, rows: u32, side: Side) -> Vec<(Ordering, u64)> {
        let full = (1 << self.sizes.h) - 1;
        let mut found = Vec::new();
        self.lean(Node { columns: full & !rows, ..self.root() }, rows, &mut found);
        found.into_iter().map(|(order, key)| (order, side.key(key))).collect()
    }

    /// Decides by the queens of the first row and of the column of that number, which attack each
    /// other if they are mirror images; if they are one queen, by the next row.
    fn lean(&self, node: Node, rows: u32, found: &mut Vec<(Ordering, u64)>) {
        if rows == 0 {
            found.push((Ordering::Equal, node.key));
            return;
        }
        let i = rows.trailing_zeros();
        let rows = rows & (rows - 1);
        for c in elements(self.free(node, i)) {
            let node = self.with(node, i, c);
            if c == i {
                self.lean(node, rows, found);
                continue;
            }
            for r in elements(rows).filter(|&r| self.free(node, r) >> i & 1 == 1) {
                let mut fillings = Vec::new();
                self.extend(self.with(node, r, i), rows & !(1 << r), &mut fillings);
                found.extend(fillings.into_iter().map(|(_, key)| (c.cmp(&r), key)));
            }
        }
    }

    fn extend(&self, node: Node, rows: u32, found: &mut Vec<(u32, u64)>) {
        if rows == 0 {
            found.push((node.columns, node.key));
            return;
        }
        let i = rows.trailing_zeros();
        for c in elements(self.free(node, i)) {
            self.extend(self.with(node, i, c), rows & (rows - 1), found);
        }
    }

    /// The quarter before its first queen.
    fn root(&self) -> Node {
        let Closed { falling, rising, .. } = self.closed;
        Node { columns: 0, falling, rising, key: 0 }
    }

    /// The columns where a queen can be added in row i.
    fn free(&self, node: Node, i: u32) -> u32 {
        let h = self.sizes.h;
        let taken = node.columns | (node.falling >> (h - i)) as u32 | (node.rising >> i) as u32;
        let closed = if i == h { self.closed.middle_row } else { 0 };
        !(taken | closed) & ((1 << h) - 1)
    }

    /// `node` and a queen in row i and column c.
    fn with(&self, node: Node, i: u32, c: u32) -> Node {
        Node {
            columns: node.columns | 1 << c,
            falling: node.falling | 1 << (c + self.sizes.h - i),
            rising: node.rising | 1 << (i + c),
            key: node.key | self.key(i, c),
        }
    }

    /// The key of a single queen of the left half.
    fn key(&self, i: u32, c: u32) -> u64 {
        let Sizes { n, h } = self.sizes;
        // The falling diagonal from the upper left corner is number h - 1 of 2h - 1.
        let falling = 1u64 << (c + h - i) >> 1;
        let mirrored = 1u64 << (h + i - c) >> 1;
        let crosses = i + c >= n - h;
        match self.corner {
            Corner::Top => falling | if crosses { 1 << (n + h - 2 - i - c) << 32 } else { 0 },
            Corner::Bottom => mirrored << 32 | if crosses { 1 << (i + c + h - n) } else { 0 },
        }
    }
}

/// The elements of a set, ascending.
fn elements(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let element = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(element)
    })
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

                // The right half is the mirror image.
                let opposite = (n - 1 - j - i) == n - 1 - d - c;
                let far = Side::Right.key(below);
                assert_eq!(top & far != 0, opposite, "n = {n}: {i} {c} and {j} {d}");
                let right = Side::Right.key(key(Corner::Top, j, d));
                let beside = i.abs_diff(j) == n - 1 - d - c;
                assert_eq!(top & right != 0, beside, "n = {n}: {i} {c} beside {j} {d}");
            }
        }
    }

    #[test]
    fn fillings_are_sorted_by_columns() {
        let subsets = Subsets::new(5);
        for keep in [false, true] {
            let quarters = Quarters::new(Sizes::new(10), Corner::Bottom, Closed::default(), keep);
            let (mut quarter, mut filling) = Default::default();
            for (rows, side) in
                (0..=subsets.full()).flat_map(|rows| [(rows, Side::Left), (rows, Side::Right)])
            {
                let mut expected = keys(10, Corner::Bottom, rows);
                expected.iter_mut().for_each(|(_, key)| *key = side.key(*key));
                quarters.load(rows, side, &subsets, &mut quarter, &mut filling);
                let mut found = Vec::new();
                for (position, &columns) in subsets.of_size(rows.count_ones()).iter().enumerate() {
                    found.extend(quarter.at(position).iter().map(|&key| (columns, key)));
                }
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "rows {rows:b}, {side:?}");
            }
        }
    }

    #[test]
    fn fillings_and_their_mirror_images_are_opposites() {
        let (sizes, h) = (Sizes::new(12), 6);
        let quarters = Quarters::new(sizes, Corner::Top, Closed::default(), false);
        for rows in 0..1u32 << h {
            // Falling diagonals are mirrored in the main one; a rising one is its own image.
            let (low, high) = ((1u64 << 32) - 1, !0 << 32);
            let image = |key: u64| (key & low).reverse_bits() >> (64 - 11) | key & high;
            let found = quarters.upright(rows, Side::Left);
            let with = |order: Ordering| {
                let all = found.iter().filter(|(found, _)| *found == order);
                let mut keys: Vec<u64> = all.map(|&(_, key)| key).collect();
                keys.sort_unstable();
                keys
            };
            let mut images = with(Ordering::Less);
            images.iter_mut().for_each(|key| *key = image(*key));
            images.sort_unstable();
            assert_eq!(with(Ordering::Greater), images, "rows {rows:b}");
            assert!(with(Ordering::Equal).iter().all(|&key| image(key) == key));
            assert!(with(Ordering::Equal).len() <= usize::from(rows.count_ones() < 2));

            let mut all: Vec<u64> = found.iter().map(|&(_, key)| key).collect();
            let mut expected: Vec<u64> = keys(12, Corner::Top, rows)
                .into_iter()
                .filter_map(|(columns, key)| (columns == rows).then_some(key))
                .collect();
            all.sort_unstable();
            expected.sort_unstable();
            assert_eq!(all, expected, "rows {rows:b}");
        }
    }
}
