//! Counts the solutions of a grid with too many solutions to find each, by joining its three bands.
//!
//! The bands share columns only. The columns of a box are an ordered partition of the nine digits into
//! three sets of three ([`partitions`]). Those of the i-th band's boxes are called xi, yi and zi here, and Fi(xi, yi, zi) is the
//! number of ways to fill the band with them. The partitions of a stack's three boxes fit together if no column has a digit
//! twice: 94,080 triples. So
//!
//! ```text
//! solutions = sum over triples (x1, x2, x3), (y1, y2, y3), (z1, z2, z3)  F1 F2 F3
//! ```
//!
//! 1. `boxes` removes the partitions that contradict the clues. Each clue divides the number of terms by about three.
//! 2. `arrangement` transposes the grid and orders its bands and stacks so that the sum is cheapest.
//! 3. `orbits`: digits that no clue shows, and columns without clues, can be exchanged. So few of the
//!    (x1, x2, x3) and z1 have to be counted, each with a weight.
//! 4. `fillings` computes F for one x and all y and z.
//! 5. `kernel`: for one (x1, z1), 32 pairs of (x2, z2) and (x3, z3) at a time are transposed: for each y,
//!    their 32 numbers become one vector. The sum over y is then a sum of scalar products.
//!
//! # Bands meet in the columns alone
//!
//! ```text
//!            stack 0     stack 1     stack 2
//!          ┌───────────┬───────────┬───────────┐
//!          │ 1 2 3     │           │           │
//!   band 0 │ 4 5 6  x1 │     y1    │     z1    │   F1(x1, y1, z1) ways to fill it
//!          │ 7 8 9     │           │           │
//!          ├───────────┼───────────┼───────────┤
//!   band 1 │       x2  │     y2    │     z2    │   F2(x2, y2, z2)
//!          ├───────────┼───────────┼───────────┤
//!   band 2 │       x3  │     y3    │     z3    │   F3(x3, y3, z3)
//!          └───────────┴───────────┴───────────┘
//! ```
//!
//! The other bands need to know only one thing about a box: which three digits stand in each of its
//! columns. In the box drawn these sets are 147, 258 and 369: an ordered partition of the nine digits
//! into three sets of three. There are 9! / (3! 3! 3!) = 1,680 of them.
//!
//! In a stack, x1, x2 and x3 fit together if each column has nine different digits: they share no digit in
//! the same place. For each x1 there are 56 such x2, and each pair leaves exactly one x3, so a stack has
//! 1,680 * 56 = 94,080 triples. Let F(x, y, z) be the number of ways to fill a band whose boxes have these
//! columns; then
//!
//! ```text
//! solutions = sum over a triple for each stack of F1(x1, y1, z1) F2(x2, y2, z2) F3(x3, y3, z3)
//! ```
//!
//! which has 94,080^3 = 8.3 * 10^14 terms for the empty grid. A clue leaves a third of the partitions of its
//! box, and so a third of the terms.
//!
//! # What is not added up
//!
//! * **Digits that no clue shows** can be exchanged everywhere. Of the triples (x1, x2, x3) that such exchanges
//!   turn into each other only one is computed, and its result multiplied by their number. Exchanges that leave the
//!   triple unchanged do the same for z1. k such digits divide the work by up to k!.
//! * **Columns without clues** can be exchanged within their stack, in stacks 0 and 2.
//! * **The right way round**: transposing the grid turns stacks into bands, and bands and stacks may be
//!   put into any order. Of the 36 ways that differ, the one with the least work by an estimate is taken.
//!
//! # How F is made
//!
//! The rows of the boxes partition the digits, too, and fit together in a band like columns in a stack.
//! Columns and rows of a box go together if each column meets each row in one digit, 216 for each. So F
//! adds up 94,080 triples of row partitions, each of which either fits x, y and z or not. For one x it is
//! made for all y and z at once, by adding whole rows of numbers, one for each y, in three steps
//! (`fillings.rs`): 118,000 such additions, instead of 375,000 without the steps in
//! between. Numbers of fillings are at most 1,728, so 16 bits hold them. They are kept as long as there is
//! room (64 MiB a band) and made anew otherwise.
//!
//! # How the sum is made
//!
//! For given (x1, x2, x3) and z1 there are at most 56 pairs (z2, z3). Their F2 and F3 are transposed into
//! vectors of 32 numbers of 16 bits, one vector for each y2 and each y3:
//!
//! ```text
//! vector of y2:  F2(x2, y2, z2), F2(x2, y2, z2'), ...      64 bytes
//! vector of y3:  F3(x3, y3, z3), F3(x3, y3, z3'), ...      64 bytes
//! ```
//!
//! Then the sum over all (y1, y2, y3) is one scalar product of two vectors for each, times F1(x1, y1, z1): a
//! load, a multiplication that adds neighbours, and an addition for 32 terms with AVX-512. AVX2 and
//! portable code do the same on shorter registers. If few pairs are left, those of several (x2, x3) with
//! the same x1 share a vector.
//!
//! Products of two numbers of fillings fit 22 bits, sums of 112 of them 29; a join of vectors stays below
//! 2^56, and everything beyond is added up in 128 bits.
//!
//! # Puzzles of a file: by lists
//!
//! The preparation of such a join takes milliseconds, as it makes tables for all 1,680 partitions. A puzzle with 20 clues and more
//! leaves each box some dozens of them, and each stack some dozens of triples. `lists/` lists them:
//!
//! ```text
//! for each band, the triples of row partitions (p, q, r) of its boxes; for each stack, those of columns
//! for each band and each (p, q, r):  F(x, y, z) += 1 for all x that cross p, y that cross q, z that cross r
//! solutions = sum over a triple of columns for each stack of F1 F2 F3
//! ```
//!
//! Candidates rule out more than clues do: a digit that deduction keeps out of a row of a box rules out all row partitions that
//! have it there. Rows of F have an entry for each triple of the stack that has most of them, in vectors of 32, so that
//! filling is additions of vectors, and summing up a multiplication of three of them. It takes some 20 µs for a puzzle of 1,000
//! solutions and 600 µs for one of a million, where a search takes 24 µs and 24 ms.
//!
//! Which is cheaper is not known beforehand, but the number of candidates tells much: a puzzle with c of them (beyond one a cell)
//! has about 10^(0.0312 c - 1.57) solutions; for half of all puzzles that is right within a factor of 2. So a puzzle with many
//! candidates is searched for 16 solutions only, which the hardest puzzles with one do not have, and others for some hundred or
//! thousand, before lists are made.
//!
//! # How sure it is
//!
//! Tests count the same grids by enumeration, by all arrangements, by every kernel, after random
//! exchanges of rows, columns and digits, and as the sum over the values of an open cell. The empty band
//! comes out as 948,109,639,680, the empty grid as the number that others have published.
//!
//! # What it takes
//!
//! `benches/records_bands.sh` draws grids with 0 to 18 clues and prints a table, as in
//! `benches/records/2026-11-22-bands.md`. Dearest are grids with four to nine clues. It needs
//! at most 192 MiB in all, and 32 MiB for each thread.

