//! Random puzzles with exactly one solution, the same on every machine for the same seed: a random solved grid loses clues in
//! random order as long as its solution stays the only one. They are varied but not a uniform sample of all puzzles.

mod digging;
mod solved;
mod unavoidable;

use std::ops::{ControlFlow, Range};

use super::batch::{Puzzles, Solvers};
use super::{CELLS, Grid};
use digging::{ClueGroup, Digging};
use solved::solved_grid;
use tallyboard_base::random::Random;
use tallyboard_search::{Error, Stop, Stopped, ordered};
pub(super) use unavoidable::for_each_unavoidable_set;

/// The fewest clues of any puzzle with one solution.
pub const FEWEST_CLUES: usize = 17;
/// The usual number of clues, if no other is required: such puzzles are found fast.
pub const USUAL_CLUES: usize = 30;
/// No minimal puzzle with more clues is known.
const MAX_MINIMAL_CLUES: usize = 40;

/// Requirements for puzzles. Without [`clues`](Self::clues), puzzles are minimal, whether that is required or not.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Requirements {
    /// The number of clues, exactly.
    pub clues: Option<usize>,
    /// No clue (with [`symmetric`](Self::symmetric), no pair of clues) can be removed without a
    /// second solution appearing.
    pub minimal: bool,
    /// The pattern of clues looks the same after a half turn.
    pub symmetric: bool,
}

/// No puzzle that meets the [`Requirements`] exists or is known.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// Too few clues for a single solution, or more than a grid has cells.
    #[error("found {0} clues, expected {FEWEST_CLUES} to {CELLS}")]
    Clues(usize),
    /// More clues than any known minimal puzzle has.
    #[error(
        "found {0} clues for minimal puzzles, expected at most {MAX_MINIMAL_CLUES}: no minimal puzzle with \
         more is known"
    )]
    Minimal(usize),
}

/// Makes puzzles, each a function of the seed and of a number alone.
///
/// ```
/// # mod tallyboard { pub mod sudoku { pub use ::tallyboard_sudoku::{*, generate::*}; } }
/// use tallyboard::sudoku::{Generator, Requirements, solve};
///
/// let requirements = Requirements { clues: Some(30), minimal: false, symmetric: true };
/// let puzzle = Generator::new(requirements, 42)?.puzzle(0);
/// assert_eq!(puzzle.clues(), 30);
/// assert!(solve(&puzzle).is_unique());
/// # Ok::<(), tallyboard::sudoku::WishError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    requirements: Requirements,
    seed_bits: u64,
}

/// What a thread needs for its attempts.
type Worker = (Solvers, Puzzles);

fn new_worker() -> Worker {
    (Solvers::best(), Puzzles::default())
}

/// The most attempts of a piece of work, as a power of two. This number fills the lanes of the batch engine.
const MAX_PIECE_LOG2: u64 = 8;
/// The number of pieces of work of each size; then the size doubles. The first are small, so that the first puzzles come
/// soon.
const PIECES_PER_SIZE: u64 = 8;

/// The numbers of the attempts of each piece of work.
fn pieces() -> impl Iterator<Item = Range<u64>> {
    let mut end = 0;
    (0..).map(move |piece: u64| {
        let begin = end;
        end += 1 << (piece / PIECES_PER_SIZE).min(MAX_PIECE_LOG2);
        begin..end
    })
}

impl Generator {
    /// A generator for `requirements` and `seed`.
    ///
    /// # Errors
    /// [`WishError`] if the search would never end.
    pub fn new(requirements: Requirements, seed: u64) -> Result<Self, WishError> {
        match requirements.clues {
            Some(clues) if !(FEWEST_CLUES..=CELLS).contains(&clues) => Err(WishError::Clues(clues)),
            Some(clues) if requirements.minimal && clues > MAX_MINIMAL_CLUES => {
                Err(WishError::Minimal(clues))
            }
            _ => Ok(Self { requirements, seed_bits: Random::from_seed(seed).bits() }),
        }
    }

    /// The puzzle of the first attempt that succeeds of `number`, `number` + 2^32, `number` + 2 · 2^32 …
    ///
    /// Takes a fraction of a millisecond from about 24 clues up, where about every attempt succeeds.
    /// 20 clues take seconds, and 17, the fewest of any puzzle with one solution, more than a lifetime.
    pub fn puzzle(&self, number: u64) -> Grid {
        let mut worker = new_worker();
        let mut attempt = number;
        loop {
            let found = self.attempt_all(&mut [attempt].into_iter(), &mut worker, &Stop::new());
            if let Some(puzzle) = found.expect("nobody raises this flag").pop() {
                return puzzle;
            }
            attempt = attempt.wrapping_add(1 << 32);
        }
    }

    /// Makes the attempts of these numbers, all together. Returns the puzzles of those that succeed, in order. Not generic,
    /// so that it is compiled in this crate, with its optimisation, not in the crate that calls.
    fn attempt_all(
        &self,
        numbers: &mut dyn Iterator<Item = u64>,
        (solvers, table): &mut Worker,
        stop: &Stop,
    ) -> Result<Vec<Grid>, Stopped> {
        let mut diggings: Vec<Digging> = numbers.map(|number| self.digging(number)).collect();
        // Those that have not ended.
        let mut open: Vec<usize> = (0..diggings.len()).collect();
        loop {
            table.clear();
            table.reserve(open.len());
            open.retain(|&index| {
                let Some(candidate) = diggings[index].next_candidate() else { return false };
                table.push_planes(&candidate);
                true
            });
            if open.is_empty() {
                break;
            }
            table.solve(solvers, 2, stop)?;
            for (place, &index) in open.iter().enumerate() {
                diggings[index].answer(table.count(place) == 1, &table.solution(place));
            }
        }
        let wanted = self.requirements.clues;
        let puzzles = diggings.iter().map(Digging::puzzle);
        Ok(puzzles.filter(|puzzle| wanted.is_none_or(|clues| puzzle.clues() == clues)).collect())
    }

