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

use super::branch::{Order, split};
use super::lanes::{Lanes, MAX_LANES, Set};
use super::round::{
    Candidate, PackedGrids, Pile, States, count_candidates, exclude, first_lanes, first_round,
    half_round, planes_from_state, round, store_planes,
};
use crate::CELLS;
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
    /// For each grid, or for none, a candidate that its solutions lack.
    pub excluded: &'a [Candidate],
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
                // After the first round, which takes a cell that lacks the wrong candidate for a clue.
                let excluded = task.excluded.get(number..).unwrap_or_default();
                for (lane, candidate) in excluded.iter().take(V::COUNT).enumerate() {
                    exclude(&mut self.work.state, lane, candidate);
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

// Second halves of splits. A split makes two states of one: the first half has a candidate in a cell, the second half lacks it.
// The search goes on with first halves; second halves wait here, in the vectors in which they were split off.

/// Vectors of second halves. Some are taken whole: they form a stack. The states of the others are taken one by one: those
/// of each puzzle form a stack, which is a linked list:
///
/// ```text
/// top[puzzle] ──> slot of its last half ──below──> the one before ──below──> NOWHERE
/// ```
pub struct SecondHalves<V> {
    vectors: Vec<Box<States<V>>>,
    /// For each lane of a vector that is taken state by state: the half of the same puzzle below it.
    below: Vec<[Slot; MAX_LANES]>,
    unused: Vec<u32>,
    /// The vectors to be taken whole.
    whole: Vec<u32>,
    /// The uppermost half of each puzzle, in vectors that are taken state by state.
    top: Vec<Slot>,
}

/// A lane of a vector: `vector * MAX_LANES + lane`.
type Slot = u32;
const NOWHERE: Slot = u32::MAX;

impl<V: Lanes> SecondHalves<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            vectors: Vec::new(),
            below: Vec::new(),
            unused: Vec::new(),
            whole: Vec::new(),
            top: Vec::new(),
        }
    }

    /// Forgets all halves, and makes room for this many puzzles.
    pub fn clear(&mut self, puzzles: usize) {
        self.whole.clear();
        self.unused.clear();
        self.unused.extend(0..self.vectors.len() as u32);
        self.top.clear();
        self.top.resize(puzzles, NOWHERE);
    }

    /// An unused vector for the caller to fill. It stays unused unless the caller keeps it.
    #[inline(always)]
    pub fn unused_vector(&mut self) -> &mut States<V> {
        if self.unused.is_empty() {
            self.grow();
        }
        let vector = self.unused[self.unused.len() - 1];
        &mut self.vectors[vector as usize]
    }

    #[cold]
    fn grow(&mut self) {
        self.unused.push(self.vectors.len() as u32);
        self.vectors.push(Box::new(States::new()));
        self.below.push([NOWHERE; MAX_LANES]);
    }

    /// Keeps the vector that [`unused_vector`](Self::unused_vector) gave, to be taken whole. Only to be called after that.
    #[inline(always)]
    pub fn keep_whole(&mut self) {
        if let Some(vector) = self.unused.pop() {
            self.whole.push(vector);
        }
    }

    /// Keeps the vector that [`unused_vector`](Self::unused_vector) gave, to be taken state by state. Only to be called
    /// after that.
    #[inline(always)]
    pub fn keep_by_puzzle(&mut self) {
        let Some(vector) = self.unused.pop() else { return };
        let States { puzzles, lanes, .. } = &*self.vectors[vector as usize];
        for lane in Set(*lanes) {
            let top = &mut self.top[puzzles.words()[lane] as usize];
            self.below[vector as usize][lane] = *top;
            *top = vector * MAX_LANES as u32 + lane as u32;
        }
    }

    /// Exchanges `states` for the vector that was kept last. Returns whether there was one.
    #[inline(always)]
    pub fn take_whole(&mut self, states: &mut Box<States<V>>) -> bool {
        let Some(vector) = self.whole.pop() else { return false };
        std::mem::swap(states, &mut self.vectors[vector as usize]);
        self.unused.push(vector);
        true
    }

    /// Takes the last half of a puzzle: a lane of a vector, valid until the next call.
    #[inline(always)]
    pub fn take_half_of(&mut self, puzzle: usize) -> Option<(&States<V>, usize)> {
        let slot = self.top[puzzle];
        if slot == NOWHERE {
            return None;
        }
        let vector = slot as usize / MAX_LANES;
        let lane = slot as usize % MAX_LANES;
        let states = &mut self.vectors[vector];
        self.top[puzzle] = self.below[vector][lane];
        states.lanes &= !(1 << lane);
        if states.lanes == 0 {
            self.unused.push(vector as u32);
        }
        Some((states, lane))
    }
}