mod fillings;
mod kernel;
mod lists;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::Grid;
use fillings::{Arrangement, Band, Choices, DigitClasses, Exchanges, Group, Scratch};
use kernel::{PAIRS, PairVector, ROW_ENTRIES, Row, StridedRows, Triples, Weight};
pub use lists::{BoxLines, CellSums, LINE_BITS, Limits, Lines, ListJoin};
use tallyboard_base::array::array;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::idle::Idle;
use tallyboard_search::{Costs, Problem, Revision, Stop, Stopped, Tally};

/// The version of this engine; [`Revision`] says when to raise a number.
pub(super) const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// Upper bound on the bytes of slices that a worker makes for a subtree and holds at once.
const MAX_HELD_BYTES: usize = 24 << 20;
/// Working memory of a worker in addition to slices and vectors, in bytes. Measured: 1.2 MB at most.
const SCRATCH_BYTES: u64 = 2 << 20;
/// The number of vectors that are transposed in the time of one scalar product.
const VECTORS_TRANSPOSED_PER_PRODUCT: u64 = 3;
/// Subtrees are cut until each costs at most the whole divided by this, but see [`MIN_CUT_PRODUCTS`].
const TARGET_SUBTREES: u64 = 400;
/// A subtree of at most this many scalar products (some milliseconds) is not cut.
const MIN_CUT_PRODUCTS: u64 = 1 << 22;

