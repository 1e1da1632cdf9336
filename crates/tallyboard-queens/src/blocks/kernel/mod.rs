//! The bitmask backtrackers: each counts the ways to complete a [`Start`].
//!
//! A kernel never allocates per node, prints or spawns. All are the same algorithm, in `batch.rs`,
//! over vectors of different width.

mod batch;
mod nodes;
mod portable;
mod trail;

pub use nodes::{MAX_ROWS, StackMemory, Start};
pub use trail::Uses;

use tallyboard_base::bits::bits;
use tallyboard_base::cpu::{Instructions, in_kernel, kernel_modules};
use tallyboard_search::{Stop, Stopped};

kernel_modules!();

/// Counts the ways to complete `start` with these `instructions`. `memory` was made for at least as
/// many rows.
///
/// # Errors
/// [`Stopped`] within microseconds after `stop` is raised.
pub fn count(
    instructions: Instructions,
    start: &Start,
    memory: &mut StackMemory,
    stop: &Stop,
) -> Result<u64, Stopped> {
    // A kernel fills its stacks from the first row, and counts the last three together.
    if start.rows() < 4 {
        return Ok(few_rows(start, 0, [0; 3], &mut |_, _, _| ()));
    }
    in_kernel!(instructions, count(start, memory, None, stop))
}

/// [`count`] that also sets the first rows of `uses` to the number of ways that use each square. `memory` was made
/// [with trails](StackMemory::with_trails).
pub fn tally(
    instructions: Instructions,
    start: &Start,
    memory: &mut StackMemory,
    uses: &mut Uses,
    stop: &Stop,
) -> Result<u64, Stopped> {
    uses[..start.rows()].fill([0; MAX_ROWS]);
    if start.rows() < 4 {
        return Ok(few_rows(start, 0, [0; 3], &mut |row, column, ways| uses[row][column] += ways));
    }
    in_kernel!(instructions, count(start, memory, Some(uses), stop))
}

