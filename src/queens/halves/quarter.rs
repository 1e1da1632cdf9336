//! Quarter boards: every way to fill given rows of one corner of the board.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use super::corner::{Closed, Corner, Side, Sizes};
use super::filling::{Filling, Squares};
use super::half::Ground;
use crate::search::Stopped;

/// Neighbours in a list of keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Moves the keys that lack `bit` before those that have it.
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

/// The keys of the fillings of one set of rows, by the set of columns that the queens use: those of
/// all column sets or of some neighbours.
#[derive(Debug, Default)]
pub(super) struct Quarter {
    /// At most so many fillings use the first column sets of their size: `sums[p + 1] - sums[p]` the p-th.
    sums: Vec<u32>,
    /// The column sets whose fillings are here, by position, and where each one's keys start.
    loaded: Range<usize>,
    starts: Vec<u32>,
    keys: Vec<u64>,
}

impl Quarter {
    /// The number of column sets of the right size.
    pub(super) fn column_sets(&self) -> usize {
        self.sums.len() - 1
    }

    /// At most so many fillings use the column set with this [position](Subsets::position).
    pub(super) fn len(&self, position: usize) -> usize {
        (self.sums[position + 1] - self.sums[position]) as usize
    }

    /// At most the bytes that it takes with all column sets loaded.
    pub(super) fn all_bytes(&self) -> usize {
        let keys = self.sums[self.column_sets()] as usize + 1;
        keys * size_of::<u64>() + 2 * self.sums.len() * size_of::<u32>()
    }

    /// The column sets whose fillings are here.
    pub(super) fn loaded(&self) -> Range<usize> {
        self.loaded.clone()
    }

    /// Where the keys of a column set that is here are.
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

    /// Whether the fillings of these column sets are here, and no others.
    pub(super) fn has(&self, positions: &Range<usize>) -> bool {
        self.loaded == *positions
    }

    /// Makes room for the fillings of these column sets, instead of the keys held so far.
    fn make_room(&mut self, positions: Range<usize>) {
        let Self { sums, loaded, starts, keys } = self;
        let sums = &sums[positions.start..=positions.end];
        let fillings = (sums[sums.len() - 1] - sums[0]) as usize;
        *loaded = positions;
        starts.clear();
        starts.extend(sums.iter().map(|sum| sum - sums[0]));
        // What far longer quarters have left would be missing beside these.
        if keys.capacity() > 2 * fillings + 1 {
            *keys = Vec::new();
        }
        // One more place for what is written and does not stay.
        keys.reserve_exact((fillings + 1).saturating_sub(keys.len()));
        keys.resize(fillings + 1, 0);
    }

