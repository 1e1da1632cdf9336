//! Row-by-row backtracking until the first solution.

use super::{Placement, Random};
use crate::place::budget::{Budget, LimitReached};
use crate::place::repairs::OccupiedLines;

/// The order in which backtracking fills the rows. Columns are always tried from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the top row down, as in textbooks: finds the lexicographically first solution.
    TopDown,
    /// Always the row with the fewest free squares (the 'minimum remaining values' rule), and at first, of several
    /// such rows, the one nearest the middle: finds a different solution, and succeeds on boards of hundreds of rows.
    FewestFirst,
}

/// The first solution that backtracking finds, where `lines` has no queens yet; `None` if there is none.
pub(super) fn backtrack(
    mut lines: OccupiedLines,
    order: Order,
    budget: &mut Budget,
) -> Result<Option<Placement>, LimitReached> {
    let mut columns = vec![0; lines.n];
    let found = match order {
        Order::TopDown => fill_down(&mut lines, &mut columns, 0, budget, u64::MAX)?,
        Order::FewestFirst => fill_fewest_first(&mut lines, &mut columns, budget)?,
    };
    Ok(found.then(|| Placement::new(columns)))
}

/// Fills the rows from `top` to the last by backtracking. Returns false if that is impossible, or at the first dead end
/// after `max_steps` steps.
///
/// `lines` holds the queens above `top`. When this returns false, queens below those may be left in it.
pub(super) fn fill_down(
    lines: &mut OccupiedLines,
    columns: &mut [u32],
    top: u32,
    budget: &mut Budget,
    max_steps: u64,
) -> Result<bool, LimitReached> {
    let rows = columns.len() as u32;
    let last_step = budget.steps.saturating_add(max_steps);
    let mut row = top;
    // The first column to try in this row.
    let mut from = 0;
    while row < rows {
        if let Some(column) = lines.next_free(row, from) {
            budget.count_step()?;
            lines.toggle(row, column);
            columns[row as usize] = column;
            row += 1;
            from = 0;
        } else if row == top || budget.steps >= last_step {
            return Ok(false);
        } else {
            row -= 1;
            let column = columns[row as usize];
            lines.toggle(row, column);
            from = column + 1;
        }
    }
    Ok(true)
}

/// Fills all rows by backtracking, always the row with the fewest free squares. Returns false if that is impossible.
fn fill_fewest_first(
    lines: &mut OccupiedLines,
    columns: &mut [u32],
    budget: &mut Budget,
) -> Result<bool, LimitReached> {
    // Sorted from the middle outwards at first. `rows[..depth]` hold queens, in the order of placing.
    let n = columns.len() as u32;
    let mut rows: Vec<u32> = (0..n).collect();
    rows.sort_by_key(|&row| (2 * row + 1).abs_diff(n));
    let mut depth = 0;
    // After a step back, the first column that is left to try in `rows[depth]`. `None` if this row is still to be chosen.
    let mut resume_at = None;
    while depth < rows.len() {
        let start = match resume_at.take() {
            Some(start) => start,
            None => {
                choose_tightest(lines, &mut rows[depth..], budget)?;
                0
            }
        };
        let row = rows[depth];
        if let Some(column) = lines.next_free(row, start) {
            budget.count_step()?;
            lines.toggle(row, column);
            columns[row as usize] = column;
            depth += 1;
        } else if depth == 0 {
            return Ok(false);
        } else {
            depth -= 1;
            let row = rows[depth];
            lines.toggle(row, columns[row as usize]);
            resume_at = Some(columns[row as usize] + 1);
        }
    }
    Ok(true)
}

/// Swaps the row with the fewest free squares to the front of `rows`.
fn choose_tightest(
    lines: &OccupiedLines,
    rows: &mut [u32],
    budget: &mut Budget,
) -> Result<(), LimitReached> {
    let mut tightest = 0;
    let mut fewest = u32::MAX;
    for (index, &row) in rows.iter().enumerate() {
        budget.count_reads(lines.words_per_row())?;
        let free = lines.free_count(row);
        if free < fewest {
            tightest = index;
            fewest = free;
        }
    }
    rows.swap(0, tightest);
    Ok(())
}

// Las Vegas: fills some rows at random and the others by backtracking; if that fails, starts again.

/// A solution whose first `random_rows` queens, at most n, stand on random free squares. The board must have
/// a solution, otherwise this never ends.
pub(super) fn las_vegas(
    n: u32,
    random_rows: u32,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Placement, LimitReached> {
    let empty = OccupiedLines::new(n);
    let mut columns = vec![0; n as usize];
    loop {
        // The limit grows with each restart, so that at last some try backtracks to its end, even with few random rows.
        let max_steps = 10 * u64::from(n) + budget.restarts;
        let mut lines = empty.clone();
        if place_at_random(&mut lines, &mut columns[..random_rows as usize], random, budget)?
            && fill_down(&mut lines, &mut columns, random_rows, budget, max_steps)?
        {
            return Ok(Placement::new(columns));
        }
        budget.count_restart()?;
    }
}

/// The default number of random rows.
pub(super) fn usual_random_rows(n: u32) -> u32 {
    // By measurement, the fastest number for 36 to 200 queens is between 65 and 80 percent of n.
    (u64::from(n) * 7 / 10) as u32
}

/// Puts a queen on a random free square of each of the first rows, one for each entry of `columns`. Returns false if a
/// row has none.
fn place_at_random(
    lines: &mut OccupiedLines,
    columns: &mut [u32],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<bool, LimitReached> {
    for (row, column_of_row) in (0u32..).zip(columns) {
        budget.count_reads(lines.words_per_row())?;
        let free = lines.free_count(row);
        if free == 0 {
            return Ok(false);
        }
        let column = lines.nth_free(row, random.below(free)).expect("counted as free");
        budget.count_step()?;
        lines.toggle(row, column);
        *column_of_row = column;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    /// On a large board a step takes long: the first one reads hundreds of thousands of words.
    #[test]
    fn a_time_limit_of_zero_ends_the_search_before_its_first_long_step() {
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        assert!(backtrack(OccupiedLines::new(5000), Order::FewestFirst, &mut budget).is_err());
        assert_eq!(budget.steps, 0);
    }
}
