//! The *roots*: positions where the search of a board begins. A board has one root, or, if it has symmetries, one for
//! each set of patterns.
//!
//! Each of the four border lines holds one queen. The *depth* of a border queen is its distance to the
//! nearer corner of its line. The *pattern* of a solution is the greatest depth of its border queens,
//! with the squares of all border queens of that depth. A symmetry of the board carries solutions with
//! one pattern to solutions with the image of that pattern. So of each set of patterns that the
//! symmetries exchange, one is counted, times the size of the set: the number of symmetries of the
//! board, divided by the number of symmetries that leave the pattern unchanged.
//!
//! A pattern prunes well: its queens are placed, and on the other border lines all squares of its depth or more
//! are closed.

use tallyboard_base::bits::bits;

use crate::blocks::kernel::Start;
use crate::position::RowOrColumn::{self, Column, Row};
use crate::position::{Field, Position};
use crate::symmetry::{Symmetry, group};
use crate::{Board, Square};

/// A position, and the images that each of its solutions stands for.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub field: Field,
    pub position: Position,
    /// The queens of the position.
    pub queens: Vec<Square>,
    /// Symmetries that carry the solutions of this root to different ones, which no other root has: the identity among them.
    pub images: Vec<Symmetry>,
}

/// The roots of `board`. The number of its solutions is the sum over the roots of solutions times images.
pub(super) fn roots(board: &Board) -> Vec<Root> {
    let Some(whole) = root_of(board) else { return Vec::new() };
    let symmetries = group(board);
    // Without symmetries there is nothing to save. On one square the only queen is on all four borders. From n = 2 on,
    // two corners always attack each other: so some border queen stands outside the corners, and each of the deepest
    // queens stands on one border only.
    if symmetries.len() == 1 || board.n() == 1 {
        return vec![whole];
    }
    let deepest = (board.n() - 1) / 2;
    (1..=deepest)
        .flat_map(|depth| patterns(board.n(), depth))
        .filter_map(|pattern| {
            let images = pattern.images(board.n(), &symmetries)?;
            pattern.root(&whole, board.placed(), images)
        })
        .collect()
}

/// The board with its queens and closed squares; `None` if they contradict each other.
fn root_of(board: &Board) -> Option<Root> {
    let mut field = Field::new(board.n());
    for square in board.blocked() {
        field.close(square.rank(), square.file());
    }
    let position = board.placed().iter().try_fold(Position::default(), |position, square| {
        field.try_place(&position, square.rank(), square.file())
    })?;
    let queens = board.placed().to_vec();
    Some(Root { field, position, queens, images: vec![Symmetry::IDENTITY] })
}

/// The deepest border queens: their depth and their squares, at most four.
#[derive(Debug)]
struct Pattern {
    depth: u32,
    /// The squares of the deepest border queens, sorted.
    queens: Vec<Square>,
    /// The borders whose queen is nearer to a corner.
    others: Vec<RowOrColumn>,
}

/// All patterns of this depth. On each border the queen has this depth near the low end, or near the high end,
/// or it has a lower depth. On at least one border it has this depth.
fn patterns(n: u32, depth: u32) -> impl Iterator<Item = Pattern> {
    let ends = [depth, n - 1 - depth];
    // A lower depth, or one of the ends; both are one square if the depth is that of the middle.
    let choices = if ends[0] == ends[1] { 2 } else { 3 };
    let last = n - 1;
    let borders = [Row(0), Row(last), Column(0), Column(last)];
    // The choices of all borders make a number, that of the first border its highest digit.
    (1..choices_of(&borders, choices)).map(move |number| {
        let (mut queens, mut others) = (Vec::with_capacity(4), Vec::with_capacity(4));
        for (at, &border) in borders.iter().enumerate() {
            match number / choices_of(&borders[at + 1..], choices) % choices {
                0 => others.push(border),
                end => {
                    let (row, column) = border.square(ends[end - 1]);
                    queens.push(Square::new(column, row));
                }
            }
        }
        queens.sort_unstable();
        Pattern { depth, queens, others }
    })
}

/// The number of ways to make one of so many choices for each border.
fn choices_of(borders: &[RowOrColumn], choices: usize) -> usize {
    choices.pow(borders.len() as u32)
}

impl Pattern {
    /// A symmetry for each different image of this pattern. `None` if another image is lexicographically smaller: only
    /// the smallest of them is counted.
    fn images(&self, n: u32, symmetries: &[Symmetry]) -> Option<Vec<Symmetry>> {
        // Most patterns are refused, so their images are compared in place.
        let image = |symmetry: Symmetry| {
            let mut image = [self.queens[0]; 4];
            let squares = &mut image[..self.queens.len()];
            for (square, &queen) in squares.iter_mut().zip(&self.queens) {
                *square = symmetry.image(queen, n);
            }
            squares.sort_unstable();
            image
        };
        let is_smaller =
            |&symmetry: &Symmetry| image(symmetry)[..self.queens.len()] < self.queens[..];
        if symmetries.iter().any(is_smaller) {
            return None;
        }
        let mut images: Vec<Symmetry> = Vec::new();
        for &symmetry in symmetries {
            if !images.iter().any(|&other| image(other) == image(symmetry)) {
                images.push(symmetry);
            }
        }
        Some(images)
    }

