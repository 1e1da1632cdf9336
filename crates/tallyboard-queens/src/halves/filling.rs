//! The search for the fillings of a quarter: for one queen in each of some rows, none attacking another.
//!
//! Successive row sets mostly share the rows next to the middle, which have the highest numbers. So these
//! are filled first, and their partial fillings kept, in *levels*, for the next row set:
//! ```text
//! level 0: no row    level 1: row 5    level 2: rows 5, 4    then row 1, depth first    (row set 1, 4, 5)
//! ```

use std::cmp::Ordering;
use std::sync::Arc;

use super::corner::{Closed, Corner, Side};
use super::subsets::{Subsets, elements};
use tallyboard_search::{Stop, Stopped};

/// Limit on the partial fillings of a level: 4 MiB at 32 bytes each.
const MAX_LEVEL_NODES: usize = 1 << 17;

/// Upper estimate of the bytes of a [`Filling`], of a quarter with `fillings` fillings.
pub(super) fn bytes(fillings: f64) -> f64 {
    // Each level has several times the nodes of the one before it.
    1.5 * size_of::<Node>() as f64 * fillings.min(MAX_LEVEL_NODES as f64)
}

/// Partial fillings to extend between two checks of the stop flag: each leads to thousands of fillings.
const NODES_PER_CHECK: usize = 256;

/// The partial fillings of the last row set, kept for the next one.
#[derive(Debug)]
pub(super) struct Filling {
    /// Level k has the k rows of the last row set that are filled first.
    levels: Vec<Level>,
    /// Limit on the nodes of a level. After the last level that fits, the search goes depth first.
    max_nodes: usize,
}

impl Default for Filling {
    fn default() -> Self {
        Self { levels: Vec::new(), max_nodes: MAX_LEVEL_NODES }
    }
}

#[cfg(test)]
impl Filling {
    /// With a limit other than the default.
    pub(super) fn with(max_nodes: usize) -> Self {
        Self { max_nodes, ..Self::default() }
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.nodes.capacity() * size_of::<Node>()).sum()
    }
}

/// All fillings of some rows.
#[derive(Debug)]
struct Level {
    rows: u32,
    nodes: Vec<Node>,
}

impl Level {
    /// Whether its rows are the first ones that a search for fillings of `rows` fills: those with the highest numbers.
    fn is_filled_first(&self, rows: u32) -> bool {
        let lower_rows = (1 << self.rows.trailing_zeros().min(31)) - 1;
        self.rows == rows & !lower_rows
    }
}

/// The squares of a quarter.
#[derive(Debug)]
pub(super) struct Squares {
    h: u32,
    /// The sets of its rows, and of its columns.
    pub subsets: Arc<Subsets>,
    closed: Closed,
    /// The key of a queen on each square, row by row.
    queens: Vec<u64>,
}

impl Squares {
    pub(super) fn new(subsets: &Arc<Subsets>, corner: Corner, closed: Closed) -> Self {
        let sizes = subsets.sizes;
        let h = subsets.sizes.h;
        let queens = (0..=h).flat_map(|i| (0..h).map(move |c| corner.key(sizes, i, c)));
        Self { h, subsets: Arc::clone(subsets), closed, queens: queens.collect() }
    }

    /// Calls `found` with the columns and the key of every way to fill `rows`.
    #[inline]
    pub(super) fn for_each_filling(
        &self,
        rows: u32,
        filling: &mut Filling,
        stop: &Stop,
        found: &mut impl FnMut(u32, u64),
    ) -> Result<(), Stopped> {
        let (nodes, rows_left) = self.fill_levels(rows, filling, stop)?;
        for nodes in nodes.chunks(NODES_PER_CHECK) {
            stop.check()?;
            self.extend_all(nodes, rows_left, found);
        }
        Ok(())
    }

    /// Calls `found` with the key of a queen on each open square of `rows`.
    pub(super) fn for_each_square(&self, rows: u32, mut found: impl FnMut(u64)) {
        for i in elements(rows) {
            elements(self.free_columns(self.root(), i)).for_each(|c| found(self.queen_key(i, c)));
        }
    }

