//! Killers: grids divided into cages at random, with sums in place of givens.

use std::sync::Arc;

use tallyboard_base::random::Random;
use tallyboard_search::{NodeBudget, Stop, Stopped};

use super::Generator;
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;
use crate::size::Size;
use crate::solver::Solver;

/// The most nodes of a killer: a harder one gets smaller cages.
const MAX_NODES: u64 = 20_000;

impl Generator {
    /// The killer with this number, which has one solution: the generator's rules, and cages of at most `max_cells` cells that
    /// cover the grid. It has no givens, but a cage of one cell tells its value.
    ///
    /// # Panics
    /// If the generator's rules have cages already.
    pub fn killer(&mut self, number: u64, max_cells: usize) -> Puzzle {
        let made = self.killer_or_stop(number, max_cells, &Stop::new());
        made.expect("nobody raises this flag")
    }

    /// As [`killer`](Self::killer), with a flag that ends it.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    ///
    /// # Panics
    /// If the generator's rules have cages already.
    pub fn killer_or_stop(
        &mut self,
        number: u64,
        max_cells: usize,
        stop: &Stop,
    ) -> Result<Puzzle, Stopped> {
        let mut random = self.random(number);
        let grid = self.any_grid(&mut random, stop)?;
        let size = self.rules.size();
        let mut cages = divide(size, &grid, max_cells.clamp(1, size.side()), &mut random);
        loop {
            let puzzle = Puzzle::new(with_cages(&self.rules, &grid, &cages));
            let mut budget = NodeBudget::limited(stop, MAX_NODES);
            let found = Solver::new(puzzle.rules()).first_solutions(&puzzle, 2, &mut budget);
            stop.check()?;
            match found.as_deref() {
                Ok([_]) => return Ok(puzzle),
                Ok([first, second]) => {
                    // More sums of cages in which the two solutions differ exclude one of them in the end.
                    let differs =
                        |cage: &Vec<usize>| cage.iter().any(|&cell| first[cell] != second[cell]);
                    split_largest(&mut cages, differs, &mut random);
                }
                _ => split_largest(&mut cages, |_| true, &mut random),
            }
        }
    }
}

/// Splits one of the largest cages that `may_be_split`, at random. Cages of one cell stay as they are.
fn split_largest(
    cages: &mut Vec<Vec<usize>>,
    may_be_split: impl Fn(&Vec<usize>) -> bool,
    random: &mut Random,
) {
    let sizes = cages.iter().filter(|cage| may_be_split(cage)).map(Vec::len);
    let Some(largest) = sizes.max().filter(|&largest| largest > 1) else { return };
    let found: Vec<usize> = (0..cages.len())
        .filter(|&number| cages[number].len() == largest && may_be_split(&cages[number]))
        .collect();
    let number = found[random.below(found.len() as u32) as usize];
    // Cells are in the order in which the cage grew, so the first ones are connected.
    let second_half = cages[number].split_off(largest.div_ceil(2));
    cages.push(second_half);
}

/// Divides the grid into cages: connected cells with different values.
fn divide(size: Size, grid: &[u8], max_cells: usize, random: &mut Random) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..size.cells()).collect();
    random.shuffle(&mut order);
    let mut taken = vec![false; size.cells()];
    let mut cages = Vec::new();
    for start in order {
        if taken[start] {
            continue;
        }
        // Each size from 2 on is as likely as the others.
        let wanted = 2 + random.below(max_cells.max(2) as u32 - 1) as usize;
        let mut cage = vec![start];
        taken[start] = true;
        while cage.len() < wanted.min(max_cells) {
            let mut next: Vec<usize> = cage
                .iter()
                .flat_map(|&cell| size.neighbours(cell))
                .filter(|&cell| !taken[cell] && cage.iter().all(|&other| grid[other] != grid[cell]))
                .collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                break;
            }
            let cell = next[random.below(next.len() as u32) as usize];
            taken[cell] = true;
            cage.push(cell);
        }
        cages.push(cage);
    }
    cages
}

/// The rules with these cages, whose sums are those of the grid.
fn with_cages(rules: &Arc<Rules>, grid: &[u8], cages: &[Vec<usize>]) -> Rules {
    let size = rules.size();
    let mut rules = Rules::clone(rules);
    for cage in cages {
        let sum = cage.iter().map(|&cell| u32::from(grid[cell])).sum();
        let cells = cage.iter().map(|&cell| size.cell(cell)).collect();
        rules.add(Rule::Cage { sum: Some(sum), cells }).expect("cages of a filled grid, apart");
    }
    rules
}
