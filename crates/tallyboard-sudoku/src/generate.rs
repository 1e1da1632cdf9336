//! Random puzzles with exactly one solution, the same on every machine for the same seed: a random solved grid loses clues in
//! random order as long as its solution stays the only one. They are varied but not a uniform sample of all puzzles.

use std::ops::{ControlFlow, Range};

use crate::batch::{Planes, Puzzles, Solvers, grid, planes};
use crate::single::{GridState, Propagation};
use crate::unavoidable::UnavoidableSets;
use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::bits::bits;
use tallyboard_base::random::Random;
use tallyboard_search::{Error, Pieces, Stop, Stopped, make_in_order};

/// The fewest clues of any puzzle with one solution.
pub const FEWEST_CLUES: usize = 17;
/// The usual number of clues, if no other is required: such puzzles are found fast.
pub const USUAL_CLUES: usize = 30;
/// No minimal puzzle with more clues is known.
const MAX_MINIMAL_CLUES: usize = 40;

/// Requirements for puzzles. Without [`clues`](Self::clues), puzzles are minimal, whether that is required or not.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Requirements {
    /// The number of clues, exactly.
    pub clues: Option<usize>,
    /// No clue (with [`symmetric`](Self::symmetric), no pair of clues) can be removed without a
    /// second solution appearing.
    pub minimal: bool,
    /// The pattern of clues looks the same after a half turn.
    pub symmetric: bool,
}

/// No puzzle that meets the [`Requirements`] exists or is known.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// Too few clues for a single solution, or more than a grid has cells.
    #[error("found {0} clues, expected {FEWEST_CLUES} to {CELLS}")]
    Clues(usize),
    /// More clues than any known minimal puzzle has.
    #[error(
        "found {0} clues for minimal puzzles, expected at most {MAX_MINIMAL_CLUES}: no minimal puzzle with \
         more is known"
    )]
    Minimal(usize),
}

/// Makes puzzles, each a function of the seed and of a number alone.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Generator, Requirements, solve};
///
/// let requirements = Requirements { clues: Some(30), minimal: false, symmetric: true };
/// let puzzle = Generator::new(requirements, 42)?.puzzle(0);
/// assert_eq!(puzzle.clues(), 30);
/// assert!(solve(&puzzle).is_unique());
/// # Ok::<(), tallyboard::sudoku::WishError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    requirements: Requirements,
    seed_bits: u64,
}

/// What a thread needs for its attempts.
type Worker = (Solvers, Puzzles);

fn new_worker() -> Worker {
    (Solvers::best(), Puzzles::default())
}

/// How attempts are dealt to threads. The largest piece fills the lanes of the batch engine.
const PIECES: Pieces = Pieces { per_size: 8, max_log2: 8, end: u64::MAX };

impl Generator {
    /// A generator for `requirements` and `seed`.
    ///
    /// # Errors
    /// [`WishError`] if the search would never end.
    pub fn new(requirements: Requirements, seed: u64) -> Result<Self, WishError> {
        match requirements.clues {
            Some(clues) if !(FEWEST_CLUES..=CELLS).contains(&clues) => Err(WishError::Clues(clues)),
            Some(clues) if requirements.minimal && clues > MAX_MINIMAL_CLUES => {
                Err(WishError::Minimal(clues))
            }
            _ => Ok(Self { requirements, seed_bits: Random::from_seed(seed).bits() }),
        }
    }

    /// The puzzle of the first attempt that succeeds of `number`, `number` + 2^32, `number` + 2 · 2^32 …
    ///
    /// Takes a fraction of a millisecond from about 24 clues up, where about every attempt succeeds.
    /// 20 clues take seconds, and 17, the fewest of any puzzle with one solution, more than a lifetime.
    pub fn puzzle(&self, number: u64) -> Grid {
        let mut worker = new_worker();
        let mut attempt = number;
        loop {
            let found = self.attempt_all(&mut [attempt].into_iter(), &mut worker, &Stop::new());
            if let Some(puzzle) = found.expect("nobody raises this flag").pop() {
                return puzzle;
            }
            attempt = attempt.wrapping_add(1 << 32);
        }
    }

