//! New puzzles with one solution: with givens, or as killers, grids divided into cages at random, with sums in place of givens.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use tallyboard_base::bits::bits;
use tallyboard_base::random::Random;
use tallyboard_search::{NodeBudget, Pieces, Stop, Stopped, make_in_order};

use crate::engine::search::Search;
use crate::error::Error;
use crate::grid::{Size, least_value};
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;
use crate::solver::Solver;

/// Makes puzzles of one set of rules. A puzzle depends on these rules, the seed and the puzzle's number alone.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_variants as variants; }
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
    min_givens: usize,
}

/// The most nodes of all attempts to fill a grid.
const MAX_NODES: u64 = 1_000_000;
/// The most nodes of a proof that there is one solution. A puzzle that needs more is too hard for people.
const MAX_PROOF_NODES: u64 = 500;
/// The most nodes of one attempt to fill a grid: after that, a new attempt has better chances.
const MAX_ATTEMPT_NODES: u64 = 1_000;

impl Generator {
    /// A generator of puzzles with as few givens as it finds: it tries to leave out each given once, and keeps one if the
    /// proof that the rest is unique takes more than `MAX_PROOF_NODES` nodes.
    ///
    /// # Errors
    /// [`Error::NoGrid`] if the rules allow no grid, [`Error::GridNotFound`] if none is found.
    pub fn new(rules: impl Into<Arc<Rules>>, seed: u64) -> Result<Self, Error> {
        Self::new_or_stop(rules, seed, &Stop::new())
    }

    /// As [`new`](Self::new), with a flag that ends the search for a grid.
    ///
    /// # Errors
    /// As for [`new`](Self::new), and [`Error::Stopped`] if `stop` was raised meanwhile.
    pub fn new_or_stop(
        rules: impl Into<Arc<Rules>>,
        seed: u64,
        stop: &Stop,
    ) -> Result<Self, Error> {
        Self::within(rules, seed, MAX_NODES, stop)
    }

    /// As [`new_or_stop`](Self::new_or_stop), with so many nodes for the search of a grid.
    #[doc(hidden)]
    pub fn within(
        rules: impl Into<Arc<Rules>>,
        seed: u64,
        most_nodes: u64,
        stop: &Stop,
    ) -> Result<Self, Error> {
        let rules = rules.into();
        let solver = Solver::new(&rules);
        let mut generator = Self { rules, solver, seed, min_givens: 0 };
        generator.grid(&mut Random::from_seed(seed), most_nodes, stop)?;
        Ok(generator)
    }

    /// This generator, of puzzles with at least this many givens.
    #[must_use]
    pub fn givens(self, min_givens: usize) -> Self {
        Self { min_givens, ..self }
    }

    /// The puzzle with this number.
    pub fn puzzle(&mut self, number: u64) -> Puzzle {
        let made = self.puzzle_or_stop(number, &Stop::new());
        made.expect("nobody raises this flag")
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
        let mut givens = size.cells();
        let mut puzzle = self.with_givens(&grid, &kept);
        for cell in order {
            if givens <= self.min_givens {
                break;
            }
            stop.check()?;
            kept[cell] = false;
            let fewer = self.with_givens(&grid, &kept);
            // A puzzle that needs a longer proof counts as one with several solutions.
            let not_stopped = Stop::new();
            let mut budget = NodeBudget::limited(&not_stopped, MAX_PROOF_NODES);
            let found = self.solver.first_solutions(&fewer, 2, &mut budget);
            if found.is_ok_and(|solutions| solutions.len() == 1) {
                puzzle = fewer;
                givens -= 1;
            } else {
                kept[cell] = true;
            }
        }
        Ok(puzzle)
    }

