//! Counting the solutions of a grid by lists: bands are joined as in [`bands`](super), for grids whose
//! candidates leave few partitions.
//!
//! ```text
//! for each band, the triples of row partitions of its boxes; for each stack, those of columns
//! for each band and each triple (p, q, r) of its rows:                          -- fill
//!     F(x, y, z) += 1 for all x that cross p, y that cross q, z that cross r
//! solutions := sum over a triple of columns for each stack of F1 F2 F3          -- sum
//! ```
//!
//! Everything is listed: what the clues rule out costs nothing. With 20 clues and more the lists
//! have some dozens of members each, and the whole takes 10 to 100 µs.
//!
//! Departures of the code from it:
//!
//! 1. Rows and columns change roles where that is cheaper.
//! 2. The stack with the most triples is the innermost loop. A row of F has an entry for each of its triples, not
//!    for each z, so that both loops work on whole vectors of neighbouring entries.
//! 3. Rows of F are made when something is added to them; most pairs (x, y) have none.

mod kernel;

use std::sync::LazyLock;

use super::fillings::{ALL, PARTITION_COUNT, partitions, threes};
use super::kernel::{PAIRS, PairVector};
use kernel::{Band, BoxSums, Crossing, Table, WideVector};
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{Stop, Stopped};

/// What a join may take; others are refused.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Pairs of partitions of two boxes that are looked through. A million takes a millisecond.
    pairs: usize,
    /// Products of three numbers. 10^9 take some ten milliseconds.
    products: f64,
    /// Vectors of a table, of 64 bytes.
    vectors: usize,
}

impl Limits {
    /// Of a count, which has other ways where these are not enough.
    pub const OF_COUNTS: Self = Self { pairs: 1 << 20, products: 1e9, vectors: 1 << 18 };
    /// Of a tally, which would have to cut the grid into very many parts. Two empty boxes have 2,822,400 pairs. Backward sums fit
    /// into 64 bits up to 2^31 products. With those of one table, seven tables' memory is taken: at most 448 MiB.
    pub const OF_TALLIES: Self =
        Self { pairs: 1 << 22, products: (1_u64 << 31) as f64, vectors: 1 << 20 };
}
/// The time of a pair of triples without its products, in additions of vectors.
const ADDITIONS_PER_PAIR: u64 = 3;

/// The join by lists. Keep it from one grid to the next: it owns the memory.
#[derive(Debug, Default)]
pub struct ListJoin {
    /// The bands, or the stacks if the grid is turned.
    bands: [Triples; 3],
    /// The stacks, or the bands.
    stacks: [Triples; 3],
    scratch: Scratch,
    /// Whether `bands` holds the stacks.
    transposed: bool,
    /// The order of the stacks.
    order: [usize; 3],
    /// For each band, the columns that cross the rows of the boxes in the first two stacks.
    crossings: [[Crossing; 2]; 3],
    entries: [Vec<[Lines; PAIRS]>; 3],
    crossed: Vec<PairVector>,
    tables: [Table; 3],
    /// The backward sums of one table.
    backward: Vec<WideVector>,
    found: BoxSums,
}