    /// Makes the attempts of these numbers, all together. Returns the puzzles of those that succeed, in order. Not generic,
    /// so that it is compiled in this crate, with its optimisation, not in the crate that calls.
    fn attempt_all(
        &self,
        numbers: &mut dyn Iterator<Item = u64>,
        (solvers, table): &mut Worker,
        stop: &Stop,
    ) -> Result<Vec<Grid>, Stopped> {
        let mut diggings: Vec<Digging> = numbers.map(|number| self.digging(number)).collect();
        // Those that have not ended.
        let mut open: Vec<usize> = (0..diggings.len()).collect();
        loop {
            table.clear();
            table.reserve(open.len());
            open.retain(|&index| {
                let Some(candidate) = diggings[index].next_candidate() else { return false };
                table.push_planes(&candidate);
                true
            });
            if open.is_empty() {
                break;
            }
            table.solve(solvers, 2, stop)?;
            for (place, &index) in open.iter().enumerate() {
                diggings[index].answer(table.count(place) == 1, &table.solution(place));
            }
        }
        let wanted = self.requirements.clues;
        let puzzles = diggings.iter().map(Digging::puzzle);
        Ok(puzzles.filter(|puzzle| wanted.is_none_or(|clues| puzzle.clues() == clues)).collect())
    }

    /// Passes `count` puzzles to `take`, found by `threads` threads (0: automatic): those of the first attempts that succeed,
    /// in the order of their numbers, whatever the number of threads. `take` also gets the number of attempts so far. If it
    /// breaks, its value is returned; `None` means that all puzzles were passed, or that `stop` was raised before.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn generate<B: Send>(
        &self,
        count: u64,
        threads: usize,
        stop: &Stop,
        take: impl FnMut(&[Grid], u64) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, Error> {
        let attempt = |worker: &mut Worker, mut numbers: Range<u64>| {
            Ok((self.attempt_all(&mut numbers, worker, stop)?, None))
        };
        make_in_order(count, PIECES, threads, stop, new_worker, attempt, take)
    }

    /// Begins the attempt of this number.
    fn digging(&self, number: u64) -> Digging {
        let mut random = Random::from_seed(self.seed_bits.wrapping_add(number));
        let solution = solved_grid(&mut random);
        let mut groups: Vec<ClueGroup> = if self.requirements.symmetric {
            (0..=CELLS / 2).map(|cell| [cell, CELLS - 1 - cell]).collect()
        } else {
            (0..CELLS).map(|cell| [cell; 2]).collect()
        };
        random.shuffle(&mut groups);
        let min_clues = match self.requirements {
            Requirements { minimal: false, clues: Some(clues), .. } => clues,
            _ => FEWEST_CLUES,
        };
        Digging::new(&solution, groups, min_clues)
    }
}

#[cfg(test)]
impl Generator {
    /// Puzzles with this number of clues, or minimal puzzles.
    pub fn for_tests(clues: Option<usize>, seed: u64) -> Self {
        Self::new(Requirements { clues, minimal: clues.is_none(), symmetric: false }, seed).unwrap()
    }
}

// Takes clues out of a solved grid in a given order: each clue without which the solution is still unique.
//
// The cells in which a second solution differs from the grid are an *unavoidable set*: one of its clues has to stay. So a
// clue that is the last one of a known set is not tried. Each try that fails shows a new set:
//
// ```text
// sets := the unavoidable sets of two digits, two rows or two columns
// repeat  candidate := the grid without each clue, in order, that is not the last one of a set
//         if it has another solution:  sets := sets + the cells where that differs from the grid
// until   the solution is the only one
// ```
//
// The result is as if the clues were tried one after the other, because removing a clue never removes a solution. If the
// solver's solution is the grid itself, it shows no new set. Then half as many clues are tried at once, until one is found
// that must stay.

/// The first try leaves this many clues; later tries take out one more. With 26, 30, 34 and 38 a minimal puzzle
/// takes 64, 39, 28 and 28 µs.
const FIRST_TRY_CLUES: usize = 36;

/// The cells of clues that are removed together: two, or one named twice.
type ClueGroup = [usize; 2];

/// A set of groups of clues, by their places in the order.
type Places = u128;

