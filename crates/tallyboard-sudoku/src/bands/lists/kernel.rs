//! The inner loops of a join by lists: plain loops, compiled for several instruction sets.

// Index loops are what the compiler inlines and turns into vectors of the kernel.
#![allow(clippy::needless_range_loop)]

mod marginals;

pub use marginals::{BoxSums, WideVector};

use super::super::kernel::{MAX_FILLINGS, PAIRS, PairVector};
use super::{ALL_LINES, LINE_BITS, Lines, PartitionSet};
use tallyboard_base::array::array;
use tallyboard_base::cpu::{Instructions, in_kernel, kernels};

/// The number of partitions that one partition is compared with at once.
const BLOCK_PARTITIONS: usize = 16;

/// The partitions of one side of a box that cross each of the other side.
#[derive(Debug, Default)]
pub struct Crossing {
    starts: Vec<u32>,
    places: Vec<u16>,
}

impl Crossing {
    /// The indexes of the partitions that cross `line`, which is an index too.
    #[inline(always)]
    pub fn of(&self, line: u16) -> &[u16] {
        let line = usize::from(line);
        &self.places[self.starts[line] as usize..self.starts[line + 1] as usize]
    }
}

/// Finds for each of `lines` the indexes of those in `others` that cross it.
pub fn cross(
    instructions: Instructions,
    lines: &[Lines],
    others: &[Lines],
    crossing: &mut Crossing,
) {
    in_kernel!(instructions, cross(lines, others, crossing))
}

/// Finds the pairs of `firsts` and `seconds` that share no digit in a line and leave a partition
/// within `allowed`. They are given by their places.
pub fn pair(
    instructions: Instructions,
    [firsts, seconds]: [&[Lines]; 2],
    allowed: Lines,
    pairs: &mut Vec<[u16; 2]>,
) {
    in_kernel!(instructions, pair(firsts, seconds, allowed, pairs))
}

/// The partitions that have digits only where `allowed` has them; `without[bit]` are those that lack that bit.
pub fn within(
    instructions: Instructions,
    without: &[PartitionSet],
    allowed: Lines,
) -> PartitionSet {
    in_kernel!(instructions, within(without, allowed))
}

#[inline(always)]
fn within_loops(without: &[PartitionSet], allowed: Lines) -> PartitionSet {
    let mut missing = ALL_LINES & !allowed;
    // At first all partitions: none has the unused bit of a line.
    let mut set = without[LINE_BITS as usize - 1];
    while missing != 0 {
        let without = &without[missing.trailing_zeros() as usize];
        missing &= missing - 1;
        set = array(|word| set[word] & without[word]);
    }
    set
}

#[inline(always)]
fn cross_loops(lines: &[Lines], others: &[Lines], crossing: &mut Crossing) {
    let Crossing { starts, places } = crossing;
    places.clear();
    starts.clear();
    starts.push(0);
    for &one in lines {
        for begin in (0..others.len()).step_by(BLOCK_PARTITIONS) {
            // Padding crosses no partition.
            let crossed = crosses(one, &block(others, begin, 0));
            let mut found = as_bits(&crossed);
            while found != 0 {
                places.push(begin as u16 + found.trailing_zeros() as u16);
                found &= found - 1;
            }
        }
        starts.push(places.len() as u32);
    }
}

#[inline(always)]
fn pair_loops(firsts: &[Lines], seconds: &[Lines], allowed: Lines, pairs: &mut Vec<[u16; 2]>) {
    pairs.clear();
    for begin in (0..seconds.len()).step_by(BLOCK_PARTITIONS) {
        // Padding shares a digit with each partition.
        let seconds = block(seconds, begin, ALL_LINES);
        for (place, &first) in firsts.iter().enumerate() {
            let wrong: [u32; BLOCK_PARTITIONS] =
                array(|i| first & seconds[i] | ALL_LINES & !(first | seconds[i] | allowed));
            // Sets of lines leave the uppermost bits free.
            let fits = array(|i| wrong[i].wrapping_sub(1) >> 31);
            let mut found = as_bits(&fits);
            while found != 0 {
                pairs.push([place as u16, begin as u16 + found.trailing_zeros() as u16]);
                found &= found - 1;
            }
        }
    }
}

