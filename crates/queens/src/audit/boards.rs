//! Writes a row set as boards with placed queens and closed squares, which together have its solutions.
//!
//! Closed squares decide in which quarter the queen of a column stands. So a board can stand for all column sets C
//! that have given elements and lack given others. The column sets C of one size that come before T in the order
//! are then one board for each element i of T: C agrees with T on the elements before i, and lacks i.

use super::definition::{
    Set, Tie, Weight, complement, is_counted, left_of_centre, mirror_weight, weight,
};
use crate::halves::{Crossing, RowSet};
use crate::{Board, Square};
use base::bits::bits;

/// A board. Each of its solutions counts as `weight` solutions of the plain board.
#[derive(Debug, Clone)]
pub(super) struct WeightedBoard {
    pub board: Board,
    pub weight: u64,
}

/// A condition on the columns of one half, counted from the border: some have their queen above the middle, some
/// below it, and the others anywhere.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// The columns that the condition is about.
    known: Set,
    /// Those of them that have their queen above the middle; the others have it below.
    above: Set,
}

/// The boards of a row set on n × n squares. Each of its solutions is on exactly one of them.
pub(super) fn boards(n: u32, row_set: &RowSet) -> Vec<WeightedBoard> {
    let mut found = Vec::new();
    let squares = Squares::of(n, row_set);
    let h = n / 2;
    if row_set.above_centre.is_some_and(|above| above > 0) {
        squares.emit(&row_set.crossings, 8, &mut found);
        return found;
    }
    let RowSet { top, bottom, .. } = *row_set;
    if !is_counted(top, bottom, h) {
        return found;
    }
    let b = Tie::of(bottom, top, h).expect("a bottom that is counted has no higher rank");
    let left = ties(top, top.count_ones(), h);
    let right = ties(top, h - top.count_ones(), h);
    for &(c, in_left) in &left {
        for &(d, in_right) in &right {
            let weight = weight(b, c, d);
            if weight == Weight::Number(0) {
                continue;
            }
            let squares = squares.clone().with_columns([in_left, in_right]);
            match weight {
                Weight::Number(weight) => squares.emit(&row_set.crossings, weight, &mut found),
                Weight::OfLeftQuarter => squares.mirrored(true, top, row_set, &mut found),
                Weight::OfRightQuarter => {
                    squares.mirrored(false, complement(top, h), row_set, &mut found);
                }
            }
        }
    }
    found
}

/// The column sets with `size` elements that do not rank higher than T, as conditions on columns, each with its
/// [`Tie`] to T.
fn ties(top: Set, size: u32, h: u32) -> Vec<(Tie, Columns)> {
    let mut found = Vec::new();
    let full = (1 << h) - 1;
    let halves = top.count_ones() * 2 == h;
    // A set and its complement have one rank. The one with as many elements as T is compared with T; if both have
    // as many, the one with element 0.
    for (representative, is_complement) in [(size, false), (h - size, true)] {
        if representative != top.count_ones() {
            continue;
        }
        // Turns the elements of T into those of the representative.
        let flips = if is_complement { full } else { 0 };
        for element in bits(top).map(Set::trailing_zeros).filter(|&i| !halves || i > 0) {
            let known = (2 << element) - 1;
            let above = (top & (known >> 1)) ^ (flips & known);
            found.push((Tie::Lower, Columns { known, above }));
        }
        let tie = if is_complement { Tie::Complement } else { Tie::Top };
        found.push((tie, Columns { known: full, above: top ^ flips }));
    }
    found
}

/// Placed queens and open squares; rows and columns are counted from the upper left corner.
#[derive(Debug, Clone)]
struct Squares {
    n: u32,
    placed: Vec<(u32, u32)>,
    /// The open columns of each row.
    open: Vec<u32>,
}

impl Squares {
    /// The squares that solutions with the rows of `row_set` can use.
    fn of(n: u32, row_set: &RowSet) -> Self {
        let h = n / 2;
        let left = (1u32 << h) - 1;
        let right = left << (n - h);
        let halves = [right, left];
        let mut open: Vec<u32> = vec![0; n as usize];
        for i in 0..h {
            open[i as usize] = halves[(row_set.top >> i & 1) as usize];
            open[(n - 1 - i) as usize] = halves[(row_set.bottom >> i & 1) as usize];
        }
        let mut placed = Vec::new();
        if let Some(above) = row_set.above_centre {
            let row = h - above;
            open[row as usize] = 1 << h;
            placed.push((row, h));
            if above > 0 {
                open[h as usize] = left_of_centre(above, h).fold(0, |set, c| set | 1 << c);
            }
        }
        Self { n, placed, open }
    }

