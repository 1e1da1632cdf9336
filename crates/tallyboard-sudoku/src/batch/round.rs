//! States in vectors, and piles of them.

use std::hint::black_box;
use std::mem::MaybeUninit;

use super::lanes::{Lanes, MAX_LANES, Set, fused, ones};
use crate::{CELLS, Grid};
use tallyboard_base::array::array;

/// States in lanes.
pub struct States<V> {
    pub state: State<V>,
    /// The number of each state's puzzle.
    pub puzzles: V,
    /// How many solutions of the puzzle each solution of the state counts for. It doubles only at a split of *twins* (see
    /// [`split`](super::branch::split)), which decides at least four of the 81 cells, so it is at most 2^20. 0 marks a
    /// state that is to be dropped. The pool of counts also keeps a flag in the highest bit.
    pub weights: V,
    /// The lanes that hold a state; the contents of the others are unspecified.
    pub lanes: u32,
}

impl<V: Lanes> States<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let none = V::splat(0);
        Self { state: [none; WORDS], puzzles: none, weights: none, lanes: 0 }
    }

    /// Loads puzzles from `number` on, of `total` puzzles in all.
    #[inline(always)]
    pub fn load_puzzles(&mut self, grids: &[PackedGrids], number: usize, total: usize) {
        let numbers: [u32; MAX_LANES] = array(|lane| (number + lane) as u32);
        self.state = state_from_planes(&grids[number / MAX_LANES], number % MAX_LANES);
        (self.puzzles, self.weights) = (V::load(&numbers), V::splat(1));
        self.lanes = first_lanes(V::COUNT.min(total - number));
    }

    /// Copies the states in the lanes `from` of `other` to the lanes `to`, in order. `from` has at least as many lanes as
    /// `to`.
    #[inline(always)]
    pub fn insert(&mut self, to: u32, other: &Self, from: u32) {
        for word in 0..WORDS {
            self.state[word] = self.state[word].with(to, other.state[word], from);
        }
        self.puzzles = self.puzzles.with(to, other.puzzles, from);
        self.weights = self.weights.with(to, other.weights, from);
        self.lanes |= to;
    }

    #[inline(always)]
    pub fn drop_finished(&mut self, finished: impl Fn(usize) -> bool) {
        for lane in Set(self.lanes) {
            let finished = finished(self.puzzles.words()[lane] as usize);
            self.lanes &= !(u32::from(finished) << lane);
        }
    }

    /// Marks the states of a puzzle as to be dropped.
    #[inline(always)]
    pub fn forget(&mut self, puzzle: usize) {
        let own = self.puzzles.same(V::splat(puzzle as u32));
        self.weights = self.weights & !V::only(own);
    }
}

/// A stack of states: full vectors, and one that is being filled. Full vectors are moved by
/// swapping their boxes; only single states are copied word by word.
pub struct Pile<V> {
    /// Full vectors, then the one that is being filled, then unused ones.
    vectors: Vec<Box<States<V>>>,
    /// The number of full vectors, and so the index of the one that is being filled.
    full: usize,
    /// The number of states in the vector that is being filled.
    in_partial: usize,
}