/// A block of `list` from `begin` on, padded behind the end of the list.
#[inline(always)]
fn block(list: &[Lines], begin: usize, padding: Lines) -> [Lines; BLOCK_PARTITIONS] {
    if let Some(whole) = list[begin..].first_chunk() {
        return *whole;
    }
    let mut block = [padding; BLOCK_PARTITIONS];
    for i in begin..list.len() {
        block[i - begin] = list[i];
    }
    block
}

/// The places that hold a one, as bits.
#[inline(always)]
fn as_bits(ones: &[u32; BLOCK_PARTITIONS]) -> u32 {
    let mut bits = 0;
    for i in 0..BLOCK_PARTITIONS {
        bits |= ones[i] << i;
    }
    bits
}

/// 1 for each of `others` whose sets all meet each set of `one`, else 0. Sets that meet share exactly one digit then.
#[inline(always)]
fn crosses<const N: usize>(one: Lines, others: &[Lines; N]) -> [u32; N] {
    // Each addition carries into the unused bit of the lines that are not empty.
    let same: [u32; N] = array(|i| (one & others[i]) + ALL_LINES);
    let next: [u32; N] = array(|i| {
        (one & (others[i] << LINE_BITS | others[i] >> (2 * LINE_BITS)) & ALL_LINES) + ALL_LINES
    });
    let last: [u32; N] = array(|i| {
        (one & (others[i] >> LINE_BITS | others[i] << (2 * LINE_BITS)) & ALL_LINES) + ALL_LINES
    });
    let all: [u32; N] = array(|i| same[i] & next[i] & last[i]);
    array(|i| {
        // If two sets of a partition meet each set of the other in one digit, so does the third.
        all[i] >> (LINE_BITS - 1) & all[i] >> (2 * LINE_BITS - 1) & 1
    })
}

/// The numbers of fillings of a band. It has a row for each pair of columns of the first two boxes, and in the row an
/// entry for each triple of the third stack.
#[derive(Debug, Default)]
pub struct Table {
    /// Where the row of each pair begins, plus one; 0 if there is none.
    starts: Vec<u32>,
    /// The number of column partitions of the second box.
    seconds: usize,
    rows: Vec<PairVector>,
}

/// The band that a table is made from.
#[derive(Debug)]
pub struct Band<'a> {
    /// The triples of rows, by their places in the first, second and third box.
    pub triples: &'a [[u16; 3]],
    /// The order of the boxes.
    pub order: [usize; 3],
    /// The columns that cross each row, in the first two boxes.
    pub crossing: &'a [Crossing; 2],
    /// The number of columns in the first two boxes.
    pub columns: [usize; 2],
    /// The rows of the third box.
    pub thirds: &'a [Lines],
    /// The columns of the third box in each triple of the third stack, in whole vectors; 0 where there is none.
    pub entries: &'a [[Lines; PAIRS]],
}

/// Makes the table of a band. `crossed` is working memory.
pub fn fill(
    instructions: Instructions,
    band: &Band,
    crossed: &mut Vec<PairVector>,
    table: &mut Table,
) {
    in_kernel!(instructions, fill(band, crossed, table))
}

/// The sum of the products of three bands, over the triples of the first and of the second stack and
/// the entries of the third. Fits 64 bits if there are at most 2^31 terms.
pub fn sum(
    instructions: Instructions,
    tables: &[Table; 3],
    [first, second]: [&[[u16; 3]]; 2],
    vectors: usize,
) -> u64 {
    in_kernel!(instructions, sum(tables, first, second, vectors))
}

/// The backward sums of the table of `band`, for terms as those of [`sum`].
pub fn backward(
    instructions: Instructions,
    tables: &[Table; 3],
    band: usize,
    pairs: [&[[u16; 3]]; 2],
    vectors: usize,
    sums: &mut Vec<WideVector>,
) {
    in_kernel!(instructions, backward(tables, band, pairs, vectors, sums))
}

