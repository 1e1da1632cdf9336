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
//! 1. *Naked singles.* A cell with one candidate takes that value from the rest of its box.
//! 2. *Locked candidates.* For a value and a band, the minirows where it is possible form a 3 × 3
//!    matrix (row × box), and a solution picks a permutation of it: a minirow on no permutation of
//!    possible ones loses the value. The same for the columns of a stack.
//! 3. *Hidden singles.* A value with one place in a box is alone in that cell.
//!
//! That is all: once a single is alone in its box, step 2 clears its row and its column; and a value
//! with one place in a row or column has, after step 2, one place in the box.
//!
//! A cell that begins with one candidate is, after step 1, the only place of that value in its box,
//! and step 3 finds it: unless two cells of the box have the same single, or step 2 has taken the last
//! candidate. Both are seen at once in this way, as are cells that were empty before.
//!
//! Departures of the code from it:
//!
//! 1. A word holds three values of the same place of all nine boxes, so a step is the same for all of
//!    them, and for all lanes; "exactly one" is counted as "at least one and not at least two".
//! 2. The values are done by thirds (the majors): nine words stay in registers through step 2.
//! 3. A step finds all it removes before it removes any of it; step 2 does so for the bands first, then
//!    for the stacks.
//!
//! Every step only removes candidates that no solution uses, and none can undo another, so the
//! candidates left when nothing changes any more are the same whatever the order of the steps.

use std::hint::black_box;
use std::mem::MaybeUninit;

use super::lanes::Lanes;
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

/// Both rotations of the stacks, in each minor and band: bit `k` from bits `k + 1` and `k + 2`.
#[inline(always)]
pub fn rotate_stacks<V: Lanes>(word: V) -> [V; 2] {
    [
        word.down::<3>().or_else(V::splat(0o077_077_077), word.up::<6>()),
        word.down::<6>().or_else(V::splat(0o007_007_007), word.up::<3>()),
    ]
}

/// Both rotations of the bands, in each minor and stack.
#[inline(always)]
pub fn rotate_bands<V: Lanes>(word: V) -> [V; 2] {
    [
        word.down::<1>().or_else(V::splat(0o333_333_333), word.up::<2>()),
        word.down::<2>().or_else(V::splat(0o111_111_111), word.up::<1>()),
    ]
}

/// For a 3 × 3 matrix (words × bits of a group of three, given as both rotations of each word):
/// the entries whose two companions on some permutation are set.
#[inline(always)]
fn companions<V: Lanes>([a, b, c]: [[V; 2]; 3]) -> [V; 3] {
    [
        b[0].and(c[1]).or_both(b[1], c[0]),
        c[0].and(a[1]).or_both(c[1], a[0]),
        a[0].and(b[1]).or_both(a[1], b[0]),
    ]
}

/// Naked singles of all cells: which cells hold one, and for each major value the boxes that do.
struct Naked<V> {
    /// For each place, all ones (in the three minors) at the boxes whose cell holds a single, or
    /// nothing at all.
    cells: [V; 9],
    /// For each major, the values that are a naked single somewhere in the box.
    values: [V; 3],
}

/// Step 1's finds. In a state fresh from [`open`](super::layout::open) they are the clues: whatever cell
/// may be 1 or 4 is blank.
#[inline(always)]
fn naked_singles<V: Lanes, const FRESH: bool>(state: &State<V>) -> Naked<V> {
    let boxes = V::splat(BOXES);
    let mut naked = Naked { cells: [boxes; 9], values: [V::splat(0); 3] };
    for place in 0..9 {
        let words = [state[place], state[9 + place], state[18 + place]];
        let several = if FRESH { words[0].and(words[1]) } else { cells_with_several(words) };
        let single = boxes.without(several);
        let single = single.or3(single.up::<9>(), single.up::<18>());
        naked.cells[place] = single;
        for major in 0..3 {
            naked.values[major] = naked.values[major].or_both(words[major], single);
        }
    }
    naked
}

/// The cells of one place that have more than one candidate, by the lowest nine bits.
#[inline(always)]
fn cells_with_several<V: Lanes>([a, b, c]: [V; 3]) -> V {
    let (one, two) = (a.or3(b, c), a.two_of(b, c));
    let twice = one.two_of(one.down::<9>(), one.down::<18>());
    two.or3(two.down::<9>(), two.down::<18>()).or(twice)
}

/// Step 1 for three values: the nine words of one major without what naked singles take.
#[inline(always)]
fn without_naked<V: Lanes>(words: &[V; 9], naked: &Naked<V>, major: usize) -> [V; 9] {
    let mut w = *words;
    for place in 0..9 {
        w[place] = w[place].without_unless(naked.values[major], naked.cells[place]);
    }
    w
}

/// Step 2 for three values.
#[inline(always)]
fn lock<V: Lanes>(mut w: [V; 9]) -> [V; 9] {
    let keep = companions([
        rotate_stacks(w[0].or3(w[1], w[2])),
        rotate_stacks(w[3].or3(w[4], w[5])),
        rotate_stacks(w[6].or3(w[7], w[8])),
    ]);
    for place in 0..9 {
        w[place] = w[place].and(keep[place / 3]);
    }
    let keep = companions([
        rotate_bands(w[0].or3(w[3], w[6])),
        rotate_bands(w[1].or3(w[4], w[7])),
        rotate_bands(w[2].or3(w[5], w[8])),
    ]);
    for place in 0..9 {
        w[place] = w[place].and(keep[place % 3]);
    }
    w
}