impl<V: Lanes> Pile<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self { vectors: vec![Box::new(States::new())], full: 0, in_partial: 0 }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.full * V::COUNT + self.in_partial
    }

    pub fn clear(&mut self) {
        (self.full, self.in_partial) = (0, 0);
    }

    /// Marks the states of a puzzle as to be dropped.
    #[inline(always)]
    pub fn forget(&mut self, puzzle: usize) {
        for states in &mut self.vectors[..=self.full] {
            states.forget(puzzle);
        }
    }

    /// Adds the states in these lanes of `work`.
    #[inline(always)]
    pub fn push(&mut self, lanes: u32, work: &States<V>) {
        // The states may fill a vector and begin the next one.
        if self.full + 2 > self.vectors.len() {
            self.grow();
        }
        let (count, room) = (lanes.count_ones() as usize, V::COUNT - self.in_partial);
        let to = (first_lanes(count) << self.in_partial) & first_lanes(V::COUNT);
        self.vectors[self.full].insert(to, work, lanes);
        self.in_partial += count;
        if count >= room {
            self.full += 1;
            self.in_partial -= V::COUNT;
            if self.in_partial > 0 {
                let rest = without_first(lanes, room);
                self.vectors[self.full].insert(first_lanes(self.in_partial), work, rest);
            }
        }
    }

    /// Adds all states of `work`; its contents are then unspecified.
    #[inline(always)]
    pub fn push_all(&mut self, work: &mut Box<States<V>>) {
        // `work` may become a full vector below the one that is being filled.
        if self.full + 2 > self.vectors.len() {
            self.grow();
        }
        let idle_lanes = first_lanes(V::COUNT) & !work.lanes;
        let idle = idle_lanes.count_ones() as usize;
        if idle <= self.in_partial {
            // States of the vector that is being filled fill `work` up. Then `work` takes its place, that vector
            // moves one place up, and the unused vector from there becomes the new `work`.
            self.in_partial -= idle;
            work.insert(idle_lanes, &self.vectors[self.full], first_lanes(idle) << self.in_partial);
            self.vectors.swap(self.full, self.full + 1);
            std::mem::swap(work, &mut self.vectors[self.full]);
            self.full += 1;
        } else {
            let count = V::COUNT - idle;
            self.vectors[self.full].insert(first_lanes(count) << self.in_partial, work, work.lanes);
            self.in_partial += count;
        }
    }

    /// Puts a full vector into `work`, or all states if they do not fill one.
    #[inline(always)]
    pub fn pop(&mut self, work: &mut Box<States<V>>) {
        if self.full > 0 {
            self.full -= 1;
            self.vectors.swap(self.full, self.full + 1);
            std::mem::swap(work, &mut self.vectors[self.full + 1]);
            work.lanes = first_lanes(V::COUNT);
        } else {
            std::mem::swap(work, &mut self.vectors[0]);
            work.lanes = first_lanes(self.in_partial);
            self.in_partial = 0;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.vectors.push(Box::new(States::new()));
    }
}

#[inline(always)]
pub fn first_lanes(count: usize) -> u32 {
    (1_u32 << count).wrapping_sub(1)
}

#[inline(always)]
fn without_first(mut lanes: u32, count: usize) -> u32 {
    for _ in 0..count {
        lanes &= lanes - 1;
    }
    lanes
}

// `first_lanes` shifts by the number of lanes, which has to be below the number of bits.
const _: () = assert!(MAX_LANES < 32, "a set of lanes has a bit more than there are lanes");

// The layout of a grid in 27 words, and its conversion from and to bit planes.
//
// A cell's address has four base-3 digits: its band `b` and its row `r` in the band, its stack `s`
// and its column `c` in the stack. A value has two base-3 digits: `value - 1 = 3 * major + minor`.
// Bit `9 * minor + 3 * s + b` of word `(major, r, c)` tells whether the value is possible in the cell.
// So a word holds one place, `(r, c)`, of all nine boxes, for three values.
//
// For example, counted from 0, row 4 is row `r = 1` of band `b = 1`, and column 7 is column `c = 1` of stack `s = 2`. The
// value 6 has `major = 1` and `minor = 2`. So bit 9 * 2 + 3 * 2 + 1 = 25 of word (1, 1, 1) tells whether that cell may be 6.
//
// ```text
// word (major, r, c):   minor = 2              minor = 1              minor = 0
//                       s=2   s=1   s=0        s=2   s=1   s=0        s=2   s=1   s=0
//                       b 210 b 210 b 210      b 210 b 210 b 210      b 210 b 210 b 210
// ```
//
// So most rules of sudoku become operations between whole words. The nine places of a box are nine words for each major.
// The three cells of a *minirow* (the part of a row inside one box) are three of these words.

/// The cells of a band.
pub const BAND: usize = 27;

/// Words of a state.
pub const WORDS: usize = 27;
/// The bits of a word that are used.
pub const ALL: u32 = 0x07ff_ffff;

/// The possible values of every cell, for one puzzle a lane.
pub type State<V> = [V; WORDS];

/// The index of a word.
#[inline(always)]
pub const fn at(major: usize, r: usize, c: usize) -> usize {
    9 * major + 3 * r + c
}

/// A digit in a cell.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub cell: usize,
    pub digit: u8,
}

