//! Any number of queens, none included, on an n × n board where no two attack each other.

use std::collections::BTreeSet;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use tallyboard::program::{Counting, Error, Resources, Run};
use tallyboard::search::{Costs, Problem, Stop, Stopped, Tally};

/// Count the sets of queens, of any size, that do not attack each other
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Arguments {
    /// Rows of the board, from 1 to 20
    n: u32,
}

impl Counting for Arguments {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        match self.n {
            1..=20 => Ok(Peaceful::new(self.n).into()),
            n => Err(format!("found a board of {n} rows, expected 1 to 20").into()),
        }
    }

    fn known(&self) -> Option<u128> {
        (self.n == 16).then_some(8_870_886_701_401)
    }

    fn source(&self) -> &'static str {
        "OEIS A287227"
    }

    fn noun(&self) -> &'static str {
        "set"
    }
}

/// A queen by row and column.
type Square = (u32, u32);

/// All sets of queens on a board of n rows that do not attack each other.
///
/// The outermost ring of squares that holds queens is the border of a smaller board. Ways to set queens on a border
/// are images of each other by rotation and reflection. One of each set of images is searched for the sets inside,
/// and their number multiplied by the number of images. Each way to fill the first row inside is a subtree.
pub struct Peaceful {
    n: u32,
    subtrees: Vec<Subtree>,
}

/// The rows to fill, at least three, inside a border.
struct Subtree {
    /// The squares that the queens on the border do not attack: a word each row, a bit each column.
    open: Vec<u32>,
    /// The squares that the queen on the row before attacks.
    attacks: Attacks,
    /// How many images the queens on the border have.
    images: u64,
}

impl Peaceful {
    /// For n from 1 to 20. The 18 rows inside a border have at most 3.0 * 10^18 sets, which fits in
    /// 64 bits: there are that many sets of rooks that do not attack each other (OEIS A002720).
    pub fn new(n: u32) -> Self {
        let mut subtrees = Vec::new();
        add_subtrees(0, &[], 1, &mut subtrees); // The empty set, on no rows.
        for size in (1..=n).rev().step_by(2) {
            add_borders(size, &mut Vec::new(), &mut subtrees);
        }
        Self { n, subtrees }
    }
}

/// Adds the subtrees of a board of `size` rows for each border that has `queens`, and possibly more on later squares.
fn add_borders(size: u32, queens: &mut Vec<Square>, subtrees: &mut Vec<Subtree>) {
    let images = images(size, queens);
    if !queens.is_empty() && images.first() == Some(queens) {
        add_subtrees(size, queens, images.len() as u64, subtrees);
    }
    let squares = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
    let outer = [0, size - 1];
    for square in squares.filter(|(row, column)| outer.contains(row) || outer.contains(column)) {
        if queens.iter().all(|&queen| queen < square && !attacks(queen, square)) {
            queens.push(square);
            add_borders(size, queens, subtrees);
            queens.pop();
        }
    }
}

/// Adds the ways to fill the first row inside a border with these queens.
fn add_subtrees(size: u32, queens: &[Square], images: u64, subtrees: &mut Vec<Subtree>) {
    let inside = 1..size.saturating_sub(1);
    let is_open = |square: Square| !queens.iter().any(|&queen| attacks(queen, square));
    let open_row = |row| {
        let columns = inside.clone().filter(|&column| is_open((row, column)));
        columns.map(|column| 1 << column).sum()
    };
    let mut open: Vec<u32> = inside.clone().map(open_row).collect();
    // Closed rows make up three after the first: the search ends with two rows below one.
    open.resize(open.len().max(4), 0);
    let first = open.remove(0);
    let queens = (0..size).map(|column| 1 << column).filter(|bit| first & bit != 0);
    subtrees.extend(queens.chain([0]).map(|queen| Subtree {
        open: open.clone(),
        attacks: Attacks::default().below(queen),
        images,
    }));
}

/// The images of `queens` by rotation and reflection, each with its queens in order.
fn images(size: u32, queens: &[Square]) -> BTreeSet<Vec<Square>> {
    let mut images = BTreeSet::new();
    let mut image = queens.to_vec();
    for turn in 0..8 {
        images.insert(image.clone());
        for (row, column) in &mut image {
            // A quarter turn, but the fourth time a reflection.
            (*row, *column) = (*column, if turn == 3 { *row } else { size - 1 - *row });
        }
        image.sort_unstable();
    }
    images
}

fn attacks(a: Square, b: Square) -> bool {
    let rows = a.0.abs_diff(b.0);
    let columns = a.1.abs_diff(b.1);
    rows == 0 || columns == 0 || rows == columns
}

impl Problem for Peaceful {
    fn identity(&self) -> String {
        format!("sets of queens n={} algorithm=1 layout=1", self.n)
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(cost).collect())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Subtree { open, attacks, images } = &self.subtrees[subtree];
        Ok(Tally::new(u128::from(fill(open, *attacks, stop)?) * u128::from(*images)))
    }
}

/// An estimate in proportion to the nodes of a subtree. Of the squares that queens above it leave free, about a third is
/// taken to stay free of the queens inside. Costs are whole numbers, so they begin at 100.
fn cost(subtree: &Subtree) -> u64 {
    let mut cost = 100.0;
    let mut attacks = subtree.attacks;
    for &row in &subtree.open {
        cost *= 1.0 + 0.35 * f64::from(attacks.free(row).count_ones());
        attacks = attacks.below(0);
    }
    cost as u64
}

/// The squares of the next row that queens above attack: along columns, and along both diagonals.
#[derive(Clone, Copy, Default)]
struct Attacks {
    columns: u32,
    rising: u32,
    falling: u32,
}

impl Attacks {
    /// The squares of `open` that are not attacked.
    fn free(self, open: u32) -> u32 {
        open & !(self.columns | self.rising | self.falling)
    }

    /// The squares of the row below that are attacked if a queen is set on the square `bit`, or
    /// none if it is 0.
    fn below(self, bit: u32) -> Self {
        let Self { columns, rising, falling } = self;
        Self { columns: columns | bit, rising: (rising | bit) << 1, falling: (falling | bit) >> 1 }
    }
}

/// The sets of queens on the rows whose `open` squares are given, three or more.
fn fill(open: &[u32], attacks: Attacks, stop: &Stop) -> Result<u64, Stopped> {
    // Often enough: a node with ten rows has millions of nodes below it.
    if open.len() == 10 {
        stop.check()?;
    }
    let count_below = |queen| {
        let attacks = attacks.below(queen);
        match open[1..] {
            [upper, lower] => Ok(last_two(attacks.free(upper), attacks.below(0).free(lower))),
            ref rows => fill(rows, attacks, stop),
        }
    };
    let mut found = count_below(0)?;
    let mut free = attacks.free(open[0]);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        found += count_below(queen)?;
    }
    Ok(found)
}

/// The sets of queens on two rows with these free squares: none, one, or two that do not attack each other.
fn last_two(upper: u32, lower: u32) -> u64 {
    let a = upper.count_ones();
    let b = lower.count_ones();
    // In one column, or on one diagonal.
    let attacking = [lower, lower << 1, lower >> 1].map(|lower| (upper & lower).count_ones());
    u64::from(1 + a + b + a * b - attacking.iter().sum::<u32>())
}

fn main() -> ExitCode {
    tallyboard::program::main::<Arguments>("peaceful", "14")
}
