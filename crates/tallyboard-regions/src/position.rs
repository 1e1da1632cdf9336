//! One board in the middle of a search: the plain form of what [`batch`](crate::batch) does in lanes.

use crate::board::{Board, MAX_SIZE, Row};

/// A board's regions as sets of columns.
#[derive(Debug, Clone)]
pub struct Layout {
    pub(crate) size: usize,
    pub(crate) stars: u32,
    pub(crate) cells: Box<[u8]>,
    /// The cells of a region in a row, at `region * size + row`.
    masks: Box<[u32]>,
}

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It cannot be completed.
    Dead,
    /// Some cells are undecided.
    Open,
    /// Each cell is decided, and all rules hold.
    Solved,
}

/// The cells that may have a star, and those that have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) rows: Box<[Row]>,
}

impl Layout {
    /// The regions of a board.
    pub fn new(board: &Board) -> Self {
        Self::of(board.regions(), board.stars())
    }

    /// The regions of a board of these cells.
    pub(crate) fn of(cells: &[u8], stars: usize) -> Self {
        let size = cells.len().isqrt();
        let mut masks = vec![0; size * size];
        for (cell, &region) in cells.iter().enumerate() {
            masks[usize::from(region) * size + cell / size] |= 1 << (cell % size);
        }
        Self { size, stars: stars as u32, cells: cells.into(), masks: masks.into() }
    }

    /// The cells of a region, a set of columns for each row.
    pub(crate) fn region(&self, region: usize) -> &[u32] {
        &self.masks[region * self.size..][..self.size]
    }
}

/// Whether a way within a set of cells leads from each to each other. A cell has up to four neighbours.
pub(crate) fn is_connected(cells: &[u32]) -> bool {
    let Some(first) = cells.iter().position(|&row| row != 0) else { return true };
    let mut reached = [0; MAX_SIZE];
    reached[first] = cells[first] & cells[first].wrapping_neg();
    loop {
        let mut grown = false;
        for row in 0..cells.len() {
            let above = if row > 0 { reached[row - 1] } else { 0 };
            let below = if row + 1 < cells.len() { reached[row + 1] } else { 0 };
            let here = reached[row];
            let next = (here | here << 1 | here >> 1 | above | below) & cells[row];
            grown |= next != here;
            reached[row] = next;
        }
        if !grown {
            return reached[..cells.len()] == *cells;
        }
    }
}

impl Position {
    /// The position that the board gives.
    pub fn new(board: &Board) -> Self {
        Self { rows: board.rows().into() }
    }

    /// The stars of each row.
    pub fn stars(&self) -> Vec<u32> {
        self.rows.iter().map(|row| row.stars).collect()
    }

    /// Takes out what stars exclude and places stars that have no other cell, until nothing changes.
    pub fn deduce(&mut self, layout: &Layout) -> Verdict {
        loop {
            let before = self.rows.clone();
            if !(self.exclude(layout) && self.place(layout)) {
                return Verdict::Dead;
            }
            if self.rows == before {
                let is_open = self.rows.iter().any(|row| row.possible != row.stars);
                return if is_open { Verdict::Open } else { Verdict::Solved };
            }
        }
    }

    /// Takes out the cells that stars exclude. Returns whether all stars may stand together.
    pub(crate) fn exclude(&mut self, layout: &Layout) -> bool {
        let size = layout.size;
        let stars: Vec<u32> = self.stars();
        for row in 0..size {
            let own = stars[row];
            let above = if row > 0 { stars[row - 1] } else { 0 };
            let below = if row + 1 < size { stars[row + 1] } else { 0 };
            let beside = own | above | below;
            let touched = above | below | beside << 1 | beside >> 1;
            if own & touched != 0 || own & !self.rows[row].possible != 0 {
                return false;
            }
            self.rows[row].possible &= !touched;
        }
        for_each_line(layout, |line| {
            let found = total(line, &stars);
            if found == layout.stars {
                for (row, &cells) in self.rows.iter_mut().zip(line) {
                    row.possible &= !cells | row.stars;
                }
            }
            found <= layout.stars
        })
    }