    /// Passes `count` puzzles to `take`, found by `threads` threads (0: automatic): those of the first attempts that succeed,
    /// in the order of their numbers, whatever the number of threads. `take` also gets the number of attempts so far. If it
    /// breaks, its value is returned; `None` means that all puzzles were passed, or that `stop` was raised before.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    pub fn generate<B: Send>(
        &self,
        count: u64,
        threads: usize,
        stop: &Stop,
        mut take: impl FnMut(&[Grid], u64) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, Error> {
        if count == 0 {
            return Ok(None);
        }
        let mut left = count;
        let ended = ordered(
            pieces(),
            threads,
            stop,
            new_worker,
            |worker, mut numbers: Range<u64>, parts| {
                let tried = numbers.end;
                // A push fails only after the last puzzle.
                let _ = parts.push((self.attempt_all(&mut numbers, worker, stop)?, tried));
                Ok(())
            },
            |(puzzles, tried)| {
                let taken = puzzles.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                left -= taken as u64;
                // Ended by the last puzzle, or by `take` with its value.
                match take(&puzzles[..taken], tried) {
                    ControlFlow::Continue(()) if left == 0 => ControlFlow::Break(None),
                    ControlFlow::Continue(()) => ControlFlow::Continue(()),
                    ControlFlow::Break(value) => ControlFlow::Break(Some(value)),
                }
            },
        );
        ended.map(Option::flatten)
    }

    /// Begins the attempt of this number.
    fn digging(&self, number: u64) -> Digging {
        let mut random = Random::from_seed(self.seed_bits.wrapping_add(number));
        let solution = solved_grid(&mut random);
        let mut groups: Vec<ClueGroup> = if self.requirements.symmetric {
            (0..=CELLS / 2).map(|cell| [cell, CELLS - 1 - cell]).collect()
        } else {
            (0..CELLS).map(|cell| [cell; 2]).collect()
        };
        random.shuffle(&mut groups);
        let min_clues = match self.requirements {
            Requirements { minimal: false, clues: Some(clues), .. } => clues,
            _ => FEWEST_CLUES,
        };
        Digging::new(&solution, groups, min_clues)
    }
}

#[cfg(test)]
impl Generator {
    /// Puzzles with this number of clues, or minimal puzzles.
    pub fn for_tests(clues: Option<usize>, seed: u64) -> Self {
        Self::new(Requirements { clues, minimal: clues.is_none(), symmetric: false }, seed).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve_up_to;
    use crate::test_grids::changed;

    fn puzzles(requirements: Requirements, seed: u64) -> Vec<Grid> {
        let generator = Generator::new(requirements, seed).unwrap();
        (0..20).map(|number| generator.puzzle(number)).collect()
    }

    #[test]
    fn minimal_puzzles_can_spare_no_clue() {
        for puzzle in puzzles(Requirements { clues: None, minimal: true, symmetric: false }, 1) {
            assert_eq!(solve_up_to(&puzzle, 2).count, 1);
            for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0) {
                let without = changed(&puzzle, |cells| cells[cell] = 0);
                assert_eq!(solve_up_to(&without, 2).count, 2);
            }
        }
    }

    #[test]
    fn symmetric_puzzles_look_the_same_upside_down() {
        for puzzle in puzzles(Requirements { clues: Some(32), minimal: false, symmetric: true }, 2)
        {
            assert_eq!((puzzle.clues(), solve_up_to(&puzzle, 2).count), (32, 1));
            let cells = puzzle.cells();
            assert!((0..CELLS).all(|cell| (cells[cell] == 0) == (cells[CELLS - 1 - cell] == 0)));
        }
    }

    #[test]
    fn wishes_that_nobody_can_fulfil_are_refused() {
        let error = |clues, minimal| {
            Generator::new(Requirements { clues: Some(clues), minimal, symmetric: false }, 1).err()
        };
        assert_eq!([error(17, false), error(81, false), error(40, true)], [None; 3]);
        assert_eq!([16, 82].map(|n| error(n, true)), [16, 82].map(|n| Some(WishError::Clues(n))));
        assert_eq!(error(41, true), Some(WishError::Minimal(41)));
    }

    #[test]
    fn puzzles_are_the_same_by_many_threads_and_one_at_a_time() {
        for (clues, minimal, symmetric) in [
            (Some(24), false, false),
            (None, true, false),
            (None, true, true),
            (Some(23), true, false),
        ] {
            let requirements = Requirements { clues, minimal, symmetric };
            let generator = Generator::new(requirements, 6).unwrap();
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
                assert_eq!(one[..20], puzzles(requirements, 6));
                assert_ne!(one[..20], puzzles(requirements, 7));
            }
            assert!(one.iter().all(|puzzle| clues.is_none_or(|clues| puzzle.clues() == clues)));
        }
    }
}
