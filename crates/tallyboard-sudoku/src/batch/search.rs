//! The search: states of all puzzles, in piles by what is to be done with them next.
//!
//! ```text
//! while there is a state or a puzzle, take a vector
//!         of open states, if there are enough to fill it,
//!     or else of stuck states; split them, and put the second halves aside,
//!     or else of second halves,
//!     or else of new puzzles,
//!     or else of whatever states there are;
//!     half a round, unless they were open; then rounds, until most lanes are solved, dead or stuck
//!     solved:                        count it
//!     dead:                          forget it
//!     stuck (the round changed nothing): to the stuck states
//!     else:                          to the open states
//! ```
//!
//! So rounds and splits work on full vectors, mixed from any puzzles. The piles stay short, because the
//! deepest states are taken first and new puzzles last.
//!
//! The [`Order`] decides when second halves return, and so which solution is found first:
//!
//! * [`Reproducible`](Order::Reproducible): each puzzle is searched depth first. Its latest second half returns
//!   when the puzzle has no other active state, so other puzzles do not decide what is found first. No state is
//!   searched in vain, but a puzzle has one state at a time in the vectors.
//! * [`Busiest`](Order::Busiest): second halves return a whole vector at a time, the latest first. States are dropped
//!   when their puzzle has reached the limit. Which of several solutions is found first depends on the other puzzles.

use super::branch::split;
use super::choice::Order;
use super::lanes::{Lanes, MAX_LANES, Set};
use super::layout::{PackedGrids, planes_from_state, store_planes};
use super::round::{first_round, half_round, round};
use super::second_halves::SecondHalves;
use super::states::{Pile, States};
use tallyboard_base::array::array;
use tallyboard_search::{Stop, Stopped};

/// Vectors between two checks of the stop flag: a millisecond or two.
const POLL_INTERVAL: u64 = 1 << 11;

/// A vector gets another round while more than 1/2 of its lanes are open. With 3/4 or without further rounds,
/// hard and unbiased puzzles take 3 to 10 % longer.
const OPEN_LANES_DIVISOR: u32 = 2;

/// The states of all puzzles, and memory to work on them.
pub struct Search<V> {
    work: Box<States<V>>,
    open: Pile<V>,
    stuck: Pile<V>,
    second_halves: SecondHalves<V>,
    /// Second halves that return one by one, by puzzle.
    resumed: Pile<V>,
    /// First solutions, to be written out a whole vector at a time.
    solved: Pile<V>,
    out: Box<States<V>>,
    /// Whether any puzzle has reached the limit. Its states are dropped when they are taken.
    has_finished_puzzle: bool,
}

#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub grids: &'a [PackedGrids],
    pub limit: u64,
    pub order: Order,
}

/// Where the search writes its results: a grid and a count for each puzzle. The counts must be zero.
pub struct Results<'a> {
    pub grids: &'a mut [PackedGrids],
    pub counts: &'a mut [u64],
    /// The number of candidates tried for each puzzle. The caller passes a zero for each count, or an empty
    /// slice if it does not want them. In the order [`Reproducible`](Order::Reproducible) they depend on the
    /// puzzle and the limit alone.
    pub guesses: &'a mut [u64],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// New puzzles, from this one on.
    Puzzles(usize),
    /// Open states.
    Open,
    /// States after a split: first halves, or second halves that return.
    Split,
}

