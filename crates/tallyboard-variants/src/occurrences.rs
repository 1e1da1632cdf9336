//! In how many cells of a line each value is: bounds that its rules set, and what they set together.
//!
//! All values of a row once, and a number of zeros that fills the rest: no value is there twice, which neither rule says alone.

use std::collections::BTreeMap;

use crate::automaton::Automaton;

/// In how many cells of a line each value is, at least and at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Occurrences {
    cells: usize,
    /// The bounds of each value, from the first on.
    bounds: Vec<[usize; 2]>,
}

impl Occurrences {
    /// The bounds of the lines of so many cells that an automaton accepts, if it accepts any.
    pub fn of(automaton: &Automaton, cells: usize, values: usize) -> Option<Self> {
        // The bounds of the beginnings that lead to each state.
        let mut before = BTreeMap::from([(0, vec![[0; 2]; values])]);
        for cell in 0..cells {
            let mut after: BTreeMap<u32, Vec<[usize; 2]>> = BTreeMap::new();
            for (from, set, to) in automaton.steps(cell) {
                let mut bounds = before[&from].clone();
                for (value, [least, most]) in bounds.iter_mut().enumerate() {
                    *least += usize::from(set == 1 << value);
                    *most += usize::from(set >> value & 1 == 1);
                }
                let known = after.entry(to).or_insert_with(|| bounds.clone());
                widen(known, &bounds);
            }
            before = after;
        }
        let mut ends = before.into_values();
        let mut bounds = ends.next()?;
        ends.for_each(|others| widen(&mut bounds, &others));
        Some(Self { cells, bounds })
    }

    /// Whether these bounds, which are those of an automaton, are all that it demands.
    pub fn are_all_of(&self, automaton: &Automaton) -> bool {
        let accepted = lines(automaton, self.cells);
        accepted.is_some() && accepted == self.lines()
    }

    /// The lines within the bounds; `None` if they are too many to be counted.
    fn lines(&self) -> Option<u128> {
        // The ways to choose cells for the values so far, by the number of these cells.
        let mut ways = vec![0_u128; self.cells + 1];
        ways[0] = 1;
        for &[least, most] in &self.bounds {
            let mut next = vec![0_u128; self.cells + 1];
            for (taken, &ways) in ways.iter().enumerate() {
                let left = self.cells - taken;
                // The ways to choose so many of the cells that are left.
                let mut choices = 1_u128;
                for number in 0..=most.min(left) {
                    if number >= least {
                        let sum = &mut next[taken + number];
                        *sum = sum.checked_add(ways.checked_mul(choices)?)?;
                    }
                    choices = choices.checked_mul((left - number) as u128)? / (number as u128 + 1);
                }
            }
            ways = next;
        }
        ways.pop()
    }

    /// Keeps the lines that are within other bounds, too. What the other values leave bounds each, since each cell has one.
    pub fn restrict(&mut self, others: &Self) {
        for (bounds, others) in self.bounds.iter_mut().zip(&others.bounds) {
            *bounds = [bounds[0].max(others[0]), bounds[1].min(others[1])];
        }
        let [least, most] =
            [0, 1].map(|end| self.bounds.iter().map(|bounds| bounds[end]).sum::<usize>());
        for bounds in &mut self.bounds {
            let left = [most - bounds[1], least - bounds[0]]
                .map(|others| self.cells.saturating_sub(others));
            *bounds = [bounds[0].max(left[0]), bounds[1].min(left[1])];
        }
    }

    /// For each value, in how many cells it is at least and at most. No line is within bounds of which the first is greater.
    pub fn bounds(&self) -> &[[usize; 2]] {
        &self.bounds
    }
}

/// Widens bounds so that others are within.
fn widen(bounds: &mut [[usize; 2]], others: &[[usize; 2]]) {
    for (bounds, others) in bounds.iter_mut().zip(others) {
        *bounds = [bounds[0].min(others[0]), bounds[1].max(others[1])];
    }
}

