//! What rules say of the values of several cells: relations of two cells, and clues of any number.
//!
//! A relation is a table: for each set of candidates of a cell, the values that its neighbour may have. A clue is given the
//! candidates of its cells, in the order of the cells, and removes those that it can refute cheaply. Once every cell has one
//! candidate, it finds every violation.

use std::cmp::Ordering;
use std::collections::BTreeMap;

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
    Sum(Sum),
    /// Values grow from the first cell to the last.
    Growing,
    /// An automaton accepts the values in the order of the cells.
    Line(Automaton),
    /// A value in one of the cells is in as many of them as it tells. The first value of the grid is this.
    Circles(usize),
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

/// Values whose sum, each times its factor, is given.
#[derive(Debug, Clone)]
pub(crate) struct Sum {
    target: i32,
    /// The parts of the sum, in the order of the cells.
    parts: Vec<Part>,
}

/// Cells one after the other, all different, that have one factor.
#[derive(Debug, Clone)]
struct Part {
    factor: i32,
    cells: usize,
}

/// The bounds of the sum of different values of some cells, without factors.
struct Bounds {
    least: i32,
    most: i32,
    /// The number of cells that are open.
    open: usize,
    /// The values that these have as candidates.
    union: u16,
    /// The sum of the cells that are not open.
    fixed: i32,
    /// The sum of the least candidates of the open cells.
    lows: i32,
    /// The sum of their greatest candidates.
    highs: i32,
}

impl Sum {
    /// The sum of cells of which no two are known to differ.
    pub fn new(factors: &[i32], target: i32) -> Self {
        let parts = factors.iter().map(|&factor| Part { factor, cells: 1 }).collect();
        Self { target, parts }
    }

    /// What the products have to sum up to.
    pub fn target(&self) -> i64 {
        self.target.into()
    }

    /// The factor of each cell, in their order.
    pub fn factors(&self) -> impl Iterator<Item = i64> {
        self.parts.iter().flat_map(|part| std::iter::repeat_n(part.factor.into(), part.cells))
    }

    /// Puts the cells in an order in which those that differ stand together: these cannot all have the least value.
    pub fn group(&mut self, cells: &mut [u16], differ: impl Fn(u16, u16) -> bool) {
        let mut groups: Vec<(i32, Vec<u16>)> = Vec::new();
        let factors = self.parts.iter().flat_map(|part| vec![part.factor; part.cells]);
        for (&cell, factor) in cells.iter().zip(factors) {
            let fits = |group: &&mut (i32, Vec<u16>)| {
                group.0 == factor && group.1.iter().all(|&other| differ(cell, other))
            };
            match groups.iter_mut().filter(fits).max_by_key(|group| group.1.len()) {
                Some(group) => group.1.push(cell),
                None => groups.push((factor, vec![cell])),
            }
        }
        let order = groups.iter().flat_map(|(_, group)| group);
        let order: Vec<u16> = order.copied().collect();
        cells.copy_from_slice(&order);
        let part = |(factor, group): (i32, Vec<u16>)| Part { factor, cells: group.len() };
        self.parts = groups.into_iter().map(part).collect();
    }

    /// Keeps the values with which the target is between the least and the greatest sum that the other cells allow.
    fn keep(&self, candidates: &mut [u16]) -> bool {
        loop {
            let (mut least, mut most, mut widest) = (0, 0, 0);
            let mut rest = &*candidates;
            for part in &self.parts {
                let (cells, others) = rest.split_at(part.cells);
                rest = others;
                let Some(bounds) = Bounds::of(cells) else { return false };
                let (low, high) = bounds.times(part.factor);
                least += low;
                most += high;
                widest = widest.max(high - low);
            }
            if self.target < least || self.target > most {
                return false;
            }
            // What the others allow of the target leaves each part all of its sums.
            if widest <= (self.target - least).min(most - self.target) {
                return true;
            }
            let mut changed = false;
            let mut rest = &mut *candidates;
            for part in &self.parts {
                let (cells, others) = rest.split_at_mut(part.cells);
                rest = others;
                let Some(bounds) = Bounds::of(cells) else { return false };
                let (low, high) = bounds.times(part.factor);
                // These cells contribute at least the target less the most of the others, and at most the target less
                // their least.
                let from = self.target - (most - high);
                let to = self.target - (least - low);
                if from <= low && to >= high {
                    continue;
                }
                let (from, to) = if part.factor < 0 { (-to, -from) } else { (from, to) };
                let factor = part.factor.abs();
                let from = from.div_euclid(factor) + i32::from(from.rem_euclid(factor) != 0);
                match bounds.keep(from, to.div_euclid(factor), cells) {
                    Some(has_changed) => changed |= has_changed,
                    None => return false,
                }
            }
            if !changed {
                return true;
            }
        }
    }
}