/// The numbers of solutions of a band by the partitions of its boxes. `crossed` is working memory.
pub fn marginals(
    instructions: Instructions,
    band: &Band,
    crossed: &mut Vec<PairVector>,
    table: &Table,
    sums: &[WideVector],
    found: &mut BoxSums,
) {
    let boxes = [0, 1].map(|side| band.triples.iter().map(|it| it[band.order[side]]).max());
    for side in 0..2 {
        let rows = boxes[side].map_or(0, |last| usize::from(last) + 1);
        found.pairs[side].clear();
        found.pairs[side].resize(rows * band.columns[side], 0);
    }
    in_kernel!(instructions, marginals(band, crossed, table, sums, found))
}

/// The largest number of fillings in a table.
#[inline(always)]
fn largest_entry(table: &Table) -> u16 {
    let mut most = PairVector::ZERO;
    for row in &table.rows {
        for entry in 0..PAIRS {
            most.0[entry] = most.0[entry].max(row.0[entry]);
        }
    }
    let mut largest = 0;
    for entry in 0..PAIRS {
        largest = largest.max(most.0[entry]);
    }
    largest
}

const _: () = assert!((MAX_FILLINGS as u64).pow(3) < 1 << 33, "2^31 products fit 64 bits");

/// The loops below, compiled for each kernel.
macro_rules! compile_kernels {
    ({} $($(#[$note:meta])* $proof:ident $kernel:ident $architecture:literal,)+) => {
        compile_kernels! { all() portable, $(target_arch = $architecture $kernel,)+ }
    };
    ($($condition:meta $kernel:ident,)+) => {$(
        #[cfg($condition)]
        mod $kernel {
            use super::{
                Band, BoxSums, Crossing, Lines, PairVector, PartitionSet, Table, WideVector,
            };

            tallyboard_base::cpu::$kernel! {
                pub fn cross(lines: &[Lines], others: &[Lines], crossing: &mut Crossing) {
                    super::cross_loops(lines, others, crossing)
                }

                pub fn within(without: &[PartitionSet], allowed: Lines) -> PartitionSet {
                    super::within_loops(without, allowed)
                }

                pub fn pair(
                    firsts: &[Lines],
                    seconds: &[Lines],
                    allowed: Lines,
                    pairs: &mut Vec<[u16; 2]>,
                ) {
                    super::pair_loops(firsts, seconds, allowed, pairs)
                }

                pub fn fill(band: &Band, crossed: &mut Vec<PairVector>, table: &mut Table) {
                    super::fill_loops(band, crossed, table)
                }

                pub fn sum(
                    tables: &[Table; 3],
                    first: &[[u16; 3]],
                    second: &[[u16; 3]],
                    vectors: usize,
                ) -> u64 {
                    super::sum_loops(tables, first, second, vectors)
                }

                pub fn backward(
                    tables: &[Table; 3],
                    band: usize,
                    pairs: [&[[u16; 3]]; 2],
                    vectors: usize,
                    sums: &mut Vec<WideVector>,
                ) {
                    super::marginals::backward_loops(tables, band, pairs, vectors, sums)
                }

                pub fn marginals(
                    band: &Band,
                    crossed: &mut Vec<PairVector>,
                    table: &Table,
                    sums: &[WideVector],
                    found: &mut BoxSums,
                ) {
                    super::marginals::marginal_loops(band, crossed, table, sums, found)
                }
            }
        }
    )+};
}

kernels!(compile_kernels, {});

/// For each of `thirds`, which entries it crosses: 1 or 0.
#[inline(always)]
fn cross_thirds(thirds: &[Lines], entries: &[[Lines; PAIRS]], crossed: &mut Vec<PairVector>) {
    crossed.clear();
    crossed.reserve(thirds.len() * entries.len());
    for &third in thirds {
        for entries in entries {
            let ones = crosses(third, entries);
            crossed.push(PairVector(array(|entry| ones[entry] as u16)));
        }
    }
}

#[inline(always)]
fn fill_loops(band: &Band, crossed: &mut Vec<PairVector>, table: &mut Table) {
    let &Band { triples, order, crossing, columns, thirds, entries } = band;
    let vectors = entries.len();
    cross_thirds(thirds, entries, crossed);
    let Table { starts, seconds, rows } = table;
    *seconds = columns[1];
    starts.clear();
    starts.resize(columns[0] * columns[1], 0);
    rows.clear();
    for triple in triples {
        let [p, q, r] = array(|side| triple[order[side]]);
        let crossed = &crossed[usize::from(r) * vectors..][..vectors];
        for &x in crossing[0].of(p) {
            let starts = &mut starts[usize::from(x) * columns[1]..][..columns[1]];
            for &y in crossing[1].of(q) {
                let start = &mut starts[usize::from(y)];
                if *start == 0 {
                    *start = rows.len() as u32 + 1;
                    rows.extend_from_slice(crossed);
                } else {
                    let row = &mut rows[*start as usize - 1..][..vectors];
                    for vector in 0..vectors {
                        add(&mut row[vector], &crossed[vector]);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn add(sum: &mut PairVector, term: &PairVector) {
    let (a, b) = (sum.0, term.0);
    *sum = PairVector(array(|entry| a[entry] + b[entry]));
}

#[inline(always)]
fn sum_loops(tables: &[Table; 3], first: &[[u16; 3]], second: &[[u16; 3]], vectors: usize) -> u64 {
    let most: [u16; 3] = array(|band| largest_entry(&tables[band]));
    // Sorts the bands by their largest numbers: products of two bands fit 15 bits most likely for the first two. The order
    // decides only the time.
    let mut order = [0, 1, 2];
    for [i, j] in [[0, 1], [1, 2], [0, 1]] {
        if most[order[i]] > most[order[j]] {
            order.swap(i, j);
        }
    }
    let [a, b, c] = order;
    let are_small = u32::from(most[a]) * u32::from(most[b]) < 1 << 15;
    let mut sum = 0;
    for first in first {
        let starts: [&[u32]; 3] = array(|band| {
            let Table { starts, seconds, .. } = &tables[band];
            &starts[usize::from(first[band]) * seconds..][..*seconds]
        });
        for second in second {
            let start: [u32; 3] = array(|band| starts[band][usize::from(second[band])]);
            if start[0] == 0 || start[1] == 0 || start[2] == 0 {
                continue;
            }
            let rows: [&[PairVector]; 3] =
                array(|band| &tables[band].rows[start[band] as usize - 1..][..vectors]);
            for vector in 0..vectors {
                let (x, y, z) = (&rows[a][vector].0, &rows[b][vector].0, &rows[c][vector].0);
                sum += if are_small { small_products(x, y, z) } else { products(x, y, z) };
            }
        }
    }
    sum
}

/// The sum of products of which those of `x` and `y` are below 2^15.
#[inline(always)]
fn small_products(x: &[u16; PAIRS], y: &[u16; PAIRS], z: &[u16; PAIRS]) -> u64 {
    let mut sum = 0_i32;
    for entry in 0..PAIRS {
        let product = x[entry].wrapping_mul(y[entry]);
        sum = sum.wrapping_add(i32::from(product as i16) * i32::from(z[entry] as i16));
    }
    u64::from(sum as u32)
}

#[inline(always)]
fn products(x: &[u16; PAIRS], y: &[u16; PAIRS], z: &[u16; PAIRS]) -> u64 {
    let mut sum = 0;
    for entry in 0..PAIRS {
        let product = u32::from(x[entry]) * u32::from(y[entry]);
        sum += u64::from(product) * u64::from(z[entry]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_base::random::Random;

    #[test]
    fn partitions_cross_where_each_line_meets_each_in_one_digit() {
        let mut random = Random::from_seed(5);
        let mut partition = || {
            let mut digits: [u32; 9] = array(|digit| digit as u32);
            (1..9).for_each(|at| digits.swap(at, random.below(at as u32 + 1) as usize));
            (0..9).fold(0, |lines, at| lines | 1 << (LINE_BITS * (at / 3) + digits[at as usize]))
        };
        let lines: Vec<Lines> = (0..40).map(|_| partition()).collect();
        let others: Vec<Lines> = (0..37).map(|_| partition()).collect();
        let line = |lines: Lines, at: u32| lines >> (LINE_BITS * at) & 0o777;
        let crosses = |one: Lines, other: Lines| {
            (0..9).all(|at| (line(one, at / 3) & line(other, at % 3)).count_ones() == 1)
        };
        let mut crossings = 0;
        for instructions in Instructions::all() {
            let mut crossing = Crossing::default();
            cross(instructions, &lines, &others, &mut crossing);
            for (at, &one) in lines.iter().enumerate() {
                let places = (0..others.len()).filter(|&place| crosses(one, others[place]));
                let places: Vec<u16> = places.map(|place| place as u16).collect();
                assert_eq!(crossing.of(at as u16), places, "{instructions:?}");
                crossings += places.len();
            }
        }
        assert!(crossings > 100, "{crossings}");
    }

    #[test]
    fn a_table_is_made_anew_in_the_memory_of_another() {
        let set =
            |digits: [u32; 3]| digits[0] | digits[1] << LINE_BITS | digits[2] << (2 * LINE_BITS);
        let (rows, columns) = ([set([0o007, 0o070, 0o700])], [set([0o111, 0o222, 0o444])]);
        for instructions in Instructions::all() {
            let mut crossing: [Crossing; 2] = Default::default();
            crossing.iter_mut().for_each(|found| cross(instructions, &rows, &columns, found));
            let band = Band {
                triples: &[[0; 3]],
                order: [0, 1, 2],
                crossing: &crossing,
                columns: [1, 1],
                thirds: &rows,
                entries: &[[columns[0]; PAIRS]],
            };
            let mut crossed = Vec::new();
            let mut table = Table::default();
            for _ in 0..2 {
                fill(instructions, &band, &mut crossed, &mut table);
                assert_eq!((&table.starts[..], table.rows.len()), (&[1][..], 1));
                assert_eq!(table.rows[0].0, [1; PAIRS], "{instructions:?}");
            }
        }
    }

    #[test]
    fn the_largest_number_of_a_table_is_found_wherever_it_stands() {
        for place in 0..3 * PAIRS {
            let mut rows = [PairVector::ZERO; 3];
            rows.as_mut_slice()[place / PAIRS].0[place % PAIRS] = 7;
            assert_eq!(
                largest_entry(&Table { rows: rows.into(), ..Table::default() }),
                7,
                "{place}"
            );
        }
    }

    /// With numbers whose products fit 15 bits or just do not, and with the largest that there may be.
    #[test]
    fn sums_are_those_of_products() {
        let mut random = Random::from_seed(6);
        const VECTORS: usize = 2;
        for most in [
            [18, 1_700, 1_728],
            [181, 1_728, 181],
            [128, 256, 1_728],
            [182, 181, 1_728],
            [1_728; 3],
        ] {
            let tables = most.map(|most| {
                let rows = (0..6 * VECTORS).map(|_| {
                    PairVector(std::array::from_fn(|_| {
                        if random.below(2) == 0 { most } else { random.below(most.into()) as u16 }
                    }))
                });
                // One of seven pairs has no row.
                let starts: Vec<u32> = (0..7).map(|at| at * VECTORS as u32 + 1).collect();
                let starts = [&starts[..3], &[0], &starts[3..6], &[0]].concat();
                Table { starts, seconds: 4, rows: rows.collect() }
            });
            let mut pairs = |most: u32, count: usize| -> Vec<[u16; 3]> {
                (0..count).map(|_| std::array::from_fn(|_| random.below(most) as u16)).collect()
            };
            let (first, second) = (pairs(2, 5), pairs(4, 9));
            let mut expected = 0;
            for (first, second) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                for entry in 0..VECTORS * PAIRS {
                    let number = |band: usize| {
                        let Table { starts, seconds, rows } = &tables[band];
                        let pair = usize::from(first[band]) * seconds + usize::from(second[band]);
                        let start = (starts[pair] as usize).checked_sub(1)?;
                        Some(u64::from(rows[start + entry / PAIRS].0[entry % PAIRS]))
                    };
                    let product = || Some(number(0)? * number(1)? * number(2)?);
                    expected += product().unwrap_or(0);
                }
            }
            assert!(expected > 0);
            for instructions in Instructions::all() {
                let found = sum(instructions, &tables, [&first, &second], VECTORS);
                assert_eq!(found, expected, "{instructions:?}, {most:?}");
            }
        }
    }
}
