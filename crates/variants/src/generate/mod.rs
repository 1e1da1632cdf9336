//! New puzzles with one solution.

mod cages;

use std::sync::Arc;

use base::bits::bits;
use base::random::Random;
use search::{Pace, Stop, Stopped};

use crate::engine::search::Search;
use crate::error::Error;
use crate::puzzle::Puzzle;
use crate::rules::Rules;
use crate::solver::Solver;

/// Makes puzzles of one set of rules. The number of a puzzle and the seed decide it.
///
/// ```
/// use tallyboard::variants::{Generator, Rule, Rules};
///
/// let rules = Rules::new(6)?.with(Rule::AntiKing)?;
/// let puzzle = Generator::new(rules, 1)?.puzzle(0);
/// assert_eq!(puzzle.solve().count, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    rules: Arc<Rules>,
    solver: Solver,
    seed: u64,
    clues: usize,
}

/// Nodes of a search for a grid.
const NODES: u64 = 1_000_000;
/// Nodes of a proof that there is one solution. Puzzles that need more are hard for the machine, not for people alone.
const NODES_OF_A_PROOF: u64 = 500;
/// Nodes of an attempt, after which another one has better chances.
const NODES_OF_AN_ATTEMPT: u64 = 1_000;

impl Generator {
    /// A generator of puzzles with as few givens as it finds by leaving out one after the other.
    ///
    /// # Errors
    /// [`Error::NoGrid`] if no grid is found that the rules allow.
    pub fn new(rules: impl Into<Arc<Rules>>, seed: u64) -> Result<Self, Error> {
        Self::new_or_stop(rules, seed, &Stop::new())
    }

    /// As [`new`](Self::new), with a flag that ends the search for a grid.
    ///
    /// # Errors
    /// [`Error::NoGrid`] if no grid is found that the rules allow, [`Error::Stopped`] if `stop` was raised meanwhile.
    pub fn new_or_stop(
        rules: impl Into<Arc<Rules>>,
        seed: u64,
        stop: &Stop,
    ) -> Result<Self, Error> {
        let rules = rules.into();
        let solver = Solver::new(&rules);
        let mut generator = Self { rules, solver, seed, clues: 0 };
        generator
            .grid(&mut Random::from_seed(seed), stop)?
            .ok_or(Error::NoGrid { steps: NODES })?;
        Ok(generator)
    }

    /// The same, of puzzles with at least this many givens.
    #[must_use]
    pub fn clues(self, clues: usize) -> Self {
        Self { clues, ..self }
    }

    /// The puzzle with this number.
    pub fn puzzle(&mut self, number: u64) -> Puzzle {
        let made = self.puzzle_or_stop(number, &Stop::new());
        made.unwrap_or_else(|Stopped| unreachable!("nobody asks to stop"))
    }

