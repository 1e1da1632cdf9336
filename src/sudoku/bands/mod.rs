//! Counting the solutions of a grid that has too many to find each: its three bands are joined.
//!
//! ```text
//!      stack 0   stack 1   stack 2
//!     ┌─────────┬─────────┬─────────┐
//!     │   x1    │   y1    │   z1    │   F1(x1, y1, z1) ways to fill the first band
//!     ├─────────┼─────────┼─────────┤
//!     │   x2    │   y2    │   z2    │   F2(x2, y2, z2)
//!     ├─────────┼─────────┼─────────┤
//!     │   x3    │   y3    │   z3    │   F3(x3, y3, z3)
//!     └─────────┴─────────┴─────────┘
//! ```
//!
//! Bands meet in the columns alone. The columns of a box are an ordered partition of the nine digits
//! into three sets of three ([`partitions`]); those of a stack's three boxes fit together where they
//! share no digit in the same place: 94,080 triples. So
//!
//! ```text
//! solutions = sum over triples (x1, x2, x3), (y1, y2, y3), (z1, z2, z3)  F1 F2 F3
//! ```
//!
//! 1. `boxes` leaves out the partitions that the clues rule out; each clue divides the number of
//!    terms by about three.
//! 2. `arrangement` transposes the grid and orders its bands and stacks so that the sum is
//!    cheapest.
//! 3. `orbits`: digits that no clue shows and columns without clues are exchangeable, so few of the
//!    (x1, x2, x3) and z1 are needed, with weights.
//! 4. `fillings` computes F for one x and all y and z.
//! 5. `kernel`: for one (x1, z1), 32 pairs of (x2, z2) and (x3, z3) at a time are transposed, so
//!    that their numbers stand side by side for each y. The sum over y is then a sum of scalar
//!    products.
//!
//! `docs/bands.md` has more on it, and figures.

mod arrangement;
mod boxes;
mod fillings;
mod kernel;
mod orbits;
mod partitions;
mod sum;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use arrangement::Arrangement;
use fillings::Band;
use kernel::{PAIRS, PairVector, ROW_ENTRIES, Row, Triples, Weight};
use orbits::{DigitClasses, Group};

use super::grid::Grid;
use crate::cpu::Instructions;
use crate::idle::Idle;
use crate::search::{Costs, Counter, Revision, Stop, Stopped, Tally, thread_count};

/// What subtotals of this method belong to: [`Revision`] says when to raise a number.
const REVISION: Revision = Revision { algorithm: 1, layout: 1 };

/// Most bytes of slices that a subtree makes and holds at once.
const MAX_HELD_BYTES: usize = 24 << 20;
/// Working memory of a worker in addition to slices, in bytes; 1.2 MB is the most that was
/// measured.
const SCRATCH_BYTES: u64 = 2 << 20;
/// Vectors that are transposed in the time of one scalar product.
const TRANSPOSED_PER_PRODUCT: u64 = 3;
/// Subtrees are cut until each costs at most one part in this many of the whole,
const TARGET_SUBTREES: u64 = 400;
/// or at most this many scalar products (some milliseconds).
const MIN_CUT_PRODUCTS: u64 = 1 << 22;

/// The exact count of all solutions of one grid, by joining bands.
#[derive(Debug)]
pub struct BandJoin {
    instructions: Instructions,
    bands: [Band; 3],
    /// The columns of the first stack's boxes that a band has slices for, and the slices kept.
    slices: [Slices; 3],
    groups: Vec<Group>,
    /// For the classes of groups: the first band's partitions of the third stack, by place and with
    /// weights.
    thirds: BTreeMap<DigitClasses, Vec<(u16, u64)>>,
    /// The triples of the second stack, by places.
    second: Triples,
    /// The other two bands' partners of each first partition of the third stack, by places.
    partners: Vec<Vec<[u16; 2]>>,
    /// The number of partitions in the second stack.
    seconds: [usize; 3],
    subtrees: Vec<Subtree>,
    idle: Idle<Workspace>,
}

/// The slices of a band by x; they are kept if all of them fit into memory.
#[derive(Debug)]
struct Slices {
    kept: Option<BTreeMap<u16, OnceLock<Box<[Row]>>>>,
    rows: usize,
}

/// A subtree: some triples of a group, and some partitions of the third stack.
#[derive(Debug)]
struct Subtree {
    group: usize,
    triples: Range<usize>,
    thirds: Range<usize>,
    /// About how many scalar products of 32 numbers it takes.
    cost: u64,
}

/// What a worker needs, kept from subtree to subtree.
#[derive(Debug, Default)]
struct Workspace {
    scratch: fillings::Scratch,
    slices: Vec<Vec<Row>>,
    vectors: [Vec<PairVector>; 2],
    weights: Vec<Weight>,
}