    /// Fills the first of `rows` level by level. Returns the last level within the limit, and the rows left to fill.
    fn fill_levels<'a>(
        &self,
        rows: u32,
        filling: &'a mut Filling,
        stop: &Stop,
    ) -> Result<(&'a [Node], u32), Stopped> {
        let Filling { levels, max_nodes } = filling;
        // The root holds the closed diagonals: another root means that the levels belong to another case.
        if levels.first().is_none_or(|level| level.nodes != [self.root()]) {
            *levels = vec![Level { rows: 0, nodes: vec![self.root()] }];
        }
        let mut known = levels.iter().take_while(|level| level.is_filled_first(rows)).count();
        loop {
            let (before, after) = levels.split_at_mut(known);
            let last = &before[known - 1];
            let rows_left = rows & !last.rows;
            let columns = (self.h - last.rows.count_ones()) as usize;
            if rows_left.count_ones() < 2 || last.nodes.len() * columns > *max_nodes {
                return Ok((&levels[known - 1].nodes, rows_left));
            }
            stop.check()?;
            let i = rows_left.ilog2();
            // The memory of the next level of an earlier row set is used again.
            let mut nodes =
                after.first_mut().map_or_else(Vec::new, |level| std::mem::take(&mut level.nodes));
            nodes.clear();
            for &node in &last.nodes {
                for c in elements(self.free_columns(node, i)) {
                    nodes.push(self.with_queen(node, i, c));
                }
            }
            let level = Level { rows: last.rows | 1 << i, nodes };
            match after.first_mut() {
                Some(next) => *next = level,
                None => levels.push(level),
            }
            known += 1;
        }
    }

    /// Finds the fillings of `rows` whose columns are `rows` again, each compared with its mirror image in the
    /// main diagonal: `Equal` if the two coincide; else one of them is `Greater` and the other `Less`.
    pub(super) fn compare_with_mirror_images(&self, rows: u32, side: Side) -> Vec<(Ordering, u64)> {
        let mut found = Vec::new();
        let root = Node { columns: self.subsets.full() & !rows, ..self.root() };
        self.compare_from(root, rows, &mut found);
        found.into_iter().map(|(order, key)| (order, side.key(key))).collect()
    }

    /// Fills `rows`, all of which `node` lacks, and compares column c of the queen in row i, the first of them, with row
    /// r of the queen in column i. If they are one queen (c = r = i), the next row decides. Otherwise c and r differ:
    /// a queen and its mirror image would attack each other.
    fn compare_from(&self, node: Node, rows: u32, found: &mut Vec<(Ordering, u64)>) {
        if rows == 0 {
            found.push((Ordering::Equal, node.key));
            return;
        }
        let i = rows.trailing_zeros();
        let rows = rows & (rows - 1);
        for c in elements(self.free_columns(node, i)) {
            let node = self.with_queen(node, i, c);
            if c == i {
                self.compare_from(node, rows, found);
                continue;
            }
            for r in elements(rows).filter(|&r| self.free_columns(node, r) >> i & 1 == 1) {
                self.extend(self.with_queen(node, r, i), rows & !(1 << r), &mut |_, key| {
                    found.push((c.cmp(&r), key));
                });
            }
        }
    }

    /// Calls `found` with the columns and the key of every way to fill `rows` in one of `nodes`, highest row first.
    #[inline]
    fn extend_all(&self, nodes: &[Node], rows: u32, found: &mut impl FnMut(u32, u64)) {
        if rows.count_ones() == 1 {
            let i = rows.ilog2();
            for &node in nodes {
                for c in elements(self.free_columns(node, i)) {
                    found(node.columns | 1 << c, node.key | self.queen_key(i, c));
                }
            }
        } else {
            nodes.iter().for_each(|&node| self.extend(node, rows, found));
        }
    }

    /// Calls `found` with the columns and the key of every way to fill `rows` in `node`, highest row first.
    fn extend(&self, node: Node, rows: u32, found: &mut impl FnMut(u32, u64)) {
        if rows == 0 {
            return found(node.columns, node.key);
        }
        let i = rows.ilog2();
        for c in elements(self.free_columns(node, i)) {
            self.extend(self.with_queen(node, i, c), rows & !(1 << i), found);
        }
    }

    /// The quarter before its first queen.
    fn root(&self) -> Node {
        let Closed { falling, rising, .. } = self.closed;
        Node { columns: 0, falling, rising, key: 0 }
    }

    /// The columns where a queen can be added in row i.
    fn free_columns(&self, node: Node, i: u32) -> u32 {
        let h = self.h;
        let taken = node.columns | (node.falling >> (h - i)) as u32 | (node.rising >> i) as u32;
        let closed = if i == h { self.closed.middle_row } else { 0 };
        !(taken | closed) & ((1 << h) - 1)
    }

    /// `node` with one more queen, in row i and column c.
    fn with_queen(&self, node: Node, i: u32, c: u32) -> Node {
        Node {
            columns: node.columns | 1 << c,
            falling: node.falling | 1 << (c + self.h - i),
            rising: node.rising | 1 << (i + c),
            key: node.key | self.queen_key(i, c),
        }
    }

    /// The key of a single queen of the left half.
    fn queen_key(&self, i: u32, c: u32) -> u64 {
        self.queens[(i * self.h + c) as usize]
    }
}