/// The exact count of all solutions of one grid, by joining bands.
#[derive(Debug)]
pub struct BandJoin {
    instructions: Instructions,
    bands: [Band; 3],
    /// The slices of each band: one for each x that is needed.
    slices: [Slices; 3],
    groups: Vec<Group>,
    /// For each set of classes: the first band's partitions in the third stack, as indexes, with weights.
    third_partitions: BTreeMap<DigitClasses, Vec<(u16, u64)>>,
    /// The triples of the second stack, as indexes.
    second_triples: Triples,
    /// For each partition of the first band in the third stack: the pairs of the other two bands that complete
    /// triples, as indexes.
    third_pairs: Vec<Vec<[u16; 2]>>,
    /// The number of column partitions of the first band in the second stack.
    second_partitions: usize,
    subtrees: Vec<Subtree>,
    idle: Idle<Workspace>,
}

/// The slices of a band by x. They are kept if all of them fit into memory, otherwise each subtree makes its own.
#[derive(Debug)]
struct Slices {
    kept: Option<BTreeMap<u16, OnceLock<Box<[Row]>>>>,
    /// The number of rows of a slice.
    rows: usize,
}

/// A subtree: some triples of a group, with some of the first band's partitions in the third stack.
#[derive(Debug)]
struct Subtree {
    group: usize,
    triples: Range<usize>,
    third_partitions: Range<usize>,
    /// The approximate number of scalar products of 32 numbers that it takes.
    cost: u64,
}

/// The memory of a worker, used again for the next subtree.
#[derive(Debug, Default)]
struct Workspace {
    scratch: fillings::Scratch,
    slices: Vec<Vec<Row>>,
    vectors: [Vec<PairVector>; 2],
    weights: Vec<Weight>,
}

impl BandJoin {
    /// Prepares the join for `grid` (some milliseconds). A band keeps its slices if they take at most
    /// `max_kept_bytes`; otherwise each subtree makes those it needs.
    pub fn new(grid: &Grid, max_kept_bytes: usize, instructions: Instructions) -> Self {
        Self::of_arrangement(Arrangement::best(grid.cells()), max_kept_bytes, instructions)
    }

    fn of_arrangement(
        Arrangement { cells, boxes, .. }: Arrangement,
        max_kept_bytes: usize,
        instructions: Instructions,
    ) -> Self {
        let bands = [0, 1, 2].map(|band: usize| Band::new(&boxes[band]));
        let columns = |band: usize, stack: usize| &boxes[band][stack].columns;
        let exchanges = Exchanges::new(&cells);
        let mut groups = exchanges.groups(&columns(0, 0).all, |first| {
            let second = columns(1, 0);
            let third = columns(2, 0);
            let pairs = second.partners(first, third);
            pairs.map(|[b, c]| [second.all[usize::from(b)], third.all[usize::from(c)]])
        });
        if bands.iter().any(|band| band.rows() == 0) {
            groups.clear();
        }
        let third_partitions = third_partitions(&exchanges, columns(0, 2), &groups);
        let partners = columns(0, 2).all.iter();
        let third_pairs =
            partners.map(|&first| columns(1, 2).partners(first, columns(2, 2)).collect()).collect();
        let slices = [0, 1, 2].map(|band| {
            Slices::new(&first_columns(&groups, band), bands[band].rows(), max_kept_bytes)
        });
        let mut join = Self {
            instructions,
            bands,
            slices,
            groups,
            third_partitions,
            second_triples: triples([0, 1, 2].map(|band| columns(band, 1))),
            third_pairs,
            second_partitions: columns(0, 1).len(),
            subtrees: Vec::new(),
            idle: Idle::default(),
        };
        let max_cost = (join.work() / TARGET_SUBTREES).max(MIN_CUT_PRODUCTS);
        let groups = 0..join.groups.len();
        join.subtrees = groups.flat_map(|group| join.cut(group, max_cost)).collect();
        join
    }

