//! AVX-512: eight keys a register, a table row a register.
//!
//! ```text
//! unions:    for each vector t of eight top keys, for each bottom key b:
//!                keep the lanes of t | b where t & b == 0, packed together
//! split:     for each vector of eight keys: pack the lanes with the bit, and those without
//! tabulate:  transpose the keys, make the rows
//! count:     for each key: disjoint = AND of one row a group; counts += popcount(disjoint)
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. Keys are packed in a register (`vpcompressq`) and stored whole: the store runs up to seven
//!    keys over the end, for which the lists keep room. The packing store is far slower.
//! 2. The vector is the longer of the two lists of `unions`, so that few lanes stay empty.
//! 3. Eight planes at a time stay in registers through three steps of the transposition.
//! 4. `pext` cuts the relevant bits out of a key, and the number of groups is a constant of the
//!    loop, so a key costs one load a group, half an AND, and one population count.

use std::arch::x86_64::*;

use super::{GROUP_BITS, GROUP_ROWS, Kernel, LANES, Row, Table, portable};

/// Proof that the processor has what this kernel needs: AVX-512 F, BW, DQ, VL and VPOPCNTDQ, and
/// BMI2 (Intel since Ice Lake, AMD since Zen 4).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// The kernel, if this processor can run it.
    pub(crate) fn new() -> Option<Self> {
        let able = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        able.then_some(Self(()))
    }
}

impl Kernel for Avx512 {
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
        unsafe { split(keys, bit, without, with) }
    }

    fn filter(self, keys: &[u64], bit: u64, without: &mut Vec<u64>) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { filter(keys, bit, without) }
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
        unsafe {
            match table.used {
                1 => count::<1>(table, keys, relevant),
                2 => count::<2>(table, keys, relevant),
                3 => count::<3>(table, keys, relevant),
                4 => count::<4>(table, keys, relevant),
                5 => count::<5>(table, keys, relevant),
                6 => count::<6>(table, keys, relevant),
                7 => count::<7>(table, keys, relevant),
                8 => count::<8>(table, keys, relevant),
                9 => count::<9>(table, keys, relevant),
                10 => count::<10>(table, keys, relevant),
                _ => count::<11>(table, keys, relevant),
            }
        }
    }
}

/// The end of a list that is being written eight keys at a time.
struct Writer<'a> {
    list: &'a mut Vec<u64>,
    len: usize,
}

impl<'a> Writer<'a> {
    /// Will append to `list`, at most `most` keys.
    fn new(list: &'a mut Vec<u64>, most: usize) -> Self {
        list.reserve(most + LANES);
        let len = list.len();
        Self { list, len }
    }

    /// Appends the lanes of `keys` that `keep` names; returns them packed.
    ///
    /// # Safety
    /// With these lanes, no more than `most` keys have been appended.
    #[inline]
    #[target_feature(enable = "avx512f,popcnt")]
    unsafe fn push(&mut self, keep: __mmask8, keys: __m512i) -> __m512i {
        let packed = _mm512_maskz_compress_epi64(keep, keys);
        // SAFETY: up to `most` keys are before this store, and `new` made room for LANES more.
        unsafe { _mm512_storeu_epi64(self.list.as_mut_ptr().add(self.len).cast(), packed) };
        self.len += keep.count_ones() as usize;
        packed
    }

    /// # Safety
    /// At most `most` keys have been pushed.
    unsafe fn finish(self) {
        // SAFETY: every element below `len` has been written, and the capacity is larger.
        unsafe { self.list.set_len(self.len) };
    }
}

