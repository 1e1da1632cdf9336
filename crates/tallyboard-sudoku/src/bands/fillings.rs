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

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::kernel;
use super::kernel::{ROW_ENTRIES, Row, Sums};
use crate::CELLS;
use crate::grid::ORDERS;
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;

/// Computes the numbers of fillings of one band.
#[derive(Debug)]
pub struct Band {
    boxes: [BoxChoices; 3],
    /// For each block of partitions y and each row partition q: 1 for each y of the block that q crosses.
    crossing: Vec<Row>,
    /// The sums of the second step, by set s and z.
    firsts: Sums,
    /// The sums of the third step, by z.
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
        let mut crosses = [false; PARTITION_COUNT];
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

// The partitions that the clues allow for the rows and the columns of each box.

/// The cells of a grid, row by row; 0 is a blank.
pub type Cells = [u8; CELLS];

/// The partitions that one side of a box may have, ascending. The sides of a box are its rows and its columns.
#[derive(Debug, Default, Clone)]
pub struct Choices {
    /// The numbers of the partitions.
    pub all: Vec<u16>,
    /// The index of each partition in `all`; `None` if it is not there.
    place: Vec<Option<u16>>,
}

impl Choices {
    /// The partitions for which `holds` is true.
    fn new(mut holds: impl FnMut(u16) -> bool) -> Self {
        let all: Vec<u16> =
            (0..PARTITION_COUNT as u16).filter(|&partition| holds(partition)).collect();
        let mut place = vec![None; PARTITION_COUNT];
        all.iter().zip(0..).for_each(|(&partition, at)| place[usize::from(partition)] = Some(at));
        Self { all, place }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The index of a partition in `all`, if it is there.
    pub fn place(&self, partition: u16) -> Option<u16> {
        self.place[usize::from(partition)]
    }

    pub fn has(&self, partition: u16) -> bool {
        self.place(partition).is_some()
    }

    /// The triples that begin with `partition`. Each is given by two indexes: of its second partition in `self.all`,
    /// and of its third in `other.all`.
    pub fn partners<'a>(
        &'a self,
        partition: u16,
        other: &'a Self,
    ) -> impl Iterator<Item = [u16; 2]> + 'a {
        let pairs = PARTITIONS.partners[usize::from(partition)].iter();
        pairs.filter_map(move |&[a, b]| Some([self.place(a)?, other.place(b)?]))
    }
}

/// Both sides of a box.
#[derive(Debug, Default, Clone)]
pub struct BoxChoices {
    /// The partitions of the digits into the three rows of the box.
    pub rows: Choices,
    /// The partitions of the digits into its three columns.
    pub columns: Choices,
}

/// The sides of all boxes, by band and stack.
pub type Boxes = [[BoxChoices; 3]; 3];

/// The partitions that the clues of `cells` allow. If a clue has a digit in a line, the digit is not in that line
/// of the other boxes.
pub fn boxes(cells: &Cells) -> Boxes {
    std::array::from_fn(|band| {
        std::array::from_fn(|stack| {
            // For each digit, the lines of the box that may hold it, a bit each.
            let mut rows = [0b111; 9];
            let mut columns = [0b111; 9];
            for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit > 0) {
                let row = cell / 9;
                let column = cell % 9;
                let digit = usize::from(digit) - 1;
                let in_band = row / 3 == band;
                let in_stack = column / 3 == stack;
                if in_band {
                    restrict(&mut rows[digit], row % 3, in_stack);
                }
                if in_stack {
                    restrict(&mut columns[digit], column % 3, in_band);
                }
            }
            crossed(choices_within(&rows), choices_within(&columns))
        })
    })
}

/// Restricts the lines of a digit to `line` alone if the clue is in this box, or else to the other lines.
fn restrict(lines: &mut u8, line: usize, in_this_box: bool) {
    *lines &= if in_this_box { 1 << line } else { !(1 << line) };
}

/// The partitions that have each digit in one of its lines.
fn choices_within(lines: &[u8; 9]) -> Choices {
    Choices::new(|partition| {
        let places = &PARTITIONS.places[usize::from(partition)];
        lines.iter().zip(places).all(|(lines, place)| lines >> place & 1 != 0)
    })
}

