//! The memory that a count takes: planned before it starts, and kept within a limit.
//!
//! A worker holds three kinds of lists: quarters, the half boards made of pairs of quarters, and the lists
//! that a join splits off. If a row set needs more than the worker may take, it is counted in slices
//! (`slice.rs`). All workers together may keep quarters from one row set to the next.

use super::case::Keep;
use super::layout::{CostModel, MAX_UNCUT_N};
use super::quarter;
use super::subsets::Sizes;

/// Limit on the bytes of a worker, if the user sets none.
const DEFAULT_WORKER_BYTES: f64 = (512u64 << 20) as f64;
/// Bytes planned for each pair of an upper and a lower quarter: for the key of the half board, if the two
/// are disjoint (two in five are), and for the lists that joins split off. n = 24 and 26 took 3 to 10 bytes.
const BYTES_PER_PAIR: f64 = 18.0;
/// Pairs of quarters, of both sides, for each half board of one side: on each side two pairs in five are half boards.
const PAIRS_PER_HALF_BOARD: f64 = 5.0;

/// With room for this many pairs in a slice, more memory is better used to keep quarters. ([`MIN_SLICE_PAIRS`] tells what
/// fewer pairs cost.)
const GOOD_SLICE_PAIRS: f64 = 1e7;
/// Smallest limit on the pairs of a slice. The smaller the slices, the longer it takes to build lists again:
/// n = 24 takes 1.2, 1.5 and 1.7 times as long with 4, 1 and 0.5 million pairs.
const MIN_SLICE_PAIRS: f64 = 5e5;
/// All quarters of every case are kept if they fit into this many bytes. Otherwise only lower quarters are, one
/// list for all cases: n = 21 then takes 60 MB instead of 0.8 GB, and no more time.
const MAX_KEEP_ALL_BYTES: f64 = (256u64 << 20) as f64;
/// No lower quarters are kept if less than this share of them would fit.
const MIN_KEPT_SHARE: f64 = 0.3;
/// Limit on the bytes of a worker's lists, however much memory there is. At [`BYTES_PER_PAIR`] two lists then
/// have fewer than 2^32 keys together, and so fewer than 2^62 pairs, which 64 bits hold.
const MAX_LIST_BYTES: f64 = (64u64 << 30) as f64;
const KEY_BYTES: f64 = size_of::<u64>() as f64;
/// Bytes for the table, the stack and the bookkeeping of a worker.
const FIXED_WORKER_BYTES: f64 = 2e6;
/// Limit on the share of quarters in the bytes of a worker's lists. With it, the row sets that take nine
/// tenths of the work of n = 28 have room for all their quarters at once.
const MAX_QUARTER_SHARE: f64 = 0.625;
/// The bytes of a worker's lists with the smallest slices.
const MIN_LIST_BYTES: f64 = BYTES_PER_PAIR * MIN_SLICE_PAIRS / (1.0 - MAX_QUARTER_SHARE);
/// Limit on the share, in the bytes of a worker's lists, of upper quarters for row sets that are counted later in the
/// group.
const MAX_GROUP_SHARE: f64 = 0.125;

/// The memory that a count will take, and for what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
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

/// The bytes that a worker can use.
struct WorkerNeeds {
    /// For all but lists: the table, the stack and partial fillings.
    fixed_bytes: f64,
    /// For the quarters of the row set that it counts.
    quarter_bytes: f64,
    /// For the upper quarters of a group of row sets.
    group_bytes: f64,
    /// For half boards and what joins split off.
    pair_bytes: f64,
}

