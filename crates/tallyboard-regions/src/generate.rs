//! Random boards with exactly one solution, the same on every machine for the same seed.
//!
//! ```text
//! draw a solution
//! grow a region around each star (around each group of k stars), cell by cell
//! while the board has a second solution
//!     take a cell that has a star in the second solution only
//!     move it over a border, into the region beside it
//! ```
//!
//! The drawn solution stays one, because no cell of it moves; each move kills the second solution, whose stars are no
//! longer spread evenly. Of maps that are drawn at random one in 1,500 has one solution for n = 8 and one in 600,000 for n = 10, so a
//! map is mended instead of drawn anew, until it was mended too often or no cell can move.

mod draw;

use std::ops::{ControlFlow, Range};

use crate::batch::Limits;
use crate::board::{Board, MAX_SIZE};
use crate::explain::explain;
use crate::position::is_connected;
use crate::solve::{Answer, solve_in_lanes};
use draw::{draw_regions, draw_stars};
use tallyboard_base::cpu::Instructions;
use tallyboard_base::random::Random;
use tallyboard_search::{Error, Pieces, Stop, Stopped, make_in_order};

/// What boards have to be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wishes {
    /// The number of rows.
    pub size: usize,
    /// The stars of each row, column and region.
    pub stars: usize,
    /// The fewest cells of a region.
    pub smallest: usize,
    /// The most cells of a region.
    pub largest: usize,
}

/// No board can be as it is wished.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// No stars fit on such a board.
    #[error("found {size} rows with {stars} stars each, expected {expected}")]
    Size {
        /// The number of rows.
        size: usize,
        /// The stars of each row.
        stars: usize,
        /// What can be made.
        expected: &'static str,
    },
    /// Regions of such sizes cannot fill the board.
    #[error(
        "found regions of {smallest} to {largest} cells, expected sizes around the mean, {mean}"
    )]
    Regions {
        /// The fewest cells.
        smallest: usize,
        /// The most cells.
        largest: usize,
        /// The mean, which is the number of rows.
        mean: usize,
    },
}

/// Why a board was not made.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// The flag was raised.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Boards that are wished so may exist, but none was found in time.
    #[error(
        "found no board of {size} rows with {stars} stars each and one solution in {drafts} drafts, expected fewer rows, fewer stars \
         or regions of more sizes"
    )]
    GivenUp {
        /// The number of rows.
        size: usize,
        /// The stars of each row.
        stars: usize,
        /// The maps that were drawn and mended.
        drafts: usize,
    },
}

/// What one search of a draft may take.
const MOST_GUESSES: u64 = 4_000;
/// What all searches for one board may take, each counted as one more guess: for one star ten seconds at 12 rows and a minute at 20, for
/// several, where more is looked at between guesses, as long.
const MOST_GUESSES_IN_ALL: [u64; 2] = [10_000_000, 400_000];
/// How many guesses a failed drawing counts as, for one star and for several. Drawing takes longer than that many guesses, so a board
/// whose regions are hard to draw is given up after about as long.
const GUESSES_OF_DRAWING: [u64; 2] = [40, 1];
/// How numbers are dealt to threads. The largest pieces fill the lanes of vectors.
const PIECES: Pieces = Pieces { per_size: 1, max_log2: 6, end: u64::MAX };
/// The drawings that may fail, one after the other.
const MOST_DRAWINGS: usize = 5_000;

impl Wishes {
    /// Boards of `size` rows with `stars` stars each, and regions of any sizes.
    pub fn new(size: usize, stars: usize) -> Self {
        Self { size, stars, smallest: 1, largest: size * size }
    }
}

/// Makes boards, each a function of the wishes, the seed and a number alone.
///
/// ```
/// use tallyboard_regions::{Generator, Wishes, solve};
///
/// let board = Generator::new(Wishes::new(8, 1), 42)?.board(0)?;
/// assert!(solve(&[board])[0].is_unique());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    wishes: Wishes,
    seed_bits: u64,
}

/// A board that is being mended.
struct Draft {
    /// Its place among the boards that are asked for.
    place: usize,
    random: Random,
    /// The solution that was drawn.
    stars: Vec<u32>,
    board: Board,
    mendings: usize,
    /// What was spent on this place.
    spent: Spent,
}

