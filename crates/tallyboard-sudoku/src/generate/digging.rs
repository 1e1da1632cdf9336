//! Takes clues out of a solved grid in a given order: each clue without which the solution is still unique.
//!
//! The cells in which a second solution differs from the grid are an *unavoidable set*: one of its clues has to stay. So a
//! clue that is the last one of a known set is not tried. Each try that fails shows a new set:
//!
//! ```text
//! sets := the unavoidable sets of two digits, two rows or two columns
//! repeat  candidate := the grid without each clue, in order, that is not the last one of a set
//!         if it has another solution:  sets := sets + the cells where that differs from the grid
//! until   the solution is the only one
//! ```
//!
//! The result is as if the clues were tried one after the other, because removing a clue never removes a solution. If the
//! solver's solution is the grid itself, it shows no new set. Then half as many clues are tried at once, until one is found
//! that must stay.

use super::unavoidable::for_each_unavoidable_set;
use crate::batch::{Planes, grid, planes};
use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;

/// The first try leaves this many clues; later tries take out one more. With 26, 30, 34 and 38 a minimal puzzle
/// takes 64, 39, 28 and 28 µs.
const FIRST_TRY_CLUES: usize = 36;

/// The cells of clues that are removed together: two, or one named twice.
pub type ClueGroup = [usize; 2];

/// A set of groups of clues, by their places in the order.
type Places = u128;

/// A solved grid that loses clues. It gives candidates, and continues with the answer whether a
/// candidate has a single solution.
pub struct Digging {
    solution: Planes,
    /// The order in which clues are taken out.
    groups: Vec<ClueGroup>,
    /// The place of each cell in the order.
    place: [u8; CELLS],
    /// The fewest clues that are wanted.
    min_clues: usize,
    /// Unavoidable sets, sorted: those with an earlier last place come first.
    sets: Vec<Places>,
    /// The candidate whose answer is awaited.
    candidate: Snapshot,
    /// The last candidate with a single solution.
    last_unique: Snapshot,
    /// The end of the last candidate if it has other solutions but the solver has shown none of them. A clue between the
    /// last unique candidate and this place has to stay.
    ambiguous_end: Option<usize>,
}

/// The grid after the groups before the place `end` were tried.
#[derive(Clone, Copy)]
struct Snapshot {
    end: usize,
    /// The number of clues.
    clues: usize,
    /// The places where clues have to stay.
    kept: Places,
    /// The blank cells, a word for each band.
    blank: [u32; 3],
}

impl Digging {
    /// Takes out the clues of `solution` by groups, in this order, down to `min_clues` clues.
    pub fn new(solution: &Grid, groups: Vec<ClueGroup>, min_clues: usize) -> Self {
        let mut place = [0; CELLS];
        for (index, group) in groups.iter().enumerate() {
            group.iter().for_each(|&cell| place[cell] = index as u8);
        }
        let mut sets = Vec::with_capacity(128);
        for_each_unavoidable_set(solution.cells(), |cells| {
            sets.push(cells.iter().fold(0, |set, &cell| set | 1 << place[usize::from(cell)]));
        });
        sets.sort_unstable();
        let full = Snapshot { end: 0, clues: CELLS, kept: 0, blank: [0; 3] };
        Self {
            solution: planes(solution.cells()),
            groups,
            place,
            min_clues,
            sets,
            candidate: full,
            last_unique: full,
            ambiguous_end: None,
        }
    }

    /// The planes of the next candidate, whose number of solutions the caller finds; `None` at the end.
    pub fn next_candidate(&mut self) -> Option<Planes> {
        while self.last_unique.end < self.groups.len() {
            let begin = self.last_unique.end;
            // Only the group at `begin` is between.
            if self.ambiguous_end == Some(begin + 1) {
                self.add_set(1 << begin);
            }
            let end = self.ambiguous_end.map_or(self.groups.len(), |end| begin.midpoint(end));
            self.make_candidate(end);
            if self.candidate.blank != self.last_unique.blank {
                return Some(self.without(self.candidate.blank));
            }
            // All clues before the candidate's end have to stay.
            self.last_unique = self.candidate;
        }
        None
    }