impl ListJoin {
    /// Prepares the join of a grid with these candidates. Returns its approximate time in additions of vectors, one to
    /// two nanoseconds each, by which the caller decides whether to join; `None` if it takes too much time or memory.
    pub fn prepare(
        &mut self,
        lines: &BoxLines,
        limits: Limits,
        instructions: Instructions,
    ) -> Option<u64> {
        let Self { bands, stacks, scratch, crossings, order, transposed, .. } = self;
        for at in 0..3 {
            let columns = array(|band| lines.columns[band][at]);
            let sides = [(&mut bands[at], lines.rows[at]), (&mut stacks[at], columns)];
            if !sides
                .into_iter()
                .all(|(all, allowed)| all.find(allowed, limits.pairs, instructions, scratch))
            {
                return None;
            }
        }
        // The roles and the order of the stacks decide only the time.
        *transposed = cost(stacks, bands) < cost(bands, stacks);
        if *transposed {
            std::mem::swap(bands, stacks);
        }
        let number = |stack: usize| stacks[stack].all.len();
        *order = [0, 1, 2];
        order.sort_unstable_by_key(|&stack| number(stack));
        let [first, second, third] = *order;
        let vectors = number(third).div_ceil(PAIRS);
        if number(first) as f64 * number(second) as f64 * number(third) as f64 > limits.products {
            return None;
        }
        let mut work =
            (number(first) * number(second)) as u64 * (ADDITIONS_PER_PAIR + vectors as u64);
        for band in 0..3 {
            let crossing = &mut crossings[band];
            for (crossing, stack) in crossing.iter_mut().zip([first, second]) {
                let rows = &bands[band].sides[stack];
                let columns = &stacks[stack].sides[band];
                kernel::cross(instructions, rows, columns, crossing);
            }
            let pairs = |triple: &[u16; 3]| {
                crossing[0].of(triple[first]).len() * crossing[1].of(triple[second]).len()
            };
            let pairs: usize = bands[band].all.iter().map(pairs).sum();
            let most = stacks[first].sides[band].len() * stacks[second].sides[band].len();
            if pairs.min(most) * vectors > limits.vectors {
                return None;
            }
            work += (pairs * vectors) as u64;
        }
        Some(work)
    }

    /// The number of solutions of the grid that was prepared.
    pub fn count(&mut self, instructions: Instructions) -> u64 {
        let [first, second, third] = self.order;
        for band in 0..3 {
            let entries = &mut self.entries[band];
            entries.clear();
            for triples in self.stacks[third].all.chunks(PAIRS) {
                let mut vector = [0; PAIRS];
                for (entry, triple) in vector.iter_mut().zip(triples) {
                    *entry = self.stacks[third].sides[band][usize::from(triple[band])];
                }
                entries.push(vector);
            }
            let input =
                band_input(band, self.order, &self.bands, &self.stacks, &self.crossings, entries);
            kernel::fill(instructions, &input, &mut self.crossed, &mut self.tables[band]);
        }
        let pairs = [&self.stacks[first].all[..], &self.stacks[second].all];
        kernel::sum(instructions, &self.tables, pairs, self.entries[0].len())
    }

    /// The number of solutions of the grid that was prepared, and how many of them have each digit in each cell, which is added
    /// to `cells`. Polls `stop` about once a second.
    pub fn tally(
        &mut self,
        instructions: Instructions,
        cells: &mut CellSums,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        let solutions = self.count(instructions);
        if solutions == 0 {
            return Ok(0);
        }
        let order = self.order;
        let Self { bands, stacks, crossings, entries, crossed, tables, backward, found, .. } = self;
        let pairs = [&stacks[order[0]].all[..], &stacks[order[1]].all];
        for band in 0..3 {
            stop.check()?;
            let input = band_input(band, order, bands, stacks, crossings, &entries[band]);
            kernel::backward(instructions, tables, band, pairs, input.entries.len(), backward);
            stop.check()?;
            kernel::marginals(instructions, &input, crossed, &tables[band], backward, found);
            let place = BandPlace { band, transposed: self.transposed };
            for side in 0..2 {
                let stack = order[side];
                let columns = &stacks[stack].sides[band];
                let rows = &bands[band].sides[stack];
                let sums = found.pairs[side].chunks(columns.len());
                rows.iter().zip(sums).for_each(|(&rows, sums)| {
                    place.add_all(stack, rows, columns, sums, cells);
                });
            }
            let third = order[2];
            let rows = &bands[band].sides[third];
            place.add_thirds(third, rows, &stacks[third], &found.thirds, cells);
        }
        Ok(solutions)
    }
}

/// What the kernels need of a band.
fn band_input<'a>(
    band: usize,
    order: [usize; 3],
    bands: &'a [Triples; 3],
    stacks: &[Triples; 3],
    crossings: &'a [[Crossing; 2]; 3],
    entries: &'a [[Lines; PAIRS]],
) -> Band<'a> {
    let columns = |side: usize| stacks[order[side]].sides[band].len();
    Band {
        triples: &bands[band].all,
        order,
        crossing: &crossings[band],
        columns: [columns(0), columns(1)],
        thirds: &bands[band].sides[order[2]],
        entries,
    }
}

