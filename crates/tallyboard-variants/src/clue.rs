//! What rules say of the values of several cells: relations of two cells, and clues of any number.
//!
//! A relation is a table: for each set of candidates of a cell, the values that its neighbour may have. A clue is given the
//! candidates of its cells, in the order of the cells, and removes those that it can refute cheaply. Once every cell has one
//! candidate, it finds every violation.

use std::fmt;

use crate::grid::Size;

/// A clue and its cells.
#[derive(Debug, Clone)]
pub(crate) struct Clue {
    /// The numbers of the cells.
    pub cells: Vec<u16>,
    pub kind: ClueKind,
    /// The name of the rule, for explanations.
    pub name: String,
}

#[derive(Debug, Clone)]
pub(crate) enum ClueKind {
    /// The values of the cells are different, and together they are one of these sets.
    Sets(Vec<u16>),
    /// The sum of the values, each times its factor, is the target.
    Sum { factors: Vec<i32>, target: i32 },
    /// Values grow from the first cell to the last.
    Growing,
}

/// The most cells that a clue has. The longest clue is an arrow: two cells in the circle and 32 on the line.
pub(crate) const MOST_CELLS: usize = 34;

impl Clue {
    /// Removes candidates that this clue refutes; false if a cell has none left.
    pub fn apply(&self, candidates: &mut [u16]) -> bool {
        match &self.kind {
            ClueKind::Sets(sets) => keep_sets(sets, candidates),
            ClueKind::Sum { factors, target } => keep_sum(factors, *target, candidates),
            ClueKind::Growing => keep_growing(candidates),
        }
    }
}

/// The number of values in each set of values, and their sum. The index is the set: bit 0 is value 1.
#[derive(Debug)]
pub(crate) struct ValueSets(Vec<(u32, u32)>);

impl ValueSets {
    pub fn new(side: usize) -> Self {
        let mut sets = vec![(0, 0); 1 << side];
        for set in 1..sets.len() {
            // The set without its least value is smaller, so it is there.
            let (number, sum) = sets[set & (set - 1)];
            sets[set] = (number + 1, sum + set.trailing_zeros() + 1);
        }
        Self(sets)
    }

    /// The sets of `number` values with this sum.
    pub fn with_sum(&self, number: usize, sum: u32) -> Vec<u16> {
        let wanted = (number as u32, sum);
        (0..self.0.len()).filter(|&set| self.0[set] == wanted).map(|set| set as u16).collect()
    }
}

/// Keeps the candidates that are in a possible set. A set is possible if each of its values is a candidate of some cell, and
/// each cell has one of its values as a candidate.
fn keep_sets(sets: &[u16], candidates: &mut [u16]) -> bool {
    let mut union = 0;
    let mut fixed = 0;
    for &cell in candidates.iter() {
        union |= cell;
        let is_single = cell & cell.wrapping_sub(1) == 0;
        if is_single {
            fixed |= cell;
        }
    }
    let mut kept = [0_u16; MOST_CELLS];
    // The values that every possible set contains: each of them is in some cell.
    let mut required = u16::MAX;
    for &set in sets {
        if set & !union != 0 || fixed & !set != 0 {
            continue;
        }
        if candidates.iter().any(|cell| cell & set == 0) {
            continue;
        }
        required &= set;
        for (kept, cell) in kept.iter_mut().zip(candidates.iter()) {
            *kept |= cell & set;
        }
    }
    // Values that at least one cell can hold, and values that at least two can.
    let mut once = 0;
    let mut twice = 0;
    for (cell, kept) in candidates.iter_mut().zip(kept) {
        *cell &= kept;
        twice |= once & *cell;
        once |= *cell;
    }
    if required & !once != 0 {
        return false;
    }
    // Required values that only one cell can hold: that cell holds nothing else.
    let hidden_singles = required & !twice;
    if hidden_singles == 0 {
        return true;
    }
    for cell in candidates.iter_mut().filter(|cell| **cell & hidden_singles != 0) {
        *cell &= hidden_singles;
        let has_two = *cell & (*cell - 1) != 0;
        if has_two {
            return false;
        }
    }
    true
}

