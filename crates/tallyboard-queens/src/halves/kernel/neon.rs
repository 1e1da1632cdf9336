//! NEON: four keys in one or two registers, a table row four registers.
//!
//! ```text
//! unions, split, filter:  for every four keys: which lanes to keep; move them together
//! bit_frequencies:        add samples bit by bit, as binary numbers; at the end, turn the digits into numbers
//! tabulate:               transpose the keys, make the rows
//! count:                  for each key: disjoint = AND of one row a group; counts += ones of disjoint
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. A permutation of bytes, looked up by the mask of lanes to keep, moves these lanes together. They are
//!    stored whole: the store runs past the end, where lists have room (`writer`).
//! 2. One sum across a mask tells which lanes are in it and how many.
//! 3. Planes stay in registers through two or three steps of the transposition. Its two steps that swap half
//!    words and bytes are permutations of lanes. Rows are made from eight that stay in registers.
//! 4. The ones of a row's four registers are added byte by byte, and then, once per key, to sums of 16 bits.

use std::arch::aarch64::*;

use tallyboard_base::array::array;
use tallyboard_base::cpu::{Neon, neon};

use crate::halves::kernel::Writer;
use crate::halves::kernel::portable::{self, Squeeze};
use crate::halves::kernel::{
    Kernel, Key, Lists, PLANES, SAMPLES, Shape, TABLE, Table, TableRow, WORDS, for_shapes,
};
use crate::pack::{BYTES32, BYTES64};

macro_rules! lists {
    ($width:ident, $key:ty) => {
        impl Lists<$key> for Neon {
            neon! {
                fn split(
                    self, keys: &[$key], bit: u32, without: &mut Vec<$key>, with: &mut Vec<$key>
                ) -> [u64; 2] {
                    $width::split::<true>(keys, bit, without, with)
                }

                fn filter(self, keys: &[$key], bit: u32, without: &mut Vec<$key>) -> u64 {
                    $width::split::<false>(keys, bit, without, &mut Vec::new())[0]
                }

                fn bit_frequencies(self, a: &[$key], b: &[$key], _table: &mut Table) -> [[u16; 64]; 2] {
                    [$width::bit_frequencies(a), $width::bit_frequencies(b)]
                }
            }
        }
    };
}

lists!(words, u64);
lists!(half_words, u32);

impl Kernel for Neon {
    neon! {
        fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
            for [top, bottom] in lists {
                words::unions(top, bottom, out);
            }
        }

        fn union(self, keys: &[u64]) -> u64 {
            portable::union(keys)
        }

        fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
            words::narrow(keys, &Squeeze::new(relevant), out);
        }

        fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32) {
            table::tabulate(table, keys, relevant);
        }

        fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
            for_shapes!(table::count, table, keys, relevant)
        }
    }
}

// Lists of keys, four at a time: lanes of a mask moved together, and bits counted in samples.

/// Keys that are looked at together.
const LANES: usize = 4;
/// What each lane adds to the sum over a mask: its bit of the mask, and 16 to count the lane.
const LANE_BITS: [u32; LANES] = [0x11, 0x12, 0x14, 0x18];

/// The mask of the lanes that hold their [`LANE_BITS`], and the number of these lanes.
#[inline]
#[target_feature(enable = "neon")]
fn lanes(bits: uint32x4_t) -> (usize, usize) {
    let sum = vaddvq_u32(bits) as usize;
    (sum % 16, sum / 16)
}

#[inline]
#[target_feature(enable = "neon")]
fn lane_bits() -> uint32x4_t {
    half_words::load(&LANE_BITS)
}

