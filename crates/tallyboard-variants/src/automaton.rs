//! Rules of lines as small automata: a state for what was read so far, and for each value the state after it.
//!
//! A rule is a start, a step and an end; [`Automaton::new`] finds the states that a line can be in, a layer for each cell, and
//! joins the values that lead from one state to another into a mask. [`Automaton::keep`] then goes through the layers forward
//! and back, and keeps exactly the candidates with which some choice of the others is accepted.

use std::collections::BTreeMap;

use tallyboard_base::bits::bits;

use crate::grid::Size;
use crate::pattern::Pattern;

/// The states of a line before each of its cells, and the steps between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// A layer for each cell, in the order in which the rule reads them.
    layers: Vec<Layer>,
    /// The first number of each layer's states in one numbering of all, and behind the last the number of all.
    first_state: Vec<usize>,
    /// The most states before a cell, or behind the last.
    most_states: usize,
}

/// Automata with fewer cells than this, and with at most 64 states before each, have sets of states that are words.
const MOST_SMALL_LAYERS: usize = 32;

/// The steps at one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Layer {
    /// The first step of each state, and behind the last the number of steps.
    first_step: Vec<u32>,
    steps: Vec<Step>,
}

/// The values, a bit each, that lead to a state of the next layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    values: u16,
    next: u32,
}

impl Automaton {
    /// The automaton for `cells` cells of a grid of this size. `step` gives the state after the value of a cell, whose
    /// number counts from 0, or `None` if no such value may be there, or several states, one of which has to lead to an end;
    /// `accepts` tells whether a line may end so.
    pub fn new<S: Ord + Clone, I: IntoIterator<Item = S>>(
        size: Size,
        cells: usize,
        start: S,
        step: impl Fn(usize, &S, u32) -> I,
        accepts: impl Fn(&S) -> bool,
    ) -> Self {
        let mut states = BTreeMap::from([(start, 0_u32)]);
        let mut layers = Vec::with_capacity(cells);
        for cell in 0..cells {
            let mut next_states = BTreeMap::new();
            let mut layer = Layer { first_step: vec![0; states.len() + 1], steps: Vec::new() };
            let mut of_state: Vec<Vec<Step>> = vec![Vec::new(); states.len()];
            for (state, &number) in &states {
                for value in size.values() {
                    for after in step(cell, state, value) {
                        if cell + 1 == cells && !accepts(&after) {
                            continue;
                        }
                        let fresh = next_states.len() as u32;
                        let next = *next_states.entry(after).or_insert(fresh);
                        let steps = &mut of_state[number as usize];
                        match steps.iter_mut().find(|step| step.next == next) {
                            Some(step) => step.values |= 1 << (value - size.first_value()),
                            None => {
                                steps.push(Step { values: 1 << (value - size.first_value()), next })
                            }
                        }
                    }
                }
            }
            for (number, steps) in of_state.into_iter().enumerate() {
                layer.steps.extend(steps);
                layer.first_step[number + 1] = layer.steps.len() as u32;
            }
            layers.push(layer);
            states = next_states;
        }
        let mut automaton = Self { layers, first_state: Vec::new(), most_states: 0 };
        automaton.drop_dead_ends(states.len());
        automaton
    }

    /// Removes the steps after which no line can be accepted. `ends` is the number of states behind the last cell.
    fn drop_dead_ends(&mut self, ends: usize) {
        let mut is_alive = vec![true; ends];
        for layer in self.layers.iter_mut().rev() {
            let mut kept = Vec::with_capacity(layer.steps.len());
            let mut first_step = vec![0];
            for state in layer.first_step.windows(2) {
                let steps = &layer.steps[state[0] as usize..state[1] as usize];
                kept.extend(steps.iter().filter(|step| is_alive[step.next as usize]));
                first_step.push(kept.len() as u32);
            }
            is_alive = first_step.windows(2).map(|pair| pair[0] < pair[1]).collect();
            *layer = Layer { first_step, steps: kept };
        }
        self.first_state = vec![0];
        let mut states = 0;
        for layer in &self.layers {
            states += layer.first_step.len() - 1;
            self.first_state.push(states);
        }
        self.first_state.push(states + ends);
        let of_layers = self.first_state.windows(2).map(|pair| pair[1] - pair[0]);
        self.most_states = of_layers.max().unwrap_or(0);
    }