/// How many solutions have each digit in each cell.
pub type CellSums = [[u64; 9]; 81];

/// A band of a join, or the stack that takes its part.
#[derive(Debug, Clone, Copy)]
struct BandPlace {
    band: usize,
    transposed: bool,
}

impl BandPlace {
    /// Adds the numbers of solutions that have these rows, and each of `columns`.
    fn add_all(
        self,
        stack: usize,
        rows: Lines,
        columns: &[Lines],
        sums: &[u64],
        cells: &mut CellSums,
    ) {
        columns.iter().zip(sums).for_each(|(&columns, &sum)| {
            self.add(stack, rows, columns, sum, cells);
        });
    }

    /// Adds the numbers of solutions of a third box by rows and by the triples of its stack: first those of triples with equal
    /// columns to each other.
    fn add_thirds(
        self,
        stack: usize,
        rows: &[Lines],
        Triples { sides, all }: &Triples,
        sums: &[WideVector],
        cells: &mut CellSums,
    ) {
        let columns = &sides[self.band];
        let mut by_columns = vec![0; columns.len()];
        for (&rows, sums) in rows.iter().zip(sums.chunks(all.len().div_ceil(PAIRS))) {
            by_columns.fill(0);
            for (triple, &sum) in all.iter().zip(sums.iter().flat_map(|vector| &vector.0)) {
                by_columns[usize::from(triple[self.band])] += sum;
            }
            self.add_all(stack, rows, columns, &by_columns, cells);
        }
    }

    /// Adds the `solutions` that have these rows and columns in the box of this band and `stack`.
    fn add(self, stack: usize, rows: Lines, columns: Lines, solutions: u64, cells: &mut CellSums) {
        if solutions == 0 {
            return;
        }
        for (i, j) in (0..9).map(|place| (place / 3, place % 3)) {
            let row = rows >> (LINE_BITS * i) & 0o777;
            let digit = row & columns >> (LINE_BITS * j);
            let (row, column) = (3 * self.band + i as usize, 3 * stack + j as usize);
            let cell = if self.transposed { 9 * column + row } else { 9 * row + column };
            cells[cell][digit.trailing_zeros() as usize] += solutions;
        }
    }
}

/// The approximate cost of a join that makes tables for `bands` and sums over `stacks`.
fn cost(bands: &[Triples; 3], stacks: &[Triples; 3]) -> f64 {
    let number = |triples: &Triples| triples.all.len() as f64;
    let products: f64 = stacks.iter().map(number).product();
    let rows: f64 = bands.iter().map(number).sum();
    products + 50.0 * rows
}

// The lines of boxes as sets of digits, and the partitions of nine digits into the lines of a box.

/// A set of digits for each line (row or column) of a box: bit `LINE_BITS * line + digit`, both from 0.
pub type Lines = u32;
/// The bits of a line: one more than digits, into which adding [`ALL_LINES`] carries if the line has any.
pub const LINE_BITS: u32 = 10;
/// All digits in all lines.
pub const ALL_LINES: Lines = 0o777 | 0o777 << LINE_BITS | 0o777 << (2 * LINE_BITS);

/// The lines of every box, by band and stack, that may hold each digit.
#[derive(Debug, Clone, Copy)]
pub struct BoxLines {
    /// Their rows.
    pub rows: [[Lines; 3]; 3],
    /// Their columns.
    pub columns: [[Lines; 3]; 3],
}

/// A set of partitions, as bits.
pub type PartitionSet = [u64; PARTITION_COUNT.div_ceil(64)];

// Three boxes in a band or in a stack: the partitions of their digits that fit together.

