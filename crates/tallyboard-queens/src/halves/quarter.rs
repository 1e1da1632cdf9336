//! Quarter boards: every way to fill given rows of one corner of the board.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

use tallyboard_search::{Stop, Stopped};

use crate::halves::subsets::{Closed, Corner, Side, Subsets, elements};

/// A range of a list of keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Moves the keys that lack `bit` before those that have it. Returns the ranges of both.
    pub(super) fn split(self, keys: &mut [u64], bit: u64) -> [Self; 2] {
        let keys = &mut keys[self.range()];
        let mut without = 0;
        for index in 0..keys.len() {
            let key = keys[index];
            keys.swap(index, without);
            without += usize::from(key & bit == 0);
        }
        let middle = self.start + without as u32;
        [Self { end: middle, ..self }, Self { start: middle, ..self }]
    }
}

/// The fillings of one set of rows, as keys, sorted by the set of columns that the queens use. A range of
/// the column sets is loaded, or all of them.
#[derive(Debug, Default)]
pub(super) struct Quarter {
    pub rows: u32,
    /// `sums[p]` is an upper bound on the fillings that use one of the first p column sets of their size.
    sums: Vec<u32>,
    /// Positions of the column sets whose fillings are loaded.
    loaded: Range<usize>,
    /// Where the keys of each loaded column set start, and where the last ones end.
    starts: Vec<u32>,
    keys: Vec<u64>,
}

impl Quarter {
    /// The number of column sets of the right size.
    pub(super) fn column_sets(&self) -> usize {
        self.sums.len() - 1
    }

    /// Upper bound on the fillings of the column set at this [position](Subsets::position).
    pub(super) fn max_fillings_of(&self, position: usize) -> usize {
        (self.sums[position + 1] - self.sums[position]) as usize
    }

    /// Upper bound on the fillings of all column sets.
    pub(super) fn max_fillings(&self) -> usize {
        self.sums[self.column_sets()] as usize
    }

    /// Upper bound on the bytes that it takes with all column sets loaded.
    pub(super) fn all_bytes(&self) -> usize {
        (self.max_fillings() + 1) * size_of::<u64>() + 2 * self.sums.len() * size_of::<u32>()
    }

    /// Positions of the column sets whose fillings are loaded.
    pub(super) fn loaded(&self) -> Range<usize> {
        self.loaded.clone()
    }

    /// Where the keys of a loaded column set are.
    #[inline]
    pub(super) fn span(&self, position: usize) -> Span {
        let index = position - self.loaded.start;
        Span { start: self.starts[index], end: self.starts[index + 1] }
    }

    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    pub(super) fn keys_mut(&mut self) -> &mut [u64] {
        &mut self.keys
    }

    /// Forgets the keys and makes room for the fillings of these column sets.
    fn make_room(&mut self, positions: Range<usize>) {
        let Self { sums, loaded, starts, keys, .. } = self;
        let sums = &sums[positions.start..=positions.end];
        let fillings = (sums[sums.len() - 1] - sums[0]) as usize;
        *loaded = positions;
        starts.clear();
        starts.extend(sums.iter().map(|sum| sum - sums[0]));
        // Frees the memory of a far longer quarter: the plan has promised it to other lists.
        if keys.capacity() > 2 * fillings + 1 {
            *keys = Vec::new();
        }
        // One place more: `copy_from` writes a key before it knows whether the key stays.
        keys.reserve_exact((fillings + 1).saturating_sub(keys.len()));
        keys.resize(fillings + 1, 0);
    }

    /// Copies the fillings of `other` that use no diagonal of `closed`, for the column sets that have room.
    fn copy_from(&mut self, other: &Self, closed: u64, side: Side) {
        let Self { loaded, starts, keys, .. } = self;
        if closed == 0 {
            // All stay. `other` was counted, not bounded, so the keys of each column set have their place already.
            let start = other.span(loaded.start).start as usize;
            let fillings = starts[loaded.len()] as usize;
            for (key, copied) in keys.iter_mut().zip(&other.keys[start..start + fillings]) {
                *key = side.key(*copied);
            }
            return;
        }
        let mut len = 0;
        for (start, position) in starts.iter_mut().zip(loaded.clone()) {
            *start = len as u32;
            for &key in &other.keys[other.span(position).range()] {
                // Without a branch, which would often be predicted wrongly.
                keys[len] = side.key(key);
                len += usize::from(key & closed == 0);
            }
        }
        starts[loaded.len()] = len as u32;
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        let numbers = self.sums.capacity() + self.starts.capacity();
        self.keys.capacity() * size_of::<u64>() + numbers * size_of::<u32>()
    }
}