/// The functions that read alike for both widths.
macro_rules! lists {
    ($key:ty) => {
        /// Calls `each` with four keys and their number, until all keys have been taken. The last four may be fewer:
        /// then the other lanes are zero.
        #[inline]
        #[target_feature(enable = "neon")]
        fn fours(keys: &[$key], mut each: impl FnMut(Lanes, usize)) {
            let (whole, rest) = keys.as_chunks::<LANES>();
            for keys in whole {
                each(load(keys), LANES);
            }
            if !rest.is_empty() {
                let mut last = [0; LANES];
                for i in 0..rest.len() {
                    last[i] = rest[i];
                }
                each(load(&last), rest.len());
            }
        }

        /// Replaces `without` by the keys that lack `bit`, and if `WITH`, `with` by the rest. Returns the bits in each.
        #[inline]
        #[target_feature(enable = "neon")]
        pub(super) fn split<const WITH: bool>(
            keys: &[$key],
            bit: u32,
            without: &mut Vec<$key>,
            with: &mut Vec<$key>,
        ) -> [u64; 2] {
            without.clear();
            with.clear();
            let mut without = Writer::new(without, keys.len());
            let mut with = Writer::new(with, if WITH { keys.len() } else { 0 });
            let mut union = [splat(0); 2];
            let bit = splat(1 << bit);
            fours(keys, |keys, len| {
                let (mask, count) = lanes(vbicq_u32(lane_bits(), meets(keys, bit)));
                let have = LANES - count;
                // SAFETY: no writer gets a key twice, and each that is used has room for all keys.
                unsafe {
                    let lack = pack(keys, mask, 0);
                    without.push(lack, len - have);
                    union[0] = or(union[0], lack);
                    if WITH {
                        let others = pack(keys, mask, 1);
                        with.push(others, have);
                        union[1] = or(union[1], others);
                    }
                }
            });
            // SAFETY: no writer has been given more than all keys.
            unsafe {
                without.finish();
                with.finish();
            }
            array(|i| self::union(union[i]))
        }

        /// The number of samples that have each bit.
        #[inline]
        #[target_feature(enable = "neon")]
        pub(super) fn bit_frequencies(keys: &[$key]) -> [u16; 64] {
            let mut digits = [vdupq_n_u8(0); 8];
            let mut place = 0;
            while place < usize::from(SAMPLES) / LANES {
                let samples;
                (samples, place) = self::samples(keys, place);
                add_eight(&mut digits, samples);
            }
            spread(&digits, size_of::<$key>())
        }
    };
}

/// Four keys in one register.
mod half_words {
    use super::*;

    type Lanes = uint32x4_t;

    #[inline]
    #[target_feature(enable = "neon")]
    fn load(keys: &[u32; LANES]) -> Lanes {
        // SAFETY: four keys fill a register.
        unsafe { vld1q_u32(keys.as_ptr()) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn splat(key: u32) -> Lanes {
        vdupq_n_u32(key)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn or(a: Lanes, b: Lanes) -> Lanes {
        vorrq_u32(a, b)
    }

    /// All ones in the lanes that have a bit in common.
    #[inline]
    #[target_feature(enable = "neon")]
    fn meets(a: Lanes, b: Lanes) -> uint32x4_t {
        vtstq_u32(a, b)
    }

    /// The lanes in `mask`, or if `which` is 1 the other lanes, moved together; zeros follow.
    #[inline]
    #[target_feature(enable = "neon")]
    fn pack(keys: Lanes, mask: usize, which: usize) -> Lanes {
        // SAFETY: an entry of the table is 16 bytes, one register.
        let order = unsafe { vld1q_u8(BYTES32[mask][which].as_ptr()) };
        vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(keys), order))
    }

    /// The bits that occur in some lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn union(keys: Lanes) -> u64 {
        let pairs = vreinterpretq_u64_u32(keys);
        let union = vgetq_lane_u64::<0>(pairs) | vgetq_lane_u64::<1>(pairs);
        (union | union >> 32) & u64::from(u32::MAX)
    }

    /// Eight registers of samples, from `place` on, and the place after them.
    #[inline]
    #[target_feature(enable = "neon")]
    fn samples(keys: &[u32], place: usize) -> ([uint8x16_t; 8], usize) {
        (array(|i| vreinterpretq_u8_u32(load(&near(keys, place + i)))), place + 8)
    }

    lists!(u32);
}

/// Four keys in two registers.
mod words {
    use super::*;

    type Lanes = [uint64x2_t; 2];

