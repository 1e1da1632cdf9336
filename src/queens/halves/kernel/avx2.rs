//! AVX2: four keys a register, a table row two registers.
//!
//! ```text
//! unions, split, filter:  for each vector of four keys: which lanes to keep; move them together
//! busy, tabulate, count:  the portable code, compiled for wider registers
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. Lanes are moved together by a permutation looked up by the mask of lanes to keep, and stored
//!    whole: the store runs up to three keys over the end, for which the lists keep room.
//! 2. The vector is the longer of the two lists of `unions`, so that few lanes stay empty.

use std::arch::x86_64::*;

use super::{Kernel, Table, portable};

/// Keys in a register.
const WIDTH: usize = 4;

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT (Intel since Haswell, AMD since
/// Excavator).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The kernel, if this processor can run it.
    pub(crate) fn new() -> Option<Self> {
        let able = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        able.then_some(Self(()))
    }
}

impl Kernel for Avx2 {
    fn unions(self, top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
        // SAFETY: `self` proves the features.
        unsafe { unions(top, bottom, out) }
    }

    fn any(self, keys: &[u64]) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { any(keys) }
    }

    fn split(
        self,
        keys: &[u64],
        bit: u64,
        without: &mut Vec<u64>,
        with: &mut Vec<u64>,
    ) -> [u64; 2] {
        // SAFETY: `self` proves the features.
        unsafe { [select::<false>(keys, bit, without), select::<true>(keys, bit, with)] }
    }

    fn filter(self, keys: &[u64], bit: u64, without: &mut Vec<u64>) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { select::<false>(keys, bit, without) }
    }

    fn busy(self, a: &[u64], b: &[u64], table: &mut Table) -> [[u16; 64]; 2] {
        // SAFETY: `self` proves the features.
        unsafe { busy(a, b, table) }
    }

    fn tabulate(self, table: &mut Table, keys: &[u64], relevant: u64) {
        // SAFETY: `self` proves the features.
        unsafe { tabulate(table, keys, relevant) }
    }

    fn count(self, table: &Table, keys: &[u64], relevant: u64) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { count(table, keys, relevant) }
    }
}

/// For every mask of lanes, the permutation of 32-bit half lanes that moves them to the low end.
const PACK: [[u32; 2 * WIDTH]; 1 << WIDTH] = {
    let mut pack = [[0; 2 * WIDTH]; 1 << WIDTH];
    let mut mask = 0;
    while mask < pack.len() {
        let (mut lane, mut to) = (0, 0);
        while lane < WIDTH {
            if mask >> lane & 1 == 1 {
                pack[mask][2 * to] = 2 * lane as u32;
                pack[mask][2 * to + 1] = 2 * lane as u32 + 1;
                to += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    pack
};

/// The end of a list that is being written four keys at a time.
struct Writer<'a> {
    list: &'a mut Vec<u64>,
    len: usize,
}

impl<'a> Writer<'a> {
    /// Will append to `list`, at most `most` keys.
    fn new(list: &'a mut Vec<u64>, most: usize) -> Self {
        list.reserve(most + WIDTH);
        let len = list.len();
        Self { list, len }
    }

    /// Appends the lanes of `keys` that `keep` names; `keep` is below 16.
    ///
    /// # Safety
    /// With these lanes, no more than `most` keys have been appended.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push(&mut self, keep: u32, keys: __m256i) {
        // SAFETY: a permutation is eight words; up to `most` keys are before the store, and `new`
        // made room for WIDTH more.
        unsafe {
            let pack = _mm256_loadu_si256(PACK[keep as usize].as_ptr().cast());
            let packed = _mm256_permutevar8x32_epi32(keys, pack);
            _mm256_storeu_si256(self.list.as_mut_ptr().add(self.len).cast(), packed);
        }
        self.len += keep.count_ones() as usize;
    }

    /// # Safety
    /// At most `most` keys have been pushed.
    unsafe fn finish(self) {
        // SAFETY: every element below `len` has been written, and the capacity is larger.
        unsafe { self.list.set_len(self.len) };
    }
}

/// The lanes of `keys` that have no bit in common with those of `mask`, one bit a lane.
#[inline]
#[target_feature(enable = "avx2")]
fn disjoint(keys: __m256i, mask: __m256i) -> u32 {
    let zero = _mm256_cmpeq_epi64(_mm256_and_si256(keys, mask), _mm256_setzero_si256());
    _mm256_movemask_pd(_mm256_castsi256_pd(zero)) as u32
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn unions(top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
    let (long, short) = if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
    let mut out = Writer::new(out, long.len() * short.len());
    let (whole, rest) = long.as_chunks::<WIDTH>();
    for keys in whole {
        // SAFETY: the chunk is four keys long; at most one key is appended for each pair.
        unsafe {
            let keys = _mm256_loadu_si256(keys.as_ptr().cast());
            for &key in short {
                let key = _mm256_set1_epi64x(key as i64);
                out.push(disjoint(keys, key), _mm256_or_si256(keys, key));
            }
        }
    }
    if !rest.is_empty() {
        let mut last = [0; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
        let lanes = (1 << rest.len()) - 1;
        // SAFETY: as above; only lanes that hold a key are appended.
        unsafe {
            let keys = _mm256_loadu_si256(last.as_ptr().cast());
            for &key in short {
                let key = _mm256_set1_epi64x(key as i64);
                out.push(disjoint(keys, key) & lanes, _mm256_or_si256(keys, key));
            }
        }
    }
    // SAFETY: at most one key has been appended for each pair.
    unsafe { out.finish() };
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn any(keys: &[u64]) -> u64 {
    portable::any(keys)
}

/// Replaces `out` by the keys that have `bit`, or by those that lack it.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn select<const WITH: bool>(keys: &[u64], bit: u64, out: &mut Vec<u64>) -> u64 {
    out.clear();
    let mut writer = Writer::new(out, keys.len());
    let bits = _mm256_set1_epi64x(bit as i64);
    let (whole, rest) = keys.as_chunks::<WIDTH>();
    for keys in whole {
        // SAFETY: the chunk is four keys long; every key is appended at most once.
        unsafe {
            let keys = _mm256_loadu_si256(keys.as_ptr().cast());
            let lack = disjoint(keys, bits);
            writer.push(if WITH { !lack & 0xf } else { lack }, keys);
        }
    }
    // SAFETY: every key has been appended at most once.
    unsafe { writer.finish() };
    out.extend(rest.iter().filter(|&&key| (key & bit != 0) == WITH));
    portable::any(out)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn busy(a: &[u64], b: &[u64], table: &mut Table) -> [[u16; 64]; 2] {
    portable::busy(a, b, table, portable::transpose)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tabulate(table: &mut Table, keys: &[u64], relevant: u64) {
    portable::tabulate(table, keys, relevant, portable::transpose);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count(table: &Table, keys: &[u64], relevant: u64) -> u64 {
    portable::count(table, keys, relevant)
}