/// Keeps the values with which the target is between the least and the greatest sum that the other cells allow.
fn keep_sum(factors: &[i32], target: i32, candidates: &mut [u16]) -> bool {
    loop {
        let mut least = 0;
        let mut most = 0;
        for (&factor, &cell) in factors.iter().zip(candidates.iter()) {
            let (low, high) = bounds(factor, cell);
            least += low;
            most += high;
        }
        if target < least || target > most {
            return false;
        }
        let mut changed = false;
        for (&factor, cell) in factors.iter().zip(candidates.iter_mut()) {
            let (low, high) = bounds(factor, *cell);
            // This cell contributes at least the target less the most of the others, and at most the target less their least.
            let from = target - (most - high);
            let to = target - (least - low);
            if from <= low && to >= high {
                continue;
            }
            let mut kept = 0;
            for bit in 0..16 {
                let product = factor * (bit + 1);
                if (from..=to).contains(&product) {
                    kept |= 1 << bit;
                }
            }
            changed |= *cell & !kept != 0;
            *cell &= kept;
            if *cell == 0 {
                return false;
            }
        }
        if !changed {
            return true;
        }
    }
}

/// The least and the greatest product of a factor with a value of the set, which is not empty.
fn bounds(factor: i32, set: u16) -> (i32, i32) {
    let least = set.trailing_zeros() as i32 + 1;
    let most = 16 - set.leading_zeros() as i32;
    if factor < 0 { (factor * most, factor * least) } else { (factor * least, factor * most) }
}

/// Keeps values above the least candidate of the cell before, and below the greatest of the cell after.
fn keep_growing(candidates: &mut [u16]) -> bool {
    let mut larger = u16::MAX;
    for cell in candidates.iter_mut() {
        *cell &= larger;
        if *cell == 0 {
            return false;
        }
        // All bits above the lowest one.
        larger = !(*cell ^ cell.wrapping_sub(1));
    }
    let mut smaller = u16::MAX;
    for cell in candidates.iter_mut().rev() {
        *cell &= smaller;
        if *cell == 0 {
            return false;
        }
        let highest = 15 - cell.leading_zeros();
        smaller = (1 << highest) - 1;
    }
    true
}

/// A relation between the values of two cells. All are symmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Consecutive,
    NotConsecutive,
    Double,
    NotDouble,
    SumIs(u32),
    SumIsNot(u32),
}

impl Relation {
    /// Whether the two values, from 1, may be in the two cells.
    pub fn allows(self, first: u32, second: u32) -> bool {
        match self {
            Self::Consecutive => first.abs_diff(second) == 1,
            Self::NotConsecutive => first.abs_diff(second) != 1,
            Self::Double => first == 2 * second || second == 2 * first,
            Self::NotDouble => first != 2 * second && second != 2 * first,
            Self::SumIs(sum) => first + second == sum,
            Self::SumIsNot(sum) => first + second != sum,
        }
    }

