//! Counting a row set slice by slice, so that its lists fit into memory.
//!
//! The first splits of a join can be made before the half boards are built. A slice is what is left
//! of both sides after some of them; the slices of a row set have all its disjoint pairs between
//! them. Building a list again for another slice costs more than splitting it, so lists are only cut
//! where they are too long to be held, or where a row set is too much work for one subtree.

use super::case::solutions;
use super::half::{Builder, Half, Slice};
use super::join::Joiner;
use super::kernel::Kernel;
use crate::search::{Stop, Stopped};

/// Counts the row sets of a subtree.
pub(super) struct Slicer<'a, K> {
    pub kernel: K,
    pub stop: &'a Stop,
    pub halves: &'a mut [Half; 2],
    pub joiner: &'a mut Joiner,
    /// The most pairs of quarters that are built into half boards at a time, if row sets may have
    /// more.
    pub most: Option<u64>,
}

/// One of the slices that a row set is cut into beforehand: at each of the first `depth` splits, bit
/// by bit from the lowest, `path` has 0 for the part without the diagonal and 1 for that with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cut {
    pub depth: u8,
    pub path: u16,
}

impl<K: Kernel> Slicer<'_, K> {
    /// The solutions of a row set, or of the part of it that `cut` names. `tied` as in [`solutions`].
    pub(super) fn count(
        &mut self,
        sides: &[Builder; 2],
        tied: bool,
        cut: Cut,
    ) -> Result<u64, Stopped> {
        self.stop.check()?;
        if cut.depth > 0 || self.most.is_some() {
            let [left, right] = sides.each_ref().map(Builder::all);
            return self.slice([&left, &right], tied, cut);
        }
        for (side, half) in sides.iter().zip(&mut *self.halves) {
            side.build(self.kernel, half);
        }
        self.join(tied)
    }

    /// The solutions in a slice, or in the part of it that `cut` names.
    fn slice(&mut self, sides: [&Slice; 2], tied: bool, cut: Cut) -> Result<u64, Stopped> {
        self.stop.check()?;
        let most = sides.map(Slice::most);
        if most.contains(&0) {
            return Ok(0);
        }
        let whole = cut.depth == 0;
        let fits = self.most.is_none_or(|limit| most[0] + most[1] <= limit);
        let Some(bit) = (if whole && fits { None } else { busiest(sides) }) else {
            if cut.path != 0 {
                return Ok(0);
            }
            for (side, half) in sides.into_iter().zip(&mut *self.halves) {
                side.build(self.kernel, half);
            }
            return self.join(tied);
        };
        // The longer list is split.
        let longer = usize::from(most[1] > most[0]);
        let without = sides.map(|side| side.without(bit));
        let cut_below = Cut { depth: cut.depth.saturating_sub(1), path: cut.path >> 1 };
        let mut sum = 0u64;
        for with in [false, true] {
            if !whole && (cut.path & 1 == 1) != with {
                continue;
            }
            let part = with.then(|| sides[longer].with(bit, &without[longer]));
            let mut parts = if with { [&without[0], &without[1]] } else { sides };
            parts[longer] = part.as_ref().unwrap_or(&without[longer]);
            let found = self.slice(parts, tied, cut_below)?;
            sum = sum.checked_add(found).expect("a row set's count fits in 64 bits");
        }
        Ok(sum)
    }

    fn join(&mut self, tied: bool) -> Result<u64, Stopped> {
        let Self { kernel, stop, halves: [left, right], joiner, .. } = self;
        solutions(tied, left, right, |left, right| {
            joiner.disjoint_pairs(*kernel, left, right, stop)
        })
    }
}

/// The bit that removes most pairs, if any does, judged by the quarters: the same for every kernel.
fn busiest(sides: [&Slice; 2]) -> Option<u64> {
    let [left, right] = sides.map(Slice::busy);
    let removed = |bit: usize| left[bit] * right[bit];
    let best = (0..64).max_by(|&a, &b| removed(a).total_cmp(&removed(b)))?;
    (removed(best) > 0.0).then_some(1 << best)
}