impl BandJoin {
    /// Prepares the join for `grid` (some milliseconds). Each band keeps its slices if they take `kept`
    /// bytes at most, and makes them anew otherwise.
    pub fn new(grid: &Grid, kept: usize, instructions: Instructions) -> Self {
        Self::arranged(Arrangement::best(grid.cells()), kept, instructions)
    }

    fn arranged(
        Arrangement { cells, boxes, .. }: Arrangement,
        kept: usize,
        instructions: Instructions,
    ) -> Self {
        let bands = [0, 1, 2].map(|band: usize| Band::new(&boxes[band]));
        let exchanges = orbits::Exchanges::new(&cells);
        let columns = |band: usize, stack: usize| &boxes[band][stack].columns;
        let mut groups = exchanges.groups(&columns(0, 0).all, |first| {
            let (second, third) = (columns(1, 0), columns(2, 0));
            let pairs = second.partners(first, third);
            pairs.map(|[b, c]| [second.all[usize::from(b)], third.all[usize::from(c)]])
        });
        if bands.iter().any(|band| band.rows() == 0) {
            groups.clear();
        }
        let mut thirds = BTreeMap::new();
        for group in &groups {
            thirds.entry(group.classes).or_insert_with(|| {
                let chosen = exchanges.partitions(&columns(0, 2).all, &group.classes);
                let place = |partition| columns(0, 2).place(partition).expect("one of them");
                chosen.into_iter().map(|(it, weight)| (place(it), weight)).collect()
            });
        }
        let mut second = Triples::new([1, 2].map(|band| columns(band, 1).len()));
        for &first in &columns(0, 1).all {
            columns(1, 1).partners(first, columns(2, 1)).for_each(|pair| second.push(pair));
            second.end();
        }
        let partners = columns(0, 2).all.iter();
        let partners =
            partners.map(|&first| columns(1, 2).partners(first, columns(2, 2)).collect()).collect();
        let slices = [0, 1, 2].map(|band| {
            let mut wanted: Vec<u16> = match band {
                0 => groups.iter().map(|group| group.first).collect(),
                _ => groups.iter().flat_map(|group| &group.others).map(|it| it[band - 1]).collect(),
            };
            wanted.sort_unstable();
            wanted.dedup();
            Slices::new(&wanted, bands[band].rows(), kept)
        });
        let seconds = [0, 1, 2].map(|band| columns(band, 1).len());
        let (subtrees, idle) = (Vec::new(), Idle::default());
        let mut join = Self {
            instructions,
            bands,
            slices,
            groups,
            thirds,
            second,
            partners,
            seconds,
            subtrees,
            idle,
        };
        let most = (join.work() / TARGET_SUBTREES).max(MIN_CUT_PRODUCTS);
        join.subtrees = (0..join.groups.len()).flat_map(|group| join.cut(group, most)).collect();
        join
    }

    /// How many triples of a group can be held at once.
    fn held(&self) -> usize {
        let bytes = [1, 2].map(|band: usize| match self.slices[band].kept {
            Some(_) => 0,
            None => self.slices[band].rows * size_of::<Row>(),
        });
        MAX_HELD_BYTES.checked_div(bytes[0] + bytes[1]).map_or(usize::MAX, |held| held.max(1))
    }

    /// The most memory of one worker, in bytes.
    fn workspace_bytes(&self) -> u64 {
        let made = |band: usize| match self.slices[band].kept {
            Some(_) => 0,
            None => (self.slices[band].rows * size_of::<Row>()) as u64,
        };
        let (first, others) = (made(0), made(1) + made(2));
        let held = if others > 0 { others.max(MAX_HELD_BYTES as u64) } else { 0 };
        let vectors = (self.bands[1].blocks() + self.bands[2].blocks())
            * ROW_ENTRIES
            * size_of::<PairVector>();
        first + held + vectors as u64 + SCRATCH_BYTES
    }

    /// The cost of one transposition, and of the products with it.
    fn batch_cost(&self) -> u64 {
        let blocks = self.bands[1].blocks() + self.bands[2].blocks();
        self.second.len() as u64 + (blocks * ROW_ENTRIES) as u64 / TRANSPOSED_PER_PRODUCT
    }

    /// The cost of the slices for this many triples, unless they are kept: an addition of rows
    /// takes as long as a scalar product of vectors.
    fn slices_cost(&self, triples: usize) -> u64 {
        let cost = |band: usize, times: usize| match self.slices[band].kept {
            Some(_) => 0,
            None => self.bands[band].additions() * times as u64,
        };
        cost(0, 1) + cost(1, triples) + cost(2, triples)
    }

    /// Below 2^64: there are at most 94,080 · 56 · 1,680 / 32 batches of pairs, each of which costs about 10^5.
    fn cost_of(&self, triples: usize, thirds: &[(u16, u64)]) -> u64 {
        let vectors = |&(third, _): &(u16, u64)| {
            (triples * self.partners[usize::from(third)].len()).div_ceil(PAIRS) as u64
        };
        let vectors: u64 = thirds.iter().map(vectors).sum();
        vectors * self.batch_cost() + self.slices_cost(triples)
    }