#[cfg(test)]
impl Squares {
    /// The columns and the key of every way to fill `rows`.
    pub(super) fn fillings(&self, rows: u32) -> Vec<(u32, u64)> {
        let mut found = Vec::new();
        let mut add = |columns, key| found.push((columns, key));
        self.for_each_filling(rows, &mut Filling::default(), &Stop::new(), &mut add).unwrap();
        found
    }
}

/// A partly filled quarter: its columns and diagonals in use or closed, and the key of its queens.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    columns: u32,
    falling: u64,
    rising: u64,
    key: u64,
}

#[cfg(test)]
mod tests {
    use super::super::corner::Sizes;
    use super::*;

    /// The upper left quarter of a board.
    fn squares(n: u32) -> Squares {
        Squares::new(&Arc::new(Subsets::new(Sizes::new(n))), Corner::Top, Closed::default())
    }

    /// The number of ways to add queens from `square` on, any number of them, none attacking another.
    fn placements(h: u32, square: u32, queens: &mut Vec<(u32, u32)>) -> usize {
        if square == h * h {
            return 1;
        }
        let i = square / h;
        let c = square % h;
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
            let squares = squares(2 * h);
            let found: usize = (0..1 << h).map(|rows| squares.fillings(rows).len()).sum();
            assert_eq!(found, placements(h, 0, &mut Vec::new()), "h = {h}");
        }
    }

    #[test]
    fn fillings_and_their_mirror_images_compare_in_opposite_ways() {
        let squares = squares(12);
        for rows in 0..1u32 << 6 {
            // Mirroring in the main diagonal swaps falling diagonals and keeps rising ones.
            let low = (1u64 << 32) - 1;
            let high = !0 << 32;
            let image = |key: u64| (key & low).reverse_bits() >> (64 - 11) | key & high;
            let found = squares.compare_with_mirror_images(rows, Side::Left);
            let keys_with = |order: Ordering| {
                let all = found.iter().filter(|(found, _)| *found == order);
                let mut keys: Vec<u64> = all.map(|&(_, key)| key).collect();
                keys.sort_unstable();
                keys
            };
            let mut images = keys_with(Ordering::Less);
            images.iter_mut().for_each(|key| *key = image(*key));
            images.sort_unstable();
            assert_eq!(keys_with(Ordering::Greater), images, "rows {rows:b}");
            assert!(keys_with(Ordering::Equal).iter().all(|&key| image(key) == key));
            assert!(keys_with(Ordering::Equal).len() <= usize::from(rows.count_ones() < 2));

            let mut all: Vec<u64> = found.iter().map(|&(_, key)| key).collect();
            let mut expected: Vec<u64> = squares
                .fillings(rows)
                .into_iter()
                .filter_map(|(columns, key)| (columns == rows).then_some(key))
                .collect();
            all.sort_unstable();
            expected.sort_unstable();
            assert_eq!(all, expected, "rows {rows:b}");
        }
    }
}
