//! Counting a row set slice by slice, so that its lists fit into memory.
//!
//! A join splits its lists by diagonals. Its first splits can be made earlier, on quarters, before the
//! half boards are built. With L and R the half boards of the two sides, the longer list L is split by d:
//! ```text
//! (L, R)  ->  (L without d, R)  and  (L with d, R without d)     no other pair is disjoint
//! ```
//! A *slice* is a pair of lists after such splits, so each disjoint pair is in exactly one slice. Building a
//! list again for another slice costs more than splitting it. So a row set is only cut into slices if its lists need
//! more memory than a worker has, or if it is too much work for one subtree. If even the quarters need too
//! much memory, each side is first cut by column sets, and each part of the left is joined with each of the right.

use super::builder::{Builder, Context, Slice};
use super::half::{Half, solutions};
use super::join::{Joiner, READ_THROUGH_BELOW, Settings};
use super::kernel::Kernel;
use super::layout::SlicePath;
use super::memory::Memory;
use super::subsets::Side;
use tallyboard_search::Stopped;

/// The memory of a worker, which it uses again for the next row set.
#[derive(Debug)]
pub(super) struct Worker {
    /// For the left and for the right half.
    pub builders: [Builder; 2],
    slices: [Slice; 2],
    halves: [Half; 2],
    joiner: Joiner,
}

impl Worker {
    pub(super) fn new(settings: Settings) -> Self {
        let builders = [Side::Left, Side::Right].map(Builder::new);
        Self {
            builders,
            slices: Default::default(),
            halves: Default::default(),
            joiner: Joiner::new(settings),
        }
    }

    /// Bytes allocated for half boards and for the lists that joins split off.
    pub(super) fn join_bytes(&self) -> usize {
        self.halves.iter().map(Half::bytes).sum::<usize>() + self.joiner.bytes()
    }

    /// Frees the lists of the last join, if they and the next quarters could exceed the worker's limit.
    pub(super) fn make_room_for_quarters(&mut self, memory: &Memory) {
        if self.join_bytes() as f64 > memory.join_bytes() {
            self.halves = Default::default();
            self.joiner.free();
        }
    }
}

/// Counts the row sets of a subtree.
pub(super) struct Slicer<'a, K> {
    pub kernel: K,
    pub context: Context<'a>,
    pub memory: &'a Memory,
    pub worker: &'a mut Worker,
}

