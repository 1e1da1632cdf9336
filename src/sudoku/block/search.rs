//! The search: puzzles enter lanes, rounds run on all lanes, solved and dead lanes are used again.
//!
//! A puzzle stays in one lane until it is finished, and goes depth first: what it finds, and in which
//! order, does not depend on its neighbours.

use super::branch::split;
use super::lanes::{Lanes, MAX_LANES, Set};
use super::layout::{Batch, State, WORDS, close, open};
use super::round::{first_round, half_round, round};
use crate::search::{Stop, Stopped};

/// Rounds that a fresh batch runs in step, before its unsolved puzzles queue for single lanes.
const ROUNDS_IN_STEP: usize = 2;

/// How many steps pass between two looks at the stop flag: a millisecond.
const POLL_INTERVAL: u64 = 1 << 13;

/// Lanes, with everything that the puzzles in them need.
pub struct Search<V> {
    state: State<V>,
    lanes: [Lane; MAX_LANES],
    /// The lanes that hold a puzzle.
    busy: u32,
    waiting: Waiting,
    frames: Frames<V>,
    solved: Solved,
}

/// A puzzle in a lane.
#[derive(Clone, Default)]
struct Lane {
    puzzle: u32,
    count: u64,
    /// How many solutions one solved state stands for: at most 2^20, because it doubles where half of
    /// a group of at least four cells is decided.
    weight: u64,
    /// Second halves of splits, to be searched later.
    later: Vec<Later>,
}

#[derive(Clone, Copy)]
struct Later {
    frame: u32,
    weight: u64,
}

/// Puzzles that are to enter a lane.
struct Waiting {
    words: [[u32; 3 * MAX_LANES]; WORDS],
    puzzles: [u32; 2 * MAX_LANES],
    len: usize,
}

/// States of all lanes, each kept as long as some lane has its second half to search.
struct Frames<V> {
    states: Vec<State<V>>,
    /// The lanes that come back to the state.
    wanted: Vec<u32>,
    unused: Vec<u32>,
}

/// Solved states, written out by the vector.
struct Solved {
    words: [[u32; MAX_LANES]; WORDS],
    puzzles: [u32; MAX_LANES],
    len: usize,
}

/// Where the results go: grids by the batch, counts by the puzzle.
pub struct Results<'a> {
    pub grids: &'a mut [Batch],
    pub counts: &'a mut [u64],
}

impl Results<'_> {
    #[inline(always)]
    fn put<V: Lanes>(&mut self, puzzle: u32, planes: &[[V; 3]; 4], lane: usize) {
        let grid = &mut self.grids[puzzle as usize / MAX_LANES];
        for (target, source) in grid.planes.as_flattened_mut().iter_mut().zip(planes.as_flattened())
        {
            target[puzzle as usize % MAX_LANES] = source.words()[lane];
        }
    }
}