    /// Takes the answer for the candidate: whether its solution is unique, and one of its solutions.
    pub fn answer(&mut self, is_unique: bool, solution: &Planes) {
        if is_unique {
            self.last_unique = self.candidate;
            return;
        }
        let differ =
            |band| (0..4).fold(0, |bits, q| bits | (self.solution[q][band] ^ solution[q][band]));
        match self.places([0, 1, 2].map(differ)) {
            0 => self.ambiguous_end = Some(self.candidate.end),
            set => self.add_set(set),
        }
    }

    /// The last candidate with a single solution.
    pub fn puzzle(&self) -> Grid {
        grid(&self.without(self.last_unique.blank))
    }

    /// The planes of the grid with these cells blank.
    fn without(&self, blank: [u32; 3]) -> Planes {
        array(|q| array(|band| self.solution[q][band] & !blank[band]))
    }

    /// Adds an unavoidable set.
    fn add_set(&mut self, set: Places) {
        let at = self.sets.partition_point(|&known| known < set);
        self.sets.insert(at, set);
        self.ambiguous_end = None;
    }

    /// The places of the cells that are set in these bands.
    fn places(&self, bands: [u32; 3]) -> Places {
        let cells = bands.into_iter().enumerate().flat_map(|(band, set)| {
            bits(set).map(move |bit| 27 * band + bit.trailing_zeros() as usize)
        });
        cells.fold(0, |places, cell| places | 1 << self.place[cell])
    }

    /// Makes the candidate: removes the clues before the place `end` that the sets allow to remove,
    /// until `FIRST_TRY_CLUES` remain, or one clue fewer than before.
    fn make_candidate(&mut self, end: usize) {
        let mut next = self.last_unique;
        let wanted_clues = (self.last_unique.clues - 1).min(FIRST_TRY_CLUES);
        // Sets that end before this place have their clue: it was kept.
        let known = self.sets.partition_point(|set| set >> next.end == 0);
        let mut sets = self.sets[known..].iter().peekable();
        while next.end < end && next.clues > wanted_clues {
            let place = next.end;
            next.end += 1;
            // Whether a set whose last place this is has no other clue.
            let mut is_last = false;
            while let Some(set) = sets.next_if(|&set| set >> place == 1) {
                is_last |= set & next.kept == 0;
            }
            let [first, second] = self.groups[place];
            let size = 1 + usize::from(first != second);
            if is_last || next.clues < self.min_clues + size {
                next.kept |= 1 << place;
                continue;
            }
            for cell in [first, second] {
                next.blank[cell / 27] |= 1 << (cell % 27);
            }
            next.clues -= size;
        }
        self.candidate = next;
    }
}

#[cfg(test)]
mod tests {
    use super::super::solved_grid;
    use super::*;
    use crate::solve_up_to;
    use crate::test_grids::changed;
    use tallyboard_base::random::Random;

    /// Takes out one group after the other.
    fn one_by_one(solution: Grid, groups: &[ClueGroup], min_clues: usize) -> Grid {
        let mut puzzle = solution;
        for group in groups {
            let without = changed(&puzzle, |cells| group.iter().for_each(|&cell| cells[cell] = 0));
            if without.clues() >= min_clues && solve_up_to(&without, 2).count == 1 {
                puzzle = without;
            }
        }
        puzzle
    }

    #[test]
    fn the_clues_that_stay_are_those_of_single_tries() {
        let random = &mut Random::from_seed(8);
        for number in 0..60 {
            let solution = solved_grid(random);
            let mut groups: Vec<ClueGroup> = match number % 2 {
                0 => (0..CELLS).map(|cell| [cell; 2]).collect(),
                _ => (0..=CELLS / 2).map(|cell| [cell, CELLS - 1 - cell]).collect(),
            };
            random.shuffle(&mut groups);
            for min_clues in [17, 27, 40] {
                let mut digging = Digging::new(&solution, groups.clone(), min_clues);
                let mut answers = 0;
                while let Some(candidate) = digging.next_candidate() {
                    let answer = solve_up_to(&grid(&candidate), 2);
                    // Now and then the grid itself, which shows no new set.
                    let shown = if answers % 3 == 0 { Some(solution) } else { answer.first };
                    digging.answer(answer.count == 1, &planes(shown.unwrap().cells()));
                    answers += 1;
                }
                assert_eq!(digging.puzzle(), one_by_one(solution, &groups, min_clues));
            }
        }
    }
}
