//! The number of ways to fill a band, given the columns of its boxes.
//!
//! The row partitions of the three boxes of a band fit together as the column partitions of a stack do, so
//!
//! ```text
//! F(x, y, z) = sum over (p, q, r) that fit together of [p crosses x] [q crosses y] [r crosses z]
//! ```
//!
//! For one x, and all y and z at once, that takes three steps, each a sum of vectors ([`Row`]s) that have a number
//! for each y:
//!
//! 1. for each r: the vectors of the q that form a triple with r and a p that crosses x, at most 56 of 1,680;
//! 2. for each set s of three digits and each z without s: the sums of step 1 for the r that have s in their
//!    first row and cross z elsewhere, 8 of them;
//! 3. for each z: the sums of step 2 for all s, 27 of them. Steps 2 and 3 take a third of the 216 additions for
//!    each z that one step would take.

use super::boxes::BoxChoices;
use super::kernel::{self, ROW_ENTRIES, Row, Sums};
use super::partitions::{PARTITIONS, across, packed};
use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;

/// Computes the numbers of fillings of one band.
#[derive(Debug)]
pub struct Band {
    boxes: [BoxChoices; 3],
    /// For each block of partitions y and each row partition q: 1 for each y of the block that q crosses.
    crossing: Vec<Row>,
    /// The sums of the second step, by set s and z, and of the third step, by z.
    firsts: Sums,
    columns: Sums,
}

/// Working memory of [`Band::fill`], used again for the next slice.
#[derive(Debug, Default)]
pub struct Scratch {
    pairs: Sums,
    by_rows: Vec<Row>,
    by_firsts: Vec<Row>,
}

#[cfg(test)]
impl Scratch {
    /// The bytes of its rows.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&self.by_rows[..]) + size_of_val(&self.by_firsts[..])) as u64
    }
}

/// The numbers of fillings for one x: for each block of y, a row for each z.
pub type Slice = [Row];

impl Band {
    pub fn new(boxes: &[BoxChoices; 3]) -> Self {
        let [_, second, third] = boxes;
        let blocks = second.columns.len().div_ceil(ROW_ENTRIES);
        let mut crossing = vec![Row::ZERO; blocks * second.rows.len()];
        for (place, &columns) in second.columns.all.iter().enumerate() {
            let rows = &PARTITIONS.crossing[usize::from(columns)];
            for at in rows.iter().filter_map(|&rows| second.rows.place(rows)) {
                let row = place / ROW_ENTRIES * second.rows.len() + usize::from(at);
                crossing[row].0[place % ROW_ENTRIES] = 1;
            }
        }
        let (firsts, columns) = second_and_third_step(third);
        Self { boxes: boxes.clone(), crossing, firsts, columns }
    }

    /// The number of blocks of y.
    pub fn blocks(&self) -> usize {
        self.boxes[1].columns.len().div_ceil(ROW_ENTRIES)
    }

    /// The number of rows of a slice.
    pub fn rows(&self) -> usize {
        self.blocks() * self.boxes[2].columns.len()
    }

    /// The approximate number of additions of rows for a slice.
    pub fn additions(&self) -> u64 {
        let [first, second, third] = &self.boxes;
        // Of the 56 pairs (q, p) for each r, these shares have a q and a p that the clues allow; x crosses 216 of the 1,680 p.
        let shares = [first, second].map(|sides| sides.rows.len() as f64 / 1680.0);
        let pairs = third.rows.len() as f64 * 56.0 * 216.0 / 1680.0 * shares[0] * shares[1];
        (self.blocks() * (self.firsts.terms() + self.columns.terms() + pairs as usize)) as u64
    }

