//! AVX2: four or eight keys a register, a table row two registers.
//!
//! ```text
//! unions, split, filter:  for each vector of keys: which lanes to keep; move them together
//! the others:             the portable code, compiled for wider registers
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. Lanes are moved together by a permutation looked up by the mask of lanes to keep, and stored
//!    whole: the store runs over the end, for which the lists keep room.
//! 2. The vector is the longer of the two lists of `unions`, so that few lanes stay empty.

use std::arch::x86_64::*;

use super::{Kernel, Lists, Table, for_groups, portable};
use crate::cpu::Avx2;

/// Half words in a register.
const WIDTH: usize = 8;

impl Kernel for Avx2 {
    fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
        // SAFETY: `self` proves the features.
        unsafe { unions(lists, out) }
    }

    fn any(self, keys: &[u64]) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { any(keys) }
    }

    fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
        // SAFETY: `self` proves the features.
        unsafe { narrow(keys, relevant, out) }
    }

    fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32) {
        // SAFETY: `self` proves the features.
        unsafe { tabulate(table, keys, relevant) }
    }

    fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
        // SAFETY: `self` proves the features.
        unsafe { for_groups!(count, table, keys, relevant) }
    }
}

/// For every mask of half words, the permutation that moves them to the low end.
const PACK: [[u32; WIDTH]; 1 << WIDTH] = {
    let mut pack = [[0; WIDTH]; 1 << WIDTH];
    let mut mask = 0;
    while mask < pack.len() {
        let (mut from, mut to) = (0, 0);
        while from < WIDTH {
            if mask >> from & 1 == 1 {
                pack[mask][to] = from as u32;
                to += 1;
            }
            from += 1;
        }
        mask += 1;
    }
    pack
};

/// [`Lists`] of keys of one width: the type of a key, the half words of one, and the instructions
/// for this width.
macro_rules! lists {
    ($width:ident, $key:ty, $signed:ty, $halves:literal, $set1:ident, $cmpeq:ident) => {
        impl Lists<$key> for Avx2 {
            fn split(
                self,
                keys: &[$key],
                bit: u32,
                without: &mut Vec<$key>,
                with: &mut Vec<$key>,
            ) -> [u64; 2] {
                // SAFETY: `self` proves the features.
                unsafe {
                    [
                        $width::select::<false>(keys, 1 << bit, without),
                        $width::select::<true>(keys, 1 << bit, with),
                    ]
                }
            }

            fn filter(self, keys: &[$key], bit: u32, without: &mut Vec<$key>) -> u64 {
                // SAFETY: `self` proves the features.
                unsafe { $width::select::<false>(keys, 1 << bit, without) }
            }

            fn busy(self, a: &[$key], b: &[$key], table: &mut Table) -> [[u16; 64]; 2] {
                // SAFETY: `self` proves the features.
                unsafe { $width::busy(a, b, table) }
            }
        }

        mod $width {
            use super::*;

            pub(super) const LANES: usize = WIDTH / $halves;

            /// The end of a list that is being written a register at a time.
            pub(super) struct Writer<'a> {
                list: &'a mut Vec<$key>,
                len: usize,
            }

            impl<'a> Writer<'a> {
                /// Will append to `list`, at most `most` keys.
                pub(super) fn new(list: &'a mut Vec<$key>, most: usize) -> Self {
                    list.reserve(most + LANES);
                    let len = list.len();
                    Self { list, len }
                }

                /// Appends the lanes of `keys` whose half words `keep` names.
                ///
                /// # Safety
                /// With these lanes, no more than `most` keys have been appended.
                #[inline]
                #[target_feature(enable = "avx2,popcnt")]
                pub(super) unsafe fn push(&mut self, keep: u8, keys: __m256i) {
                    // SAFETY: a permutation fills a register; up to `most` keys are before the
                    // store, and `new` made room for LANES more.
                    unsafe {
                        let pack = _mm256_loadu_si256(PACK[usize::from(keep)].as_ptr().cast());
                        let packed = _mm256_permutevar8x32_epi32(keys, pack);
                        _mm256_storeu_si256(self.list.as_mut_ptr().add(self.len).cast(), packed);
                    }
                    self.len += keep.count_ones() as usize / $halves;
                }

                /// # Safety
                /// At most `most` keys have been pushed.
                pub(super) unsafe fn finish(self) {
                    // SAFETY: every element below `len` has been written, and the capacity is
                    // larger.
                    unsafe { self.list.set_len(self.len) };
                }
            }

            /// The lanes of `keys` without a bit in common with `mask`, one bit a half word.
            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn disjoint(keys: __m256i, mask: __m256i) -> u8 {
                let zero = $cmpeq(_mm256_and_si256(keys, mask), _mm256_setzero_si256());
                _mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u8
            }

            /// Replaces `out` by the keys that have `bit`, or by those that lack it.
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            pub(super) fn select<const WITH: bool>(
                keys: &[$key],
                bit: $key,
                out: &mut Vec<$key>,
            ) -> u64 {
                out.clear();
                let mut writer = Writer::new(out, keys.len());
                let bits = $set1(bit as $signed);
                let (whole, rest) = keys.as_chunks::<LANES>();
                for keys in whole {
                    // SAFETY: the chunk fills a register; every key is appended at most once.
                    unsafe {
                        let keys = _mm256_loadu_si256(keys.as_ptr().cast());
                        let lack = disjoint(keys, bits);
                        writer.push(if WITH { !lack } else { lack }, keys);
                    }
                }
                // SAFETY: every key has been appended at most once.
                unsafe { writer.finish() };
                for &key in rest {
                    if (key & bit != 0) == WITH {
                        out.push(key);
                    }
                }
                portable::any(out)
            }

            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            pub(super) fn busy(a: &[$key], b: &[$key], table: &mut Table) -> [[u16; 64]; 2] {
                portable::busy(a, b, table, |planes| portable::transpose(planes))
            }
        }
    };
}

lists!(words, u64, i64, 2, _mm256_set1_epi64x, _mm256_cmpeq_epi64);
lists!(half_words, u32, i32, 1, _mm256_set1_epi32, _mm256_cmpeq_epi32);

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn unions<'a>(lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
    for [top, bottom] in lists {
        unions_of(top, bottom, out);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn unions_of(top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
    let (long, short) = if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
    let mut out = words::Writer::new(out, long.len() * short.len());
    let (whole, rest) = long.as_chunks::<{ words::LANES }>();
    let mut last = [0; words::LANES];
    for i in 0..rest.len() {
        last[i] = rest[i];
    }
    let last = (!rest.is_empty()).then_some((last, (1 << (rest.len() * 2)) - 1));
    for (keys, lanes) in whole.iter().map(|&keys| (keys, u8::MAX)).chain(last) {
        // SAFETY: the chunk fills a register; at most one key is appended for each pair.
        unsafe {
            let keys = _mm256_loadu_si256(keys.as_ptr().cast());
            for &key in short {
                let key = _mm256_set1_epi64x(key as i64);
                out.push(words::disjoint(keys, key) & lanes, _mm256_or_si256(keys, key));
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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn narrow(keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
    out.resize(keys.len(), 0);
    let out = &mut out[..keys.len()];
    for i in 0..keys.len() {
        out[i] = _pext_u64(keys[i], relevant) as u32;
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tabulate(table: &mut Table, keys: &[u32], relevant: u32) {
    portable::tabulate(table, keys, relevant);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count<const GROUPS: usize>(table: &Table, keys: &[u32], relevant: u32) -> u64 {
    portable::count::<GROUPS>(table, keys, relevant)
}
