//! Random puzzles with exactly one solution, the same on every machine for the same seed.
//!
//! A random solved grid loses clues in random order as long as its solution stays the only one.
//! Clues are first taken out many at a time; where that loses uniqueness, half as many are tried.
//! The puzzles are varied but not a uniform sample of all puzzles.

use std::ops::{ControlFlow, Range};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::block::{Engine, Table};
use super::kernel::state::{State, Step};
use super::{CELLS, Grid, solve};
use crate::random::{below, shuffle};
use crate::search::{Error, Stop, Stopped, ordered};

/// The fewest clues of any puzzle with one solution.
pub const FEWEST_CLUES: usize = 17;

/// What puzzles are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The number of clues, exactly.
    pub clues: Option<usize>,
    /// No clue (with [`symmetric`](Self::symmetric), no pair of clues) can go without a second
    /// solution appearing.
    pub minimal: bool,
    /// The pattern of clues looks the same after a half turn.
    pub symmetric: bool,
}

/// Makes puzzles, each a function of the seed and of a number alone.
///
/// ```
/// use tallyboard::sudoku::generate::{Generator, Wish};
/// use tallyboard::sudoku::solve;
///
/// let wish = Wish { clues: Some(30), minimal: false, symmetric: true };
/// let puzzle = Generator::new(wish, 42).puzzle(0);
/// assert_eq!(puzzle.clues(), 30);
/// assert_eq!(solve(&puzzle, 2).count, 1);
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    wish: Wish,
    base: u64,
}

/// Attempts that are made side by side, so that the block engine's lanes are full.
const ATTEMPTS: u64 = 256;
/// As many times the attempts of a piece of work stay few before they double: single puzzles are
/// wanted at once.
const PATIENCE: u64 = 8;

impl Generator {
    /// A generator for `wish` and `seed`.
    pub fn new(wish: Wish, seed: u64) -> Self {
        Self { wish, base: Xoshiro256PlusPlus::seed_from_u64(seed).next_u64() }
    }

    /// The puzzle of the first attempt that succeeds of `number`, `number` + 2^32, `number` + 2^33 …
    ///
    /// Takes a fraction of a millisecond from about 24 clues up, where about every attempt succeeds.
    /// 20 clues take seconds, and [`FEWEST_CLUES`] more than a lifetime.
    pub fn puzzle(&self, number: u64) -> Grid {
        let mut number = number;
        loop {
            let mut digging = self.begin(number);
            while let Some(puzzle) = digging.candidate() {
                digging.answer(solve(&puzzle, 2).count == 1);
            }
            if let Some(puzzle) = self.wished(&digging) {
                return puzzle;
            }
            number = number.wrapping_add(1 << 32);
        }
    }

    /// The puzzles of all attempts of these numbers that succeed, in their order: many at once, by
    /// `engine`.
    fn puzzles(
        &self,
        numbers: Range<u64>,
        (engine, table): &mut (Engine, Table),
        stop: &Stop,
    ) -> Result<Vec<Grid>, Stopped> {
        let mut diggings: Vec<Digging> = numbers.map(|number| self.begin(number)).collect();
        let mut open: Vec<usize> = (0..diggings.len()).collect();
        loop {
            table.clear();
            open.retain(|&index| {
                let candidate = diggings[index].candidate();
                candidate.iter().for_each(|puzzle| table.push(puzzle));
                candidate.is_some()
            });
            if open.is_empty() {
                break;
            }
            table.solve(engine, 2, stop)?;
            for (&index, &count) in open.iter().zip(table.counts()) {
                diggings[index].answer(count == 1);
            }
        }
        Ok(diggings.iter().filter_map(|digging| self.wished(digging)).collect())
    }

    /// Hands `count` puzzles to `take`, found by `threads` threads (0: automatic): those of the first
    /// attempts that succeed, in the order of their numbers, whatever the number of threads. `take`
    /// also hears how many attempts were made so far, and may break off.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn generate<B>(
        &self,
        count: u64,
        threads: usize,
        stop: &Stop,
        mut take: impl FnMut(&[Grid], u64) -> ControlFlow<B>,
    ) -> Result<Option<B>, Error> {
        let pieces = (0..).scan(0, |begun: &mut u64, piece| {
            let first = *begun;
            *begun += 1 << (piece / PATIENCE).min(ATTEMPTS.ilog2().into());
            Some(first..*begun)
        });
        let mut left = count;
        let ended = ordered(
            pieces.take(if count == 0 { 0 } else { usize::MAX }),
            threads,
            stop,
            || (Engine::best(), Table::default()),
            |worker, numbers: Range<u64>, parts| {
                let tried = numbers.end;
                // Nobody listens after the last puzzle.
                let _ = parts.push((self.puzzles(numbers, worker, stop)?, tried));
                Ok(())
            },
            |(puzzles, tried)| {
                let taken = puzzles.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                left -= taken as u64;
                match take(&puzzles[..taken], tried) {
                    ControlFlow::Continue(()) if left == 0 => ControlFlow::Break(None),
                    ControlFlow::Continue(()) => ControlFlow::Continue(()),
                    ControlFlow::Break(value) => ControlFlow::Break(Some(value)),
                }
            },
        );
        ended.map(Option::flatten)
    }

    fn begin(&self, number: u64) -> Digging {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.base.wrapping_add(number));
        let cells = *solved_grid(&mut random).cells();
        let mut groups: Vec<Group> = if self.wish.symmetric {
            (0..=CELLS / 2).map(|cell| [cell, CELLS - 1 - cell]).collect()
        } else {
            (0..CELLS).map(|cell| [cell; 2]).collect()
        };
        shuffle(&mut groups, &mut random);
        let floor = match self.wish {
            // Fewer clues than this are never enough.
            Wish { minimal: false, clues: Some(clues), .. } => clues.max(FEWEST_CLUES),
            _ => FEWEST_CLUES,
        };
        let ahead = std::iter::once(0..groups.len()).collect();
        Digging { cells, clues: CELLS, floor, groups, ahead, asked: None }
    }

    fn wished(&self, digging: &Digging) -> Option<Grid> {
        self.wish
            .clues
            .is_none_or(|clues| digging.clues == clues)
            .then(|| Grid::new(digging.cells).expect("cells of a solved grid or blanks"))
    }
}