impl Candidate {
    /// The major of its digit, the place of its cell in the box, and its bit.
    #[inline(always)]
    pub fn address(&self) -> (usize, usize, u32) {
        let (row, column) = (self.cell / 9, self.cell % 9);
        let value = usize::from(self.digit) - 1;
        let bit = 9 * (value % 3) + 3 * (column / 3) + row / 3;
        (value / 3, 3 * (row % 3) + column % 3, 1 << bit)
    }
}

/// Removes a candidate from the state in a lane.
#[inline(always)]
pub fn exclude<V: Lanes>(state: &mut State<V>, lane: usize, candidate: &Candidate) {
    let (major, place, bit) = candidate.address();
    state[at(major, 0, place)].words_mut()[lane] &= !bit;
}

/// Sixteen grids as bit planes: bit `i` of `planes[q][band][grid]` is bit `q` of the value of cell `i` of the band. The 27
/// cells of a band are counted row by row. A blank has the value 0.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct PackedGrids {
    pub planes: [[[u32; MAX_LANES]; 3]; 4],
}

impl PackedGrids {
    pub const BLANK: Self = Self { planes: [[[0; MAX_LANES]; 3]; 4] };
}

/// Bit `q` of the 27 values of each band, for one grid or for one grid in each lane.
pub type Planes<V = u32> = [[V; 3]; 4];

/// The planes of one grid of many.
#[inline(always)]
pub fn planes_of(grids: &[PackedGrids], grid: usize) -> Planes {
    let planes = &grids[grid / MAX_LANES].planes;
    array(|q| array(|band| planes[q][band][grid % MAX_LANES]))
}

#[inline(always)]
pub fn store_planes(grids: &mut [PackedGrids], grid: usize, planes: &Planes) {
    let target = &mut grids[grid / MAX_LANES].planes;
    for q in 0..4 {
        for band in 0..3 {
            target[q][band][grid % MAX_LANES] = planes[q][band];
        }
    }
}

pub fn planes(cells: &[u8; CELLS]) -> Planes {
    let mut planes: Planes = Default::default();
    for (band, cells) in cells.chunks_exact(BAND).enumerate() {
        for (eight, cells) in cells.chunks(8).enumerate() {
            let mut bytes = [0; 8];
            bytes[..cells.len()].copy_from_slice(cells);
            for (q, plane) in planes.iter_mut().enumerate() {
                plane[band] |= bits_of_bytes(bytes, q) << (8 * eight);
            }
        }
    }
    planes
}

/// Bit `q` of byte i as bit i.
#[inline(always)]
fn bits_of_bytes(bytes: [u8; 8], q: usize) -> u32 {
    let lowest = u64::from_le_bytes(bytes) >> q & u64::from_le_bytes([1; 8]);
    // Byte i of the factor moves bit 0 of byte 7 - i up to bit 7 - i of the highest byte; no two products meet.
    (lowest.wrapping_mul(u64::from_le_bytes([128, 64, 32, 16, 8, 4, 2, 1])) >> 56) as u32
}

/// The digits of the cells from `8 * eight` on in a band, a byte each. Beyond the band they are 0.
#[inline(always)]
pub fn eight_digits(planes: &Planes, band: usize, eight: usize) -> u64 {
    let bits = |q: usize| bits_to_bytes((planes[q][band] >> (8 * eight)) as u8) << q;
    bits(0) | bits(1) | bits(2) | bits(3)
}

/// Bit i as byte i, 0 or 1.
#[inline(always)]
fn bits_to_bytes(bits: u8) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    // Byte i keeps bit i alone. What is not 0 then carries into the highest bit of its byte.
    let alone = (u64::from(bits) * ONES) & u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    (alone + 0x7f * ONES) >> 7 & ONES
}

/// The grid with these planes.
pub fn grid(planes: &Planes) -> Grid {
    let mut digits = [0; CELLS];
    for band in 0..3 {
        // A copy whose length is known needs no call.
        let eights: [[u8; 8]; 4] = array(|eight| eight_digits(planes, band, eight).to_le_bytes());
        digits[BAND * band..][..BAND].copy_from_slice(&eights.as_flattened()[..BAND]);
    }
    Grid::new(digits).expect("planes hold digits")
}

