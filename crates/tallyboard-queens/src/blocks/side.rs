//! Chooses the side of the board from which a kernel fills a position, by an estimate of the cost.

use super::kernel::Start;
use crate::position::{Field, Position};
use tallyboard_base::bits::bits;

/// A position seen from one side: the start for the kernel, and its estimated cost in squares tried.
#[derive(Debug)]
pub(super) struct Orientation {
    pub start: Start,
    pub cost: f64,
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
        let sides = starts.into_iter().map(|start| Self { cost: cost(&start), start });
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
/// Each square has an estimated probability to be free. The queen of a row stands on each square with a
/// probability in proportion to that. No line holds two queens, so the probability that a line is free is one
/// minus the sum of the probabilities that a queen stands on one of its squares above. A square is free if its column
/// and both diagonals are, which are taken as independent. This is good enough to choose between sides and to order
/// subtrees. The result is the same on every machine: additions, multiplications and divisions in a fixed order.
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
    // The row of the board, if the first row of the start is row 0: there may be filled rows between two of them.
    let mut position = 0;
    // The kernels count the last two rows without trying their squares.
    for row in 0..start.rows().saturating_sub(2) {
        let sums = &mut sums[position..][..W];
        let differences = &mut differences[2 * W - position..][..W];
        let mut free = [0.0_f32; W];
        for index in 0..W {
            let open = (start.open(row) >> index & 1) as f32;
            free[index] = open
                * free_probability(column[index])
                * free_probability(sums[index])
                * free_probability(differences[index]);
        }
        let sum = sum(&free);
        if sum <= 0.0 {
            break;
        }
        nodes *= f64::from(sum);
        tried += nodes;
        for index in 0..W {
            let share = free[index] / sum;
            column[index] += share;
            sums[index] += share;
            differences[index] += share;
        }
        position += start.gap(row) as usize;
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