/// The partitions, and how to find those that a box may have.
struct Tables {
    /// The sets of each partition.
    lines: Vec<Lines>,
    /// For each digit of each line, the partitions that do not have it there.
    without: Vec<PartitionSet>,
    /// The rank of a set of three digits among all such sets.
    ranks: [u8; 512],
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let mut ranks = [0; 512];
        threes(ALL).zip(0..).for_each(|(set, rank)| ranks[usize::from(set)] = rank);
        let lines_of = |[first, second, third]: [Lines; 3]| {
            first | second << LINE_BITS | third << (2 * LINE_BITS)
        };
        let lines: Vec<Lines> = partitions().map(|parts| lines_of(parts.map(u32::from))).collect();
        let mut without = vec![PartitionSet::default(); 3 * LINE_BITS as usize];
        for (bit, without) in without.iter_mut().enumerate() {
            for (number, lines) in lines.iter().enumerate() {
                without[number / 64] |= u64::from(!lines >> bit & 1) << (number % 64);
            }
        }
        Self { lines, without, ranks }
    }

    /// A number of the partition, below `THREES * THREES`, that no other partition has.
    #[inline]
    fn key(&self, lines: Lines) -> usize {
        let rank = |line: u32| self.ranks[(lines >> (LINE_BITS * line) & 0o777) as usize];
        usize::from(rank(0)) * THREES + usize::from(rank(1))
    }

    /// The partitions of a set, in a list.
    fn list(&self, set: &PartitionSet, list: &mut Vec<Lines>) {
        list.clear();
        for (word, &part) in set.iter().enumerate() {
            let numbers = bits(part).map(|bit| 64 * word + bit.trailing_zeros() as usize);
            list.extend(numbers.map(|number| self.lines[number]));
        }
    }
}

/// The triples of three boxes in a band (by rows) or in a stack (by columns).
#[derive(Debug, Default)]
pub struct Triples {
    /// The partitions of each box that are in a triple.
    pub sides: [Vec<Lines>; 3],
    /// The triples, each as the indexes of its partitions in `sides`.
    pub all: Vec<[u16; 3]>,
}

/// Working memory.
#[derive(Debug, Default)]
pub struct Scratch {
    lists: [Vec<Lines>; 2],
    pairs: Vec<[u16; 2]>,
    /// Indexes in `sides` of the partitions: of the first and the second box by their indexes in `lists`, of
    /// the third box by their keys.
    places: [Vec<u16>; 3],
}

/// The partition is not in `sides` yet.
const NO_PLACE: u16 = u16::MAX;
/// The number of sets of three digits.
const THREES: usize = 84;

impl Triples {
    /// Finds all triples for boxes whose lines may have the digits `allowed`. Returns whether at most `max_pairs` pairs had to be
    /// looked through for them.
    pub fn find(
        &mut self,
        allowed: [Lines; 3],
        max_pairs: usize,
        instructions: Instructions,
        scratch: &mut Scratch,
    ) -> bool {
        self.all.clear();
        self.sides.iter_mut().for_each(Vec::clear);
        // The third box needs no list, because the other two partitions determine its partition. It is the box with
        // the most digits allowed; the choice affects only the time.
        let mut order = [0, 1, 2];
        order.sort_unstable_by_key(|&side| allowed[side].count_ones());
        let [a, b, c] = order;
        let mut place_of = [0; 3];
        order.iter().zip(0..).for_each(|(&side, at)| place_of[side] = at);
        let tables = &*TABLES;
        let Scratch { lists: [firsts, seconds], pairs, places } = scratch;
        for (list, side) in [(&mut *firsts, a), (&mut *seconds, b)] {
            tables.list(&kernel::within(instructions, &tables.without, allowed[side]), list);
        }
        if firsts.len() * seconds.len() > max_pairs {
            return false;
        }
        kernel::pair(instructions, [firsts, seconds], allowed[c], pairs);
        let [of_first, of_second, of_third] = places;
        // At first only: all its places are free again at the end.
        of_third.resize(THREES * THREES, NO_PLACE);
        for (places, list) in [(&mut *of_first, &*firsts), (&mut *of_second, &*seconds)] {
            places.clear();
            places.resize(list.len(), NO_PLACE);
        }
        self.all.reserve(pairs.len());
        for &[first, second] in &*pairs {
            let first = usize::from(first);
            let second = usize::from(second);
            let third = ALL_LINES & !(firsts[first] | seconds[second]);
            let places = [
                place_in(&mut of_first[first], firsts[first], &mut self.sides[a]),
                place_in(&mut of_second[second], seconds[second], &mut self.sides[b]),
                place_in(&mut of_third[tables.key(third)], third, &mut self.sides[c]),
            ];
            // In the order of the boxes. Writing an array by these indices and reading it whole takes ten nanoseconds.
            self.all.push(place_of.map(|at| places[at]));
        }
        self.sides[c].iter().for_each(|&lines| of_third[tables.key(lines)] = NO_PLACE);
        true
    }
}