impl WorkerNeeds {
    fn new(sizes: Sizes, costs: &CostModel) -> Self {
        // With the queen of the middle row there are more fillings, taken as twice as many.
        let middle = if sizes.n.is_multiple_of(2) { 1.0 } else { 2.0 };
        let longest = middle * costs.quarters().fold(0.0, f64::max);
        // Each side has an upper and a lower quarter, both as long as the longest at worst.
        let quarter_bytes = 4.0 * longest * KEY_BYTES;
        Self {
            // Partial fillings: of upper and of lower quarters, for two sides.
            fixed_bytes: FIXED_WORKER_BYTES + 4.0 * quarter::bytes(longest),
            quarter_bytes,
            // Subtrees of several row sets hold the upper quarters of a group.
            group_bytes: if sizes.n > MAX_UNCUT_N { 0.0 } else { quarter_bytes },
            pair_bytes: BYTES_PER_PAIR
                * (PAIRS_PER_HALF_BOARD * costs.longest_half() + MIN_SLICE_PAIRS),
        }
    }

    /// The bytes of lists with which it counts nearly as fast as with any more.
    fn good_list_bytes(&self) -> f64 {
        let pair_bytes = self.pair_bytes.min(BYTES_PER_PAIR * GOOD_SLICE_PAIRS);
        (self.quarter_bytes + self.group_bytes + pair_bytes).max(MIN_LIST_BYTES)
    }

    /// The most bytes of lists that it can use.
    fn max_list_bytes(&self) -> f64 {
        (self.quarter_bytes + self.group_bytes + self.pair_bytes).min(MAX_LIST_BYTES)
    }
}

/// The quarters to keep in `room` bytes for all workers, and the bytes that they take.
fn keep_in(room: f64, sizes: Sizes, costs: &CostModel) -> (Keep, f64) {
    // Queens on the middle row and column rule out about half of the fillings in all odd cases but the first.
    let cases = if sizes.n.is_multiple_of(2) { 1.0 } else { 0.5 * f64::from(sizes.h + 1) };
    let lower_bytes = costs.quarters().sum::<f64>() * KEY_BYTES;
    let all_bytes = 2.0 * cases * lower_bytes;
    if all_bytes <= room.min(MAX_KEEP_ALL_BYTES) {
        return (Keep::All, all_bytes);
    }
    let kept = if room < MIN_KEPT_SHARE * lower_bytes { 0.0 } else { lower_bytes.min(room) };
    (Keep::Bottoms(kept as usize), kept)
}

impl Memory {
    /// Plans the fastest use of `limit` bytes by all workers together. If even the smallest plan takes more, it
    /// is returned all the same: the caller compares `bytes` with the limit.
    pub fn new(sizes: Sizes, costs: &CostModel, threads: usize, limit: Option<u64>) -> Self {
        let needs = WorkerNeeds::new(sizes, costs);
        let threads = threads as f64;
        let limit = limit.map_or(DEFAULT_WORKER_BYTES * threads, |limit| limit as f64);
        let room = limit - threads * (needs.fixed_bytes + needs.good_list_bytes());
        let (keep, kept_bytes) = keep_in(room, sizes, costs);
        let list_bytes = ((limit - kept_bytes) / threads - needs.fixed_bytes)
            .min(needs.max_list_bytes())
            .max(MIN_LIST_BYTES);
        let group_bytes = needs.group_bytes.min(MAX_GROUP_SHARE * list_bytes);
        Self {
            keep,
            list_bytes,
            quarter_bytes: needs.quarter_bytes.min(MAX_QUARTER_SHARE * list_bytes - group_bytes),
            group_bytes: group_bytes as usize,
            bytes: (kept_bytes + threads * (needs.fixed_bytes + list_bytes)) as u64,
        }
    }

    /// Limit on the pairs of quarters of a slice, if the quarters in use take `used` bytes.
    pub fn max_pairs(&self, used: u64) -> u64 {
        ((self.list_bytes - used as f64) / BYTES_PER_PAIR) as u64
    }

    /// Bytes for half boards and joins, when a worker holds as many quarters as it may.
    pub fn join_bytes(&self) -> f64 {
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
    fn plans_take_the_memory_that_is_on_record() {
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
