//! Solving many puzzles in memory on all cores: cells in, cells out, no text.

use std::ops::ControlFlow;

use super::bands::ListJoin;
use super::batch::{Puzzles, Solvers, Technique};
use super::codec::Codec;
use super::count::CountAdviser;
use super::{CELLS, Grid, Symmetry, canonical};
use crate::properties::{mean_guesses, minimal, superfluous};
use crate::single::fill_singles;
use crate::trial_and_error::{backdoors, depths, only_solutions, removals};
use tallyboard_base::array::array;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{Error, Parts, Stop, Stopped, ordered, thread_count};

/// Why puzzles in memory could not all be solved.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum CellsError {
    /// The lengths of the slices do not fit each other.
    #[error(
        "found {cells} cells with room for {solutions} cells and {counts} counts, expected 81 cells a \
         puzzle with as much room"
    )]
    Lengths {
        /// Cells of the puzzles.
        cells: usize,
        /// Room for cells of solutions.
        solutions: usize,
        /// Room for counts.
        counts: usize,
    },
    /// A cell is neither a digit nor a blank.
    #[error("puzzle {puzzle}: found {found} in cell {cell}, expected 0 to 9")]
    Cell {
        /// The puzzle, from 0.
        puzzle: usize,
        /// The cell, from 0, row by row.
        cell: usize,
        /// What stands there.
        found: u8,
    },
    /// The threads could not be started, or one of them panicked.
    #[error(transparent)]
    Search(#[from] Error),
    /// `stop` was raised.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The most and the fewest puzzles of a portion; the fewest still fill the vectors.
const MAX_PORTION_PUZZLES: usize = 4096;
const MIN_PORTION_PUZZLES: usize = 128;
/// Ratings stop at the second solution, as they do by default for files.
const RATED_SOLUTIONS: u64 = 2;

/// Solves many puzzles, in memory that the number of threads bounds. `cells` has 81 cells a puzzle: numbers from 0 (a blank) to
/// 9, or the characters `0` to `9` and `.`. `solutions` gets the first solution of each, all 0 if there is none. `counts` gets
/// the number of its solutions up to `limit`. `threads` is as in [`thread_count`]; the results do not depend on it.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::Stop;
/// use tallyboard_sudoku::solve_cells;
///
/// let puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let (mut solution, mut count) = ([0; 81], [0]);
/// solve_cells(puzzle, &mut solution, &mut count, 2, 1, &Stop::new())?;
/// assert_eq!((&solution[..9], count), (&[5, 3, 4, 6, 7, 8, 9, 1, 2][..], [1]));
/// # Ok::<(), tallyboard_sudoku::CellsError>(())
/// ```
///
/// # Errors
/// [`CellsError`]; of several bad cells the first is named. The contents of the slices are then unspecified.
pub fn solve_cells(
    cells: &[u8],
    solutions: &mut [u8],
    counts: &mut [u8],
    limit: u8,
    threads: usize,
    stop: &Stop,
) -> Result<(), CellsError> {
    let puzzles = counts.len();
    if cells.len() != CELLS * puzzles || solutions.len() != CELLS * puzzles {
        let cells = cells.len();
        let solutions = solutions.len();
        return Err(CellsError::Lengths { cells, solutions, counts: puzzles });
    }
    let portions = Portions::new(cells, threads, stop);
    let results = solutions.chunks_mut(CELLS * portions.size).zip(counts.chunks_mut(portions.size));
    portions.solve(results, |worker, (solutions, counts), stop| {
        worker.solve(limit, solutions, counts, stop)
    })
}

/// The property that [`compute_property`] finds, and the slice that it fills: one element a puzzle, or one a cell.
#[derive(Debug)]
pub enum PropertySlice<'a> {
    /// The number of all solutions.
    Counts(&'a mut [u128]),
    /// The mean number of guesses, as in the column `rating`.
    Ratings(&'a mut [f64]),
    /// The number of guesses, as in the column `guesses`.
    Guesses(&'a mut [u64]),
    /// The hardest technique, as in the column `method`.
    Methods(&'a mut [Technique]),
    /// The depth of trial and error, as in the column `te`; [`NO_DEPTH`] of a puzzle that has not just one solution.
    Depths(&'a mut [i8]),
    /// The candidates that trial and error of depth 1 removes, as in the column `te_candidates`; [`NO_DEPTH`] of a puzzle that has
    /// not just one solution.
    Removals(&'a mut [i16]),
    /// The size of the smallest backdoor, as in the column `backdoor`; [`NO_DEPTH`] of a puzzle that has not just one solution.
    Backdoors(&'a mut [i8]),
    /// The cells of the canonical form, 0 for a blank.
    Canonical(&'a mut [u8]),
    /// The cells with all singles filled in, 0 for a blank; all of them blank if singles end in a contradiction.
    Expanded(&'a mut [u8]),
    /// For each cell whether its clue is superfluous: 1 or 0.
    Superfluous(&'a mut [u8]),
    /// Whether no clue is superfluous.
    Minimal(&'a mut [bool]),
}

/// Stands for the depth or the backdoor of a puzzle that has not just one solution.
pub const NO_DEPTH: i8 = -1;

/// Finds a property of each puzzle; puzzles are given as for [`solve_cells`].
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_search as search; }
/// use tallyboard::search::Stop;
/// use tallyboard_sudoku::{PropertySlice, compute_property};
///
/// let mut counts = [0; 2];
/// compute_property(&[[0; 81], [1; 81]].concat(), PropertySlice::Counts(&mut counts), 1, &Stop::new())?;
/// assert_eq!(counts, [6_670_903_752_021_072_936_960, 0]);
/// # Ok::<(), tallyboard_sudoku::CellsError>(())
/// ```
///
/// # Errors
/// As [`solve_cells`].
pub fn compute_property(
    cells: &[u8],
    property: PropertySlice,
    threads: usize,
    stop: &Stop,
) -> Result<(), CellsError> {
    let portions = Portions::new(cells, threads, stop);
    match property {
        PropertySlice::Counts(found) => portions.fill(found, Worker::count),
        PropertySlice::Ratings(found) => portions.fill(found, |worker, stop| {
            mean_guesses(&worker.table, &mut worker.solvers, RATED_SOLUTIONS, stop)
        }),
        PropertySlice::Guesses(found) => portions.fill(found, |worker, stop| {
            worker.table.guesses(&mut worker.solvers, RATED_SOLUTIONS, stop)
        }),
        PropertySlice::Methods(found) => portions.fill(found, |worker, stop| {
            let ratings = worker.table.rate(&mut worker.solvers, RATED_SOLUTIONS, stop)?;
            Ok(ratings.iter().map(|rating| rating.technique).collect())
        }),
        PropertySlice::Minimal(found) => {
            portions.fill(found, |worker, stop| minimal(&worker.table, &mut worker.solvers, stop))
        }
        PropertySlice::Depths(found) => {
            portions.fill(found, |worker, stop| worker.try_out(depths, stop))
        }
        PropertySlice::Removals(found) => {
            portions.fill(found, |worker, stop| worker.try_out(removals, stop))
        }
        PropertySlice::Backdoors(found) => {
            portions.fill(found, |worker, stop| worker.try_out(backdoors, stop))
        }
        PropertySlice::Canonical(cells) => {
            portions.fill(cells.as_chunks_mut().0, |worker, stop| worker.each(canonical, stop))
        }
        PropertySlice::Expanded(cells) => portions.fill(cells.as_chunks_mut().0, |worker, stop| {
            worker.each(|puzzle| fill_singles(puzzle).unwrap_or_default(), stop)
        }),
        PropertySlice::Superfluous(cells) => {
            portions.fill(cells.as_chunks_mut().0, Worker::superfluous)
        }
    }
}

/// Moves grids by random symmetries: `images` gets as many images of each of `grids` as it has room for. The symmetries of
/// a grid depend on `seed` and the puzzle at the same place of `puzzles` alone, so solutions move as their puzzles do.
/// Puzzles and grids are given as for [`solve_cells`]; images are numbers.
///
/// # Errors
/// As [`solve_cells`].
pub fn move_cells(
    puzzles: &[u8],
    grids: &[u8],
    seed: u64,
    images: &mut [u8],
    threads: usize,
    stop: &Stop,
) -> Result<(), CellsError> {
    let count = puzzles.len() / CELLS;
    let times = images.len() / (CELLS * count).max(1);
    if puzzles.len() != grids.len() || images.len() != CELLS * count * times {
        let cells = puzzles.len();
        let solutions = images.len();
        return Err(CellsError::Lengths { cells, solutions, counts: grids.len() / CELLS });
    }
    if let Some(at) = grids.iter().position(|cell| !is_cell(cell)) {
        let puzzle = at / CELLS;
        let cell = at % CELLS;
        let found = grids[at];
        return Err(CellsError::Cell { puzzle, cell, found });
    }
    if times == 0 {
        return Ok(());
    }
    let mut portions = Portions::new(puzzles, threads, stop);
    // Each puzzle takes `times` as long.
    portions.size = (portions.size / times).max(1);
    let size = CELLS * portions.size;
    let results = grids.chunks(size).zip(images.chunks_mut(size * times));
    portions.solve(results, |worker, (grids, images), stop| {
        let mut table = Puzzles::default();
        worker.codec.read_cells(grids, &mut table);
        for (puzzle, images) in images.chunks_exact_mut(CELLS * times).enumerate() {
            stop.check()?;
            let grid = table.puzzle(puzzle);
            let symmetries = Symmetry::of(&worker.table.puzzle(puzzle), seed);
            for (image, symmetry) in images.chunks_exact_mut(CELLS).zip(symmetries) {
                image.copy_from_slice(symmetry.image(&grid).cells());
            }
        }
        Ok(())
    })
}

fn is_cell(&cell: &u8) -> bool {
    cell <= 9 || cell == b'.' || cell.is_ascii_digit()
}

/// Puzzles that several threads read in portions.
struct Portions<'a> {
    cells: &'a [u8],
    /// The number of puzzles in a portion.
    size: usize,
    threads: usize,
    stop: &'a Stop,
}

impl<'a> Portions<'a> {
    fn new(cells: &'a [u8], threads: usize, stop: &'a Stop) -> Self {
        let size = (cells.len() / CELLS / (4 * thread_count(threads)))
            .clamp(MIN_PORTION_PUZZLES, MAX_PORTION_PUZZLES);
        Self { cells, size, threads, stop }
    }

    /// Fills `found` with what `find` makes of each portion: an item for each puzzle of the worker's table.
    fn fill<T: Copy + Send>(
        &self,
        found: &mut [T],
        find: impl Fn(&mut Worker, &Stop) -> Result<Vec<T>, Stopped> + Sync,
    ) -> Result<(), CellsError> {
        let cells = self.cells.len();
        let counts = found.len();
        if cells != CELLS * counts {
            return Err(CellsError::Lengths { cells, solutions: CELLS * counts, counts });
        }
        self.solve(found.chunks_mut(self.size), |worker, found, stop| {
            found.copy_from_slice(&find(worker, stop)?);
            Ok(())
        })
    }

    /// Reads each portion into the table of a worker. Then `find` fills the next of `results` from the table.
    fn solve<F: Send>(
        &self,
        results: impl Iterator<Item = F> + Send,
        find: impl Fn(&mut Worker, F, &Stop) -> Result<(), Stopped> + Sync,
    ) -> Result<(), CellsError> {
        let bad = ordered(
            self.cells.chunks(CELLS * self.size).zip(results).enumerate(),
            self.threads,
            self.stop,
            Worker::new,
            |worker, (portion, (cells, result)), parts: &Parts<CellsError>| {
                match worker.read(cells) {
                    Ok(()) => find(worker, result, self.stop)?,
                    Err((puzzle, cell, found)) => {
                        let puzzle = portion * self.size + puzzle;
                        // A push fails only after an earlier error.
                        let _ = parts.push(CellsError::Cell { puzzle, cell, found });
                    }
                }
                Ok(())
            },
            ControlFlow::Break,
        )?;
        match bad {
            Some(error) => Err(error),
            None => Ok(self.stop.check()?),
        }
    }
}

/// [`depths`], [`removals`] or [`backdoors`].
type FindByTrials =
    fn(&Puzzles, &[Option<Grid>], &mut Solvers, &Stop) -> Result<Vec<Option<u32>>, Stopped>;

/// The batch engine with the table of one portion of puzzles.
pub(super) struct Worker {
    solvers: Solvers,
    codec: Codec,
    table: Puzzles,
    /// Memory for counts.
    lists: ListJoin,
}

impl Worker {
    pub fn new() -> Self {
        let solvers = Solvers::best();
        let codec = Codec(Instructions::best());
        Self { solvers, codec, table: Puzzles::default(), lists: ListJoin::default() }
    }

    /// The number of all solutions of each puzzle of the table.
    fn count(&mut self, stop: &Stop) -> Result<Vec<u128>, Stopped> {
        let instructions = self.codec.0;
        let mut adviser = CountAdviser { instructions, stop, lists: &mut self.lists };
        let others = adviser.count(&mut self.table, &mut self.solvers)?;
        let mut counts: Vec<u128> = self.table.counts().iter().map(|&it| it.into()).collect();
        others.into_iter().for_each(|(puzzle, count)| counts[puzzle] = count);
        Ok(counts)
    }

    /// What trials `find` of each puzzle of the table with one solution.
    fn try_out<T: TryFrom<u32> + From<i8>>(
        &mut self,
        find: FindByTrials,
        stop: &Stop,
    ) -> Result<Vec<T>, Stopped> {
        let solutions = only_solutions(&self.table, &mut self.solvers, stop)?;
        let found = find(&self.table, &solutions, &mut self.solvers, stop)?;
        let fitting = |it: u32| it.try_into().ok().expect("81 cells, or 729 candidates, at most");
        let number = |found: Option<u32>| found.map_or(NO_DEPTH.into(), fitting);
        Ok(found.into_iter().map(number).collect())
    }

    /// The cells of what `find` makes of each puzzle of the table.
    fn each(&self, find: impl Fn(&Grid) -> Grid, stop: &Stop) -> Result<Vec<[u8; CELLS]>, Stopped> {
        let puzzles = (0..self.table.len()).map(|puzzle| self.table.puzzle(puzzle));
        puzzles.map(|puzzle| stop.check().map(|()| *find(&puzzle).cells())).collect()
    }

    /// Cells are 1 where a clue is superfluous, or else 0.
    fn superfluous(&mut self, stop: &Stop) -> Result<Vec<[u8; CELLS]>, Stopped> {
        let found = superfluous(&self.table, &mut self.solvers, stop)?.into_iter();
        Ok(found.map(|clues| array(|cell| (clues >> cell & 1) as u8)).collect())
    }

    /// Solves each puzzle of the table, as [`solve_cells`] does.
    pub fn solve(
        &mut self,
        limit: u8,
        solutions: &mut [u8],
        counts: &mut [u8],
        stop: &Stop,
    ) -> Result<(), Stopped> {
        self.table.solve(&mut self.solvers, limit.into(), stop)?;
        // The limit is a byte, so each count is one, too.
        self.codec.write_cells(&self.table, solutions, counts);
        Ok(())
    }

    /// Reads a portion into the table. The error is its first bad cell: the puzzle, the place and the value.
    pub fn read(&mut self, cells: &[u8]) -> Result<(), (usize, usize, u8)> {
        self.table.clear();
        let read = self.codec.read_cells(cells, &mut self.table);
        let Some(cells) = cells.get(CELLS * read..CELLS * (read + 1)) else { return Ok(()) };
        let cell = cells.iter().position(|cell| !is_cell(cell)).expect("a cell that is none");
        Err((read, cell, cells[cell]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Rating;
    use crate::generate::Generator;
    use crate::{Grid, solve_up_to};

    fn solved(cells: &[u8], limit: u8, threads: usize) -> Result<(Vec<u8>, Vec<u8>), CellsError> {
        let mut solutions = vec![7; cells.len()];
        let mut counts = vec![7; cells.len() / CELLS];
        solve_cells(cells, &mut solutions, &mut counts, limit, threads, &Stop::new())?;
        Ok((solutions, counts))
    }

    /// Puzzles with one solution, with several (these lack the first `blanks` cells), and with none.
    fn puzzles(blanks: usize, count: u64) -> Vec<u8> {
        let generator = Generator::for_tests(Some(30), 3);
        let mut cells: Vec<u8> = (0..count).flat_map(|n| *generator.puzzle(n).cells()).collect();
        for (at, puzzle) in cells.chunks_exact_mut(CELLS).enumerate() {
            match at % 3 {
                1 => puzzle.iter_mut().take(blanks).for_each(|cell| *cell = 0),
                2 => puzzle[..2].fill(1),
                _ => {}
            }
        }
        cells
    }

    #[test]
    fn solutions_and_counts_are_those_of_a_single_puzzle() {
        let cells = puzzles(34, 300);
        let (solutions, counts) = solved(&cells, 2, 1).unwrap();
        assert_eq!(solved(&cells, 2, 3).unwrap(), (solutions.clone(), counts.clone()));
        for (at, puzzle) in cells.chunks_exact(CELLS).enumerate() {
            let grid = Grid::new(puzzle.try_into().unwrap()).unwrap();
            let answer = solve_up_to(&grid, 2);
            assert_eq!(u64::from(counts[at]), answer.count, "{at}");
            let solution = &solutions[CELLS * at..][..CELLS];
            match answer.count {
                0 => assert_eq!(solution, [0; CELLS]),
                1 => assert_eq!(solution, answer.first.unwrap().cells()),
                // Any solution will do: one that keeps the clues.
                _ => {
                    let whole = Grid::new(solution.try_into().unwrap()).unwrap();
                    assert_eq!((solve_up_to(&whole, 2).count, whole.clues()), (1, CELLS));
                    assert!(puzzle.iter().zip(solution).all(|(p, s)| *p == 0 || p == s), "{at}");
                }
            }
        }
        assert_eq!([counts[0], counts[1], counts[2]], [1, 2, 0]);
    }

    #[test]
    fn the_first_bad_cell_is_named() {
        let mut cells = puzzles(34, 1000);
        (cells[CELLS * 900 + 7], cells[CELLS * 301 + 80]) = (10, 254);
        for threads in [1, 4] {
            let error = solved(&cells, 2, threads).unwrap_err().to_string();
            assert_eq!(error, "puzzle 301: found 254 in cell 80, expected 0 to 9");
        }
    }

    #[test]
    fn lengths_and_stops_are_errors() {
        assert!(matches!(solved(&[0; 80], 2, 1), Err(CellsError::Lengths { cells: 80, .. })));
        let stop = Stop::new();
        stop.request();
        let ended = solve_cells(&[0; CELLS], &mut [0; CELLS], &mut [0], 2, 1, &stop);
        assert!(matches!(ended, Err(CellsError::Stopped(_))));
        assert_eq!(solved(&[], 2, 0).unwrap(), (vec![], vec![]));
    }

    /// Compares the properties of puzzles, which take two portions, with those of every `step`-th one alone.
    fn check_properties(cells: &[u8], step: usize) {
        let count = cells.len() / CELLS;
        let stop = &Stop::new();
        let mut expected = None;
        for threads in [1, 3] {
            let mut counts = vec![7; count];
            let mut ratings = vec![7.0; count];
            let mut forms = vec![7; count * CELLS];
            let mut clues = vec![7; count * CELLS];
            compute_property(cells, PropertySlice::Counts(&mut counts), threads, stop).unwrap();
            compute_property(cells, PropertySlice::Ratings(&mut ratings), threads, stop).unwrap();
            compute_property(cells, PropertySlice::Canonical(&mut forms), threads, stop).unwrap();
            compute_property(cells, PropertySlice::Superfluous(&mut clues), threads, stop).unwrap();
            let mut minimal = vec![false; count];
            let mut guesses = vec![7; count];
            let mut methods = vec![Technique::Singles; count];
            compute_property(cells, PropertySlice::Minimal(&mut minimal), threads, stop).unwrap();
            compute_property(cells, PropertySlice::Guesses(&mut guesses), threads, stop).unwrap();
            compute_property(cells, PropertySlice::Methods(&mut methods), threads, stop).unwrap();
            let found = (counts, ratings, forms, clues, minimal, guesses, methods);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(found == *expected, "{threads} threads");
        }
        let (counts, ratings, forms, clues, minimal, guesses, methods) = expected.unwrap();
        assert!(counts.contains(&0) && counts.iter().any(|&count| count > 1));
        assert!(ratings.iter().any(|&rating| rating > 0.0));
        for at in (0..count).step_by(step) {
            let puzzle = cells[CELLS * at..][..CELLS].try_into().unwrap();
            let grid = Grid::new(puzzle).unwrap();
            assert_eq!(minimal[at], !clues[CELLS * at..][..CELLS].contains(&1), "{at}");
            let rating = Rating::of(&grid, RATED_SOLUTIONS, stop).unwrap();
            assert_eq!((methods[at], guesses[at]), (rating.technique, rating.guesses), "{at}");
            let count = solve_up_to(&grid, 100_000).count;
            assert!(count == 100_000 || counts[at] == count.into(), "{at}");
            assert_eq!(forms[CELLS * at..][..CELLS], *canonical(&grid).cells());
            if count != 1 {
                continue;
            }
            for (cell, &spare) in clues[CELLS * at..][..CELLS].iter().enumerate() {
                let mut cells = puzzle;
                let is_clue = std::mem::take(&mut cells[cell]) != 0;
                let can_go = is_clue && solve_up_to(&Grid::new(cells).unwrap(), 2).count == 1;
                assert_eq!(spare, u8::from(can_go), "{at} {cell}");
            }
        }
    }

    /// With few solutions each, because counting millions takes minutes without optimisation. The last puzzles are in
    /// the second portion.
    #[test]
    fn properties_of_puzzles_are_those_of_each_alone() {
        check_properties(&puzzles(12, MIN_PORTION_PUZZLES as u64 + 3), 26);
    }

    #[test]
    #[ignore = "takes minutes without optimisation"]
    fn properties_of_puzzles_with_many_solutions_are_those_of_each_alone() {
        check_properties(&puzzles(34, 150), 1);
    }

    #[test]
    fn solutions_are_moved_as_their_puzzles() {
        let cells = puzzles(34, 60);
        let (solutions, counts) = solved(&cells, 2, 1).unwrap();
        let moved = |of: &[u8], seed, threads| {
            let mut images = vec![0; 3 * of.len()];
            move_cells(&cells, of, seed, &mut images, threads, &Stop::new()).unwrap();
            images
        };
        let images = moved(&cells, 5, 1);
        let of_solutions = moved(&solutions, 5, 3);
        assert_eq!(images, moved(&cells, 5, 2));
        assert_ne!(images, moved(&cells, 6, 1));
        let (found, _) = solved(&images, 2, 1).unwrap();
        for at in (0..180).filter(|at| counts[at / 3] == 1) {
            assert_eq!(found[CELLS * at..][..CELLS], of_solutions[CELLS * at..][..CELLS]);
        }
    }
}