    /// Fills `slice`, which has [`rows`](Self::rows) rows, for the columns `x` of the first box.
    pub fn fill(
        &self,
        x: u16,
        instructions: Instructions,
        scratch: &mut Scratch,
        slice: &mut Slice,
    ) {
        let [_, second, third] = &self.boxes;
        self.find_pairs(x, &mut scratch.pairs);
        scratch.by_rows.resize(third.rows.len(), Row::ZERO);
        scratch.by_firsts.resize(self.firsts.len(), Row::ZERO);
        if slice.is_empty() {
            return;
        }
        for (block, out) in slice.chunks_exact_mut(third.columns.len()).enumerate() {
            let rows = second.rows.len();
            let crossing = &self.crossing[block * rows..][..rows];
            kernel::add(instructions, &scratch.pairs, crossing, &mut scratch.by_rows);
            kernel::add(instructions, &self.firsts, &scratch.by_rows, &mut scratch.by_firsts);
            kernel::add(instructions, &self.columns, &scratch.by_firsts, out);
        }
    }

    /// The sums of the first step: for each r, the q of the triples (p, q, r) whose p crosses x.
    fn find_pairs(&self, x: u16, pairs: &mut Sums) {
        let [first, second, third] = &self.boxes;
        let mut crosses = [false; super::partitions::PARTITION_COUNT];
        for &p in PARTITIONS.crossing[usize::from(x)].iter().filter(|&&p| first.rows.has(p)) {
            crosses[usize::from(p)] = true;
        }
        pairs.clear();
        for &r in &third.rows.all {
            for &[q, p] in &PARTITIONS.partners[usize::from(r)] {
                if crosses[usize::from(p)]
                    && let Some(q) = second.rows.place(q)
                {
                    pairs.term(q.into());
                }
            }
            pairs.end();
        }
    }
}

/// The second and the third step for the third box.
fn second_and_third_step(third: &BoxChoices) -> (Sums, Sums) {
    let mut firsts = Sums::default();
    let mut columns = Sums::default();
    firsts.clear();
    columns.clear();
    // The index of the sum of the second step, for each set of three digits in the first row (512 numbers of bits) and each
    // partition of the other six into columns (90).
    let mut sums = vec![None; 512 * 90];
    for &z in &third.columns.all {
        let z = PARTITIONS.parts[usize::from(z)];
        for first in across(z) {
            let left = z.map(|column| column & !first);
            let sum = *sums[usize::from(first) * 90 + pairs_number(left, first)]
                .get_or_insert_with(|| {
                    let sum = firsts.len();
                    let rows = across(left).filter_map(|second| {
                        let rows = PARTITIONS.number([first, second, 0x1ff & !first & !second]);
                        third.rows.place(rows)
                    });
                    rows.for_each(|row| firsts.term(row.into()));
                    firsts.end();
                    sum
                });
            columns.term(sum);
        }
        columns.end();
    }
    (firsts, columns)
}

/// The number, below 90, of an ordered partition of the six digits outside `first` into pairs.
fn pairs_number([a, b, _]: [u16; 3], first: u16) -> usize {
    let among_six = packed(a, 0x1ff & !first);
    let among_four = packed(b, 0x1ff & !first & !a);
    // The number of a pair among all pairs, which come in the order of their higher digits.
    let rank = |pair: u16| {
        let mut bits = bits(pair).map(u16::trailing_zeros);
        let low = bits.next().unwrap_or(0);
        let high = bits.next().unwrap_or(0);
        (high * (high.saturating_sub(1)) / 2 + low) as usize
    };
    // There are six pairs of four digits.
    rank(among_six) * 6 + rank(among_four)
}

#[cfg(test)]
mod tests {
    use super::super::boxes::boxes;
    use super::super::kernel::MAX_FILLINGS;
    use super::*;

    /// A band can be filled in 948,109,639,680 ways (9! * 2,612,736), as many for each x.
    #[test]
    fn an_empty_band_has_its_known_number_of_fillings() {
        let band = Band::new(&boxes(&[0; 81])[1]);
        let mut slice = vec![Row::ZERO; band.rows()];
        for x in [0, 777, 1679] {
            band.fill(x, Instructions::best(), &mut Scratch::default(), &mut slice);
            let all = || slice.iter().flat_map(|row| row.0);
            assert_eq!(all().map(u64::from).sum::<u64>(), 948_109_639_680 / 1680);
            // Renaming digits turns any x into this one, and clues leave fewer fillings.
            assert_eq!(all().max(), Some(MAX_FILLINGS));
        }
    }
}