/// What steps 2 and 3 come across.
struct Sweep<V> {
    /// The values that have a place, by box.
    present: V,
    /// The rows of a band that hold each value, by stack.
    rows: V,
    /// The values with several places, by box.
    several: V,
    /// The cells that hold a hidden single.
    covered: V,
    /// The cells that had a single or nothing to begin with, and hold no hidden single.
    lost: V,
    /// The candidates that were removed.
    changed: V,
}

/// Deduces once; see the module.
#[inline(always)]
pub fn round<V: Lanes>(state: &mut State<V>) -> Round {
    let naked = naked_singles::<V, false>(state);
    let found = sweep(state, Some(&naked));
    let (all, none) = (V::splat(ALL), V::splat(0));
    let lanes = u32::MAX >> (32 - V::COUNT);
    let first_stack = V::splat(0o007_007_007);
    let alive = found.lost.same(none) & found.present.same(all);
    // One place for every value in every box, all cells covered and all rows: step 2 has seen to the
    // columns last, so they need no look.
    let single = found.several.same(none) & found.covered.same(all);
    Round {
        dead: lanes & !alive,
        solved: alive & single & found.rows.and(first_stack).same(first_stack),
        changed: lanes & !found.changed.same(none),
    }
}

/// A round for states fresh from [`open`](super::layout::open), without a word about what it found.
#[inline(always)]
pub fn first_round<V: Lanes>(state: &mut State<V>) {
    let clues = naked_singles::<V, true>(state);
    sweep(state, Some(&clues));
}

/// Steps 2 and 3 alone, without a word about what they found, at three fifths of the price: enough
/// where the step before, a split or a first round, has left few naked singles.
#[inline(always)]
pub fn half_round<V: Lanes>(state: &mut State<V>) {
    sweep(state, None);
}

/// Steps 2 and 3, after step 1 if its finds are given. Whatever the caller makes no use of is not
/// computed either.
#[inline(always)]
fn sweep<V: Lanes>(state: &mut State<V>, naked: Option<&Naked<V>>) -> Sweep<V> {
    let (all, none) = (V::splat(ALL), V::splat(0));
    let mut locked = [const { MaybeUninit::<V>::uninit() }; WORDS];
    let mut several = [none; 3];
    let (mut present, mut rows) = (all, all);
    for major in 0..3 {
        // The black boxes end the lives of vectors: without them the optimizer keeps all 27 words
        // of both stages at hand and spends its time spilling them.
        let words = black_box(&*state)[9 * major..].first_chunk().expect("nine words");
        let w = lock(match naked {
            Some(naked) => without_naked(words, black_box(naked), major),
            None => *words,
        });
        let (mut one, mut two) = ([none; 3], [none; 3]);
        for r in 0..3 {
            one[r] = w[3 * r].or3(w[3 * r + 1], w[3 * r + 2]);
            two[r] = w[3 * r].two_of(w[3 * r + 1], w[3 * r + 2]);
            rows = rows.and(one[r].or3(one[r].down::<3>(), one[r].down::<6>()));
        }
        several[major] = two[0].or3(two[1], two[2]).or(one[0].two_of(one[1], one[2]));
        present = present.and(one[0].or3(one[1], one[2]));
        for place in 0..9 {
            locked[9 * major + place].write(w[place]);
        }
    }
    // SAFETY: the loop above has written all 27 elements, and a `MaybeUninit` is laid out like what it
    // holds. It saves clearing 27 vectors in every round.
    let locked: &State<V> = unsafe { &*black_box(&mut locked).as_ptr().cast::<State<V>>() };

    let (mut covered, mut changed, mut lost) = (all, none, none);
    for place in 0..9 {
        let mut hidden = locked[place].without(several[0]);
        for major in 1..3 {
            hidden = hidden.or(locked[9 * major + place].without(several[major]));
        }
        let cell = hidden
            .or3(hidden.up::<9>(), hidden.down::<18>())
            .or3(hidden.up::<18>(), hidden.down::<9>());
        covered = covered.and(cell);
        if let Some(naked) = naked {
            lost = lost.or_unless(naked.cells[place], cell);
        }
        for major in 0..3 {
            let index = at(major, 0, 0) + place;
            let new = locked[index].without_both(cell, several[major]);
            changed = changed.or_change(state[index], new);
            state[index] = new;
        }
    }
    let several = several[0].or3(several[1], several[2]);
    Sweep { present, rows, several, covered, lost, changed }
}

#[cfg(test)]
mod tests {
    use super::super::rating::open_one;
    use super::*;
    use crate::sudoku::{CELLS, Grid};

    #[test]
    fn two_equal_clues_are_dead_at_once_if_and_only_if_they_share_a_house() {
        for (a, b) in (0..CELLS).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let mut cells = [0; CELLS];
            (cells[a], cells[b]) = (5, 5);
            let found = round(&mut open_one(&Grid::new(cells).unwrap()));
            let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
            let clash = a / 9 == b / 9 || a % 9 == b % 9 || same_box;
            assert_eq!(found.dead, u32::from(clash), "{a} and {b}");
        }
    }
}