/// Exchanges the index of a word with the lowest base-3 digit of the index of a bit: bit `3 * x + d` of word `w` becomes bit
/// `3 * x + w` of word `d`.
#[inline(always)]
fn exchange_1<V: Lanes>([a, b, c]: [V; 3]) -> [V; 3] {
    let (low, middle) = (V::splat(0o111_111_111), V::splat(0o222_222_222));
    [
        low.select(a, middle.select(b << 1, c << 2)),
        low.select(a >> 1, middle.select(b, c << 1)),
        low.select(a >> 2, middle.select(b >> 1, c)),
    ]
}

/// Exchanges the index of a word with the highest base-3 digit of the index of a bit: bit `9 * d + x` of word `w` becomes bit
/// `9 * w + x` of word `d`.
#[inline(always)]
pub fn exchange_9<V: Lanes>([a, b, c]: [V; 3]) -> [V; 3] {
    let (low, middle) = (V::splat(0x1ff), V::splat(0x1ff << 9));
    [
        low.select(a, middle.select(b << 9, c << 18)),
        low.select(a >> 9, middle.select(b, c << 9)),
        low.select(a >> 18, middle.select(b >> 9, c)),
    ]
}

/// For each number from 0 to 3 the bits at which two planes hold it: the first plane has the number's lower bit, the second
/// its upper bit.
#[inline(always)]
fn by_two_bits<V: Lanes>([one, two]: [V; 2], all: V) -> [V; 4] {
    [all & !(one | two), one & !two, two & !one, one & two]
}

/// The state of these grids from number `first` on: a clue is alone in its cell, a blank cell has all values.
#[inline(always)]
pub fn state_from_planes<V: Lanes>(grids: &PackedGrids, first: usize) -> State<V> {
    let all = V::splat(ALL);
    let mut planes = [[all; 3]; 4];
    for q in 0..4 {
        for band in 0..3 {
            planes[q][band] = V::load(&grids.planes[q][band][first..]);
        }
        // From bit 9 * r + 3 * s + c of word b to bit 9 * r + 3 * s + b of word c.
        planes[q] = exchange_1(planes[q]);
    }
    let mut state = [all; WORDS];
    for c in 0..3 {
        let bits = [planes[0][c], planes[1][c], planes[2][c], planes[3][c]];
        // Indexed by the value of the lower two bits, and by that of the upper two.
        let lower = by_two_bits([bits[0], bits[1]], all);
        let upper = by_two_bits([bits[2], bits[3]], all);
        let blank = lower[0] & upper[0];
        for major in 0..3 {
            let mut minors = [all; 3];
            for (minor, word) in minors.iter_mut().enumerate() {
                let value = 3 * major + minor + 1;
                *word = blank | lower[value % 4] & upper[value / 4];
            }
            // From bit 9 * r + 3 * s + b of word minor to bit 9 * minor + 3 * s + b of word r.
            let rows = exchange_9(minors);
            for r in 0..3 {
                state[at(major, r, c)] = rows[r] & all;
            }
        }
    }
    state
}

/// The number of candidates in all cells.
#[inline(always)]
pub fn count_candidates<V: Lanes>(state: &State<V>) -> V {
    // A full adder makes two bits of three: a sum of weight 1 and a carry of weight 2. The first adders add the three columns of
    // a row. The next ones add the three sums (weights 1 and 2) and the three carries (weights 2 and 4) of the rows.
    let mut sum = V::splat(0);
    for major in 0..3 {
        let (mut one, mut two) = ([V::splat(0); 3], [V::splat(0); 3]);
        for r in 0..3 {
            let (a, b, c) =
                (state[at(major, r, 0)], state[at(major, r, 1)], state[at(major, r, 2)]);
            (one[r], two[r]) = (a ^ b ^ c, a.majority(b, c));
        }
        let (two_of_ones, four) =
            (one[0].majority(one[1], one[2]), two[0].majority(two[1], two[2]));
        let (one, two) = (one[0] ^ one[1] ^ one[2], two[0] ^ two[1] ^ two[2]);
        sum = sum + ones(one) + ((ones(two) + ones(two_of_ones)) << 1) + (ones(four) << 2);
    }
    sum
}

