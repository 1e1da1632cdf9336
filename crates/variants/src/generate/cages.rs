//! Killers: grids cut into cages at random, with sums in place of givens.

use std::sync::Arc;

use base::random::Random;
use search::{Stop, Stopped};

use super::Generator;
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;
use crate::size::Size;

/// Nodes after which a killer is too hard, and is given smaller cages.
const NODES: u64 = 20_000;

impl Generator {
    /// The killer with this number: the generator's rules and cages of at most `max_cells` cells over the whole grid, without
    /// a given, but for the cages of one cell. It has one solution.
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
        let mut parts = cut(size, &grid, max_cells.clamp(1, size.side()), &mut random);
        loop {
            let puzzle = Puzzle::new(caged(&self.rules, &grid, &parts));
            let found = Self::two_solutions(&puzzle, NODES, stop);
            stop.check()?;
            match found.as_deref() {
                Some([_]) => return Ok(puzzle),
                Some([first, second]) => {
                    // A cage in which the two differ is cut, so that one of them is none any more in the end.
                    let differs =
                        |cells: &Vec<usize>| cells.iter().any(|&cell| first[cell] != second[cell]);
                    split(&mut parts, differs, &mut random);
                }
                _ => split(&mut parts, |cells| cells.len() > 1, &mut random),
            }
        }
    }
}

/// Cuts the largest cage that `may_be_cut`, one of them at random, in two.
fn split(
    parts: &mut Vec<Vec<usize>>,
    may_be_cut: impl Fn(&Vec<usize>) -> bool,
    random: &mut Random,
) {
    let sizes = parts.iter().filter(|cells| may_be_cut(cells)).map(Vec::len);
    let Some(largest) = sizes.max().filter(|&largest| largest > 1) else { return };
    let found: Vec<usize> = (0..parts.len())
        .filter(|&part| parts[part].len() == largest && may_be_cut(&parts[part]))
        .collect();
    let part = found[random.below(found.len() as u32) as usize];
    // Cells lie in the order in which the cage grew, so the first ones hang together.
    let rest = parts[part].split_off(largest.div_ceil(2));
    parts.push(rest);
}

/// Cuts the grid into parts of neighbouring cells with different values.
fn cut(size: Size, grid: &[u8], max_cells: usize, random: &mut Random) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..size.cells()).collect();
    random.shuffle(&mut order);
    let mut taken = vec![false; size.cells()];
    let mut parts = Vec::new();
    for start in order {
        if taken[start] {
            continue;
        }
        // Small cages are as usual as large ones.
        let wanted = 2 + random.below(max_cells.max(2) as u32 - 1) as usize;
        let mut part = vec![start];
        taken[start] = true;
        while part.len() < wanted.min(max_cells) {
            let mut next: Vec<usize> = part
                .iter()
                .flat_map(|&cell| neighbours(size, cell))
                .filter(|&cell| !taken[cell] && part.iter().all(|&other| grid[other] != grid[cell]))
                .collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                break;
            }
            let cell = next[random.below(next.len() as u32) as usize];
            taken[cell] = true;
            part.push(cell);
        }
        parts.push(part);
    }
    parts
}

fn neighbours(size: Size, cell: usize) -> impl Iterator<Item = usize> {
    let side = size.side();
    let row = cell / side;
    let column = cell % side;
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < side).then_some(cell + 1);
    let above = (row > 0).then(|| cell - side);
    let below = (row + 1 < side).then_some(cell + side);
    [left, right, above, below].into_iter().flatten()
}

/// The rules with a cage for each part, whose sum is that of the grid.
fn caged(rules: &Arc<Rules>, grid: &[u8], parts: &[Vec<usize>]) -> Rules {
    let size = rules.size();
    let mut rules = Rules::clone(rules);
    for part in parts {
        let sum = part.iter().map(|&cell| u32::from(grid[cell])).sum();
        let cells = part.iter().map(|&cell| size.cell(cell)).collect();
        rules.add(Rule::Cage { sum: Some(sum), cells }).expect("cages of a filled grid, apart");
    }
    rules
}
