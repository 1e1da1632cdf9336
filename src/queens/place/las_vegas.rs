//! Las Vegas: some rows at random, the rest by backtracking, and again from the start if that fails.

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
        // Grows, so that with few random rows the backtracking is finished at some try.
        let patience = 10 * u64::from(n) + budget.restarts();
        let mut lines = empty.clone();
        if place_at_random(&mut lines, &mut columns[..random_rows as usize], random, budget)?
            && fill_down(&mut lines, &mut columns, random_rows, budget, patience)?
        {
            return Ok(Placement::new(columns));
        }
        budget.restart()?;
    }
}

/// The default number of random rows, measured to be near the fastest.
pub(super) fn usual_random_rows(n: u32) -> u32 {
    // From 36 to 200 queens the quickest share lies between 65 and 80 percent.
    (u64::from(n) * 7 / 10) as u32
}

/// Puts a queen on a random free square of each row; false where a row has none.
fn place_at_random(
    lines: &mut OccupiedLines,
    columns: &mut [u32],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<bool, LimitReached> {
    for (row, place) in (0u32..).zip(columns) {
        budget.work(lines.words())?;
        let free = lines.free_count(row);
        if free == 0 {
            return Ok(false);
        }
        let column = lines.nth_free(row, random.below(free)).expect("counted as free");
        budget.step()?;
        lines.toggle(row, column);
        *place = column;
    }
    Ok(true)
}