/// A solved grid that loses clues. It gives candidates, and continues with the answer whether a
/// candidate has a single solution.
struct Digging {
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
    fn new(solution: &Grid, groups: Vec<ClueGroup>, min_clues: usize) -> Self {
        let mut place = [0; CELLS];
        for (index, group) in groups.iter().enumerate() {
            group.iter().for_each(|&cell| place[cell] = index as u8);
        }
        let mut sets = Vec::with_capacity(128);
        UnavoidableSets::of(solution.cells()).for_each_small(|cells| {
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
    fn next_candidate(&mut self) -> Option<Planes> {
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
    fn answer(&mut self, is_unique: bool, solution: &Planes) {
        if is_unique {
            self.last_unique = self.candidate;
            return;
        }
        let differ = |band| {
            self.solution
                .iter()
                .zip(solution)
                .fold(0, |bits, (own, other)| bits | (own[band] ^ other[band]))
        };
        match self.places([0, 1, 2].map(differ)) {
            0 => self.ambiguous_end = Some(self.candidate.end),
            set => self.add_set(set),
        }
    }

    /// The last candidate with a single solution.
    fn puzzle(&self) -> Grid {
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
        // The sets before these end before this place. One clue of each of them was kept, so they forbid nothing.
        let known = self.sets.partition_point(|set| set >> next.end == 0);
        let mut sets = self.sets[known..].iter().peekable();
        while next.end < end && next.clues > wanted_clues {
            let place = next.end;
            next.end += 1;
            // Whether this is the only clue that is left of a set. All others of a set that ends here were tried before.
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

// Random solved grids.
//
// ```text
// the first box        any order of the digits
// its band, its stack  the other boxes, each way to fill them as likely as any other
// the other boxes      random choices among the candidates after singles; a dead end starts all over again
// ```

/// A random solved grid: any is possible, not all are equally likely.
pub(crate) fn solved_grid(random: &mut Random) -> Grid {
    loop {
        let mut state = GridState::new(&band_and_stack(random)).expect("no clash in them");
        loop {
            match state.propagate() {
                Propagation::Solved => {
                    return Grid::new(*state.cells()).expect("every cell is a digit");
                }
                Propagation::Dead => break,
                Propagation::Branch(choice) => state = state.child(choice.random(random)),
            }
        }
    }
}

/// A grid with its first band and its first stack filled.
fn band_and_stack(random: &mut Random) -> [u8; CELLS] {
    let mut first_box: [u8; 9] = std::array::from_fn(|index| index as u8 + 1);
    random.shuffle(&mut first_box);
    let mut cells = [0; CELLS];
    // The band by rows, then the stack by columns: how far the next cell of a line is and how far the next line is, in the
    // box and in the grid.
    for ([box_cell, box_line], [next_cell, next_line]) in [([1, 3], [1, 9]), ([3, 1], [9, 1])] {
        let lines =
            [0, 1, 2].map(|i| [0, 1, 2].map(|place| first_box[i * box_line + place * box_cell]));
        for (i, others) in rest_of_band(lines, random).into_iter().enumerate() {
            for (place, &digit) in lines[i].iter().chain(others.as_flattened()).enumerate() {
                cells[i * next_line + place * next_cell] = digit;
            }
        }
    }
    cells
}

/// The other two boxes of a band (or stack) whose first box has these lines, line by line.
///
/// Line `i` of the second box has `k` digits of line `i + 1` of the first box and 3 - `k` of line `i + 2`, modulo 3. There is
/// one way to choose the digits for `k` = 0 and 3, and 27 ways for 1 and 2.
fn rest_of_band(mut lines: [[u8; 3]; 3], random: &mut Random) -> [[[u8; 3]; 2]; 3] {
    lines.iter_mut().for_each(|line| random.shuffle(line));
    // One of the 1 + 27 + 27 + 1 ways.
    let k = match random.below(56) {
        0 => 0,
        1..28 => 1,
        28..55 => 2,
        _ => 3,
    };
    // `k` digits of one line, and the last of another.
    let mut mix = |first: usize, last: usize| {
        let mut mixed = lines[last % 3];
        mixed[..k].copy_from_slice(&lines[first % 3][..k]);
        random.shuffle(&mut mixed);
        mixed
    };
    [0, 1, 2].map(|line| [mix(line + 1, line + 2), mix(line + 2, line + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::test_grids::changed;
    use crate::solve_up_to;

    fn puzzles(requirements: Requirements, seed: u64) -> Vec<Grid> {
        let generator = Generator::new(requirements, seed).unwrap();
        (0..20).map(|number| generator.puzzle(number)).collect()
    }

    #[test]
    fn minimal_puzzles_can_spare_no_clue() {
        for puzzle in puzzles(Requirements { clues: None, minimal: true, symmetric: false }, 1) {
            assert_eq!(solve_up_to(&puzzle, 2).count, 1);
            for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0) {
                let without = changed(&puzzle, |cells| cells[cell] = 0);
                assert_eq!(solve_up_to(&without, 2).count, 2);
            }
        }
    }

    #[test]
    fn symmetric_puzzles_look_the_same_upside_down() {
        for puzzle in puzzles(Requirements { clues: Some(32), minimal: false, symmetric: true }, 2)
        {
            assert_eq!((puzzle.clues(), solve_up_to(&puzzle, 2).count), (32, 1));
            let cells = puzzle.cells();
            assert!((0..CELLS).all(|cell| (cells[cell] == 0) == (cells[CELLS - 1 - cell] == 0)));
        }
    }

    #[test]
    fn wishes_that_nobody_can_fulfil_are_refused() {
        let error = |clues, minimal| {
            Generator::new(Requirements { clues: Some(clues), minimal, symmetric: false }, 1).err()
        };
        assert_eq!([error(17, false), error(81, false), error(40, true)], [None; 3]);
        assert_eq!([16, 82].map(|n| error(n, true)), [16, 82].map(|n| Some(WishError::Clues(n))));
        assert_eq!(error(41, true), Some(WishError::Minimal(41)));
    }

    #[test]
    fn puzzles_are_the_same_by_many_threads_and_one_at_a_time() {
        for (clues, minimal, symmetric) in [
            (Some(24), false, false),
            (None, true, false),
            (None, true, true),
            (Some(23), true, false),
        ] {
            let requirements = Requirements { clues, minimal, symmetric };
            let generator = Generator::new(requirements, 6).unwrap();
            let made = |threads| {
                let mut made = Vec::new();
                let ended = generator.generate(40, threads, &Stop::new(), |puzzles, _| {
                    made.extend_from_slice(puzzles);
                    ControlFlow::<()>::Continue(())
                });
                assert!(matches!(ended, Ok(None)));
                made
            };
            let one = made(1);
            assert_eq!(one, made(3));
            assert_eq!(one.len(), 40);
            if clues.is_none() {
                assert_eq!(one[..20], puzzles(requirements, 6));
                assert_ne!(one[..20], puzzles(requirements, 7));
            }
            assert!(one.iter().all(|puzzle| clues.is_none_or(|clues| puzzle.clues() == clues)));
        }
    }
}

#[cfg(test)]
mod digging_tests {
    use super::*;
    use crate::grid::test_grids::changed;
    use crate::solve_up_to;
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

#[cfg(test)]
mod solved_tests {
    use super::*;
    use crate::solve_up_to;

    #[test]
    fn every_band_is_as_likely_as_any_other() {
        let random = &mut Random::from_seed(1);
        let mut found = std::collections::BTreeMap::new();
        for _ in 0..56_000 {
            // The digits of the second box by lines; the third box has the rest.
            let mut sets = rest_of_band([[1, 2, 3], [4, 5, 6], [7, 8, 9]], random);
            let mut all: Vec<u8> = sets.iter().flat_map(|line| line[0]).collect();
            all.sort_unstable();
            assert_eq!(all, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
            sets.as_flattened_mut().iter_mut().for_each(|set| set.sort_unstable());
            *found.entry(sets).or_insert(0) += 1;
        }
        assert_eq!(found.len(), 56);
        // A thousand each, give or take five standard deviations.
        assert!(found.values().all(|&times| (840..1160).contains(&times)), "{found:?}");
    }

    #[test]
    fn grids_are_solved_and_differ() {
        let random = &mut Random::from_seed(2);
        let grids: Vec<Grid> = (0..100).map(|_| solved_grid(random)).collect();
        for grid in &grids {
            assert_eq!((grid.clues(), solve_up_to(grid, 2).count), (CELLS, 1));
        }
        // In each cell, each digit.
        for cell in 0..CELLS {
            let seen = grids.iter().fold(0, |seen, grid| seen | 1 << grid.cells()[cell]);
            assert_eq!(seen, 0b11_1111_1110_u32, "{cell}");
        }
    }
}
