//! Tables of keys, and the count of the keys of a table that are disjoint from a given key.

use std::arch::aarch64::*;

use crate::halves::kernel::portable::{self, Squeeze};
use crate::halves::kernel::{PLANES, Shape, TABLE, Table, TableRow, WORDS};
use tallyboard_base::array::array;

/// Bits of the largest group.
const GROUP_BITS: usize = 7;

/// Puts up to [`TABLE`] keys into `table`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn tabulate(table: &mut Table, keys: &[u32], relevant: u32) {
    assert!(keys.len() <= TABLE);
    // SAFETY: the planes have room for `TABLE` keys, are aligned for words, and are not where `keys` are.
    unsafe {
        let planes = (&raw mut table.planes).cast::<u32>();
        planes.copy_from_nonoverlapping(keys.as_ptr(), keys.len());
    }
    transpose(&mut table.planes);
    fill(table, relevant, keys.len());
}

/// A row of a table.
type Registers = [uint64x2_t; 4];

#[inline]
#[target_feature(enable = "neon")]
fn load(row: &TableRow) -> Registers {
    // SAFETY: two words fill a register.
    array(|i| unsafe { vld1q_u64(row[2 * i..].as_ptr()) })
}

/// Half of a row.
#[inline]
#[target_feature(enable = "neon")]
fn load_half(row: &TableRow, half: usize) -> [uint64x2_t; 2] {
    // SAFETY: two words fill a register.
    array(|i| unsafe { vld1q_u64(row[4 * half + 2 * i..].as_ptr()) })
}

/// See [`portable::fill`].
#[inline]
#[target_feature(enable = "neon")]
fn fill(table: &mut Table, mut relevant: u32, len: usize) {
    // Row 0 of the first group lacks the places without a key; those of the others need not.
    let mut row_0 = portable::present(len);
    let shape = Shape::of(relevant.count_ones() as usize);
    table.shape = shape;
    for group in 0..shape.groups {
        let rows = &mut table.rows[shape.rows(group)];
        let bits = (relevant.count_ones() as usize).min(rows.len().ilog2() as usize);
        let mut planes = [[0; WORDS]; GROUP_BITS];
        for plane in &mut planes[..bits] {
            *plane = table.planes[relevant.trailing_zeros() as usize];
            relevant &= relevant - 1;
        }
        for half in 0..2 {
            fill_half(rows, &planes, &row_0, half, 1 << bits.saturating_sub(3));
        }
        row_0 = [u64::MAX; WORDS];
    }
}

/// Makes one half of the first `8 * blocks` rows of a group. Row r is the AND of two rows: `first[r % 8]`, for the first
/// three bits, which lacks the keys that `row_0` lacks; and `others[r / 8]`, for the bits after them.
#[inline]
#[target_feature(enable = "neon")]
fn fill_half(
    rows: &mut [TableRow],
    planes: &[TableRow; GROUP_BITS],
    row_0: &TableRow,
    half: usize,
    blocks: usize,
) {
    let and_not = |a: [_; 2], b: [_; 2]| array(|i| vbicq_u64(a[i], b[i]));
    let mut first = [load_half(row_0, half); 8];
    for step in 0..3 {
        let plane = load_half(&planes[step], half);
        for i in 0..1 << step {
            first[i + (1 << step)] = and_not(first[i], plane);
        }
    }
    let mut others = [[vdupq_n_u64(u64::MAX); 2]; 1 << (GROUP_BITS - 3)];
    for step in 0..GROUP_BITS - 3 {
        let plane = load_half(&planes[step + 3], half);
        for i in 0..1 << step {
            others[i + (1 << step)] = and_not(others[i], plane);
        }
    }
    for (rows, other) in rows.as_chunks_mut::<8>().0.iter_mut().zip(others).take(blocks) {
        for i in 0..8 {
            for pair in 0..2 {
                let words = vandq_u64(first[i][pair], other[pair]);
                store_words(&mut rows[i], 2 * half + pair, words);
            }
        }
    }
}

/// Keys that are squeezed at a time. Each adds at most 64 to a 16-bit sum, so no sum overflows in a block.
const BLOCK: usize = 256;

/// Counts the keys of the table that are disjoint from each key.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn count<const GROUPS: usize, const BITS: usize>(
    table: &Table,
    keys: &[u32],
    relevant: u32,
) -> u64 {
    let shape = Shape { groups: GROUPS, bits: BITS };
    let squeeze = Squeeze::new(relevant.into());
    let mut squeezed = [0; BLOCK];
    let mut total = 0;
    for keys in keys.chunks(BLOCK) {
        squeeze_block(keys, &squeeze, &mut squeezed);
        let mut sums = vdupq_n_u16(0);
        for &key in &squeezed[..keys.len()] {
            let row_of = |group: usize| load(&table.rows[shape.row(group, key)]);
            let mut disjoint = row_of(0);
            for group in 1..GROUPS {
                let row = row_of(group);
                disjoint = array(|i| vandq_u64(disjoint[i], row[i]));
            }
            let ones: [_; 4] = array(|i| vcntq_u8(vreinterpretq_u8_u64(disjoint[i])));
            // At most 8 a byte in each of the four: no sum overflows.
            let ones = vaddq_u8(vaddq_u8(ones[0], ones[1]), vaddq_u8(ones[2], ones[3]));
            sums = vpadalq_u8(sums, ones);
        }
        total += u64::from(vaddlvq_u16(sums));
    }
    total
}