/// Drops the partitions that no partition of the other side crosses.
fn crossed(rows: Choices, columns: Choices) -> BoxChoices {
    let meets = |one: &Choices, other: &Choices| {
        Choices::new(|partition| {
            let crossing = &PARTITIONS.crossing[usize::from(partition)];
            one.has(partition) && crossing.iter().any(|&crossing| other.has(crossing))
        })
    };
    BoxChoices { columns: meets(&columns, &rows), rows: meets(&rows, &columns) }
}

/// The number of ways to choose columns for the three boxes of a stack.
pub fn triples(boxes: &Boxes, stack: usize) -> usize {
    let [first, second, third] = [0, 1, 2].map(|band: usize| &boxes[band][stack].columns);
    first.all.iter().map(|&partition| second.partners(partition, third).count()).sum()
}

// The arrangement of a grid for the join: transposed or not, and the order of its bands and stacks.

/// An image of the grid with equally many solutions.
pub struct Arrangement {
    /// Its cells.
    pub cells: Cells,
    /// The column and row partitions that its clues allow in each box.
    pub boxes: Boxes,
    /// The estimated cost of the join, in scalar products of vectors.
    cost: f64,
}

impl Arrangement {
    /// The arrangement of `cells` whose join is cheapest.
    pub fn best(cells: &Cells) -> Self {
        let all = Self::all(cells).into_iter();
        all.min_by(|a, b| a.cost.total_cmp(&b.cost)).expect("36 arrangements")
    }

    /// All arrangements that may differ in cost.
    pub fn all(cells: &Cells) -> Vec<Self> {
        let images = [*cells, std::array::from_fn(|cell| cells[cell % 9 * 9 + cell / 9])];
        let arranged = images.iter().flat_map(|cells| {
            let boxes = boxes(cells);
            let triples = [0, 1, 2].map(|stack| triples(&boxes, stack));
            let orders = ORDERS.into_iter().flat_map(|stacks| {
                // Exchanging the second and the third band does not change the cost.
                [[0, 1, 2], [1, 0, 2], [2, 0, 1]].map(|bands| (bands, stacks))
            });
            orders.map(move |order| Self::new(cells, &boxes, triples, order)).collect::<Vec<_>>()
        });
        arranged.collect()
    }

    fn new(
        cells: &Cells,
        boxes: &Boxes,
        triples: [usize; 3],
        (bands, stacks): ([usize; 3], [usize; 3]),
    ) -> Self {
        let cells: Cells = std::array::from_fn(|cell| {
            let row = cell / 9;
            let column = cell % 9;
            cells[(bands[row / 3] * 3 + row % 3) * 9 + stacks[column / 3] * 3 + column % 3]
        });
        let boxes = bands.map(|band| stacks.map(|stack| boxes[band][stack].clone()));
        let cost = cost(&boxes, stacks.map(|stack| triples[stack] as f64), &Exchanges::new(&cells));
        Self { cells, boxes, cost }
    }
}

/// The estimated cost of a join, in scalar products of vectors: the products themselves, and the slices. An
/// addition of rows counts as a product, and each row (64 numbers) of a slice takes about 70 additions. A batch has 32
/// pairs; three vectors are transposed in the time of a product. About 56 triples share a first partition.
fn cost(boxes: &Boxes, triples: [f64; 3], exchanges: &Exchanges) -> f64 {
    let columns = |band: usize, stack: usize| boxes[band][stack].columns.len() as f64;
    let slice = |band: usize| columns(band, 1) / 64.0 * columns(band, 2) * 70.0;
    let firsts = (triples[0] / exchanges.number()).max(1.0);
    let batches = (triples[0] * triples[2] / 32.0 / exchanges.number()).max(firsts);
    let batch = triples[1] + (columns(1, 1) + columns(2, 1)) / 3.0;
    batches * batch + firsts * (slice(1) + slice(2)) + firsts / 56.0 * slice(0)
}

// The ordered partitions of nine digits into three sets of three, and the relations between them.

/// The number of partitions: 9! / 3!^3.
pub const PARTITION_COUNT: usize = 1680;
/// The number of partitions whose i-th set shares no digit with the i-th set of a given one, for each i.
const PARTNERS_PER_PARTITION: usize = 56;
/// The number of partitions that cross a given one: each of their sets shares one digit with each of its sets.
const CROSSINGS_PER_PARTITION: usize = 216;