/// The planes of solved grids: the inverse of [`state_from_planes`].
#[inline(always)]
pub fn planes_from_state<V: Lanes>(state: &State<V>) -> Planes<V> {
    let mut planes = [[V::splat(0); 3]; 4];
    for c in 0..3 {
        for major in 0..3 {
            let rows = [state[at(major, 0, c)], state[at(major, 1, c)], state[at(major, 2, c)]];
            // From bit 9 * minor + 3 * s + b of word r to bit 9 * r + 3 * s + b of word minor.
            let minors = exchange_9(rows);
            for (minor, &word) in minors.iter().enumerate() {
                let value = 3 * major + minor + 1;
                for (q, plane) in planes.iter_mut().enumerate() {
                    if value >> q & 1 == 1 {
                        plane[c] = plane[c] | word;
                    }
                }
            }
        }
    }
    for plane in &mut planes {
        // From bit 9 * r + 3 * s + b of word c to bit 9 * r + 3 * s + c of word b.
        *plane = exchange_1(*plane);
        for word in plane {
            *word = *word & V::splat(ALL);
        }
    }
    planes
}

// One round of deduction, on all lanes at once.
//
// For one puzzle:
//
// ```text
// for each cell with one candidate v:                       -- step 1
//     remove v from the other cells of the box
// for each value v and band (then for each stack):          -- step 2
//     for each minirow of the band where v is possible:
//         if the other two rows cannot hold v in the other two boxes, one in each:
//             remove v from the minirow
// for each box and value v with one place in it:            -- step 3
//     remove the other candidates of that cell
// for each cell that began with one candidate or none:
//     if step 3 has not found it: no solution
// ```
//
// 1. *Naked singles.* A cell with one candidate removes that value from the rest of its box.
// 2. *Locked candidates.* For a value and a band, the minirows where it is possible form a 3 × 3
//    matrix (row × box). A solution picks a permutation matrix within it, so a minirow that is in no
//    such permutation loses the value. Minicolumns of a stack are treated alike.
// 3. *Hidden singles.* A value with one place in a box is alone in that cell.
//
// No other rule is needed. Once a single is alone in its box, step 2 clears its row and its column.
// A value with one place in a row or column has one place in the box after step 2.
//
// After step 1, a cell that began with one candidate is the only place of that value in its box, so step 3
// finds it. There are two exceptions: two cells of the box have equal singles, or step 2 has removed the last
// candidate. The last test finds both contradictions, and also cells that were empty before.
//
// Departures of the code from it:
//
// 1. A word holds three values of the same place of all nine boxes, so one operation serves all of
//    them, in all lanes; "exactly one" is counted as "at least one and not at least two".
// 2. Each stage (minirows, minicolumns, their intersection, hidden singles, their cells) is done for all
//    words before the next one. A core starts four operations in a cycle, each of which takes two cycles,
//    so it needs independent operations. Words are loaded again for each stage; that costs nothing.
// 3. A step finds all candidates that it removes before it removes the first. Step 2 does so for the bands,
//    then for the stacks.
//
// A step removes only candidates that no solution uses, and removing one never prevents another removal. So
// the candidates that remain at the end do not depend on the order of the steps.

/// What a round found, as sets of lanes.
pub struct Round {
    /// A cell without candidate, a value without place in a box, or one single in two cells of a box:
    /// no solution.
    pub dead: u32,
    /// One candidate in every cell, and together a solution. Not `dead`.
    pub solved: u32,
    /// Candidates were removed.
    pub changed: u32,
}

/// The low nine bits: one bit a box.
pub const BOXES: u32 = 0x1ff;

/// Both rotations of the stacks, in each minor and band: stack `s` from stacks `s + 1` and `s + 2`, modulo 3.
#[inline(always)]
pub fn rotate_stacks<V: Lanes>(word: V) -> [V; 2] {
    [
        V::splat(0o077_077_077).select(word >> 3, word << 6),
        V::splat(0o007_007_007).select(word >> 6, word << 3),
    ]
}

/// Both rotations of the bands, in each minor and stack.
#[inline(always)]
pub fn rotate_bands<V: Lanes>(word: V) -> [V; 2] {
    [
        V::splat(0o333_333_333).select(word >> 1, word << 2),
        V::splat(0o111_111_111).select(word >> 2, word << 1),
    ]
}

/// The entries of a 3 × 3 bit matrix for which both other entries of some permutation are set. The matrix is
/// given as both rotations of each of its words.
#[inline(always)]
fn companions<V: Lanes>([a, b, c]: [[V; 2]; 3]) -> [V; 3] {
    [b[0] & c[1] | b[1] & c[0], c[0] & a[1] | c[1] & a[0], a[0] & b[1] | a[1] & b[0]]
}

