//! The search: states of all puzzles, in stacks by what is to be done with them next.
//!
//! ```text
//! while there is a state or a puzzle, take a vector
//!         of open states, if there are enough to fill it,
//!     or else of stuck states; split them, and put the second halves aside,
//!     or else of second halves,
//!     or else of new puzzles,
//!     or else of what is left;
//!     half a round, unless they were open; then rounds, until most lanes are solved, dead or stuck
//!     solved:                        count it
//!     dead:                          forget it
//!     stuck (the round changed nothing): to the stuck states
//!     else:                          to the open states
//! ```
//!
//! So rounds and splits serve full vectors, wherever the states come from, and the stacks stay short,
//! because the deepest states come first and new puzzles last.
//!
//! *The solution shown* is the first by the order of splits, and no other puzzle has a say in that. A
//! state has its *place* among those of its puzzle, a number whose lowest bit halves with each split:
//!
//! ```text
//! whole puzzle                 1000
//! its halves          0100              1100
//! theirs          0010    0110      1010    1110
//! ```
//!
//! Of two states that exclude each other, the one with the lower place comes first. When a puzzle has
//! reached the limit, only states whose places are below that of its solution are still searched. A
//! puzzle that is split more often than places have bits is searched once more, alone and in order.

use std::array::from_fn;

use super::branch::split;
use super::lanes::{Lanes, MAX_LANES, Set};
use super::layout::{Batch, State, WORDS, close, open};
use super::method::first_alone;
use super::round::{first_round, half_round, round};
use super::stack::Stack;
use crate::search::{Stop, Stopped};

/// How many vectors pass between two looks at the stop flag: a millisecond or two.
const POLL_INTERVAL: u64 = 1 << 11;

/// A vector is given more rounds while more than one lane in so many is open. With 2, hard and
/// unbiased puzzles are fastest; with every lane or three quarters of them they take 3 to 10 % more.
const OPEN_SHARE: u32 = 2;

/// States in lanes.
struct Work<V> {
    state: State<V>,
    notes: [V; NOTES],
    /// The lanes that hold a state.
    lanes: u32,
}

/// What is known of a state besides its candidates: the number of its puzzle; how many solutions one of
/// it stands for (at most 2^20, because that doubles where half of a group of at least four cells is
/// decided); its place among the states of its puzzle.
const NOTES: usize = 3;

/// The place of a whole puzzle.
const WHOLE: u32 = 1 << 31;
/// A place after all others: of the solution of a puzzle that has none yet.
const NOWHERE: u32 = u32::MAX;
/// A place before all others: of the solution of a puzzle that was split more than 31 times on the way
/// to some state.
const TOO_DEEP: u32 = 0;

/// The states of all puzzles, and memory to work on them.
pub struct Search<V> {
    /// What is worked on, and above it the second halves that wait.
    work: Vec<Work<V>>,
    /// The number of second halves.
    halves: usize,
    open: Stack<NOTES>,
    stuck: Stack<NOTES>,
    /// Solutions, to be written out by the vector.
    solved: Stack<NOTES>,
    /// The place of the solution shown, for each puzzle.
    places: Vec<u32>,
    /// Whether a puzzle that was split has reached the limit.
    finished: bool,
    /// Whether a puzzle is [`TOO_DEEP`].
    deep: bool,
}

/// Where the results go: grids by the batch, counts by the puzzle, which are to be zero.
pub struct Results<'a> {
    pub grids: &'a mut [Batch],
    pub counts: &'a mut [u64],
}

/// Where a vector comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// New puzzles, from this one on.
    Puzzles(usize),
    /// Open states.
    Open,
    /// Halves of stuck states.
    Split,
}