    /// Upper bound on the triples of a subtree: a worker holds the slices of all of them.
    fn max_triples(&self) -> usize {
        let bytes = self.slices[1].made_bytes() + self.slices[2].made_bytes();
        MAX_HELD_BYTES.checked_div(bytes).map_or(usize::MAX, |triples| triples.max(1))
    }

    /// The number of vectors that a batch of pairs becomes.
    fn vectors(&self) -> usize {
        (self.bands[1].blocks() + self.bands[2].blocks()) * ROW_ENTRIES
    }

    /// The cost of a batch: of the transposition of up to 32 pairs, and of the products with them.
    fn batch_cost(&self) -> u64 {
        self.second_triples.len() as u64 + self.vectors() as u64 / VECTORS_TRANSPOSED_PER_PRODUCT
    }

    /// The cost of making the slices for this many triples; 0 for bands that keep their slices. An addition of
    /// rows takes as long as a scalar product of vectors.
    fn slices_cost(&self, triples: usize) -> u64 {
        let cost = |band: usize, times: usize| match self.slices[band].kept {
            Some(_) => 0,
            None => self.bands[band].additions() * times as u64,
        };
        cost(0, 1) + cost(1, triples) + cost(2, triples)
    }

    /// The cost of `triples` triples with these partitions of the third stack. It fits in 64 bits: there are at
    /// most 94,080 · 56 · 1,680 / 32 batches, each of which costs about 10^5.
    fn cost_of(&self, triples: usize, thirds: &[(u16, u64)]) -> u64 {
        let vectors = |&(third, _): &(u16, u64)| {
            (triples * self.third_pairs[usize::from(third)].len()).div_ceil(PAIRS) as u64
        };
        let vectors: u64 = thirds.iter().map(vectors).sum();
        vectors * self.batch_cost() + self.slices_cost(triples)
    }

    /// Cuts a group into subtrees, none of which costs much more than `max_cost`.
    fn cut(&self, group: usize, max_cost: u64) -> Vec<Subtree> {
        let Group { others, classes, .. } = &self.groups[group];
        let thirds = &self.third_partitions[classes];
        let triple_cost = self.cost_of(others.len(), thirds).div_ceil(others.len() as u64).max(1);
        let step = ((max_cost / triple_cost) as usize).clamp(1, self.max_triples());
        let mut cut = Vec::new();
        for start in (0..others.len()).step_by(step) {
            let triples = start..others.len().min(start + step);
            let cost = self.cost_of(triples.len(), thirds) - self.slices_cost(triples.len());
            // Each part of the third stack makes the slices again, so it has to cost more than they do.
            let part_cost = max_cost.max(4 * self.slices_cost(triples.len()));
            let parts = (cost / part_cost).clamp(1, thirds.len().max(1) as u64) as usize;
            let step = thirds.len().div_ceil(parts).max(1);
            for start in (0..thirds.len()).step_by(step) {
                let part = start..thirds.len().min(start + step);
                let cost = self.cost_of(triples.len(), &thirds[part.clone()]);
                let triples = triples.clone();
                cut.push(Subtree { group, triples, third_partitions: part, cost });
            }
        }
        cut
    }

    /// The approximate number of scalar products of 32 numbers that the count takes.
    pub fn work(&self) -> u64 {
        let groups = self.groups.iter();
        groups
            .map(|group| self.cost_of(group.others.len(), &self.third_partitions[&group.classes]))
            .sum()
    }
}

