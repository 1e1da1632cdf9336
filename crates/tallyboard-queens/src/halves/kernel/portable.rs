//! The reference kernel, in plain Rust: lists key by key, table rows as eight words.
//!
//! Its functions are inlined into kernels for wider registers too, where the compiler vectorises
//! the loops over the eight words.

use super::{Kernel, Key, Lists, PLANES, SAMPLES, Shape, Table, TableRow, WORDS, for_shapes};
use tallyboard_base::array::array;

/// Runs on every processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl<K: Key> Lists<K> for Portable {
    fn split(self, keys: &[K], bit: u32, without: &mut Vec<K>, with: &mut Vec<K>) -> [u64; 2] {
        let with_len = keys.iter().map(|&key| has(key, bit)).sum::<usize>();
        // Without a branch: every key is written to the end of both lists, and the next key overwrites it in one of
        // them. So the other list needs one more place for the last key.
        without.resize(keys.len() - with_len + 1, K::default());
        with.resize(with_len + 1, K::default());
        let mut in_with = 0;
        for (i, &key) in keys.iter().enumerate() {
            without[i - in_with] = key;
            with[in_with] = key;
            in_with += has(key, bit);
        }
        without.pop();
        with.pop();
        [union(without), union(with)]
    }

    fn filter(self, keys: &[K], bit: u32, without: &mut Vec<K>) -> u64 {
        // As in `split`, with one list.
        let dropped = keys.iter().map(|&key| has(key, bit)).sum::<usize>();
        without.resize(keys.len() - dropped + 1, K::default());
        let mut kept = 0;
        for &key in keys {
            without[kept] = key;
            kept += 1 - has(key, bit);
        }
        without.pop();
        union(without)
    }

    fn bit_frequencies(self, a: &[K], b: &[K], table: &mut Table) -> [[u16; 64]; 2] {
        bit_frequencies(a, b, table, transpose)
    }
}

impl Kernel for Portable {
    fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
        for [top, bottom] in lists {
            let (long, short) =
                if top.len() >= bottom.len() { (top, bottom) } else { (bottom, top) };
            for &a in short {
                let begin = out.len();
                out.resize(begin + long.len(), 0);
                let unions = &mut out[begin..];
                // Every union is written; the next one overwrites it if its keys share a bit.
                let mut found = 0;
                for &b in long {
                    unions[found] = a | b;
                    found += usize::from(a & b == 0);
                }
                out.truncate(begin + found);
            }
        }
    }

    fn union(self, keys: &[u64]) -> u64 {
        union(keys)
    }

    fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
        let squeeze = Squeeze::new(relevant);
        narrow(keys, out, |key| squeeze.apply(key));
    }

    fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32) {
        tabulate(table, keys, relevant);
    }

    fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
        for_shapes!(count, table, keys, relevant)
    }
}

/// 1 if `key` has the bit of this number, else 0.
#[inline(always)]
fn has<K: Key>(key: K, bit: u32) -> usize {
    (key.into() >> bit & 1) as usize
}

/// Replaces `out` by the low 32 bits of `squeeze` of each key.
#[inline(always)]
pub(super) fn narrow(keys: &[u64], out: &mut Vec<u32>, squeeze: impl Fn(u64) -> u64) {
    out.clear();
    out.reserve(keys.len());
    let room = &mut out.spare_capacity_mut()[..keys.len()];
    for i in 0..keys.len() {
        room[i].write(squeeze(keys[i]) as u32);
    }
    // SAFETY: the loop has written this many. Zeros written before it took 2 % of the time of n = 18.
    unsafe { out.set_len(keys.len()) };
}

/// See [`Kernel::fold`].
#[inline(always)]
pub(super) fn fold(keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
    narrow(keys, out, |key| key & relevant | (key & relevant) >> 16);
}

/// See [`Kernel::union`].
#[inline(always)]
pub(super) fn union<K: Key>(keys: &[K]) -> u64 {
    keys.iter().fold(0, |union, &key| union | key.into())
}

