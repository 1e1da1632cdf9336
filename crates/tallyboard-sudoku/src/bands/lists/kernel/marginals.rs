//! How many solutions have each candidate, from the tables of a join by lists: forward and backward sums.
//!
//! The tables F1, F2, F3 of [`fill`](super::fill) are the forward sums: each number is that of the fillings of one band. The
//! backward sum of a number of F1 is the sum over all triples of columns that use it of F2 F3 ([`backward_loops`]). So
//! for a triple of rows of the first band and columns that cross them, the backward sum is the number of solutions that
//! have these rows and these columns ([`marginal_loops`]). A row partition and a column partition of one box say where its digits stand.
//!
//! Layout and cost: a backward sum takes 8 bytes beside each number of 2 bytes; backward sums are made for one table at a time. A
//! term of the count, one product of three numbers, becomes three products and three additions to memory. For each triple of rows
//! and each pair of columns that crosses its first two boxes, where the count adds one row of numbers to another, backward sums are
//! added to two others.

#![allow(clippy::needless_range_loop)]

use super::{Band, PAIRS, PairVector, Table, cross_thirds};
use tallyboard_base::array::array;

/// Backward sums or numbers of solutions for the entries of a vector.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct WideVector(pub [u64; PAIRS]);

impl WideVector {
    const ZERO: Self = Self([0; PAIRS]);
}

/// The numbers of solutions of a band by the partitions of each box.
#[derive(Debug, Default)]
pub struct BoxSums {
    /// For the first two boxes: by rows, then by columns.
    pub pairs: [Vec<u64>; 2],
    /// For the third box: by rows, then by the entries of the third stack.
    pub thirds: Vec<WideVector>,
}

/// The backward sums of the table of `band`. Each fits 64 bits: it is a sum of at most 2^31 products of two numbers.
#[inline(always)]
pub fn backward_loops(
    tables: &[Table; 3],
    band: usize,
    [first, second]: [&[[u16; 3]]; 2],
    vectors: usize,
    sums: &mut Vec<WideVector>,
) {
    sums.clear();
    sums.resize(tables[band].rows.len(), WideVector::ZERO);
    let (one, other) = ((band + 1) % 3, (band + 2) % 3);
    for first in first {
        let starts: [&[u32]; 3] = array(|band| {
            let Table { starts, seconds, .. } = &tables[band];
            &starts[usize::from(first[band]) * seconds..][..*seconds]
        });
        for second in second {
            let start: [u32; 3] = array(|band| starts[band][usize::from(second[band])]);
            if start[0] == 0 || start[1] == 0 || start[2] == 0 {
                continue;
            }
            let at: [usize; 3] = array(|band| start[band] as usize - 1);
            let sums = &mut sums[at[band]..][..vectors];
            let one = &tables[one].rows[at[one]..][..vectors];
            let other = &tables[other].rows[at[other]..][..vectors];
            for vector in 0..vectors {
                add_products(&mut sums[vector], &one[vector], &other[vector]);
            }
        }
    }
}

#[inline(always)]
fn add_products(sums: &mut WideVector, one: &PairVector, other: &PairVector) {
    for entry in 0..PAIRS {
        sums.0[entry] += u64::from(u32::from(one.0[entry]) * u32::from(other.0[entry]));
    }
}

/// Adds up the solutions of a band, whose table has these backward sums, by the partitions of each box.
#[inline(always)]
pub fn marginal_loops(
    band: &Band,
    crossed: &mut Vec<PairVector>,
    table: &Table,
    sums: &[WideVector],
    found: &mut BoxSums,
) {
    let &Band { triples, order, crossing, columns, thirds, entries } = band;
    let vectors = entries.len();
    cross_thirds(thirds, entries, crossed);
    let BoxSums { pairs: [of_first, of_second], thirds: of_third } = found;
    of_third.clear();
    of_third.resize(thirds.len() * vectors, WideVector::ZERO);
    for triple in triples {
        let [p, q, r] = array(|side| usize::from(triple[order[side]]));
        let crossed = &crossed[r * vectors..][..vectors];
        let of_third = &mut of_third[r * vectors..][..vectors];
        for &x in crossing[0].of(p as u16) {
            let x = usize::from(x);
            for &y in crossing[1].of(q as u16) {
                let y = usize::from(y);
                // `fill` has made a row for each such pair.
                let row = &sums[table.starts[x * columns[1] + y] as usize - 1..][..vectors];
                let mut solutions = [0_u64; PAIRS];
                for vector in 0..vectors {
                    for entry in 0..PAIRS {
                        let mask = u64::from(crossed[vector].0[entry]).wrapping_neg();
                        let masked = row[vector].0[entry] & mask;
                        solutions[entry] += masked;
                        of_third[vector].0[entry] += masked;
                    }
                }
                let mut sum = 0;
                for entry in 0..PAIRS {
                    sum += solutions[entry];
                }
                of_first[p * columns[0] + x] += sum;
                of_second[q * columns[1] + y] += sum;
            }
        }
    }
}
