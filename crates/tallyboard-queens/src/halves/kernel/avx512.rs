//! AVX-512: eight or sixteen keys a register, a table row a register.
//!
//! ```text
//! unions:    for each vector t of top keys, for each bottom key b:
//!                keep the lanes of t | b where t & b == 0, packed together
//! split:     for each vector of keys: pack the lanes with the bit, and those without
//! tabulate:  transpose the keys, make the rows
//! count:     for each key: disjoint = AND of one row a group; counts += popcount(disjoint)
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. Keys are packed in a register (`vpcompressq`, `vpcompressd`), which is stored whole: the store runs
//!    past the end, where lists have room (`writer`). A packing store to memory is far slower.
//! 2. `unions` takes its vectors from the longer of two lists, so that few lanes stay empty. It takes
//!    the keys of the shorter list four at a time.
//! 3. Planes stay in registers through two or three steps of the transposition. Rows are made from
//!    eight that stay in registers.
//! 4. `pext` cuts the relevant bits out of a key, and the number of groups is a constant of the
//!    loop, so a key costs one load a group, half an AND, and one population count.

use std::arch::x86_64::*;

use super::{Kernel, Lists, PLANES, Shape, Table, TableRow, Writer, for_shapes, portable};
use tallyboard_base::array::array;
use tallyboard_base::cpu::{Avx512, Vpopcntdq, vpopcntdq};

/// The proof that this kernel takes.
pub(super) type Proof = Vpopcntdq;

/// The first CPUs with AVX-512 lack VPOPCNTDQ: Intel has it since Ice Lake, AMD since Zen 4.
pub(super) fn proof(instructions: Avx512) -> Option<Proof> {
    instructions.vpopcntdq()
}