/// See [`Lists::bit_frequencies`]. The samples are transposed in the planes of `table`, so that the samples with one bit stand in
/// one row, and are counted there: those of `a` in the first half of its words, those of `b` in the second.
#[inline(always)]
pub(super) fn bit_frequencies<K: Key>(
    a: &[K],
    b: &[K],
    table: &mut Table,
    transpose: impl Fn(&mut [TableRow; PLANES]),
) -> [[u16; 64]; 2] {
    let mut samples_with_bit = [[0; 64]; 2];
    for low in (0..8 * size_of::<K>()).step_by(PLANES) {
        for (list, keys) in [a, b].into_iter().enumerate() {
            sample(keys, low, list * WORDS / 2, &mut table.planes);
        }
        transpose(&mut table.planes);
        for (bit, plane) in table.planes.iter().enumerate() {
            for word in 0..WORDS {
                samples_with_bit[word / (WORDS / 2)][low + bit] += plane[word].count_ones() as u16;
            }
        }
    }
    samples_with_bit
}

/// Puts bits `low` to `low` + 31 of each sample of a list into four words of every plane, from `first_word` on.
#[inline(always)]
fn sample<K: Key>(keys: &[K], low: usize, first_word: usize, planes: &mut [TableRow; PLANES]) {
    /// Samples are taken in runs of neighbours; the runs are spread over the whole list.
    const RUN: usize = 4;
    let word_of = |[a, b]: [K; 2]| {
        let half_word = |key: u64| u64::from((key >> low) as u32);
        half_word(a.into()) | half_word(b.into()) << 32
    };
    for (i, plane) in planes.iter_mut().enumerate() {
        let words = &mut plane[first_word..first_word + WORDS / 2];
        for (j, words) in words.chunks_exact_mut(RUN / 2).enumerate() {
            let number = 2 * i + j;
            let run: [K; RUN] = if keys.len() < RUN {
                array(|k| keys[(number * RUN + k) % keys.len()])
            } else {
                let begin = (keys.len() - RUN) * number / (usize::from(SAMPLES) / RUN);
                keys[begin..].as_chunks().0[0]
            };
            words[0] = word_of([run[0], run[1]]);
            words[1] = word_of([run[2], run[3]]);
        }
    }
}

/// See [`Kernel::tabulate`].
#[inline(always)]
pub(super) fn tabulate(table: &mut Table, keys: &[u32], relevant: u32) {
    deal(keys, &mut table.planes);
    transpose(&mut table.planes);
    fill(table, relevant, keys.len());
}

/// Deals keys out, before they are transposed: key k goes to 32-bit half word k % 16 of plane k / 16.
#[inline(always)]
pub(super) fn deal(keys: &[u32], planes: &mut [TableRow; PLANES]) {
    let words = |keys: &[u32; 2 * WORDS]| {
        array(|word| u64::from(keys[2 * word]) | u64::from(keys[2 * word + 1]) << 32)
    };
    let (whole, rest) = keys.as_chunks();
    for i in 0..whole.len() {
        planes[i] = words(&whole[i]);
    }
    if !rest.is_empty() {
        let mut last = [0; 2 * WORDS];
        for i in 0..rest.len() {
            last[i] = rest[i];
        }
        planes[whole.len()] = words(&last);
    }
}

/// The row that has a 1 for each place that holds a key, if `deal` has dealt out `len` keys.
#[inline(always)]
pub(super) fn present(len: usize) -> TableRow {
    array(|word| {
        let half_word = |number: usize| {
            let keys = (len + 2 * WORDS - 1 - number) / (2 * WORDS);
            u64::from(u32::MAX.checked_shr((PLANES - keys) as u32).unwrap_or(0))
        };
        half_word(2 * word) | half_word(2 * word + 1) << 32
    })
}

