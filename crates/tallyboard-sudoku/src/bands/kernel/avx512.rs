//! AVX-512: a row is two registers, a vector one.
//!
//! ```text
//! add:        two registers hold a sum while the terms are added to them
//! transpose:  for eight neighbouring entries: a register takes them from four sources (r, 8 + r, 16 + r,
//!             24 + r), and eight such registers are transposed within their quarters
//! join:       for each weight, for each pair of vectors: 32 products, neighbours added (`vpmaddwd`)
//! ```
//!
//! Departures from the portable kernel: neighbouring products are added first (`vpmaddwd`), and a weight
//! multiplies the 16 sums of a register, not their total.

use std::arch::x86_64::*;

use super::{PAIRS, PairVector, ROW_ENTRIES, Row, StridedRows, Sums, Triples, Weight};
use tallyboard_base::array::array;
use tallyboard_base::cpu::avx512;

avx512! {
    pub fn add(sums: &Sums, source: &[Row], out: &mut [Row]) {
        for (i, terms) in sums.iter().enumerate() {
            let mut sum = [_mm512_setzero_si512(); 2];
            for &term in terms {
                // SAFETY: the row is there, as `super::add` has checked; no check in the innermost loop.
                let row = unsafe { source.as_ptr().add(term.into()) }.cast::<__m512i>();
                // SAFETY: a row is two aligned registers.
                let (low, high) = unsafe { (_mm512_load_si512(row), _mm512_load_si512(row.add(1))) };
                sum = [_mm512_add_epi16(sum[0], low), _mm512_add_epi16(sum[1], high)];
            }
            let out = (&raw mut out[i].0).cast::<__m512i>();
            // SAFETY: a row is two aligned registers.
            unsafe {
                _mm512_store_si512(out, sum[0]);
                _mm512_store_si512(out.add(1), sum[1]);
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
                let quarter = |source: usize| {
                    // SAFETY: an eighth of a row, 16 bytes.
                    unsafe { _mm_load_si128(rows[source].cast::<__m128i>().add(eighth)) }
                };
                let from = |r: usize| {
                    let low = _mm256_set_m128i(quarter(8 + r), quarter(r));
                    let high = _mm256_set_m128i(quarter(24 + r), quarter(16 + r));
                    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
                };
                let columns = transposed(array(from));
                for i in 0..8 {
                    // SAFETY: a vector is one aligned register.
                    unsafe { _mm512_store_si512((&raw mut vectors[i].0).cast(), columns[i]) };
                }
            }
        }
    }

    pub fn join(weights: &[Weight], triples: &Triples, vectors: [&[PairVector]; 2]) -> u64 {
        let [second, third] = array(|i| vectors[i].as_ptr().cast::<u8>());
        let product = |&[b, c]: &[u16; 2]| {
            // SAFETY: the vectors are there, as `super::join` has checked, 64 aligned bytes each, eight times
            // a place.
            let (b, c) = unsafe {
                let (b, c) = (second.add(usize::from(b) * 8), third.add(usize::from(c) * 8));
                (_mm512_load_si512(b.cast()), _mm512_load_si512(c.cast()))
            };
            _mm512_madd_epi16(b, c)
        };
        let mut total = _mm512_setzero_si512();
        for weight in weights {
            let (mut one, mut other) = (_mm512_setzero_si512(), _mm512_setzero_si512());
            let (fours, rest) = triples.of(weight.first).as_chunks::<4>();
            for [a, b, c, d] in fours {
                one = _mm512_add_epi32(one, _mm512_add_epi32(product(a), product(b)));
                other = _mm512_add_epi32(other, _mm512_add_epi32(product(c), product(d)));
            }
            for pair in rest {
                one = _mm512_add_epi32(one, product(pair));
            }
            let sums = _mm512_add_epi32(one, other);
            let fillings = _mm512_set1_epi64(weight.fillings.into());
            let even = _mm512_mul_epu32(sums, fillings);
            let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(sums), fillings);
            total = _mm512_add_epi64(total, _mm512_add_epi64(even, odd));
        }
        _mm512_reduce_add_epi64(total) as u64
    }
}

/// Transposes eight by eight entries, in each quarter of the registers.
#[target_feature(enable = "avx512f,avx512bw")]
fn transposed(a: [__m512i; 8]) -> [__m512i; 8] {
    let pairs =
        |i: usize| [_mm512_unpacklo_epi16(a[i], a[i + 1]), _mm512_unpackhi_epi16(a[i], a[i + 1])];
    let [p, q, r, s] = [pairs(0), pairs(2), pairs(4), pairs(6)];
    let fours = |a: [__m512i; 2], b: [__m512i; 2]| {
        [
            _mm512_unpacklo_epi32(a[0], b[0]),
            _mm512_unpackhi_epi32(a[0], b[0]),
            _mm512_unpacklo_epi32(a[1], b[1]),
            _mm512_unpackhi_epi32(a[1], b[1]),
        ]
    };
    let (low, high) = (fours(p, q), fours(r, s));
    array(|i| match i % 2 {
        0 => _mm512_unpacklo_epi64(low[i / 2], high[i / 2]),
        _ => _mm512_unpackhi_epi64(low[i / 2], high[i / 2]),
    })
}
