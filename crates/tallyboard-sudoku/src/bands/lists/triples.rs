//! Three boxes in a band or in a stack: the partitions of their digits that fit together.

use std::sync::LazyLock;

use super::kernel;
use super::lines::{ALL_LINES, LINE_BITS, Lines, PartitionSet};
use crate::bands::partitions::{ALL, partitions, triples};
use tallyboard_base::bits::bits;
use tallyboard_base::cpu::Instructions;

/// Boxes with more pairs of partitions are refused. Looking through this number takes a millisecond.
const MAX_PAIRS: usize = 1 << 20;

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
        triples(ALL).zip(0..).for_each(|(set, rank)| ranks[usize::from(set)] = rank);
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
    /// Finds all triples for boxes whose lines may have the digits `allowed`. Returns whether these are few enough.
    pub fn find(
        &mut self,
        allowed: [Lines; 3],
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
        if firsts.len() * seconds.len() > MAX_PAIRS {
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
                assert!(triples.find(allowed, instructions, &mut scratch));
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
        assert!(!triples.find([ALL_LINES; 3], instructions, &mut Scratch::default()));
    }
}