    /// Passes `count` puzzles to `take`, made by `threads` threads (0: automatic), in the order of their numbers: the same whatever the
    /// number of threads. With `max_cage` they are killers with cages of up to so many cells. If `take` breaks, its value is returned;
    /// `None` means that all puzzles were passed, or that `stop` was raised before.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    #[doc(hidden)]
    pub fn generate<B: Send>(
        &self,
        count: u64,
        max_cage: Option<usize>,
        threads: usize,
        stop: &Stop,
        take: impl FnMut(&[Puzzle], u64) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, tallyboard_search::Error> {
        // A puzzle takes long enough to be a piece of work.
        let pieces = Pieces { per_size: 1, max_log2: 0, end: count };
        let make = |generator: &mut Self, mut numbers: Range<u64>| {
            let puzzles: Result<_, Stopped> = numbers.try_fold(Vec::new(), |mut made, number| {
                made.push(match max_cage {
                    Some(max_cage) => generator.killer_or_stop(number, max_cage, stop)?,
                    None => generator.puzzle_or_stop(number, stop)?,
                });
                Ok(made)
            });
            Ok((puzzles?, None))
        };
        make_in_order(count, pieces, threads, stop, || self.clone(), make, take)
    }

    /// Random numbers that depend on the seed and the puzzle's number alone. The factor, 2^64 over the golden ratio, spreads the
    /// numbers over all bits.
    fn random(&self, number: u64) -> Random {
        Random::from_seed(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn with_givens(&self, grid: &[u8], kept: &[bool]) -> Puzzle {
        let size = self.rules.size();
        let mut puzzle = Puzzle::new(Arc::clone(&self.rules));
        for index in (0..size.cells()).filter(|&index| kept[index]) {
            puzzle.give(size.cell(index), grid[index]).expect("a value of a filled grid");
        }
        puzzle
    }

    /// A filled grid. One was found when the generator was made, so this tries until it finds one again.
    fn any_grid(&mut self, random: &mut Random, stop: &Stop) -> Result<Vec<u8>, Stopped> {
        loop {
            match self.grid(random, MAX_NODES, stop) {
                Err(Error::Stopped(stopped)) => return Err(stopped),
                Ok(grid) => return Ok(grid),
                Err(_) => {}
            }
        }
    }

    /// A filled grid.
    ///
    /// # Errors
    /// [`Error`] if there is none, if `most_nodes` nodes did not suffice, or if `stop` was raised.
    fn grid(
        &mut self,
        random: &mut Random,
        most_nodes: u64,
        stop: &Stop,
    ) -> Result<Vec<u8>, Error> {
        let puzzle = Puzzle::new(Arc::clone(&self.rules));
        let start = self.solver.start_of(&puzzle);
        let mut nodes = 0;
        while nodes < most_nodes {
            stop.check()?;
            let limit = (nodes + MAX_ATTEMPT_NODES).min(most_nodes);
            match random_fill(self.solver.search(), &start, random, &mut nodes, limit) {
                Err(Error::GridNotFound { .. }) => {}
                filled => return Ok(filled?.into_iter().map(least_value).collect()),
            }
        }
        Err(Error::GridNotFound { steps: most_nodes })
    }
}

/// Fills a grid with these candidates at random. `nodes` counts the nodes of all attempts, and the search ends when it reaches
/// `limit`.
///
/// # Errors
/// [`Error::NoGrid`] if no grid satisfies the rules, [`Error::GridNotFound`] at the limit.
fn random_fill(
    search: &dyn Search,
    sets: &[u16],
    random: &mut Random,
    nodes: &mut u64,
    limit: u64,
) -> Result<Vec<u16>, Error> {
    *nodes += 1;
    let mut sets = search.propagate(sets).ok_or(Error::NoGrid)?;
    loop {
        if *nodes >= limit {
            return Err(Error::GridNotFound { steps: *nodes });
        }
        // One of the cells with the fewest candidates.
        let fewest = sets.iter().map(|set| set.count_ones()).filter(|&count| count > 1).min();
        let Some(fewest) = fewest else { return Ok(sets) };
        let cells: Vec<usize> =
            (0..sets.len()).filter(|&cell| sets[cell].count_ones() == fewest).collect();
        let cell = cells[random.below(cells.len() as u32) as usize];
        let bit = bits(sets[cell]).nth(random.below(fewest) as usize).expect("one of its bits");
        let mut with_value = sets.clone();
        with_value[cell] = bit;
        match random_fill(search, &with_value, random, nodes, limit) {
            Err(Error::NoGrid) => {}
            filled_or_limit => return filled_or_limit,
        }
        // No grid has this value in this cell.
        sets[cell] &= !bit;
        sets = search.propagate(&sets).ok_or(Error::NoGrid)?;
    }
}

/// The most nodes of a killer: a harder one gets smaller cages.
const MAX_KILLER_NODES: u64 = 20_000;

impl Generator {
    /// The killer with this number, which has one solution: the generator's rules, and cages of at most `max_cells` cells that
    /// cover the grid. It has no givens, but a cage of one cell tells its value.
    pub fn killer(&mut self, number: u64, max_cells: usize) -> Puzzle {
        let made = self.killer_or_stop(number, max_cells, &Stop::new());
        made.expect("nobody raises this flag")
    }

    /// As [`killer`](Self::killer), with a flag that ends it.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
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
            let mut budget = NodeBudget::limited(stop, MAX_KILLER_NODES);
            let found = Solver::new(puzzle.rules()).first_solutions(&puzzle, 2, &mut budget);
            stop.check()?;
            match found.as_deref() {
                Ok([_]) => return Ok(puzzle),
                Ok([first, second]) => {
                    // More sums of cages in which the two solutions differ exclude one of them in the end.
                    let differs =
                        |cage: &Vec<usize>| cage.iter().any(|&cell| first[cell] != second[cell]);
                    split_largest(size, &mut cages, differs, &mut random);
                }
                _ => split_largest(size, &mut cages, |_| true, &mut random),
            }
        }
    }
}

/// Splits one of the largest cages that `may_be_split`, at random. Cages of one cell stay as they are.
fn split_largest(
    size: Size,
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
    // Cells are in the order in which the cage grew, so the first ones are connected. The others may lie around them, in pieces.
    let mut rest = cages[number].split_off(largest.div_ceil(2));
    while !rest.is_empty() {
        cages.push(take_piece(size, &mut rest));
    }
}

/// Takes the cells that are connected with the first one out of `cells`, in an order in which a cage grows: theirs, if that is one.
fn take_piece(size: Size, cells: &mut Vec<usize>) -> Vec<usize> {
    let mut piece = vec![cells.remove(0)];
    let is_beside = |piece: &[usize], cell| size.neighbours(cell).any(|it| piece.contains(&it));
    while let Some(at) = cells.iter().position(|&cell| is_beside(&piece, cell)) {
        piece.push(cells.remove(at));
    }
    piece
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
        let sum = cage.iter().map(|&cell| u32::from(size.written(grid[cell]))).sum();
        let cells = cage.iter().map(|&cell| size.cell(cell)).collect();
        rules.add(Rule::Cage { sum: Some(sum), cells }).expect("cages of a filled grid, apart");
    }
    rules
}