/// [`Lists`] of keys of one width: the type of a key, how many fit a register, one bit for each of
/// these, and the instructions for this width.
macro_rules! lists {
    ($width:ident, $key:ty, $signed:ty, $lanes:literal, $mask:ty, $set1:ident, $test:ident,
     $compress:ident, $load:ident) => {
        impl Lists<$key> for Vpopcntdq {
            vpopcntdq! {
                fn split(
                    self, keys: &[$key], bit: u32, without: &mut Vec<$key>, with: &mut Vec<$key>
                ) -> [u64; 2] {
                    $width::split::<true>(keys, 1 << bit, without, with)
                }

                fn filter(self, keys: &[$key], bit: u32, without: &mut Vec<$key>) -> u64 {
                    $width::split::<false>(keys, 1 << bit, without, &mut Vec::new())[0]
                }

                fn bit_frequencies(self, a: &[$key], b: &[$key], table: &mut Table) -> [[u16; 64]; 2] {
                    portable::bit_frequencies(a, b, table, |planes| transpose(planes))
                }
            }
        }

        mod $width {
            use super::*;

            pub(super) const LANES: usize = $lanes;

            /// Replaces `without` by the keys that lack `bit`, and, if `BOTH` is true, `with` by those that
            /// have it. Returns the bits that occur in each.
            #[target_feature(enable = "avx512f,bmi2,popcnt")]
            pub(super) fn split<const BOTH: bool>(
                keys: &[$key],
                bit: $key,
                without: &mut Vec<$key>,
                with: &mut Vec<$key>,
            ) -> [u64; 2] {
                without.clear();
                with.clear();
                let mut lacks = Writer::new(without, keys.len());
                let mut has = BOTH.then(|| Writer::new(with, keys.len()));
                let bit = $set1(bit as $signed);
                let mut union = [_mm512_setzero_si512(); 2];
                let mut add = |lanes: $mask, keys| {
                    let have = $test(keys, bit);
                    // SAFETY: no writer gets a key twice, and each has room for all keys.
                    unsafe {
                        union[0] = _mm512_or_si512(union[0], push(&mut lacks, lanes & !have, keys));
                        if let Some(has) = &mut has {
                            union[1] = _mm512_or_si512(union[1], push(has, have, keys));
                        }
                    }
                };
                let (whole, rest) = keys.as_chunks::<LANES>();
                for keys in whole {
                    // SAFETY: the chunk fills a register.
                    add(!0, unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) });
                }
                if !rest.is_empty() {
                    let lanes = lanes(rest.len());
                    add(lanes, load(lanes, rest));
                }
                // SAFETY: no writer has been given more than all keys.
                unsafe {
                    lacks.finish();
                    if let Some(has) = has {
                        has.finish();
                    }
                }
                [all(union[0]), all(union[1])]
            }

            /// Appends the lanes of `keys` that `keep` names; returns them packed.
            ///
            /// # Safety
            /// As for [`Writer::push`].
            #[inline]
            #[target_feature(enable = "avx512f,popcnt")]
            pub(super) unsafe fn push(
                list: &mut Writer<$key>,
                keep: $mask,
                keys: __m512i,
            ) -> __m512i {
                let packed = $compress(keep, keys);
                // SAFETY: the caller promises what `Writer::push` asks; `packed` starts with the lanes kept.
                unsafe { list.push(packed, keep.count_ones() as usize) };
                packed
            }

            /// The mask of the first `keys` lanes, or of all lanes if there are fewer.
            #[inline]
            #[target_feature(enable = "bmi2")]
            pub(super) fn lanes(keys: usize) -> $mask {
                // Shifting a narrow mask would write a part of a register, and wait for the rest of it.
                _bzhi_u32(u32::MAX, keys.min(LANES) as u32) as $mask
            }

            /// Loads the first keys of a list into `lanes`, the lowest ones; the other lanes are zero.
            #[inline]
            #[target_feature(enable = "avx512f")]
            pub(super) fn load(lanes: $mask, keys: &[$key]) -> __m512i {
                debug_assert!(lanes.count_ones() as usize <= keys.len());
                // SAFETY: a masked load reads only `lanes`, at most as many as there are keys.
                unsafe { $load(lanes, keys.as_ptr().cast()) }
            }

            /// The bits that occur in some lane.
            #[inline]
            #[target_feature(enable = "avx512f")]
            pub(super) fn all(union: __m512i) -> u64 {
                let union = _mm512_reduce_or_epi64(union) as u64;
                if LANES == 16 { (union | union >> 32) & u64::from(u32::MAX) } else { union }
            }
        }
    };
}

lists!(
    words,
    u64,
    i64,
    8,
    __mmask8,
    _mm512_set1_epi64,
    _mm512_test_epi64_mask,
    _mm512_maskz_compress_epi64,
    _mm512_maskz_loadu_epi64
);
lists!(
    half_words,
    u32,
    i32,
    16,
    __mmask16,
    _mm512_set1_epi32,
    _mm512_test_epi32_mask,
    _mm512_maskz_compress_epi32,
    _mm512_maskz_loadu_epi32
);

