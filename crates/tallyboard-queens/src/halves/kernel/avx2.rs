//! AVX2: four or eight keys a register.
//!
//! ```text
//! unions, split, filter:  for each vector of keys: which lanes to keep; move them together
//! the others:             the portable code, compiled for wider registers
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. A permutation, looked up by the mask of lanes to keep, moves these lanes together. The register
//!    is stored whole: the store runs past the end, where lists have room (`writer`).
//! 2. `unions` takes its vectors from the longer of two lists, so that few lanes stay empty.

use std::arch::x86_64::*;

use super::{Kernel, Lists, Table, Writer, for_shapes, portable};
use crate::pack::{ORDER32, ORDER64};
use tallyboard_base::array::array;
use tallyboard_base::cpu::{Avx2, avx2};

/// The proof that this kernel takes.
pub(super) type Proof = Avx2;

pub(super) fn proof(instructions: Proof) -> Option<Proof> {
    Some(instructions)
}

/// [`Lists`] of keys of one width: the type of a key, its permutations, and the instructions for this width.
macro_rules! lists {
    (
        $width:ident, $key:ty, $signed:ty, $order:ident,
        $set1:ident, $cmpeq:ident, $cast:ident, $movemask:ident
    ) => {
        impl Lists<$key> for Avx2 {
            avx2! {
                fn split(
                    self, keys: &[$key], bit: u32, without: &mut Vec<$key>, with: &mut Vec<$key>
                ) -> [u64; 2] {
                    $width::split::<true>(keys, 1 << bit, without, with)
                }

                fn filter(self, keys: &[$key], bit: u32, without: &mut Vec<$key>) -> u64 {
                    $width::split::<false>(keys, 1 << bit, without, &mut Vec::new())[0]
                }

                fn bit_frequencies(self, a: &[$key], b: &[$key], table: &mut Table) -> [[u16; 64]; 2] {
                    portable::bit_frequencies(a, b, table, portable::transpose)
                }
            }
        }

        mod $width {
            use super::*;

            pub(super) const LANES: usize = size_of::<__m256i>() / size_of::<$key>();
            /// The mask of all lanes.
            pub(super) const ALL: u8 = u8::MAX >> (8 - LANES);

            /// The keys in the lanes of `mask`, moved together at the low end.
            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn pack(keys: __m256i, mask: u8) -> __m256i {
                let order = &raw const $order.0[usize::from(mask)];
                // SAFETY: an entry of the table is 32 bytes, one register, and aligned to as many.
                let order = unsafe { _mm256_load_si256(order.cast()) };
                _mm256_permutevar8x32_epi32(keys, order)
            }

            /// A bit for each lane that is all ones.
            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn mask(lanes: __m256i) -> u8 {
                $movemask($cast(lanes)) as u8
            }

            /// All ones in the lanes of `keys` that have no bit in common with `mask`.
            #[inline]
            #[target_feature(enable = "avx2")]
            pub(super) fn lacking(keys: __m256i, mask: __m256i) -> __m256i {
                $cmpeq(_mm256_and_si256(keys, mask), _mm256_setzero_si256())
            }

            /// Replaces `without` by the keys that lack `bit`, and, if `BOTH` is true, `with` by those that have
            /// it. Returns the bits that occur in each.
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            pub(super) fn split<const BOTH: bool>(
                keys: &[$key],
                bit: $key,
                without: &mut Vec<$key>,
                with: &mut Vec<$key>,
            ) -> [u64; 2] {
                without.clear();
                with.clear();
                let mut without_writer = Writer::new(without, keys.len());
                let mut with_writer = BOTH.then(|| Writer::new(with, keys.len()));
                let bits = $set1(bit as $signed);
                let mut union = [_mm256_setzero_si256(); 2];
                let (whole, rest) = keys.as_chunks::<LANES>();
                for keys in whole {
                    // SAFETY: the chunk fills a register; no writer gets a key twice, and each has room for all keys.
                    unsafe {
                        let keys = _mm256_loadu_si256(keys.as_ptr().cast());
                        let lacking = lacking(keys, bits);
                        let lack = mask(lacking);
                        union[0] = _mm256_or_si256(union[0], _mm256_and_si256(lacking, keys));
                        without_writer.push(pack(keys, lack), lack.count_ones() as usize);
                        if let Some(with_writer) = &mut with_writer {
                            let have = lack ^ ALL;
                            union[1] = _mm256_or_si256(union[1], _mm256_andnot_si256(lacking, keys));
                            with_writer.push(pack(keys, have), have.count_ones() as usize);
                        }
                    }
                }
                // SAFETY: no writer has been given more than all keys.
                unsafe {
                    without_writer.finish();
                    if let Some(with_writer) = with_writer {
                        with_writer.finish();
                    }
                }
                let mut union: [u64; 2] = array(|i| portable::union(&lanes(union[i])));
                for &key in rest {
                    if key & bit == 0 {
                        without.push(key);
                        union[0] |= u64::from(key);
                    } else if BOTH {
                        with.push(key);
                        union[1] |= u64::from(key);
                    }
                }
                union
            }

            /// The lanes of a register.
            fn lanes(register: __m256i) -> [$key; LANES] {
                // SAFETY: both are 32 bytes of plain numbers.
                unsafe { std::mem::transmute(register) }
            }
        }
    };
}

lists!(
    words,
    u64,
    i64,
    ORDER64,
    _mm256_set1_epi64x,
    _mm256_cmpeq_epi64,
    _mm256_castsi256_pd,
    _mm256_movemask_pd
);
lists!(
    half_words,
    u32,
    i32,
    ORDER32,
    _mm256_set1_epi32,
    _mm256_cmpeq_epi32,
    _mm256_castsi256_ps,
    _mm256_movemask_ps
);

impl Kernel for Avx2 {
    avx2! {
        fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
            for [top, bottom] in lists {
                unions(top, bottom, out);
            }
        }

        fn union(self, keys: &[u64]) -> u64 {
            portable::union(keys)
        }

        fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
            portable::narrow(keys, out, |key| _pext_u64(key, relevant));
        }

        fn fold(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
            portable::fold(keys, relevant, out);
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
    let mut add = |keys: __m256i, lanes: u8| {
        for &key in short {
            let key = _mm256_set1_epi64x(key as i64);
            let disjoint = words::mask(words::lacking(keys, key)) & lanes;
            // All lanes of `key` are alike, so it need not be moved.
            let union = _mm256_or_si256(words::pack(keys, disjoint), key);
            // SAFETY: `out` has room for a key of each pair and gets no more.
            unsafe { out.push(union, disjoint.count_ones() as usize) };
        }
    };
    for keys in whole {
        // SAFETY: the chunk fills a register.
        add(unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) }, words::ALL);
    }
    if !rest.is_empty() {
        let in_use = _mm256_cmpgt_epi64(
            _mm256_set1_epi64x(rest.len() as i64),
            _mm256_setr_epi64x(0, 1, 2, 3),
        );
        // SAFETY: it reads no lane beyond the keys.
        let keys = unsafe { _mm256_maskload_epi64(rest.as_ptr().cast(), in_use) };
        add(keys, words::mask(in_use));
    }
    // SAFETY: `out` has been given at most one key for each pair.
    unsafe { out.finish() };
}
