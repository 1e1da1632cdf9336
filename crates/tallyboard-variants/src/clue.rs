//! What rules say of the values of several cells: relations of two cells, and clues of any number.
//!
//! A relation is a table: for each set of candidates of a cell, the values that its neighbour may have. A clue is given the
//! candidates of its cells, in the order of the cells, and removes those that it can refute cheaply. Once every cell has one
//! candidate, it finds every violation.

use std::cmp::Ordering;

use crate::automaton::Automaton;
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
    /// An automaton accepts the values in the order of the cells.
    Line(Automaton),
    /// A value in one of the cells is in as many of them as it tells.
    Circles,
    /// Lines, read as numbers, have these places in the order of all of them.
    Ranks(Ranks),
}

/// Lines that are ranked as numbers, the least first.
#[derive(Debug, Clone)]
pub(crate) struct Ranks {
    /// Each line as places among the cells of the clue.
    pub lines: Vec<Vec<usize>>,
    /// Numbers of lines, and the place of each, from 1. No other line equals one of these.
    pub wanted: Vec<(usize, u32)>,
}

impl Ranks {
    /// Whether the lines that are surely less and surely greater leave each wanted place.
    fn are_possible(&self, candidates: &[u16]) -> bool {
        self.wanted.iter().all(|&(line, rank)| {
            let (mut less, mut greater) = (0, 0);
            for other in (0..self.lines.len()).filter(|&other| other != line) {
                match self.compare(other, line, candidates) {
                    Some(Ordering::Less) => less += 1,
                    Some(Ordering::Greater) => greater += 1,
                    Some(Ordering::Equal) => return false,
                    None => {}
                }
            }
            less < rank && greater + rank as usize <= self.lines.len()
        })
    }

    /// How two lines compare, if their candidates tell.
    fn compare(&self, first: usize, second: usize, candidates: &[u16]) -> Option<Ordering> {
        for (&a, &b) in self.lines[first].iter().zip(&self.lines[second]) {
            let (a, b) = (candidates[a], candidates[b]);
            // Of disjoint ranges the one with the lower bits is less.
            if a == b && a.is_power_of_two() {
                continue;
            }
            if 15 - a.leading_zeros() < b.trailing_zeros() {
                return Some(Ordering::Less);
            }
            if 15 - b.leading_zeros() < a.trailing_zeros() {
                return Some(Ordering::Greater);
            }
            return None;
        }
        Some(Ordering::Equal)
    }
}

/// The most cells that a clue has, but for the ranks of lines. Longer lines are refused.
pub(crate) const MOST_CELLS: usize = 64;

impl Clue {
    /// Removes candidates that this clue refutes; false if a cell has none left.
    pub fn apply(&self, candidates: &mut [u16]) -> bool {
        match &self.kind {
            ClueKind::Sets(sets) => keep_sets(sets, candidates),
            ClueKind::Sum { factors, target } => keep_sum(factors, *target, candidates),
            ClueKind::Growing => keep_growing(candidates),
            ClueKind::Line(automaton) => automaton.keep(candidates),
            ClueKind::Circles => keep_circles(candidates),
            ClueKind::Ranks(ranks) => ranks.are_possible(candidates),
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

/// Keeps the values of the sets of values that can be in the circles: their sum is the number of circles, and enough circles
/// can hold each of them.
fn keep_circles(candidates: &mut [u16]) -> bool {
    let mut possible = [0; 16];
    let mut fixed = [0; 16];
    for &set in candidates.iter() {
        for value in (0..16).filter(|value| set >> value & 1 == 1) {
            possible[value] += 1;
            fixed[value] += usize::from(set.is_power_of_two());
        }
    }
    let fits = |value: usize, is_there: bool| match is_there {
        true => (fixed[value]..=possible[value]).contains(&(value + 1)),
        false => fixed[value] == 0,
    };
    let kept = sets_of_circles(15, candidates.len(), 0, &fits);
    for set in candidates.iter_mut() {
        *set &= kept;
    }
    candidates.iter().all(|&set| set != 0)
}

/// The union of the sets that are `set` and values up to number `value`, whose sum is `left`, and that `fits` in every value.
fn sets_of_circles(
    value: usize,
    left: usize,
    set: u16,
    fits: &impl Fn(usize, bool) -> bool,
) -> u16 {
    let mut union = 0;
    for is_there in [false, true] {
        let taken = if is_there { value + 1 } else { 0 };
        if taken > left || !fits(value, is_there) {
            continue;
        }
        let set = set | u16::from(is_there) << value;
        match value {
            0 if left == taken => union |= set,
            0 => {}
            _ => union |= sets_of_circles(value - 1, left - taken, set, fits),
        }
    }
    union
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

/// A relation between the values of two cells that have an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relation {
    /// What it says, as in `consecutive values`.
    pub text: String,
    /// For each value of the first cell, from 1, the values that the second may have.
    beside: [u16; 16],
}

impl Relation {
    /// The relation of the values that `allows` together.
    pub fn new(size: Size, text: impl Into<String>, allows: impl Fn(u32, u32) -> bool) -> Self {
        let side = size.side() as u32;
        let mut beside = [0_u16; 16];
        for first in 1..=side {
            for second in (1..=side).filter(|&second| allows(first, second)) {
                beside[first as usize - 1] |= 1 << (second - 1);
            }
        }
        Self { text: text.into(), beside }
    }

    /// The relation of the second cell to the first.
    pub fn reversed(&self) -> Self {
        let mut beside = [0_u16; 16];
        for (first, set) in self.beside.iter().enumerate() {
            for second in (0..16).filter(|second| set >> second & 1 == 1) {
                beside[second] |= 1 << first;
            }
        }
        Self { text: self.text.clone(), beside }
    }

    /// For each set of values of the first cell, a bit each, the values that the second may have beside one of them.
    pub fn image(&self, size: Size) -> Vec<u16> {
        let sets = 1_usize << size.side();
        let mut image = vec![0_u16; sets];
        for set in 1..sets {
            // The set without its least value is smaller, so its image is there.
            let least = set.trailing_zeros() as usize;
            image[set] = image[set & (set - 1)] | self.beside[least];
        }
        image
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
            check(&clue(ClueKind::Circles), &candidates, |choice| {
                let times = |value| choice.iter().filter(|&&other| other == value).count();
                choice.iter().all(|&value| times(value) == value as usize)
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
        let size = Size::new(6).unwrap();
        let allowed: [fn(u32, u32) -> bool; 3] =
            [|a, b| a.abs_diff(b) == 1, |a, b| a > b, |a, b| a + b == 5];
        for allows in allowed {
            let relation = Relation::new(size, "test", allows);
            assert_eq!(relation.reversed().reversed(), relation);
            let images = [relation.image(size), relation.reversed().image(size)];
            for set in 0..64_u16 {
                for second in 1..=6 {
                    let of_set = |first: &u32| set >> (first - 1) & 1 == 1;
                    let some = (1..=6).filter(of_set).any(|first| allows(first, second));
                    let reversed = (1..=6).filter(of_set).any(|first| allows(second, first));
                    let found =
                        images.each_ref().map(|image| image[set as usize] >> (second - 1) & 1);
                    assert_eq!(found, [u16::from(some), u16::from(reversed)]);
                }
            }
        }
    }
}