// Counting solutions without looking at them: states of many puzzles in one pool.
//
// ```text
// while there is a state or a puzzle, take a vector
//         of second halves, or else of new puzzles, or else of whatever states there are;
//     half a round, then a round
//     solved:      add its weight to the count of its puzzle
//     else if not dead: to the undecided states
//     whenever these fill a vector, split them (or leave a state as it is where it cannot be split yet)
//         twins:   the first half, at twice the weight, to the halves
//         else:    both halves to the halves
// ```
//
// Departures from it:
//
// 1. A state is split after a round and a half even if another round would deduce more: the shape
//    of the tree matters little for a count, and it takes a round to find out that nothing changes.
// 2. Where a split leaves one solution in each half, both are counted at once.
//
// Unlike in [`search`](super::search), second halves are searched at once, whatever their puzzle. So the
// vectors are always full, and the memory for open states has no fixed bound. Which solution is found first
// depends on the other puzzles.

/// The bit of a weight that marks a state unchanged by its last round. No weight is that large.
const STUCK: u32 = 1 << 31;

pub struct CountTask<'a> {
    /// The puzzles: as many as there are counts.
    pub grids: &'a [PackedGrids],
    /// The numbers of solutions found; zeros at the beginning.
    pub counts: &'a mut [u64],
    pub limit: FirstLimit,
    /// Called with a puzzle and its count when the count reaches the limit of the puzzle. Returns
    /// the next limit; one that is not above the count ends the search of the puzzle.
    pub next_limit: &'a mut dyn FnMut(usize, u64) -> u64,
}

/// The first limit of a puzzle's count. Puzzles with many candidates most likely have many solutions.
#[derive(Debug, Clone, Copy)]
pub struct FirstLimit {
    /// The limit of most puzzles.
    pub usual: u64,
    /// The limit of puzzles with at least `many_candidates` candidates to remove after a round and a half.
    pub if_many: u64,
    /// A number of candidates to remove: in each cell, all candidates but one.
    pub many_candidates: u32,
}

impl FirstLimit {
    pub fn same(limit: u64) -> Self {
        Self { usual: limit, if_many: limit, many_candidates: u32::MAX }
    }
}

/// The states of all puzzles, and memory to work on them.
pub struct Pool<V> {
    work: Box<States<V>>,
    /// Second halves of a split.
    other: Box<States<V>>,
    halves: Pile<V>,
    undecided: Pile<V>,
    /// The count of each puzzle at which its search ends.
    limits: Vec<u64>,
}

