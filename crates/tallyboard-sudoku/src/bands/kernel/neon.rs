//! NEON: a row is eight registers, a vector four.
//!
//! ```text
//! transpose:  for eight neighbouring entries: eight registers take them from eight sources each and are transposed
//! ```
//!
//! Sums and products use the portable code. The compiler makes the same instructions of it as code by hand
//! would: additions of whole registers, and products of 16 bits added to sums of 32 (`umlal`).

use std::arch::aarch64::*;

use super::{PAIRS, PairVector, ROW_ENTRIES, Row, StridedRows, Sums, Triples, Weight, portable};
use tallyboard_base::array::array;
use tallyboard_base::cpu::neon;

neon! {
    pub fn add(sums: &Sums, source: &[Row], out: &mut [Row]) {
        portable::add(sums, source, out)
    }

    pub fn transpose(sources: &[StridedRows; PAIRS], vectors: &mut [PairVector]) {
        for (block, vectors) in vectors.chunks_exact_mut(ROW_ENTRIES).enumerate() {
            // SAFETY: the rows are there, as `super::transpose` has checked; checks would cost as much as the loads.
            let rows: [_; PAIRS] = array(|i| unsafe {
                sources[i].rows.as_ptr().add(block * sources[i].stride).cast::<u16>()
            });
            for (eighth, vectors) in vectors.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                for quarter in 0..PAIRS / 8 {
                    // SAFETY: an eighth of a row.
                    let from = |r: usize| unsafe { vld1q_u16(rows[8 * quarter + r].add(8 * eighth)) };
                    let columns = transposed(array(from));
                    for i in 0..8 {
                        let vector = (&raw mut vectors[i].0).cast::<u16>();
                        // SAFETY: a quarter of a vector.
                        unsafe { vst1q_u16(vector.add(8 * quarter), columns[i]) };
                    }
                }
            }
        }
    }

    pub fn join(weights: &[Weight], triples: &Triples, vectors: [&[PairVector]; 2]) -> u64 {
        portable::join(weights, triples, vectors)
    }
}

/// Transposes eight by eight entries.
#[target_feature(enable = "neon")]
fn transposed(a: [uint16x8_t; 8]) -> [uint16x8_t; 8] {
    let pairs = |i: usize| {
        let (low, high) = (vzip1q_u16(a[i], a[i + 1]), vzip2q_u16(a[i], a[i + 1]));
        [vreinterpretq_u32_u16(low), vreinterpretq_u32_u16(high)]
    };
    let [p, q, r, s] = [pairs(0), pairs(2), pairs(4), pairs(6)];
    let fours = |a: [uint32x4_t; 2], b: [uint32x4_t; 2]| {
        [
            vzip1q_u32(a[0], b[0]),
            vzip2q_u32(a[0], b[0]),
            vzip1q_u32(a[1], b[1]),
            vzip2q_u32(a[1], b[1]),
        ]
    };
    let (low, high) = (fours(p, q), fours(r, s));
    array(|i| {
        let (low, high) = (vreinterpretq_u64_u32(low[i / 2]), vreinterpretq_u64_u32(high[i / 2]));
        vreinterpretq_u16_u64(if i % 2 == 0 {
            vzip1q_u64(low, high)
        } else {
            vzip2q_u64(low, high)
        })
    })
}