impl Bounds {
    /// The bounds of the sum of cells that differ; `None` if there are fewer values than cells.
    fn of(cells: &[u16]) -> Option<Self> {
        let (mut open, mut union, mut fixed, mut lows, mut highs) = (0, 0, 0, 0, 0);
        for &set in cells {
            let low = set.trailing_zeros() as i32 + 1;
            if set & (set - 1) == 0 {
                fixed += low;
            } else {
                open += 1;
                union |= set;
                lows += low;
                highs += 16 - set.leading_zeros() as i32;
            }
        }
        if open > union.count_ones() as usize {
            return None;
        }
        let least = fixed + lows.max(sum_of_least(union, open));
        let most = fixed + highs.min(sum_of_greatest(union, open));
        (least <= most).then_some(Self { least, most, open, union, fixed, lows, highs })
    }

    /// The bounds of the sum of the products.
    fn times(&self, factor: i32) -> (i32, i32) {
        let ends = [self.least * factor, self.most * factor];
        if factor < 0 { (ends[1], ends[0]) } else { (ends[0], ends[1]) }
    }

    /// Keeps the values of `cells` with which their sum can be in `from..=to`. Whether one was removed; `None` if a cell has
    /// none left.
    fn keep(&self, from: i32, to: i32, cells: &mut [u16]) -> Option<bool> {
        if self.open == 0 {
            return (from..=to).contains(&self.fixed).then_some(false);
        }
        let others_least = sum_of_least(self.union, self.open - 1);
        let others_most = sum_of_greatest(self.union, self.open - 1);
        let mut changed = false;
        for cell in cells.iter_mut().filter(|cell| **cell & (**cell - 1) != 0) {
            let low = cell.trailing_zeros() as i32 + 1;
            let high = 16 - cell.leading_zeros() as i32;
            let greatest = to - self.fixed - others_least.max(self.lows - low);
            let least = from - self.fixed - others_most.min(self.highs - high);
            let kept = *cell & at_most(greatest) & !at_most(least - 1);
            changed |= kept != *cell;
            *cell = kept;
            if kept == 0 {
                return None;
            }
        }
        Some(changed)
    }
}

/// The set of values up to this one.
fn at_most(value: i32) -> u16 {
    ((1_u32 << value.clamp(0, 16)) - 1) as u16
}

/// The sum of the `number` least values of a set that has at least as many.
fn sum_of_least(mut set: u16, number: usize) -> i32 {
    if let Some(sums) = SUMS_OF_LEAST.get(usize::from(set)) {
        return sums[number].into();
    }
    let mut sum = 0;
    for _ in 0..number {
        sum += set.trailing_zeros() as i32 + 1;
        set &= set - 1;
    }
    sum
}

/// The sum of the `number` greatest values of a set that has at least as many.
fn sum_of_greatest(set: u16, number: usize) -> i32 {
    let others = set.count_ones() as usize;
    sum_of_least(set, others) - sum_of_least(set, others - number)
}

/// For each set of values up to 9, the sums of its 0, 1, 2 and more least ones.
static SUMS_OF_LEAST: [[u8; 10]; 1 << 9] = {
    let mut sums = [[0; 10]; 1 << 9];
    let mut set = 1;
    while set < sums.len() {
        let (mut left, mut number) = (set, 0);
        while left != 0 {
            sums[set][number + 1] = sums[set][number] + left.trailing_zeros() as u8 + 1;
            left &= left - 1;
            number += 1;
        }
        set += 1;
    }
    sums
};

