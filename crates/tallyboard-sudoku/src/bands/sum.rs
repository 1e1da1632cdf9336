//! Counts a subtree: makes slices, transposes vectors, adds up scalar products.

use super::fillings::Scratch;
use super::kernel::{self, PAIRS, PairVector, ROW_ENTRIES, Row, StridedRows, Weight};
use super::{BandJoin, Slices, Subtree, Workspace};
use tallyboard_base::array::array;
use tallyboard_search::{Stop, Stopped};

impl BandJoin {
    /// The number of solutions of a subtree.
    pub(super) fn count_subtree(
        &self,
        subtree: &Subtree,
        memory: &mut Workspace,
        stop: &Stop,
    ) -> Result<u128, Stopped> {
        let group = &self.groups[subtree.group];
        let others = &group.others[subtree.triples.clone()];
        let wanted: Vec<(usize, u16)> = std::iter::once((0, group.first))
            .chain(others.iter().flat_map(|&[b, c]| [(1, b), (2, c)]))
            .collect();
        let Workspace { scratch, slices, vectors, weights } = memory;
        slices.resize_with(slices.len().max(wanted.len()), Vec::new);
        let mut made = Vec::with_capacity(wanted.len());
        for (&(band, x), own) in wanted.iter().zip(slices) {
            stop.check()?;
            made.push(self.slice(band, x, scratch, own));
        }
        let first = made[0];
        let others = &made[1..];
        for (vectors, band) in vectors.iter_mut().zip([1, 2]) {
            vectors.resize(self.bands[band].blocks() * ROW_ENTRIES, PairVector::ZERO);
        }
        let mut sum = 0;
        for &(third, weight) in
            &self.third_partitions[&group.classes][subtree.third_partitions.clone()]
        {
            stop.check()?;
            self.collect_weights(first, third, weights);
            if !weights.is_empty() {
                sum += u128::from(weight) * self.join(third, others, weights, vectors);
            }
        }
        // 128 bits cannot overflow: the sum counts solutions, of which no grid has more than 10^22.
        Ok(sum * u128::from(group.weight))
    }

    /// The slice of a band for x: a kept one, or one made in `own`.
    fn slice<'a>(
        &'a self,
        band: usize,
        x: u16,
        scratch: &mut Scratch,
        own: &'a mut Vec<Row>,
    ) -> &'a [Row] {
        let Slices { kept, rows } = &self.slices[band];
        match kept {
            Some(kept) => kept[&x].get_or_init(|| {
                let mut slice = vec![Row::ZERO; *rows].into_boxed_slice();
                self.bands[band].fill(x, self.instructions, scratch, &mut slice);
                slice
            }),
            None => {
                own.resize((*rows).max(own.len()), Row::ZERO);
                self.bands[band].fill(x, self.instructions, scratch, &mut own[..*rows]);
                &own[..*rows]
            }
        }
    }

    /// Collects the first band's numbers of fillings that are not zero, for one partition of the third stack.
    fn collect_weights(&self, slice: &[Row], third: u16, weights: &mut Vec<Weight>) {
        weights.clear();
        let rows = slice.iter().skip(third.into()).step_by(self.third_pairs.len());
        let all = rows.flat_map(|row| &row.0).take(self.second_partitions);
        let all = all.zip(0..).map(|(&fillings, first)| Weight { first, fillings });
        weights.extend(all.filter(|weight| weight.fillings > 0));
    }

    /// The sum for one of the first band's partitions in the third stack. `slices` alternate between the second and
    /// the third band.
    fn join(
        &self,
        third: u16,
        slices: &[&[Row]],
        weights: &[Weight],
        vectors: &mut [Vec<PairVector>; 2],
    ) -> u128 {
        let strides = [1, 2].map(|band| self.bands[band].rows() / self.bands[band].blocks());
        // The rows of each pair in the second and the third band.
        let mut pairs = slices.chunks_exact(2).flat_map(|pair| {
            self.third_pairs[usize::from(third)].iter().map(move |places| {
                array(|i| StridedRows {
                    rows: &pair[i][usize::from(places[i])..],
                    stride: strides[i],
                })
            })
        });
        let zero = StridedRows { rows: &[Row::ZERO], stride: 0 };
        let mut sum = 0;
        loop {
            let mut sources = [[zero; PAIRS]; 2];
            let mut used = 0;
            for [of_second, of_third] in pairs.by_ref().take(PAIRS) {
                sources[0][used] = of_second;
                sources[1][used] = of_third;
                used += 1;
            }
            if used == 0 {
                return sum;
            }
            for (sources, vectors) in sources.iter().zip(vectors.iter_mut()) {
                kernel::transpose(self.instructions, sources, vectors);
            }
            let vectors = [&vectors[0][..], &vectors[1][..]];
            let joined = kernel::join(self.instructions, weights, &self.second_triples, vectors);
            sum += u128::from(joined);
        }
    }
}
