//! Counting a row set slice by slice, so that its lists fit into memory.
//!
//! The first splits of a join can be made before the half boards are built. A slice is what is left
//! of both sides after some of them; the slices of a row set have all its disjoint pairs between
//! them. Building a list again for another slice costs more than splitting it, so lists are only cut
//! where they are too long to be held, or where a row set is too much work for one subtree. Where
//! even the quarters are too long to be held, each side is first cut by column sets, which sieves
//! nothing, and each part of the left meets each part of the right.

use super::builder::{Builder, Ground, Slice};
use super::corner::Side;
use super::half::{Half, solutions};
use super::join::{Joiner, Settings};
use super::kernel::Kernel;
use super::layout::Cut;
use super::memory::Memory;
use crate::search::Stopped;

/// What a worker keeps from one row set to the next.
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
        let (slices, halves) = Default::default();
        Self { builders, slices, halves, joiner: Joiner::new(settings) }
    }

    /// Bytes allocated for half boards and for the lists that joins split off.
    pub(super) fn join_bytes(&self) -> usize {
        self.halves.iter().map(Half::bytes).sum::<usize>() + self.joiner.bytes()
    }

    /// Frees the lists of the last join, if they and the most quarters that may be loaded next would take
    /// more than the worker's limit.
    fn make_room_for_quarters(&mut self, memory: &Memory) {
        let Memory { lists, quarters, beside, .. } = *memory;
        if self.join_bytes() as f64 > lists - quarters - beside as f64 {
            self.halves = Default::default();
            self.joiner.free();
        }
    }
}

/// Counts the row sets of a subtree.
pub(super) struct Slicer<'a, K> {
    pub kernel: K,
    pub ground: Ground<'a>,
    pub memory: &'a Memory,
    pub worker: &'a mut Worker,
}

impl<K: Kernel> Slicer<'_, K> {
    /// The solutions of the row sets that have rows of `tops` above the middle, which the builders have
    /// been given in this order, and of `bottoms` below it.
    pub(super) fn count_group(
        &mut self,
        tops: &[u32],
        bottoms: &[u32],
        cut: Cut,
    ) -> Result<u64, Stopped> {
        let Ground { case, .. } = self.ground;
        let mut sum = 0u64;
        for &bottom in bottoms {
            if !tops.iter().any(|&top| case.allows(top, bottom)) {
                continue;
            }
            let rows = [bottom, case.subsets.full() & !bottom];
            for (builder, rows) in self.worker.builders.iter_mut().zip(rows) {
                builder.set_bottom(self.ground, rows)?;
            }
            for (number, &top) in tops.iter().enumerate() {
                if case.allows(top, bottom) {
                    self.worker.builders.iter_mut().for_each(|builder| builder.choose_top(number));
                    self.ground.top_rank = case.is_ordered().then(|| case.subsets.rank(top));
                    let found = self.count(bottom, cut)?;
                    sum = sum.checked_add(found).expect("a subtree's count fits in 64 bits");
                }
            }
        }
        Ok(sum)
    }

    /// The solutions of a row set, or of the part of it that `cut` names. The builders have been given
    /// the rows above the middle; the left half has the rows `bottom` below it.
    fn count(&mut self, bottom: u32, cut: Cut) -> Result<u64, Stopped> {
        let ground = self.ground;
        // Whether B ties with T.
        let tied = ground.top_rank == Some(ground.case.subsets.rank(bottom));
        let most = (self.memory.quarters / 2.0) as u64;
        let [left, right] = self.worker.builders.each_ref().map(|builder| builder.ranges(most));
        let mut sum = 0u64;
        for left in &left {
            self.worker.make_room_for_quarters(self.memory);
            let left_bytes = self.worker.builders[0].load(ground, left)?;
            for right in &right {
                self.worker.make_room_for_quarters(self.memory);
                let bytes = left_bytes + self.worker.builders[1].load(ground, right)?;
                let found = self.cut(cut, tied, self.memory.pairs(bytes))?;
                sum = sum.checked_add(found).expect("a row set's count fits in 64 bits");
            }
        }
        Ok(sum)
    }

    /// The solutions in the part that `cut` names of what the builders have loaded.
    fn cut(&mut self, Cut { depth, path }: Cut, tied: bool, most: u64) -> Result<u64, Stopped> {
        let mut slices = std::mem::take(&mut self.worker.slices);
        for (builder, slice) in self.worker.builders.iter().zip(&mut slices) {
            builder.all(slice);
        }
        let bits = match depth {
            0 => Vec::new(),
            _ => Builder::diagonals(&self.worker.builders, self.ground.case),
        };
        for (level, &bit) in bits.iter().take(depth.into()).enumerate() {
            // The sides take turns to be split.
            let (one, other) = (level % 2, 1 - level % 2);
            let [without, with] = self.worker.builders[one].split(&slices[one], bit);
            if path >> level & 1 == 0 {
                slices[one] = without;
            } else {
                let [without, _] = self.worker.builders[other].split(&slices[other], bit);
                (slices[one], slices[other]) = (with, without);
            }
        }
        let result = self.slice(slices.each_ref(), tied, most);
        self.worker.slices = slices;
        result
    }

    /// The solutions in a slice, of which at most so many pairs of quarters are built at a time.
    fn slice(&mut self, sides: [&Slice; 2], tied: bool, most: u64) -> Result<u64, Stopped> {
        self.ground.stop.check()?;
        let pairs = sides.map(Slice::pairs);
        if pairs.contains(&0) {
            return Ok(0);
        }
        let bit = if pairs[0] + pairs[1] <= most { None } else { self.busiest(sides) };
        let Some(bit) = bit else { return self.join(sides, tied) };
        // The longer list is split.
        let longer = usize::from(pairs[1] > pairs[0]);
        let shorter = 1 - longer;
        let [without, with] = self.worker.builders[longer].split(sides[longer], bit);
        let mut parts = sides;
        parts[longer] = &without;
        let sum = self.slice(parts, tied, most)?;
        let [filtered, _] = self.worker.builders[shorter].split(sides[shorter], bit);
        (parts[longer], parts[shorter]) = (&with, &filtered);
        let found = self.slice(parts, tied, most)?;
        Ok(sum.checked_add(found).expect("a row set's count fits in 64 bits"))
    }

    /// The bit that removes most pairs, if any does, judged by the quarters.
    fn busiest(&self, [left, right]: [&Slice; 2]) -> Option<u64> {
        let (left, right) =
            (self.worker.builders[0].busy(left), self.worker.builders[1].busy(right));
        let removed = |bit: usize| left[bit] * right[bit];
        let best = (0..64).max_by(|&a, &b| removed(a).total_cmp(&removed(b)))?;
        (removed(best) > 0.0).then_some(1 << best)
    }

    fn join(&mut self, sides: [&Slice; 2], tied: bool) -> Result<u64, Stopped> {
        let Worker { builders, halves, .. } = &mut *self.worker;
        for ((builder, slice), half) in builders.iter().zip(sides).zip(halves) {
            builder.build(self.kernel, slice, half);
        }
        let Worker { halves: [left, right], joiner, .. } = &mut *self.worker;
        solutions(tied, left, right, |left, right| {
            joiner.disjoint_pairs(self.kernel, left, right, self.ground.stop)
        })
    }
}
