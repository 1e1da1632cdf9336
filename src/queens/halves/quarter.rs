//! Quarter boards: every way to fill given rows of one corner of the board.

use std::ops::Range;
use std::sync::OnceLock;

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
    /// Fillings `starts[p]..starts[p + 1]` use the p-th column set of their size.
    starts: Vec<u32>,
    /// The column sets whose fillings are here, by position, and the keys.
    loaded: Range<usize>,
    keys: Vec<u64>,
}

impl Quarter {
    /// The number of column sets of the right size.
    pub(super) fn column_sets(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many fillings use the column set with this [position](Subsets::position).
    pub(super) fn len(&self, position: usize) -> usize {
        (self.starts[position + 1] - self.starts[position]) as usize
    }

    /// The column sets whose fillings are here.
    pub(super) fn loaded(&self) -> Range<usize> {
        self.loaded.clone()
    }

    /// Where the keys of a column set that is here are.
    pub(super) fn span(&self, position: usize) -> Span {
        let first = self.starts[self.loaded.start];
        Span { start: self.starts[position] - first, end: self.starts[position + 1] - first }
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
        let fillings = self.starts[positions.end] - self.starts[positions.start];
        self.loaded = positions;
        self.keys.clear();
        // What far longer quarters have left would be missing beside these.
        if self.keys.capacity() > 2 * fillings as usize {
            self.keys = Vec::new();
        }
        self.keys.reserve_exact(fillings as usize);
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>() + self.starts.capacity() * size_of::<u32>()
    }
}

/// One corner of the board: the fillings of any of its row sets.
#[derive(Debug)]
pub(super) struct Quarters {
    pub squares: Squares,
    /// Fillings made once and kept, by row set; empty if they are not to be kept.
    kept: Vec<OnceLock<Quarter>>,
}

impl Quarters {
    /// The fillings of `corner`; each is made once and kept if `keep` is set.
    pub(super) fn new(sizes: Sizes, corner: Corner, closed: Closed, keep: bool) -> Self {
        let row_sets = if keep { 2 << sizes.h } else { 0 };
        let kept = std::iter::repeat_with(OnceLock::new).take(row_sets).collect();
        Self { squares: Squares::new(sizes, corner, closed), kept }
    }

    /// Counts the fillings of `rows` by column set; `quarter` holds none of them yet.
    pub(super) fn measure(
        &self,
        rows: u32,
        ground: Ground,
        quarter: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        quarter.loaded = 0..0;
        let Some(kept) = self.kept(rows, ground, filling)? else {
            return self.count(rows, ground, quarter, filling);
        };
        quarter.starts.clone_from(&kept.starts);
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
        let Some(kept) = self.kept(rows, ground, filling)? else {
            return self.place(rows, side, ground, quarter, filling);
        };
        let Quarter { starts, loaded, keys } = quarter;
        let kept = &kept.keys[starts[loaded.start] as usize..starts[loaded.end] as usize];
        keys.extend(kept.iter().map(|&key| side.key(key)));
        Ok(())
    }

    /// The fillings of `rows` on the left, if they are to be kept.
    fn kept(
        &self,
        rows: u32,
        ground: Ground,
        filling: &mut Filling,
    ) -> Result<Option<&Quarter>, Stopped> {
        let Some(kept) = self.kept.get(rows as usize) else { return Ok(None) };
        if kept.get().is_none() {
            let mut new = Quarter::default();
            self.count(rows, ground, &mut new, filling)?;
            new.make_room(0..new.column_sets());
            self.place(rows, Side::Left, ground, &mut new, filling)?;
            // Another worker may have been faster with the same.
            kept.get_or_init(|| new);
        }
        Ok(kept.get())
    }

    fn count(
        &self,
        rows: u32,
        Ground { subsets, stop, .. }: Ground,
        Quarter { starts, .. }: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        starts.clear();
        starts.resize(subsets.of_size(rows.count_ones()).len() + 1, 0);
        self.squares.for_each_filling(rows, filling, stop, &mut |columns, _| {
            starts[subsets.position(columns) + 1] += 1;
        })?;
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Ok(())
    }

    /// Finds the fillings for which there is room.
    fn place(
        &self,
        rows: u32,
        side: Side,
        Ground { subsets, stop, .. }: Ground,
        Quarter { starts, loaded, keys }: &mut Quarter,
        filling: &mut Filling,
    ) -> Result<(), Stopped> {
        let first = starts[loaded.start];
        keys.resize((starts[loaded.end] - first) as usize, 0);
        let mut next: Vec<u32> = starts[loaded.clone()].iter().map(|start| start - first).collect();
        self.squares.for_each_filling(rows, filling, stop, &mut |columns, key| {
            let position = subsets.position(columns).wrapping_sub(loaded.start);
            if let Some(next) = next.get_mut(position) {
                keys[*next as usize] = side.key(key);
                *next += 1;
            }
        })
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
        let closed = Closed { falling: 1 << 5, ..Closed::default() };
        for (keep, closed, longest) in
            [(false, Closed::default(), 9), (true, Closed::default(), 9), (false, closed, 1 << 18)]
        {
            let case = &Case::with_quarters(Sizes::new(10), closed, keep);
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
                            assert_eq!(keys.len(), quarter.len(position));
                            found.extend(keys.iter().map(|&key| (column_sets[position], key)));
                        }
                    }
                    found.sort_unstable();
                    assert_eq!(found, expected, "rows {rows:b}, {side:?}, {closed:?}");
                }
            }
        }
    }

    #[test]
    fn a_raised_flag_stops_the_search_for_fillings() {
        let (subsets, stop) = (&Subsets::new(5), &Stop::new());
        let case = &Case::with_quarters(Sizes::new(10), Closed::default(), false);
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
