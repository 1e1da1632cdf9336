//! The reference: plain loops, which compilers turn into whatever vectors the target has.

use super::{HAND, Hand, PLACE, Row, Strided, Sums, Triples, WIDTH, Weight};

pub fn add(sums: &Sums, source: &[Row], out: &mut [Row]) {
    for (terms, out) in sums.each().zip(out) {
        let mut sum = Row::ZERO;
        for &term in terms {
            let row = &source[usize::from(term)];
            sum.0.iter_mut().zip(&row.0).for_each(|(sum, term)| *sum += term);
        }
        *out = sum;
    }
}

pub fn deal(sources: &[Strided; HAND], hands: &mut [Hand]) {
    for (block, hands) in hands.chunks_exact_mut(WIDTH).enumerate() {
        for (place, source) in sources.iter().enumerate() {
            let row = &source.rows[block * source.stride];
            hands.iter_mut().zip(&row.0).for_each(|(hand, &entry)| hand.0[place] = entry);
        }
    }
}

pub fn join(weights: &[Weight], triples: &Triples, [second, third]: [&[Hand]; 2]) -> u64 {
    let mut total = 0;
    for weight in weights {
        let mut sums = [0_u32; HAND];
        for pair in triples.of(weight.first) {
            let [b, c] = pair.map(|place| usize::from(place) / PLACE);
            let products = second[b].0.iter().zip(&third[c].0);
            sums.iter_mut()
                .zip(products)
                .for_each(|(sum, (&b, &c))| *sum += u32::from(b) * u32::from(c));
        }
        let sum: u64 = sums.iter().map(|&sum| u64::from(sum)).sum();
        total += sum * u64::from(weight.fillings);
    }
    total
}