    /// Cuts a group into subtrees; none costs much more than `most`.
    fn cut(&self, group: usize, most: u64) -> Vec<Subtree> {
        let Group { others, classes, .. } = &self.groups[group];
        let thirds = &self.thirds[classes];
        let one = self.cost_of(others.len(), thirds).div_ceil(others.len() as u64).max(1);
        let many = ((most / one) as usize).clamp(1, self.held());
        let mut cut = Vec::new();
        for start in (0..others.len()).step_by(many) {
            let triples = start..others.len().min(start + many);
            let cost = self.cost_of(triples.len(), thirds) - self.slices_cost(triples.len());
            // Each part of the third stack makes the slices again, so it should cost more than they
            // do.
            let worth = most.max(4 * self.slices_cost(triples.len()));
            let parts = (cost / worth).clamp(1, thirds.len().max(1) as u64) as usize;
            let step = thirds.len().div_ceil(parts).max(1);
            for start in (0..thirds.len()).step_by(step) {
                let part = start..thirds.len().min(start + step);
                let cost = self.cost_of(triples.len(), &thirds[part.clone()]);
                cut.push(Subtree { group, triples: triples.clone(), thirds: part, cost });
            }
        }
        cut
    }

    /// About how many scalar products of 32 numbers the count takes.
    pub fn work(&self) -> u64 {
        let groups = self.groups.iter();
        groups.map(|group| self.cost_of(group.others.len(), &self.thirds[&group.classes])).sum()
    }
}

impl Slices {
    fn new(wanted: &[u16], rows: usize, kept: usize) -> Self {
        let fits = wanted.len() * rows * size_of::<Row>() <= kept;
        let kept = fits.then(|| wanted.iter().map(|&x| (x, OnceLock::new())).collect());
        Self { kept, rows }
    }

    /// The bytes of all kept slices.
    fn kept_bytes(&self) -> usize {
        let kept = self.kept.as_ref().map_or(0, BTreeMap::len);
        kept * self.rows * size_of::<Row>()
    }
}

impl Counter for BandJoin {
    fn revision(&self) -> Revision {
        REVISION
    }

    /// The kept slices, and the working memory of the default number of workers.
    fn memory(&self) -> u64 {
        let kept: usize = self.slices.iter().map(Slices::kept_bytes).sum();
        kept as u64 + self.workspace_bytes() * thread_count(0) as u64
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(|subtree| subtree.cost).collect())
    }

    /// Stops some milliseconds after `stop` is raised.
    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let mut memory = self.idle.take().unwrap_or_default();
        let counted = self.count_in(&self.subtrees[subtree], &mut memory, stop);
        self.idle.put(memory);
        counted.map(Tally::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::solve;

    /// Checks that all arrangements have the same count; takes one in `step`.
    fn every_arrangement_counts_alike(grid: &str, step: usize) {
        let grid: Grid = grid.parse().unwrap();
        let expected = u128::from(solve(&grid, u64::MAX).count);
        let arrangements = Arrangement::all(grid.cells()).into_iter().enumerate();
        for (at, arrangement) in arrangements.step_by(step) {
            // With and without slices that are kept.
            let kept = [0, 64 << 20][at % 2];
            let join = BandJoin::arranged(arrangement, kept, Instructions::best());
            let subtrees = 0..join.subtrees.len();
            let counts = subtrees.map(|number| join.count(number, &Stop::new()).unwrap());
            assert_eq!(counts.map(Tally::solutions).sum::<u128>(), expected, "arrangement {at}");
        }
    }

    #[test]
    fn arrangements_of_scattered_clues_count_alike() {
        every_arrangement_counts_alike(
            "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8.",
            5,
        );
    }

    /// Two digits are without a clue, and columns of some stacks but not of others, so that what may be
    /// exchanged differs from stack to stack.
    #[test]
    fn arrangements_of_stacks_with_other_exchanges_count_alike() {
        for grid in [
            "..46....2..2...348..83..567...7..423..68..7....3...856...5..284..74..635..52...7.",
            "..46789.......5..8..834...7...76...3..6853.9...3..4..6...537..4..74....5..5.86.7.",
        ] {
            every_arrangement_counts_alike(grid, 1);
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
    fn no_more_memory_is_taken_than_was_said() {
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
            let said = join.memory();
            assert!(said >= kept_bytes + own, "{said} for {kept_bytes} + {own}");
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
                    .flat_map(|it| {
                        it.triples.flat_map(move |a| it.thirds.clone().map(move |b| (a, b)))
                    })
                    .collect();
                pairs.sort_unstable();
                let thirds = join.thirds[classes].len();
                let all = (0..others.len()).flat_map(|a| (0..thirds).map(move |b| (a, b)));
                assert!(pairs.into_iter().eq(all), "group {group} cut at {most}");
            }
        }
    }
}