#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    drafts: usize,
    guesses: u64,
}

impl Generator {
    /// A generator for these wishes and this seed.
    ///
    /// # Errors
    /// [`WishError`] if there is no such board.
    pub fn new(wishes: Wishes, seed: u64) -> Result<Self, WishError> {
        let Wishes { size, stars, smallest, largest } = wishes;
        let expected = match stars {
            1 if size == 1 || (4..=20).contains(&size) => "",
            1 => "4 to 20 rows",
            2 if (8..=20).contains(&size) => "",
            2 => "8 to 20 rows for two stars",
            3 if (12..=20).contains(&size) => "",
            3 => "12 to 20 rows for three stars",
            _ => "one, two or three stars",
        };
        if !expected.is_empty() {
            return Err(WishError::Size { size, stars, expected });
        }
        if smallest > size || largest < size {
            return Err(WishError::Regions { smallest, largest, mean: size });
        }
        Ok(Self { wishes, seed_bits: Random::from_seed(seed).bits() })
    }

    /// The board of this number.
    ///
    /// # Errors
    /// [`GenerateError::GivenUp`] if it takes too long.
    pub fn board(&self, number: u64) -> Result<Board, GenerateError> {
        self.boards(&[number], Instructions::best(), &Stop::new())
            .map(|mut boards| boards.remove(0))
    }

    /// The boards of these numbers, which are made together, so that they fill the lanes of vectors.
    ///
    /// # Errors
    /// [`GenerateError`] if `stop` is raised, or one of them takes too long.
    #[doc(hidden)]
    pub fn boards(
        &self,
        numbers: &[u64],
        instructions: Instructions,
        stop: &Stop,
    ) -> Result<Vec<Board>, GenerateError> {
        let mut made: Vec<Option<Board>> = vec![None; numbers.len()];
        let mut drafts: Vec<Draft> = Vec::with_capacity(numbers.len());
        for (place, &number) in numbers.iter().enumerate() {
            drafts.push(self.draw(place, self.random(number), Spent::default(), stop)?);
        }
        let limits = Limits { solutions: 2, guesses: MOST_GUESSES };
        while !drafts.is_empty() {
            let boards: Vec<Board> = drafts.iter().map(|draft| draft.board.clone()).collect();
            let answers = solve_in_lanes(&boards, limits, instructions, stop)?;
            let mut kept = Vec::with_capacity(drafts.len());
            for (mut draft, answer) in drafts.into_iter().zip(answers) {
                draft.spent.guesses += answer.guesses + 1;
                if answer.is_unique() {
                    made[draft.place] = Some(draft.board);
                } else if self.mend(&mut draft, &answer) {
                    kept.push(draft);
                } else {
                    kept.push(self.draw(draft.place, draft.random, draft.spent, stop)?);
                }
            }
            drafts = kept;
        }
        Ok(made.into_iter().map(|board| board.expect("each draft ends as a board")).collect())
    }

