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
mod lines;
mod triples;

use super::kernel::PAIRS;
use super::kernel::PairVector;
use kernel::{Crossing, Filling, Table};
#[cfg(test)]
use lines::ALL_LINES;
pub use lines::{BoxLines, LINE_BITS, Lines};
use tallyboard_base::array::array;
use tallyboard_base::cpu::Instructions;
use triples::{Scratch, Triples};

/// A join with more products is refused. This number takes some ten milliseconds.
const MAX_PRODUCTS: f64 = 1e9;
/// A join is refused if a table may have more vectors. This number takes 16 MiB.
const MAX_VECTORS: usize = 1 << 18;
/// The time of a pair of triples without its products, in additions of vectors.
const ADDITIONS_PER_PAIR: u64 = 3;

/// The join by lists. Keep it from one grid to the next: it owns the memory.
#[derive(Debug, Default)]
pub struct ListJoin {
    /// The bands and the stacks, or the other way round.
    bands: [Triples; 3],
    stacks: [Triples; 3],
    scratch: Scratch,
    /// The order of the stacks.
    order: [usize; 3],
    /// For each band, the columns that cross the rows of the boxes in the first two stacks.
    crossings: [[Crossing; 2]; 3],
    entries: Vec<[Lines; PAIRS]>,
    crossed: Vec<PairVector>,
    tables: [Table; 3],
}

impl ListJoin {
    /// Prepares the join of a grid with these candidates. Returns its approximate time in additions of vectors, one to
    /// two nanoseconds each, by which the caller decides whether to join; `None` if it takes too much time or memory.
    pub fn prepare(&mut self, lines: &BoxLines, instructions: Instructions) -> Option<u64> {
        let Self { bands, stacks, scratch, crossings, order, .. } = self;
        for at in 0..3 {
            let columns = array(|band| lines.columns[band][at]);
            let sides = [(&mut bands[at], lines.rows[at]), (&mut stacks[at], columns)];
            if !sides.into_iter().all(|(all, allowed)| all.find(allowed, instructions, scratch)) {
                return None;
            }
        }
        // The roles and the order of the stacks decide only the time.
        if cost(stacks, bands) < cost(bands, stacks) {
            std::mem::swap(bands, stacks);
        }
        let number = |stack: usize| stacks[stack].all.len();
        *order = [0, 1, 2];
        order.sort_unstable_by_key(|&stack| number(stack));
        let [first, second, third] = *order;
        let vectors = number(third).div_ceil(PAIRS);
        if number(first) as f64 * number(second) as f64 * number(third) as f64 > MAX_PRODUCTS {
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
            if pairs.min(most) * vectors > MAX_VECTORS {
                return None;
            }
            work += (pairs * vectors) as u64;
        }
        Some(work)
    }

    /// The number of solutions of the grid that was prepared.
    pub fn count(&mut self, instructions: Instructions) -> u64 {
        let [first, second, third] = self.order;
        let columns = |stack: usize, band: usize| &self.stacks[stack].sides[band];
        for band in 0..3 {
            self.entries.clear();
            for triples in self.stacks[third].all.chunks(PAIRS) {
                let mut entries = [0; PAIRS];
                for (entry, triple) in entries.iter_mut().zip(triples) {
                    *entry = columns(third, band)[usize::from(triple[band])];
                }
                self.entries.push(entries);
            }
            let filling = Filling {
                triples: &self.bands[band].all,
                order: self.order,
                crossing: &self.crossings[band],
                columns: [columns(first, band).len(), columns(second, band).len()],
                thirds: &self.bands[band].sides[third],
                entries: &self.entries,
            };
            kernel::fill(instructions, &filling, &mut self.crossed, &mut self.tables[band]);
        }
        let pairs = [&self.stacks[first].all[..], &self.stacks[second].all];
        kernel::sum(instructions, &self.tables, pairs, self.entries.len())
    }
}

/// The approximate cost of a join that makes tables for `bands` and sums over `stacks`.
fn cost(bands: &[Triples; 3], stacks: &[Triples; 3]) -> f64 {
    let number = |triples: &Triples| triples.all.len() as f64;
    let products: f64 = stacks.iter().map(number).product();
    let rows: f64 = bands.iter().map(number).sum();
    products + 50.0 * rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::batch::{Puzzles, Solvers, lines_of};
    use crate::generate::Generator;
    use tallyboard_search::Stop;

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
                if join.prepare(&lines, *instructions).is_some() {
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
                let work = join.prepare(&lines, Instructions::best())?;
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
        let prepared = join.prepare(&lines, instructions);
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
            ListJoin::default().prepare(&lines_without(bans), Instructions::best())
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
        assert_eq!(ListJoin::default().prepare(&lines, Instructions::best()), None);
        // Nine clues of different digits in the first row do not shorten them enough.
        let row: Grid = format!("123456789{}", ".".repeat(72)).parse().unwrap();
        let (lines, _) = lines_of(&row).unwrap();
        assert_eq!(ListJoin::default().prepare(&lines, Instructions::best()), None);
    }
}