impl<K: Kernel> Slicer<'_, K> {
    /// Counts the solutions of all row sets that combine one of `tops` above the middle with one of
    /// `bottoms` below it. The caller has added `tops` to the builders in this order.
    pub(super) fn count_group(
        &mut self,
        tops: &[u32],
        bottoms: &[u32],
        slice: SlicePath,
    ) -> Result<u64, Stopped> {
        let Context { case, .. } = self.context;
        let mut sum = 0u64;
        for &bottom in bottoms {
            if !tops.iter().any(|&top| case.allows(top, bottom)) {
                continue;
            }
            let rows = [bottom, case.subsets.full() & !bottom];
            for (builder, rows) in self.worker.builders.iter_mut().zip(rows) {
                builder.set_bottom(self.context, rows)?;
            }
            for (number, &top) in tops.iter().enumerate() {
                if case.allows(top, bottom) {
                    self.worker.builders.iter_mut().for_each(|builder| builder.choose_top(number));
                    self.context.top_rank = case.is_ordered().then(|| case.subsets.rank(top));
                    let found = self.count_row_set(bottom, slice)?;
                    sum = sum.checked_add(found).expect("a subtree's count fits in 64 bits");
                }
            }
        }
        Ok(sum)
    }

    /// Counts the solutions of a row set, or of one `slice` of it. The caller has given the row set to the
    /// builders; `bottom` is its part below the middle.
    fn count_row_set(&mut self, bottom: u32, slice: SlicePath) -> Result<u64, Stopped> {
        let context = self.context;
        // Whether the rows below the middle tie with those above it: "B ties with T" in `case`.
        let tied = context.top_rank == Some(context.case.subsets.rank(bottom));
        // Each side gets half of the bytes.
        let max_keys = (self.memory.quarter_bytes / 2.0) as usize / size_of::<u64>();
        let [lefts, rights] =
            self.worker.builders.each_ref().map(|builder| builder.ranges(max_keys));
        let mut sum = 0u64;
        for left in &lefts {
            self.worker.make_room_for_quarters(self.memory);
            let left_bytes = self.worker.builders[0].load(context, left)?;
            for right in &rights {
                self.worker.make_room_for_quarters(self.memory);
                let bytes = left_bytes + self.worker.builders[1].load(context, right)?;
                let found = self.count_loaded(slice, tied, self.memory.max_pairs(bytes))?;
                sum = sum.checked_add(found).expect("a row set's count fits in 64 bits");
            }
        }
        Ok(sum)
    }

    /// Counts the solutions of the slice, of those half boards whose quarters the builders have loaded.
    fn count_loaded(
        &mut self,
        SlicePath { depth, path }: SlicePath,
        tied: bool,
        max_pairs: u64,
    ) -> Result<u64, Stopped> {
        let mut slices = std::mem::take(&mut self.worker.slices);
        for (builder, slice) in self.worker.builders.iter().zip(&mut slices) {
            builder.all_half_boards(slice);
        }
        let bits = match depth {
            0 => Vec::new(),
            _ => Builder::diagonals(&self.worker.builders, self.context.case),
        };
        for (level, &bit) in bits.iter().take(depth.into()).enumerate() {
            // The sides take turns, whichever is longer: lengths depend on what is loaded, and a slice must be the same on every machine.
            let turn = level % 2;
            let other = 1 - turn;
            let [without, with] = self.worker.builders[turn].split(&slices[turn], bit);
            if path >> level & 1 == 0 {
                slices[turn] = without;
            } else {
                slices[turn] = with;
                [slices[other], _] = self.worker.builders[other].split(&slices[other], bit);
            }
        }
        let result = self.count_slice(slices.each_ref(), tied, max_pairs);
        self.worker.slices = slices;
        result
    }

    /// Counts the solutions of a slice. Splits it until both sides together have at most `max_pairs` pairs of
    /// quarters, or until no split removes pairs.
    fn count_slice(
        &mut self,
        sides: [&Slice; 2],
        tied: bool,
        max_pairs: u64,
    ) -> Result<u64, Stopped> {
        self.context.stop.check()?;
        let pairs = sides.map(|slice| slice.pairs);
        if pairs.contains(&0) {
            return Ok(0);
        }
        let bit = if pairs[0] + pairs[1] <= max_pairs { None } else { self.busiest_bit(sides) };
        let Some(bit) = bit else { return self.build_and_join(sides, tied) };
        // The longer list is split.
        let longer = usize::from(pairs[1] > pairs[0]);
        let shorter = 1 - longer;
        let [without, with] = self.worker.builders[longer].split(sides[longer], bit);
        let mut parts = sides;
        parts[longer] = &without;
        let sum = self.count_slice(parts, tied, max_pairs)?;
        let [filtered, _] = self.worker.builders[shorter].split(sides[shorter], bit);
        (parts[longer], parts[shorter]) = (&with, &filtered);
        let found = self.count_slice(parts, tied, max_pairs)?;
        Ok(sum.checked_add(found).expect("a row set's count fits in 64 bits"))
    }

    /// The bit whose split is estimated to remove most pairs, from a sample of the quarters; `None` if no
    /// split removes any.
    fn busiest_bit(&self, [left, right]: [&Slice; 2]) -> Option<u64> {
        let left = self.worker.builders[0].pairs_with_bits(left);
        let right = self.worker.builders[1].pairs_with_bits(right);
        let removed: Vec<f64> = (0..64).map(|bit| left[bit] * right[bit]).collect();
        let best = (0..64).max_by(|&a, &b| removed[a].total_cmp(&removed[b]))?;
        (removed[best] > 0.0).then_some(1 << best)
    }

    /// Builds the half boards of a slice, and counts the solutions that they make.
    fn build_and_join(&mut self, sides: [&Slice; 2], tied: bool) -> Result<u64, Stopped> {
        let Worker { builders, halves, joiner, .. } = &mut *self.worker;
        for ((builder, slice), half) in builders.iter().zip(sides).zip(&mut *halves) {
            builder.build(self.kernel, slice, half);
        }
        let [left, right] = &*halves;
        // Bits that may occur on both sides. The join looks for itself at lists that are short.
        let common = match left.keys.len().max(right.keys.len()) {
            ..READ_THROUGH_BELOW => u64::MAX,
            _ => builders
                .iter()
                .fold(u64::MAX, |bits, builder| bits & builder.bits_in_use(self.kernel)),
        };
        solutions(tied, left, right, |left, right| {
            joiner.disjoint_pairs(self.kernel, left, right, common, self.context.stop)
        })
    }
}
