//! Building the half boards of a row set out of quarter boards.

use super::case::Case;
use super::join::Half;
use super::kernel::Kernel;
use super::quarter::{Filling, Quarter};
use super::subsets::Subsets;

/// Builds half boards that share the rows above the middle.
#[derive(Debug, Default)]
pub(super) struct Builder {
    top: Quarter,
    shares: Vec<Share>,
    bottom: Quarter,
    filling: Filling,
}

/// A column set for the top, its complement for the bottom, as positions among their peers.
#[derive(Debug, Clone, Copy)]
struct Share {
    top: u32,
    bottom: u32,
    tied: bool,
}

impl Builder {
    /// Prepares half boards with the upper rows `top`. With a `limit`, only those whose column set
    /// has at most this rank are built, and those that reach it are called tied.
    pub(super) fn begin(&mut self, case: &Case, top: u32, limit: Option<u32>, subsets: &Subsets) {
        case.top.load(top, subsets, &mut self.top, &mut self.filling);
        self.shares.clear();
        for (position, &columns) in subsets.of_size(top.count_ones()).iter().enumerate() {
            let rank = subsets.rank(columns);
            if limit.is_none_or(|limit| rank <= limit) && !self.top.at(position).is_empty() {
                self.shares.push(Share {
                    top: position as u32,
                    bottom: subsets.position(subsets.full() & !columns) as u32,
                    tied: limit == Some(rank),
                });
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
        half.clear();
        let bottom = case.bottom.get(bottom, subsets, &mut self.bottom, &mut self.filling);
        for share in &self.shares {
            let list = if share.tied { &mut half.tied } else { &mut half.plain };
            kernel.unions(self.top.at(share.top as usize), bottom.at(share.bottom as usize), list);
        }
    }
}