/// Clues that go together: a pair, or one cell named twice.
type Group = [usize; 2];

/// A solved grid that loses clues. It asks whether a candidate has a single solution and goes on with
/// the answer.
struct Digging {
    cells: [u8; CELLS],
    clues: usize,
    /// The fewest clues that are wanted.
    floor: usize,
    groups: Vec<Group>,
    /// Groups that have not been tried together, the next ones last.
    ahead: Vec<Range<usize>>,
    /// The groups that the candidate asked about lacks, with what it lacks more.
    asked: Option<(Range<usize>, [u8; CELLS], usize)>,
}

impl Digging {
    /// The next puzzle of which it is to be known whether it has a single solution; `None` at the end.
    fn candidate(&mut self) -> Option<Grid> {
        while let Some(range) = self.ahead.pop() {
            let groups = &self.groups[range.clone()];
            let size = groups.iter().map(|[one, two]| if one == two { 1 } else { 2 }).sum();
            if self.clues < self.floor + size {
                self.split(range);
                continue;
            }
            let mut cells = self.cells;
            groups.iter().flatten().for_each(|&cell| cells[cell] = 0);
            self.asked = Some((range, cells, size));
            return Grid::new(cells);
        }
        None
    }

    /// Goes on, knowing whether the candidate has a single solution.
    fn answer(&mut self, unique: bool) {
        let Some((range, cells, size)) = self.asked.take() else { return };
        if unique {
            self.cells = cells;
            self.clues -= size;
        } else {
            self.split(range);
        }
    }

    fn split(&mut self, range: Range<usize>) {
        let middle = range.start + range.len() / 2;
        if range.len() > 1 {
            self.ahead.extend([middle..range.end, range.start..middle]);
        }
    }
}

/// A random solved grid.
pub fn solved_grid(random: &mut impl Rng) -> Grid {
    let empty = State::<9, 81>::new(&[0; CELLS]).expect("the empty grid has no clash");
    let mut state = empty.clone();
    loop {
        match state.propagate() {
            Step::Solved => return Grid::new(*state.cells()).expect("every cell is a digit"),
            Step::Dead => state = empty.clone(),
            Step::Branch(choice) => {
                let taken = below(random, u64::from(choice.alternatives())) as usize;
                let step = choice.moves().nth(taken).expect("one of the alternatives");
                state = state.child(step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzles(wish: Wish, seed: u64) -> Vec<Grid> {
        let generator = Generator::new(wish, seed);
        (0..20).map(|number| generator.puzzle(number)).collect()
    }

    fn without(grid: &Grid, removed: &[usize]) -> Grid {
        let mut cells = *grid.cells();
        removed.iter().for_each(|&cell| cells[cell] = 0);
        Grid::new(cells).unwrap()
    }

    #[test]
    fn minimal_puzzles_can_spare_no_clue() {
        for puzzle in puzzles(Wish { clues: None, minimal: true, symmetric: false }, 1) {
            assert_eq!(solve(&puzzle, 2).count, 1);
            for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0) {
                assert_eq!(solve(&without(&puzzle, &[cell]), 2).count, 2);
            }
        }
    }

    #[test]
    fn symmetric_puzzles_look_the_same_upside_down() {
        for puzzle in puzzles(Wish { clues: Some(32), minimal: false, symmetric: true }, 2) {
            assert_eq!((puzzle.clues(), solve(&puzzle, 2).count), (32, 1));
            let cells = puzzle.cells();
            assert!((0..CELLS).all(|cell| (cells[cell] == 0) == (cells[CELLS - 1 - cell] == 0)));
        }
    }

    #[test]
    fn seeds_decide() {
        let wish = Wish { clues: Some(30), minimal: false, symmetric: false };
        assert_eq!(puzzles(wish, 3), puzzles(wish, 3));
        assert_ne!(puzzles(wish, 3), puzzles(wish, 4));
    }

    #[test]
    fn puzzles_are_the_same_by_many_threads_and_one_at_a_time() {
        for (clues, minimal, symmetric) in [
            (Some(24), false, false),
            (None, true, false),
            (None, true, true),
            (Some(23), true, false),
        ] {
            let generator = Generator::new(Wish { clues, minimal, symmetric }, 6);
            let made = |threads| {
                let mut made = Vec::new();
                let ended = generator.generate(40, threads, &Stop::new(), |puzzles, _| {
                    made.extend_from_slice(puzzles);
                    ControlFlow::<()>::Continue(())
                });
                assert!(matches!(ended, Ok(None)));
                made
            };
            let one = made(1);
            assert_eq!(one, made(3));
            assert_eq!(one.len(), 40);
            if clues.is_none() {
                let alone: Vec<_> = (0..40).map(|number| generator.puzzle(number)).collect();
                assert_eq!(one, alone);
            }
            assert!(one.iter().all(|puzzle| clues.is_none_or(|clues| puzzle.clues() == clues)));
        }
    }
}
