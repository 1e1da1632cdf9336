//! The inner loops of the join, for several instruction sets.
//!
//! All kernels give the same results; [`portable`] is the reference.

use tallyboard_base::cpu::{Instructions, in_kernel, kernel_modules};

kernel_modules!();

/// Entries of a [`Row`].
pub const ROW_ENTRIES: usize = 64;
/// Entries of a [`PairVector`].
pub const PAIRS: usize = 32;

/// The numbers of fillings for successive partitions of the second stack.
///
/// A number of fillings is at most [`MAX_FILLINGS`], so it and its partial sums fit in 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row(pub [u16; ROW_ENTRIES]);

impl Row {
    /// All zeros.
    pub const ZERO: Self = Self([0; ROW_ENTRIES]);
}

/// The numbers of fillings for one partition of the second stack, and several pairs of partitions of the
/// first and the third stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct PairVector(pub [u16; PAIRS]);

impl PairVector {
    /// All zeros.
    pub const ZERO: Self = Self([0; PAIRS]);
}

/// Upper bound on the fillings of a band for three column partitions (a test counts them).
pub const MAX_FILLINGS: u16 = 1728;

/// Upper bound on the sum in a lane of a register: two neighbouring products for each of 56 partners.
const MAX_LANE_SUM: u64 = 2 * 56 * (MAX_FILLINGS as u64).pow(2);
const _: () = assert!(MAX_LANE_SUM < 1 << 32, "sums of products fit 32 bits");
const _: () = assert!(
    (MAX_LANE_SUM * PAIRS as u64).checked_mul(MAX_FILLINGS as u64 * 1680).is_some(),
    "the total of a join fits 64 bits"
);

/// Sums of rows, as lists of terms: those of the `i`th sum are `terms[starts[i]..starts[i + 1]]`.
#[derive(Debug, Default, Clone)]
pub struct Sums {
    starts: Vec<u32>,
    terms: Vec<u16>,
}

impl Sums {
    /// Removes all sums, and begins the first. The memory stays allocated.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.terms.clear();
    }

    /// Adds a term to the current sum.
    pub fn term(&mut self, row: usize) {
        self.terms.push(u16::try_from(row).expect("fewer than 2^16 rows"));
    }

    /// Ends the current sum.
    pub fn end(&mut self) {
        self.starts.push(self.terms.len() as u32);
    }

    /// The number of sums.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of additions.
    pub fn terms(&self) -> usize {
        self.terms.len()
    }

    fn iter(&self) -> impl Iterator<Item = &[u16]> {
        self.starts.windows(2).map(|ends| &self.terms[ends[0] as usize..ends[1] as usize])
    }
}

/// A source of a transposition: every `stride`-th of these rows.
#[derive(Clone, Copy)]
pub struct StridedRows<'a> {
    /// Rows, of which the source has the first, and then every `stride`-th.
    pub rows: &'a [Row],
    /// The distance from one row of the source to the next.
    pub stride: usize,
}

/// The triples of the second stack: a partition of the first band, one of the second, and the one of the third
/// band that completes the triple.
#[derive(Debug, Default)]
pub struct Triples {
    starts: Vec<u32>,
    /// Indexes of the second and the third partition, times [`PLACE_SCALE`].
    pairs: Vec<[u16; 2]>,
    /// The number of partitions of the second and the third band.
    places: [usize; 2],
}

/// Factor of the stored indexes: a vector has 64 bytes, and an address can scale an index by at most 8.
const PLACE_SCALE: usize = 8;

impl Triples {
    /// An empty list of triples; the second and the third band have `places` partitions.
    pub fn new(places: [usize; 2]) -> Self {
        assert!(places.iter().all(|&places| places * PLACE_SCALE <= 1 << 16));
        Self { starts: vec![0], pairs: Vec::new(), places }
    }

    /// Adds a pair to the current partition of the first band.
    pub fn push(&mut self, pair: [u16; 2]) {
        assert!((0..2).all(|i| usize::from(pair[i]) < self.places[i]));
        self.pairs.push(pair.map(|place| place * PLACE_SCALE as u16));
    }

    /// Ends the current partition of the first band.
    pub fn end(&mut self) {
        self.starts.push(self.pairs.len() as u32);
    }

    /// The number of triples.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    fn of(&self, first: u16) -> &[[u16; 2]] {
        let first = usize::from(first);
        &self.pairs[self.starts[first] as usize..self.starts[first + 1] as usize]
    }
}

/// A column partition of the first band's second box, and the band's number of fillings with it.
#[derive(Debug, Clone, Copy)]
pub struct Weight {
    /// The index of the partition.
    pub first: u16,
    /// The number of fillings.
    pub fillings: u16,
}

// Kernels check no bounds. The functions below check them, once per call.

/// Computes the `sums` of rows of `source`, one for each row of `out`.
pub fn add(instructions: Instructions, sums: &Sums, source: &[Row], out: &mut [Row]) {
    assert!(out.len() >= sums.len(), "room for every sum");
    let in_range = sums.terms.iter().all(|&term| usize::from(term) < source.len());
    assert!(in_range, "no terms beyond the rows");
    in_kernel!(instructions, add(sums, source, out))
}

