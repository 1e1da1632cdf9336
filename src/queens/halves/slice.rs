//! Counting a row set slice by slice, so that its lists fit into memory.
//!
//! The first splits of a join can be made before the half boards are built. A slice is what is left
//! of both sides after some of them; the slices of a row set have all its disjoint pairs between
//! them. Building a list again for another slice costs more than splitting it, so lists are only cut
//! where they are too long to be held, or where a row set is too much work for one subtree. Where
//! even the quarters are too long to be held, each side is first cut by column sets, which sieves
//! nothing, and each part of the left meets each part of the right.

use std::cmp::Reverse;

use super::case::solutions;
use super::half::{Builder, Ground, Half, Slice};
use super::join::Joiner;
use super::kernel::Kernel;
use super::memory::Memory;
use crate::search::Stopped;

/// Counts the row sets of a subtree.
pub(super) struct Slicer<'a, K> {
    pub kernel: K,
    pub ground: Ground<'a>,
    pub builders: &'a mut [Builder; 2],
    /// Working memory.
    pub slices: &'a mut [Slice; 2],
    pub halves: &'a mut [Half; 2],
    pub joiner: &'a mut Joiner,
    pub memory: &'a Memory,
}

/// One of the slices that a row set is cut into beforehand: for each of the first `depth` diagonals
/// (`diagonals`), bit by bit from the lowest, `path` has 0 for the part without the diagonal
/// and 1 for that with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cut {
    pub depth: u8,
    pub path: u16,
}

impl<K: Kernel> Slicer<'_, K> {
    /// The solutions of a row set, or of the part of it that `cut` names. The builders have been given
    /// the rows above the middle; the left half has the rows `bottom` below it.
    pub(super) fn count(&mut self, bottom: u32, cut: Cut) -> Result<u64, Stopped> {
        let (ground, subsets) = (self.ground, self.ground.subsets);
        // Whether B ties with T.
        let tied = ground.limit == Some(subsets.rank(bottom));
        let most = (self.memory.quarters / 2.0) as u64;
        let [left, right] = self.builders.each_ref().map(|builder| builder.ranges(most));
        let mut sum = 0u64;
        for left in &left {
            let left_bytes = self.builders[0].load(ground, left)?;
            for right in &right {
                let bytes = left_bytes + self.builders[1].load(ground, right)?;
                let found = self.cut(cut, tied, self.memory.pairs(bytes))?;
                sum = sum.checked_add(found).expect("a row set's count fits in 64 bits");
            }
        }
        Ok(sum)
    }

    /// The solutions in the part that `cut` names of what the builders have loaded.
    fn cut(&mut self, Cut { depth, path }: Cut, tied: bool, most: u64) -> Result<u64, Stopped> {
        let mut slices = std::mem::take(self.slices);
        for (builder, slice) in self.builders.iter().zip(&mut slices) {
            builder.all(slice);
        }
        let bits = if depth > 0 { self.diagonals() } else { Vec::new() };
        for (level, &bit) in bits.iter().take(depth.into()).enumerate() {
            // The sides take turns to be split.
            let (one, other) = (level % 2, 1 - level % 2);
            let [without, with] = self.builders[one].split(&slices[one], bit);
            if path >> level & 1 == 0 {
                slices[one] = without;
            } else {
                let [without, _] = self.builders[other].split(&slices[other], bit);
                (slices[one], slices[other]) = (with, without);
            }
        }
        let result = self.slice(slices.each_ref(), tied, most);
        *self.slices = slices;
        result
    }

    /// All bits, those first that are likely to remove most pairs. They depend on the row set alone.
    fn diagonals(&self) -> Vec<u64> {
        let [left, right] =
            self.builders.each_ref().map(|builder| builder.squares(self.ground.case));
        let mut bits: Vec<usize> = (0..64).collect();
        bits.sort_by_key(|&bit| Reverse(left[bit] * right[bit]));
        bits.into_iter().map(|bit| 1 << bit).collect()
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
        let [without, with] = self.builders[longer].split(sides[longer], bit);
        let mut parts = sides;
        parts[longer] = &without;
        let sum = self.slice(parts, tied, most)?;
        let [filtered, _] = self.builders[shorter].split(sides[shorter], bit);
        (parts[longer], parts[shorter]) = (&with, &filtered);
        let found = self.slice(parts, tied, most)?;
        Ok(sum.checked_add(found).expect("a row set's count fits in 64 bits"))
    }

    /// The bit that removes most pairs, if any does, judged by the quarters.
    fn busiest(&self, [left, right]: [&Slice; 2]) -> Option<u64> {
        let (left, right) = (self.builders[0].busy(left), self.builders[1].busy(right));
        let removed = |bit: usize| left[bit] * right[bit];
        let best = (0..64).max_by(|&a, &b| removed(a).total_cmp(&removed(b)))?;
        (removed(best) > 0.0).then_some(1 << best)
    }

    fn join(&mut self, sides: [&Slice; 2], tied: bool) -> Result<u64, Stopped> {
        for ((builder, slice), half) in self.builders.iter().zip(sides).zip(&mut *self.halves) {
            builder.build(self.kernel, slice, half);
        }
        let Self { kernel, ground, halves: [left, right], joiner, .. } = self;
        solutions(tied, left, right, |left, right| {
            joiner.disjoint_pairs(*kernel, left, right, ground.stop)
        })
    }
}
