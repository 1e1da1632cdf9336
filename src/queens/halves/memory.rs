//! How much memory a count takes, before it starts, and how it stays within a limit.
//!
//! A worker holds three kinds of lists: quarters, the half boards made of pairs of quarters, and the lists
//! that a join splits off. If a row set needs more than the worker may take, it is counted in slices
//! ([`super::slice`]). All workers together may keep quarters from one row set to the next.

use super::case::Keep;
use super::corner::Sizes;
use super::cost::CostModel;
use super::filling;
use super::layout::MAX_UNCUT_N;

/// The limit of a worker whose user has set none.
const DEFAULT_WORKER_BYTES: f64 = (512u64 << 20) as f64;
/// Memory planned for each pair of an upper and a lower quarter: the key of the half board, if the two are
/// disjoint (two in five are), and what a join splits off. 3 to 10 bytes were seen at n = 24 and 26.
const BYTES_PER_PAIR: f64 = 18.0;
/// The least limit on the pairs of a slice. With smaller slices, building lists again takes longer than
/// joining them: n = 24 takes 1.2, 1.5 and 1.7 times as long with 4, 1 and 0.5 million pairs.
const MIN_SLICE_PAIRS: f64 = 5e5;
/// Limit on the memory in which all quarters of every case are kept. If they need more, only the lower
/// quarters of all cases are kept, together: n = 21 then takes 60 MB in place of 0.8 GB, and no longer.
const MAX_KEEP_ALL_BYTES: f64 = (256u64 << 20) as f64;
/// If less than this share of the lower quarters would fit, none are kept.
const MIN_KEPT_SHARE: f64 = 0.3;
/// Limit on the lists of a worker, however much memory there is. At [`BYTES_PER_PAIR`] two lists then have
/// fewer than 2^32 keys together, and so fewer than 2^62 pairs, which 64 bits hold.
const MAX_LIST_BYTES: f64 = (64u64 << 30) as f64;
/// Table, stack and bookkeeping of a worker.
const FIXED_WORKER_BYTES: f64 = 2e6;
/// Limit on the share of a worker's lists that are quarters: row sets with nine tenths of the work of
/// n = 28 then find room for all of theirs at once.
const MAX_QUARTER_SHARE: f64 = 0.625;
/// Limit on the share of a worker's lists that are upper quarters of row sets counted later in the group.
const MAX_GROUP_SHARE: f64 = 0.125;

/// The memory that a count will take, and for what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Memory {
    pub keep: Keep,
    /// Limit on all lists of a worker, in bytes: quarters in use, half boards, what joins split off.
    pub list_bytes: f64,
    /// Limit on a worker's quarters of the row set that it counts.
    pub quarter_bytes: f64,
    /// A group of row sets gets no further upper quarters once those it has take this many bytes.
    pub group_bytes: usize,
    /// Upper estimate of all bytes that the count will take, on all threads.
    pub bytes: u64,
}

impl Memory {
    /// The fastest use of `limit` bytes for all workers together. If even the most frugal use takes more,
    /// that one: the caller compares `bytes` with the limit.
    pub(super) fn new(sizes: Sizes, costs: &CostModel, threads: usize, limit: Option<u64>) -> Self {
        let threads = threads as f64;
        let limit = limit.map_or(DEFAULT_WORKER_BYTES * threads, |limit| limit as f64);
        let key = size_of::<u64>() as f64;
        // The middle row's queen makes more fillings, though not as many as its columns.
        let middle = if sizes.n.is_multiple_of(2) { 1.0 } else { 2.0 };
        let longest = middle * costs.longest_quarter();
        // Partial fillings of upper and lower quarters of two sides.
        let fixed = FIXED_WORKER_BYTES + 4.0 * filling::bytes(longest);
        // Each side has an upper and a lower quarter, both as long as the longest at worst.
        let wanted = 4.0 * longest * key;
        // Subtrees of several row sets hold the upper quarters of a group.
        let wanted_by_group = if sizes.n > MAX_UNCUT_N { 0.0 } else { wanted };
        let pair_bytes = BYTES_PER_PAIR * (5.0 * costs.longest_half() + MIN_SLICE_PAIRS);
        let least = BYTES_PER_PAIR * MIN_SLICE_PAIRS / (1.0 - MAX_QUARTER_SHARE);
        let enough = (wanted + wanted_by_group + pair_bytes.min(BYTES_PER_PAIR * 1e7)).max(least);
        // On an odd board the queens of the middle lines close about half of the fillings in all cases but
        // the first.
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

    /// What a worker may hold beside the most quarters that it can be given, in bytes.
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