    /// Whether no rule is broken and each line has enough cells. It also excludes and places what follows at once.
    pub(crate) fn is_consistent(&mut self, layout: &Layout) -> bool {
        self.exclude(layout) && self.place(layout)
    }

    /// Places the stars of lines that have no cell to spare. Returns whether all lines have enough cells.
    fn place(&mut self, layout: &Layout) -> bool {
        let possible: Vec<u32> = self.rows.iter().map(|row| row.possible).collect();
        for_each_line(layout, |line| {
            let found = total(line, &possible);
            if found == layout.stars {
                for (row, &cells) in self.rows.iter_mut().zip(line) {
                    row.stars |= cells & row.possible;
                }
            }
            found >= layout.stars
        })
    }

    /// Chooses an open cell, and returns the position with a star there and the position without.
    pub fn branch(mut self, layout: &Layout) -> [Self; 2] {
        let (row, column) = choose(layout.stars, &self.rows, &layout.cells);
        let mut other = self.clone();
        self.rows[row].stars |= 1 << column;
        other.rows[row].possible &= !(1 << column);
        [self, other]
    }
}

/// The number of cells of `line` among `cells`.
fn total(line: &[u32], cells: &[u32]) -> u32 {
    line.iter().zip(cells).map(|(line, cells)| (line & cells).count_ones()).sum()
}

/// Calls `visit` for each row, column and region, as a set of columns for each row, until it returns `false`. Returns whether
/// it never did.
pub(crate) fn for_each_line(layout: &Layout, mut visit: impl FnMut(&[u32]) -> bool) -> bool {
    let size = layout.size;
    let full = crate::board::full_row(size);
    let mut line = [0; MAX_SIZE];
    for row in 0..size {
        line[row] = full;
        let goes_on = visit(&line[..size]);
        line[row] = 0;
        if !goes_on {
            return false;
        }
    }
    (0..size).all(|column| visit(&[1 << column; MAX_SIZE][..size]))
        && (0..size).all(|region| visit(layout.region(region)))
}

/// The first open cell of the row, or the last of the column or region, that has the fewest cells to spare.
pub(crate) fn choose(stars: u32, rows: &[Row], cells: &[u8]) -> (usize, usize) {
    let size = rows.len();
    // Of each column, then of each region: its open cells, its stars, and its last open cell.
    let mut lines = [(0u8, 0u8, 0u16); 2 * MAX_SIZE];
    let mut best = (u32::MAX, 0u16);
    for row in 0..size {
        let Row { possible, stars: placed } = rows[row];
        let open = possible & !placed;
        let mut rest = possible;
        while rest != 0 {
            let column = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let cell = row * size + column;
            let region = usize::from(cells[cell]) & (MAX_SIZE - 1);
            for line in [column, MAX_SIZE + region] {
                if placed >> column & 1 == 1 {
                    lines[line].1 += 1;
                } else {
                    lines[line].0 += 1;
                    lines[line].2 = cell as u16;
                }
            }
        }
        if open != 0 {
            let cell = row * size + open.trailing_zeros() as usize;
            best = best.min((spare(open.count_ones(), placed.count_ones(), stars), cell as u16));
        }
    }
    for line in (0..size).chain(MAX_SIZE..MAX_SIZE + size) {
        let (open, placed, cell) = lines[line];
        if open != 0 {
            best = best.min((spare(open.into(), placed.into(), stars), cell));
        }
    }
    (usize::from(best.1) / size, usize::from(best.1) % size)
}

/// The rank of a line in the choice: by the cells that it can spare, then by those that are open.
#[inline(always)]
fn spare(open: u32, placed: u32, stars: u32) -> u32 {
    (open + placed).saturating_sub(stars) << 8 | open
}