/// The naked singles of all cells.
struct NakedSingles<V> {
    /// For each place, all ones (in the three minors) at the boxes whose cell has one candidate or
    /// none.
    cells: [V; 9],
    /// For each major, the values that are a naked single somewhere in the box.
    values: [V; 3],
}

/// The singles of step 1. In a state fresh from [`state_from_planes`](super::layout::state_from_planes) they are
/// the clues, and a cell is blank if it may be both 1 and 4.
#[inline(always)]
fn naked_singles<V: Lanes, const FRESH: bool>(state: &State<V>) -> NakedSingles<V> {
    let boxes = V::splat(BOXES);
    let mut cells = [boxes; 9];
    let mut values = [V::splat(0); 3];
    for place in 0..9 {
        let words = [state[place], state[9 + place], state[18 + place]];
        let single = if FRESH { boxes & !(words[0] & words[1]) } else { cells_with_one(words) };
        let single = fused!(a = single, b = single << 9, c = single << 18 => a | b | c);
        cells[place] = single;
        for major in 0..3 {
            values[major] = fused!(
                values = values[major], word = words[major], single => values | word & single
            );
        }
    }
    NakedSingles { cells, values }
}

/// The cells of one place that have one candidate or none, as the lowest nine bits.
#[inline(always)]
pub fn cells_with_one<V: Lanes>([a, b, c]: [V; 3]) -> V {
    let (one, two) = (a | b | c, a.majority(b, c));
    let two = fused!(a = two, b = two >> 9, c = two >> 18 => a | b | c);
    let twice = one.majority(one >> 9, one >> 18);
    fused!(boxes = V::splat(BOXES), two, twice => boxes & !(two | twice))
}

/// A word after step 1, given the boxes whose cell is a naked single and the values that are naked singles
/// anywhere in the box.
#[inline(always)]
fn without_naked<V: Lanes>(word: V, cell: V, values: V) -> V {
    fused!(word, cell, values => word & !(values & !cell))
}

/// Where values may be after step 2.
struct LockedCandidates<V> {
    /// For each major, the values with several places, by box.
    several: [V; 3],
    /// The values that have a place, by box.
    present: V,
    /// The rows of a band that hold each value, by stack.
    rows: V,
}

/// The minirows in which step 2 keeps each value, by row.
#[inline(always)]
fn rows_to_keep<V: Lanes>(words: &State<V>) -> [[V; 3]; 3] {
    let mut keep = [[V::splat(0); 3]; 3];
    for major in 0..3 {
        let mut held = [[V::splat(0); 2]; 3];
        for r in 0..3 {
            let index = at(major, r, 0);
            held[r] = rotate_stacks(words[index] | words[index + 1] | words[index + 2]);
        }
        keep[major] = companions(held);
    }
    keep
}

/// The minicolumns in which step 2 keeps each value, by column, given the minirows that it keeps.
#[inline(always)]
fn columns_to_keep<V: Lanes>(words: &State<V>, rows: &[[V; 3]; 3]) -> [[V; 3]; 3] {
    let mut keep = [[V::splat(0); 3]; 3];
    for major in 0..3 {
        let mut held = [[V::splat(0); 2]; 3];
        for c in 0..3 {
            let mut any = V::splat(0);
            for r in 0..3 {
                let (word, row) = (words[at(major, r, c)], rows[major][r]);
                any = fused!(any, word, row => any | word & row);
            }
            held[c] = rotate_bands(any);
        }
        keep[major] = companions(held);
    }
    keep
}