    /// The steps at a cell: the number of the state before it, the values, a bit each, and the number of the state behind it. Each cell
    /// numbers the states before it from 0, and the first has one.
    pub fn steps(&self, cell: usize) -> impl Iterator<Item = (u32, u16, u32)> {
        let layer = &self.layers[cell];
        let states = 0..layer.first_step.len() - 1;
        states.flat_map(move |state| {
            layer.steps_of(state).iter().map(move |step| (state as u32, step.values, step.next))
        })
    }

    /// Keeps the candidates with which the automaton accepts some choice; false if it accepts none. The sets are in the order
    /// in which it reads the cells.
    pub fn keep(&self, candidates: &mut [u16]) -> bool {
        if self.layers.len() < MOST_SMALL_LAYERS && self.most_states <= u64::BITS as usize {
            self.keep_small(candidates)
        } else {
            self.keep_large(candidates)
        }
    }

    /// [`keep`](Self::keep) for any number of states.
    fn keep_large(&self, candidates: &mut [u16]) -> bool {
        let states = self.first_state[self.first_state.len() - 1];
        let mut reached = vec![false; states];
        reached[0] = true;
        for (number, layer) in self.layers.iter().enumerate() {
            let next = self.first_state[number + 1];
            for state in 0..layer.first_step.len() - 1 {
                if !reached[self.first_state[number] + state] {
                    continue;
                }
                for step in layer.steps_of(state) {
                    reached[next + step.next as usize] |= step.values & candidates[number] != 0;
                }
            }
        }
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let next = self.first_state[number + 1];
            let mut kept = 0;
            for state in 0..layer.first_step.len() - 1 {
                let here = self.first_state[number] + state;
                if !reached[here] {
                    continue;
                }
                let mut is_alive = false;
                for step in layer.steps_of(state) {
                    let values = step.values & candidates[number];
                    if values != 0 && reached[next + step.next as usize] {
                        kept |= values;
                        is_alive = true;
                    }
                }
                reached[here] = is_alive;
            }
            candidates[number] = kept;
            if kept == 0 {
                return false;
            }
        }
        true
    }
}

impl Automaton {
    /// [`keep`](Self::keep) with the states before each cell as the bits of a word.
    fn keep_small(&self, candidates: &mut [u16]) -> bool {
        let mut reached = [0_u64; MOST_SMALL_LAYERS];
        reached[0] = 1;
        for (number, layer) in self.layers.iter().enumerate() {
            let (set, mut next) = (candidates[number], 0);
            for state in states(reached[number]) {
                for step in layer.steps_of(state) {
                    next |= u64::from(step.values & set != 0) << step.next;
                }
            }
            reached[number + 1] = next;
        }
        // The states from which some choice is accepted.
        let mut alive = reached[self.layers.len()];
        for (number, layer) in self.layers.iter().enumerate().rev() {
            let (set, mut kept, mut alive_before) = (candidates[number], 0, 0);
            for state in states(reached[number]) {
                let mut of_state = 0;
                for step in layer.steps_of(state) {
                    let is_alive = (alive >> step.next & 1) as u16;
                    of_state |= step.values & set & is_alive.wrapping_neg();
                }
                kept |= of_state;
                alive_before |= u64::from(of_state != 0) << state;
            }
            candidates[number] = kept;
            alive = alive_before;
            if kept == 0 {
                return false;
            }
        }
        true
    }
}

/// The states of a set of them.
fn states(set: u64) -> impl Iterator<Item = usize> {
    bits(set).map(|bit| bit.trailing_zeros() as usize)
}

impl Layer {
    fn steps_of(&self, state: usize) -> &[Step] {
        &self.steps[self.first_step[state] as usize..self.first_step[state + 1] as usize]
    }
}

