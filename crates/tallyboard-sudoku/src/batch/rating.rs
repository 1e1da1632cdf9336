//! The difficulty of a puzzle: the hardest technique that solving it takes, and the number of guesses. A rating depends on the
//! puzzle and the limit alone, because the search is depth first.
//!
//! [`Puzzles::rate`](super::Puzzles::rate) rates many puzzles. Here one puzzle is searched in a vector of one
//! lane, with the same rounds and splits; tests compare the two.

use super::branch::split;
use super::choice::Order;
use super::lanes::{Lanes, MAX_LANES, Words};
use super::layout::{PackedGrids, State, WORDS, planes, state_from_planes};
use super::round::round;
use crate::Grid;
use crate::single::with_singles;
use tallyboard_base::named::named;
use tallyboard_search::{Stop, Stopped};

/// The hardest technique that a puzzle takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Technique {
    /// Naked and hidden singles alone.
    Singles,
    /// Locked candidates as well.
    LockedCandidates,
    /// Guesses as well.
    Guesses,
}

named! {
    /// All techniques, the easiest first.
    Technique { Singles = "singles", LockedCandidates = "locked", Guesses = "guesses" }
}

/// What it takes to find a puzzle's solutions up to a limit, or to show that there is none.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating {
    /// The hardest technique.
    pub technique: Technique,
    /// The number of candidates tried: 0 unless the technique is [`Technique::Guesses`].
    pub guesses: u64,
}

impl Rating {
    /// Rates `grid`. This solves the grid again, and takes a few times as long as the single solver.
    ///
    /// ```
    /// # mod tallyboard { pub use ::tallyboard_search as search; }
    /// use tallyboard::search::Stop;
    /// use tallyboard_sudoku::{Grid, batch::{Rating, Technique}};
    /// let empty = Rating::of(&Grid::default(), 2, &Stop::new()).unwrap();
    /// assert_eq!(empty.technique, Technique::Guesses);
    /// ```
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn of(grid: &Grid, limit: u64, stop: &Stop) -> Result<Self, Stopped> {
        // A puzzle that singles decide takes no guess. `Puzzles::rate` looks for guesses first, so it relies on this.
        if with_singles(grid).is_none() {
            return Ok(Self { technique: Technique::Singles, guesses: 0 });
        }
        Ok(Self::of_guesses(count_guesses(grid, limit, stop)?, || *grid))
    }

    /// The rating of a puzzle that takes this many guesses.
    pub(super) fn of_guesses(guesses: u64, grid: impl FnOnce() -> Grid) -> Self {
        let technique = match guesses {
            // Singles fill the grid, or show that it has no solution.
            0 if with_singles(&grid()).is_none() => Technique::Singles,
            0 => Technique::LockedCandidates,
            _ => Technique::Guesses,
        };
        Self { technique, guesses }
    }
}

/// Searches until `limit` solutions are found, depth first.
fn count_guesses(grid: &Grid, limit: u64, stop: &Stop) -> Result<u64, Stopped> {
    // The open states, each with its weight: the number of solutions that one solution of the state counts for.
    let mut later = vec![(state_of_grid(grid), 1_u64)];
    let mut guesses = 0;
    let mut count = 0_u64;
    while count < limit
        && let Some((mut state, weight)) = later.pop()
    {
        if let Some(solved) = deduce(&mut state) {
            if solved {
                // The count may saturate, because it is only compared with the limit.
                count = count.saturating_add(weight);
            }
            continue;
        }
        stop.check()?;
        guesses += 1;
        let mut other = [One::splat(0); WORDS];
        if split(&mut state, &mut other, 1, 1, Order::Reproducible).twins != 0 {
            later.push((state, weight.saturating_mul(2)));
        } else {
            later.extend([(other, weight), (state, weight)]);
        }
    }
    Ok(guesses)
}

/// A vector of one lane.
pub type One = Words<1>;

pub fn state_of_grid(grid: &Grid) -> State<One> {
    let mut batch = PackedGrids::BLANK;
    let rows = batch.planes.as_flattened_mut();
    for (row, &word) in rows.iter_mut().zip(planes(grid.cells()).as_flattened()) {
        *row = [word; MAX_LANES];
    }
    state_from_planes(&batch, 0)
}

/// Deduces until the state is solved (true), dead (false), or stuck (`None`).
pub fn deduce(state: &mut State<One>) -> Option<bool> {
    loop {
        let found = round(state);
        if found.dead | found.solved != 0 {
            return Some(found.solved != 0);
        }
        if found.changed == 0 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Puzzles, Solvers};
    use super::*;
    use crate::generate::Generator;
    use crate::test_grids::changed;
    use tallyboard_base::cpu::Instructions;

    fn rate(grid: &Grid, limit: u64) -> Rating {
        Rating::of(grid, limit, &Stop::new()).unwrap()
    }

    #[test]
    fn all_techniques_occur_and_guesses_grow_with_the_limit() {
        let mut seen = [0; 3];
        for puzzle in (0..200).map(|number| Generator::for_tests(None, 4).puzzle(number)) {
            let Rating { technique, guesses } = rate(&puzzle, 2);
            seen[technique as usize] += 1;
            assert_eq!(technique == Technique::Guesses, guesses > 0);
            assert!(rate(&puzzle, 1).guesses <= guesses);
        }
        assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    }

    #[test]
    fn puzzles_are_rated_among_their_neighbours_as_alone() {
        let generator = Generator::for_tests(None, 9);
        let mut grids: Vec<Grid> = (0..150)
            .map(|number| {
                changed(&generator.puzzle(number), |cells| match number % 5 {
                    // Several solutions, or most likely none: seen at once, by singles or by guesses.
                    1 => cells.iter_mut().step_by(7).for_each(|cell| *cell = 0),
                    2 => cells[..2].fill(1),
                    3 => cells[number as usize % 81] = 1 + (number % 9) as u8,
                    _ => {}
                })
            })
            .collect();
        // One that takes two guesses by whole rounds and three with half rounds.
        let by_whole_rounds =
            "8643.......7....43..............5.726......8.9257..4...5361.......5......89.7..2.";
        grids.push(by_whole_rounds.parse().unwrap());
        assert_eq!(rate(&grids[150], 2).guesses, 2);
        for limit in [0, 1, 2, 100] {
            let expected: Vec<Rating> = grids.iter().map(|grid| rate(grid, limit)).collect();
            for instructions in Instructions::all() {
                let mut table = Puzzles::default();
                grids.iter().for_each(|grid| table.push(grid));
                let mut solvers = Solvers::of(instructions);
                let rated = table.rate(&mut solvers, limit, &Stop::new()).unwrap();
                assert_eq!(rated, expected, "limit {limit}, {instructions:?}");
            }
        }
    }

    #[test]
    fn a_raised_flag_ends_the_rating() {
        let stop = Stop::new();
        stop.request();
        assert_eq!(Rating::of(&Grid::default(), u64::MAX, &stop), Err(Stopped));
    }
}