impl<V: Lanes> Search<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            work: vec![Work::new()],
            halves: 0,
            open: Stack::default(),
            stuck: Stack::default(),
            solved: Stack::default(),
            places: Vec::new(),
            finished: false,
            deep: false,
        }
    }

    /// Solves the grids of `batches`, as many as `results` has counts, each up to `limit` solutions.
    #[inline(always)]
    pub fn solve(
        &mut self,
        batches: &[Batch],
        limit: u64,
        mut results: Results,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        if limit == 0 {
            return Ok(());
        }
        let puzzles = results.counts.len();
        self.places.clear();
        self.places.resize(puzzles, NOWHERE);
        (self.finished, self.deep) = (false, false);
        let (mut next, mut steps) = (0, 0_u64);
        loop {
            let (vector, origin);
            if self.open.len() >= V::COUNT {
                (vector, origin) = (0, Origin::Open);
                self.reopen();
            } else if self.stuck.len() >= V::COUNT {
                (vector, origin) = (0, Origin::Split);
                self.branch(limit, results.counts);
            } else if self.halves > 0 {
                (vector, origin) = (self.halves, Origin::Split);
                self.halves -= 1;
                self.drop_finished(vector, limit, results.counts);
            } else if next < puzzles {
                (vector, origin) = (0, Origin::Puzzles(next));
                self.enter(batches, next, puzzles);
                next += V::COUNT;
            } else if self.open.len() > 0 {
                (vector, origin) = (0, Origin::Open);
                self.reopen();
            } else if self.stuck.len() > 0 {
                (vector, origin) = (0, Origin::Split);
                self.branch(limit, results.counts);
            } else {
                break;
            }
            if self.work[vector].lanes != 0 {
                self.deduce(vector, origin, limit, &mut results);
            }
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) && stop.requested() {
                self.give_up();
                return Err(Stopped);
            }
        }
        while self.solved.len() > 0 {
            self.write_out(&mut results);
        }
        if self.deep { self.search_alone(batches, &mut results, stop) } else { Ok(()) }
    }

    /// Forgets every puzzle.
    #[cold]
    fn give_up(&mut self) {
        self.halves = 0;
        for stack in [&mut self.open, &mut self.stuck, &mut self.solved] {
            stack.clear();
        }
    }

    /// Takes new puzzles to work on, from number `first` on.
    #[inline(always)]
    fn enter(&mut self, batches: &[Batch], first: usize, puzzles: usize) {
        let numbers: [u32; MAX_LANES] = from_fn(|lane| (first + lane) as u32);
        let work = &mut self.work[0];
        work.state = open(&batches[first / MAX_LANES], first % MAX_LANES);
        work.notes = [V::load(&numbers), V::splat(1), V::splat(WHOLE)];
        work.lanes = u32::MAX >> (32 - V::COUNT.min(puzzles - first));
        first_round(&mut work.state);
    }

    /// Takes open states to work on.
    #[inline(always)]
    fn reopen(&mut self) {
        let work = &mut self.work[0];
        work.lanes = self.open.pop(&mut work.state, &mut work.notes);
    }

    /// Takes stuck states to work on, and splits them.
    #[inline(always)]
    fn branch(&mut self, limit: u64, counts: &[u64]) {
        let work = &mut self.work[0];
        work.lanes = self.stuck.pop(&mut work.state, &mut work.notes);
        self.drop_finished(0, limit, counts);
        self.halves += 1;
        if self.halves == self.work.len() {
            self.grow();
        }
        let [work, .., other] = &mut self.work[..=self.halves] else { unreachable!() };
        let twins = split(&mut work.state, &mut other.state, work.lanes, work.lanes).twins;
        let ([puzzles, weights, places], doubled) = (work.notes, V::only(twins));
        let bit = places.lowest_bit().without(doubled);
        let half = bit.down::<1>();
        work.notes = [puzzles, weights.add(weights.and(doubled)), places.xor3(bit, half)];
        other.notes = [puzzles, weights, places.or(half)];
        other.lanes = work.lanes & !twins;
        let deep = other.lanes & half.same(V::splat(0));
        for lane in Set(deep) {
            self.places[puzzles.words()[lane] as usize] = TOO_DEEP;
            self.deep = true;
        }
        if other.lanes == 0 {
            self.halves -= 1;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.work.push(Work::new());
    }

    /// Takes states out of a vector that come too late: their puzzles have reached the limit.
    #[inline(always)]
    fn drop_finished(&mut self, vector: usize, limit: u64, counts: &[u64]) {
        if !self.finished {
            return;
        }
        let work = &mut self.work[vector];
        for lane in Set(work.lanes) {
            let [puzzle, _, place] = work.notes.map(|note| note.words()[lane]);
            if counts[puzzle as usize] == limit && place >= self.places[puzzle as usize] {
                work.lanes &= !(1 << lane);
            }
        }
    }

    /// Deduces on a vector, and sees to what becomes of its lanes.
    #[inline(always)]
    fn deduce(&mut self, vector: usize, origin: Origin, limit: u64, results: &mut Results) {
        let Work { state, notes, lanes } = &mut self.work[vector];
        if origin != Origin::Open {
            half_round(state);
        }
        let found = loop {
            let found = round(state);
            let open = *lanes & found.changed & !(found.solved | found.dead);
            if open.count_ones() * OPEN_SHARE <= V::COUNT as u32 {
                break found;
            }
        };
        let alive = *lanes & !(found.solved | found.dead);
        let (open, stuck) = (alive & found.changed, alive & !found.changed);
        if open != 0 {
            self.open.push(open, state, notes);
        }
        if stuck != 0 {
            self.stuck.push(stuck, state, notes);
        }
        let solved = *lanes & found.solved;
        if solved == 0 {
            return;
        }
        if let Origin::Puzzles(first) = origin {
            self.take_down(first, solved, results);
        } else {
            self.count(vector, solved, limit, results);
        }
    }

    /// Takes down what new puzzles have come to without a split. Those that are not solved yet get
    /// something, too, to be replaced by their solutions.
    #[inline(always)]
    fn take_down(&mut self, first: usize, solved: u32, results: &mut Results) {
        let Work { state, lanes, .. } = &self.work[0];
        for lane in 0..lanes.count_ones() as usize {
            results.counts[first + lane] = u64::from(solved >> lane & 1);
        }
        let planes = close(state);
        let grids = &mut results.grids[first / MAX_LANES].planes;
        for (target, source) in grids.as_flattened_mut().iter_mut().zip(planes.as_flattened()) {
            target[first % MAX_LANES..][..V::COUNT].copy_from_slice(source.words());
        }
    }

    /// Counts solved lanes, and takes down the solutions that are to be shown.
    #[inline(always)]
    fn count(&mut self, vector: usize, solved: u32, limit: u64, results: &mut Results) {
        let Work { state, notes, .. } = &self.work[vector];
        let mut first = 0;
        for lane in Set(solved) {
            let [puzzle, weight, place] = notes.map(|note| note.words()[lane]);
            let count = &mut results.counts[puzzle as usize];
            // Far beyond what can be searched, but a silent overflow would be a wrong answer.
            *count = count.checked_add(weight.into()).expect("over 2^64 solutions").min(limit);
            self.finished |= *count == limit;
            let shown = &mut self.places[puzzle as usize];
            if place < *shown {
                *shown = place;
                first |= 1 << lane;
            }
        }
        if first != 0 {
            self.solved.push(first, state, notes);
            if self.solved.len() >= V::COUNT {
                self.write_out(results);
            }
        }
    }

    /// Writes out a vector of solutions.
    #[inline(always)]
    fn write_out(&mut self, results: &mut Results) {
        let (mut state, mut notes) = ([V::splat(0); WORDS], [V::splat(0); NOTES]);
        let lanes = self.solved.pop(&mut state, &mut notes);
        let planes = close(&state);
        for lane in Set(lanes) {
            let [puzzle, _, place] = notes.map(|note| note.words()[lane]);
            // Unless one before it has been found meanwhile.
            if place == self.places[puzzle as usize] {
                put(results.grids, puzzle as usize, planes.as_flattened(), lane);
            }
        }
    }

    /// Finds the solution to be shown for every puzzle that places do not suffice for.
    #[cold]
    fn search_alone(
        &self,
        batches: &[Batch],
        results: &mut Results,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        for (puzzle, &place) in self.places.iter().enumerate() {
            if place == TOO_DEEP && results.counts[puzzle] > 0 {
                let state = open(&batches[puzzle / MAX_LANES], puzzle % MAX_LANES);
                let solution = first_alone(state, stop)?;
                let planes = close(&solution.expect("the puzzle has a solution"));
                put(results.grids, puzzle, planes.as_flattened(), 0);
            }
        }
        Ok(())
    }
}

