//! The reference kernel, in plain Rust: scalar lists, tables of eight words a row.
//!
//! Its functions are inlined into kernels for wider registers too, where the compiler vectorises
//! the loops over the eight words.

use super::{
    GROUP_BITS, GROUP_ROWS, Kernel, Key, Lists, PLANES, SAMPLES, Table, TableRow, WORDS, for_groups,
};
use crate::array::array;

/// Runs on every processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl<K: Key> Lists<K> for Portable {
    fn split(self, keys: &[K], bit: u32, without: &mut Vec<K>, with: &mut Vec<K>) -> [u64; 2] {
        keep(keys, bit, 1, with);
        [self.filter(keys, bit, without), any(with)]
    }

    fn filter(self, keys: &[K], bit: u32, without: &mut Vec<K>) -> u64 {
        keep(keys, bit, 0, without);
        any(without)
    }

    fn busy(self, a: &[K], b: &[K], table: &mut Table) -> [[u16; 64]; 2] {
        busy(a, b, table, transpose)
    }
}

impl Kernel for Portable {
    fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
        for [top, bottom] in lists {
            for &t in top {
                for &b in bottom {
                    if t & b == 0 {
                        out.push(t | b);
                    }
                }
            }
        }
    }

    fn any(self, keys: &[u64]) -> u64 {
        any(keys)
    }

    fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
        let squeeze = Squeeze::new(relevant);
        narrow(keys, out, |key| squeeze.apply(key));
    }

    fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32) {
        tabulate(table, keys, relevant);
    }

    fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
        for_groups!(count, table, keys, relevant)
    }
}

/// Replaces `out` by the keys whose `bit` has this value.
#[inline(always)]
fn keep<K: Key>(keys: &[K], bit: u32, value: u64, out: &mut Vec<K>) {
    out.clear();
    for &key in keys {
        let wide: u64 = key.into();
        if wide >> bit & 1 == value {
            out.push(key);
        }
    }
}

/// Replaces `out` by what `squeeze` makes of the keys, 32 bits at most.
#[inline(always)]
pub(super) fn narrow(keys: &[u64], out: &mut Vec<u32>, squeeze: impl Fn(u64) -> u64) {
    out.resize(keys.len(), 0);
    let out = &mut out[..keys.len()];
    for i in 0..keys.len() {
        out[i] = squeeze(keys[i]) as u32;
    }
}

#[inline(always)]
pub(super) fn any<K: Key>(keys: &[K]) -> u64 {
    keys.iter().fold(0, |any, &key| any | key.into())
}

#[inline(always)]
pub(super) fn busy<K: Key>(
    a: &[K],
    b: &[K],
    table: &mut Table,
    transpose: impl Fn(&mut [TableRow; PLANES]),
) -> [[u16; 64]; 2] {
    let mut busy = [[0; 64]; 2];
    for low in (0..8 * size_of::<K>()).step_by(PLANES) {
        for (list, keys) in [a, b].into_iter().enumerate() {
            sample(keys, low, list * WORDS / 2, &mut table.planes);
        }
        transpose(&mut table.planes);
        for (bit, plane) in table.planes.iter().enumerate() {
            let count = |words: &[u64]| words.iter().map(|word| word.count_ones() as u16).sum();
            let (a, b) = plane.split_at(WORDS / 2);
            busy[0][low + bit] = count(a);
            busy[1][low + bit] = count(b);
        }
    }
    busy
}