/// One corner of the board: the fillings of any of its row sets.
#[derive(Debug)]
pub(super) struct Quarters {
    pub squares: Arc<Squares>,
    /// Fillings to take in place of a search.
    kept: Arc<KeptQuarters>,
    /// Key bits of closed diagonals: kept fillings that use one of them are left out.
    closed: u64,
}

impl Quarters {
    /// The fillings of a corner, of which at most `max_bytes` bytes are kept for all workers.
    pub(super) fn new(squares: Squares, max_bytes: usize) -> Self {
        let squares = Arc::new(squares);
        let kept = Arc::new(KeptQuarters::new(Arc::clone(&squares), max_bytes));
        Self { squares, kept, closed: 0 }
    }

    /// The fillings of a lower corner with closed squares, chosen from the kept fillings of `all`, the corner
    /// without closed squares.
    pub(super) fn chosen_from(closed: Closed, all: &Self) -> Self {
        let subsets = &all.squares.subsets;
        let squares = Arc::new(Squares::new(subsets, Corner::Bottom, closed));
        Self { squares, kept: Arc::clone(&all.kept), closed: closed.diagonals(subsets.sizes) }
    }

    /// Sets `quarter` to `rows` and counts or bounds their fillings by column set; loads none yet.
    pub(super) fn measure(
        &self,
        rows: u32,
        quarter: &mut Quarter,
        filling: &mut Filling,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        quarter.rows = rows;
        quarter.loaded = 0..0;
        match self.kept.get(rows, filling, stop)? {
            Some(kept) => quarter.sums.clone_from(&kept.sums),
            None => self.squares.count_fillings(quarter, filling, stop)?,
        }
        Ok(())
    }

    /// Loads the fillings of a measured quarter whose column sets are at `positions`, as keys of one side of
    /// the board. Returns false if they were loaded already.
    pub(super) fn load(
        &self,
        quarter: &mut Quarter,
        positions: Range<usize>,
        side: Side,
        filling: &mut Filling,
        stop: &Stop,
    ) -> Result<bool, Stopped> {
        if quarter.loaded == positions {
            return Ok(false);
        }
        quarter.make_room(positions);
        match self.kept.get(quarter.rows, filling, stop)? {
            Some(kept) => quarter.copy_from(kept, self.closed, side),
            None => self.squares.store_fillings(quarter, side, filling, stop)?,
        }
        Ok(true)
    }
}

impl Squares {
    /// Counts the fillings of a quarter's rows by column set.
    fn count_fillings(
        &self,
        Quarter { rows, sums, .. }: &mut Quarter,
        filling: &mut Filling,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        let subsets = &*self.subsets;
        sums.clear();
        sums.resize(subsets.of_size(rows.count_ones()).len() + 1, 0);
        self.for_each_filling(*rows, filling, stop, &mut |columns, _| {
            sums[subsets.position(columns) + 1] += 1;
        })?;
        for index in 1..sums.len() {
            let sum = sums[index].checked_add(sums[index - 1]);
            sums[index] = sum.expect("fewer than 2^32 fillings");
        }
        Ok(())
    }

    /// Finds the fillings of the column sets for which a quarter has room, and stores their keys.
    fn store_fillings(
        &self,
        Quarter { rows, loaded, starts, keys, .. }: &mut Quarter,
        side: Side,
        filling: &mut Filling,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        let subsets = &*self.subsets;
        let mut next = starts[..loaded.len()].to_vec();
        self.for_each_filling(*rows, filling, stop, &mut |columns, key| {
            let position = subsets.position(columns).wrapping_sub(loaded.start);
            if let Some(next) = next.get_mut(position) {
                keys[*next as usize] = side.key(key);
                *next += 1;
            }
        })
    }
}

/// Fillings of a corner that are found once and then read by all workers, as many as memory allows.
#[derive(Debug)]
pub(super) struct KeptQuarters {
    squares: Arc<Squares>,
    /// By row set; keys of the left half.
    quarters: Vec<OnceLock<Quarter>>,
    /// Bytes that further quarters may take.
    room: AtomicUsize,
}

