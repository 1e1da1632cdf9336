//! A table of puzzles and their results: the interface of the batch engine.

use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use super::branch::{Order, split};
use super::lanes::{Lanes, MAX_LANES, Words};
use super::round::{
    Candidate, PackedGrids, Planes, State, WORDS, at, count_candidates, grid, planes, planes_of,
    round, state_from_planes, store_planes,
};
use super::{CountTask, FirstLimit, Job, Results, Solvers, Task};
use crate::bands::{BoxLines, LINE_BITS, Lines};
use crate::single::with_singles;
use crate::{Answer, CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_base::named::named;
use tallyboard_search::{Error, Parts, Stop, Stopped, ordered};

/// If more than 1/8 of the puzzles solved last were ambiguous (had several solutions), the next table is searched in the
/// reproducible order at once. The other order takes at most a third less time for a puzzle with one solution,
/// but a puzzle with several solutions has to be searched again.
const AMBIGUOUS_DIVISOR: usize = 8;

/// Above this limit on solutions, every search begins in the order [`Order::Busiest`]. Finding the first
/// solution again costs little compared with the count. In the reproducible order, a few puzzles with thousands
/// of solutions would not fill the vectors.
const MAX_ORDERED_LIMIT: u64 = 16;

/// The puzzles of a sample that decides the order for the first table.
const SAMPLE_PUZZLES: usize = 2 * MAX_LANES;

/// Puzzles to be solved together, and their results. Clearing keeps the memory.
#[derive(Default, Debug)]
pub struct Puzzles {
    puzzles: Vec<PackedGrids>,
    solutions: Vec<PackedGrids>,
    counts: Vec<u64>,
    len: usize,
    /// Whether many of the puzzles solved last had several solutions; `None` before the first.
    ambiguous: Option<bool>,
}

impl Puzzles {
    /// Forgets all puzzles.
    pub fn clear(&mut self) {
        self.len = 0;
        self.counts.clear();
    }

    /// The number of puzzles.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a puzzle.
    pub fn push(&mut self, grid: &Grid) {
        self.reserve(1);
        self.push_planes(&planes(grid.cells()));
    }

    /// Makes room for this many more puzzles.
    pub(crate) fn reserve(&mut self, puzzles: usize) {
        let grids = (self.len + puzzles).div_ceil(MAX_LANES);
        self.puzzles.resize(grids.max(self.puzzles.len()), PackedGrids::BLANK);
    }

    /// Adds the puzzle with these planes, for which there is room.
    #[inline(always)]
    pub(crate) fn push_planes(&mut self, planes: &Planes) {
        store_planes(&mut self.puzzles, self.len, planes);
        self.len += 1;
    }

    /// A puzzle, by its position.
    pub fn puzzle(&self, puzzle: usize) -> Grid {
        grid(&planes_of(&self.puzzles, puzzle))
    }

    /// Solves all puzzles, each up to `limit` solutions, and finds a solution of each that has one: the
    /// first in an order that depends on the puzzle alone.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile; the results are then unspecified.
    pub fn solve(&mut self, solvers: &mut Solvers, limit: u64, stop: &Stop) -> Result<(), Stopped> {
        // The limit 1 does not show whether there are other solutions, of which the promised one has to be shown. To look for a
        // second one in the other order takes less than the first alone in the reproducible order: half, of hard puzzles.
        let searched = limit.max(2);
        let in_order = limit <= MAX_ORDERED_LIMIT && self.are_many_ambiguous(solvers, stop)?;
        let order = if in_order { Order::Reproducible } else { Order::Busiest };
        self.search(solvers, searched, order, &[], stop)?;
        let ambiguous = self.ambiguous_puzzles();
        if self.len > 0 {
            self.ambiguous = Some(ambiguous.len() * AMBIGUOUS_DIVISOR > self.len);
        }
        if order == Order::Busiest && !ambiguous.is_empty() {
            // Of these the first solution has to be shown.
            let mut again = self.table_of(ambiguous.iter().copied());
            again.search(solvers, 1, Order::Reproducible, &[], stop)?;
            for (number, &puzzle) in ambiguous.iter().enumerate() {
                store_planes(&mut self.solutions, puzzle, &again.solution(number));
            }
        }
        if limit < searched {
            self.counts.iter_mut().for_each(|count| *count = limit.min(*count));
        }
        Ok(())
    }

    /// Whether many puzzles have several solutions, judged by those solved last or by a sample.
    fn are_many_ambiguous(&self, solvers: &mut Solvers, stop: &Stop) -> Result<bool, Stopped> {
        if let Some(known) = self.ambiguous {
            return Ok(known);
        }
        let mut sample = self.table_of(0..self.len.min(SAMPLE_PUZZLES));
        sample.search(solvers, 2, Order::Reproducible, &[], stop)?;
        Ok(sample.ambiguous_puzzles().len() * AMBIGUOUS_DIVISOR > sample.len)
    }

    /// The puzzles that have several solutions.
    fn ambiguous_puzzles(&self) -> Vec<usize> {
        (0..self.len).filter(|&puzzle| self.counts[puzzle] > 1).collect()
    }

    /// A table of some of the puzzles.
    fn table_of(&self, puzzles: impl ExactSizeIterator<Item = usize>) -> Self {
        let mut copy = Self::default();
        copy.reserve(puzzles.len());
        for puzzle in puzzles {
            copy.push_planes(&planes_of(&self.puzzles, puzzle));
        }
        copy
    }

    /// Finds for each puzzle whether it has a solution that lacks a candidate, one for each puzzle: its count is 1, or else 0.
    pub(crate) fn solve_without(
        &mut self,
        excluded: &[Candidate],
        solvers: &mut Solvers,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        // Depth first: where there is a solution, second halves are searched in vain.
        self.search(solvers, 1, Order::Reproducible, excluded, stop)
    }

    fn search(
        &mut self,
        solvers: &mut Solvers,
        limit: u64,
        order: Order,
        excluded: &[Candidate],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.solutions.resize(self.puzzles.len().max(self.solutions.len()), PackedGrids::BLANK);
        self.counts.clear();
        self.counts.resize(self.len, 0);
        let guesses = &mut [];
        let results = Results { grids: &mut self.solutions, counts: &mut self.counts, guesses };
        let task = Task { grids: &self.puzzles, limit, order, excluded };
        solvers.0.solve(Job::Search(task, results), stop)
    }

    /// Rates each puzzle, up to `limit` solutions, as [`Rating::of`] does. Does not change the results of the table. Costs as
    /// much as [`solve`](Self::solve), and a microsecond more for each puzzle without a guess.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn rate(
        &self,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<Vec<Rating>, Stopped> {
        let guesses = self.guesses(solvers, limit, stop)?.into_iter().enumerate();
        let rating = |(puzzle, guesses)| Rating::of_guesses(guesses, || self.puzzle(puzzle));
        Ok(guesses.map(rating).collect())
    }

    /// Only the [`Rating::guesses`] of each puzzle.
    pub(crate) fn guesses(
        &self,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<Vec<u64>, Stopped> {
        let mut counts = vec![0; self.len];
        let mut guesses = vec![0; self.len];
        let mut grids = vec![PackedGrids::BLANK; self.puzzles.len()];
        let order = Order::Reproducible;
        let task = Task { grids: &self.puzzles, limit, order, excluded: &[] };
        let results = Results { grids: &mut grids, counts: &mut counts, guesses: &mut guesses };
        solvers.0.solve(Job::Search(task, results), stop)?;
        Ok(guesses)
    }

    /// Counts the solutions of each puzzle: all of them, or at least `limit`. Costs about two thirds of
    /// [`solve`](Self::solve), and keeps no solutions.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn count_up_to(
        &mut self,
        solvers: &mut Solvers,
        limit: u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        // A next limit of 0 ends the search of a puzzle at its first limit.
        self.count_while(solvers, FirstLimit::same(limit), |_, _, _| 0, stop)
    }

    /// As [`count_up_to`](Self::count_up_to), with limits that rise. When the count of a puzzle reaches its limit,
    /// `next_limit` gets the number of the puzzle, its grid, and the count, and returns the next limit. The search of the
    /// puzzle ends if this limit is not above the count.
    pub(crate) fn count_while(
        &mut self,
        solvers: &mut Solvers,
        limit: FirstLimit,
        mut next_limit: impl FnMut(usize, &Grid, u64) -> u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.solutions.clear();
        self.counts.clear();
        self.counts.resize(self.len, 0);
        let grids = self.puzzles.as_slice();
        let counts = &mut self.counts[..];
        let next_limit =
            &mut |puzzle: usize, count| next_limit(puzzle, &grid(&planes_of(grids, puzzle)), count);
        solvers.0.solve(Job::Count(CountTask { grids, counts, limit, next_limit }), stop)
    }

    /// The number of solutions of a puzzle, by its position.
    #[inline]
    pub fn count(&self, puzzle: usize) -> u64 {
        self.counts[puzzle]
    }

    /// The numbers of solutions of all puzzles.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Whether solutions were kept when the puzzles were solved.
    pub(crate) fn has_solutions(&self) -> bool {
        !self.solutions.is_empty()
    }

    /// The planes of the solution of a puzzle that has one.
    #[inline(always)]
    pub(crate) fn solution(&self, puzzle: usize) -> Planes {
        planes_of(&self.solutions, puzzle)
    }

    /// What was found for a puzzle.
    pub fn answer(&self, puzzle: usize) -> Answer {
        let count = self.count(puzzle);
        let found = count > 0 && self.has_solutions();
        Answer { count, first: found.then(|| grid(&self.solution(puzzle))) }
    }
}

// The lines (rows or columns) of each box that may still hold each digit.

/// For each box of `grid`, the rows and the columns that may hold each digit after deduction; and the number
/// of candidates to remove: in each cell, all candidates but one. `None` if deduction solves the grid or finds
/// that it has no solution.
pub fn lines_of(grid: &Grid) -> Option<(BoxLines, u32)> {
    let mut state = state_of_grid(grid);
    if deduce(&mut state).is_some() {
        return None;
    }
    let side = |place: fn(usize, usize) -> usize| {
        array(|band| array(|stack| lines_of_box(&state, 3 * stack + band, place)))
    };
    let lines = BoxLines {
        rows: side(|row, column| 3 * row + column),
        columns: side(|column, row| 3 * row + column),
    };
    Some((lines, count_candidates(&state).0[0] - CELLS as u32))
}

/// The digits of each line of a box. `place` maps a line and a position in it to a place in the box.
fn lines_of_box(state: &State<One>, box_number: usize, place: fn(usize, usize) -> usize) -> Lines {
    let mut lines = 0;
    for line in 0..3 {
        for major in 0..3 {
            let word = |position| state[at(major, 0, 0) + place(line, position)].0[0];
            // One bit for each minor.
            let three = (word(0) | word(1) | word(2)) >> box_number & 0o001_001_001;
            let digits = (three | three >> 8 | three >> 16) & 0b111;
            lines |= digits << (LINE_BITS * line as u32 + 3 * major as u32);
        }
    }
    lines
}

// A vector that workers fill in place.

/// A vector of `len` items, made by workers on `threads` threads, `portion` items at a time: `solve` works on the items of a
/// portion, then `item` makes each of them, given its place in the portion. No one else raises the flag that `solve` gets.
///
/// Each worker writes its own items where they stay. If a single thread gathered the items of all workers, its copies and
/// page faults would take a third of the time in which a worker solves as many sudokus: more than four workers would have
/// to wait.
///
/// # Errors
/// As for [`ordered`].
pub fn fill<W, T: Send>(
    len: usize,
    portion: usize,
    threads: usize,
    make_worker: impl Fn() -> W + Sync,
    solve: impl Fn(&mut W, Range<usize>, &Stop) -> Result<(), Stopped> + Sync,
    item: impl Fn(&W, usize) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let mut items = Vec::with_capacity(len);
    let room = &mut items.spare_capacity_mut()[..len];
    let written = AtomicUsize::new(0);
    let stop = Stop::new();
    let write = |worker: &mut W, portion: (usize, &mut [MaybeUninit<T>]), _: &Parts<()>| {
        let (begin, room) = portion;
        solve(worker, begin..begin + room.len(), &stop)?;
        for (place, target) in room.iter_mut().enumerate() {
            target.write(item(worker, place));
        }
        written.fetch_add(room.len(), Relaxed);
        Ok(())
    };
    let portions = (0..len).step_by(portion).zip(room.chunks_mut(portion));
    let go_on = |()| ControlFlow::<()>::Continue(());
    ordered(portions, threads, &stop, make_worker, write, go_on)?;
    assert_eq!(written.into_inner(), len, "nobody has stopped the work");
    // SAFETY: there is room for `len` items, and as many were written: a portion counts once all of its own are.
    unsafe { items.set_len(len) };
    Ok(items)
}

#[cfg(test)]
mod lines_tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grid::test_grids::SOLVED;
    use crate::single;

    #[test]
    fn lines_hold_their_clues_and_every_solution_and_little_more() {
        let mut seen = 0;
        for number in 0..80 {
            let puzzle = Generator::for_tests(None, 31).puzzle(number);
            let Some((BoxLines { rows, columns }, candidates)) = lines_of(&puzzle) else {
                continue;
            };
            seen += 1;
            let solution = single::solve_up_to(&puzzle, 1).first.unwrap();
            let digits = [rows, columns].map(|lines| {
                lines.as_flattened().iter().map(|lines| lines.count_ones()).sum::<u32>()
            });
            // Nine digits in each box, each with at least one line and at most as many as candidates.
            assert!(digits.iter().all(|&digits| (82..=81 + candidates).contains(&digits)));
            for cell in 0..CELLS {
                let (row, column) = (cell / 9, cell % 9);
                let digit = u32::from(solution.cells()[cell]) - 1;
                let lines_with =
                    |lines: Lines| (0..3).map(move |line| lines >> (LINE_BITS * line + digit) & 1);
                let is_clue = puzzle.cells()[cell] > 0;
                for (lines, line) in [(&rows, row % 3), (&columns, column % 3)] {
                    let with: Vec<u32> = lines_with(lines[row / 3][column / 3]).collect();
                    assert_eq!(with[line], 1, "{puzzle}");
                    assert!(!is_clue || with.iter().sum::<u32>() == 1, "{puzzle}");
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn solved_and_dead_grids_have_none() {
        assert!(lines_of(&SOLVED.parse().unwrap()).is_none());
        assert!(lines_of(&format!("11{}", ".".repeat(79)).parse().unwrap()).is_none());
    }
}

#[cfg(test)]
mod filled_tests {
    use super::*;

    #[test]
    fn each_item_is_at_its_place() {
        // The workers hold the first number of a portion.
        let solve = |first: &mut usize, places: Range<usize>, stop: &Stop| {
            *first = places.start;
            stop.check()
        };
        for (len, threads) in [0, 1, 3, 100].into_iter().flat_map(|len| [(len, 1), (len, 3)]) {
            let item = |first: &usize, place: usize| (first + place).to_string();
            let found = fill(len, 3, threads, || 0, solve, item).unwrap();
            assert_eq!(found, (0..len).map(|number| number.to_string()).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "nobody has stopped the work")]
    fn a_vector_that_is_not_full_is_not_given_out() {
        let stop_later = |_: &mut (), places: Range<usize>, _: &Stop| {
            if places.start > 0 { Err(Stopped) } else { Ok(()) }
        };
        let _ = fill(9, 3, 1, || (), stop_later, |(), place| place);
    }
}

// The difficulty of a puzzle: the hardest technique that solving it takes, and the number of guesses. A rating depends on the
// puzzle and the limit alone, because the search is depth first.
//
// [`Puzzles::rate`](super::Puzzles::rate) rates many puzzles. Here one puzzle is searched in a vector of one
// lane, with the same rounds and splits; tests compare the two.

/// The hardest technique that a puzzle takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Technique {
    /// Naked and hidden singles alone.
    Singles,
    /// Locked candidates as well.
    LockedCandidates,
    /// Guesses as well.
    Guesses,
}

named! {
    /// All techniques, the easiest first.
    Technique { Singles = "singles", LockedCandidates = "locked", Guesses = "guesses" }
}

/// What it takes to find a puzzle's solutions up to a limit, or to show that there is none.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// The hardest technique.
    pub technique: Technique,
    /// The number of candidates tried: 0 unless the technique is [`Technique::Guesses`].
    pub guesses: u64,
}

impl Rating {
    /// Rates `grid`. This solves the grid again, and takes a few times as long as the single solver.
    ///
    /// ```
    /// # mod tallyboard { pub use ::tallyboard_search as search; }
    /// use tallyboard::search::Stop;
    /// use tallyboard_sudoku::{Grid, batch::{Rating, Technique}};
    /// let empty = Rating::of(&Grid::default(), 2, &Stop::new()).unwrap();
    /// assert_eq!(empty.technique, Technique::Guesses);
    /// ```
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn of(grid: &Grid, limit: u64, stop: &Stop) -> Result<Self, Stopped> {
        // A puzzle that singles decide takes no guess. `Puzzles::rate` looks for guesses first, so it relies on this.
        if with_singles(grid).is_none() {
            return Ok(Self { technique: Technique::Singles, guesses: 0 });
        }
        Ok(Self::of_guesses(count_guesses(grid, limit, stop)?, || *grid))
    }

    /// The rating of a puzzle that takes this many guesses.
    pub(super) fn of_guesses(guesses: u64, grid: impl FnOnce() -> Grid) -> Self {
        let technique = match guesses {
            // Singles fill the grid, or show that it has no solution.
            0 if with_singles(&grid()).is_none() => Technique::Singles,
            0 => Technique::LockedCandidates,
            _ => Technique::Guesses,
        };
        Self { technique, guesses }
    }
}

/// Searches until `limit` solutions are found, depth first.
fn count_guesses(grid: &Grid, limit: u64, stop: &Stop) -> Result<u64, Stopped> {
    // The open states, each with its weight: the number of solutions that one solution of the state counts for.
    let mut later = vec![(state_of_grid(grid), 1_u64)];
    let mut guesses = 0;
    let mut count = 0_u64;
    while count < limit
        && let Some((mut state, weight)) = later.pop()
    {
        if let Some(solved) = deduce(&mut state) {
            if solved {
                // The count may saturate, because it is only compared with the limit.
                count = count.saturating_add(weight);
            }
            continue;
        }
        stop.check()?;
        guesses += 1;
        let mut other = [One::splat(0); WORDS];
        if split(&mut state, &mut other, 1, 1, Order::Reproducible).twins != 0 {
            later.push((state, weight.saturating_mul(2)));
        } else {
            later.extend([(other, weight), (state, weight)]);
        }
    }
    Ok(guesses)
}

/// A vector of one lane.
pub type One = Words<1>;

pub fn state_of_grid(grid: &Grid) -> State<One> {
    let mut batch = PackedGrids::BLANK;
    let rows = batch.planes.as_flattened_mut();
    for (row, &word) in rows.iter_mut().zip(planes(grid.cells()).as_flattened()) {
        *row = [word; MAX_LANES];
    }
    state_from_planes(&batch, 0)
}

/// Deduces until the state is solved (true), dead (false), or stuck (`None`).
pub fn deduce(state: &mut State<One>) -> Option<bool> {
    loop {
        let found = round(state);
        if found.dead | found.solved != 0 {
            return Some(found.solved != 0);
        }
        if found.changed == 0 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::test_grids::{PAIRS, TENTH_OF_A_MILLION, UNIQUE};

    type SolveOrCount = fn(&mut Puzzles, &mut Solvers, u64, &Stop) -> Result<(), Stopped>;

    #[test]
    fn counts_up_to_nothing_end_at_once() {
        let mut puzzles = Puzzles::default();
        puzzles.push(&Grid::default());
        puzzles.count_up_to(&mut Solvers::best(), 0, &Stop::new()).unwrap();
    }

    /// One solution is the same as the first of two, for puzzles of which few or many are ambiguous, and none has none.
    #[test]
    fn one_solution_is_the_first_of_two() {
        let clash = format!("11{}", ".".repeat(79));
        for (unique, ambiguous) in [(40, 1), (1, 40), (40, 40), (0, 1), (1, 0)] {
            let grids =
                [vec![UNIQUE; unique], [PAIRS, &clash, TENTH_OF_A_MILLION].repeat(ambiguous)];
            let answers = |solvers: &mut Solvers, limit| {
                let mut puzzles = Puzzles::default();
                // The second table follows what the first one has shown.
                for _ in 0..2 {
                    puzzles.clear();
                    grids.concat().iter().for_each(|grid| puzzles.push(&grid.parse().unwrap()));
                    puzzles.solve(solvers, limit, &Stop::new()).unwrap();
                }
                (0..puzzles.len()).map(|puzzle| puzzles.answer(puzzle)).collect::<Vec<_>>()
            };
            for instructions in tallyboard_base::cpu::Instructions::all() {
                let mut solvers = Solvers::of(instructions);
                let two = answers(&mut solvers, 2);
                let one = answers(&mut solvers, 1);
                for (one, two) in one.iter().zip(&two) {
                    assert_eq!((one.count, one.first), (two.count.min(1), two.first));
                }
                assert!(answers(&mut solvers, 0).iter().all(|answer| answer.count == 0));
            }
        }
    }

    #[test]
    fn puzzles_with_many_candidates_have_a_limit_of_their_own() {
        // The second has 12 candidates to remove.
        let grids = [UNIQUE, PAIRS, TENTH_OF_A_MILLION].repeat(11);
        let grids: Vec<Grid> = grids.iter().map(|grid| grid.parse().unwrap()).collect();
        for instructions in tallyboard_base::cpu::Instructions::all() {
            let mut puzzles = Puzzles::default();
            grids.iter().for_each(|grid| puzzles.push(grid));
            let limit = FirstLimit { usual: 3, if_many: 50, many_candidates: 100 };
            let mut asked = vec![0; grids.len()];
            let next_limit = |puzzle: usize, grid: &Grid, found| {
                assert_eq!(*grid, grids[puzzle]);
                assert_eq!(std::mem::replace(&mut asked[puzzle], found), 0, "asked twice");
                0
            };
            let mut solvers = Solvers::of(instructions);
            puzzles.count_while(&mut solvers, limit, next_limit, &Stop::new()).unwrap();
            for (at, &found) in asked.iter().enumerate() {
                match at % 3 {
                    0 => assert_eq!((found, puzzles.count(at)), (0, 1)),
                    1 => assert_eq!((found, puzzles.count(at)), (4, 4)),
                    _ => assert!((50..100).contains(&found), "{found} of puzzle {at}"),
                }
            }
        }
    }

    #[test]
    fn a_raised_flag_ends_the_search_and_leaves_nothing_behind() {
        for (run, limit) in [(Puzzles::solve as SolveOrCount, 10), (Puzzles::count_up_to, u64::MAX)]
        {
            let mut solvers = Solvers::best();
            let mut puzzles = Puzzles::default();
            puzzles.push(&Grid::default());
            let stop = Stop::new();
            stop.request();
            assert!(run(&mut puzzles, &mut solvers, u64::MAX, &stop).is_err());

            for number in [40, 0, 1] {
                puzzles.clear();
                (0..number).for_each(|_| puzzles.push(&PAIRS.parse().unwrap()));
                run(&mut puzzles, &mut solvers, limit, &Stop::new()).unwrap();
                assert!((0..number).all(|puzzle| puzzles.count(puzzle) == 4));
            }
        }
    }
}

#[cfg(test)]
mod rating_tests {
    use super::super::{Puzzles, Solvers};
    use super::*;
    use crate::generate::Generator;
    use crate::grid::test_grids::changed;
    use tallyboard_base::cpu::Instructions;

    fn rate(grid: &Grid, limit: u64) -> Rating {
        Rating::of(grid, limit, &Stop::new()).unwrap()
    }

    #[test]
    fn all_techniques_occur_and_guesses_grow_with_the_limit() {
        let mut seen = [0; 3];
        for puzzle in (0..200).map(|number| Generator::for_tests(None, 4).puzzle(number)) {
            let Rating { technique, guesses } = rate(&puzzle, 2);
            seen[technique as usize] += 1;
            assert_eq!(technique == Technique::Guesses, guesses > 0);
            assert!(rate(&puzzle, 1).guesses <= guesses);
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }

    #[test]
    fn puzzles_are_rated_among_their_neighbours_as_alone() {
        let generator = Generator::for_tests(None, 9);
        let mut grids: Vec<Grid> = (0..150)
            .map(|number| {
                changed(&generator.puzzle(number), |cells| match number % 5 {
                    // Several solutions, or most likely none: seen at once, by singles or by guesses.
                    1 => cells.iter_mut().step_by(7).for_each(|cell| *cell = 0),
                    2 => cells[..2].fill(1),
                    3 => cells[number as usize % 81] = 1 + (number % 9) as u8,
                    _ => {}
                })
            })
            .collect();
        // One that takes two guesses by whole rounds and three with half rounds.
        let by_whole_rounds =
            "8643.......7....43..............5.726......8.9257..4...5361.......5......89.7..2.";
        grids.push(by_whole_rounds.parse().unwrap());
        assert_eq!(rate(&grids[150], 2).guesses, 2);
        for limit in [0, 1, 2, 100] {
            let expected: Vec<Rating> = grids.iter().map(|grid| rate(grid, limit)).collect();
            for instructions in Instructions::all() {
                let mut table = Puzzles::default();
                grids.iter().for_each(|grid| table.push(grid));
                let mut solvers = Solvers::of(instructions);
                let rated = table.rate(&mut solvers, limit, &Stop::new()).unwrap();
                assert_eq!(rated, expected, "limit {limit}, {instructions:?}");
            }
        }
    }

    #[test]
    fn a_raised_flag_ends_the_rating() {
        let stop = Stop::new();
        stop.request();
        assert_eq!(Rating::of(&Grid::default(), u64::MAX, &stop), Err(Stopped));
    }
}
