//! The memory that a count takes: planned before it starts, and kept within a limit.
//!
//! A worker holds three kinds of lists: quarters, the half boards made of pairs of quarters, and the lists
//! that a join splits off. If a row set needs more than the worker may take, it is counted in slices
//! ([`super::slice`]). All workers together may keep quarters from one row set to the next.

use super::case::Keep;
use super::corner::Sizes;
use super::cost::CostModel;
use super::filling;
use super::layout::MAX_UNCUT_N;

/// Limit on the bytes of a worker, if the user sets none.
const DEFAULT_WORKER_BYTES: f64 = (512u64 << 20) as f64;
/// Bytes planned for each pair of an upper and a lower quarter: for the key of the half board, if the two
/// are disjoint (two in five are), and for the lists that joins split off. n = 24 and 26 took 3 to 10 bytes.
const BYTES_PER_PAIR: f64 = 18.0;
/// Smallest limit on the pairs of a slice. The smaller the slices, the longer it takes to build lists again:
/// n = 24 takes 1.2, 1.5 and 1.7 times as long with 4, 1 and 0.5 million pairs.
const MIN_SLICE_PAIRS: f64 = 5e5;
/// All quarters of every case are kept if they fit into this many bytes. Else only lower quarters are, one
/// list for all cases: n = 21 then takes 60 MB in place of 0.8 GB, and no more time.
const MAX_KEEP_ALL_BYTES: f64 = (256u64 << 20) as f64;
/// No lower quarters are kept if less than this share of them would fit.
const MIN_KEPT_SHARE: f64 = 0.3;
/// Limit on the bytes of a worker's lists, however much memory there is. At [`BYTES_PER_PAIR`] two lists then
/// have fewer than 2^32 keys together, and so fewer than 2^62 pairs, which 64 bits hold.
const MAX_LIST_BYTES: f64 = (64u64 << 30) as f64;
/// Bytes for the table, the stack and the bookkeeping of a worker.
const FIXED_WORKER_BYTES: f64 = 2e6;
/// Limit on the share of quarters in the bytes of a worker's lists. With it, the row sets that take nine
/// tenths of the work of n = 28 have room for all their quarters at once.
const MAX_QUARTER_SHARE: f64 = 0.625;
/// Limit on the share of upper quarters of row sets that are counted later in the group.
const MAX_GROUP_SHARE: f64 = 0.125;

/// The memory that a count will take, and for what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Memory {
    pub keep: Keep,
    /// Limit on all lists of a worker, in bytes: quarters in use, half boards, what joins split off.
    pub list_bytes: f64,
    /// Limit on a worker's quarters of the row set that it counts, in bytes.
    pub quarter_bytes: f64,
    /// A group of row sets gets no further upper quarters once those it has take this many bytes.
    pub group_bytes: usize,
    /// Upper estimate of all bytes that the count will take, on all threads.
    pub bytes: u64,
}

impl Memory {
    /// Plans the fastest use of `limit` bytes by all workers together. If even the smallest plan takes more, it
    /// is returned all the same: the caller compares `bytes` with the limit.
    pub(super) fn new(sizes: Sizes, costs: &CostModel, threads: usize, limit: Option<u64>) -> Self {
        let threads = threads as f64;
        let limit = limit.map_or(DEFAULT_WORKER_BYTES * threads, |limit| limit as f64);
        let key = size_of::<u64>() as f64;
        // With the queen of the middle row there are more fillings, taken as twice as many.
        let middle = if sizes.n.is_multiple_of(2) { 1.0 } else { 2.0 };
        let longest = middle * costs.longest_quarter();
        // Partial fillings: of upper and of lower quarters, for two sides.
        let fixed = FIXED_WORKER_BYTES + 4.0 * filling::bytes(longest);
        // Each side has an upper and a lower quarter, both as long as the longest at worst.
        let wanted = 4.0 * longest * key;
        // Subtrees of several row sets hold the upper quarters of a group.
        let wanted_by_group = if sizes.n > MAX_UNCUT_N { 0.0 } else { wanted };
        let pair_bytes = BYTES_PER_PAIR * (5.0 * costs.longest_half() + MIN_SLICE_PAIRS);
        let least = BYTES_PER_PAIR * MIN_SLICE_PAIRS / (1.0 - MAX_QUARTER_SHARE);
        let enough = (wanted + wanted_by_group + pair_bytes.min(BYTES_PER_PAIR * 1e7)).max(least);
        // Queens on the middle row and column rule out about half of the fillings in all odd cases but the first.
        let cases = if sizes.n.is_multiple_of(2) { 1.0 } else { 0.5 * f64::from(sizes.h + 1) };
        let lower_bytes = costs.all_quarters() * key;
        let room = limit - threads * (fixed + enough);
        let all_bytes = 2.0 * cases * lower_bytes;
        let (keep, kept) = if all_bytes <= room.min(MAX_KEEP_ALL_BYTES) {
            (Keep::All, all_bytes)
        } else {
            let kept =
                if room < MIN_KEPT_SHARE * lower_bytes { 0.0 } else { lower_bytes.min(room) };
            (Keep::Bottoms(kept as usize), kept)
        };
        let most = wanted + wanted_by_group + pair_bytes;
        let most = most.min(MAX_LIST_BYTES);
        let list_bytes = ((limit - kept) / threads - fixed).min(most).max(least);
        let group_bytes = wanted_by_group.min(MAX_GROUP_SHARE * list_bytes);
        let quarter_bytes = wanted.min(MAX_QUARTER_SHARE * list_bytes - group_bytes);
        let bytes = (kept + threads * (fixed + list_bytes)) as u64;
        Self { keep, list_bytes, quarter_bytes, group_bytes: group_bytes as usize, bytes }
    }

    /// Limit on the pairs of quarters of a slice, if the quarters in use take `quarter_bytes` bytes.
    pub(super) fn max_pairs(&self, quarter_bytes: u64) -> u64 {
        ((self.list_bytes - quarter_bytes as f64) / BYTES_PER_PAIR) as u64
    }

    /// Bytes for half boards and joins, when a worker holds as many quarters as it may.
    pub(super) fn join_bytes(&self) -> f64 {
        self.list_bytes - self.quarter_bytes - self.group_bytes as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_takes_half_a_gibibyte_or_less_if_asked() {
        for n in [16, 20, 22, 24, 26, 28, 32] {
            let memory =
                |limit| Memory::new(Sizes::new(n), &CostModel::new(Sizes::new(n)), 1, limit);
            assert!(memory(None).bytes <= 512 << 20, "n = {n}: {:?}", memory(None));
            let frugal = memory(Some(64 << 20));
            assert!(frugal.bytes <= 64 << 20, "n = {n}: {frugal:?}");
            assert!(frugal.list_bytes <= memory(None).list_bytes);
            let lavish = memory(Some(1 << 50));
            assert!(lavish.max_pairs(0) < 1 << 32, "n = {n}: {lavish:?}");
            let Memory { quarter_bytes, group_bytes, .. } = frugal;
            let all = frugal.join_bytes() + quarter_bytes + group_bytes as f64;
            assert!((all - frugal.list_bytes).abs() < 1.0, "n = {n}: {frugal:?}");
        }
    }

    /// Users and job schedulers rely on these numbers.
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
