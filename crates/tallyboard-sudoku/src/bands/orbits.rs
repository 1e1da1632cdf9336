//! Orbits of partitions under *exchanges*: of digits that no clue shows, and of columns without clues.
//!
//! An exchange changes no number of fillings. So one triple of column partitions of the first stack is
//! counted for its whole orbit. For each such triple, one partition of the third stack is counted for its
//! orbit under the exchanges that leave the triple unchanged.

use std::collections::{BTreeMap, HashMap};

use super::boxes::Cells;
use super::partitions::PARTITIONS;
use crate::grid::ORDERS;
use tallyboard_base::array::array;

/// The exchanges that leave the clues unchanged.
pub struct Exchanges {
    /// Digits that no clue shows.
    unused: Vec<usize>,
    /// The orders of the columns of the first stack, and of the third, in which each column with clues keeps its place.
    first: Vec<[u8; 3]>,
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
