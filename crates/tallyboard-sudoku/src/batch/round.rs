//! One round of deduction, on all lanes at once.
//!
//! For one puzzle:
//!
//! ```text
//! for each cell with one candidate v:                       -- step 1
//!     remove v from the other cells of the box
//! for each value v and band (then for each stack):          -- step 2
//!     for each minirow of the band where v is possible:
//!         if the other two rows cannot hold v in the other two boxes, one in each:
//!             remove v from the minirow
//! for each box and value v with one place in it:            -- step 3
//!     remove the other candidates of that cell
//! for each cell that began with one candidate or none:
//!     if step 3 has not found it: no solution
//! ```
//!
//! 1. *Naked singles.* A cell with one candidate removes that value from the rest of its box.
//! 2. *Locked candidates.* For a value and a band, the minirows where it is possible form a 3 × 3
//!    matrix (row × box). A solution picks a permutation matrix within it, so a minirow that is in no
//!    such permutation loses the value. Minicolumns of a stack are treated alike.
//! 3. *Hidden singles.* A value with one place in a box is alone in that cell.
//!
//! No other rule is needed. Once a single is alone in its box, step 2 clears its row and its column.
//! A value with one place in a row or column has one place in the box after step 2.
//!
//! After step 1, a cell that began with one candidate is the only place of that value in its box, so step 3
//! finds it. There are two exceptions: two cells of the box have equal singles, or step 2 has removed the last
//! candidate. The last test finds both contradictions, and also cells that were empty before.
//!
//! Departures of the code from it:
//!
//! 1. A word holds three values of the same place of all nine boxes, so one operation serves all of
//!    them, in all lanes; "exactly one" is counted as "at least one and not at least two".
//! 2. Each stage (minirows, minicolumns, their intersection, hidden singles, their cells) is done for all
//!    words before the next one. A core starts four operations in a cycle, each of which takes two cycles,
//!    so it needs independent operations. Words are loaded again for each stage; that costs nothing.
//! 3. A step finds all candidates that it removes before it removes the first. Step 2 does so for the bands,
//!    then for the stacks.
//!
//! A step removes only candidates that no solution uses, and removing one never prevents another removal. So
//! the candidates that remain at the end do not depend on the order of the steps.

use std::hint::black_box;
use std::mem::MaybeUninit;

use super::lanes::{Lanes, fused};
use super::layout::{ALL, State, WORDS, at};

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
fn cells_with_one<V: Lanes>([a, b, c]: [V; 3]) -> V {
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
    use super::super::rating::state_of_grid;
    use super::*;
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
