//! Las Vegas: fills some rows at random and the others by backtracking; if that fails, starts again.

use super::backtrack::fill_down;
use super::budget::{Budget, LimitReached};
use super::occupied::OccupiedLines;
use super::{Placement, Random};

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