/// The most cells that a clue has, but for the ranks of lines. Longer lines are refused.
pub(crate) const MOST_CELLS: usize = 64;

impl Clue {
    /// Removes candidates that this clue refutes, and returns the values, a bit each, of which it has found that some of its cells
    /// holds them; `None` if a cell has no candidate left.
    pub fn keep(&self, candidates: &mut [u16]) -> Option<u16> {
        match &self.kind {
            ClueKind::Sets(sets) => keep_sets(sets, candidates),
            _ => self.apply(candidates).then_some(0),
        }
    }

    /// Removes candidates that this clue refutes; false if a cell has none left.
    pub fn apply(&self, candidates: &mut [u16]) -> bool {
        match &self.kind {
            ClueKind::Sets(sets) => keep_sets(sets, candidates).is_some(),
            ClueKind::Sum(sum) => sum.keep(candidates),
            ClueKind::Growing => keep_growing(candidates),
            ClueKind::Line(automaton) => automaton.keep(candidates),
            ClueKind::Circles(first) => keep_circles(*first, candidates),
            ClueKind::Ranks(ranks) => ranks.are_possible(candidates),
        }
    }
}

/// The sets of values, by their number of values and their sum: bit 0 is value 1.
#[derive(Debug)]
pub(crate) struct ValueSets(BTreeMap<(usize, u32), Vec<u16>>);

impl ValueSets {
    pub fn new(side: usize) -> Self {
        let mut sums = vec![0; 1 << side];
        let mut sets = BTreeMap::<_, Vec<u16>>::new();
        for set in 1..sums.len() {
            // The set without its least value is smaller, so its sum is there.
            sums[set] = sums[set & (set - 1)] + set.trailing_zeros() + 1;
            sets.entry((set.count_ones() as usize, sums[set])).or_default().push(set as u16);
        }
        Self(sets)
    }

    /// The sets of `number` values with this sum.
    pub fn with_sum(&self, number: usize, sum: u32) -> Vec<u16> {
        self.0.get(&(number, sum)).cloned().unwrap_or_default()
    }
}

/// Keeps the candidates that are in a possible set, and returns the values of all of these. A set is possible if each of its values is a candidate of some cell, and
/// each cell has one of its values as a candidate.
fn keep_sets(sets: &[u16], candidates: &mut [u16]) -> Option<u16> {
    let mut union = 0;
    let mut fixed = 0;
    for &cell in candidates.iter() {
        union |= cell;
        let is_single = cell & cell.wrapping_sub(1) == 0;
        if is_single {
            fixed |= cell;
        }
    }
    // The values of all possible sets together.
    let mut possible = 0;
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
        possible |= set;
    }
    // Values that at least one cell can hold, and values that at least two can.
    let mut once = 0;
    let mut twice = 0;
    for cell in candidates.iter_mut() {
        *cell &= possible;
        twice |= once & *cell;
        once |= *cell;
    }
    if required & !once != 0 {
        return None;
    }
    // Required values that only one cell can hold: that cell holds nothing else.
    let hidden_singles = required & !twice;
    if hidden_singles == 0 {
        return Some(required);
    }
    for cell in candidates.iter_mut().filter(|cell| **cell & hidden_singles != 0) {
        *cell &= hidden_singles;
        let has_two = *cell & (*cell - 1) != 0;
        if has_two {
            return None;
        }
    }
    Some(required)
}

/// Keeps the values of the sets of values that can be in the circles: their sum is the number of circles, and enough circles
/// can hold each of them.
fn keep_circles(first: usize, candidates: &mut [u16]) -> bool {
    let mut possible = [0; 16];
    let mut fixed = [0; 16];
    for &set in candidates.iter() {
        for value in (0..16).filter(|value| set >> value & 1 == 1) {
            possible[value] += 1;
            fixed[value] += usize::from(set.is_power_of_two());
        }
    }
    let fits = |value: usize, is_there: bool| match is_there {
        // No value can be in none of the circles.
        true => value + first > 0 && (fixed[value]..=possible[value]).contains(&(value + first)),
        false => fixed[value] == 0,
    };
    let kept = sets_of_circles(first, 15, candidates.len(), 0, &fits);
    for set in candidates.iter_mut() {
        *set &= kept;
    }
    candidates.iter().all(|&set| set != 0)
}

