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

use super::lanes::{Lanes, MAX_LANES, Set, Words};
use super::round::{
    ALL, BOXES, Candidate, State, WORDS, at, cells_with_one, first_lanes, rotate_bands,
    rotate_stacks,
};
use crate::batch::puzzles::state_of_grid;
use crate::{CELLS, Grid};
use tallyboard_base::array::array;

/// The possible values of every cell of one grid.
pub(crate) type Base = [u32; WORDS];

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

/// Two or three of three words of a sum: its bits that are set in any of them, and in two.
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

    /// Of three sums.
    #[inline(always)]
    fn all([a, b, c]: [Self; 3]) -> Self {
        Self {
            one: a.one | b.one | c.one,
            two: a.two | b.two | c.two | a.one.majority(b.one, c.one),
        }
    }

    /// With both rotations of it: of a whole line, in each of its boxes.
    #[inline(always)]
    fn along(self, rotate: impl Fn(V) -> [V; 2]) -> Self {
        let (one, two) = (rotate(self.one), rotate(self.two));
        Self {
            one: self.one | one[0] | one[1],
            two: self.two | two[0] | two[1] | self.one.majority(one[0], one[1]),
        }
    }
}

/// The low nine bits of a word in all three minors.
#[inline(always)]
fn in_all_minors<V: Lanes>(word: V) -> V {
    word | word << 9 | word << 18
}

/// Removes each naked single of a major from all other cells of its row, column and box.
#[inline(always)]
fn remove_naked<V: Lanes>(new: &mut State<V>, naked: &State<V>, major: usize) {
    for r in 0..3 {
        let [a, b, c] = array(|c| naked[at(major, r, c)]);
        let far = rotate_stacks(a | b | c);
        let far = far[0] | far[1];
        for (c, near) in [b | c, a | c, a | b].into_iter().enumerate() {
            new[at(major, r, c)] = new[at(major, r, c)] & !(far | near);
        }
    }
    for c in 0..3 {
        let [p, q, r] = array(|r| naked[at(major, r, c)]);
        let far = rotate_bands(p | q | r);
        let far = far[0] | far[1];
        for (row, near) in [q | r, p | r, p | q].into_iter().enumerate() {
            new[at(major, row, c)] = new[at(major, row, c)] & !(far | near);
        }
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
    // What is wrong, by any bit.
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

/// The words and the bit of a candidate: its place, its major, and the bit.
#[inline(always)]
fn index(candidate: &Candidate) -> (usize, usize, u32) {
    let (row, column) = (candidate.cell / 9, candidate.cell % 9);
    let value = usize::from(candidate.digit) - 1;
    let bit = 9 * (value % 3) + 3 * (column / 3) + row / 3;
    (3 * (row % 3) + column % 3, value / 3, 1 << bit)
}

/// Whether a grid has a candidate.
pub(crate) fn has(base: &Base, candidate: &Candidate) -> bool {
    let (place, major, bit) = index(candidate);
    base[9 * major + place] & bit != 0
}

/// Removes a candidate.
pub(crate) fn remove(base: &mut Base, candidate: &Candidate) {
    let (place, major, bit) = index(candidate);
    base[9 * major + place] &= !bit;
}

/// Leaves a candidate alone in its cell.
pub(crate) fn assume(base: &mut Base, candidate: &Candidate) {
    let (place, major, bit) = index(candidate);
    let cell = cell_of(bit);
    for word in 0..3 {
        base[9 * word + place] &= if word == major { !cell | bit } else { !cell };
    }
}

/// The bits of all minors of the cell that a bit belongs to.
fn cell_of(bit: u32) -> u32 {
    let low = (bit | bit >> 9 | bit >> 18) & BOXES;
    low | low << 9 | low << 18
}

/// The candidates of a grid whose clues are alone in their cells.
pub(crate) fn base_of(grid: &Grid) -> Base {
    state_of_grid(grid).map(|word| word.0[0])
}

/// The candidates of cells that have several, by cell.
pub(crate) fn open_candidates(base: &Base) -> Vec<Candidate> {
    let mut candidates = Vec::with_capacity(9 * CELLS);
    for cell in 0..CELLS {
        let first = candidates.len();
        let digits = (1..=9).map(|digit| Candidate { cell, digit });
        candidates.extend(digits.filter(|candidate| has(base, candidate)));
        if candidates.len() == first + 1 {
            candidates.pop();
        }
    }
    candidates
}

/// All singles of `base`, and where they lead.
pub(crate) fn close(base: &mut Base) -> End {
    let mut state: State<Words<1>> = base.map(|word| Words([word]));
    let end = loop {
        let found = round(&mut state);
        if found.dead != 0 || found.changed == 0 {
            break found.end(0);
        }
    };
    *base = state.map(|word| word.0[0]);
    end
}

/// Trials of candidates.
pub(super) struct Trials<'a> {
    /// The grid that they are candidates of.
    pub base: &'a Base,
    pub candidates: &'a [Candidate],
    /// The end of each, one for each candidate.
    pub ends: &'a mut [End],
}

/// Makes the trials.
#[inline(always)]
pub(super) fn make<V: Lanes>(trials: Trials) {
    let Trials { base, candidates, ends } = trials;
    let mut state: State<V> = [V::splat(0); WORDS];
    let mut tried = [0; MAX_LANES];
    let (mut next, mut live) = (0, 0);
    loop {
        let idle = first_lanes(V::COUNT) & !live;
        let mut taken = 0;
        for lane in Set(idle).take(candidates.len() - next) {
            (tried[lane], taken) = (next, taken | 1 << lane);
            next += 1;
        }
        if taken != 0 {
            live |= taken;
            let taken_lanes = V::only(taken);
            for word in 0..WORDS {
                state[word] = taken_lanes.select(V::splat(base[word]), state[word]);
            }
            for lane in Set(taken) {
                let (place, major, bit) = index(&candidates[tried[lane]]);
                let cell = cell_of(bit);
                for word in 0..3 {
                    let kept = if word == major { bit } else { 0 };
                    let word = &mut state[9 * word + place].words_mut()[lane];
                    *word = *word & !cell | kept;
                }
            }
        }
        if live == 0 {
            return;
        }
        let found = round(&mut state);
        let finished = live & (found.dead | !found.changed);
        for lane in Set(finished) {
            ends[tried[lane]] = found.end(lane);
        }
        live &= !finished;
    }
}