/// The end cells of a line lie around the values of the others, strictly. The two ends are read first.
pub(crate) fn between(size: Size, cells: usize) -> Automaton {
    ends_first(size, cells, |_, _| true, |low, high, value| low < value && value < high)
}

/// The end cells differ by at least `least`, and the others lie outside of them. The two ends are read first.
pub(crate) fn lockout(size: Size, cells: usize, least: u32) -> Automaton {
    let is_outside = |low, high, value| value < low || value > high;
    ends_first(size, cells, move |low, high| high - low >= least, is_outside)
}

/// The ends, ordered, satisfy `ends`, and each other value `inner` together with them.
fn ends_first(
    size: Size,
    cells: usize,
    ends: impl Fn(u32, u32) -> bool,
    inner: impl Fn(u32, u32, u32) -> bool,
) -> Automaton {
    let step = |cell, &(low, high): &(u32, u32), value: u32| match cell {
        0 => Some((value, value)),
        1 => {
            let pair = (low.min(value), high.max(value));
            ends(pair.0, pair.1).then_some(pair)
        }
        _ => inner(low, high, value).then_some((low, high)),
    };
    Automaton::new(size, cells, (0, 0), step, |_| true)
}

/// Parts of these lengths have equal sums.
pub(crate) fn equal_sums(size: Size, parts: &[usize]) -> Automaton {
    let mut last_of_part = vec![false; parts.iter().sum()];
    let mut end = 0;
    for part in parts {
        end += part;
        last_of_part[end - 1] = true;
    }
    let most = parts.iter().min().map_or(0, |fewest| *fewest as u32 * size.last_value());
    // The sum of the first part, once it is read, and that of the current part.
    let step = |cell: usize, &(whole, sum): &(Option<u32>, u32), value: u32| {
        let sum = sum + value;
        if sum > whole.unwrap_or(most) {
            return None;
        }
        match (last_of_part[cell], whole) {
            (false, _) => Some((whole, sum)),
            (true, None) => Some((Some(sum), 0)),
            (true, Some(whole)) => (sum == whole).then_some((Some(whole), 0)),
        }
    };
    Automaton::new(size, last_of_part.len(), (None, 0), step, |_| true)
}

/// The line is parts with this sum each.
pub(crate) fn sum_parts(size: Size, cells: usize, sum: u32) -> Automaton {
    let step = |_, &so_far: &u32, value: u32| {
        let after = so_far + value;
        (after <= sum).then_some(if after == sum { 0 } else { after })
    };
    Automaton::new(size, cells, 0, step, |&left| left == 0)
}

/// The sum between the least and the greatest of some values, which differ.
pub(crate) fn lunchbox(size: Size, cells: usize, sum: u32) -> Automaton {
    let extremes =
        size.values().flat_map(|low| (low + 1..=size.last_value()).map(move |high| (low, high)));
    let extremes: Vec<(u32, u32)> = extremes.collect();
    // The least and the greatest value are chosen first. Then which of the two were read, as bits, and the sum since the first.
    type State = Option<(u32, u32, u32, u32)>;
    let after = |&(low, high, crusts, so_far): &(u32, u32, u32, u32), value: u32| {
        let crust = u32::from(value == low) | u32::from(value == high) << 1;
        let is_inside = crust == 0 && crusts.is_power_of_two();
        let so_far = if is_inside { so_far + value } else { so_far };
        let is_right = (low..=high).contains(&value) && crusts & crust == 0 && so_far <= sum;
        is_right.then_some(Some((low, high, crusts | crust, so_far)))
    };
    let step = |_, state: &State, value: u32| -> Vec<State> {
        match state {
            Some(state) => after(state, value).into_iter().collect(),
            None => {
                let starts = extremes.iter().map(|&(low, high)| (low, high, 0, 0));
                starts.filter_map(|start| after(&start, value)).collect()
            }
        }
    };
    let accepts =
        |state: &State| state.is_some_and(|(_, _, crusts, so_far)| crusts == 3 && so_far == sum);
    Automaton::new(size, cells, None, step, accepts)
}