/// Puts 32 bits of each sample of a list, from the bit `low` on, into half of the planes.
#[inline(always)]
fn sample<K: Key>(keys: &[K], low: usize, first: usize, planes: &mut [TableRow; PLANES]) {
    /// Samples that are neighbours.
    const NEAR: usize = 4;
    let pair = |[a, b]: [K; 2]| {
        let half = |key: u64| u64::from((key >> low) as u32);
        half(a.into()) | half(b.into()) << 32
    };
    for (i, plane) in planes.iter_mut().enumerate() {
        for (j, words) in plane[first..first + WORDS / 2].chunks_exact_mut(NEAR / 2).enumerate() {
            let place = 2 * i + j;
            let near: [K; NEAR] = if keys.len() < NEAR {
                array(|k| keys[(place * NEAR + k) % keys.len()])
            } else {
                // Places all along the list.
                let place = (keys.len() - NEAR) * place / (usize::from(SAMPLES) / NEAR);
                array(|k| keys[place + k])
            };
            words[0] = pair([near[0], near[1]]);
            words[1] = pair([near[2], near[3]]);
        }
    }
}

#[inline(always)]
pub(super) fn tabulate(table: &mut Table, keys: &[u32], relevant: u32) {
    for (plane, keys) in keys.chunks(2 * WORDS).enumerate() {
        for (word, pair) in keys.chunks(2).enumerate() {
            table.planes[plane][word] =
                u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32;
        }
    }
    transpose(&mut table.planes);
    fill(table, relevant, keys.len());
}

/// Makes the rows of every group from the planes of the relevant bits, lowest bit first, for a table
/// of `len` keys that were dealt out to the half words in turn.
#[inline(always)]
pub(super) fn fill(table: &mut Table, mut relevant: u32, len: usize) {
    let present: TableRow = array(|word| {
        let half = |half: usize| {
            let keys = (len + 2 * WORDS - 1 - half) / (2 * WORDS);
            u64::from(u32::MAX.checked_shr((PLANES - keys) as u32).unwrap_or(0))
        };
        half(2 * word) | half(2 * word + 1) << 32
    });
    table.used = (relevant.count_ones() as usize).div_ceil(GROUP_BITS).max(1);
    for (g, rows) in table.groups[..table.used].iter_mut().enumerate() {
        rows[0] = if g == 0 { present } else { [u64::MAX; WORDS] };
        for step in 0..GROUP_BITS {
            if relevant == 0 {
                break;
            }
            let plane = table.planes[relevant.trailing_zeros() as usize];
            relevant &= relevant - 1;
            let (done, next) = rows.split_at_mut(1 << step);
            for i in 0..done.len() {
                for word in 0..WORDS {
                    next[i][word] = done[i][word] & !plane[word];
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn count<const GROUPS: usize>(table: &Table, keys: &[u32], relevant: u32) -> u64 {
    let squeeze = Squeeze::new(relevant.into());
    let mut squeezed = [0; 256];
    let mut counts = [0; WORDS];
    for keys in keys.chunks(squeezed.len()) {
        let squeezed = &mut squeezed[..keys.len()];
        for i in 0..keys.len() {
            squeezed[i] = squeeze.apply(keys[i].into());
        }
        for &key in &*squeezed {
            let mut key = key as usize;
            let mut disjoint = [u64::MAX; WORDS];
            for group in 0..GROUPS {
                let row = &table.groups[group][key % GROUP_ROWS];
                key /= GROUP_ROWS;
                for word in 0..WORDS {
                    disjoint[word] &= row[word];
                }
            }
            for word in 0..WORDS {
                counts[word] += u64::from(disjoint[word].count_ones());
            }
        }
    }
    counts.iter().sum()
}

/// Moves the bits of a mask together at the low end, in six steps for all bits at once
/// (Hacker's Delight, 'compress').
struct Squeeze {
    mask: u64,
    moves: [u64; 6],
}

impl Squeeze {
    fn new(mask: u64) -> Self {
        let mut left = mask;
        let mut moves = [0; 6];
        // Bits of the mask with an odd number of zeros below them move by one, and so on.
        let mut zeros = !mask << 1;
        for (step, moved) in moves.iter_mut().enumerate() {
            let mut parity = zeros;
            for shift in 0..6 {
                parity ^= parity << (1 << shift);
            }
            *moved = parity & left;
            left = left ^ *moved | *moved >> (1 << step);
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
