//! Takes clues out of a solved grid in a given order: each clue without which the solution is still unique.
//!
//! A second solution differs from the grid in an *unavoidable set* of cells: of each such set a clue has to
//! stay. So a clue is not even tried if it is the last one of a known set. Each try that fails shows a new set:
//!
//! ```text
//! sets := the unavoidable sets of two digits, two rows or two columns
//! repeat  candidate := the grid without each clue, in order, that is not the last one of a set
//!         if it has another solution:  sets := sets + the cells where that differs from the grid
//! until   the solution is the only one
//! ```
//!
//! The result is as if the clues were tried one after the other, because removing a clue never removes a
//! solution.
//!
//! If the solver's solution is the grid itself, it shows no new set. Then half as many clues are tried at once,
//! until one is found that must stay.

use super::unavoidable::for_each_exchange;
use crate::batch::{Planes, grid, planes};
use crate::{CELLS, Grid};
use base::array::array;

/// The first try leaves this many clues; later tries take out one more. With 26, 30, 34 and 38 a minimal puzzle
/// takes 64, 39, 28 and 28 µs.
const FIRST_TRY_CLUES: usize = 36;

/// Clues that are removed together: a pair, or one cell named twice.
pub type CluePair = [usize; 2];

/// A set of groups of clues, by their places in the order.
type Places = u128;

/// A solved grid that loses clues. It gives candidates, and continues with the answer whether a
/// candidate has a single solution.
pub struct Digging {
    solution: Planes,
    /// The order in which clues are taken out.
    groups: Vec<CluePair>,
    /// The place of each cell in the order.
    place: [u8; CELLS],
    /// The fewest clues that are wanted.
    floor: usize,
    /// Unavoidable sets, sorted: those with an earlier last place come first.
    sets: Vec<Places>,
    /// The candidate, and the last candidate with a single solution.
    asked: Snapshot,
    found: Snapshot,
    /// The end of a candidate that has other solutions, none of which the solver has shown: a clue before this
    /// place has to stay.
    ambiguous: Option<usize>,
}

/// The grid after the clues before some place were tried.
#[derive(Clone, Copy)]
struct Snapshot {
    end: usize,
    clues: usize,
    /// The places where clues have to stay.
    kept: Places,
    /// The blank cells, a word for each band.
    blank: [u32; 3],
}

impl Digging {
    /// Takes the clues of `solution` by groups, in this order, down to `floor` clues.
    pub fn new(solution: &Grid, groups: Vec<CluePair>, floor: usize) -> Self {
        let mut place = [0; CELLS];
        for (index, group) in groups.iter().enumerate() {
            group.iter().for_each(|&cell| place[cell] = index as u8);
        }
        let mut sets = Vec::with_capacity(128);
        for_each_exchange(solution.cells(), |cells| {
            sets.push(cells.iter().fold(0, |set, &cell| set | 1 << place[usize::from(cell)]));
        });
        sets.sort_unstable();
        let nothing = Snapshot { end: 0, clues: CELLS, kept: 0, blank: [0; 3] };
        let asked = nothing;
        let found = nothing;
        let solution = planes(solution.cells());
        Self { solution, groups, place, floor, sets, asked, found, ambiguous: None }
    }

    /// The planes of the next candidate, whose number of solutions the caller finds; `None` at the end.
    pub fn candidate(&mut self) -> Option<Planes> {
        while self.found.end < self.groups.len() {
            let begin = self.found.end;
            if self.ambiguous == Some(begin + 1) {
                self.learn(1 << begin);
            }
            self.take_out(self.ambiguous.map_or(self.groups.len(), |end| begin.midpoint(end)));
            if self.asked.blank != self.found.blank {
                return Some(self.without(self.asked.blank));
            }
            // All clues before the candidate's end have to stay.
            self.found = self.asked;
        }
        None
    }