impl<V: Lanes> Search<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let none = V::splat(0);
        Self {
            state: [none; WORDS],
            lanes: Default::default(),
            busy: 0,
            waiting: Waiting {
                words: [[0; 3 * MAX_LANES]; WORDS],
                puzzles: [0; 2 * MAX_LANES],
                len: 0,
            },
            frames: Frames { states: Vec::new(), wanted: Vec::new(), unused: Vec::new() },
            solved: Solved { words: [[0; MAX_LANES]; WORDS], puzzles: [0; MAX_LANES], len: 0 },
        }
    }

    /// Solves the grids of `batches`, as many as `results` has counts.
    #[inline(always)]
    pub fn solve(
        &mut self,
        batches: &[Batch],
        limit: u64,
        mut results: Results,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        let full = u32::MAX >> (32 - V::COUNT);
        let puzzles = results.counts.len();
        let mut next = 0;
        let mut steps = 0u64;
        loop {
            while next < puzzles && self.busy.count_ones() as usize + self.waiting.len < V::COUNT {
                self.enter(batches, next, limit, &mut results);
                next += V::COUNT;
            }
            if self.waiting.len > 0 && self.busy != full {
                self.refill(full & !self.busy);
            }
            if self.busy == 0 {
                break;
            }
            self.step(limit, &mut results);
            steps += 1;
            if steps.is_multiple_of(POLL_INTERVAL) && stop.requested() {
                self.give_up();
                return Err(Stopped);
            }
        }
        if self.solved.len > 0 {
            self.write_out(&mut results);
        }
        Ok(())
    }

    /// Forgets every puzzle.
    #[cold]
    fn give_up(&mut self) {
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            self.frames.drop_all(number, &mut lane.later);
        }
        (self.busy, self.waiting.len, self.solved.len) = (0, 0, 0);
    }

    /// Runs a few rounds on a whole fresh batch. What is solved or dead by then is done; the rest
    /// waits for single lanes.
    #[inline(always)]
    fn enter(&mut self, batches: &[Batch], first: usize, limit: u64, results: &mut Results) {
        let lanes = V::COUNT.min(results.counts.len() - first);
        let valid = u32::MAX >> (32 - lanes);
        let mut state = open::<V>(&batches[first / MAX_LANES], first % MAX_LANES);
        // Hardly a puzzle is solved by these, so nobody asks.
        first_round(&mut state);
        half_round(&mut state);
        let (mut solved, mut dead) = (0, 0);
        for _ in 0..ROUNDS_IN_STEP {
            let found = round(&mut state);
            (solved, dead) = (found.solved & valid, found.dead & valid);
            if (valid & !solved & !dead).count_ones() as usize <= V::COUNT / 4 {
                break;
            }
        }
        if solved != 0 {
            let planes = close(&state);
            let grids = &mut results.grids[first / MAX_LANES].planes;
            for (target, source) in grids.as_flattened_mut().iter_mut().zip(planes.as_flattened()) {
                target[first % MAX_LANES..][..V::COUNT].copy_from_slice(source.words());
            }
        }
        for lane in 0..lanes {
            results.counts[first + lane] = u64::from(solved >> lane & 1).min(limit);
        }
        let rest = valid & !solved & !dead;
        if rest != 0 {
            let waiting = &mut self.waiting;
            for (words, vector) in waiting.words.iter_mut().zip(&state) {
                vector.take(rest, &mut words[waiting.len..]);
            }
            for lane in Set(rest) {
                waiting.puzzles[waiting.len] = (first + lane) as u32;
                waiting.len += 1;
            }
        }
    }

    /// Moves waiting puzzles to idle lanes, last come first served.
    #[inline(always)]
    fn refill(&mut self, idle: u32) {
        let waiting = &mut self.waiting;
        let mut lanes = idle;
        while lanes.count_ones() as usize > waiting.len {
            lanes &= lanes - 1;
        }
        waiting.len -= lanes.count_ones() as usize;
        for (words, vector) in waiting.words.iter().zip(&mut self.state) {
            vector.fill(lanes, &words[waiting.len..]);
        }
        for (lane, &puzzle) in Set(lanes).zip(&waiting.puzzles[waiting.len..]) {
            let lane = &mut self.lanes[lane];
            (lane.puzzle, lane.count, lane.weight) = (puzzle, 0, 1);
        }
        self.busy |= lanes;
    }

    /// One round, and what follows from it.
    #[inline(always)]
    fn step(&mut self, limit: u64, results: &mut Results) {
        let found = round(&mut self.state);
        let (solved, dead) = (found.solved & self.busy, found.dead & self.busy);
        for lane in Set(solved) {
            if self.lanes[lane].count == 0 {
                self.keep(lane, results);
            }
            let Lane { count, weight, .. } = &mut self.lanes[lane];
            // Far beyond what can be searched, but a silent overflow would be a wrong answer.
            *count = count.checked_add(*weight).expect("over 2^64 solutions").min(limit);
            if *count == limit {
                self.frames.drop_all(lane, &mut self.lanes[lane].later);
            }
        }
        for lane in Set(solved | dead) {
            if let Some(later) = self.lanes[lane].later.pop() {
                self.frames.resume(later.frame, lane, &mut self.state);
                self.lanes[lane].weight = later.weight;
            } else {
                results.counts[self.lanes[lane].puzzle as usize] = self.lanes[lane].count;
                self.busy &= !(1 << lane);
            }
        }
        let stuck = self.busy & !(found.changed | solved | dead);
        if stuck != 0 {
            self.branch(stuck);
        }
    }

    #[inline(always)]
    fn branch(&mut self, stuck: u32) {
        let frame = self.frames.unused();
        let twins = split(&mut self.state, &mut self.frames.states[frame], stuck, stuck).twins;
        for lane in Set(twins) {
            self.lanes[lane].weight *= 2;
        }
        let halved = stuck & !twins;
        self.frames.wanted[frame] = halved;
        if halved == 0 {
            self.frames.unused.push(frame as u32);
        }
        for lane in Set(halved) {
            let Lane { weight, later, .. } = &mut self.lanes[lane];
            later.push(Later { frame: frame as u32, weight: *weight });
        }
    }

    /// Keeps the first solution of the puzzle in a lane.
    #[inline(always)]
    fn keep(&mut self, lane: usize, results: &mut Results) {
        let solved = &mut self.solved;
        for (words, vector) in solved.words.iter_mut().zip(&self.state) {
            words[solved.len] = vector.words()[lane];
        }
        solved.puzzles[solved.len] = self.lanes[lane].puzzle;
        solved.len += 1;
        if solved.len == V::COUNT {
            self.write_out(results);
        }
    }

    #[inline(always)]
    fn write_out(&mut self, results: &mut Results) {
        let mut state = [V::splat(0); WORDS];
        for (vector, words) in state.iter_mut().zip(&self.solved.words) {
            *vector = V::load(words);
        }
        let planes = close(&state);
        for lane in 0..self.solved.len {
            results.put(self.solved.puzzles[lane], &planes, lane);
        }
        self.solved.len = 0;
    }
}

impl<V: Lanes> Frames<V> {
    /// A frame that no lane wants.
    #[inline(always)]
    fn unused(&mut self) -> usize {
        self.unused.pop().map_or_else(|| self.grow(), |frame| frame as usize)
    }

    #[cold]
    fn grow(&mut self) -> usize {
        self.states.push([V::splat(0); WORDS]);
        self.wanted.push(0);
        self.states.len() - 1
    }

    /// Puts the lane's part of a frame back into the state.
    #[inline(always)]
    fn resume(&mut self, frame: u32, lane: usize, state: &mut State<V>) {
        let only = V::only(1 << lane);
        for (vector, &kept) in state.iter_mut().zip(&self.states[frame as usize]) {
            *vector = kept.or_else(only, *vector);
        }
        self.release(frame, lane);
    }

    fn release(&mut self, frame: u32, lane: usize) {
        let wanted = &mut self.wanted[frame as usize];
        *wanted &= !(1 << lane);
        if *wanted == 0 {
            self.unused.push(frame);
        }
    }

    fn drop_all(&mut self, lane: usize, later: &mut Vec<Later>) {
        for Later { frame, .. } in later.drain(..) {
            self.release(frame, lane);
        }
    }
}