/// Makes the rows of every group from the planes of the relevant bits, lowest bit first, for a table of `len`
/// keys. Each bit doubles the number of rows: after d rows, row d + i is row i without the keys that have the bit.
#[inline(always)]
pub(super) fn fill(table: &mut Table, mut relevant: u32, len: usize) {
    let present = present(len);
    table.shape = Shape::of(relevant.count_ones() as usize);
    for group in 0..table.shape.groups {
        let rows = &mut table.rows[table.shape.rows(group)];
        // Rows have no ones for places without a key. One group is enough for that: rows of all groups are ANDed.
        rows[0] = if group == 0 { present } else { [u64::MAX; WORDS] };
        let mut done = 1;
        while done < rows.len() && relevant != 0 {
            let plane = table.planes[relevant.trailing_zeros() as usize];
            relevant &= relevant - 1;
            let (done_rows, next) = rows.split_at_mut(done);
            for i in 0..done {
                for word in 0..WORDS {
                    next[i][word] = done_rows[i][word] & !plane[word];
                }
            }
            done *= 2;
        }
    }
}

/// See [`Kernel::count`].
#[inline(always)]
pub(super) fn count<const GROUPS: usize, const BITS: usize>(
    table: &Table,
    keys: &[u32],
    relevant: u32,
) -> u64 {
    let squeeze = Squeeze::new(relevant.into());
    let mut squeezed = [0; 256];
    let mut sum = BitSums { digits: [[0; WORDS]; 3], eights: [0; WORDS], ones: [0; WORDS] };
    for keys in keys.chunks(squeezed.len()) {
        let squeezed = &mut squeezed[..keys.len()];
        for i in 0..keys.len() {
            squeezed[i] = squeeze.apply_short(keys[i]);
        }
        // With an instruction to count ones, row by row is fastest.
        let (eights, rest) =
            if COUNTS_ONES { (&[][..], &*squeezed) } else { squeezed.as_chunks::<8>() };
        for eight in eights {
            sum.add_eight(|i| disjoint::<GROUPS, BITS>(table, eight[i]));
        }
        for &key in rest {
            count_ones(&mut sum.ones, &disjoint::<GROUPS, BITS>(table, key));
        }
    }
    sum.total()
}

/// Whether every processor of this architecture has an instruction to count the ones of a register.
const COUNTS_ONES: bool = cfg!(target_arch = "aarch64");

/// A 1 for each key of the table that is disjoint from `key`, whose relevant bits have been moved together.
#[inline(always)]
fn disjoint<const GROUPS: usize, const BITS: usize>(table: &Table, key: u32) -> TableRow {
    let shape = Shape { groups: GROUPS, bits: BITS };
    let mut disjoint = [u64::MAX; WORDS];
    for group in 0..GROUPS {
        let row = &table.rows[shape.row(group, key)];
        for word in 0..WORDS {
            disjoint[word] &= row[word];
        }
    }
    disjoint
}

#[inline(always)]
fn count_ones(counts: &mut TableRow, row: &TableRow) {
    for word in 0..WORDS {
        counts[word] += u64::from(row[word].count_ones());
    }
}

/// Counts the ones of many rows (Harley and Seal). At each bit position, eight rows at a time are added to a
/// binary number of four digits. Only the digits for 8 have their ones counted, so one count serves eight rows:
/// it takes a dozen operations where the processor has no instruction for it.
struct BitSums {
    /// The digits for 1, 2 and 4 of the sums of rows so far.
    digits: [TableRow; 3],
    /// The ones of the digit for 8 after each eight rows, by word.
    eights: TableRow,
    /// The ones of rows that were counted one by one, by word.
    ones: TableRow,
}

impl BitSums {
    #[inline(always)]
    fn add_eight(&mut self, row: impl Fn(usize) -> TableRow) {
        let mut fours = [[0; WORDS]; 2];
        for half in 0..2 {
            let mut twos = [[0; WORDS]; 2];
            for pair in 0..2 {
                let first = 4 * half + 2 * pair;
                twos[pair] = add_bits(&mut self.digits[0], row(first), row(first + 1));
            }
            fours[half] = add_bits(&mut self.digits[1], twos[0], twos[1]);
        }
        let eights = add_bits(&mut self.digits[2], fours[0], fours[1]);
        count_ones(&mut self.eights, &eights);
    }