/// The place of a partition in `side`, where it is put if it has none.
#[inline]
fn place_in(place: &mut u16, lines: Lines, side: &mut Vec<Lines>) -> u16 {
    if *place == NO_PLACE {
        *place = side.len() as u16;
        side.push(lines);
    }
    *place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::batch::{Puzzles, Solvers, lines_of};
    use crate::generate::Generator;

    /// Minimal puzzles without up to five of their clues, and images of them in which rows and columns have changed
    /// places.
    fn grids() -> Vec<Grid> {
        let mut grids = Vec::new();
        for number in 0..36 {
            let mut cells = *Generator::for_tests(None, 21).puzzle(number).cells();
            let clues = (0..81).filter(|&cell| cells[cell] > 0).collect::<Vec<_>>();
            (0..number as usize % 6).for_each(|at| cells[clues[2 * at]] = 0);
            grids.push(Grid::new(cells).unwrap());
            grids.push(Grid::new(array(|cell| cells[cell % 9 * 9 + cell / 9])).unwrap());
        }
        grids
    }

    #[test]
    fn a_join_by_lists_counts_what_a_search_finds() {
        // The memory of one join serves all.
        let mut joins =
            Instructions::all().map(|kernel| (kernel, ListJoin::default())).collect::<Vec<_>>();
        let mut counted = 0;
        let grids = grids();
        let mut found = Puzzles::default();
        grids.iter().for_each(|grid| found.push(grid));
        found.count_up_to(&mut Solvers::best(), u64::MAX, &Stop::new()).unwrap();
        for (grid, &expected) in grids.iter().zip(found.counts()) {
            let Some((lines, _)) = lines_of(grid) else { continue };
            for (instructions, join) in &mut joins {
                if join.prepare(&lines, Limits::OF_COUNTS, *instructions).is_some() {
                    assert_eq!(join.count(*instructions), expected, "{instructions:?}: {grid}");
                    counted += 1;
                }
            }
        }
        assert!(counted > 50 * joins.len(), "{counted}");
    }

    /// The roles of bands and stacks are those of the cheaper join, so a grid and its transposed image take equal work.
    #[test]
    fn the_cheaper_of_rows_and_columns_is_joined() {
        let mut join = ListJoin::default();
        let mut compared = 0;
        for pair in grids().chunks(2) {
            let work = [&pair[0], &pair[1]].map(|grid| {
                let (lines, _) = lines_of(grid)?;
                let work = join.prepare(&lines, Limits::OF_COUNTS, Instructions::best())?;
                assert!(cost(&join.bands, &join.stacks) <= cost(&join.stacks, &join.bands));
                Some(work)
            });
            assert_eq!(work[0], work[1], "{}", pair[0]);
            compared += usize::from(work[0].is_some());
        }
        assert!(compared > 10, "{compared}");
    }

    #[test]
    fn without_a_triple_there_is_no_solution() {
        let mut lines = BoxLines { rows: [[ALL_LINES; 3]; 3], columns: [[ALL_LINES; 3]; 3] };
        // In the first stack, four digits are in the first column of every box.
        for band in 0..3 {
            lines.columns[band][0] &= !(0o17 << LINE_BITS | 0o17 << (2 * LINE_BITS));
        }
        lines.rows = lines.columns;
        let mut join = ListJoin::default();
        let instructions = Instructions::best();
        let prepared = join.prepare(&lines, Limits::OF_COUNTS, instructions);
        assert!(prepared.is_none_or(|_| join.count(instructions) == 0));
        assert!(join.stacks[0].all.is_empty());
    }

    /// The lines of boxes where each digit of `bans` is ruled out of some lines. Lines count from the one that has
    /// the number of the box in its band (its stack, for columns).
    fn lines_without(bans: &[(u32, &[usize])]) -> BoxLines {
        let lines = |number: usize| {
            let banned =
                bans.iter().flat_map(|&(digit, lines)| lines.iter().map(move |line| (digit, line)));
            banned.fold(ALL_LINES, |lines, (digit, line)| {
                lines & !(1 << (LINE_BITS * ((number + line) % 3) as u32 + digit))
            })
        };
        BoxLines { rows: [array(lines); 3], columns: array(|band| [lines(band); 3]) }
    }

    #[test]
    fn joins_with_too_many_products_or_too_large_tables_are_refused() {
        let prepare = |bans: &[(u32, &[usize])]| {
            ListJoin::default().prepare(
                &lines_without(bans),
                Limits::OF_COUNTS,
                Instructions::best(),
            )
        };
        // Each stack has 1,400 triples, but no rows cross columns: 2.7 * 10^9 products and no rows of tables.
        assert_eq!(prepare(&[(0, &[1, 2]), (1, &[1, 2])]), None);
        // 840 triples, so 27 vectors, in each of 120 * 120 rows.
        assert_eq!(prepare(&[(0, &[1, 2]), (1, &[0, 2]), (2, &[2])]), None);
        // 900 triples, so 29 vectors, in each of 90 * 90 rows, to which 57,600 are added.
        assert!(prepare(&[(0, &[1, 2]), (1, &[0, 2]), (2, &[0, 1])]).is_some());
    }

    #[test]
    fn lists_that_are_too_long_are_not_made() {
        let (lines, candidates) = lines_of(&Grid::default()).unwrap();
        assert_eq!(candidates, 8 * 81);
        assert_eq!(
            ListJoin::default().prepare(&lines, Limits::OF_COUNTS, Instructions::best()),
            None
        );
        // Nine clues of different digits in the first row do not shorten them enough.
        let row: Grid = format!("123456789{}", ".".repeat(72)).parse().unwrap();
        let (lines, _) = lines_of(&row).unwrap();
        assert_eq!(
            ListJoin::default().prepare(&lines, Limits::OF_COUNTS, Instructions::best()),
            None
        );
    }
}

