//! AVX2: a row is four registers, a vector two.
//!
//! The steps of the AVX-512 kernel (see there), in registers of half the width.

use std::arch::x86_64::*;

use super::{PAIRS, PairVector, ROW_ENTRIES, Row, StridedRows, Sums, Triples, Weight};
use tallyboard_base::array::array;
use tallyboard_base::cpu::avx2;

avx2! {
    pub fn add(sums: &Sums, source: &[Row], out: &mut [Row]) {
        for (i, terms) in sums.iter().enumerate() {
            let mut sum = [_mm256_setzero_si256(); 4];
            for &term in terms {
                // SAFETY: the row is there, as `super::add` has checked; no check in the innermost loop.
                let row = unsafe { source.as_ptr().add(term.into()) }.cast::<__m256i>();
                for (quarter, sum) in sum.iter_mut().enumerate() {
                    // SAFETY: a row is four aligned registers.
                    *sum = _mm256_add_epi16(*sum, unsafe { _mm256_load_si256(row.add(quarter)) });
                }
            }
            let out = (&raw mut out[i].0).cast::<__m256i>();
            for (quarter, &sum) in sum.iter().enumerate() {
                // SAFETY: a row is four aligned registers.
                unsafe { _mm256_store_si256(out.add(quarter), sum) };
            }
        }
    }

    pub fn transpose(sources: &[StridedRows; PAIRS], vectors: &mut [PairVector]) {
        for (block, vectors) in vectors.chunks_exact_mut(ROW_ENTRIES).enumerate() {
            // SAFETY: the rows are there, as `super::transpose` has checked; checks would cost as much as the loads.
            let rows: [_; PAIRS] = array(|i| unsafe {
                sources[i].rows.as_ptr().add(block * sources[i].stride)
            });
            for (eighth, vectors) in vectors.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                for half in 0..2 {
                    let load_eighth = |source: usize| {
                        // SAFETY: an eighth of a row, 16 bytes.
                        unsafe {
                            _mm_load_si128(rows[16 * half + source].cast::<__m128i>().add(eighth))
                        }
                    };
                    let row_pair = |r: usize| _mm256_set_m128i(load_eighth(8 + r), load_eighth(r));
                    let columns = transposed(array(row_pair));
                    for i in 0..8 {
                        let vector = (&raw mut vectors[i].0).cast::<__m256i>();
                        // SAFETY: a vector is two aligned registers.
                        unsafe { _mm256_store_si256(vector.add(half), columns[i]) };
                    }
                }
            }
        }
    }

    pub fn join(weights: &[Weight], triples: &Triples, vectors: [&[PairVector]; 2]) -> u64 {
        let [second, third] = array(|i| vectors[i].as_ptr().cast::<u8>());
        let mut total = _mm256_setzero_si256();
        for weight in weights {
            let mut sums = [_mm256_setzero_si256(); 2];
            for &[b, c] in triples.of(weight.first) {
                for (half, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: the vectors are there, as `super::join` has checked. Each has 64 aligned bytes, and `b` and `c`
                    // are indexes times 8 already (`PLACE_SCALE`).
                    let (b, c) = unsafe {
                        let b = second.add(usize::from(b) * 8).cast::<__m256i>().add(half);
                        let c = third.add(usize::from(c) * 8).cast::<__m256i>().add(half);
                        (_mm256_load_si256(b), _mm256_load_si256(c))
                    };
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(b, c));
                }
            }
            let sums = _mm256_add_epi32(sums[0], sums[1]);
            let fillings = _mm256_set1_epi64x(weight.fillings.into());
            let even = _mm256_mul_epu32(sums, fillings);
            let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(sums), fillings);
            total = _mm256_add_epi64(total, _mm256_add_epi64(even, odd));
        }
        let mut lanes = [0_u64; 4];
        // SAFETY: the array is as long as a register; the store need not be aligned.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), total) };
        lanes[0] + lanes[1] + lanes[2] + lanes[3]
    }
}

/// Transposes eight by eight entries, in each half of the registers.
#[target_feature(enable = "avx2")]
fn transposed(a: [__m256i; 8]) -> [__m256i; 8] {
    let pairs =
        |i: usize| [_mm256_unpacklo_epi16(a[i], a[i + 1]), _mm256_unpackhi_epi16(a[i], a[i + 1])];
    let [p, q, r, s] = [pairs(0), pairs(2), pairs(4), pairs(6)];
    let fours = |a: [__m256i; 2], b: [__m256i; 2]| {
        [
            _mm256_unpacklo_epi32(a[0], b[0]),
            _mm256_unpackhi_epi32(a[0], b[0]),
            _mm256_unpacklo_epi32(a[1], b[1]),
            _mm256_unpackhi_epi32(a[1], b[1]),
        ]
    };
    let (low, high) = (fours(p, q), fours(r, s));
    array(|i| match i % 2 {
        0 => _mm256_unpacklo_epi64(low[i / 2], high[i / 2]),
        _ => _mm256_unpackhi_epi64(low[i / 2], high[i / 2]),
    })
}