/// Transposes: entry `i` of vector `j` becomes entry `j` of source `i`, where the entries of all rows of a source
/// are numbered one after another. The number of vectors is the number of entries of a source.
pub fn transpose(
    instructions: Instructions,
    sources: &[StridedRows; PAIRS],
    vectors: &mut [PairVector],
) {
    assert!(vectors.len().is_multiple_of(ROW_ENTRIES), "vectors for whole rows");
    let last = (vectors.len() / ROW_ENTRIES).saturating_sub(1);
    let reaches = |source: &StridedRows| source.rows.len() > last * source.stride;
    assert!(sources.iter().all(reaches), "rows for every vector");
    in_kernel!(instructions, transpose(sources, vectors))
}

/// The sum over all weights, and over all pairs that `triples` has for a weight's partition, of the product of the
/// weight and the scalar product of the pair's two vectors.
pub fn join(
    instructions: Instructions,
    weights: &[Weight],
    triples: &Triples,
    vectors: [&[PairVector]; 2],
) -> u64 {
    assert!((0..2).all(|i| vectors[i].len() >= triples.places[i]), "a vector for every place");
    in_kernel!(instructions, join(weights, triples, vectors))
}

/// The reference: plain loops, which compilers turn into vector instructions of the target.
mod portable {
    use super::{
        PAIRS, PLACE_SCALE, PairVector, ROW_ENTRIES, Row, StridedRows, Sums, Triples, Weight,
    };
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_base::random::Random;

    fn rows(count: usize, random: &mut Random) -> Vec<Row> {
        let mut entry = || random.below(u32::from(MAX_FILLINGS) + 1) as u16;
        (0..count).map(|_| Row(std::array::from_fn(|_| entry()))).collect()
    }

    #[test]
    fn sums_of_rows_are_sums_of_entries() {
        let mut random = Random::from_seed(1);
        let source = rows(20, &mut random);
        let mut sums = Sums::default();
        sums.clear();
        let terms: Vec<Vec<usize>> =
            (0..12).map(|len| (0..len).map(|_| random.below(20) as usize).collect()).collect();
        for terms in &terms {
            terms.iter().for_each(|&term| sums.term(term));
            sums.end();
        }
        for kernel in Instructions::all() {
            let mut out = rows(12, &mut random);
            add(kernel, &sums, &source, &mut out);
            for (out, terms) in out.iter().zip(&terms) {
                for (entry, &sum) in out.0.iter().enumerate() {
                    let expected: u16 = terms.iter().map(|&term| source[term].0[entry]).sum();
                    assert_eq!(sum, expected, "{kernel:?}");
                }
            }
        }
    }

    #[test]
    fn transposing_exchanges_entries_and_sources() {
        let mut random = Random::from_seed(2);
        let source = rows(3 * PAIRS, &mut random);
        let sources = std::array::from_fn(|i| StridedRows { rows: &source[i..], stride: PAIRS });
        for kernel in Instructions::all() {
            let mut vectors = vec![PairVector::ZERO; 3 * ROW_ENTRIES];
            transpose(kernel, &sources, &mut vectors);
            for (place, vector) in vectors.iter().enumerate() {
                for (i, &entry) in vector.0.iter().enumerate() {
                    let row = &source[place / ROW_ENTRIES * PAIRS + i];
                    assert_eq!(entry, row.0[place % ROW_ENTRIES], "{kernel:?}");
                }
            }
        }
    }

    /// The largest numbers there may be are joined as well as random ones.
    #[test]
    fn joins_are_sums_of_products() {
        let mut random = Random::from_seed(3);
        let [b, c] = [200, 64].map(|places: usize| places.div_ceil(2));
        for largest in [false, true] {
            let mut vectors =
                |places: usize| -> Vec<PairVector> {
                    let rows = rows(places, &mut random);
                    let halves = rows
                        .iter()
                        .flat_map(|row| *row.0.as_chunks::<PAIRS>().0.as_array::<2>().unwrap());
                    halves
                        .map(|half| {
                            if largest {
                                PairVector([MAX_FILLINGS; PAIRS])
                            } else {
                                PairVector(half)
                            }
                        })
                        .collect()
                };
            let (second, third) = (vectors(b), vectors(c));
            let mut triples = Triples::new([200, 64]);
            let mut expected = 0_u128;
            let mut weights = Vec::new();
            for first in 0..60_u16 {
                let fillings = if largest { MAX_FILLINGS } else { first * 29 % MAX_FILLINGS };
                weights.push(Weight { first, fillings });
                for at in 0..if largest { 56 } else { first } {
                    let pair = [(first * 7 + at * 3) % 200, (first + at * 5) % 64];
                    triples.push(pair);
                    let (b, c) = (&second[usize::from(pair[0])], &third[usize::from(pair[1])]);
                    let products =
                        b.0.iter().zip(&c.0).map(|(&b, &c)| u128::from(b) * u128::from(c));
                    expected += products.sum::<u128>() * u128::from(fillings);
                }
                triples.end();
            }
            for kernel in Instructions::all() {
                let joined = join(kernel, &weights, &triples, [&second, &third]);
                assert_eq!(u128::from(joined), expected, "{kernel:?}");
            }
        }
    }
}
