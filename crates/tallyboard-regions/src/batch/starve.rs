//! Stars that would starve a line: one in the cell, and the line has no room for those that it lacks.
//!
//! The lanes are the lines of one board here, and each word tells for all cells of a row at once whether a star there leaves room.
//! There is room for one star if a cell is left, and for two if two cells are left that do not touch. Lines that lack
//! more are not looked at.

use super::lanes::{Lanes, Word};
use super::round::{Boards, add, total};
use crate::board::MAX_SIZE;

/// Rows beyond each edge of the board. They have no cells.
const MARGIN: usize = 2;

/// What is known of one row of a vector of lines.
#[derive(Clone, Copy)]
pub struct RowFacts<B> {
    /// The open cells.
    open: B,
    /// The columns with an open cell two columns before them or further, and those with one as far behind them.
    left: B,
    right: B,
    /// Whether there is room for one star in the rows up to this one: all ones if so.
    one_above: B,
    /// The same for the rows from this one on.
    one_below: B,
    /// The same for two stars.
    two_above: B,
    two_below: B,
}

/// The room for what [`starve`] knows of rows of a board of `size` rows. Row `r` stands at `r + MARGIN`.
pub fn room<W: Word>(size: usize) -> Vec<RowFacts<W::Block>> {
    let (open, none) = (W::ZEROS, W::ZEROS);
    let row = RowFacts {
        open,
        left: none,
        right: none,
        one_above: none,
        one_below: none,
        two_above: none,
        two_below: none,
    };
    vec![row; size + 2 * MARGIN]
}

/// The cells of all lines of a board: regions, columns, rows. Vectors of lines stand one after the other, each a word for each row.
pub fn fill_lines<W: Word>(lines: &mut Vec<W::Block>, size: usize, regions: &[u8]) {
    lines.clear();
    lines.resize((3 * size).div_ceil(W::LANES) * size, W::ZEROS);
    for row in 0..size {
        let mut put = |line: usize, cells: u32| {
            let word = &mut lines[line / W::LANES * size + row].as_mut()[line % W::LANES];
            *word = W::of(word.row() | cells);
        };
        for column in 0..size {
            put(regions[row * size + column].into(), 1 << column);
            put(size + column, 1 << column);
            put(2 * size + row, 1 << column);
        }
    }
}

/// Takes out the open cells of a board where a star would starve a line. Returns whether there were any. The lane's last round must
/// have changed nothing.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn starve<V: Lanes, const MORE: usize>(
    boards: &mut Boards<V::Word>,
    lane: usize,
    lines: &[<V::Word as Word>::Block],
    rows: &mut [RowFacts<<V::Word as Word>::Block>],
) -> bool {
    let size = boards.size;
    let mut out = [0; MAX_SIZE];
    for lines in lines.chunks_exact(size) {
        // SAFETY: the caller's promise.
        unsafe { starved::<V, MORE>(boards, lane, lines, rows, &mut out) };
    }
    let mut has_changed = false;
    for row in 0..size {
        let possible = &mut boards.possible[row].as_mut()[lane];
        *possible = V::Word::of(possible.row() & !out[row]);
        has_changed |= out[row] != 0;
    }
    has_changed
}

/// All bits at or above the lowest one. `ones` has all bits.
#[inline(always)]
fn fill_up<V: Lanes>(word: V, ones: V) -> V {
    ones.without(word.less_one().without(word))
}