impl KeptQuarters {
    /// Keeps nothing at first, and at most `max_bytes` bytes later.
    fn new(squares: Arc<Squares>, max_bytes: usize) -> Self {
        // For odd n the upper quarters have one row more, the middle row.
        let row_sets = if max_bytes > 0 { 2 << squares.subsets.sizes.h } else { 0 };
        let quarters = std::iter::repeat_with(OnceLock::new).take(row_sets).collect();
        Self { squares, quarters, room: max_bytes.into() }
    }

    /// The fillings of `rows`, which are found here if no worker has found them yet. `None` if there is no room for them.
    fn get(
        &self,
        rows: u32,
        filling: &mut Filling,
        stop: &Stop,
    ) -> Result<Option<&Quarter>, Stopped> {
        let Some(kept) = self.quarters.get(rows as usize) else { return Ok(None) };
        if kept.get().is_none() && self.room.load(Relaxed) > 0 {
            let mut new = Quarter { rows, ..Quarter::default() };
            self.squares.count_fillings(&mut new, filling, stop)?;
            let bytes = new.all_bytes();
            let taken = self.room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(bytes));
            if taken.is_err() {
                // Stops trying: few row sets are so small that they would still fit.
                self.room.store(0, Relaxed);
                return Ok(None);
            }
            new.make_room(0..new.column_sets());
            let found = self.squares.store_fillings(&mut new, Side::Left, filling, stop);
            // If another worker has kept these fillings meanwhile, this copy is dropped.
            if found.is_err() || kept.set(new).is_err() {
                self.room.fetch_add(bytes, Relaxed);
            }
            found?;
        }
        Ok(kept.get())
    }
}

// The search for the fillings of a quarter: for one queen in each of some rows, none attacking another.
//
// Successive row sets mostly share the rows next to the middle, which have the highest numbers. So these
// are filled first, and their partial fillings kept, in *levels*, for the next row set:
// ```text
// level 0: no row    level 1: row 5    level 2: rows 5, 4    then row 1, depth first    (row set 1, 4, 5)
// ```

/// Limit on the partial fillings of a level: 4 MiB at 32 bytes each.
const MAX_LEVEL_NODES: usize = 1 << 17;

/// Upper estimate of the bytes of a [`Filling`], of a quarter with `fillings` fillings.
pub(super) fn bytes(fillings: f64) -> f64 {
    // Each level has several times the nodes of the one before it.
    1.5 * size_of::<Node>() as f64 * fillings.min(MAX_LEVEL_NODES as f64)
}

/// Partial fillings to extend between two checks of the stop flag. On average each leads to fewer than 300 fillings up to n = 28.
const NODES_PER_CHECK: usize = 256;

/// Partial fillings of earlier row sets, kept for the next one.
#[derive(Debug)]
pub(super) struct Filling {
    /// Level k has fillings of k rows. The levels of the last row set come first; deeper ones may be left from one before it.
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
        // Level 0 has no row, and its 32 trailing zeros are too many for a shift.
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
    use super::super::subsets::{Sizes, Subsets};
    use super::*;

    const OPEN: Closed = Closed { falling: 0, rising: 0, middle_row: 0 };
    const CLOSED: Closed = Closed { falling: 1 << 3, ..OPEN };

    fn squares(closed: Closed) -> Squares {
        Squares::new(&Arc::new(Subsets::new(Sizes::new(10))), Corner::Bottom, closed)
    }

    /// The columns and the key of every loaded filling of a quarter.
    fn loaded(quarter: &Quarter, subsets: &Subsets) -> Vec<(u32, u64)> {
        let column_sets = subsets.of_size(quarter.rows.count_ones());
        let mut found = Vec::new();
        for position in quarter.loaded() {
            let keys = &quarter.keys()[quarter.span(position).range()];
            assert!(keys.len() <= quarter.max_fillings_of(position));
            found.extend(keys.iter().map(|&key| (column_sets[position], key)));
        }
        found
    }

