//! The reference: plain loops, which compilers turn into vector instructions of the target.

use super::{PAIRS, PLACE_SCALE, PairVector, ROW_ENTRIES, Row, StridedRows, Sums, Triples, Weight};
use tallyboard_base::array::array;

pub fn add(sums: &Sums, source: &[Row], out: &mut [Row]) {
    for (i, terms) in sums.iter().enumerate() {
        let mut sum = Row::ZERO;
        for &term in terms {
            let row = &source[usize::from(term)];
            for entry in 0..ROW_ENTRIES {
                sum.0[entry] += row.0[entry];
            }
        }
        out[i] = sum;
    }
}

pub fn transpose(sources: &[StridedRows; PAIRS], vectors: &mut [PairVector]) {
    for (block, vectors) in vectors.chunks_exact_mut(ROW_ENTRIES).enumerate() {
        for (place, source) in sources.iter().enumerate() {
            let row = &source.rows[block * source.stride];
            for entry in 0..ROW_ENTRIES {
                vectors[entry].0[place] = row.0[entry];
            }
        }
    }
}

pub fn join(weights: &[Weight], triples: &Triples, [second, third]: [&[PairVector]; 2]) -> u64 {
    let mut total = 0;
    for weight in weights {
        let mut sums = [0_u32; PAIRS];
        for pair in triples.of(weight.first) {
            let [b, c] = array(|i| usize::from(pair[i]) / PLACE_SCALE);
            let (b, c) = (&second[b].0, &third[c].0);
            for i in 0..PAIRS {
                sums[i] += u32::from(b[i]) * u32::from(c[i]);
            }
        }
        let sum: u64 = sums.iter().map(|&sum| u64::from(sum)).sum();
        total += sum * u64::from(weight.fillings);
    }
    total
}