impl<V: Lanes> Search<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            work: Box::new(States::new()),
            open: Pile::new(),
            stuck: Pile::new(),
            second_halves: SecondHalves::new(),
            resumed: Pile::new(),
            solved: Pile::new(),
            out: Box::new(States::new()),
            has_finished_puzzle: false,
        }
    }

    /// Solves as many grids as `results` has counts. The grid of a puzzle that has a solution receives
    /// the one that was found first.
    #[inline(always)]
    pub fn solve(&mut self, task: Task, mut results: Results, stop: &Stop) -> Result<(), Stopped> {
        if task.limit == 0 {
            return Ok(());
        }
        self.second_halves.clear(results.counts.len());
        self.has_finished_puzzle = false;
        let (mut next, mut steps) = (0, 0_u64);
        while let Some(origin) = self.take_vector(task, &mut next, &mut results) {
            if self.work.lanes != 0 {
                self.deduce(origin, task, &mut results);
            }
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) && stop.requested() {
                self.forget_all();
                return Err(Stopped);
            }
        }
        while self.solved.len() > 0 {
            self.write_out(&mut results);
        }
        Ok(())
    }

    #[cold]
    fn forget_all(&mut self) {
        for pile in [&mut self.open, &mut self.stuck, &mut self.resumed, &mut self.solved] {
            pile.clear();
        }
    }

    /// Takes a vector to work on; `next` is the number of the first new puzzle.
    #[inline(always)]
    fn take_vector(
        &mut self,
        task: Task,
        next: &mut usize,
        results: &mut Results,
    ) -> Option<Origin> {
        let puzzles = results.counts.len();
        // First only full vectors and new puzzles, then incomplete vectors.
        for least in [V::COUNT, 1] {
            if self.open.len() >= least {
                self.open.pop(&mut self.work);
                return Some(Origin::Open);
            }
            if self.stuck.len() >= least {
                self.branch(task, results);
                return Some(Origin::Split);
            }
            if self.second_halves.take_whole(&mut self.work) {
                if self.has_finished_puzzle {
                    let counts = &*results.counts;
                    self.work.drop_finished(|puzzle| counts[puzzle] >= task.limit);
                }
                return Some(Origin::Split);
            }
            if self.resumed.len() >= least {
                self.resumed.pop(&mut self.work);
                return Some(Origin::Split);
            }
            if *next < puzzles {
                let number = *next;
                self.work.load_puzzles(task.grids, number, puzzles);
                if results.guesses.is_empty() {
                    first_round(&mut self.work.state);
                }
                *next += V::COUNT;
                return Some(Origin::Puzzles(number));
            }
        }
        None
    }

    /// Takes stuck states to work on, and splits them.
    #[inline(always)]
    fn branch(&mut self, task: Task, results: &mut Results) {
        self.stuck.pop(&mut self.work);
        if self.has_finished_puzzle {
            let counts = &*results.counts;
            self.work.drop_finished(|puzzle| counts[puzzle] >= task.limit);
        }
        if !results.guesses.is_empty() {
            for lane in Set(self.work.lanes) {
                // A guess takes longer than a nanosecond, so no run reaches 2^64.
                results.guesses[self.work.puzzles.words()[lane] as usize] += 1;
            }
        }
        let (work, other) = (&mut *self.work, self.second_halves.unused_vector());
        let twins =
            split(&mut work.state, &mut other.state, work.lanes, work.lanes, task.order).twins;
        (other.puzzles, other.weights) = (work.puzzles, work.weights);
        other.lanes = work.lanes & !twins;
        work.weights = work.weights + (work.weights & V::only(twins));
        if other.lanes != 0 {
            match task.order {
                Order::Reproducible => self.second_halves.keep_by_puzzle(),
                Order::Busiest => self.second_halves.keep_whole(),
            }
        }
    }

    /// Deduces on the vector, and sorts its lanes by the result.
    #[inline(always)]
    fn deduce(&mut self, origin: Origin, task: Task, results: &mut Results) {
        let States { state, lanes, .. } = &mut *self.work;
        // Guesses are defined by whole rounds: after a half round, it may take more splits to see
        // that a state has no solution.
        if origin != Origin::Open && results.guesses.is_empty() {
            half_round(state);
        }
        let found = loop {
            let found = round(state);
            let open = *lanes & found.changed & !(found.solved | found.dead);
            if open.count_ones() * OPEN_LANES_DIVISOR <= V::COUNT as u32 {
                break found;
            }
        };
        let (solved, dead) = (*lanes & found.solved, *lanes & found.dead);
        let alive = *lanes & !(solved | dead);
        let (open, stuck) = (alive & found.changed, alive & !found.changed);
        if open != 0 {
            self.open.push(open, &self.work);
        }
        if stuck != 0 {
            self.stuck.push(stuck, &self.work);
        }
        if let Origin::Puzzles(first) = origin {
            if solved != 0 {
                self.write_first_results(first, solved, results);
            }
            return;
        }
        if solved != 0 {
            self.count(solved, task.limit, results);
        }
        if task.order == Order::Reproducible {
            self.resume(solved | dead, task.limit, results.counts);
        }
    }

    /// Writes the results of new puzzles before any split. Puzzles that are not solved get grids all the same; their
    /// solutions replace these later.
    #[inline(always)]
    fn write_first_results(&mut self, first: usize, solved: u32, results: &mut Results) {
        let States { state, lanes, .. } = &*self.work;
        for lane in 0..lanes.count_ones() as usize {
            results.counts[first + lane] = u64::from(solved >> lane & 1);
        }
        let planes = planes_from_state(state);
        let grids = &mut results.grids[first / MAX_LANES].planes;
        for q in 0..4 {
            for band in 0..3 {
                let target = &mut grids[q][band][first % MAX_LANES..];
                for lane in 0..V::COUNT {
                    target[lane] = planes[q][band].words()[lane];
                }
            }
        }
    }

    /// Counts solved lanes, and keeps the first solution of each puzzle.
    #[inline(always)]
    fn count(&mut self, solved: u32, limit: u64, results: &mut Results) {
        let States { puzzles, weights, .. } = &*self.work;
        let mut first = 0;
        for lane in Set(solved) {
            let (puzzle, weight) = (puzzles.words()[lane], weights.words()[lane]);
            let count = &mut results.counts[puzzle as usize];
            first |= u32::from(*count == 0) << lane;
            // No search reaches 2^64, but a silent overflow would give a wrong answer.
            *count = count.checked_add(weight.into()).expect("over 2^64 solutions").min(limit);
            self.has_finished_puzzle |= *count == limit;
        }
        if first != 0 {
            self.solved.push(first, &self.work);
            if self.solved.len() >= V::COUNT {
                self.write_out(results);
            }
        }
    }

    /// For each puzzle whose state has ended in these lanes, brings back its last second half, or forgets all its second halves
    /// if it has reached the limit.
    #[inline(always)]
    fn resume(&mut self, ended: u32, limit: u64, counts: &[u64]) {
        for lane in Set(ended) {
            let puzzle = self.work.puzzles.words()[lane] as usize;
            if counts[puzzle] == limit {
                while self.second_halves.take_half_of(puzzle).is_some() {}
            } else if let Some((half, lane)) = self.second_halves.take_half_of(puzzle) {
                self.resumed.push(1 << lane, half);
            }
        }
    }

    #[inline(always)]
    fn write_out(&mut self, results: &mut Results) {
        self.solved.pop(&mut self.out);
        let States { state, puzzles, lanes, .. } = &*self.out;
        let planes = planes_from_state(state);
        for lane in Set(*lanes) {
            let planes = array(|q| array(|band| planes[q][band].words()[lane]));
            store_planes(results.grids, puzzles.words()[lane] as usize, &planes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::branch::split;
    use super::super::choice::Order;
    use super::super::lanes::Lanes;
    use super::super::layout::{State, WORDS, planes_from_state};
    use super::super::rating::{One, deduce, state_of_grid};
    use super::super::{Kernel, Puzzles, Solvers};
    use crate::generate::Generator;
    use crate::test_grids::changed;
    use crate::{Grid, single};
    use tallyboard_search::Stop;

    /// The first solution of a state, by the order of splits.
    fn first_alone(state: State<One>) -> Option<State<One>> {
        let mut later = vec![state];
        while let Some(mut state) = later.pop() {
            match deduce(&mut state) {
                Some(true) => return Some(state),
                Some(false) => {}
                None => {
                    let mut other = [One::splat(0); WORDS];
                    split(&mut state, &mut other, 1, 1, Order::Reproducible);
                    // Of twins the second has no solution that comes first.
                    later.extend([other, state]);
                }
            }
        }
        None
    }

    #[test]
    fn the_solution_shown_is_the_first_among_all_neighbours() {
        let mut grids: Vec<Grid> = (0..150)
            .map(|number| {
                changed(&Generator::for_tests(Some(26), 11).puzzle(number), |cells| {
                    cells.iter_mut().step_by(number as usize % 5 + 2).for_each(|cell| *cell = 0);
                })
            })
            .collect();
        grids.push(Grid::default());
        let planes: Vec<_> = grids
            .iter()
            .map(|grid| {
                let first = first_alone(state_of_grid(grid));
                planes_from_state(&first.expect("a solution")).map(|row| row.map(|word| word.0[0]))
            })
            .collect();
        let mut solvers = Solvers::new(Kernel::best()).unwrap();
        // After puzzles with one solution the table expects more of them and goes in any order.
        let single = Generator::for_tests(Some(26), 12).puzzle(0);
        for (limit, singles) in [(1, 0), (2, 0), (2, 50), (7, 50)] {
            let mut table = Puzzles::default();
            (0..singles).for_each(|_| table.push(&single));
            grids.iter().for_each(|grid| table.push(grid));
            table.solve(&mut solvers, limit, &Stop::new()).unwrap();
            for (number, grid) in grids.iter().enumerate() {
                let puzzle = singles + number;
                assert_eq!(table.count(puzzle), single::solve_up_to(grid, limit).count, "{grid}");
                assert_eq!(table.solution(puzzle), planes[number], "limit {limit}: {grid}");
            }
        }
    }
}