/// The plain recursion, for starts with fewer than four rows. Calls `used` with the number of ways below each square that it tries,
/// by row and column.
fn few_rows(
    start: &Start,
    row: usize,
    [columns, falling, rising]: [u32; 3],
    used: &mut impl FnMut(usize, usize, u64),
) -> u64 {
    if row == start.rows() {
        return 1;
    }
    let gap = start.gap(row);
    bits(start.open(row) & !(columns | falling | rising))
        .map(|square| {
            let child = [columns | square, (falling | square) << gap, (rising | square) >> gap];
            let ways = few_rows(start, row + 1, child, used);
            used(row, square.trailing_zeros() as usize, ways);
            ways
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::MAX_ROWS;
    use super::*;
    use tallyboard_base::random::Random;

    /// The ways to complete `start` and how many of them use each square, by the plain recursion.
    fn oracle(start: &Start) -> (u64, Uses) {
        let mut uses = [[0; MAX_ROWS]; MAX_ROWS];
        let mut used = |row: usize, column: usize, ways: u64| uses[row][column] += ways;
        let ways = few_rows(start, 0, [0; 3], &mut used);
        (ways, uses)
    }

    /// Fails unless every kernel counts and tallies `start` as the plain recursion does. Returns the number of ways.
    fn assert_kernels_agree(start: &Start) -> u64 {
        let mut memory = StackMemory::with_trails(MAX_ROWS);
        let (ways, expected) = oracle(start);
        for kernel in Instructions::all() {
            let counted = count(kernel, start, &mut memory, &Stop::new());
            assert_eq!(counted, Ok(ways), "{kernel:?}, {start:?}");
            let mut uses = [[7; MAX_ROWS]; MAX_ROWS];
            let tallied = tally(kernel, start, &mut memory, &mut uses, &Stop::new());
            assert_eq!(tallied, Ok(ways), "{kernel:?}, {start:?}");
            let rows = start.rows();
            assert_eq!(uses[..rows], expected[..rows], "{kernel:?}, {start:?}");
        }
        ways
    }

    /// `rows` rows of a board, with gaps between rows and between columns.
    fn random_start(rows: u32, [width, height]: [u32; 2], random: &mut Random) -> Start {
        let mut choose = |below| {
            let mut chosen = 0_u32;
            while chosen.count_ones() < rows {
                chosen |= 1 << random.below(below);
            }
            chosen
        };
        let (positions, columns) = (choose(height), choose(width));
        let closed = random.below(3);
        let lines: Vec<_> = bits(positions)
            .map(|position| {
                let open = (0..closed).fold(u32::MAX, |open, _| open & !(1 << random.below(width)));
                (position.trailing_zeros(), open)
            })
            .collect();
        Start::new(columns, lines.into_iter())
    }

    #[test]
    fn all_kernels_agree_with_the_plain_recursion() {
        let mut random = Random::from_seed(0x7461_6c6c_7962);
        let mut solvable = 0;
        // The last three have few columns and rows far apart: short words and long shifts.
        let sizes =
            [[6, 6], [9, 9], [16, 16], [17, 17], [24, 24], [32, 32], [9, 20], [16, 32], [17, 32]];
        for size in sizes {
            for rows in 0..=size[0].min(9) {
                for _ in 0..16 {
                    let start = random_start(rows, size, &mut random);
                    solvable += u32::from(assert_kernels_agree(&start) > 0);
                }
            }
        }
        assert!(solvable > 200, "only {solvable} starts had solutions");
    }

    /// The sum of three gaps may be 16 or more, too far for a shift of 16-bit words, though such words hold
    /// every column. Tests the longest distance that fits, and the first that does not.
    #[test]
    fn rows_far_apart_are_counted_too() {
        let mut random = Random::from_seed(0x6761_7073);
        for (reach, _) in (12..=20).flat_map(|reach| (0..60).map(move |number| (reach, number))) {
            let near = 1 + random.below(reach - 2);
            let middle = 1 + random.below(reach - near - 1);
            let rows = [0, 1, 2, 3, 3 + near, 3 + near + middle, 3 + reach];
            let columns = (0..7).fold(1, |columns, _| columns | 1 << (1 + random.below(15)));
            let columns: u32 = bits(columns).take(7).sum();
            let rows = &rows[7 - columns.count_ones() as usize..];
            let start = Start::new(columns, rows.iter().map(|&row| (row, u32::MAX)));
            assert_kernels_agree(&start);
        }
    }

    /// Trails of many rows need a second group of words. Each row has the square of one known solution and some others.
    #[test]
    fn tall_starts_with_few_open_squares_are_tallied_too() {
        let mut random = Random::from_seed(0x7472_6169_6c73);
        let mut several = 0;
        for rows in (12..=32).filter(|rows| rows % 6 != 2 && rows % 6 != 3) {
            // The staircase of knight's moves that solves these boards.
            let square = |row| (2 * row + 1) % (rows + u32::from(rows % 2 == 0));
            // The plain recursion tries them all.
            let most_others = if rows <= 18 { 4 } else { 2 };
            for _ in 0..4 {
                let lines: Vec<_> = (0..rows)
                    .map(|row| {
                        let others =
                            (0..most_others).fold(0, |open, _| open | 1 << random.below(rows));
                        (row, 1 << square(row) | others)
                    })
                    .collect();
                let start = Start::new(u32::MAX >> (32 - rows), lines.into_iter());
                let ways = assert_kernels_agree(&start);
                assert!(ways > 0, "{rows} rows");
                several += u32::from(ways > 1);
            }
        }
        assert!(several > 3, "only {several} starts had more than one solution");
    }

    /// Lines 0, 2, 4 … or 0, 3, 6 … of a larger board have the solutions of the small board. So words of 32
    /// bits, long gaps and full stacks are tested together.
    #[test]
    fn a_board_drawn_larger_has_the_same_solutions() {
        for (n, scale, solutions) in [(11, 1, 2680), (11, 2, 2680), (11, 3, 2680), (12, 2, 14_200)]
        {
            let columns = (0..n).fold(0, |columns, column| columns | 1 << (scale * column));
            let rows: Vec<_> = (0..n).map(|row| (scale * row, u32::MAX)).collect();
            let starts = [
                Start::new(columns, rows.iter().copied()),
                Start::new(columns, rows.iter().rev().copied()),
            ];
            for start in starts {
                assert_eq!(assert_kernels_agree(&start), solutions, "{n} times {scale}");
            }
        }
    }

    #[test]
    fn a_kernel_that_is_asked_to_stop_does() {
        let rows: Vec<_> = (0..20).map(|row| (row, u32::MAX)).collect();
        let start = Start::new((1 << 20) - 1, rows.into_iter());
        let stop = Stop::new();
        stop.request();
        for kernel in Instructions::all() {
            assert_eq!(count(kernel, &start, &mut StackMemory::new(20), &stop), Err(Stopped));
        }
    }
}