    /// Passes `count` boards to `take`, made by `threads` threads (0: automatic), in the order of their numbers: the same whatever the
    /// number of threads. With a `level`, those alone that [`explain`] solves by steps up to it. `take` also gets how many boards were
    /// made so far. If it breaks, its value is returned, or that of the error at which a board is given up; `None` means that all
    /// boards were passed, or that `stop` was raised before.
    ///
    /// # Errors
    /// If the operating system gives no threads.
    #[doc(hidden)]
    pub fn generate<B: From<GenerateError> + Send>(
        &self,
        count: u64,
        level: Option<u32>,
        threads: usize,
        stop: &Stop,
        take: impl FnMut(&[Board], u64) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, Error> {
        // Each number gives a board, but not each board is of the level.
        let pieces = Pieces { end: if level.is_some() { u64::MAX } else { count }, ..PIECES };
        let instructions = Instructions::best();
        let is_easy = |board: &Board| {
            level.is_none_or(|level| explain(board).grade().is_some_and(|grade| grade <= level))
        };
        let make = |(): &mut (), numbers: Range<u64>| match self.boards(
            &numbers.collect::<Vec<_>>(),
            instructions,
            stop,
        ) {
            Ok(boards) => Ok((boards.into_iter().filter(is_easy).collect(), None)),
            Err(GenerateError::Stopped(stopped)) => Err(stopped),
            Err(error) => Ok((Vec::new(), Some(B::from(error)))),
        };
        make_in_order(count, pieces, threads, stop, || (), make, take)
    }

    /// A board with a solution at least, which was not mended: most have many.
    ///
    /// # Errors
    /// [`GenerateError::GivenUp`] if it takes too long.
    pub fn draft(&self, number: u64) -> Result<Board, GenerateError> {
        let drawn = self.draw(0, self.random(number), Spent::default(), &Stop::new());
        drawn.map(|draft| draft.board)
    }

    fn random(&self, number: u64) -> Random {
        // The constant is the odd number next to 2^64 over the golden ratio: it sets the seeds of neighbours apart.
        Random::from_seed(self.seed_bits ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A new draft.
    fn draw(
        &self,
        place: usize,
        mut random: Random,
        mut spent: Spent,
        stop: &Stop,
    ) -> Result<Draft, GenerateError> {
        let Wishes { size, stars, .. } = self.wishes;
        spent.drafts += 1;
        let kind = usize::from(stars > 1);
        for _ in 0..MOST_DRAWINGS {
            stop.check()?;
            if spent.guesses >= MOST_GUESSES_IN_ALL[kind] {
                break;
            }
            let drawn = draw_stars(size, stars, &mut random);
            let regions =
                drawn.as_ref().and_then(|drawn| draw_regions(&self.wishes, drawn, &mut random));
            if let Some((drawn, regions)) = drawn.zip(regions) {
                let board = Board::of_regions(regions, stars).expect("the wishes were checked");
                return Ok(Draft { place, random, stars: drawn, board, mendings: 0, spent });
            }
            spent.guesses += GUESSES_OF_DRAWING[kind];
        }
        Err(GenerateError::GivenUp { size, stars, drafts: spent.drafts })
    }

    /// Moves a cell so that a second solution is none. Returns whether that was possible.
    fn mend(&self, draft: &mut Draft, answer: &Answer) -> bool {
        let size = self.wishes.size;
        draft.mendings += 1;
        let second = answer.solutions().find(|&stars| stars != draft.stars);
        // A search that was given up may have found no other.
        let Some(second) = second.filter(|_| draft.mendings <= 40 * size) else { return false };
        let regions = draft.board.regions();
        let sizes = draft.board.region_sizes();
        let mut moves = [(0u16, 0u8); 4 * MAX_SIZE * MAX_SIZE];
        let mut found = 0;
        let is_other = |&cell: &usize| {
            (second[cell / size] & !draft.stars[cell / size]) >> (cell % size) & 1 == 1
        };
        for cell in (0..size * size).filter(is_other) {
            let from = regions[cell];
            if sizes[usize::from(from)] <= self.wishes.smallest {
                continue;
            }
            for beside in neighbours(cell, size) {
                let to = regions[beside];
                if to != from && sizes[usize::from(to)] < self.wishes.largest {
                    moves[found] = (cell as u16, to);
                    found += 1;
                }
            }
        }
        while found > 0 {
            let index = draft.random.below(found as u32) as usize;
            let (cell, to) = moves[index];
            let cell = usize::from(cell);
            let from = regions[cell];
            let mut rest = [0; MAX_SIZE];
            for (other, _) in regions.iter().enumerate().filter(|&(_, &region)| region == from) {
                rest[other / size] |= u32::from(other != cell) << (other % size);
            }
            if is_connected(&rest[..size]) {
                let mut regions: Box<[u8]> = regions.into();
                regions[cell] = to;
                draft.board = Board::of_regions(regions, self.wishes.stars).expect("still a board");
                return true;
            }
            found -= 1;
            moves[index] = moves[found];
        }
        false
    }
}

/// The cells beside a cell in its row and column.
pub(crate) fn neighbours(cell: usize, size: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / size, cell % size);
    let beside = [
        (row > 0).then(|| cell - size),
        (column > 0).then(|| cell - 1),
        (column + 1 < size).then(|| cell + 1),
        (row + 1 < size).then(|| cell + size),
    ];
    beside.into_iter().flatten()
}