impl Kernel for Vpopcntdq {
    vpopcntdq! {
        fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
            /// Keys of the shorter list that are taken together. The last block has one to four keys and is always
            /// run as four: no branch depends on the length of a short list, which no processor could predict. It
            /// stays in a register. The keys of the blocks before it are loaded one by one, since on Intel's
            /// processors a load costs less than a permutation.
            const BLOCK: usize = 4;
            // Unused places of the last block hold all bits. Keys have no bit 63: they get it for the test, so that they
            // are disjoint from no unused place.
            let unused = _mm512_set1_epi64(-1);
            let bit_63 = _mm512_set1_epi64(i64::MIN);
            for [top, bottom] in lists {
                let (long, short) =
                    if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
                let mut out = Writer::new(out, long.len() * short.len());
                if short.is_empty() {
                    continue;
                }
                let (whole, rest) = short.split_at((short.len() - 1) / BLOCK * BLOCK);
                let (whole, _) = whole.as_chunks::<BLOCK>();
                let used = words::lanes(rest.len());
                // SAFETY: a masked load reads only the lanes in `used`, one for each key of `rest`.
                let last = unsafe { _mm512_mask_loadu_epi64(unused, used, rest.as_ptr().cast()) };
                for first in (0..long.len()).step_by(words::LANES) {
                    let lanes = words::lanes(long.len() - first);
                    let keys = words::load(lanes, &long[first..]);
                    let tested = _mm512_or_si512(keys, bit_63);
                    let mut add = |key| {
                        let disjoint = _mm512_mask_testn_epi64_mask(lanes, tested, key);
                        // SAFETY: `out` has room for a key of each pair and gets no more.
                        unsafe { words::push(&mut out, disjoint, _mm512_or_si512(keys, key)) };
                    };
                    for block in whole {
                        for i in 0..BLOCK {
                            add(_mm512_set1_epi64(block[i] as i64));
                        }
                    }
                    for i in 0..BLOCK as i64 {
                        add(_mm512_permutexvar_epi64(_mm512_set1_epi64(i), last));
                    }
                }
                // SAFETY: `out` has been given at most one key for each pair.
                unsafe { out.finish() };
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
            portable::deal(keys, &mut table.planes);
            transpose(&mut table.planes);
            fill(table, relevant, keys.len());
        }

        fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
            for_shapes!(count, table, keys, relevant)
        }
    }
}

#[target_feature(enable = "avx512f,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn count<const GROUPS: usize, const BITS: usize>(
    table: &Table,
    keys: &[u32],
    relevant: u32,
) -> u64 {
    let mut counts = _mm512_setzero_si512();
    let mut add = |key| counts = _mm512_add_epi64(counts, ones::<GROUPS, BITS>(table, key));
    let (pairs, last) = keys.as_chunks::<2>();
    for pair in pairs {
        // Two keys in one load, since the loads take most of the time.
        // SAFETY: a pair is two keys of four bytes.
        let both = unsafe { pair.as_ptr().cast::<u64>().read_unaligned() };
        add(_pext_u32(both as u32, relevant));
        add(_pext_u32((both >> 32) as u32, relevant));
    }
    if let [key] = *last {
        add(_pext_u32(key, relevant));
    }
    _mm512_reduce_add_epi64(counts) as u64
}

/// How many keys of the table are disjoint from `key`, by word.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,bmi1,bmi2,popcnt")]
fn ones<const GROUPS: usize, const BITS: usize>(table: &Table, key: u32) -> __m512i {
    let shape = Shape { groups: GROUPS, bits: BITS };
    let row = |g| load(&table.rows[shape.row(g, key)]);
    let mut disjoint = row(0);
    let mut g = 1;
    while g + 1 < GROUPS {
        // 0x80: the AND of all three.
        disjoint = _mm512_ternarylogic_epi64::<0x80>(disjoint, row(g), row(g + 1));
        g += 2;
    }
    if g < GROUPS {
        disjoint = _mm512_and_si512(disjoint, row(g));
    }
    _mm512_popcnt_epi64(disjoint)
}

/// See [`portable::fill`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,bmi1,bmi2,popcnt")]
fn fill(table: &mut Table, mut relevant: u32, len: usize) {
    let shape = Shape::of(relevant.count_ones() as usize);
    table.shape = shape;
    // As in the portable kernel, only the rows of the first group lack the places without a key.
    let mut row_0 = load(&portable::present(len));
    for group in 0..shape.groups {
        let rows = &mut table.rows[shape.rows(group)];
        match rows.len() {
            32 => fill_group::<5, 4>(rows, &table.planes, &mut relevant, row_0),
            64 => fill_group::<6, 8>(rows, &table.planes, &mut relevant, row_0),
            _ => fill_group::<7, 16>(rows, &table.planes, &mut relevant, row_0),
        }
        row_0 = _mm512_set1_epi64(-1);
    }
}

