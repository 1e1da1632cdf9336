//! Trails: where the queens of a node stand, so that the squares of each solution can be tallied.
//!
//! A node carries `G` groups of four words beside its four parts. A word holds the codes of the queens of successive
//! rows, the last one lowest: four codes of four bits, or six of five. So one group is enough for the sixteen rows that a kernel of 16
//! bits can have, and two groups for 32 rows. Row i's code is in word i / 4, or i / 6. While row i is searched, its word comes first
//! in the first group, by the order of the pointers, so that no vector chooses a word.
//!
//! The code of a square is a product: bit c times a de Bruijn sequence has a number in its highest bits that is another for
//! each c. One multiplication and one shift make it for a vector of squares; [`add_uses`] counts codes, and
//! [`decode`] turns these into columns once for a start.
//!
//! Cost: a kept or pushed node moves eight words in place of four (twelve with two groups). A solution adds one to as many
//! numbers of 64 bits as there are rows, all in 8 KiB. 14 and 16 queens take twice the time of their count.

use super::nodes::{Lanes, MAX_ROWS, Stacks, Start};

/// How many solutions use each square of a start, by row and column.
pub type Uses = [[u64; MAX_ROWS]; MAX_ROWS];

/// The codes in the words of a vector.
trait Codes: Lanes {
    /// Bits of a word.
    const WIDTH: u32 = 8 * size_of::<Self::Word>() as u32;
    /// Bits of a code.
    const BITS: u32 = Self::WIDTH.ilog2();
    /// Codes in a word.
    const IN_WORD: usize = (Self::WIDTH / Self::BITS) as usize;
    /// The de Bruijn sequence of a word.
    const SEQUENCE: u32 = if Self::WIDTH == 16 { 0x09af } else { 0x077c_b531 };
}

impl<V: Lanes> Codes for V {}

/// The code of `column`.
#[inline(always)]
fn code<V: Lanes>(column: u32) -> u32 {
    let mask = u32::MAX >> (32 - V::WIDTH);
    ((V::SEQUENCE << column) & mask) >> (V::WIDTH - V::BITS)
}

/// Where the words of the trails of the nodes in `row`'s stack begin, in the order in which row `searched` needs them.
#[inline(always)]
pub fn words<V: Lanes, const G: usize>(
    stacks: &Stacks<V, G>,
    row: usize,
    searched: usize,
) -> [[*mut V::Word; 4]; G] {
    let mut words = [stacks.parts(row); G];
    for group in 0..G {
        for word in 0..4 {
            let number = (searched / V::IN_WORD + 4 * group + word) % (4 * G);
            words[group][word] = stacks.part(row, 4 + number);
        }
    }
    words
}

/// Writes the trail of a node of the second row, whose only queen stands on `square`.
///
/// # Safety
/// As for [`count`](super::batch::count); the stack has room for a vector from `index` on.
#[inline(always)]
pub unsafe fn begin<V: Lanes, const G: usize>(square: u32, stacks: &Stacks<V, G>, index: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        V::splat(code::<V>(square.trailing_zeros())).store(stacks.part(1, 4).add(index));
    }
}

/// Reads the trails of `N` nodes; `any` is any vector.
///
/// # Safety
/// As for [`count`](super::batch::count); there is a vector from `index` on.
#[inline(always)]
pub unsafe fn load<V: Lanes, const G: usize>(
    from: &[[*mut V::Word; 4]; G],
    index: usize,
    any: V,
) -> [[V; 4]; G] {
    let mut trails = [[any; 4]; G];
    for group in 0..G {
        for word in 0..4 {
            // SAFETY: the caller's promise.
            trails[group][word] = unsafe { V::load(from[group][word].add(index)) };
        }
    }
    trails
}

/// Adds a queen on `square` to the trails, in a row whose word comes first.
///
/// # Safety
/// As for [`count`](super::batch::count).
#[inline(always)]
pub unsafe fn append<V: Lanes, const G: usize>(trails: &mut [[V; 4]; G], square: V) {
    if G > 0 {
        // SAFETY: the caller's promise.
        let (sequence, to_code, to_next) = unsafe {
            let to_code = V::distance(V::WIDTH - V::BITS);
            (V::splat(V::SEQUENCE), to_code, V::distance(V::BITS))
        };
        trails[0][0] = trails[0][0].up(to_next).or(square.times(sequence).down(to_code));
    }
}

/// Writes the trails of the lanes in `mask` from `index` on, as [`Lanes::squeeze`] does.
///
/// # Safety
/// As for [`Lanes::squeeze`].
#[inline(always)]
pub unsafe fn squeeze<V: Lanes, const G: usize>(
    mask: V::Mask,
    trails: [[V; 4]; G],
    to: &[[*mut V::Word; 4]; G],
    index: usize,
) {
    for group in 0..G {
        let mut to = to[group];
        for word in 0..4 {
            to[word] = to[word].wrapping_add(index);
        }
        // SAFETY: the caller's promise.
        unsafe { V::squeeze(mask, trails[group], to) };
    }
}

/// Adds the solutions of `hits` nodes to `uses`: by code in the rows up to `row`, by column in the last two. The stack of the
/// row after `row` has the columns that are taken and the free squares of the last two rows.
///
/// # Safety
/// As for [`count`](super::batch::count); that stack holds as many nodes.
#[inline(always)]
pub unsafe fn add_uses<V: Lanes, const G: usize>(
    start: &Start,
    row: usize,
    stacks: &Stacks<V, G>,
    hits: usize,
    uses: &mut [[u64; MAX_ROWS]],
) {
    let read = |part: usize, hit| -> u32 {
        // SAFETY: the caller's promise.
        unsafe { stacks.part(row + 1, part).add(hit).read() }.into()
    };
    for hit in 0..hits {
        let left = start.columns() & !read(0, hit);
        let (free, last_free) = (read(1, hit), read(2, hit));
        let low = left & left.wrapping_neg();
        let mut ways = 0;
        for [square, last_square] in [[low, left ^ low], [left ^ low, low]] {
            if free & square != 0 && last_free & last_square != 0 {
                ways += 1;
                uses[row + 1][square.trailing_zeros() as usize % MAX_ROWS] += 1;
                uses[row + 2][last_square.trailing_zeros() as usize % MAX_ROWS] += 1;
            }
        }
        let mut filled = 0;
        let mut word = 4;
        while filled <= row {
            let after = (filled + V::IN_WORD).min(row + 1);
            let mut trail = read(word, hit);
            let mut counted = after;
            while counted > filled {
                counted -= 1;
                uses[counted][(trail % V::WIDTH) as usize] += ways;
                trail >>= V::BITS;
            }
            filled = after;
            word += 1;
        }
    }
}

/// Turns codes into columns in the rows of `uses` that [`add_uses`] has counted by code.
pub fn decode<V: Lanes>(uses: &mut [[u64; MAX_ROWS]]) {
    for row in uses {
        let by_code = *row;
        *row = [0; MAX_ROWS];
        for column in 0..V::WIDTH {
            row[column as usize] = by_code[code::<V>(column) as usize];
        }
    }
}
