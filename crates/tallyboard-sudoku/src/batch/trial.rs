//! Trials: what follows from each of many candidates by singles alone, one candidate a lane.
//!
//! ```text
//! state := base, with the candidate alone in its cell
//! repeat
//!     for each cell with one candidate v: remove v from all other cells of its row, column and box
//!     for each house and value v with one place in it: remove the other candidates of that cell
//!     a cell without candidates, a value without a place in a house, two such values in a cell: dead
//! until dead, or nothing was removed
//! ```
//!
//! [`round`](super::round::round) also removes locked candidates, which trial and error does not know. A lane that is finished takes
//! the next candidate, so no trial waits for another.

use super::lanes::{Lanes, MAX_LANES, Set};
use super::puzzles::{One, state_of_grid};
use super::round::{
    ALL, BOXES, Candidate, State, WORDS, at, cells_with_one, exclude, first_lanes, rotate_bands,
    rotate_stacks,
};
use crate::{CELLS, Grid};
use tallyboard_base::array::array;
use tallyboard_search::{Stop, Stopped};

/// The possible values of every cell of one grid.
pub(crate) type Base = State<One>;

/// Where deduction by singles ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// A contradiction.
    Dead,
    /// A solution.
    Solved,
    /// Neither.
    Open,
}

/// What a round found, as sets of lanes.
struct Round {
    dead: u32,
    /// Each cell had one candidate before the round. Together they are a solution if the lane is neither dead nor changed.
    full: u32,
    changed: u32,
}

/// Of several words, the bits that are set in any of them, and those that are set in two or more.
#[derive(Clone, Copy)]
struct Sum<V> {
    one: V,
    two: V,
}

impl<V: Lanes> Sum<V> {
    #[inline(always)]
    fn of([a, b, c]: [V; 3]) -> Self {
        Self { one: a | b | c, two: a.majority(b, c) }
    }

    /// Of the words of three sums.
    #[inline(always)]
    fn all([a, b, c]: [Self; 3]) -> Self {
        Self {
            one: a.one | b.one | c.one,
            two: a.two | b.two | c.two | a.one.majority(b.one, c.one),
        }
    }

    /// Of the three boxes of a line, if this is of one box of it; `rotate` brings the other two to its place. Where this box has no bit,
    /// the bits that are set twice are not told.
    #[inline(always)]
    fn along(self, rotate: impl Fn(V) -> [V; 2]) -> Self {
        let [one, other] = rotate(self.one);
        Self { one: self.one | one | other, two: self.two | one | other }
    }
}

/// The low nine bits of a word in all three minors.
#[inline(always)]
fn in_all_minors<V: Lanes>(word: V) -> V {
    word | word << 9 | word << 18
}

/// Removes the naked singles of three cells in line, and of those in the other two boxes of the line, from each other. `rotate` brings the
/// other two boxes to the place of the first.
#[inline(always)]
fn remove_along<V: Lanes>(
    new: &mut State<V>,
    naked: &State<V>,
    cells: [usize; 3],
    rotate: impl Fn(V) -> [V; 2],
) {
    let [a, b, c] = array(|cell| naked[cells[cell]]);
    let far = rotate(a | b | c);
    let near = [b | c, a | c, a | b];
    for cell in 0..3 {
        let index = cells[cell];
        new[index] = new[index] & !(far[0] | far[1] | near[cell]);
    }
}

/// Removes each naked single of a major from all other cells of its row, column and box.
#[inline(always)]
fn remove_naked<V: Lanes>(new: &mut State<V>, naked: &State<V>, major: usize) {
    for line in 0..3 {
        remove_along(new, naked, array(|c| at(major, line, c)), rotate_stacks);
        remove_along(new, naked, array(|r| at(major, r, line)), rotate_bands);
    }
    let in_box = Sum::all(array(|r| Sum::of(array(|c| naked[at(major, r, c)]))));
    for place in 0..9 {
        let index = 9 * major + place;
        new[index] = new[index] & !(in_box.one & !naked[index] | in_box.two);
    }
}