/// All nine digits; digit 1 is bit 0.
pub const ALL: u16 = 0x1ff;

/// All partitions and their relations. The number of a partition is its index in `parts`.
pub struct Partitions {
    /// The three sets of each partition.
    pub parts: Vec<[u16; 3]>,
    /// For each partition and digit, the index (0 to 2) of the partition's set that has the digit.
    pub places: Vec<[u8; 9]>,
    /// For each partition, all pairs `[other, third]` of partitions such that, for each i, its i-th set and theirs have all nine
    /// digits together.
    pub partners: Vec<[[u16; 2]; PARTNERS_PER_PARTITION]>,
    /// For each partition, the partitions that cross it. If it is the columns of a box, these are the possible rows.
    pub crossing: Vec<[u16; CROSSINGS_PER_PARTITION]>,
    numbers: Numbers,
}

/// The partitions, made when first needed (some milliseconds).
pub static PARTITIONS: LazyLock<Partitions> = LazyLock::new(Partitions::new);

impl Partitions {
    fn new() -> Self {
        let parts: Vec<[u16; 3]> = partitions().collect();
        let place = |[_, second, third]: [u16; 3], digit: usize| {
            (second >> digit & 1) as u8 + 2 * (third >> digit & 1) as u8
        };
        let places = parts.iter().map(|&parts| array(|digit| place(parts, digit))).collect();
        let numbers = Numbers::new();
        let partners = parts.iter().map(|&parts| partners(parts, &numbers)).collect();
        let crossing = parts.iter().map(|&parts| crossing(parts, &numbers)).collect();
        Self { parts, places, partners, crossing, numbers }
    }

    /// The number of the partition into these sets.
    pub fn number(&self, parts: [u16; 3]) -> u16 {
        self.numbers.number(parts)
    }
}

/// All partitions, ascending.
pub fn partitions() -> impl Iterator<Item = [u16; 3]> {
    threes(ALL).flat_map(|first| {
        let rest = ALL & !first;
        threes(rest).map(move |second| [first, second, rest & !second])
    })
}

/// The sets of three digits within a set, ascending.
pub fn threes(set: u16) -> impl Iterator<Item = u16> {
    (0..=set).filter(move |&part| part & !set == 0 && part.count_ones() == 3)
}

/// Finds the number of a partition: by the rank of its first set among the sets of three, and that of its second set among
/// those of the digits that are left.
struct Numbers {
    /// The rank of a set of three among the 84 sets of nine digits.
    among_nine: [u16; 512],
    /// The same among the 20 sets of six digits.
    among_six: [u16; 64],
}

impl Numbers {
    fn new() -> Self {
        let mut among_nine = [0; 512];
        let mut among_six = [0; 64];
        threes(ALL).zip(0..).for_each(|(set, rank)| among_nine[usize::from(set)] = rank);
        threes(0x3f).zip(0..).for_each(|(set, rank)| among_six[usize::from(set)] = rank);
        Self { among_nine, among_six }
    }

    fn number(&self, [first, second, _]: [u16; 3]) -> u16 {
        let renumbered = packed(second, ALL & !first);
        self.among_nine[usize::from(first)] * 20 + self.among_six[usize::from(renumbered)]
    }
}

/// The digits of `set`, numbered anew by their ranks among those of `within`, which contains it.
pub fn packed(set: u16, within: u16) -> u16 {
    bits(set).fold(0, |packed, bit| {
        let rank_in_within = (within & (bit - 1)).count_ones();
        packed | 1 << rank_in_within
    })
}

fn partners([a, b, c]: [u16; 3], numbers: &Numbers) -> [[u16; 2]; PARTNERS_PER_PARTITION] {
    let candidates = threes(ALL & !a).flat_map(|first| {
        threes(ALL & !b & !first).map(move |second| [first, second, ALL & !first & !second])
    });
    collect_array(candidates.filter(|[.., third]| third & c == 0).map(|parts| {
        let [first, second, third] = parts;
        let taken = [a | first, b | second, c | third];
        [numbers.number(parts), numbers.number(array(|i| ALL & !taken[i]))]
    }))
}

