//! Quarter boards: every way to fill given rows of one corner of the board.
//!
//! Row sets that follow each other mostly share the rows next to the middle, so these are filled first
//! and their partial fillings used again.

use std::cmp::Ordering;
use std::sync::OnceLock;

use super::corner::{Closed, Corner, Side, Sizes};
use super::subsets::Subsets;

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

/// The partial fillings that led to the fillings of a row set, for the next one, which often shares
/// the rows next to the middle.
#[derive(Debug)]
pub(super) struct Filling {
    /// Each has a row more than the one before it.
    levels: Vec<Level>,
    /// Longer levels are gone on from one filling after the other.
    most: usize,
}

impl Default for Filling {
    fn default() -> Self {
        // 8 MiB and a few times as many.
        Self { levels: Vec::new(), most: 1 << 18 }
    }
}

/// All fillings of some rows.
#[derive(Debug)]
struct Level {
    rows: u32,
    nodes: Vec<Node>,
}

impl Level {
    /// Whether its rows are those of `rows` that are filled first.
    fn begins(&self, rows: u32) -> bool {
        let later = (1 << self.rows.trailing_zeros().min(31)) - 1;
        self.rows == rows & !later
    }
}

/// One corner of the board: the fillings of any of its row sets.
#[derive(Debug)]
pub(super) struct Quarters {
    sizes: Sizes,
    closed: Closed,
    /// The key of a queen on each square, row by row.
    queens: Vec<u64>,
    /// Fillings made once and kept, by row set; empty if they are not to be kept.
    kept: Vec<OnceLock<Quarter>>,
}

impl Quarters {
    /// The fillings of `corner`; each is made once and kept if `keep` is set.
    pub(super) fn new(sizes: Sizes, corner: Corner, closed: Closed, keep: bool) -> Self {
        let row_sets = if keep { 2 << sizes.h } else { 0 };
        let kept = std::iter::repeat_with(OnceLock::new).take(row_sets).collect();
        let queens = (0..=sizes.h).flat_map(|i| (0..sizes.h).map(move |c| corner.key(sizes, i, c)));
        Self { sizes, closed, queens: queens.collect(), kept }
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

    /// Finds the fillings of `rows`, sorted by column set: once to count them, once to place them.
    fn fill(
        &self,
        rows: u32,
        side: Side,
        subsets: &Subsets,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) {
        let Quarter { starts, keys } = quarter;
        let (nodes, rest) = self.begin(rows, filling);
        starts.clear();
        starts.resize(subsets.of_size(rows.count_ones()).len() + 2, 0);
        self.extend_all(nodes, rest, &mut |columns, _| starts[subsets.position(columns) + 2] += 1);
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        keys.clear();
        keys.resize(starts[starts.len() - 1] as usize, 0);
        self.extend_all(nodes, rest, &mut |columns, key| {
            let next = &mut starts[subsets.position(columns) + 1];
            keys[*next as usize] = side.key(key);
            *next += 1;
        });
        starts.pop();
    }

    /// The fillings of some of `rows`, and the rest of these rows.
    fn begin<'a>(&self, rows: u32, filling: &'a mut Filling) -> (&'a [Node], u32) {
        let Filling { levels, most } = filling;
        // What another case closes is in the root.
        if levels.first().is_none_or(|level| level.nodes != [self.root()]) {
            *levels = vec![Level { rows: 0, nodes: vec![self.root()] }];
        }
        let mut known = levels.iter().take_while(|level| level.begins(rows)).count();
        loop {
            let (before, after) = levels.split_at_mut(known);
            let last = &before[known - 1];
            let rest = rows & !last.rows;
            if rest.count_ones() < 2 || last.nodes.len() > *most {
                return (&levels[known - 1].nodes, rest);
            }
            let i = rest.ilog2();
            let mut nodes =
                after.first_mut().map_or_else(Vec::new, |l| std::mem::take(&mut l.nodes));
            nodes.clear();
            for &node in &last.nodes {
                nodes.extend(elements(self.free(node, i)).map(|c| self.with(node, i, c)));
            }
            let level = Level { rows: last.rows | 1 << i, nodes };
            match after.first_mut() {
                Some(next) => *next = level,
                None => levels.push(level),
            }
            known += 1;
        }
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
                self.extend(self.with(node, r, i), rows & !(1 << r), &mut |_, key| {
                    found.push((c.cmp(&r), key));
                });
            }
        }
    }

    /// Tells `found` the columns and the key of every way to fill `rows` too, the highest row first.
    #[inline]
    fn extend_all(&self, nodes: &[Node], rows: u32, found: &mut impl FnMut(u32, u64)) {
        if rows.count_ones() == 1 {
            let i = rows.ilog2();
            for &node in nodes {
                for c in elements(self.free(node, i)) {
                    found(node.columns | 1 << c, node.key | self.queen(i, c));
                }
            }
        } else {
            nodes.iter().for_each(|&node| self.extend(node, rows, found));
        }
    }

    fn extend(&self, node: Node, rows: u32, found: &mut impl FnMut(u32, u64)) {
        if rows == 0 {
            return found(node.columns, node.key);
        }
        let i = rows.ilog2();
        for c in elements(self.free(node, i)) {
            self.extend(self.with(node, i, c), rows & !(1 << i), found);
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
            key: node.key | self.queen(i, c),
        }
    }

    /// The key of a single queen of the left half.
    fn queen(&self, i: u32, c: u32) -> u64 {
        self.queens[(i * self.sizes.h + c) as usize]
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
#[derive(Debug, Clone, Copy, PartialEq)]
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
    fn keys(n: u32, corner: Corner, closed: Closed, rows: u32) -> Vec<(u32, u64)> {
        let quarters = Quarters::new(Sizes::new(n), corner, closed, false);
        let mut found = Vec::new();
        quarters.extend(quarters.root(), rows, &mut |columns, key| found.push((columns, key)));
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
            let found: usize = (0..1 << h)
                .map(|rows| keys(2 * h, Corner::Top, Closed::default(), rows).len())
                .sum();
            assert_eq!(found, placements(h, 0, &mut Vec::new()), "h = {h}");
        }
    }

    #[test]
    fn fillings_are_sorted_by_columns() {
        let subsets = Subsets::new(5);
        let (mut quarter, mut filling) = (Quarter::default(), Filling::default());
        for (keep, falling, most) in [(false, 0, 9), (true, 0, 9), (false, 1 << 5, 1 << 18)] {
            let closed = Closed { falling, ..Closed::default() };
            let quarters = Quarters::new(Sizes::new(10), Corner::Bottom, closed, keep);
            filling.most = most;
            for (rows, side) in
                (0..=subsets.full()).flat_map(|rows| [(rows, Side::Left), (rows, Side::Right)])
            {
                let mut expected = keys(10, Corner::Bottom, closed, rows);
                expected.iter_mut().for_each(|(_, key)| *key = side.key(*key));
                quarters.load(rows, side, &subsets, &mut quarter, &mut filling);
                let mut found = Vec::new();
                for (position, &columns) in subsets.of_size(rows.count_ones()).iter().enumerate() {
                    found.extend(quarter.at(position).iter().map(|&key| (columns, key)));
                }
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "rows {rows:b}, {side:?}, {closed:?}");
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
            let mut expected: Vec<u64> = keys(12, Corner::Top, Closed::default(), rows)
                .into_iter()
                .filter_map(|(columns, key)| (columns == rows).then_some(key))
                .collect();
            all.sort_unstable();
            expected.sort_unstable();
            assert_eq!(all, expected, "rows {rows:b}");
        }
    }
}