/// For the classes of each group: one partition of each orbit of the first band's partitions in the third stack, as
/// an index, and the size of the orbit.
fn third_partitions(
    exchanges: &Exchanges,
    columns: &Choices,
    groups: &[Group],
) -> BTreeMap<DigitClasses, Vec<(u16, u64)>> {
    let mut partitions = BTreeMap::new();
    for group in groups {
        partitions.entry(group.classes).or_insert_with(|| {
            let chosen = exchanges.partitions(&columns.all, &group.classes);
            let place = |partition| columns.place(partition).expect("one of them");
            chosen.into_iter().map(|(partition, weight)| (place(partition), weight)).collect()
        });
    }
    partitions
}

/// The triples of a stack whose boxes have these columns, as indexes.
fn triples([first, second, third]: [&Choices; 3]) -> Triples {
    let mut triples = Triples::new([second.len(), third.len()]);
    for &partition in &first.all {
        second.partners(partition, third).for_each(|pair| triples.push(pair));
        triples.end();
    }
    triples
}

/// The column partitions of a band's first box that occur in `groups`, ascending.
fn first_columns(groups: &[Group], band: usize) -> Vec<u16> {
    let mut columns: Vec<u16> = match band {
        0 => groups.iter().map(|group| group.first).collect(),
        _ => groups.iter().flat_map(|group| &group.others).map(|other| other[band - 1]).collect(),
    };
    columns.sort_unstable();
    columns.dedup();
    columns
}

impl Slices {
    /// No slices yet, for each of `columns`: the x that subtrees need.
    fn new(columns: &[u16], rows: usize, max_kept_bytes: usize) -> Self {
        let fits = columns.len() * rows * size_of::<Row>() <= max_kept_bytes;
        let kept = fits.then(|| columns.iter().map(|&x| (x, OnceLock::new())).collect());
        Self { kept, rows }
    }

    /// The bytes of a slice that a subtree makes itself; 0 if slices are kept.
    fn made_bytes(&self) -> usize {
        if self.kept.is_some() { 0 } else { self.rows * size_of::<Row>() }
    }

    /// The bytes of all kept slices.
    fn kept_bytes(&self) -> usize {
        let kept = self.kept.as_ref().map_or(0, BTreeMap::len);
        kept * self.rows * size_of::<Row>()
    }
}

impl Problem for BandJoin {
    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    /// The kept slices.
    fn memory(&self) -> u64 {
        self.slices.iter().map(Slices::kept_bytes).sum::<usize>() as u64
    }

    fn worker_memory(&self) -> u64 {
        let [first, second, third] = self.slices.each_ref().map(Slices::made_bytes);
        let others = second + third;
        let held = if others > 0 { others.max(MAX_HELD_BYTES) } else { 0 };
        let vectors = self.vectors() * size_of::<PairVector>();
        (first + held + vectors) as u64 + SCRATCH_BYTES
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(|subtree| subtree.cost).collect())
    }

    /// Stops some milliseconds after `stop` is raised.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let mut memory = self.idle.take().unwrap_or_default();
        let counted = self.count_subtree(&self.subtrees[subtree], &mut memory, stop);
        self.idle.put(memory);
        counted.map(Tally::new)
    }
}

// Counts a subtree: makes slices, transposes vectors, adds up scalar products.