/// Adds to `out` the cells that starve one of these lines.
///
/// # Safety
/// As for [`starve`].
#[inline(always)]
unsafe fn starved<V: Lanes, const MORE: usize>(
    boards: &Boards<V::Word>,
    lane: usize,
    lines: &[<V::Word as Word>::Block],
    rows: &mut [RowFacts<<V::Word as Word>::Block>],
    out: &mut [u32; MAX_SIZE],
) {
    let size = boards.size;
    // SAFETY: the caller's promise.
    let (is_open, placed) = unsafe { survey::<V, MORE>(boards, lane, lines, rows) };
    // SAFETY: the caller's promise.
    let splat = |word: u32| unsafe { V::splat(word) };
    // SAFETY: the caller's promise.
    let load = |block: &<V::Word as Word>::Block| unsafe { V::load(block) };
    let (zero, ones) = (splat(0), splat(u32::MAX));
    let all_lanes = u32::MAX >> (32 - V::Word::LANES);
    let lacks_one = placed.equals(splat(MORE as u32 - 2)).and(is_open);
    let lacks_two =
        if MORE > 2 { placed.equals(splat(MORE as u32 - 3)).and(is_open) } else { zero };
    for row in 0..size {
        let [far_above, above, here, below, far_below] = &rows[row..row + 5] else {
            unreachable!()
        };
        let open = load(&here.open);
        // Cells that do not touch the star: left or right of it in these three rows, or two rows away.
        let (left_above, left_below) = (load(&above.left), load(&below.left));
        let (right_above, right_below) = (load(&above.right), load(&below.right));
        let left = left_above.or(load(&here.left)).or(left_below);
        let right = right_above.or(load(&here.right)).or(right_below);
        let beside = left.or(right);
        let (far_above_one, far_below_one) =
            (load(&far_above.one_above), load(&far_below.one_below));
        let far = far_above_one.or(far_below_one);
        let near = beside.or(open);
        let mut starved = lacks_one.without(near.or(far));
        if MORE > 2 {
            // Two on one side of the star.
            let cells = open.or(load(&above.open)).or(load(&below.open));
            let both_left = fill_up(cells.and(left), ones).up().up().or(left_above.and(left_below));
            let both_right = cells.and(right).fill_down().down().down();
            let both_right = both_right.or(right_above.and(right_below));
            // Or one on each side, or the star's own cell and one beside, or one of them and one further away. That these may
            // touch is not looked at.
            let two = both_left.or(both_right).or(left.and(right)).or(open.and(beside));
            let two = two.or(far.and(near)).or(far_above_one.and(far_below_one));
            let two = two.or(load(&far_above.two_above)).or(load(&far_below.two_below));
            starved = starved.or(lacks_two.without(two));
        }
        let starved = starved.and(splat(boards.open(row, lane)));
        // Mostly there is none.
        if starved.equals(zero).bits() == all_lanes {
            continue;
        }
        let mut block = V::Word::ZEROS;
        starved.store(&mut block);
        for lane in 0..V::Word::LANES {
            out[row] |= block.as_ref()[lane].row();
        }
    }
}

/// Finds out what is known of each row. Returns which lines have an open cell, and how many stars each line has.
///
/// # Safety
/// As for [`starve`].
#[inline(always)]
unsafe fn survey<V: Lanes, const MORE: usize>(
    boards: &Boards<V::Word>,
    lane: usize,
    lines: &[<V::Word as Word>::Block],
    rows: &mut [RowFacts<<V::Word as Word>::Block>],
) -> (V, V) {
    let size = boards.size;
    assert!(rows.len() == size + 2 * MARGIN && lines.len() == size && size <= MAX_SIZE);
    // SAFETY: the caller's promise.
    let splat = |word: u32| unsafe { V::splat(word) };
    // SAFETY: the caller's promise.
    let load = |block: &<V::Word as Word>::Block| unsafe { V::load(block) };
    let (zero, ones) = (splat(0), splat(u32::MAX));
    let some = |word: V| ones.without(word.equals(zero));
    let mut placed = [zero; MORE];
    let (mut any, mut pairs) = (zero, zero);
    for row in 0..size {
        let stars = boards.stars[row].as_ref()[lane].row();
        let line = load(&lines[row]);
        add(&mut placed, line.and(splat(stars)));
        let open = line.and(splat(boards.open(row, lane)));
        let (left, right) = (fill_up(open, ones).up().up(), open.fill_down().down().down());
        // Cells do not touch if they are two columns or two rows apart.
        let [two_rows, next, here] = &mut rows[row..row + 3] else { unreachable!() };
        let apart = left.or(load(&next.left)).or(load(&next.right)).or(load(&two_rows.one_above));
        (any, pairs) = (any.or(open), pairs.or(open.and(apart)));
        open.store(&mut here.open);
        left.store(&mut here.left);
        right.store(&mut here.right);
        some(any).store(&mut here.one_above);
        some(pairs).store(&mut here.two_above);
    }
    // Words without a line, and lines without an open cell, starve of nothing.
    let is_open = some(any);
    (any, pairs) = (zero, zero);
    for row in (0..size).rev() {
        let [here, next, two_rows] = &mut rows[row + MARGIN..row + MARGIN + 3] else {
            unreachable!()
        };
        let open = load(&here.open);
        let apart = load(&here.left).or(load(&next.left)).or(load(&next.right));
        pairs = pairs.or(open.and(apart.or(load(&two_rows.one_below))));
        any = any.or(open);
        some(any).store(&mut here.one_below);
        some(pairs).store(&mut here.two_below);
    }
    (is_open, total(&placed))
}