/// Makes the rows of a group of `BITS` bits, of which `row_0` is the first. Each is the AND of one of eight rows for the
/// first three bits, which stay in registers, and one of `TIMES` rows for the other bits.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,bmi1,bmi2,popcnt")]
fn fill_group<const BITS: usize, const TIMES: usize>(
    rows: &mut [TableRow],
    planes: &[TableRow; PLANES],
    relevant: &mut u32,
    row_0: __m512i,
) {
    let mut next_plane = || {
        // After the last relevant bit any plane will do: no key asks for the rows made of it.
        let plane = load(&planes[relevant.trailing_zeros() as usize % PLANES]);
        *relevant &= relevant.wrapping_sub(1);
        plane
    };
    let mut first = [row_0; 8];
    for step in 0..3 {
        let plane = next_plane();
        for i in 0..1 << step {
            first[i + (1 << step)] = _mm512_andnot_si512(plane, first[i]);
        }
    }
    let mut others = [_mm512_set1_epi64(-1); TIMES];
    for step in 0..BITS - 3 {
        let plane = next_plane();
        for i in 0..1 << step {
            others[i + (1 << step)] = _mm512_andnot_si512(plane, others[i]);
        }
    }
    let (rows, _) = rows.as_chunks_mut::<8>();
    let rows = &mut rows[..TIMES];
    for time in 0..TIMES {
        for i in 0..8 {
            store(&mut rows[time][i], _mm512_and_si512(first[i], others[time]));
        }
    }
}

/// See [`portable::transpose`].
#[target_feature(enable = "avx512f")]
fn transpose(rows: &mut [TableRow; PLANES]) {
    for first in 0..8 {
        let row_of = |i: usize| first + 8 * i;
        let mut r: [__m512i; 4] = array(|i| load(&rows[row_of(i)]));
        for i in [0, 1] {
            (r[i], r[i + 2]) = swap_block::<16>(r[i], r[i + 2], 0x0000_ffff_0000_ffff);
        }
        for i in [0, 2] {
            (r[i], r[i + 1]) = swap_block::<8>(r[i], r[i + 1], 0x00ff_00ff_00ff_00ff);
        }
        for i in 0..4 {
            store(&mut rows[row_of(i)], r[i]);
        }
    }
    for rows in rows.as_chunks_mut::<8>().0 {
        let mut r: [__m512i; 8] = array(|i| load(&rows[i]));
        for i in [0, 1, 2, 3] {
            (r[i], r[i + 4]) = swap_block::<4>(r[i], r[i + 4], 0x0f0f_0f0f_0f0f_0f0f);
        }
        for i in [0, 1, 4, 5] {
            (r[i], r[i + 2]) = swap_block::<2>(r[i], r[i + 2], 0x3333_3333_3333_3333);
        }
        for i in [0, 2, 4, 6] {
            (r[i], r[i + 1]) = swap_block::<1>(r[i], r[i + 1], 0x5555_5555_5555_5555);
        }
        for i in 0..8 {
            store(&mut rows[i], r[i]);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(row: &TableRow) -> __m512i {
    // SAFETY: a row is eight words, which fill a register.
    unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(row: &mut TableRow, words: __m512i) {
    // SAFETY: a row is eight words, which a register fills.
    unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), words) }
}

/// Swaps the high bits of `x` with the low bits of `y`, in blocks of SIZE bits. `low` has the bits of the low blocks.
#[inline]
#[target_feature(enable = "avx512f")]
fn swap_block<const SIZE: u32>(x: __m512i, y: __m512i, low: i64) -> (__m512i, __m512i) {
    let low = _mm512_set1_epi64(low);
    let differ = _mm512_and_si512(_mm512_xor_si512(_mm512_srli_epi64::<SIZE>(x), y), low);
    (_mm512_xor_si512(x, _mm512_slli_epi64::<SIZE>(differ)), _mm512_xor_si512(y, differ))
}
