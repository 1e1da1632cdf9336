//! How much memory a count takes, before it starts, and how it stays within a limit.
//!
//! A worker holds quarters, the half boards made of them and what a join splits off. What does not fit
//! is made in parts ([`super::slice`]). Quarters may be kept between row sets, for all workers
//! together.

use super::case::Keep;
use super::corner::Sizes;
use super::cost::CostModel;
use super::filling;
use super::layout::WHOLE;

/// What a worker is given without a limit, in bytes.
const WORKER: f64 = (512u64 << 20) as f64;
/// Bytes for a pair of quarters whose union may be a half board, of which two in five are: the key,
/// and what a join splits off. 3 to 10 were seen at n = 24 and 26.
const PAIR: f64 = 18.0;
/// The fewest pairs for a slice: with fewer, making slices takes longer than joining them (n = 24:
/// 1.2, 1.5 and 1.7 times the time with 4, 1 and half a million).
const FEWEST: f64 = 5e5;
/// Bytes to keep all quarters of every case in: more are better chosen from the lower ones of all
/// cases (n = 21: 0.8 GB in place of 60 MB, and no faster).
const CHEAP: f64 = (256u64 << 20) as f64;
/// The smallest part of the lower quarters that is worth keeping.
const WORTH: f64 = 0.3;
/// Table, stack and bookkeeping of a worker, in bytes.
const FIXED: f64 = 2e6;
/// The part of a worker's lists that quarters may take: enough for all of them in nine tenths of the
/// work of n = 28.
const QUARTERS: f64 = 0.625;
/// The part of these lists that upper quarters may take before others are needed.
const BESIDE: f64 = 0.125;

/// What a count will take and how it uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Memory {
    pub keep: Keep,
    /// Bytes for the lists of a worker: quarters that are in use, half boards, what joins split off.
    pub lists: f64,
    /// The most of these for quarters.
    pub quarters: f64,
    /// Once the upper quarters in use take so many bytes, no others are put beside them.
    pub beside: usize,
    /// An upper estimate of all bytes that will be used.
    pub bytes: u64,
}

impl Memory {
    /// The fastest way within `limit` bytes for all workers together; the most frugal one if that
    /// takes more.
    pub(super) fn new(sizes: Sizes, costs: &CostModel, threads: usize, limit: Option<u64>) -> Self {
        let threads = threads as f64;
        let limit = limit.map_or(WORKER * threads, |limit| limit as f64);
        let key = size_of::<u64>() as f64;
        // The middle row's queen makes more fillings, though not as many as its columns.
        let middle = if sizes.n.is_multiple_of(2) { 1.0 } else { 2.0 };
        let longest = middle * costs.longest_quarter();
        // Partial fillings of upper and lower quarters of two sides.
        let fixed = FIXED + 4.0 * filling::bytes(longest);
        // Both sides have a long quarter, and a shorter one or another long one; subtrees of many row
        // sets have other upper ones beside them.
        let wanted = 4.0 * longest * key;
        let wanted_beside = if sizes.n > WHOLE { 0.0 } else { wanted };
        let pair_bytes = PAIR * (5.0 * costs.longest_half() + FEWEST);
        let fewest = PAIR * FEWEST / (1.0 - QUARTERS);
        let enough = (wanted + wanted_beside + pair_bytes.min(PAIR * 1e7)).max(fewest);
        // All cases but the first close about half of their quarters.
        let cases = if sizes.n.is_multiple_of(2) { 1.0 } else { 0.5 * f64::from(sizes.h + 1) };
        let bottoms = costs.all_quarters() * key;
        let room = limit - threads * (fixed + enough);
        let (keep, kept) = if 2.0 * cases * bottoms <= room.min(CHEAP) {
            (Keep::All, 2.0 * cases * bottoms)
        } else {
            let kept = if room < WORTH * bottoms { 0.0 } else { bottoms.min(room) };
            (Keep::Bottoms(kept as usize), kept)
        };
        let most = wanted + wanted_beside + pair_bytes;
        let lists = ((limit - kept) / threads - fixed).min(most).max(fewest);
        let beside = wanted_beside.min(BESIDE * lists);
        let quarters = wanted.min(QUARTERS * lists - beside);
        let beside = beside as usize;
        Self { keep, lists, quarters, beside, bytes: (kept + threads * (fixed + lists)) as u64 }
    }

    /// The most pairs of quarters to build into half boards at a time, beside so many bytes of
    /// quarters in use.
    pub(super) fn pairs(&self, quarters: u64) -> u64 {
        ((self.lists - quarters as f64) / PAIR) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_given_half_a_gibibyte_and_takes_less_if_asked() {
        for n in [16, 20, 22, 24, 26, 28, 32] {
            let memory =
                |limit| Memory::new(Sizes::new(n), &CostModel::new(Sizes::new(n)), 1, limit);
            assert!(memory(None).bytes <= 512 << 20, "n = {n}: {:?}", memory(None));
            let frugal = memory(Some(64 << 20));
            assert!(frugal.bytes <= 64 << 20, "n = {n}: {frugal:?}");
            assert!(frugal.lists <= memory(None).lists);
        }
    }

    /// Schedulers and people go by these numbers.
    #[test]
    fn as_much_is_taken_as_was() {
        let mut taken = String::new();
        for n in [8, 16, 19, 21, 23, 26, 27, 28] {
            for (threads, limit) in
                [(1, None), (2, None), (8, Some(400 << 20)), (3, Some(16 << 30))]
            {
                let sizes = Sizes::new(n);
                let memory = Memory::new(sizes, &CostModel::new(sizes), threads, limit);
                taken += &format!("n = {n}, {threads} threads, limit {limit:?}: {memory:?}\n");
            }
        }
        crate::golden::check("halves/memory.txt", &taken);
    }
}