/// Step 2.
#[inline(always)]
fn remove_locked<V: Lanes>(state: &mut State<V>) -> LockedCandidates<V> {
    let (all, none) = (V::splat(ALL), V::splat(0));
    // The black boxes make each stage load its words again, which costs nothing. Without them the
    // optimizer keeps the words of several stages in registers, and spends its time on spilling.
    let by_row = rows_to_keep(black_box(&*state));
    let by_column = columns_to_keep(black_box(&*state), &by_row);
    let state = black_box(state);
    let mut locked = LockedCandidates { several: [none; 3], present: all, rows: all };
    for major in 0..3 {
        let (mut one, mut two) = ([none; 3], [none; 3]);
        for r in 0..3 {
            for c in 0..3 {
                let word = &mut state[at(major, r, c)];
                let (old, row, column) = (*word, by_row[major][r], by_column[major][c]);
                *word = fused!(old, row, column => old & row & column);
            }
            let index = at(major, r, 0);
            let (a, b, c) = (state[index], state[index + 1], state[index + 2]);
            (one[r], two[r]) = (a | b | c, a.majority(b, c));
            let in_row = fused!(a = one[r], b = a >> 3, c = a >> 6 => a | b | c);
            locked.rows = locked.rows & in_row;
        }
        locked.present = locked.present & (one[0] | one[1] | one[2]);
        locked.several[major] = two[0] | two[1] | two[2] | one[0].majority(one[1], one[2]);
    }
    locked
}

/// The cells that hold a hidden single, for step 3: bits of all minors, for each place.
#[inline(always)]
fn hidden_singles<V: Lanes>(state: &State<V>, several: &[V; 3]) -> [V; 9] {
    let mut cells = [V::splat(0); 9];
    for place in 0..9 {
        let mut hidden = V::splat(0);
        for major in 0..3 {
            hidden = fused!(
                hidden, word = state[at(major, 0, 0) + place], several = several[major]
                    => hidden | word & !several
            );
        }
        // A box with a hidden single is marked in all three minors. Bits that the shifts set above bit 26 meet
        // no bit of a word.
        cells[place] = hidden | hidden << 9 | hidden >> 18 | hidden << 18 | hidden >> 9;
    }
    cells
}

/// A word after step 3.
#[inline(always)]
fn without_hidden<V: Lanes>(word: V, cell: V, several: V) -> V {
    fused!(word, cell, several => word & !(cell & several))
}

/// Deduces for one round; see the module.
#[inline(always)]
pub fn round<V: Lanes>(state: &mut State<V>) -> Round {
    let naked = naked_singles::<V, false>(state);
    let mut after_first = [const { MaybeUninit::<V>::uninit() }; WORDS];
    for major in 0..3 {
        for place in 0..9 {
            let index = at(major, 0, 0) + place;
            let (cell, values) = (naked.cells[place], naked.values[major]);
            after_first[index].write(without_naked(state[index], cell, values));
        }
    }
    // SAFETY: the loops above have written all 27 elements, and a `MaybeUninit` is laid out like what it
    // holds. It saves clearing 27 vectors in every round.
    let words = unsafe { &mut *black_box(&mut after_first).as_mut_ptr().cast::<State<V>>() };
    let locked = remove_locked(words);
    let words = black_box(&*words);
    let cells = hidden_singles(words, &locked.several);
    let mut changed = V::splat(0);
    for major in 0..3 {
        for place in 0..9 {
            let index = at(major, 0, 0) + place;
            let new = without_hidden(words[index], cells[place], locked.several[major]);
            changed = fused!(changed, old = state[index], new => changed | old & !new);
            state[index] = new;
        }
    }
    results(&naked.cells, &locked, &cells, changed)
}

/// The results of a round, from the cells that began with one candidate or none, the places that step 2
/// leaves, the cells with a hidden single, and the candidates that were removed.
#[inline(always)]
fn results<V: Lanes>(
    naked: &[V; 9],
    locked: &LockedCandidates<V>,
    hidden: &[V; 9],
    changed: V,
) -> Round {
    let (all, none) = (V::splat(ALL), V::splat(0));
    let lanes = u32::MAX >> (32 - V::COUNT);
    let first_stack = V::splat(0o007_007_007);
    let (mut covered, mut lost) = (all, none);
    for place in 0..9 {
        let (naked, hidden) = (naked[place], hidden[place]);
        covered = covered & hidden;
        lost = fused!(lost, naked, hidden => lost | naked & !hidden);
    }
    let LockedCandidates { several: [a, b, c], present, rows } = *locked;
    let alive = lost.same(none) & present.same(all);
    // Every value has one place in every box, and all cells and rows are covered. Columns need no
    // test: step 2 has checked them last.
    let single = (a | b | c).same(none) & covered.same(all);
    Round {
        dead: lanes & !alive,
        solved: alive & single & (rows & first_stack).same(first_stack),
        changed: lanes & !changed.same(none),
    }
}