    /// As [`puzzle`](Self::puzzle), with a flag that ends it.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn puzzle_or_stop(&mut self, number: u64, stop: &Stop) -> Result<Puzzle, Stopped> {
        let mut random = self.random(number);
        let grid = self.any_grid(&mut random, stop)?;
        let size = self.rules.size();
        let mut order: Vec<usize> = (0..size.cells()).collect();
        random.shuffle(&mut order);
        let mut kept = vec![true; size.cells()];
        let mut left = size.cells();
        let mut puzzle = self.with_givens(&grid, &kept);
        for cell in order {
            if left <= self.clues {
                break;
            }
            stop.check()?;
            kept[cell] = false;
            let fewer = self.with_givens(&grid, &kept);
            if self.is_unique(&fewer) {
                puzzle = fewer;
                left -= 1;
            } else {
                kept[cell] = true;
            }
        }
        Ok(puzzle)
    }

    /// Whether a puzzle has one solution, as far as a search of [`NODES_OF_A_PROOF`] shows: a harder one counts as none.
    fn is_unique(&mut self, puzzle: &Puzzle) -> bool {
        let stop = Stop::new();
        let mut pace = Pace::limited(&stop, NODES_OF_A_PROOF);
        let found = self.solver.first_solutions(puzzle, 2, &mut pace);
        found.is_ok_and(|solutions| solutions.len() == 1)
    }

    /// Numbers that depend on the seed and the puzzle alone.
    fn random(&self, number: u64) -> Random {
        Random::from_seed(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn with_givens(&self, grid: &[u8], kept: &[bool]) -> Puzzle {
        let size = self.rules.size();
        let mut puzzle = Puzzle::new(Arc::clone(&self.rules));
        for (index, (&value, _)) in
            grid.iter().zip(kept).enumerate().filter(|(_, (_, kept))| **kept)
        {
            puzzle.give(size.cell(index), value).expect("a value of a filled grid");
        }
        puzzle
    }

    /// A filled grid; some were found when the generator was made, so attempts go on until there is one.
    fn any_grid(&mut self, random: &mut Random, stop: &Stop) -> Result<Vec<u8>, Stopped> {
        loop {
            if let Some(grid) = self.grid(random, stop)? {
                return Ok(grid);
            }
        }
    }

    /// A filled grid, or none if a search of [`NODES`] has found none.
    fn grid(&mut self, random: &mut Random, stop: &Stop) -> Result<Option<Vec<u8>>, Stopped> {
        let puzzle = Puzzle::new(Arc::clone(&self.rules));
        let start = self.solver.start_of(&puzzle);
        let mut nodes = 0;
        while nodes < NODES {
            stop.check()?;
            let limit = nodes + NODES_OF_AN_ATTEMPT;
            if let Some(sets) = random_fill(self.solver.search(), &start, random, &mut nodes, limit)
            {
                let values = sets.iter().map(|set| set.trailing_zeros() as u8 + 1).collect();
                return Ok(Some(values));
            }
        }
        Ok(None)
    }

    /// Up to two solutions of a puzzle with rules of its own; `None` if the search for them takes more nodes.
    fn two_solutions(puzzle: &Puzzle, nodes: u64, stop: &Stop) -> Option<Vec<Vec<u8>>> {
        let mut pace = Pace::limited(stop, nodes);
        let mut solver = Solver::new(puzzle.rules());
        solver.first_solutions(puzzle, 2, &mut pace).ok()
    }
}

/// Fills a grid at random, below these candidates; `None` if there is no way, or after `limit` nodes.
fn random_fill(
    search: &dyn Search,
    sets: &[u16],
    random: &mut Random,
    nodes: &mut u64,
    limit: u64,
) -> Option<Vec<u16>> {
    *nodes += 1;
    let mut sets = search.conclude(sets)?;
    loop {
        if *nodes >= limit {
            return None;
        }
        // One of the cells with the fewest candidates.
        let fewest = sets.iter().map(|set| set.count_ones()).filter(|&count| count > 1).min();
        let Some(fewest) = fewest else { return Some(sets) };
        let cells: Vec<usize> =
            (0..sets.len()).filter(|&cell| sets[cell].count_ones() == fewest).collect();
        let cell = cells[random.below(cells.len() as u32) as usize];
        let bit = bits(sets[cell]).nth(random.below(fewest) as usize)?;
        let mut with = sets.clone();
        with[cell] = bit;
        if let Some(filled) = random_fill(search, &with, random, nodes, limit) {
            return Some(filled);
        }
        sets[cell] &= !bit;
        sets = search.conclude(&sets)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_ends_every_search() {
        let rules = Rules::new(6).unwrap();
        let stop = Stop::new();
        let mut generator = Generator::new_or_stop(rules.clone(), 1, &stop).unwrap();
        let puzzle = generator.puzzle_or_stop(3, &stop).unwrap();
        assert_eq!(puzzle, Generator::new(rules.clone(), 1).unwrap().puzzle(3));
        assert!(generator.killer_or_stop(3, 4, &stop).is_ok());
        stop.request();
        assert_eq!(generator.puzzle_or_stop(3, &stop), Err(Stopped));
        assert_eq!(generator.killer_or_stop(3, 4, &stop), Err(Stopped));
        let ended = Generator::new_or_stop(rules, 1, &stop).unwrap_err();
        assert_eq!(ended, Error::Stopped(Stopped));
    }
}
