//! Regions within an interval of lines: what two regions within two rows show, and k within k.

use super::lanes::Word;
use super::round::Boards;
use crate::board::{MAX_SIZE, full_row};

/// Where the regions of one board lie, counted in rows or in columns.
struct Extents {
    /// The lines in which a region has possible cells.
    lines: [u32; MAX_SIZE],
    /// The regions whose first line is this one or a later one.
    from: [u32; MAX_SIZE],
    /// The regions whose last line is this one or an earlier one.
    until: [u32; MAX_SIZE],
}

impl Extents {
    fn new<W: Word>(boards: &Boards<W>, lane: usize, is_columns: bool) -> Self {
        let size = boards.size;
        let [lines, from, until] = [[0; MAX_SIZE]; 3];
        let mut extents = Self { lines, from, until };
        for region in 0..size {
            let facts = &boards.facts[region];
            let lines = if is_columns { &facts.columns } else { &facts.rows };
            // A region without a cell is dead, which the next round finds. Here it counts as one in line 0.
            let lines = lines.as_ref()[lane].row().max(1);
            extents.lines[region] = lines;
            extents.from[lines.trailing_zeros() as usize] |= 1 << region;
            extents.until[lines.ilog2() as usize] |= 1 << region;
        }
        for line in 1..size {
            extents.until[line] |= extents.until[line - 1];
            extents.from[size - 1 - line] |= extents.from[size - line];
        }
        extents
    }
}

/// Where as many regions lie within an interval of rows, or of columns, as it has lines, takes the cells of all other regions
/// out of it. Returns whether there were any. The lane's last round must have changed nothing.
pub fn confine<W: Word>(boards: &mut Boards<W>, lane: usize) -> bool {
    let size = boards.size;
    let mut has_changed = false;
    for is_columns in [false, true] {
        let extents = Extents::new(boards, lane, is_columns);
        for first in 0..size {
            for last in first + 1..size {
                let inside = extents.from[first] & extents.until[last];
                if inside.count_ones() as usize > last - first {
                    let interval = full_row(size) >> (size - 1 - last) & !((1 << first) - 1);
                    let others = full_row(size) & !inside;
                    has_changed |= clear(boards, lane, &extents, interval, others, is_columns);
                }
            }
        }
    }
    has_changed
}

/// Takes the cells of some regions out of an interval of lines. Returns whether there were any.
fn clear<W: Word>(
    boards: &mut Boards<W>,
    lane: usize,
    extents: &Extents,
    interval: u32,
    mut regions: u32,
    is_columns: bool,
) -> bool {
    let size = boards.size;
    let mut has_changed = false;
    while regions != 0 {
        let region = regions.trailing_zeros() as usize;
        regions &= regions - 1;
        if extents.lines[region] & interval == 0 {
            continue;
        }
        for row in 0..size {
            let in_interval = if interval >> row & 1 == 1 { u32::MAX } else { 0 };
            let columns = if is_columns { interval } else { in_interval };
            let out = boards.regions[region * size + row].as_ref()[lane].row() & columns;
            let stars = boards.stars[row].as_ref()[lane].row();
            let possible = &mut boards.possible[row].as_mut()[lane];
            // A star that ought to go makes the board dead, which later rounds find.
            let left = possible.row() & !out | stars;
            has_changed |= left != possible.row();
            *possible = W::of(left);
        }
    }
    has_changed
}