    #[inline]
    #[target_feature(enable = "neon")]
    fn load(keys: &[u64; LANES]) -> Lanes {
        // SAFETY: two keys fill a register.
        unsafe { [vld1q_u64(keys.as_ptr()), vld1q_u64(keys[2..].as_ptr())] }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn splat(key: u64) -> Lanes {
        [vdupq_n_u64(key); 2]
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn or(a: Lanes, b: Lanes) -> Lanes {
        [vorrq_u64(a[0], b[0]), vorrq_u64(a[1], b[1])]
    }

    /// All ones in the lanes that have a bit in common.
    #[inline]
    #[target_feature(enable = "neon")]
    fn meets(a: Lanes, b: Lanes) -> uint32x4_t {
        let meets = |i: usize| vreinterpretq_u32_u64(vtstq_u64(a[i], b[i]));
        vuzp1q_u32(meets(0), meets(1))
    }

    /// The lanes in `mask`, or if `which` is 1 the other lanes, moved together; zeros follow.
    #[inline]
    #[target_feature(enable = "neon")]
    fn pack(keys: Lanes, mask: usize, which: usize) -> Lanes {
        let bytes = uint8x16x2_t(vreinterpretq_u8_u64(keys[0]), vreinterpretq_u8_u64(keys[1]));
        array(|i| {
            // SAFETY: an entry of the table is 32 bytes, two registers.
            let order = unsafe { vld1q_u8(BYTES64[mask][which][16 * i..].as_ptr()) };
            vreinterpretq_u64_u8(vqtbl2q_u8(bytes, order))
        })
    }

    /// The bits that occur in some lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn union(keys: Lanes) -> u64 {
        let union = vorrq_u64(keys[0], keys[1]);
        vgetq_lane_u64::<0>(union) | vgetq_lane_u64::<1>(union)
    }

    /// Eight registers of samples, from `place` on, and the place after them.
    #[inline]
    #[target_feature(enable = "neon")]
    fn samples(keys: &[u64], place: usize) -> ([uint8x16_t; 8], usize) {
        let fours: [_; 4] = array(|i| load(&near(keys, place + i)));
        (array(|i| vreinterpretq_u8_u64(fours[i / 2][i % 2])), place + 4)
    }

    lists!(u64);

    /// Replaces `out` by the keys, with the bits of the mask moved together at the low end.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn narrow(keys: &[u64], squeeze: &Squeeze, out: &mut Vec<u32>) {
        out.clear();
        let mut out = Writer::new(out, keys.len());
        let (mask, moves) =
            (vdupq_n_u64(squeeze.mask), squeeze.moves.map(|bits| vdupq_n_u64(bits)));
        fours(keys, |keys, len| {
            let narrow = |keys: uint64x2_t| {
                let mut key = vandq_u64(keys, mask);
                // The bits move to places that are zero: an addition puts them there.
                macro_rules! step {
                    ($step:literal, $distance:literal) => {
                        let moving = vandq_u64(key, moves[$step]);
                        key = vsraq_n_u64::<$distance>(veorq_u64(key, moving), moving);
                    };
                }
                step!(0, 1);
                step!(1, 2);
                step!(2, 4);
                step!(3, 8);
                step!(4, 16);
                step!(5, 32);
                vreinterpretq_u32_u64(key)
            };
            let keys = vuzp1q_u32(narrow(keys[0]), narrow(keys[1]));
            // SAFETY: `out` has room for all keys and gets each of them once.
            unsafe { out.push(keys, len) };
        });
        // SAFETY: `out` has been given each key once.
        unsafe { out.finish() };
    }

    /// Appends the unions of all disjoint pairs to `out`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn unions(top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
        let (long, short) = if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
        let mut out = Writer::new(out, long.len() * short.len());
        let used = |len: usize| {
            let lanes = array(|lane| if lane < len { LANE_BITS[lane] } else { 0 });
            half_words::load(&lanes)
        };
        fours(long, |keys, len| {
            let bits = if len == LANES { lane_bits() } else { used(len) };
            for &key in short {
                let key = splat(key);
                let (mask, count) = lanes(vbicq_u32(bits, meets(keys, key)));
                // SAFETY: `out` has room for a key of each pair and gets no more.
                unsafe { out.push(pack(or(keys, key), mask, 0), count) };
            }
        });
        // SAFETY: `out` has been given at most one key for each pair.
        unsafe { out.finish() };
    }
}