#[cfg(test)]
mod triples_tests {
    use super::*;
    use tallyboard_base::random::Random;

    #[test]
    fn triples_are_all_that_share_no_digit_in_a_line() {
        let tables = Tables::new();
        let mut random = Random::from_seed(4);
        let mut count = 0;
        let mut triples = Triples::default();
        let mut scratch = Scratch::default();
        for round in 0..30 {
            // Each digit is taken from one line, but from none of every fourth box.
            let allowed = [0, 1, 2].map(|side| {
                (0..9).fold(ALL_LINES, |lines, digit| {
                    let taken = 1 << (LINE_BITS * random.below(3) + digit);
                    if (round + side) % 4 == 0 { lines } else { lines & !taken }
                })
            });
            let within = |side: usize| {
                let all = tables.lines.iter().copied();
                all.filter(move |lines| lines & !allowed[side] == 0).collect::<Vec<_>>()
            };
            let mut expected = Vec::new();
            for one in within(0) {
                for other in within(1).into_iter().filter(|other| one & other == 0) {
                    let third = ALL_LINES & !(one | other);
                    expected.extend((third & !allowed[2] == 0).then_some([one, other, third]));
                }
            }
            expected.sort_unstable();
            count += expected.len();
            for instructions in Instructions::all() {
                assert!(triples.find(allowed, 1 << 20, instructions, &mut scratch));
                let found = triples.all.iter();
                let mut found: Vec<[Lines; 3]> = found
                    .map(|triple| [0, 1, 2].map(|at| triples.sides[at][usize::from(triple[at])]))
                    .collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{instructions:?}");
                for (at, side) in triples.sides.iter().enumerate() {
                    let mut used: Vec<Lines> = expected.iter().map(|triple| triple[at]).collect();
                    used.sort_unstable();
                    used.dedup();
                    assert_eq!(side.len(), used.len(), "each of them once");
                }
            }
        }
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn too_many_pairs_are_refused() {
        let mut triples = Triples::default();
        let instructions = Instructions::best();
        assert!(!triples.find([ALL_LINES; 3], 1 << 20, instructions, &mut Scratch::default()));
    }
}