    #[inline(always)]
    fn total(&self) -> u64 {
        let mut total = 0;
        for word in 0..WORDS {
            let digit = |i: usize| u64::from(self.digits[i][word].count_ones()) << i;
            total += digit(0) + digit(1) + digit(2) + 8 * self.eights[word] + self.ones[word];
        }
        total
    }
}

/// Adds two rows to `sum` at each bit position; returns the carries.
#[inline(always)]
fn add_bits(sum: &mut TableRow, b: TableRow, c: TableRow) -> TableRow {
    let mut carry = [0; WORDS];
    for word in 0..WORDS {
        let differ = sum[word] ^ b[word];
        carry[word] = differ & c[word] | !differ & b[word];
        sum[word] = differ ^ c[word];
    }
    carry
}

/// Moves the bits of `mask` together at the low end, in six steps for all bits at once
/// (Hacker's Delight, 'compress').
pub(super) struct Squeeze {
    pub(super) mask: u64,
    /// The bits that each step moves, by 1, 2, 4, ... places.
    pub(super) moves: [u64; 6],
}

impl Squeeze {
    pub(super) fn new(mask: u64) -> Self {
        // The mask after the steps so far.
        let mut moved_mask = mask;
        let mut moves = [0; 6];
        // A bit of the mask has to move by the number of zeros below it: by one first, if that is odd, and so on.
        let mut zeros = !mask << 1;
        for (step, moved) in moves.iter_mut().enumerate() {
            // Bit i becomes the parity of the zeros up to i.
            let mut parity = zeros;
            for shift in 0..6 {
                parity ^= parity << (1 << shift);
            }
            *moved = parity & moved_mask;
            moved_mask = moved_mask ^ *moved | *moved >> (1 << step);
            // Every second zero stays, which halves all the numbers of zeros: their next binary digit is the parity then.
            zeros &= !parity;
        }
        Self { mask, moves }
    }

    #[inline(always)]
    fn apply(&self, key: u64) -> u64 {
        let mut key = key & self.mask;
        for (step, moved) in self.moves.iter().enumerate() {
            let moving = key & moved;
            key = key ^ moving | moving >> (1 << step);
        }
        key
    }

    /// Like `apply`, for a mask of 32 bits, which takes one step less.
    #[inline(always)]
    fn apply_short(&self, key: u32) -> u32 {
        let mut key = key & self.mask as u32;
        for step in 0..5 {
            let moving = key & self.moves[step] as u32;
            key = key ^ moving | moving >> (1 << step);
        }
        key
    }
}

/// Turns keys into planes: bit j of `rows[i]` becomes bit i of `rows[j]`, in every half word.
#[inline(always)]
pub(super) fn transpose(rows: &mut [TableRow; PLANES]) {
    swap_blocks::<16>(rows, 0x0000_ffff_0000_ffff);
    swap_blocks::<8>(rows, 0x00ff_00ff_00ff_00ff);
    swap_blocks::<4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap_blocks::<2>(rows, 0x3333_3333_3333_3333);
    swap_blocks::<1>(rows, 0x5555_5555_5555_5555);
}

/// Swaps the off-diagonal blocks of SIZE × SIZE bits.
#[inline(always)]
fn swap_blocks<const SIZE: usize>(rows: &mut [TableRow; PLANES], low: u64) {
    for pair in rows.chunks_exact_mut(2 * SIZE) {
        for i in 0..SIZE {
            for word in 0..WORDS {
                let differ = ((pair[i][word] >> SIZE) ^ pair[i + SIZE][word]) & low;
                pair[i][word] ^= differ << SIZE;
                pair[i + SIZE][word] ^= differ;
            }
        }
    }
}