fn crossing(parts: [u16; 3], numbers: &Numbers) -> [u16; CROSSINGS_PER_PARTITION] {
    collect_array(across(parts).flat_map(|first| {
        let rows = across(array(|i| parts[i] & !first));
        rows.map(move |second| numbers.number([first, second, ALL & !first & !second]))
    }))
}

fn collect_array<T: std::fmt::Debug, const N: usize>(items: impl Iterator<Item = T>) -> [T; N] {
    items.collect::<Vec<_>>().try_into().expect("as many for each partition as the constant says")
}

/// The sets with one digit of each part.
pub fn across([a, b, c]: [u16; 3]) -> impl Iterator<Item = u16> {
    bits(a).flat_map(move |a| bits(b).flat_map(move |b| bits(c).map(move |c| a | b | c)))
}

// Orbits of partitions under *exchanges*: of digits that no clue shows, and of columns without clues.
//
// An exchange changes no number of fillings. So one triple of column partitions of the first stack is
// counted for its whole orbit. For each such triple, one partition of the third stack is counted for its
// orbit under the exchanges that leave the triple unchanged.

/// The exchanges that leave the clues unchanged.
pub struct Exchanges {
    /// Digits that no clue shows.
    unused: Vec<usize>,
    /// The orders of the columns of the first stack in which each column with clues keeps its place.
    first: Vec<[u8; 3]>,
    /// The same of the third stack.
    third: Vec<[u8; 3]>,
}

/// The class of each digit: digits of one class may be exchanged. Digits of clues have class 9.
pub type DigitClasses = [u8; 9];

/// Triples of the first stack with the same first partition, weight and classes.
#[derive(Debug, Clone)]
pub struct Group {
    /// The first band's partition.
    pub first: u16,
    /// The partitions of the second and the third band.
    pub others: Vec<[u16; 2]>,
    /// The size of the orbit of each triple.
    pub weight: u64,
    /// The classes of digits whose exchange leaves the triples unchanged.
    pub classes: DigitClasses,
}

impl Exchanges {
    pub fn new(cells: &Cells) -> Self {
        let unused = (0..9).filter(|&digit| !cells.contains(&(digit as u8 + 1))).collect();
        let orders = |stack: usize| {
            let clear = |column: usize| (0..9).all(|row| cells[9 * row + 3 * stack + column] == 0);
            let keeps = |order: &[usize; 3]| (0..3).all(|at| order[at] == at || clear(at));
            ORDERS.into_iter().filter(keeps).map(|order| order.map(|at| at as u8)).collect()
        };
        Self { unused, first: orders(0), third: orders(2) }
    }

    pub fn number(&self) -> f64 {
        let digits: f64 = (1..=self.unused.len()).map(|k| k as f64).product();
        digits * self.first.len() as f64 * self.third.len() as f64
    }

    /// Chooses one triple of each orbit. The triples have a first partition from `all`, and two partitions that `others` gives
    /// for it.
    pub fn groups<I: Iterator<Item = [u16; 2]>>(
        &self,
        all: &[u16],
        others: impl Fn(u16) -> I,
    ) -> Vec<Group> {
        let mut classes = [9; 9];
        self.unused.iter().for_each(|&digit| classes[digit] = 0);
        let mut groups: BTreeMap<(u16, u64, DigitClasses), Vec<[u16; 2]>> = BTreeMap::new();
        for (first, first_images) in one_of_each(all.iter().copied(), |&partition| {
            self.orbit_key(&self.first, &classes, partition)
        }) {
            let key = |&[second, _]: &[u16; 2]| self.pair_key(&classes, [first, second]);
            // The triple has equally many images with each image of its first partition.
            for (others, images) in one_of_each(others(first), key) {
                let classes = self.classes([first, others[0]]);
                groups.entry((first, first_images * images, classes)).or_default().push(others);
            }
        }
        let groups = groups.into_iter();
        groups
            .map(|((first, weight, classes), others)| Group { first, others, weight, classes })
            .collect()
    }

    /// One partition of each orbit of the third stack under exchanges within `classes`, with the size of the orbit.
    pub fn partitions(&self, all: &[u16], classes: &DigitClasses) -> Vec<(u16, u64)> {
        one_of_each(all.iter().copied(), |&partition| {
            self.orbit_key(&self.third, classes, partition)
        })
    }

