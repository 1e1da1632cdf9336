//! Building the half boards of a row set out of quarter boards.

use std::cmp::Ordering;

use super::case::Case;
use super::kernel::Kernel;
use super::quarter::{Filling, Quarter, Side};
use super::subsets::Subsets;

/// The half boards of one row set on one side of the board, as keys: first the plain ones, then
/// those that tie, in three [`PARTS`].
#[derive(Debug, Default)]
pub(super) struct Half {
    keys: Vec<u64>,
    /// Where the parts begin.
    parts: [usize; 3],
}

/// Half boards that tie, by how their top quarter compares to its image: those that stand for their
/// images too, those that are their own, and those that their images stand for. See `case`.
const PARTS: [Ordering; 3] = [Ordering::Greater, Ordering::Equal, Ordering::Less];

impl Half {
    pub(super) fn plain(&self) -> &[u64] {
        &self.keys[..self.parts[0]]
    }

    /// Those that are counted in full: the plain ones and the first of two.
    pub(super) fn whole(&self) -> &[u64] {
        &self.keys[..self.parts[1]]
    }

    pub(super) fn tied(&self) -> &[u64] {
        &self.keys[self.parts[0]..]
    }

    pub(super) fn first(&self) -> &[u64] {
        &self.keys[self.parts[0]..self.parts[1]]
    }

    pub(super) fn same(&self) -> &[u64] {
        &self.keys[self.parts[1]..self.parts[2]]
    }
}

/// Builds half boards that share the rows above the middle.
#[derive(Debug)]
pub(super) struct Builder {
    side: Side,
    top: Quarter,
    plain: Vec<Share>,
    /// By part: keys of the top, column sets of the bottom.
    tied: [Vec<(Vec<u64>, u32)>; 3],
    bottom: Quarter,
    filling: Filling,
}

/// A column set for the top, its complement for the bottom, as positions among their peers.
#[derive(Debug, Clone, Copy)]
struct Share {
    top: u32,
    bottom: u32,
}

impl Builder {
    pub(super) fn new(side: Side) -> Self {
        let (top, bottom, filling) = Default::default();
        Self { side, top, plain: Vec::new(), tied: Default::default(), bottom, filling }
    }

    /// Prepares half boards with the upper rows `top`. With a `limit`, only those whose column set
    /// has at most this rank are built, and those that reach it are tied.
    pub(super) fn begin(&mut self, case: &Case, top: u32, limit: Option<u32>, subsets: &Subsets) {
        let Self { side, plain, tied, .. } = self;
        case.top.load(top, *side, subsets, &mut self.top, &mut self.filling);
        plain.clear();
        tied.iter_mut().for_each(Vec::clear);
        for (position, &columns) in subsets.of_size(top.count_ones()).iter().enumerate() {
            let keys = self.top.at(position);
            let rank = subsets.rank(columns);
            if keys.is_empty() || limit.is_some_and(|limit| rank > limit) {
                continue;
            }
            let bottom = subsets.position(subsets.full() & !columns) as u32;
            if limit != Some(rank) {
                plain.push(Share { top: position as u32, bottom });
            } else if columns == top {
                let upright = case.top.upright(top, *side);
                for (part, order) in tied.iter_mut().zip(PARTS) {
                    let keys = upright.iter().filter(|(found, _)| *found == order);
                    part.push((keys.map(|&(_, key)| key).collect(), bottom));
                }
            } else {
                // A quarter turn makes these of the left half those of the right half.
                let part = if *side == Side::Left { 0 } else { 2 };
                tied[part].push((keys.to_vec(), bottom));
            }
        }
    }

    /// Builds the half boards with the rows `bottom` below the middle, after [`Builder::begin`]
    /// for the same case.
    pub(super) fn build<K: Kernel>(
        &mut self,
        kernel: K,
        case: &Case,
        bottom: u32,
        subsets: &Subsets,
        half: &mut Half,
    ) {
        let Self { side, top, plain, tied, bottom: quarter, filling } = self;
        case.bottom.load(bottom, *side, subsets, quarter, filling);
        half.keys.clear();
        for share in plain {
            let bottom = quarter.at(share.bottom as usize);
            kernel.unions(top.at(share.top as usize), bottom, &mut half.keys);
        }
        for (begin, part) in half.parts.iter_mut().zip(tied) {
            *begin = half.keys.len();
            for (keys, bottom) in part {
                kernel.unions(keys, quarter.at(*bottom as usize), &mut half.keys);
            }
        }
    }
}