/// The union of the sets that are `set` and values up to number `value`, whose sum is `left`, and that `fits` in every value.
fn sets_of_circles(
    first: usize,
    value: usize,
    left: usize,
    set: u16,
    fits: &impl Fn(usize, bool) -> bool,
) -> u16 {
    let mut union = 0;
    for is_there in [false, true] {
        let taken = if is_there { value + first } else { 0 };
        if taken > left || !fits(value, is_there) {
            continue;
        }
        let set = set | u16::from(is_there) << value;
        match value {
            0 if left == taken => union |= set,
            0 => {}
            _ => union |= sets_of_circles(first, value - 1, left - taken, set, fits),
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
        let mut beside = [0_u16; 16];
        for (first, set) in size.values().zip(&mut beside) {
            for second in size.values().filter(|&second| allows(first, second)) {
                *set |= 1 << (second - size.first_value());
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
            let total = |choice: &[u32]| {
                let parts = choice.iter().zip(&factors);
                parts.map(|(&value, factor)| value as i32 * factor).sum::<i32>()
            };
            let sum = clue(ClueKind::Sum(Sum::new(&factors, target)));
            check(&sum, &candidates, |choice| total(choice) == target);
            check(&clue(ClueKind::Circles(1)), &candidates, |choice| {
                let times = |value| choice.iter().filter(|&&other| other == value).count();
                choice.iter().all(|&value| times(value) == value as usize)
            });
            check(&clue(ClueKind::Growing), &candidates, |choice| {
                choice.windows(2).all(|pair| pair[0] < pair[1])
            });
        }
    }

    /// A sum that knows which cells differ keeps each value of a solution, and removes more than one that does not.
    #[test]
    fn sums_of_cells_that_differ_keep_what_is_allowed() {
        let mut random = tallyboard_base::random::Random::from_seed(60);
        let mut spared = 0;
        for _ in 0..600 {
            let factors: Vec<i32> =
                (0..5).map(|_| [-10, -1, 1, 1, 1][random.below(5) as usize]).collect();
            let target = random.below(40) as i32 - 20;
            // Cells 0, 2 and 4 are in one house, and 1 and 3 in another.
            let differ = |one: u16, other: u16| (one + other).is_multiple_of(2);
            let mut cells = [0, 1, 2, 3, 4];
            let mut sum = Sum::new(&factors, target);
            sum.group(&mut cells, differ);
            let candidates = random_candidates(&mut random, 5, 5);
            let allows = |choice: &[u32]| {
                let is_different = (0..5).all(|a| {
                    (0..a)
                        .all(|b| !differ(a, b) || choice[usize::from(a)] != choice[usize::from(b)])
                });
                let total = choice
                    .iter()
                    .zip(&factors)
                    .map(|(&value, factor)| value as i32 * factor)
                    .sum::<i32>();
                is_different && total == target
            };
            let solutions: Vec<Vec<u32>> =
                choices(&candidates).into_iter().filter(|choice| allows(choice)).collect();
            let mut grouped: Vec<u16> =
                cells.iter().map(|&cell| candidates[usize::from(cell)]).collect();
            let is_possible = sum.keep(&mut grouped);
            assert!(is_possible || solutions.is_empty(), "{factors:?} {target} {candidates:?}");
            let mut alone = candidates.clone();
            let is_possible_alone = Sum::new(&factors, target).keep(&mut alone);
            if is_possible {
                for (&cell, &kept) in cells.iter().zip(&grouped) {
                    let needed = solutions
                        .iter()
                        .map(|solution| 1 << (solution[usize::from(cell)] - 1))
                        .fold(0, |set: u16, bit: u16| set | bit);
                    assert_eq!(
                        needed & !kept,
                        0,
                        "{factors:?} {target} {candidates:?}: cell {cell}"
                    );
                    assert!(is_possible_alone && kept & !alone[usize::from(cell)] == 0);
                    spared += u32::from(kept != alone[usize::from(cell)]);
                }
            }
        }
        assert!(spared > 30, "{spared}");
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