/// Deduces by singles for one round.
#[inline(always)]
fn round<V: Lanes>(state: &mut State<V>) -> Round {
    let (all, boxes, none) = (V::splat(ALL), V::splat(BOXES), V::splat(0));
    // A bit that is set here is a contradiction.
    let mut wrong = none;
    let mut full = boxes;
    let mut naked: State<V> = [none; WORDS];
    for place in 0..9 {
        let words = [state[place], state[9 + place], state[18 + place]];
        let any = words[0] | words[1] | words[2];
        wrong = wrong | boxes & !(any | any >> 9 | any >> 18);
        let single = cells_with_one(words);
        full = full & single;
        let single = in_all_minors(single);
        for major in 0..3 {
            naked[9 * major + place] = words[major] & single;
        }
    }
    let mut new = *state;
    let mut lonely: State<V> = [none; WORDS];
    for major in 0..3 {
        remove_naked(&mut new, &naked, major);
        // Values with one place in a house, and those without any.
        let rows: [Sum<V>; 3] = array(|r| Sum::of(array(|c| new[at(major, r, c)])));
        let columns: [Sum<V>; 3] = array(|c| Sum::of(array(|r| new[at(major, r, c)])));
        let of_rows: [Sum<V>; 3] = array(|r| rows[r].along(rotate_stacks));
        let of_columns: [Sum<V>; 3] = array(|c| columns[c].along(rotate_bands));
        let in_box = Sum::all(rows);
        let mut present = in_box.one;
        for line in 0..3 {
            present = present & of_rows[line].one & of_columns[line].one;
        }
        wrong = wrong | all & !present;
        for r in 0..3 {
            for c in 0..3 {
                let several = of_rows[r].two & of_columns[c].two & in_box.two;
                lonely[at(major, r, c)] = new[at(major, r, c)] & !several;
            }
        }
    }
    let mut changed = none;
    for place in 0..9 {
        let own = [lonely[place], lonely[9 + place], lonely[18 + place]];
        let Sum { one, two } = Sum::of(own);
        wrong = wrong | boxes & (two | two >> 9 | two >> 18 | one.majority(one >> 9, one >> 18));
        let cell = in_all_minors(boxes & (one | one >> 9 | one >> 18));
        for major in 0..3 {
            let index = 9 * major + place;
            let kept = new[index] & (own[major] | !cell);
            changed = changed | state[index] & !kept;
            state[index] = kept;
        }
    }
    let lanes = u32::MAX >> (32 - V::COUNT);
    Round {
        dead: lanes & !wrong.same(none),
        full: lanes & full.same(boxes),
        changed: lanes & !changed.same(none),
    }
}

impl Round {
    fn end(&self, lane: usize) -> End {
        if self.dead >> lane & 1 == 1 {
            End::Dead
        } else if self.full >> lane & 1 == 1 {
            End::Solved
        } else {
            End::Open
        }
    }
}

/// Leaves a candidate alone in its cell, in one lane.
#[inline(always)]
pub(crate) fn assume<V: Lanes>(state: &mut State<V>, lane: usize, candidate: &Candidate) {
    let (major, place, bit) = candidate.address();
    let cell = (bit | bit >> 9 | bit >> 18) & BOXES;
    let cell = cell | cell << 9 | cell << 18;
    for other in 0..3 {
        let word = &mut state[at(other, 0, place)].words_mut()[lane];
        *word = *word & !cell | if other == major { bit } else { 0 };
    }
}

/// Removes a candidate.
pub(crate) fn remove(base: &mut Base, candidate: &Candidate) {
    exclude(base, 0, candidate);
}

/// The candidates of a grid whose clues are alone in their cells.
pub(crate) fn base_of(grid: &Grid) -> Base {
    state_of_grid(grid)
}

/// The candidates of cells that have several, by cell.
pub(crate) fn open_candidates(base: &Base) -> Vec<Candidate> {
    let has = |candidate: &Candidate| {
        let (major, place, bit) = candidate.address();
        base[at(major, 0, place)].0[0] & bit != 0
    };
    let mut candidates = Vec::with_capacity(9 * CELLS);
    for cell in 0..CELLS {
        let first = candidates.len();
        let digits = (1..=9).map(|digit| Candidate { cell, digit });
        candidates.extend(digits.filter(has));
        if candidates.len() == first + 1 {
            candidates.pop();
        }
    }
    candidates
}

/// Fills in all singles of `base`, and tells where they lead.
pub(crate) fn close(base: &mut Base) -> End {
    loop {
        let found = round(base);
        if found.dead != 0 || found.changed == 0 {
            return found.end(0);
        }
    }
}

/// Candidates that are to be tried.
pub(super) struct Trials<'a> {
    /// The grid that they are candidates of.
    pub base: &'a Base,
    pub candidates: &'a [Candidate],
    /// The end of each, one for each candidate.
    pub ends: &'a mut [End],
}

impl Trials<'_> {
    /// Finds the ends.
    #[inline(always)]
    pub fn run<V: Lanes>(self, stop: &Stop) -> Result<(), Stopped> {
        stop.check()?;
        let Self { base, candidates, ends } = self;
        let mut state: State<V> = array(|_| V::splat(0));
        // The number of the candidate in each lane, the next candidate, and the lanes whose candidate is being tried.
        let mut tried = [0; MAX_LANES];
        let (mut next, mut live) = (0, 0);
        while next < candidates.len() || live != 0 {
            let mut taken = 0;
            for lane in Set(first_lanes(V::COUNT) & !live).take(candidates.len() - next) {
                (tried[lane], taken) = (next, taken | 1 << lane);
                next += 1;
            }
            if taken != 0 {
                let mask = V::only(taken);
                for word in 0..WORDS {
                    state[word] = mask.select(V::splat(base[word].0[0]), state[word]);
                }
                for lane in Set(taken) {
                    assume(&mut state, lane, &candidates[tried[lane]]);
                }
            }
            live |= taken;
            let found = round(&mut state);
            let finished = live & (found.dead | !found.changed);
            for lane in Set(finished) {
                ends[tried[lane]] = found.end(lane);
            }
            live &= !finished;
        }
        Ok(())
    }
}
