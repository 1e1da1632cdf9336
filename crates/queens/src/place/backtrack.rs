//! Row-by-row backtracking until the first solution.

use super::Placement;
use super::budget::{Budget, LimitReached};
use super::occupied::OccupiedLines;

/// The order in which backtracking fills the rows. Columns are always tried from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// From the top row down, as in textbooks: finds the lexicographically first solution.
    TopDown,
    /// Next the row with the fewest free squares (the 'minimum remaining values' rule), and of several such rows
    /// the first in an order that begins with those nearest the middle: finds a different solution, and succeeds on
    /// boards of hundreds of rows.
    FewestFirst,
}

/// The first solution that backtracking finds on a board without queens; `None` if there is none.
pub(super) fn backtrack(
    mut lines: OccupiedLines,
    order: Order,
    budget: &mut Budget,
) -> Result<Option<Placement>, LimitReached> {
    let mut columns = vec![0; lines.n()];
    let found = match order {
        Order::TopDown => fill_down(&mut lines, &mut columns, 0, budget, u64::MAX)?,
        Order::FewestFirst => fill_fewest_first(&mut lines, &mut columns, budget)?,
    };
    Ok(found.then(|| Placement::new(columns)))
}

/// Fills the rows from `top` to the last by backtracking; gives up at the first dead end after `max_steps` steps.
///
/// `lines` holds the queens above `top`. If this fails, `lines` keeps the queens placed until then.
pub(super) fn fill_down(
    lines: &mut OccupiedLines,
    columns: &mut [u32],
    top: u32,
    budget: &mut Budget,
    max_steps: u64,
) -> Result<bool, LimitReached> {
    let rows = columns.len() as u32;
    let last_step = budget.steps().saturating_add(max_steps);
    let mut row = top;
    let mut from = 0;
    while row < rows {
        if let Some(column) = lines.next_free(row, from) {
            budget.step()?;
            lines.toggle(row, column);
            columns[row as usize] = column;
            (row, from) = (row + 1, 0);
        } else if row == top || budget.steps() >= last_step {
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

fn fill_fewest_first(
    lines: &mut OccupiedLines,
    columns: &mut [u32],
    budget: &mut Budget,
) -> Result<bool, LimitReached> {
    // Sorted from the middle outwards at first. rows[..depth] hold queens, in the order of placing.
    let n = columns.len() as u32;
    let mut rows: Vec<u32> = (0..n).collect();
    rows.sort_by_key(|&row| (2 * row + 1).abs_diff(n));
    let mut depth = 0;
    // The column to go on from in the row of this depth; `None` if the row is still to be chosen.
    let mut from = None;
    while depth < rows.len() {
        let start = match from.take() {
            Some(start) => start,
            None => {
                choose_tightest(lines, &mut rows[depth..], budget)?;
                0
            }
        };
        let row = rows[depth];
        if let Some(column) = lines.next_free(row, start) {
            budget.step()?;
            lines.toggle(row, column);
            columns[row as usize] = column;
            depth += 1;
        } else if depth == 0 {
            return Ok(false);
        } else {
            depth -= 1;
            let row = rows[depth];
            lines.toggle(row, columns[row as usize]);
            from = Some(columns[row as usize] + 1);
        }
    }
    Ok(true)
}

/// Swaps the row with the fewest free squares to the front.
fn choose_tightest(
    lines: &OccupiedLines,
    rows: &mut [u32],
    budget: &mut Budget,
) -> Result<(), LimitReached> {
    let mut tightest = 0;
    let mut least = u32::MAX;
    for (at, &row) in rows.iter().enumerate() {
        budget.work(lines.words())?;
        let free = lines.free_count(row);
        if free < least {
            (tightest, least) = (at, free);
        }
    }
    rows.swap(0, tightest);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    /// On a large board a step takes long: the first one reads hundreds of thousands of words.
    #[test]
    fn time_is_up_before_the_first_of_long_steps_is_taken() {
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let mut budget = Budget::new(&limits);
        assert!(backtrack(OccupiedLines::new(5000), Order::FewestFirst, &mut budget).is_err());
        assert_eq!(budget.steps(), 0);
    }
}