    /// For each set of values of a cell, a bit each, the values that its neighbour may have beside one of them.
    pub fn image(self, size: Size) -> Vec<u16> {
        let side = size.side() as u32;
        let mut beside_value = [0_u16; 16];
        for first in 1..=side {
            for second in 1..=side {
                if self.allows(first, second) {
                    beside_value[first as usize - 1] |= 1 << (second - 1);
                }
            }
        }
        let sets = 1_usize << side;
        let mut image = vec![0_u16; sets];
        for set in 1..sets {
            // The set without its least value is smaller, so its image is there.
            let least = set.trailing_zeros() as usize;
            image[set] = image[set & (set - 1)] | beside_value[least];
        }
        image
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Consecutive => f.write_str("consecutive values"),
            Self::NotConsecutive => f.write_str("no consecutive values"),
            Self::Double => f.write_str("one value twice the other"),
            Self::NotDouble => f.write_str("no value twice the other"),
            Self::SumIs(sum) => write!(f, "the sum {sum}"),
            Self::SumIsNot(sum) => write!(f, "another sum than {sum}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to choose a candidate for each cell, as the values from 1.
    fn choices(candidates: &[u16]) -> Vec<Vec<u32>> {
        let mut choices = vec![Vec::new()];
        for cell in candidates {
            let values = (1..=16).filter(|value| cell >> (value - 1) & 1 == 1);
            let longer = values.flat_map(|value| {
                choices.iter().map(move |choice| [&choice[..], &[value]].concat())
            });
            choices = longer.collect();
        }
        choices
    }

    fn random_candidates(
        random: &mut tallyboard_base::random::Random,
        cells: usize,
        side: u32,
    ) -> Vec<u16> {
        (0..cells).map(|_| random.below((1 << side) - 1) as u16 + 1).collect()
    }

    /// No candidate of an allowed choice is taken away, and single candidates are judged exactly.
    fn check(clue: &Clue, candidates: &[u16], allows: impl Fn(&[u32]) -> bool) {
        let mut kept = candidates.to_vec();
        let alive = clue.apply(&mut kept);
        let allowed: Vec<Vec<u32>> =
            choices(candidates).into_iter().filter(|choice| allows(choice)).collect();
        assert!(alive || allowed.is_empty(), "{clue:?} {candidates:?}");
        for choice in &allowed {
            for (cell, value) in kept.iter().zip(choice) {
                assert!(cell >> (value - 1) & 1 == 1, "{clue:?} {candidates:?}");
            }
        }
        for choice in choices(candidates) {
            let mut single: Vec<u16> = choice.iter().map(|value| 1 << (value - 1)).collect();
            assert_eq!(clue.apply(&mut single), allows(&choice), "{clue:?} {choice:?}");
        }
    }

    fn is_different(choice: &[u32]) -> bool {
        (1..choice.len()).all(|at| !choice[..at].contains(&choice[at]))
    }

    #[test]
    fn clues_keep_what_is_allowed_and_judge_what_is_filled() {
        let mut random = tallyboard_base::random::Random::from_seed(48);
        let clue = |kind| Clue { cells: Vec::new(), kind, name: String::new() };
        for _ in 0..400 {
            let candidates = random_candidates(&mut random, 3, 5);
            let sum = 6 + random.below(7);
            let cage = clue(ClueKind::Sets(ValueSets::new(5).with_sum(3, sum)));
            let sum_of = |choice: &[u32]| choice.iter().sum::<u32>();
            check(&cage, &candidates, |choice| is_different(choice) && sum_of(choice) == sum);
            let factors: Vec<i32> =
                (0..3).map(|_| [-10, -1, 1][random.below(3) as usize]).collect();
            let target = random.below(30) as i32 - 20;
            let kind = ClueKind::Sum { factors: factors.clone(), target };
            check(&clue(kind), &candidates, |choice| {
                let parts = choice.iter().zip(&factors);
                parts.map(|(&value, factor)| value as i32 * factor).sum::<i32>() == target
            });
            check(&clue(ClueKind::Growing), &candidates, |choice| {
                choice.windows(2).all(|pair| pair[0] < pair[1])
            });
        }
    }

    #[test]
    fn the_sets_of_a_cage_are_those_of_the_usual_tables() {
        let sets = ValueSets::new(9);
        assert_eq!(sets.with_sum(2, 3), [0b11]);
        assert_eq!(sets.with_sum(4, 10), [0b1111]);
        assert_eq!(sets.with_sum(4, 20).len(), 12);
        assert_eq!(sets.with_sum(9, 45), [0b1_1111_1111]);
        assert!(sets.with_sum(2, 18).is_empty());
    }

    #[test]
    fn the_image_of_a_set_is_that_of_its_values() {
        let relations = [
            Relation::Consecutive,
            Relation::NotConsecutive,
            Relation::Double,
            Relation::NotDouble,
            Relation::SumIs(5),
            Relation::SumIsNot(10),
        ];
        let size = Size::new(6).unwrap();
        for relation in relations {
            let image = relation.image(size);
            assert_eq!(image.len(), 64);
            for set in 0..64_u16 {
                for second in 1..=6 {
                    let some = (1..=6)
                        .any(|first| set >> (first - 1) & 1 == 1 && relation.allows(first, second));
                    assert_eq!(image[set as usize] >> (second - 1) & 1 == 1, some);
                }
            }
        }
    }
}