    /// Takes over those fillings of another quarter, for which there is room, that use no diagonal of
    /// `closed`.
    fn copy(&mut self, other: &Self, closed: u64, side: Side) {
        let Self { loaded, starts, keys, .. } = self;
        if closed == 0 {
            let start = other.span(loaded.start).start as usize;
            let keys = &mut keys[..starts[loaded.len()] as usize];
            keys.copy_from_slice(&other.keys[start..start + keys.len()]);
            if side == Side::Right {
                keys.iter_mut().for_each(|key| *key = side.key(*key));
            }
            return;
        }
        let mut len = 0;
        for (start, position) in starts.iter_mut().zip(loaded.clone()) {
            *start = len as u32;
            for &key in &other.keys[other.span(position).range()] {
                // Whether it stays is hard to foretell.
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
    pub squares: Squares,
    /// Those to choose from instead of searching, and the diagonals that these may not use.
    kept: Arc<Kept>,
    closed: u64,
}

impl Quarters {
    /// The fillings of `corner`, of which at most so many bytes are kept.
    pub(super) fn new(sizes: Sizes, corner: Corner, closed: Closed, bytes: usize) -> Self {
        let squares = || Squares::new(sizes, corner, closed);
        Self { squares: squares(), kept: Arc::new(Kept::new(sizes, squares(), bytes)), closed: 0 }
    }

    /// The fillings of a lower corner, chosen from those that are kept of `all`, where nothing is closed.
    pub(super) fn bottom(sizes: Sizes, closed: Closed, all: &Self) -> Self {
        let squares = Squares::new(sizes, Corner::Bottom, closed);
        Self { squares, kept: Arc::clone(&all.kept), closed: closed.diagonals(sizes) }
    }

    /// Counts the fillings of `rows` by column set; `quarter` holds none of them yet.
    pub(super) fn measure(
        &self,
        rows: u32,
        ground: Ground,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        match self.kept.get(rows, ground, filling)? {
            Some(kept) => quarter.sums.clone_from(&kept.sums),
            None => self.squares.count(rows, ground, quarter, filling)?,
        }
        quarter.loaded = 0..0;
        Ok(())
    }

    /// Finds those fillings of `rows` whose column sets are at `positions`, on one side of the board.
    /// `quarter` was measured for `rows`.
    pub(super) fn load(
        &self,
        rows: u32,
        side: Side,
        positions: Range<usize>,
        ground: Ground,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        quarter.make_room(positions);
        let Some(kept) = self.kept.get(rows, ground, filling)? else {
            return self.squares.place(rows, side, ground, quarter, filling);
        };
        quarter.copy(kept, self.closed, side);
        Ok(())
    }
}

impl Squares {
    fn count(
        &self,
        rows: u32,
        Ground { subsets, stop, .. }: Ground,
        Quarter { sums, .. }: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        sums.clear();
        sums.resize(subsets.of_size(rows.count_ones()).len() + 1, 0);
        self.for_each_filling(rows, filling, stop, &mut |columns, _| {
            sums[subsets.position(columns) + 1] += 1;
        })?;
        for index in 1..sums.len() {
            let sum = sums[index].checked_add(sums[index - 1]);
            sums[index] = sum.expect("fewer than 2^32 fillings");
        }
        Ok(())
    }

    /// Finds the fillings for which there is room.
    fn place(
        &self,
        rows: u32,
        side: Side,
        Ground { subsets, stop, .. }: Ground,
        Quarter { loaded, starts, keys, .. }: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        let mut next = starts[..loaded.len()].to_vec();
        self.for_each_filling(rows, filling, stop, &mut |columns, key| {
            let position = subsets.position(columns).wrapping_sub(loaded.start);
            if let Some(next) = next.get_mut(position) {
                keys[*next as usize] = side.key(key);
                *next += 1;
            }
        })
    }
}

/// The fillings of a corner that were found once, for all workers, as many as memory allows.
#[derive(Debug)]
pub(super) struct Kept {
    squares: Squares,
    /// By row set, for the left half.
    quarters: Vec<OnceLock<Quarter>>,
    /// The bytes that may still be used.
    room: AtomicUsize,
}

impl Kept {
    /// Will keep at most so many bytes.
    fn new(sizes: Sizes, squares: Squares, bytes: usize) -> Self {
        // For odd n the middle row is another row.
        let row_sets = if bytes > 0 { 2 << sizes.h } else { 0 };
        let quarters = std::iter::repeat_with(OnceLock::new).take(row_sets).collect();
        Self { squares, quarters, room: bytes.into() }
    }

    /// The fillings of `rows`, unless there is no room.
    fn get(
        &self,
        rows: u32,
        ground: Ground,
        filling: &mut Filling,
    ) -> Result<Option<&Quarter>, Stopped> {
        let Some(kept) = self.quarters.get(rows as usize) else { return Ok(None) };
        if kept.get().is_none() && self.room.load(Relaxed) > 0 {
            let mut new = Quarter::default();
            self.squares.count(rows, ground, &mut new, filling)?;
            let bytes = new.all_bytes();
            let less = |room: usize| room.checked_sub(bytes);
            if self.room.fetch_update(Relaxed, Relaxed, less).is_err() {
                // The next row set would hardly fit.
                self.room.store(0, Relaxed);
                return Ok(None);
            }
            new.make_room(0..new.column_sets());
            let found = self.squares.place(rows, Side::Left, ground, &mut new, filling);
            // Another worker may have been faster with the same.
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
    use super::*;
    use crate::queens::halves::case::Case;
    use crate::queens::halves::subsets::Subsets;
    use crate::search::Stop;

    /// All keys of a row set.
    fn keys(n: u32, corner: Corner, closed: Closed, rows: u32) -> Vec<(u32, u64)> {
        let squares = Squares::new(Sizes::new(n), corner, closed);
        let (mut filling, mut found) = (Filling::default(), Vec::new());
        let mut add = |columns, key| found.push((columns, key));
        squares.for_each_filling(rows, &mut filling, &Stop::new(), &mut add).unwrap();
        found
    }

    #[test]
    fn fillings_are_sorted_by_columns() {
        let (subsets, stop) = (&Subsets::new(5), &Stop::new());
        let (open, closed) = (Closed::default(), Closed { falling: 1 << 3, ..Closed::default() });
        let new = |closed, bytes| Quarters::new(Sizes::new(10), Corner::Bottom, closed, bytes);
        let chosen = |bytes| Quarters::bottom(Sizes::new(10), closed, &new(open, bytes));
        for (quarters, closed, longest) in [
            (new(open, 0), open, 9),
            (new(open, usize::MAX), open, 9),
            (new(closed, 0), closed, 1 << 18),
            (chosen(usize::MAX), closed, 9),
            (chosen(2_000), closed, 9),
        ] {
            let room = quarters.kept.room.load(Relaxed);
            let case = &Case::with_bottom(Sizes::new(10), quarters);
            let ground = Ground { case, subsets, stop, limit: None };
            let (mut quarter, mut filling) = (Quarter::default(), Filling::with(longest));
            for (rows, side) in
                (0..=subsets.full()).flat_map(|rows| [(rows, Side::Left), (rows, Side::Right)])
            {
                let mut expected = keys(10, Corner::Bottom, closed, rows);
                expected.iter_mut().for_each(|(_, key)| *key = side.key(*key));
                expected.sort_unstable();
                case.bottom.measure(rows, ground, &mut quarter, &mut filling).unwrap();
                let column_sets = subsets.of_size(rows.count_ones());
                // All column sets at once, then in two ranges.
                let middle = column_sets.len() / 2;
                for ends in [[0, column_sets.len()].as_slice(), &[0, middle, column_sets.len()]] {
                    let mut found = Vec::new();
                    for ends in ends.windows(2) {
                        let (quarter, filling) = (&mut quarter, &mut filling);
                        let range = ends[0]..ends[1];
                        case.bottom.load(rows, side, range, ground, quarter, filling).unwrap();
                        for position in quarter.loaded() {
                            let keys = &quarter.keys()[quarter.span(position).range()];
                            assert!(keys.len() <= quarter.len(position));
                            found.extend(keys.iter().map(|&key| (column_sets[position], key)));
                        }
                    }
                    found.sort_unstable();
                    assert_eq!(found, expected, "rows {rows:b}, {side:?}, {closed:?}");
                }
            }
            let kept = case.bottom.kept.quarters.iter().filter_map(OnceLock::get);
            assert!(kept.map(Quarter::bytes).sum::<usize>() <= room);
        }
    }

    #[test]
    fn fillings_that_another_worker_keeps_meanwhile_are_chosen_from() {
        let (sizes, subsets, stop) = (Sizes::new(10), &Subsets::new(5), &Stop::new());
        let closed = Closed { falling: 1 << 3, ..Closed::default() };
        let all = |bytes| Quarters::new(sizes, Corner::Bottom, Closed::default(), bytes);
        let [none, kept] = [0, usize::MAX]
            .map(|bytes| Case::with_bottom(sizes, Quarters::bottom(sizes, closed, &all(bytes))));
        for rows in 0..=subsets.full() {
            let (mut quarter, mut filling) = (Quarter::default(), Filling::default());
            let ground = |case| Ground { case, subsets, stop, limit: None };
            none.bottom.measure(rows, ground(&none), &mut quarter, &mut filling).unwrap();
            let (all, side) = (0..quarter.column_sets(), Side::Left);
            kept.bottom.load(rows, side, all, ground(&kept), &mut quarter, &mut filling).unwrap();
            let spans = quarter.loaded().map(|position| quarter.span(position).range());
            let mut found =
                spans.flat_map(|span| quarter.keys()[span].to_vec()).collect::<Vec<_>>();
            found.sort_unstable();
            let expected = keys(10, Corner::Bottom, closed, rows);
            let mut expected: Vec<u64> = expected.into_iter().map(|(_, key)| key).collect();
            expected.sort_unstable();
            assert_eq!(found, expected, "rows {rows:b}");
        }
    }

    #[test]
    fn a_raised_flag_stops_the_search_for_fillings() {
        let (subsets, stop) = (&Subsets::new(5), &Stop::new());
        let quarters = Quarters::new(Sizes::new(10), Corner::Bottom, Closed::default(), 0);
        let case = &Case::with_bottom(Sizes::new(10), quarters);
        let ground = Ground { case, subsets, stop, limit: None };
        let (mut quarter, mut filling) = (Quarter::default(), Filling::default());
        case.bottom.measure(0b111, ground, &mut quarter, &mut filling).unwrap();
        stop.request();
        let mut load = |quarter: &mut Quarter| {
            case.bottom.load(0b111, Side::Left, 0..10, ground, quarter, &mut filling)
        };
        assert_eq!(load(&mut quarter), Err(Stopped));
        assert_eq!(case.bottom.measure(0b111, ground, &mut quarter, &mut filling), Err(Stopped));
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
