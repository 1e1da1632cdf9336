//! Writes a row set as boards with placed queens and closed squares. Together the boards have its solutions.
//!
//! A condition on the columns of a half board, "the set C of columns above the middle has these elements and lacks those",
//! is a board with closed squares. T is the set of rows of the queens in the top left quarter. The sets C of T's size that come
//! before T in the order that `descent` defines need one condition
//! for each element i of T: C agrees with T on the elements before i, and lacks i.

use super::descent::{
    Relation, Set, Weight, complement, is_counted, left_of_centre, mirror_weight, weight,
};
use crate::halves::{Crossing, RowSet};
use crate::{Board, Square};
use tallyboard_base::bits::bits;

/// A board. Each of its solutions counts as `weight` solutions of the plain board.
#[derive(Debug, Clone)]
pub(super) struct WeightedBoard {
    pub board: Board,
    pub weight: u64,
}

/// A condition on the columns of one half: some have their queen above the middle, some below it, and the others
/// anywhere. Columns are counted from the border.
#[derive(Debug, Clone, Copy)]
struct ColumnCondition {
    /// The columns that have their queen in a given quarter.
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
        squares.push_boards(&row_set.crossings, 8, &mut found);
        return found;
    }
    let RowSet { top, bottom, .. } = *row_set;
    if !is_counted(top, bottom, h) {
        return found;
    }
    let of_bottom =
        Relation::of(bottom, top, h).expect("a bottom that is counted has no higher rank");
    // The top left quarter has queens in as many columns as rows, and the top right quarter those of the other rows.
    let lefts = column_sets_up_to(top, top.count_ones(), h);
    let rights = column_sets_up_to(top, h - top.count_ones(), h);
    for &(of_left, left) in &lefts {
        for &(of_right, right) in &rights {
            let weight = weight(of_bottom, of_left, of_right);
            if weight == Weight::Number(0) {
                continue;
            }
            let squares = squares.clone().with_columns([left, right]);
            match weight {
                Weight::Number(weight) => {
                    squares.push_boards(&row_set.crossings, weight, &mut found)
                }
                Weight::OfTopQuarter { is_left } => {
                    let rows = if is_left { top } else { complement(top, h) };
                    squares.push_by_mirror_weight(is_left, rows, row_set, &mut found);
                }
            }
        }
    }
    found
}

