//! The reference kernel, in plain Rust: scalar lists, tables of eight 64-bit words a row.
//!
//! Its functions are inlined into kernels for wider registers too, where the compiler vectorises
//! the loops over the eight words.

use super::{GROUP_BITS, GROUP_ROWS, Kernel, LANE, LANES, Row, Table};

/// Runs on every processor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Kernel for Portable {
    fn unions(self, top: &[u64], bottom: &[u64], out: &mut Vec<u64>) {
        for &t in top {
            out.extend(bottom.iter().filter(|&&b| t & b == 0).map(|&b| t | b));
        }
    }

    fn any(self, keys: &[u64]) -> u64 {
        any(keys)
    }

    fn split(
        self,
        keys: &[u64],
        bit: u64,
        without: &mut Vec<u64>,
        with: &mut Vec<u64>,
    ) -> [u64; 2] {
        with.clear();
        with.extend(keys.iter().filter(|&&key| key & bit != 0));
        [self.filter(keys, bit, without), any(with)]
    }

    fn filter(self, keys: &[u64], bit: u64, without: &mut Vec<u64>) -> u64 {
        without.clear();
        without.extend(keys.iter().filter(|&&key| key & bit == 0));
        any(without)
    }

    fn busy(self, a: &[u64], b: &[u64], table: &mut Table) -> [[u16; 64]; 2] {
        busy(a, b, table, transpose)
    }

    fn tabulate(self, table: &mut Table, keys: &[u64], relevant: u64) {
        tabulate(table, keys, relevant, transpose);
    }

    fn count(self, table: &Table, keys: &[u64], relevant: u64) -> u64 {
        count(table, keys, relevant)
    }
}

#[inline(always)]
pub(super) fn any(keys: &[u64]) -> u64 {
    keys.iter().fold(0, |any, key| any | key)
}

#[inline(always)]
pub(super) fn busy(
    a: &[u64],
    b: &[u64],
    table: &mut Table,
    transpose: impl FnOnce(&mut [Row; 64]),
) -> [[u16; 64]; 2] {
    const HALF: usize = LANES / 2;
    let planes = &mut table.planes;
    for (lanes, keys) in [(0..HALF, a), (HALF..LANES, b)] {
        if keys.len() < HALF {
            for (plane, key) in planes.iter_mut().zip(keys.iter().cycle()) {
                plane[lanes.clone()].fill(*key);
            }
            continue;
        }
        // Four neighbours at each of 64 places all along the list.
        let most = keys.len() - HALF;
        for (i, plane) in planes.iter_mut().enumerate() {
            let place = most * i / LANE;
            plane[lanes.clone()].copy_from_slice(&keys[place..place + HALF]);
        }
    }
    transpose(planes);
    let mut busy = [[0; 64]; 2];
    for (bit, plane) in planes.iter().enumerate() {
        let count = |lanes: &[u64]| lanes.iter().map(|lane| lane.count_ones() as u16).sum();
        busy[0][bit] = count(&plane[..HALF]);
        busy[1][bit] = count(&plane[HALF..]);
    }
    busy
}

#[inline(always)]
pub(super) fn tabulate(
    table: &mut Table,
    keys: &[u64],
    relevant: u64,
    transpose: impl FnOnce(&mut [Row; 64]),
) {
    for (plane, keys) in table.planes.iter_mut().zip(keys.chunks(LANES)) {
        plane[..keys.len()].copy_from_slice(keys);
    }
    transpose(&mut table.planes);
    fill(table, relevant, keys.len());
}

/// Makes the rows of every group from the planes of the relevant bits, lowest bit first, for a table
/// of `len` keys that were dealt out to the lanes in turn.
#[inline(always)]
pub(super) fn fill(table: &mut Table, mut relevant: u64, len: usize) {
    let present: Row = std::array::from_fn(|lane| {
        let keys = (len + LANES - 1 - lane) / LANES;
        u64::MAX.checked_shr((LANE - keys) as u32).unwrap_or(0)
    });
    table.used = (relevant.count_ones() as usize).div_ceil(GROUP_BITS).max(1);
    for (g, rows) in table.groups[..table.used].iter_mut().enumerate() {
        rows[0] = if g == 0 { present } else { [u64::MAX; LANES] };
        for step in 0..GROUP_BITS {
            if relevant == 0 {
                break;
            }
            let plane = table.planes[relevant.trailing_zeros() as usize];
            relevant &= relevant - 1;
            let (done, next) = rows.split_at_mut(1 << step);
            for (row, next) in done.iter().zip(next) {
                for lane in 0..LANES {
                    next[lane] = row[lane] & !plane[lane];
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn count(table: &Table, keys: &[u64], relevant: u64) -> u64 {
    let groups = &table.groups[..table.used];
    let squeeze = Squeeze::new(relevant);
    let mut squeezed = [0; 256];
    let mut counts = [0; LANES];
    for keys in keys.chunks(squeezed.len()) {
        for (out, &key) in squeezed.iter_mut().zip(keys) {
            *out = squeeze.apply(key);
        }
        for &key in &squeezed[..keys.len()] {
            let mut key = key as usize;
            let mut disjoint = [u64::MAX; LANES];
            for rows in groups {
                let row = &rows[key % GROUP_ROWS];
                key /= GROUP_ROWS;
                for lane in 0..LANES {
                    disjoint[lane] &= row[lane];
                }
            }
            for lane in 0..LANES {
                counts[lane] += u64::from(disjoint[lane].count_ones());
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

/// Turns keys into planes: bit j of `rows[i]` becomes bit i of `rows[j]`, in every lane.
#[inline(always)]
pub(super) fn transpose(rows: &mut [Row; 64]) {
    swap_blocks::<32>(rows, 0x0000_0000_ffff_ffff);
    swap_blocks::<16>(rows, 0x0000_ffff_0000_ffff);
    swap_blocks::<8>(rows, 0x00ff_00ff_00ff_00ff);
    swap_blocks::<4>(rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap_blocks::<2>(rows, 0x3333_3333_3333_3333);
    swap_blocks::<1>(rows, 0x5555_5555_5555_5555);
}

/// Swaps the off-diagonal blocks of SIZE × SIZE bits.
#[inline(always)]
fn swap_blocks<const SIZE: usize>(rows: &mut [Row; 64], low: u64) {
    for pair in rows.chunks_exact_mut(2 * SIZE) {
        let (upper, lower) = pair.split_at_mut(SIZE);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            for (x, y) in upper.iter_mut().zip(lower) {
                let differ = ((*x >> SIZE) ^ *y) & low;
                *x ^= differ << SIZE;
                *y ^= differ;
            }
        }
    }
}
