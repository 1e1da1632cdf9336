//! Any number of queens, none included, on an n × n board where no two attack each other.

use std::collections::BTreeSet;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use tallyboard::program::{Counting, Error, Settings};
use tallyboard::search::{Costs, Problem, Stop, Stopped, Tally};

/// Count the sets of queens, of any size, that do not attack each other
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Arguments {
    /// Rows of the board, from 1 to 20
    n: u32,
}

impl Counting for Arguments {
    type Problem = Peaceful;
    const NAME: &'static str = "peaceful";
    const EXAMPLE: &'static str = "14";
    const SOURCE: &'static str = "OEIS A287227";

    fn problem(&self, _: &Settings) -> Result<Peaceful, Error> {
        match self.n {
            1..=20 => Ok(Peaceful::new(self.n)),
            n => Err(format!("found a board of {n} rows, expected 1 to 20").into()),
        }
    }

    fn known(&self) -> Option<u128> {
        match self.n {
            8 => Some(118_969),
            16 => Some(8_870_886_701_401),
            _ => None,
        }
    }

    fn title(&self, _: &str) -> String {
        format!("sets of queens on {} rows", self.n)
    }
}

/// A queen by row and column.
type Square = (u32, u32);

/// All sets of queens on a board of n rows that do not attack each other.
///
/// Every set but the empty one has an outermost ring of squares that is not empty. That ring is the border
/// of a smaller board, and holds four queens at most. Of all ways to set queens there, one of each set of
/// images (by rotation and reflection) is a subtree: it counts the sets inside that border, times the
/// number of images.
pub struct Peaceful {
    n: u32,
    borders: Vec<Border>,
}

/// Queens on the border of a board of `size` rows.
struct Border {
    size: u32,
    queens: Vec<Square>,
    /// How many different images there are.
    images: u64,
}

impl Peaceful {
    /// For n from 1 to 20. Inside the border of 20 rows there are at most 3.0 * 10^18 sets: that many sets of
    /// rooks do not attack each other on 18 rows (OEIS A002720). The number fits in 64 bits.
    pub fn new(n: u32) -> Self {
        let mut borders = Vec::new();
        // An empty ring inside the smallest board: all rings are empty, there is one way.
        borders.push(Border { size: 0, queens: Vec::new(), images: 1 });
        for size in (1..=n).rev().step_by(2) {
            add_borders(size, &mut Vec::new(), &mut borders);
        }
        Self { n, borders }
    }
}

/// Adds the borders of a board of `size` rows that `queens` begin, with more queens on later squares: the
/// first of all images alone.
fn add_borders(size: u32, queens: &mut Vec<Square>, borders: &mut Vec<Border>) {
    let images = images(size, queens);
    if !queens.is_empty() && images.first() == Some(queens) {
        borders.push(Border { size, queens: queens.clone(), images: images.len() as u64 });
    }
    let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let outer = |at: u32| at == 0 || at == size - 1;
    for square in squares.filter(|&(row, column)| outer(row) || outer(column)) {
        let later = queens.last().is_none_or(|&last| last < square);
        if later && !queens.iter().any(|&queen| attacks(queen, square)) {
            queens.push(square);
            add_borders(size, queens, borders);
            queens.pop();
        }
    }
}

/// The images of `queens` by rotation and reflection, each with its queens in order.
fn images(size: u32, queens: &[Square]) -> BTreeSet<Vec<Square>> {
    let mut images = BTreeSet::new();
    let mut image = queens.to_vec();
    for turn in 0..8 {
        images.insert(image.clone());
        for (row, column) in &mut image {
            // A quarter turn; after four of them the board is reflected once.
            (*row, *column) = (*column, size - 1 - *row);
            if turn == 3 {
                *row = size - 1 - *row;
            }
        }
        image.sort_unstable();
    }
    images
}

fn attacks(a: Square, b: Square) -> bool {
    let (rows, columns) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    rows == 0 || columns == 0 || rows == columns
}

impl Border {
    /// The squares inside the border that its queens leave open: a word each row, a bit each column, and
    /// at least two rows.
    fn open_rows(&self) -> Vec<u32> {
        let inside = 1..self.size.saturating_sub(1);
        let open = |square: Square| !self.queens.iter().any(|&queen| attacks(queen, square));
        let row = |row| inside.clone().filter(|&column| open((row, column))).map(|c| 1 << c).sum();
        let mut rows: Vec<u32> = inside.clone().map(row).collect();
        rows.resize(rows.len().max(2), 0);
        rows
    }
}

impl Problem for Peaceful {
    fn identity(&self) -> String {
        format!("peaceful queens n={} algorithm=1 layout=1", self.n)
    }

    fn split(&self) -> Costs {
        Costs::new(self.borders.iter().map(cost).collect())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let border = &self.borders[subtree];
        let inside = fill(&border.open_rows(), Attacks::default(), stop)?;
        Ok(Tally::new(u128::from(inside) * u128::from(border.images)))
    }
}

/// About in proportion to the nodes of a subtree.
fn cost(border: &Border) -> u64 {
    border.open_rows().iter().map(|row| 1.0 + 0.5 * f64::from(row.count_ones())).product::<f64>()
        as u64
}

/// The squares of the next row that queens above attack: along columns, and along both diagonals.
#[derive(Clone, Copy, Default)]
struct Attacks {
    columns: u32,
    rising: u32,
    falling: u32,
}

impl Attacks {
    fn any(self) -> u32 {
        self.columns | self.rising | self.falling
    }

    /// Those of the row below, after a queen is set on the square `bit`, or none where it is 0.
    fn below(self, bit: u32) -> Self {
        let Self { columns, rising, falling } = self;
        Self { columns: columns | bit, rising: (rising | bit) << 1, falling: (falling | bit) >> 1 }
    }
}

/// The sets of queens on the rows whose `open` squares are given, two or more.
fn fill(open: &[u32], attacks: Attacks, stop: &Stop) -> Result<u64, Stopped> {
    if let &[upper, lower] = open {
        return Ok(last_two(upper & !attacks.any(), lower & !attacks.below(0).any()));
    }
    // Millions of nodes are below one with ten rows.
    if open.len() == 10 {
        stop.check()?;
    }
    let mut found = fill(&open[1..], attacks.below(0), stop)?;
    let mut free = open[0] & !attacks.any();
    while free != 0 {
        let bit = free & free.wrapping_neg();
        free ^= bit;
        found += fill(&open[1..], attacks.below(bit), stop)?;
    }
    Ok(found)
}

/// The sets of queens on two rows with these free squares: none, one, or two that do not attack each other.
fn last_two(upper: u32, lower: u32) -> u64 {
    let (a, b) = (upper.count_ones(), lower.count_ones());
    let attacking = [lower, lower << 1, lower >> 1].map(|from| (upper & from).count_ones());
    u64::from(1 + a + b + a * b - attacking.iter().sum::<u32>())
}

fn main() -> ExitCode {
    tallyboard::program::main::<Arguments>()
}