    #[test]
    fn fillings_are_sorted_by_columns() {
        let stop = &Stop::new();
        let new = |closed, bytes| Quarters::new(squares(closed), bytes);
        let chosen = |bytes| Quarters::chosen_from(CLOSED, &new(OPEN, bytes));
        // Limits on the partial fillings of a level: one that ends the levels early, and one above their number.
        let few = 9;
        let enough = 1 << 18;
        for (quarters, closed, max_nodes) in [
            (new(OPEN, 0), OPEN, few),
            (new(OPEN, usize::MAX), OPEN, few),
            (new(CLOSED, 0), CLOSED, enough),
            (chosen(usize::MAX), CLOSED, few),
            (chosen(2_000), CLOSED, few),
        ] {
            let room = quarters.kept.room.load(Relaxed);
            let subsets = &quarters.squares.subsets;
            let mut quarter = Quarter::default();
            let mut filling = Filling::with(max_nodes);
            for (rows, side) in
                (0..=subsets.full()).flat_map(|rows| [(rows, Side::Left), (rows, Side::Right)])
            {
                let mut expected = squares(closed).fillings(rows);
                expected.iter_mut().for_each(|(_, key)| *key = side.key(*key));
                expected.sort_unstable();
                quarters.measure(rows, &mut quarter, &mut filling, stop).unwrap();
                // All column sets at once, then in two ranges.
                let sets = quarter.column_sets();
                let middle = quarter.column_sets() / 2;
                let keys: usize = (0..sets).map(|position| quarter.max_fillings_of(position)).sum();
                assert_eq!(quarter.all_bytes(), 8 * (keys + 1) + 8 * (sets + 1));
                for ends in [[0, sets].as_slice(), &[0, middle, sets]] {
                    let mut found = Vec::new();
                    for ends in ends.windows(2) {
                        let quarter = &mut quarter;
                        let range = ends[0]..ends[1];
                        quarters.load(quarter, range, side, &mut filling, stop).unwrap();
                        found.extend(loaded(quarter, subsets));
                    }
                    found.sort_unstable();
                    assert_eq!(found, expected, "rows {rows:b}, {side:?}, {closed:?}");
                }
            }
            let kept = quarters.kept.quarters.iter().filter_map(OnceLock::get);
            assert!(kept.map(Quarter::bytes).sum::<usize>() <= room);
        }
    }

    #[test]
    fn fillings_that_another_worker_keeps_meanwhile_are_chosen_from() {
        let [none, kept] = [0, usize::MAX]
            .map(|bytes| Quarters::chosen_from(CLOSED, &Quarters::new(squares(OPEN), bytes)));
        for rows in 0..=none.squares.subsets.full() {
            let mut quarter = Quarter::default();
            let mut filling = Filling::default();
            let stop = &Stop::new();
            none.measure(rows, &mut quarter, &mut filling, stop).unwrap();
            let all = 0..quarter.column_sets();
            kept.load(&mut quarter, all, Side::Left, &mut filling, stop).unwrap();
            let mut found = loaded(&quarter, &none.squares.subsets);
            let mut expected = squares(CLOSED).fillings(rows);
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "rows {rows:b}");
        }
    }

    #[test]
    fn a_raised_flag_stops_the_search_for_fillings() {
        let quarters = Quarters::new(squares(OPEN), 0);
        let stop = &Stop::new();
        let mut quarter = Quarter::default();
        let mut filling = Filling::default();
        quarters.measure(0b111, &mut quarter, &mut filling, stop).unwrap();
        stop.request();
        let loaded = quarters.load(&mut quarter, 0..10, Side::Left, &mut filling, stop);
        assert_eq!(loaded, Err(Stopped));
        assert_eq!(quarters.measure(0b111, &mut quarter, &mut filling, stop), Err(Stopped));
    }

    #[test]
    fn a_span_is_split_by_a_bit() {
        let mut keys = [1, 2, 3, 4, 5, 6, 7, 9];
        let [without, with] = Span { start: 1, end: 7 }.split(&mut keys, 0b10);
        assert_eq!((without.range(), with.range()), (1..3, 3..7));
        assert!(keys[..3].iter().skip(1).all(|key| key & 0b10 == 0));
        assert!(keys[3..7].iter().all(|key| key & 0b10 != 0));
        keys.sort_unstable();
        assert_eq!(keys, [1, 2, 3, 4, 5, 6, 7, 9]);
    }
}

#[cfg(test)]
mod filling_tests {
    use super::super::subsets::Sizes;
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