/// The vectors of a list: the lanes in use, and the keys (zero in the other lanes).
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,bmi2")]
fn vectors(keys: &[u64]) -> impl Iterator<Item = (__mmask8, __m512i)> {
    let (whole, rest) = keys.as_chunks::<LANES>();
    let whole = whole.iter().map(|keys| {
        // SAFETY: the chunk is eight keys long.
        (0xff, unsafe { _mm512_loadu_epi64(keys.as_ptr().cast()) })
    });
    let tail = (!rest.is_empty()).then(|| {
        let lanes = (1u8 << rest.len()) - 1;
        // SAFETY: only as many lanes are read as there are keys.
        (lanes, unsafe { _mm512_maskz_loadu_epi64(lanes, rest.as_ptr().cast()) })
    });
    whole.chain(tail)
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn unions(top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
    let (long, short) = if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
    let mut out = Writer::new(out, long.len() * short.len());
    for (lanes, keys) in vectors(long) {
        for &key in short {
            let key = _mm512_set1_epi64(key as i64);
            let disjoint = _mm512_mask_testn_epi64_mask(lanes, keys, key);
            // SAFETY: at most one key for each pair.
            unsafe { out.push(disjoint, _mm512_or_si512(keys, key)) };
        }
    }
    // SAFETY: at most one key for each pair.
    unsafe { out.finish() };
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn any(keys: &[u64]) -> u64 {
    portable::any(keys)
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn split(keys: &[u64], bit: u64, without: &mut Vec<u64>, with: &mut Vec<u64>) -> [u64; 2] {
    without.clear();
    with.clear();
    let mut without = Writer::new(without, keys.len());
    let mut with = Writer::new(with, keys.len());
    let bit = _mm512_set1_epi64(bit as i64);
    let mut any = [_mm512_setzero_si512(); 2];
    for (lanes, keys) in vectors(keys) {
        let lack = _mm512_mask_testn_epi64_mask(lanes, keys, bit);
        // SAFETY: every key is appended once.
        unsafe {
            any[0] = _mm512_or_si512(any[0], without.push(lack, keys));
            any[1] = _mm512_or_si512(any[1], with.push(lanes & !lack, keys));
        }
    }
    // SAFETY: every key has been appended once.
    unsafe {
        without.finish();
        with.finish();
    }
    any.map(|any| _mm512_reduce_or_epi64(any) as u64)
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn filter(keys: &[u64], bit: u64, without: &mut Vec<u64>) -> u64 {
    without.clear();
    let mut without = Writer::new(without, keys.len());
    let bit = _mm512_set1_epi64(bit as i64);
    let mut any = _mm512_setzero_si512();
    for (lanes, keys) in vectors(keys) {
        let lack = _mm512_mask_testn_epi64_mask(lanes, keys, bit);
        // SAFETY: every key is appended at most once.
        any = _mm512_or_si512(any, unsafe { without.push(lack, keys) });
    }
    // SAFETY: every key has been appended at most once.
    unsafe { without.finish() };
    _mm512_reduce_or_epi64(any) as u64
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn busy(a: &[u64], b: &[u64], table: &mut Table) -> [[u16; 64]; 2] {
    portable::busy(a, b, table, |planes| transpose(planes))
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn tabulate(table: &mut Table, keys: &[u64], relevant: u64) {
    for (plane, (_, keys)) in table.planes.iter_mut().zip(vectors(keys)) {
        // SAFETY: a plane is eight words, aligned like the table.
        unsafe { _mm512_store_epi64(plane.as_mut_ptr().cast(), keys) };
    }
    transpose(&mut table.planes);
    portable::fill(table, relevant, keys.len());
}

#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn count<const GROUPS: usize>(table: &Table, keys: &[u64], relevant: u64) -> u64 {
    let row = |g: usize, key: u64| {
        let row = &table.groups[g][(key >> (GROUP_BITS * g)) as usize % GROUP_ROWS];
        // SAFETY: a row is eight words, aligned like the table.
        unsafe { _mm512_load_epi64(row.as_ptr().cast()) }
    };
    let mut counts = _mm512_setzero_si512();
    for &key in keys {
        let key = _pext_u64(key, relevant);
        let mut disjoint = row(0, key);
        let mut g = 1;
        while g + 1 < GROUPS {
            // 0x80: the AND of all three.
            disjoint = _mm512_ternarylogic_epi64::<0x80>(disjoint, row(g, key), row(g + 1, key));
            g += 2;
        }
        if g < GROUPS {
            disjoint = _mm512_and_si512(disjoint, row(g, key));
        }
        counts = _mm512_add_epi64(counts, _mm512_popcnt_epi64(disjoint));
    }
    _mm512_reduce_add_epi64(counts) as u64
}

/// See [`portable::transpose`].
#[target_feature(
    enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
)]
fn transpose(rows: &mut [Row; 64]) {
    let low = [0x0000_0000_ffff_ffff, 0x0000_ffff_0000_ffff, 0x00ff_00ff_00ff_00ff];
    for first in 0..8 {
        swap_three::<8, 32, 16, 8>(rows, first, low);
    }
    let low = [0x0f0f_0f0f_0f0f_0f0f, 0x3333_3333_3333_3333, 0x5555_5555_5555_5555];
    for first in (0..64).step_by(8) {
        swap_three::<1, 4, 2, 1>(rows, first, low);
    }
}

/// Three steps of the transposition on the rows `first`, `first + STEP`, … `first + 7 * STEP`.
#[inline]
#[target_feature(enable = "avx512f")]
fn swap_three<const STEP: usize, const A: u32, const B: u32, const C: u32>(
    rows: &mut [Row; 64],
    first: usize,
    low: [u64; 3],
) {
    let low = low.map(|low| _mm512_set1_epi64(low as i64));
    let mut r: [__m512i; 8] = std::array::from_fn(|i| {
        // SAFETY: a row is eight words, aligned like the table.
        unsafe { _mm512_load_epi64(rows[first + i * STEP].as_ptr().cast()) }
    });
    for i in [0, 1, 2, 3] {
        (r[i], r[i + 4]) = swap_block::<A>(r[i], r[i + 4], low[0]);
    }
    for i in [0, 1, 4, 5] {
        (r[i], r[i + 2]) = swap_block::<B>(r[i], r[i + 2], low[1]);
    }
    for i in [0, 2, 4, 6] {
        (r[i], r[i + 1]) = swap_block::<C>(r[i], r[i + 1], low[2]);
    }
    for (i, r) in r.into_iter().enumerate() {
        // SAFETY: a row is eight words, aligned like the table.
        unsafe { _mm512_store_epi64(rows[first + i * STEP].as_mut_ptr().cast(), r) };
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn swap_block<const SIZE: u32>(x: __m512i, y: __m512i, low: __m512i) -> (__m512i, __m512i) {
    let differ = _mm512_and_si512(_mm512_xor_si512(_mm512_srli_epi64::<SIZE>(x), y), low);
    (_mm512_xor_si512(x, _mm512_slli_epi64::<SIZE>(differ)), _mm512_xor_si512(y, differ))
}