/// A round for states fresh from [`state_from_planes`](super::layout::state_from_planes). Returns no results.
#[inline(always)]
pub fn first_round<V: Lanes>(state: &mut State<V>) {
    let clues = naked_singles::<V, true>(state);
    for major in 0..3 {
        for place in 0..9 {
            let word = &mut state[at(major, 0, 0) + place];
            *word = without_naked(*word, clues.cells[place], clues.values[major]);
        }
    }
    half_round(state);
}

/// Steps 2 and 3 alone; returns no results. Takes three fifths of the time of a round. It is enough
/// after a split or a first round, because these leave few naked singles.
#[inline(always)]
pub fn half_round<V: Lanes>(state: &mut State<V>) {
    let LockedCandidates { several, .. } = remove_locked(state);
    let cells = hidden_singles(black_box(&*state), &several);
    for major in 0..3 {
        for place in 0..9 {
            let index = at(major, 0, 0) + place;
            state[index] = without_hidden(state[index], cells[place], several[major]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Words;
    use super::*;

    type Eight = Words<8>;

    /// States that are told apart by every word.
    fn numbered(begin: u32) -> States<Eight> {
        let lanes = |word: u32| Words(array(|lane| 100 * (begin + lane as u32) + word));
        States {
            state: array(|word| lanes(word as u32)),
            puzzles: lanes(27),
            weights: lanes(28),
            lanes: 0xff,
        }
    }

    /// The numbers of the states in lanes, whose words must belong together.
    fn numbers(work: &States<Eight>) -> Vec<u32> {
        let lanes = (0..8).filter(|lane| work.lanes >> lane & 1 == 1);
        lanes
            .map(|lane| {
                let words = work.state.iter().chain([&work.puzzles, &work.weights]);
                let words: Vec<u32> = words.map(|word| word.0[lane]).collect();
                assert_eq!(words, (0..29).map(|word| words[0] + word).collect::<Vec<_>>());
                words[0] / 100
            })
            .collect()
    }

    #[test]
    fn what_is_pushed_comes_back_once_and_whole() {
        for all_lanes in [false, true] {
            let (mut pile, mut pushed, mut popped) = (Pile::new(), Vec::new(), Vec::new());
            for (turn, lanes) in
                [0xff, 0x12, 0, 0xef, 0x80, 0x7f, 1, 0xff, 0x55].into_iter().enumerate()
            {
                let mut work = Box::new(numbered(8 * turn as u32));
                work.lanes = lanes;
                pushed.extend(numbers(&work));
                if all_lanes {
                    pile.push_all(&mut work);
                } else {
                    pile.push(lanes, &work);
                }
                assert_eq!(pile.len(), pushed.len() - popped.len());
                if turn % 3 == 2 {
                    pile.pop(&mut work);
                    assert_eq!(work.lanes, 0xff);
                    popped.extend(numbers(&work));
                }
            }
            while pile.len() > 0 {
                let mut work = Box::new(numbered(1000));
                pile.pop(&mut work);
                popped.extend(numbers(&work));
            }
            popped.sort_unstable();
            assert_eq!(popped, pushed, "all of a vector: {all_lanes}");
        }
    }

    #[test]
    fn full_vectors_come_back_last_first_however_many_there_are() {
        let mut pile = Pile::new();
        for begin in (0..8000).step_by(8) {
            pile.push(0xff, &numbered(begin));
        }
        let mut work = Box::new(States::new());
        for begin in (0..8000).step_by(8).rev() {
            pile.pop(&mut work);
            assert_eq!(numbers(&work), (begin..begin + 8).collect::<Vec<_>>());
        }
        assert_eq!(pile.len(), 0);
    }
}

#[cfg(test)]
mod round_tests {
    use super::*;
    use crate::batch::puzzles::state_of_grid;
    use crate::{CELLS, Grid};

    #[test]
    fn two_equal_clues_are_dead_at_once_if_and_only_if_they_share_a_house() {
        for (a, b) in (0..CELLS).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let mut cells = [0; CELLS];
            (cells[a], cells[b]) = (5, 5);
            let found = round(&mut state_of_grid(&Grid::new(cells).unwrap()));
            let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
            let clash = a / 9 == b / 9 || a % 9 == b % 9 || same_box;
            assert_eq!(found.dead, u32::from(clash), "{a} and {b}");
        }
    }
}