    /// Closes, for each column of the conditions, the squares of the quarter where its queen is not.
    fn with_columns(mut self, halves: [Columns; 2]) -> Self {
        let n = self.n;
        let h = self.n / 2;
        for (is_left, Columns { known, above }) in [true, false].into_iter().zip(halves) {
            for column in bits(known).map(Set::trailing_zeros) {
                let closed = if above >> column & 1 == 1 { h..n } else { 0..h };
                let column = if is_left { column } else { n - 1 - column };
                closed.for_each(|row| self.close(row, column));
            }
        }
        self
    }

    fn close(&mut self, row: u32, column: u32) {
        self.open[row as usize] &= !(1 << column);
    }

    /// These squares with one more queen; `None` if its square is closed or attacked.
    fn with(&self, row: u32, column: u32) -> Option<Self> {
        let attacked =
            |&(r, c): &(u32, u32)| r == row || c == column || r.abs_diff(row) == c.abs_diff(column);
        if self.open[row as usize] >> column & 1 == 0 || self.placed.iter().any(attacked) {
            return None;
        }
        let mut with = self.clone();
        with.placed.push((row, column));
        Some(with)
    }

    /// The column that is `column` from the border in a half.
    fn column(&self, is_left: bool, column: u32) -> u32 {
        if is_left { column } else { self.n - 1 - column }
    }

    /// Adds the boards for fillings of a top quarter whose rows and columns are both `set`, with the weights that
    /// [`mirror_weight`] gives.
    fn mirrored(&self, is_left: bool, set: Set, row_set: &RowSet, found: &mut Vec<WeightedBoard>) {
        if set == 0 {
            return self.emit(&row_set.crossings, mirror_weight(None), found);
        }
        let first = set.trailing_zeros();
        let others = set & (set - 1);
        if let Some(own_image) = self.with(first, self.column(is_left, first)) {
            own_image.mirrored(is_left, others, row_set, found);
        }
        for c in bits(others).map(Set::trailing_zeros) {
            for r in bits(others).map(Set::trailing_zeros).filter(|&r| r != c) {
                let weight = mirror_weight(Some((c, r)));
                let two = self
                    .with(first, self.column(is_left, c))
                    .and_then(|one| one.with(r, self.column(is_left, first)));
                if let Some(two) = two.filter(|_| weight > 0) {
                    two.emit(&row_set.crossings, weight, found);
                }
            }
        }
    }

    /// Adds the boards on which diagonals hold a queen, or none, as `crossings` say.
    fn emit(&self, crossings: &[Crossing], weight: u64, found: &mut Vec<WeightedBoard>) {
        let Some((crossing, others)) = crossings.split_first() else {
            found.extend(self.board().map(|board| WeightedBoard { board, weight }));
            return;
        };
        let diagonal = self.diagonal(*crossing);
        if !crossing.is_taken {
            let mut without = self.clone();
            diagonal.iter().for_each(|&(row, column)| without.close(row, column));
            without.emit(others, weight, found);
        } else if diagonal.iter().any(|square| self.placed.contains(square)) {
            self.emit(others, weight, found);
        } else {
            for (row, column) in diagonal {
                if let Some(with) = self.with(row, column) {
                    with.emit(others, weight, found);
                }
            }
        }
    }

    /// The squares of a diagonal in one half. Falling diagonals are bits 0 to 31 of a key, from left to right;
    /// rising ones are bits 32 to 63, from right to left.
    fn diagonal(&self, Crossing { bit, is_left, .. }: Crossing) -> Vec<(u32, u32)> {
        let n = self.n;
        let h = self.n / 2;
        let columns = if is_left { 0..h } else { n - h..n };
        let squares = columns.flat_map(|column| (0..n).map(move |row| (row, column)));
        squares
            .filter(|(row, column)| match bit {
                0..32 => column + h == row + bit + 1,
                _ => row + column + (bit - 32) + 2 == n + h,
            })
            .collect()
    }

    fn is_open(&self, (row, column): (u32, u32)) -> bool {
        self.open[row as usize] >> column & 1 == 1
    }

    fn named(&self, (row, column): (u32, u32)) -> Square {
        Square::from_top(row, column, self.n)
    }

    /// The board; `None` if a queen stands on a closed square.
    fn board(&self) -> Option<Board> {
        if !self.placed.iter().all(|&square| self.is_open(square)) {
            return None;
        }
        let placed: Vec<Square> = self.placed.iter().map(|&square| self.named(square)).collect();
        let all = (0..self.n).flat_map(|row| (0..self.n).map(move |column| (row, column)));
        let closed = all.filter(|&square| !self.is_open(square));
        let closed: Vec<Square> = closed.map(|square| self.named(square)).collect();
        Some(Board::with(self.n, &placed, &closed).expect("each square is on the board, once"))
    }
}