    /// Takes the answer for the candidate: whether its solution is unique, and one of its
    /// solutions.
    pub fn answer(&mut self, unique: bool, solution: &Planes) {
        if unique {
            self.found = self.asked;
            return;
        }
        let differ =
            |band| (0..4).fold(0, |bits, q| bits | (self.solution[q][band] ^ solution[q][band]));
        match self.places([0, 1, 2].map(differ)) {
            0 => self.ambiguous = Some(self.asked.end),
            set => self.learn(set),
        }
    }

    /// The last candidate with a single solution.
    pub fn puzzle(&self) -> Grid {
        grid(&self.without(self.found.blank))
    }

    fn without(&self, blank: [u32; 3]) -> Planes {
        array(|q| array(|band| self.solution[q][band] & !blank[band]))
    }

    /// Adds an unavoidable set.
    fn learn(&mut self, set: Places) {
        let at = self.sets.partition_point(|&known| known < set);
        self.sets.insert(at, set);
        self.ambiguous = None;
    }

    /// The places of the cells that are set in these bands.
    fn places(&self, bands: [u32; 3]) -> Places {
        let mut places = 0;
        for (band, mut bits) in bands.into_iter().enumerate() {
            while bits != 0 {
                places |= 1 << self.place[27 * band + bits.trailing_zeros() as usize];
                bits &= bits - 1;
            }
        }
        places
    }

    /// Makes the candidate: removes the clues before the place `end` that the sets allow to remove,
    /// until `FIRST_TRY_CLUES` remain, or one clue fewer than before.
    fn take_out(&mut self, end: usize) {
        let mut next = self.found;
        let enough = (self.found.clues - 1).min(FIRST_TRY_CLUES);
        // Sets that end before this place do not matter any more.
        let known = self.sets.partition_point(|set| set >> next.end == 0);
        let mut sets = self.sets[known..].iter().peekable();
        while next.end < end && next.clues > enough {
            let place = next.end;
            next.end += 1;
            let mut is_last = false;
            // The sets whose last place this is.
            while let Some(set) = sets.next_if(|&set| set >> place == 1) {
                is_last |= set & next.kept == 0;
            }
            let [one, two] = self.groups[place];
            let size = 1 + usize::from(one != two);
            if is_last || next.clues < self.floor + size {
                next.kept |= 1 << place;
                continue;
            }
            for cell in [one, two] {
                next.blank[cell / 27] |= 1 << (cell % 27);
            }
            next.clues -= size;
        }
        self.asked = next;
    }
}

#[cfg(test)]
mod tests {
    use super::super::solved_grid;
    use super::*;
    use crate::solve_up_to;
    use base::random::Random;

    /// Takes out one group after the other.
    fn one_by_one(solution: Grid, groups: &[CluePair], floor: usize) -> Grid {
        let mut puzzle = solution;
        for group in groups {
            let mut cells = *puzzle.cells();
            group.iter().for_each(|&cell| cells[cell] = 0);
            let without = Grid::new(cells).unwrap();
            if without.clues() >= floor && solve_up_to(&without, 2).count == 1 {
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
            let mut groups: Vec<CluePair> = match number % 2 {
                0 => (0..CELLS).map(|cell| [cell; 2]).collect(),
                _ => (0..=CELLS / 2).map(|cell| [cell, CELLS - 1 - cell]).collect(),
            };
            random.shuffle(&mut groups);
            for floor in [17, 27, 40] {
                let mut digging = Digging::new(&solution, groups.clone(), floor);
                let mut asks = 0;
                while let Some(candidate) = digging.candidate() {
                    let answer = solve_up_to(&grid(&candidate), 2);
                    // Now and then the grid itself, which tells nothing.
                    let shown = if asks % 3 == 0 { Some(solution) } else { answer.first };
                    digging.answer(answer.count == 1, &planes(shown.unwrap().cells()));
                    asks += 1;
                }
                assert_eq!(digging.puzzle(), one_by_one(solution, &groups, floor));
            }
        }
    }
}