/// The samples of [`Lists::bit_frequencies`](crate::halves::kernel::Lists::bit_frequencies) at one of 64 places along the list.
#[inline]
fn near<K: Key>(keys: &[K], place: usize) -> [K; LANES] {
    match keys.len().checked_sub(LANES) {
        Some(last) => {
            let first = last * place / (usize::from(SAMPLES) / LANES);
            array(|i| keys[first + i])
        }
        None => array(|i| keys[(place * LANES + i) % keys.len()]),
    }
}

/// Adds eight registers to binary counters, one for each bit of a register; `digits[d]` holds their digits for 2^d.
#[inline]
#[target_feature(enable = "neon")]
fn add_eight(digits: &mut [uint8x16_t; 8], mut carries: [uint8x16_t; 8]) {
    for digit in 0..3 {
        for i in 0..4 >> digit {
            carries[i] = add_bits(&mut digits[digit], carries[2 * i], carries[2 * i + 1]);
        }
    }
    let mut carry = carries[0];
    for digit in &mut digits[3..] {
        let next = vandq_u8(*digit, carry);
        *digit = veorq_u8(*digit, carry);
        carry = next;
    }
}

/// Adds two registers to `sum`, bit by bit; returns the carries.
#[inline]
#[target_feature(enable = "neon")]
fn add_bits(sum: &mut uint8x16_t, b: uint8x16_t, c: uint8x16_t) -> uint8x16_t {
    let differ = veorq_u8(*sum, b);
    *sum = veorq_u8(differ, c);
    vbslq_u8(differ, c, b)
}

/// How often each bit of a key occurs. `digits` has a counter for each bit of a register. Those for the same bit of a
/// key are added up: a register has several keys, of `bytes` bytes each.
#[inline]
#[target_feature(enable = "neon")]
fn spread(digits: &[uint8x16_t; 8], bytes: usize) -> [u16; 64] {
    let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    let mut sums = [vdupq_n_u16(0); 8];
    for part in 0..8 {
        let order = vcombine_u8(vdup_n_u8(2 * part as u8), vdup_n_u8(2 * part as u8 + 1));
        let mut numbers = vdupq_n_u8(0);
        for &digit in digits.iter().rev() {
            let ones = vtstq_u8(vqtbl1q_u8(digit, order), bits);
            numbers = vsubq_u8(vaddq_u8(numbers, numbers), ones);
        }
        let at = 2 * part % bytes;
        sums[at] = vaddw_u8(sums[at], vget_low_u8(numbers));
        sums[at + 1] = vaddw_high_u8(sums[at + 1], numbers);
    }
    let mut frequencies = [0; 64];
    for (sum, eight) in sums.into_iter().zip(frequencies.as_chunks_mut::<8>().0) {
        // SAFETY: eight numbers fill a register.
        unsafe { vst1q_u16(eight.as_mut_ptr(), sum) };
    }
    frequencies
}

// Tables of keys, and the count of the keys of a table that are disjoint from a given key.

/// Bits of the largest group.
const GROUP_BITS: usize = 7;

/// Puts up to [`TABLE`] keys into `table`.
#[inline]
#[target_feature(enable = "neon")]
fn tabulate(table: &mut Table, keys: &[u32], relevant: u32) {
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
            for word in 0..2 {
                let words = vandq_u64(first[i][word], other[word]);
                store_words(&mut rows[i], 2 * half + word, words);
            }
        }
    }
}

/// Keys that are squeezed at a time. Each adds at most 64 to a 16-bit sum, so no sum overflows in a block.
const BLOCK: usize = 256;

/// Counts the keys of the table that are disjoint from each key.
#[inline]
#[target_feature(enable = "neon")]
fn count<const GROUPS: usize, const BITS: usize>(
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

/// Moves the bits of the mask together in a block of keys, in as few steps as the mask allows.
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

/// Swaps the high bits of one register with the low bits of another, in blocks of SIZE bits.
#[inline]
#[target_feature(enable = "neon")]
fn swap_bits<const SIZE: i32>(x: uint8x16_t, y: uint8x16_t, low: u8) -> (uint8x16_t, uint8x16_t) {
    let low = vdupq_n_u8(low);
    (vbslq_u8(low, x, vshlq_n_u8::<SIZE>(y)), vbslq_u8(low, vshrq_n_u8::<SIZE>(x), y))
}