/// The column sets with `size` elements that do not rank higher than T, as conditions on columns. The sets of a
/// condition have one [`Relation`] to T, which comes with it.
fn column_sets_up_to(top: Set, size: u32, h: u32) -> Vec<(Relation, ColumnCondition)> {
    let mut found = Vec::new();
    let full = (1 << h) - 1;
    // A set and its complement have one rank, so the one of them that has as many elements as T is compared with T. If both
    // have as many, both rounds of the loop run, each for the sets whose compared form has element 0, which T has too.
    let both_have_as_many = top.count_ones() * 2 == h;
    for (compared_size, is_complement) in [(size, false), (h - size, true)] {
        if compared_size != top.count_ones() {
            continue;
        }
        // Turns the set that is compared with T into the set of the condition.
        let flips = if is_complement { full } else { 0 };
        for element in bits(top).map(Set::trailing_zeros).filter(|&i| !both_have_as_many || i > 0) {
            // The elements 0 to `element`: as in T before it, and without it.
            let known = (2 << element) - 1;
            let above = (top & (known >> 1)) ^ (flips & known);
            found.push((Relation::Lower, ColumnCondition { known, above }));
        }
        let tied = if is_complement { Relation::Complement } else { Relation::Top };
        found.push((tied, ColumnCondition { known: full, above: top ^ flips }));
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

    /// Closes squares so that the columns of the left and the right half meet their conditions: for each known column,
    /// those of the quarter where its queen is not.
    fn with_columns(mut self, halves: [ColumnCondition; 2]) -> Self {
        let n = self.n;
        let h = self.n / 2;
        for (is_left, ColumnCondition { known, above }) in [true, false].into_iter().zip(halves) {
            for from_border in bits(known).map(Set::trailing_zeros) {
                let closed_rows = if above >> from_border & 1 == 1 { h..n } else { 0..h };
                let column = self.column(is_left, from_border);
                closed_rows.for_each(|row| self.close(row, column));
            }
        }
        self
    }

    fn close(&mut self, row: u32, column: u32) {
        self.open[row as usize] &= !(1 << column);
    }

    /// These squares with one more queen; `None` if its square is closed or attacked.
    fn with_queen(&self, row: u32, column: u32) -> Option<Self> {
        let attacks =
            |&(r, c): &(u32, u32)| r == row || c == column || r.abs_diff(row) == c.abs_diff(column);
        if !self.is_open((row, column)) || self.placed.iter().any(attacks) {
            return None;
        }
        let mut squares = self.clone();
        squares.placed.push((row, column));
        Some(squares)
    }

    /// The column of the left or of the right half that is number `from_border`.
    fn column(&self, is_left: bool, from_border: u32) -> u32 {
        if is_left { from_border } else { self.n - 1 - from_border }
    }

    /// Adds the boards for fillings of the top quarter of one half, whose rows and columns are both `set`, with the
    /// weights that [`mirror_weight`] gives.
    fn push_by_mirror_weight(
        &self,
        is_left: bool,
        set: Set,
        row_set: &RowSet,
        found: &mut Vec<WeightedBoard>,
    ) {
        if set == 0 {
            return self.push_boards(&row_set.crossings, mirror_weight(None), found);
        }
        let first = set.trailing_zeros();
        let others = set & (set - 1);
        // One queen in row `first` and column `first`: the other rows and columns decide.
        if let Some(with_queen) = self.with_queen(first, self.column(is_left, first)) {
            with_queen.push_by_mirror_weight(is_left, others, row_set, found);
        }
        // A queen in row `first` and column c, and one in row r and column `first`.
        for c in bits(others).map(Set::trailing_zeros) {
            let Some(with_first) = self.with_queen(first, self.column(is_left, c)) else {
                continue;
            };
            for r in bits(others).map(Set::trailing_zeros).filter(|&r| r != c) {
                let weight = mirror_weight(Some((c, r)));
                let with_both = with_first.with_queen(r, self.column(is_left, first));
                if let Some(with_both) = with_both.filter(|_| weight > 0) {
                    with_both.push_boards(&row_set.crossings, weight, found);
                }
            }
        }
    }

    /// Adds the boards of these squares on which diagonals hold a queen, or none, as `crossings` say.
    fn push_boards(&self, crossings: &[Crossing], weight: u64, found: &mut Vec<WeightedBoard>) {
        let Some((crossing, others)) = crossings.split_first() else {
            found.extend(self.board().map(|board| WeightedBoard { board, weight }));
            return;
        };
        let diagonal = self.diagonal(*crossing);
        if !crossing.is_taken {
            let mut without = self.clone();
            diagonal.iter().for_each(|&(row, column)| without.close(row, column));
            without.push_boards(others, weight, found);
        } else if diagonal.iter().any(|square| self.placed.contains(square)) {
            // A placed queen is on the diagonal already.
            self.push_boards(others, weight, found);
        } else {
            for (row, column) in diagonal {
                if let Some(with_queen) = self.with_queen(row, column) {
                    with_queen.push_boards(others, weight, found);
                }
            }
        }
    }

    /// The squares of a diagonal in one half. Bits 0 to 31 of a key stand for falling diagonals, from left to right, bits
    /// 32 to 63 for rising ones, from right to left.
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

    fn square(&self, (row, column): (u32, u32)) -> Square {
        Square::from_top(row, column, self.n)
    }

    /// The board; `None` if a queen stands on a closed square.
    fn board(&self) -> Option<Board> {
        if !self.placed.iter().all(|&square| self.is_open(square)) {
            return None;
        }
        let placed: Vec<Square> = self.placed.iter().map(|&square| self.square(square)).collect();
        let all = (0..self.n).flat_map(|row| (0..self.n).map(move |column| (row, column)));
        let closed = all.filter(|&square| !self.is_open(square));
        let closed: Vec<Square> = closed.map(|square| self.square(square)).collect();
        Some(
            Board::with(self.n, &placed, &closed)
                .expect("each square is on the board and named once"),
        )
    }
}