/// Values of all three kinds.
pub(crate) fn three_kinds(size: Size, cells: usize, kind: impl Fn(u32) -> u32) -> Automaton {
    let step = |_, &seen: &u32, value: u32| Some(seen | 1 << kind(value));
    Automaton::new(size, cells, 0, step, |&seen| seen == 0b111)
}

/// The sum between the least and the greatest value, each of which is there once.
pub(crate) fn sandwich(size: Size, sum: u32) -> Automaton {
    let [least, most] = [size.first_value(), size.last_value()];
    // How many of the two were read, and the sum since the first.
    let step = |_, &(crusts, so_far): &(u32, u32), value: u32| {
        let is_crust = value == least || value == most;
        match (crusts, is_crust) {
            (0, false) | (2, false) => Some((crusts, so_far)),
            (1, false) => (so_far + value <= sum).then_some((1, so_far + value)),
            (0, true) => Some((1, 0)),
            (1, true) => (so_far == sum).then_some((2, 0)),
            _ => None,
        }
    };
    Automaton::new(size, size.side(), (0, 0), step, |&(crusts, _)| crusts == 2)
}

/// So many values are greater than 0 and all before them.
pub(crate) fn skyscraper(size: Size, cells: usize, visible: u32) -> Automaton {
    let step = |_, &(highest, seen): &(u32, u32), value: u32| {
        let after = if value > highest { (value, seen + 1) } else { (highest, seen) };
        (after.1 <= visible).then_some(after)
    };
    Automaton::new(size, cells, (0, 0), step, |&(_, seen)| seen == visible)
}

/// The first cells, as many as the value of the first, have this sum.
pub(crate) fn x_sum(size: Size, cells: usize, sum: u32) -> Automaton {
    // The cells that are still to be added, and the sum that is left for them.
    let step = |cell: usize, &(left, rest): &(u32, u32), value: u32| {
        let left = if cell == 0 { value } else { left };
        if left == 0 {
            return Some((0, rest));
        }
        let rest = rest.checked_sub(value)?;
        (left > 1 || rest == 0).then_some((left - 1, rest))
    };
    Automaton::new(size, cells, (0, sum), step, |&(left, rest)| left == 0 && rest == 0)
}

/// The first cell tells the number of a cell on the line, from 1, whose value is `wanted`. The cell that tells is read first,
/// and again in its place if it is one of the others.
pub(crate) fn pointer(size: Size, line: usize, wanted: u32) -> Automaton {
    let step = |cell: usize, &pointer: &u32, value: u32| match cell {
        0 => (value as usize <= line).then_some(value),
        _ if cell as u32 == pointer => (value == wanted).then_some(0),
        _ => Some(pointer),
    };
    Automaton::new(size, line + 1, 0, step, |&pointer| pointer == 0)
}

/// Each of these values is there, as often as it is listed.
pub(crate) fn quadruple(size: Size, cells: usize, values: &[u8]) -> Automaton {
    let mut missing = values.to_vec();
    missing.sort_unstable();
    let step = |cell: usize, missing: &Vec<u8>, value: u32| {
        let mut missing = missing.clone();
        if let Some(place) = missing.iter().position(|&one| u32::from(one) == value) {
            missing.remove(place);
        }
        (missing.len() < cells - cell).then_some(missing)
    };
    Automaton::new(size, cells, missing, step, Vec::is_empty)
}

/// The product of all values.
pub(crate) fn product(size: Size, cells: usize, product: u32) -> Automaton {
    // What is left of the product, and whether some value was 0.
    let step = |_, &(left, is_zero): &(u32, bool), value: u32| match (product, value) {
        (0, _) => Some((1, is_zero || value == 0)),
        (_, 0) => None,
        _ => left.is_multiple_of(value).then(|| (left / value, false)),
    };
    let accepts = |&(left, is_zero): &(u32, bool)| left == 1 && is_zero == (product == 0);
    Automaton::new(size, cells, (product, false), step, accepts)
}

