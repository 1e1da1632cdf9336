//! Quarter boards: every way to fill given rows of one corner of the board.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::corner::{Closed, Corner, Side};
use super::filling::{Filling, Squares};
use tallyboard_search::{Stop, Stopped};

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
    /// Positions of the column sets whose fillings are loaded, and where the keys of each one start.
    loaded: Range<usize>,
    starts: Vec<u32>,
    keys: Vec<u64>,
}

impl Quarter {
    /// The number of column sets of the right size.
    pub(super) fn column_sets(&self) -> usize {
        self.sums.len() - 1
    }

    /// Upper bound on the fillings of the column set at this [position](super::subsets::Subsets::position).
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

#[cfg(test)]
mod tests {
    use super::super::corner::Sizes;
    use super::super::subsets::Subsets;
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