    /// The root for this pattern: `whole` with its queens and closed squares. `None` if the board cannot have the
    /// pattern. `placed` are the queens that the board has from the start.
    fn root(&self, whole: &Root, placed: &[Square], images: Vec<Symmetry>) -> Option<Root> {
        let Root { mut field, mut position, mut queens, .. } = whole.clone();
        let n = field.n;
        for queen in self.queens.iter().filter(|queen| !placed.contains(queen)) {
            position = field.try_place(&position, queen.rank(), queen.file())?;
            queens.push(*queen);
        }
        for border in &self.others {
            for index in self.depth..n - self.depth {
                let (row, column) = border.square(index);
                if placed.contains(&Square::new(column, row)) {
                    return None;
                }
                field.close(row, column);
            }
        }
        Some(Root { field, position, queens, images })
    }
}

// Chooses the side of the board from which a kernel fills a position, by an estimate of the cost.

/// A position seen from one side: the start for the kernel, and its estimated cost in squares tried.
#[derive(Debug)]
pub(super) struct Orientation {
    pub start: Start,
    pub cost: f64,
    /// Whether the rows of the start are columns of the board.
    pub by_column: bool,
    /// Whether the start begins with the last of these lines.
    pub reversed: bool,
}

impl Orientation {
    /// The cheapest of the four sides of `position`; `None` if some line has no open square left.
    pub fn cheapest(field: &Field, position: &Position) -> Option<Self> {
        let rows = field.rows_left(position);
        let columns = field.columns_left(position);
        let by_row = open_lines(rows, |row| field.open_in_row(position, row))?;
        let by_column = open_lines(columns, |column| field.open_in_column(position, column))?;
        let starts = [
            Start::new(columns, by_row.iter().copied()),
            Start::new(columns, by_row.iter().copied().rev()),
            Start::new(rows, by_column.iter().copied()),
            Start::new(rows, by_column.iter().copied().rev()),
        ];
        let sides = starts.into_iter().enumerate().map(|(side, start)| {
            let (by_column, reversed) = (side >= 2, side % 2 == 1);
            Self { cost: cost(&start), start, by_column, reversed }
        });
        sides.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }
}

/// Each of the rows, or of the columns, in `lines` with its open squares; `None` if one has none.
fn open_lines(lines: u32, open_squares: impl Fn(u32) -> u32) -> Option<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    for line in bits(lines).map(u32::trailing_zeros) {
        match open_squares(line) {
            0 => return None,
            squares => found.push((line, squares)),
        }
    }
    Some(found)
}

/// How much longer kernels take per square if the start does not fit 16 bits.
const WIDE_COST_FACTOR: f64 = 2.0;

/// The cost of `start`: the estimated number of squares that a kernel tries below it, times
/// [`WIDE_COST_FACTOR`] if it does not fit 16 bits.
fn cost(start: &Start) -> f64 {
    if start.fits_16_bits() {
        squares_tried::<16>(start)
    } else {
        WIDE_COST_FACTOR * squares_tried::<32>(start)
    }
}

/// Estimates how many squares a row-by-row search tries on a board at most `W` wide.
///
/// 1. A square is `free` with the product of the probabilities that its column and its two diagonals are free, which are
///    taken as independent.
/// 2. The queen of a row stands on a square with the `share` that the square has in the row's sum of `free`.
/// 3. A line holds one queen at most: it is free with one minus the sum of the shares of its squares above.
/// 4. `nodes`, the ways to fill the rows so far, grows by the factor of the row's sum; each way tries one square for each
///    of them, so that the squares tried are the sum of `nodes` over all rows.
///
/// This is good enough to choose between sides and to order subtrees. The result is the same on every machine: it
/// is made by additions, multiplications and divisions in a fixed order.
fn squares_tried<const W: usize>(start: &Start) -> f64 {
    let mut column = [0.0_f32; W];
    // Diagonals by column + row, and by column - row from -2W on; no board is higher than 2W.
    let mut sums = [[0.0_f32; W]; 3];
    let mut differences = [[0.0_f32; W]; 3];
    let sums = sums.as_flattened_mut();
    let differences = differences.as_flattened_mut();
    // Estimated numbers: of the ways to fill the rows so far, and of all squares tried.
    let mut nodes = 1.0_f64;
    let mut tried = 0.0_f64;
    // Counted from the first row of the start; there may be filled rows between two rows of the start.
    let mut board_row = 0;
    // The kernels count the last two rows without trying their squares.
    for row in 0..start.rows().saturating_sub(2) {
        let sums = &mut sums[board_row..][..W];
        let differences = &mut differences[2 * W - board_row..][..W];
        let mut free = [0.0_f32; W];
        for index in 0..W {
            let open = (start.open(row) >> index & 1) as f32;
            free[index] = open
                * free_probability(column[index])
                * free_probability(sums[index])
                * free_probability(differences[index]);
        }
        let free_squares = sum(&free);
        if free_squares <= 0.0 {
            break;
        }
        nodes *= f64::from(free_squares);
        tried += nodes;
        for index in 0..W {
            let share = free[index] / free_squares;
            column[index] += share;
            sums[index] += share;
            differences[index] += share;
        }
        board_row += start.gap(row) as usize;
    }
    tried
}

/// The probability that a line is free which holds a queen with the probability `taken`.
fn free_probability(taken: f32) -> f32 {
    (1.0 - taken).max(0.0)
}

/// The sum in a fixed order that four lanes can compute in parallel.
fn sum<const W: usize>(values: &[f32; W]) -> f32 {
    let mut lanes = [0.0_f32; 4];
    for index in 0..W {
        lanes[index % 4] += values[index];
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}