/// The greatest value less all others, or divided by all others, is `number`.
pub(crate) fn greatest_and_rest(
    size: Size,
    cells: usize,
    number: u32,
    is_quotient: bool,
) -> Automaton {
    let most = size.last_value();
    let combined = |rest: u32, value: u32| if is_quotient { rest * value } else { rest + value };
    // The greatest value and what the others are together.
    let step = |cell: usize, &(greatest, rest): &(u32, u32), value: u32| {
        if cell == 0 {
            return Some((value, u32::from(is_quotient)));
        }
        let rest = combined(rest, greatest.min(value));
        (rest <= most).then_some((greatest.max(value), rest))
    };
    let accepts = |&(greatest, rest): &(u32, u32)| {
        match is_quotient {
            // Nothing is divided by 0.
            true => rest > 0 && number.checked_mul(rest) == Some(greatest),
            false => number.checked_add(rest) == Some(greatest),
        }
    };
    Automaton::new(size, cells, (0, 0), step, accepts)
}

/// The values match a pattern.
pub(crate) fn pattern(size: Size, cells: usize, pattern: &Pattern) -> Automaton {
    let step = |_, &state: &usize, value: u32| pattern.after(state, value);
    Automaton::new(size, cells, 0, step, |&state| pattern.may_end(state))
}