/// The lines that an automaton accepts; `None` if they are too many, or if a value leads to several states, so that lines are not counted
/// once.
fn lines(automaton: &Automaton, cells: usize) -> Option<u128> {
    let mut before = BTreeMap::from([(0, 1_u128)]);
    for cell in 0..cells {
        let mut after = BTreeMap::new();
        let mut read = BTreeMap::new();
        for (from, set, to) in automaton.steps(cell) {
            let read = read.entry(from).or_insert(0);
            if *read & set != 0 {
                return None;
            }
            *read |= set;
            let sum: &mut u128 = after.entry(to).or_insert(0);
            *sum = sum.checked_add(before[&from].checked_mul(set.count_ones().into())?)?;
        }
        before = after;
    }
    before.into_values().try_fold(0, u128::checked_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::{pattern, quadruple, skyscraper};
    use crate::grid::Size;
    use crate::pattern::Pattern;

    /// All lines of so many cells and values.
    fn lines_of(cells: usize, values: usize) -> Vec<Vec<usize>> {
        (0..values.pow(cells as u32))
            .map(|number| {
                (0..cells as u32).map(|cell| number / values.pow(cell) % values).collect()
            })
            .collect()
    }

    #[test]
    fn bounds_are_those_of_the_accepted_lines_and_some_rules_say_nothing_else() {
        let size = Size::new(5).unwrap().with_first_value(0).unwrap();
        let matches = |text: &str| pattern(size, 5, &Pattern::expression(text).unwrap());
        for (automaton, is_all) in [
            (quadruple(size, 5, &[1, 2, 3]), true),
            (quadruple(size, 5, &[4, 4]), true),
            (matches("[^0]*0[^0]*0[^0]*"), true),
            (matches("0*2.*"), false),
            // In two states at once after each 1.
            (matches("(1|.)*"), false),
            (skyscraper(size, 5, 2), false),
            (matches("00000"), true),
        ] {
            let accepted: Vec<Vec<usize>> = lines_of(5, 5)
                .into_iter()
                .filter(|line| {
                    automaton.keep(&mut line.iter().map(|value| 1 << value).collect::<Vec<u16>>())
                })
                .collect();
            let times =
                |line: &Vec<usize>, value| line.iter().filter(|&&other| other == value).count();
            let bound = |value| {
                let times = || accepted.iter().map(|line| times(line, value));
                [times().min().unwrap(), times().max().unwrap()]
            };
            let occurrences = Occurrences::of(&automaton, 5, 5).unwrap();
            assert_eq!(occurrences.bounds, (0..5).map(bound).collect::<Vec<_>>());
            assert_eq!(occurrences.are_all_of(&automaton), is_all);
        }
        assert_eq!(Occurrences::of(&matches("000000"), 5, 5), None);
    }

    #[test]
    fn values_that_fill_a_line_leave_no_cell_to_others() {
        let occurrences =
            |bounds: [[usize; 2]; 4]| Occurrences { cells: 5, bounds: bounds.to_vec() };
        let mut both = occurrences([[0, 5], [1, 5], [1, 5], [1, 5]]);
        both.restrict(&occurrences([[2, 2], [0, 5], [0, 5], [0, 5]]));
        assert_eq!(both.bounds(), [[2, 2], [1, 1], [1, 1], [1, 1]]);
        // Four cells at most for the others.
        let mut rest = occurrences([[0, 1], [0, 1], [0, 2], [0, 5]]);
        rest.restrict(&occurrences([[0, 5]; 4]));
        assert_eq!(rest.bounds(), [[0, 1], [0, 1], [0, 2], [1, 5]]);
        let mut none = occurrences([[3, 5], [3, 5], [0, 5], [0, 5]]);
        none.restrict(&occurrences([[0, 5]; 4]));
        assert!(none.bounds().iter().any(|bounds| bounds[0] > bounds[1]));
    }
}
