//! Many puzzles in memory, cells in and cells out, on every core: no text is read or written.

use std::ops::ControlFlow;

use super::CELLS;
use super::batch::{Puzzles, Solvers};
use super::format::Codec;
use crate::cpu::Instructions;
use crate::search::{Error, Parts, Stop, Stopped, ordered, thread_count};

/// Why puzzles in memory could not all be solved.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum CellsError {
    /// The slices do not fit each other.
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

/// Puzzles that a worker takes at a time, at most and at least: enough to fill the vectors.
const MOST: usize = 4096;
const LEAST: usize = 128;

/// Solves puzzles of 81 cells each, one after the other in `cells`: numbers from 0, a blank, to 9, or the
/// characters `0` to `9` and `.`. The first solution of each goes into `solutions`, all 0 where there is
/// none, and the number of its solutions up to `limit` into `counts`. `threads` as in
/// [`thread_count`]; what is found depends on none of them.
///
/// Memory is bounded by the number of threads.
///
/// ```
/// use tallyboard::search::Stop;
/// use tallyboard::sudoku::solve_cells;
///
/// let puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let (mut solution, mut count) = ([0; 81], [0]);
/// solve_cells(puzzle, &mut solution, &mut count, 2, 1, &Stop::new())?;
/// assert_eq!((&solution[..9], count), (&[5, 3, 4, 6, 7, 8, 9, 1, 2][..], [1]));
/// # Ok::<(), tallyboard::sudoku::CellsError>(())
/// ```
///
/// # Errors
/// [`CellsError`]; of several bad cells the first is named. What the slices then hold means nothing.
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
        let (cells, solutions) = (cells.len(), solutions.len());
        return Err(CellsError::Lengths { cells, solutions, counts: puzzles });
    }
    let most = (puzzles / (4 * thread_count(threads))).clamp(LEAST, MOST);
    let portions = cells.chunks(CELLS * most).zip(solutions.chunks_mut(CELLS * most));
    let portions = portions.zip(counts.chunks_mut(most)).enumerate();
    let bad = ordered(
        portions.map(|(at, ((cells, solutions), counts))| Portion { at, cells, solutions, counts }),
        threads,
        stop,
        Worker::new,
        |worker, portion, parts: &Parts<CellsError>| {
            let first = portion.at * most;
            if let Some((puzzle, cell, found)) = worker.solve(portion, limit, stop)? {
                // Nobody listens after an earlier one.
                let _ = parts.push(CellsError::Cell { puzzle: first + puzzle, cell, found });
            }
            Ok(())
        },
        ControlFlow::Break,
    )?;
    match bad {
        Some(error) => Err(error),
        None => Ok(stop.check()?),
    }
}

/// What a worker takes at a time.
struct Portion<'a> {
    at: usize,
    cells: &'a [u8],
    solutions: &'a mut [u8],
    counts: &'a mut [u8],
}

/// An engine with its memory.
struct Worker {
    engine: Solvers,
    codec: Codec,
    table: Puzzles,
}

impl Worker {
    fn new() -> Self {
        let codec = Codec(Instructions::best());
        Self { engine: Solvers::best(), codec, table: Puzzles::default() }
    }

    /// Solves a portion; a cell that is none is told by its puzzle, its place and its value.
    fn solve(
        &mut self,
        portion: Portion<'_>,
        limit: u8,
        stop: &Stop,
    ) -> Result<Option<(usize, usize, u8)>, Stopped> {
        self.table.clear();
        let read = self.codec.read_cells(portion.cells, &mut self.table);
        if let Some(cells) = portion.cells.get(CELLS * read..CELLS * (read + 1)) {
            let is_known = |&cell: &u8| cell <= 9 || cell == b'.' || cell.is_ascii_digit();
            let cell = cells.iter().position(|cell| !is_known(cell)).expect("a cell that is none");
            return Ok(Some((read, cell, cells[cell])));
        }
        self.table.solve(&mut self.engine, limit.into(), stop)?;
        // The limit is a byte, and no count is above it.
        self.codec.write_cells(&self.table, portion.solutions, portion.counts);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::generate::{Generator, Wish};
    use crate::sudoku::solve;

    fn solved(cells: &[u8], limit: u8, threads: usize) -> Result<(Vec<u8>, Vec<u8>), CellsError> {
        let (mut solutions, mut counts) = (vec![7; cells.len()], vec![7; cells.len() / CELLS]);
        solve_cells(cells, &mut solutions, &mut counts, limit, threads, &Stop::new())?;
        Ok((solutions, counts))
    }

    /// Puzzles with one solution, with several, and with none.
    fn puzzles(count: u64) -> Vec<u8> {
        let wish = Wish { clues: Some(30), minimal: false, symmetric: false };
        let generator = Generator::new(wish, 3).unwrap();
        let mut cells: Vec<u8> = (0..count).flat_map(|n| *generator.puzzle(n).cells()).collect();
        for (at, puzzle) in cells.chunks_exact_mut(CELLS).enumerate() {
            match at % 3 {
                1 => puzzle.iter_mut().take(40).for_each(|cell| *cell = 0),
                2 => puzzle[..2].fill(1),
                _ => {}
            }
        }
        cells
    }

    #[test]
    fn solutions_and_counts_are_those_of_a_single_puzzle() {
        let cells = puzzles(300);
        let (solutions, counts) = solved(&cells, 2, 1).unwrap();
        assert_eq!(solved(&cells, 2, 3).unwrap(), (solutions.clone(), counts.clone()));
        for (at, puzzle) in cells.chunks_exact(CELLS).enumerate() {
            let grid = crate::sudoku::Grid::new(puzzle.try_into().unwrap()).unwrap();
            let answer = solve(&grid, 2);
            assert_eq!(u64::from(counts[at]), answer.count, "{at}");
            let solution = &solutions[CELLS * at..][..CELLS];
            match answer.count {
                0 => assert_eq!(solution, [0; CELLS]),
                1 => assert_eq!(solution, answer.first.unwrap().cells()),
                // Any solution will do: one that keeps the clues.
                _ => {
                    let whole = crate::sudoku::Grid::new(solution.try_into().unwrap()).unwrap();
                    assert_eq!((solve(&whole, 2).count, whole.clues()), (1, CELLS));
                    assert!(puzzle.iter().zip(solution).all(|(p, s)| *p == 0 || p == s), "{at}");
                }
            }
        }
        assert_eq!([counts[0], counts[1], counts[2]], [1, 2, 0]);
    }

    #[test]
    fn cells_may_be_characters() {
        let cells = puzzles(9);
        let text: Vec<u8> =
            cells.iter().map(|&cell| if cell == 0 { b'.' } else { cell + b'0' }).collect();
        assert_eq!(solved(&text, 2, 1).unwrap(), solved(&cells, 2, 1).unwrap());
    }

    #[test]
    fn the_first_bad_cell_is_named() {
        let mut cells = puzzles(1000);
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
}