/// The sum of all values is in a range.
pub(crate) fn sum_in(size: Size, cells: usize, least: u32, most: u32) -> Automaton {
    let step = |_, &sum: &u32, value: u32| (sum + value <= most).then_some(sum + value);
    Automaton::new(size, cells, 0, step, |&sum| sum >= least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn five() -> Size {
        Size::new(5).unwrap()
    }

    /// All lines of `cells` values from 1 to `side`.
    fn lines(side: u32, cells: usize) -> Vec<Vec<u32>> {
        let mut lines = vec![Vec::new()];
        for _ in 0..cells {
            let longer =
                |line: Vec<u32>| (1..=side).map(move |value| [&line[..], &[value]].concat());
            lines = lines.into_iter().flat_map(longer).collect();
        }
        lines
    }

    /// The automaton keeps exactly the candidates of the lines that `holds`, from full sets and from random ones.
    fn check(automaton: &Automaton, cells: usize, holds: impl Fn(&[u32]) -> bool) {
        let mut random = tallyboard_base::random::Random::from_seed(5);
        let accepted: Vec<Vec<u32>> =
            lines(5, cells).into_iter().filter(|line| holds(line)).collect();
        assert!(!accepted.is_empty());
        for _ in 0..60 {
            let candidates: Vec<u16> = (0..cells).map(|_| random.below(31) as u16 + 1).collect();
            let mut expected = vec![0_u16; cells];
            for line in &accepted {
                let fits = |(&value, &set): (&u32, &u16)| set >> (value - 1) & 1 == 1;
                if line.iter().zip(&candidates).all(fits) {
                    for (set, value) in expected.iter_mut().zip(line) {
                        *set |= 1 << (value - 1);
                    }
                }
            }
            for keep in [Automaton::keep, Automaton::keep_large] {
                let mut kept = candidates.clone();
                let alive = keep(automaton, &mut kept);
                assert_eq!(alive, expected[0] != 0, "{candidates:?}");
                assert!(!alive || kept == expected, "{candidates:?}: {kept:?}, not {expected:?}");
            }
        }
    }

    /// Where values may be 0, products and sums are those of what is written, and a skyscraper of height 0 is not seen.
    #[test]
    fn automata_know_zero() {
        let size = five().with_first_value(0).unwrap();
        let judge = |automaton: Automaton, cells: usize, holds: fn(&[u32]) -> bool| {
            for line in lines(5, cells) {
                let mut single: Vec<u16> = line.iter().map(|value| 1 << (value - 1)).collect();
                let written: Vec<u32> = line.iter().map(|value| value - 1).collect();
                assert_eq!(automaton.keep(&mut single), holds(&written), "{written:?}");
            }
        };
        judge(product(size, 3, 0), 3, |l| l.contains(&0));
        judge(product(size, 3, 12), 3, |l| l.iter().product::<u32>() == 12);
        judge(skyscraper(size, 3, 2), 3, |l| {
            let is_seen = |&at: &usize| l[at] > 0 && l[..at].iter().all(|&before| before < l[at]);
            (0..3).filter(is_seen).count() == 2
        });
        judge(sum_parts(size, 3, 4), 3, |l| {
            let ends: Vec<u32> = (1..=3).map(|end| l[..end].iter().sum()).collect();
            ends[2].is_multiple_of(4) && (1..=ends[2] / 4).all(|part| ends.contains(&(4 * part)))
        });
        judge(greatest_and_rest(size, 2, 3, true), 2, |l| {
            let (low, high) = (l[0].min(l[1]), l[0].max(l[1]));
            low > 0 && high == 3 * low
        });
    }

    #[test]
    fn automata_keep_exactly_what_their_definitions_allow() {
        let sum = |line: &[u32]| line.iter().sum::<u32>();
        check(&between(five(), 4), 4, |l| {
            l[2..].iter().all(|v| l[0].min(l[1]) < *v && *v < l[0].max(l[1]))
        });
        check(&lockout(five(), 4, 2), 4, |l| {
            let (low, high) = (l[0].min(l[1]), l[0].max(l[1]));
            high - low >= 2 && l[2..].iter().all(|&v| v < low || v > high)
        });
        check(&equal_sums(five(), &[2, 1, 2]), 5, |l| l[0] + l[1] == l[2] && l[2] == l[3] + l[4]);
        check(&sum_parts(five(), 4, 6), 4, |l| {
            let ends = (1..=4).map(|end| sum(&l[..end]));
            let reached: Vec<u32> = ends.collect();
            let parts = reached[3] / 6;
            reached[3].is_multiple_of(6) && (1..=parts).all(|part| reached.contains(&(6 * part)))
        });
        check(&sandwich(five(), 5), 5, |l| {
            let crusts: Vec<usize> = (0..5).filter(|&at| l[at] == 1 || l[at] == 5).collect();
            crusts.len() == 2 && sum(&l[crusts[0] + 1..crusts[1]]) == 5
        });
        // The cells of a lunchbox differ, which is another rule: without it each extreme is there once.
        check(&lunchbox(five(), 4, 3), 4, |l| {
            let (low, high) = (*l.iter().min().unwrap(), *l.iter().max().unwrap());
            let crusts: Vec<usize> = (0..4).filter(|&at| l[at] == low || l[at] == high).collect();
            low < high && crusts.len() == 2 && sum(&l[crusts[0] + 1..crusts[1]]) == 3
        });
        check(&three_kinds(five(), 4, |value| value % 3), 4, |l| {
            (0..3).all(|wanted| l.iter().any(|value| value % 3 == wanted))
        });
        check(&skyscraper(five(), 4, 3), 4, |l| {
            (0..4).filter(|&at| l[..at].iter().all(|&before| before < l[at])).count() == 3
        });
        check(&x_sum(five(), 5, 9), 5, |l| sum(&l[..l[0] as usize]) == 9);
        check(&pointer(five(), 4, 3), 5, |l| l[0] <= 4 && l[l[0] as usize] == 3);
        check(&quadruple(five(), 4, &[2, 4, 2]), 4, |l| {
            l.iter().filter(|&&v| v == 2).count() >= 2 && l.contains(&4)
        });
        check(&product(five(), 4, 24), 4, |l| l.iter().product::<u32>() == 24);
        check(&greatest_and_rest(five(), 3, 1, false), 3, |l| {
            let greatest = *l.iter().max().unwrap();
            2 * greatest == sum(l) + 1
        });
        check(&greatest_and_rest(five(), 3, 2, true), 3, |l| {
            let greatest = *l.iter().max().unwrap();
            greatest * greatest == 2 * l.iter().product::<u32>()
        });
        // In two states at once after 1, of which either may lead to the end.
        let ends = Pattern::expression("[15]*(12|.*31)").unwrap();
        check(&pattern(five(), 4, &ends), 4, |l| {
            l[2..] == [3, 1] || l[2..] == [1, 2] && l[..2].iter().all(|v| [1, 5].contains(v))
        });
        check(&sum_in(five(), 3, 4, 6), 3, |l| (4..=6).contains(&sum(l)));
    }
}