impl<V: Lanes> Pool<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let work = || Box::new(States::new());
        let (halves, undecided) = (Pile::new(), Pile::new());
        let limits = Vec::new();
        Self { work: work(), other: work(), halves, undecided, limits }
    }

    /// Counts the solutions of each puzzle: all of them, or at least its last limit.
    #[inline(always)]
    pub fn count(&mut self, mut task: CountTask, stop: &Stop) -> Result<(), Stopped> {
        if task.limit.usual == 0 {
            return Ok(());
        }
        self.limits.clear();
        self.limits.resize(task.counts.len(), task.limit.usual);
        let (mut next, mut steps) = (0, 0_u64);
        loop {
            let begun = next;
            if !self.take_vector(&mut next, &mut task) {
                break;
            }
            self.deduce(next > begun, &mut task);
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) && stop.requested() {
                self.halves.clear();
                self.undecided.clear();
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Takes a vector to work on, if there is any; `next` is the number of the first new puzzle.
    #[inline(always)]
    fn take_vector(&mut self, next: &mut usize, task: &mut CountTask) -> bool {
        // First only full vectors and new puzzles, then incomplete vectors.
        let mut least = V::COUNT;
        loop {
            if self.undecided.len() >= least {
                self.undecided.pop(&mut self.work);
                self.branch(task);
                // A full vector of first halves need not go through the pile.
                if self.work.lanes == first_lanes(V::COUNT) {
                    return true;
                }
                self.halves.push_all(&mut self.work);
            } else if self.halves.len() >= least {
                self.halves.pop(&mut self.work);
                return true;
            } else if *next < task.counts.len() {
                self.work.load_puzzles(task.grids, *next, task.counts.len());
                *next += V::COUNT;
                return true;
            } else if least > 1 {
                least = 1;
            } else {
                return false;
            }
        }
    }

    /// Deduces for a round and a half, then counts, drops or keeps the states.
    #[inline(always)]
    fn deduce(&mut self, are_new: bool, task: &mut CountTask) {
        let States { state, lanes, puzzles, .. } = &mut *self.work;
        half_round(state);
        let mut found = round(state);
        if are_new {
            // While rounds still change most lanes, another round is cheaper than splits.
            let half = V::COUNT as u32 / 2;
            while (*lanes & found.changed & !(found.solved | found.dead)).count_ones() > half {
                found = round(state);
            }
        }
        let solved = *lanes & found.solved;
        *lanes &= !(found.solved | found.dead);
        let FirstLimit { if_many, many_candidates, .. } = task.limit;
        if are_new && *lanes != 0 && many_candidates < u32::MAX {
            let candidates = count_candidates(state);
            for lane in Set(*lanes) {
                if candidates.words()[lane] >= many_candidates + CELLS as u32 {
                    self.limits[puzzles.words()[lane] as usize] = if_many;
                }
            }
        }
        self.add(solved, task);
        let weights = &mut self.work.weights;
        *weights = *weights | V::splat(STUCK) & !V::only(found.changed);
        self.undecided.push_all(&mut self.work);
    }

    /// Splits the vector, keeps the first halves and puts the second halves aside.
    #[inline(always)]
    fn branch(&mut self, task: &mut CountTask) {
        let Self { work, other, .. } = self;
        let mark = V::splat(STUCK);
        let stuck = (work.weights & mark).same(mark);
        work.weights = work.weights & !mark;
        // States of finished puzzles have the weight 0.
        work.lanes &= !work.weights.same(V::splat(0));
        let stuck = stuck & work.lanes;
        let found =
            split(&mut work.state, &mut other.state, work.lanes, stuck, Order::Reproducible);
        work.weights = work.weights + (work.weights & V::only(found.twins));
        (other.puzzles, other.weights) = (work.puzzles, work.weights);
        other.lanes = found.split & !found.twins;
        work.lanes &= !found.pairs;
        self.add(found.pairs, task);
        self.halves.push_all(&mut self.other);
    }

    /// Adds the weights of these lanes to the counts of their puzzles.
    #[inline(always)]
    fn add(&mut self, lanes: u32, task: &mut CountTask) {
        for lane in Set(lanes) {
            let States { puzzles, weights, .. } = &*self.work;
            let puzzle = puzzles.words()[lane] as usize;
            let (count, limit) = (&mut task.counts[puzzle], &mut self.limits[puzzle]);
            let open = *count < *limit;
            // No search reaches 2^64, but a silent overflow would give a wrong answer.
            *count = count.checked_add(weights.words()[lane].into()).expect("over 2^64 solutions");
            if open && *count >= *limit {
                *limit = (task.next_limit)(puzzle, *count);
                if *count >= *limit {
                    self.forget(puzzle);
                }
            }
        }
    }

    /// Marks all states of a puzzle as to be dropped.
    #[inline(always)]
    fn forget(&mut self, puzzle: usize) {
        self.halves.forget(puzzle);
        self.undecided.forget(puzzle);
        self.work.forget(puzzle);
        self.other.forget(puzzle);
    }
}

#[cfg(test)]
mod tests {
    use super::super::branch::split;
    use super::super::lanes::Lanes;
    use super::super::{Kernel, Puzzles, Solvers};
    use crate::batch::branch::Order;
    use crate::batch::puzzles::{One, deduce, state_of_grid};
    use crate::batch::round::{State, WORDS, planes_from_state};
    use crate::generate::Generator;
    use crate::grid::test_grids::changed;
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
