//! What engines are checked against: row by row, each star against all before it.

use tallyboard_regions::Board;

/// Calls `found` with each solution, until it returns `false`. The search shares nothing with the engines.
pub fn naive(board: &Board, found: &mut dyn FnMut(&[u32]) -> bool) {
    let size = board.size();
    let mut search = Search {
        board,
        rows: vec![0; size],
        columns: vec![0; size],
        regions: vec![0; size],
        found,
    };
    search.place(0, 0, 0);
}

/// The number of solutions, up to a limit.
pub fn naive_count(board: &Board, limit: u64) -> u64 {
    let mut count = 0;
    naive(board, &mut |_| {
        count += 1;
        count < limit
    });
    count
}

struct Search<'a> {
    board: &'a Board,
    rows: Vec<u32>,
    columns: Vec<usize>,
    regions: Vec<usize>,
    found: &'a mut dyn FnMut(&[u32]) -> bool,
}

impl Search<'_> {
    /// Places the stars that `row` lacks, from `column` on, and those of the rows below. Returns whether to go on.
    fn place(&mut self, row: usize, column: usize, in_row: usize) -> bool {
        let (size, stars) = (self.board.size(), self.board.stars());
        if row == size {
            return (self.found)(&self.rows);
        }
        if in_row == stars {
            let given = self.board.rows()[row].stars;
            return given & !self.rows[row] != 0 || self.place(row + 1, 0, 0);
        }
        let above = if row > 0 { self.rows[row - 1] } else { 0 };
        for column in column..size {
            let region = usize::from(self.board.regions()[row * size + column]);
            let bit = 1u32 << column;
            let touches =
                (bit | bit << 1 | bit >> 1) & above != 0 || bit >> 1 & self.rows[row] != 0;
            let is_open = self.board.rows()[row].possible & bit != 0;
            if touches || !is_open || self.columns[column] == stars || self.regions[region] == stars
            {
                continue;
            }
            self.rows[row] |= bit;
            self.columns[column] += 1;
            self.regions[region] += 1;
            let goes_on = self.place(row, column + 1, in_row + 1);
            self.rows[row] &= !bit;
            self.columns[column] -= 1;
            self.regions[region] -= 1;
            if !goes_on {
                return false;
            }
        }
        true
    }
}