impl<V: Lanes> Work<V> {
    #[inline(always)]
    fn new() -> Self {
        Self { state: [V::splat(0); WORDS], notes: [V::splat(0); NOTES], lanes: 0 }
    }
}

/// Copies the planes in a lane to the place of a grid.
#[inline(always)]
fn put<V: Lanes>(grids: &mut [Batch], grid: usize, planes: &[V], lane: usize) {
    let rows = grids[grid / MAX_LANES].planes.as_flattened_mut();
    for (row, source) in rows.iter_mut().zip(planes) {
        row[grid % MAX_LANES] = source.words()[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::close;
    use super::super::method::{first_alone, open_one};
    use super::super::{Engine, Kernel, Table};
    use crate::search::Stop;
    use crate::sudoku::generate::{Generator, Wish};
    use crate::sudoku::{Grid, kernel};

    #[test]
    fn a_raised_flag_ends_it_and_leaves_nothing_behind() {
        let mut engine = Engine::new(Kernel::best()).unwrap();
        let mut table = Table::default();
        table.push(&Grid::default());
        let stop = Stop::new();
        stop.request();
        assert!(table.solve(&mut engine, u64::MAX, &stop).is_err());

        let pairs =
            "534..89126721953..198342567859..14234268537917139248569615372..287419635345286179";
        for puzzles in [40, 0, 1] {
            table.clear();
            (0..puzzles).for_each(|_| table.push(&pairs.parse().unwrap()));
            table.solve(&mut engine, 10, &Stop::new()).unwrap();
            assert!((0..puzzles).all(|puzzle| table.count(puzzle) == 4));
        }
    }

    #[test]
    fn the_solution_shown_is_the_first_among_all_neighbours() {
        let wish = Wish { clues: Some(26), minimal: false, symmetric: false };
        let mut grids: Vec<Grid> = (0..150)
            .map(|number| {
                let mut cells = *Generator::new(wish, 11).puzzle(number).cells();
                cells.iter_mut().step_by(number as usize % 5 + 2).for_each(|cell| *cell = 0);
                Grid::new(cells).unwrap()
            })
            .collect();
        // Split more often than places have bits.
        grids.push(Grid::default());
        let planes: Vec<_> = grids
            .iter()
            .map(|grid| {
                let first = first_alone(open_one(grid), &Stop::new()).unwrap();
                close(&first.expect("a solution")).map(|row| row.map(|word| word[0]))
            })
            .collect();
        let mut engine = Engine::new(Kernel::best()).unwrap();
        let mut table = Table::default();
        grids.iter().for_each(|grid| table.push(grid));
        for limit in [1, 2, 7] {
            table.solve(&mut engine, limit, &Stop::new()).unwrap();
            for (puzzle, grid) in grids.iter().enumerate() {
                assert_eq!(table.count(puzzle), kernel::single::solve(grid, limit).count, "{grid}");
                assert_eq!(table.solution(puzzle), planes[puzzle], "limit {limit}: {grid}");
            }
        }
    }
}
