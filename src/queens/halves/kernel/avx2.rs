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

use super::writer::Writer;
use super::{Kernel, Lists, Table, for_shapes, portable};
use crate::cpu::{Avx2, avx2};
use crate::queens::pack::ORDER32;

/// Half words in a register.
const WIDTH: usize = 8;

/// The half words of `keys` that a mask names, moved together.
#[inline]
#[target_feature(enable = "avx2")]
fn pack(keys: __m256i, mask: u8) -> __m256i {
    // SAFETY: a permutation fills a register, and the table is aligned.
    let order = unsafe { _mm256_load_si256((&raw const ORDER32.0[usize::from(mask)]).cast()) };
    _mm256_permutevar8x32_epi32(keys, order)
}

/// [`Lists`] of keys of one width: the type of a key, the half words of one, and the instructions
/// for this width.
macro_rules! lists {
    ($width:ident, $key:ty, $signed:ty, $halves:literal, $set1:ident, $cmpeq:ident) => {
        impl Lists<$key> for Avx2 {
            avx2! {
                fn split(
                    self, keys: &[$key], bit: u32, without: &mut Vec<$key>, with: &mut Vec<$key>
                ) -> [u64; 2] {
                    let bit = 1 << bit;
                    [
                        $width::select::<false>(keys, bit, without),
                        $width::select::<true>(keys, bit, with),
                    ]
                }

                fn filter(self, keys: &[$key], bit: u32, without: &mut Vec<$key>) -> u64 {
                    $width::select::<false>(keys, 1 << bit, without)
                }

                fn busy(self, a: &[$key], b: &[$key], table: &mut Table) -> [[u16; 64]; 2] {
                    portable::busy(a, b, table, portable::transpose)
                }
            }
        }

        mod $width {
            use super::*;

            pub(super) const LANES: usize = WIDTH / $halves;

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
                        let keep = if WITH { !lack } else { lack };
                        writer.push(pack(keys, keep), keep.count_ones() as usize / $halves);
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
        }
    };
}

lists!(words, u64, i64, 2, _mm256_set1_epi64x, _mm256_cmpeq_epi64);
lists!(half_words, u32, i32, 1, _mm256_set1_epi32, _mm256_cmpeq_epi32);

impl Kernel for Avx2 {
    avx2! {
        fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
            for [top, bottom] in lists {
                unions(top, bottom, out);
            }
        }

        fn any(self, keys: &[u64]) -> u64 {
            portable::any(keys)
        }

        fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
            portable::narrow(keys, out, |key| _pext_u64(key, relevant));
        }

        fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32) {
            portable::tabulate(table, keys, relevant);
        }

        fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
            for_shapes!(portable::count, table, keys, relevant)
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn unions(top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
    let (long, short) = if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
    let mut out = Writer::new(out, long.len() * short.len());
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
                let disjoint = words::disjoint(keys, key) & lanes;
                let union = pack(_mm256_or_si256(keys, key), disjoint);
                out.push(union, disjoint.count_ones() as usize / 2);
            }
        }
    }
    // SAFETY: at most one key has been appended for each pair.
    unsafe { out.finish() };
}
