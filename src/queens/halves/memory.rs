//! How much memory a count takes, before it starts, and how it stays within a limit.
//!
//! A worker holds quarters, the half boards made of them and what a join splits off. The half boards
//! of a row set are cut into slices that fit ([`super::slice`]); quarters are not cut, so from n = 28
//! on they alone may take more than a worker is given. Quarters may be kept between row sets, for
//! all workers together.

use super::corner::Sizes;
use super::cost::Costs;

/// What a worker is given without a limit, in bytes.
const WORKER: u64 = 512 << 20;
/// Bytes for a filling of the longest quarter, while it is found and sorted, and for the other ones:
/// 25 to 35 were seen at n = 24 and 26.
const FILLING: f64 = 36.0;
/// Bytes for a pair of quarters whose union may be a half board, of which two in five are: the key,
/// and what a join splits off. 3 to 10 were seen at n = 24 and 26.
const PAIR: f64 = 14.0;
/// The fewest pairs for a slice: with fewer, making slices takes longer than joining them (n = 24:
/// 1.2, 1.5 and 1.7 times the time with 4, 1 and half a million).
const FEWEST: f64 = 5e5;
/// Table, stack and bookkeeping of a worker, in bytes.
const FIXED: f64 = 2e6;

/// What a count will take and how it uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Memory {
    /// Whether quarters are kept.
    pub keep: bool,
    /// The most pairs of quarters that are built into half boards at a time, if a row set may have
    /// more.
    pub pairs: Option<u64>,
    /// An upper estimate of all bytes that will be used.
    pub bytes: u64,
}

impl Memory {
    /// The fastest way within `limit` bytes for all workers together; the most frugal one if that
    /// takes more.
    pub(super) fn new(sizes: Sizes, costs: &Costs, threads: usize, limit: Option<u64>) -> Self {
        let threads = threads as f64;
        let limit = limit.map_or(WORKER as f64 * threads, |limit| limit as f64);
        let key = size_of::<u64>() as f64;
        // Top and bottom quarters are kept, and for odd boards those beside each place of a queen
        // on the middle column, which closes half of them.
        let corners = if sizes.n.is_multiple_of(2) { 2.0 } else { f64::from(sizes.h) + 1.0 };
        let kept = corners * costs.all_quarters() * key;
        // The middle row's queen makes more fillings, though not as many as its columns.
        let middle = if sizes.n.is_multiple_of(2) { 1.0 } else { 2.0 };
        let quarters = FIXED + middle * costs.longest_quarter() * FILLING;
        let most = 5.0 * costs.longest_half() + FEWEST;
        let keep = kept + threads * (quarters + PAIR * most.min(1e7)) <= limit;
        let kept = if keep { kept } else { 0.0 };
        let pairs = (((limit - kept) / threads - quarters) / PAIR).clamp(FEWEST, most);
        let bytes = kept + threads * (quarters + pairs * PAIR);
        let pairs = (pairs < most).then_some(pairs as u64);
        Self { keep, pairs, bytes: bytes as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_given_half_a_gibibyte_and_takes_less_if_asked() {
        for n in [16, 20, 22, 24, 26] {
            let memory = |limit| Memory::new(Sizes::new(n), &Costs::new(Sizes::new(n)), 1, limit);
            assert!(memory(None).bytes <= 512 << 20, "n = {n}: {:?}", memory(None));
            let frugal = memory(Some(64 << 20));
            assert!(n > 24 || frugal.bytes <= 64 << 20, "n = {n}: {frugal:?}");
            assert!(frugal.pairs <= memory(None).pairs.or(Some(u64::MAX)));
        }
    }
}