    /// A number that is equal for two partitions if and only if they are in one orbit under `orders` and exchanges
    /// within `classes`.
    fn orbit_key(&self, orders: &[[u8; 3]], classes: &DigitClasses, partition: u16) -> u64 {
        let places = &PARTITIONS.places[usize::from(partition)];
        let keys = orders
            .iter()
            .map(|order| sorted_key(array(|digit| order[usize::from(places[digit])]), classes));
        keys.min().expect("the columns as they are")
    }

    /// As [`orbit_key`](Self::orbit_key), for the first two partitions of a triple of the first stack.
    fn pair_key(&self, classes: &DigitClasses, partitions: [u16; 2]) -> u64 {
        let pairs = pairs(partitions);
        let keys = self.first.iter().map(|order| {
            let moved = |[a, b]: [u8; 2]| 3 * order[usize::from(a)] + order[usize::from(b)];
            sorted_key(array(|digit| moved(pairs[digit])), classes)
        });
        keys.min().expect("the columns as they are")
    }

    /// The classes of digits whose exchange leaves the triple with these first two partitions unchanged.
    fn classes(&self, partitions: [u16; 2]) -> DigitClasses {
        let pairs = pairs(partitions);
        let mut classes = [9; 9];
        for (at, &digit) in self.unused.iter().enumerate() {
            let same = self.unused[..at].iter().position(|&before| pairs[before] == pairs[digit]);
            classes[digit] = same.unwrap_or(at) as u8;
        }
        classes
    }
}

/// The columns that each digit has in the first and the second band; they determine the third.
fn pairs(partitions: [u16; 2]) -> [[u8; 2]; 9] {
    let [a, b] = partitions.map(|partition| &PARTITIONS.places[usize::from(partition)]);
    array(|digit| [a[digit], b[digit]])
}

/// The first item of each set of items with one key, and the size of the set.
fn one_of_each<T>(items: impl Iterator<Item = T>, key: impl Fn(&T) -> u64) -> Vec<(T, u64)> {
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut chosen: Vec<(T, u64)> = Vec::new();
    for item in items {
        let at = *seen.entry(key(&item)).or_insert(chosen.len());
        if at == chosen.len() {
            chosen.push((item, 0));
        }
        chosen[at].1 += 1;
    }
    chosen
}

/// A number that is equal for two assignments of values to digits if and only if exchanges within classes turn one
/// into the other: the values are sorted within each class.
fn sorted_key(mut values: [u8; 9], classes: &DigitClasses) -> u64 {
    for digit in (1..9).filter(|&digit| classes[digit] < 9) {
        let mut at = digit;
        for before in (0..digit).rev().filter(|&before| classes[before] == classes[digit]) {
            if values[before] <= values[at] {
                break;
            }
            values.swap(before, at);
            at = before;
        }
    }
    values.iter().fold(0, |key, &value| key << 4 | u64::from(value))
}

#[cfg(test)]
mod tests {
    use super::super::kernel::MAX_FILLINGS;
    use super::boxes;
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

#[cfg(test)]
mod partitions_tests {
    use super::*;

    #[test]
    fn every_relation_is_what_it_says() {
        let Partitions { parts, partners, crossing, .. } = &*PARTITIONS;
        assert_eq!(parts.len(), PARTITION_COUNT);
        for (number, own) in parts.iter().enumerate().step_by(7) {
            let avoid = |other: &[u16; 3]| (0..3).all(|i| own[i] & other[i] == 0);
            let cross = |other: &[u16; 3]| {
                own.iter().all(|a| other.iter().all(|b| (a & b).count_ones() == 1))
            };
            let numbers = |holds: &dyn Fn(&[u16; 3]) -> bool| -> Vec<u16> {
                let all = 0..PARTITION_COUNT as u16;
                all.filter(|&other| holds(&parts[usize::from(other)])).collect()
            };
            let mut found: Vec<u16> = partners[number].iter().map(|pair| pair[0]).collect();
            found.sort_unstable();
            assert_eq!(found, numbers(&avoid));
            for &[one, other] in &partners[number] {
                let one = parts[usize::from(one)];
                let other = parts[usize::from(other)];
                assert!((0..3).all(|i| own[i] | one[i] | other[i] == ALL));
            }
            let mut found = crossing[number].to_vec();
            found.sort_unstable();
            assert_eq!(found, numbers(&cross));
        }
    }
}