impl BandJoin {
    /// The number of solutions of a subtree.
    fn count_subtree(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve_up_to;

    /// Checks that all arrangements have equal counts; tests every `step`-th.
    fn every_arrangement_counts_alike(grid: &str, step: usize) {
        let grid: Grid = grid.parse().unwrap();
        let expected = u128::from(solve_up_to(&grid, u64::MAX).count);
        let arrangements = Arrangement::all(grid.cells()).into_iter().enumerate();
        for (at, arrangement) in arrangements.step_by(step) {
            // With and without slices that are kept.
            let kept = [0, 64 << 20][at % 2];
            let join = BandJoin::of_arrangement(arrangement, kept, Instructions::best());
            let subtrees = 0..join.subtrees.len();
            let counts = subtrees.map(|number| join.count(number, &Stop::new()).unwrap());
            assert_eq!(counts.map(Tally::solutions).sum::<u128>(), expected, "arrangement {at}");
        }
    }

    /// In the last two grids, two digits are without a clue, and columns of some stacks but not of others, so that what may be
    /// exchanged differs from stack to stack.
    #[test]
    fn arrangements_count_alike() {
        for (grid, step) in [
            (
                "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8.",
                5,
            ),
            (
                "..46....2..2...348..83..567...7..423..68..7....3...856...5..284..74..635..52...7.",
                1,
            ),
            (
                "..46789.......5..8..834...7...76...3..6853.9...3..4..6...537..4..74....5..5.86.7.",
                1,
            ),
        ] {
            every_arrangement_counts_alike(grid, step);
        }
    }

    /// Costs decide how subtrees are cut, and so which subtotals there are.
    #[test]
    fn slices_cost_their_additions_unless_they_are_kept() {
        let grid = format!("1234.....{}", ".".repeat(72)).parse().unwrap();
        let slices_cost = |kept, triples| {
            let join = BandJoin::new(&grid, kept, Instructions::best());
            (join.slices_cost(triples), [0, 1, 2].map(|band: usize| join.bands[band].additions()))
        };
        let (cost, [first, second, third]) = slices_cost(0, 5);
        assert!(first > 0 && second > 0 && third > 0);
        assert_eq!(cost, first + 5 * second + 5 * third);
        assert_eq!(slices_cost(usize::MAX, 5).0, 0);
    }

    #[test]
    fn no_more_memory_is_taken_than_is_stated() {
        let grid = format!("1234.....{}", ".".repeat(72)).parse().unwrap();
        for kept in [0, 64 << 20] {
            let join = BandJoin::new(&grid, kept, Instructions::best());
            for subtree in 0..join.subtrees.len().min(20) {
                join.count(subtree, &Stop::new()).unwrap();
            }
            let bytes = |rows: usize| (rows * size_of::<Row>()) as u64;
            let of_band = |slices: &Slices| {
                let made = slices.kept.iter().flat_map(BTreeMap::values).filter_map(OnceLock::get);
                made.map(|slice| bytes(slice.len())).sum::<u64>()
            };
            let kept_bytes: u64 = join.slices.iter().map(of_band).sum();
            let Workspace { slices, vectors, scratch, .. } = join.idle.take().unwrap();
            let vectors: usize = vectors.iter().map(|vectors| size_of_val(&vectors[..])).sum();
            let own = slices.iter().map(|slice| bytes(slice.len())).sum::<u64>() + vectors as u64;
            assert_eq!(kept_bytes > 0, kept > 0);
            assert!(scratch.bytes() <= SCRATCH_BYTES, "{}", scratch.bytes());
            let stated = [join.memory(), join.worker_memory()];
            assert!(
                stated[0] >= kept_bytes && stated[1] >= own,
                "{stated:?}, {kept_bytes} + {own}"
            );
        }
    }

    #[test]
    fn every_triple_is_joined_with_every_third_once_however_fine_the_cut() {
        let grid = format!("1234.....{}", ".".repeat(72)).parse().unwrap();
        let join = BandJoin::new(&grid, 0, Instructions::best());
        for most in [1, 1 << 16, 1 << 22, 1 << 30, u64::MAX] {
            for (group, Group { others, classes, .. }) in join.groups.iter().enumerate().step_by(9)
            {
                let mut pairs: Vec<(usize, usize)> = join
                    .cut(group, most)
                    .into_iter()
                    .flat_map(|Subtree { triples, third_partitions, .. }| {
                        triples.flat_map(move |a| third_partitions.clone().map(move |b| (a, b)))
                    })
                    .collect();
                pairs.sort_unstable();
                let thirds = join.third_partitions[classes].len();
                let all = (0..others.len()).flat_map(|a| (0..thirds).map(move |b| (a, b)));
                assert!(pairs.into_iter().eq(all), "group {group} cut at {most}");
            }
        }
    }
}