/// Moves the bits of the mask together in a block of keys: in 0 to 3 steps where these are enough for the mask, otherwise in all
/// five.
#[inline]
#[target_feature(enable = "neon")]
fn squeeze_block(keys: &[u32], squeeze: &Squeeze, out: &mut [u32; BLOCK]) {
    match squeeze.moves.iter().rposition(|&bits| bits != 0) {
        None => squeeze_steps::<0>(keys, squeeze, out),
        Some(0) => squeeze_steps::<1>(keys, squeeze, out),
        Some(1) => squeeze_steps::<2>(keys, squeeze, out),
        Some(2) => squeeze_steps::<3>(keys, squeeze, out),
        Some(_) => squeeze_steps::<5>(keys, squeeze, out),
    }
}

/// Takes the first `STEPS` steps of [`Squeeze`], for four keys at a time.
#[inline]
#[target_feature(enable = "neon")]
fn squeeze_steps<const STEPS: usize>(keys: &[u32], squeeze: &Squeeze, out: &mut [u32; BLOCK]) {
    let mask = vdupq_n_u32(squeeze.mask as u32);
    let moves: [_; 5] = array(|step| vdupq_n_u32(squeeze.moves[step] as u32));
    let apply = |keys: &[u32; 4], out: &mut [u32; 4]| {
        // SAFETY: four keys fill a register.
        let mut key = vandq_u32(unsafe { vld1q_u32(keys.as_ptr()) }, mask);
        // The bits move to places that are zero: an addition puts them there.
        macro_rules! step {
            ($step:literal, $distance:literal) => {
                if $step < STEPS {
                    let moving = vandq_u32(key, moves[$step]);
                    key = vsraq_n_u32::<$distance>(veorq_u32(key, moving), moving);
                }
            };
        }
        step!(0, 1);
        step!(1, 2);
        step!(2, 4);
        step!(3, 8);
        step!(4, 16);
        // SAFETY: four keys fill a register.
        unsafe { vst1q_u32(out.as_mut_ptr(), key) };
    };
    let (out, _) = out.as_chunks_mut::<4>();
    let (whole, rest) = keys.as_chunks::<4>();
    for i in 0..whole.len() {
        apply(&whole[i], &mut out[i]);
    }
    if !rest.is_empty() {
        let mut last = [0; 4];
        for i in 0..rest.len() {
            last[i] = rest[i];
        }
        apply(&last, &mut out[whole.len()]);
    }
}

/// See [`portable::transpose`]. Blocks of 16 and of 8 bits are whole lanes, so `trn` swaps them between rows that stand
/// 16 and 8 apart, four rows at a time. Blocks of 4, 2 and 1 bits are swapped within eight rows.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(rows: &mut [TableRow; PLANES]) {
    for column in 0..4 {
        for first in 0..8 {
            let r: [_; 4] = array(|i| load_words(&rows[first + 8 * i], column));
            let words = |x| vreinterpretq_u16_u64(x);
            let swap = |x, y| [vtrn1q_u16(words(x), words(y)), vtrn2q_u16(words(x), words(y))];
            let [a, c] = swap(r[0], r[2]);
            let [b, d] = swap(r[1], r[3]);
            let bytes = |x| vreinterpretq_u8_u16(x);
            let swap = |x, y| [vtrn1q_u8(bytes(x), bytes(y)), vtrn2q_u8(bytes(x), bytes(y))];
            for (two, r) in [swap(a, b), swap(c, d)].into_iter().enumerate() {
                for i in 0..2 {
                    let row = &mut rows[first + 16 * two + 8 * i];
                    store_words(row, column, vreinterpretq_u64_u8(r[i]));
                }
            }
        }
        for rows in rows.as_chunks_mut::<8>().0 {
            let mut r: [_; 8] = array(|i| vreinterpretq_u8_u64(load_words(&rows[i], column)));
            for i in [0, 1, 2, 3] {
                let [x, y] = [r[i], r[i + 4]];
                (r[i], r[i + 4]) = (vsliq_n_u8::<4>(x, y), vsriq_n_u8::<4>(y, x));
            }
            for i in [0, 1, 4, 5] {
                (r[i], r[i + 2]) = swap_bits::<2>(r[i], r[i + 2], 0x33);
            }
            for i in [0, 2, 4, 6] {
                (r[i], r[i + 1]) = swap_bits::<1>(r[i], r[i + 1], 0x55);
            }
            for i in 0..8 {
                store_words(&mut rows[i], column, vreinterpretq_u64_u8(r[i]));
            }
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load_words(row: &TableRow, column: usize) -> uint64x2_t {
    // SAFETY: two words fill a register.
    unsafe { vld1q_u64(row[2 * column..2 * column + 2].as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store_words(row: &mut TableRow, column: usize, words: uint64x2_t) {
    // SAFETY: two words fill a register.
    unsafe { vst1q_u64(row[2 * column..2 * column + 2].as_mut_ptr(), words) }
}

/// Swaps the high bits of one register with the low bits of another, in blocks of SIZE bits. `low` has the low block of each
/// pair in a byte: 0x33 for SIZE 2, 0x55 for SIZE 1.
#[inline]
#[target_feature(enable = "neon")]
fn swap_bits<const SIZE: i32>(x: uint8x16_t, y: uint8x16_t, low: u8) -> (uint8x16_t, uint8x16_t) {
    let low = vdupq_n_u8(low);
    (vbslq_u8(low, x, vshlq_n_u8::<SIZE>(y)), vbslq_u8(low, vshrq_n_u8::<SIZE>(x), y))
}
