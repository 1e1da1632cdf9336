//! Boards of regions: a byte for the region of each cell, row by row.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use tallyboard_base::cpu::Instructions;
use tallyboard_regions::{
    Answer, Board, Count, GenerateError, Generator, Limits, Solutions, Wishes, solve_all,
};
use tallyboard_search::ordered;

use crate::interrupt::interruptible;
use crate::{count, value_error};

/// The boards that a thread takes at a time. They fill the lanes of its vectors many times over.
const CHUNK: usize = 1_024;

/// The board of these cells.
pub fn board(cells: &[u8], stars: usize) -> PyResult<Board> {
    let labels: Vec<u32> = cells.iter().map(|&region| region.into()).collect();
    Board::new(&labels, stars).map_err(value_error)
}

/// The stars of a solution, a byte for each cell.
fn cells_of(stars: &[u32]) -> impl Iterator<Item = u8> + '_ {
    let size = stars.len();
    (0..size * size).map(move |cell| (stars[cell / size] >> (cell % size) & 1) as u8)
}

/// Solves boards of `size` rows. Returns the number of solutions of each, eight bytes in the machine's order, -1 for a board that was
/// given up; then the guesses in the same form; then the cells of the first solution of each, or zeros.
#[pyfunction]
pub fn regions_solve<'py>(
    py: Python<'py>,
    cells: &[u8],
    size: usize,
    stars: usize,
    limit: u64,
    guesses: Option<u64>,
    threads: usize,
) -> PyResult<[Bound<'py, PyByteArray>; 3]> {
    let mut boards = Vec::with_capacity(cells.len() / (size * size));
    for (number, cells) in cells.chunks_exact(size * size).enumerate() {
        let named = |error: PyErr| value_error(format!("board {number}: {}", error.value(py)));
        boards.push(board(cells, stars).map_err(named)?);
    }
    let limits = Limits { solutions: limit, guesses: guesses.unwrap_or(u64::MAX) };
    let mut answers: Vec<Answer> = Vec::with_capacity(boards.len());
    interruptible(py, |stop| {
        ordered(
            boards.chunks(CHUNK),
            threads,
            stop,
            || (),
            |(), chunk, parts| {
                let _ = parts.push(solve_all(chunk, limits, Instructions::best(), stop)?);
                Ok(())
            },
            |part| {
                answers.extend(part);
                std::ops::ControlFlow::<()>::Continue(())
            },
        )
    })?
    .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let (mut counts, mut guesses, mut solutions) = (Vec::new(), Vec::new(), Vec::new());
    for answer in &answers {
        let count = if answer.is_given_up { -1 } else { answer.count as i64 };
        counts.extend(count.to_ne_bytes());
        guesses.extend(answer.guesses.to_ne_bytes());
        match answer.solutions().next() {
            Some(stars) => solutions.extend(cells_of(stars)),
            None => solutions.resize(solutions.len() + size * size, 0),
        }
    }
    Ok([&counts, &guesses, &solutions].map(|bytes| PyByteArray::new(py, bytes)))
}

/// The number of all solutions of a board.
#[pyfunction]
pub fn regions_count(
    py: Python<'_>,
    cells: &[u8],
    stars: usize,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<u128> {
    let board = board(cells, stars)?;
    let problem = interruptible(py, |_| Count::new(&board))?;
    count(py, &problem, threads, progress)
}

/// The regions of `count` random boards with one solution each, one after the other.
#[pyfunction]
pub fn regions_generate(
    py: Python<'_>,
    count: u64,
    size: usize,
    stars: usize,
    smallest: usize,
    largest: Option<usize>,
    seed: u64,
) -> PyResult<Bound<'_, PyByteArray>> {
    let mut wishes = Wishes::new(size, stars);
    wishes.smallest = smallest;
    wishes.largest = largest.unwrap_or(wishes.largest);
    let generator = Generator::new(wishes, seed).map_err(value_error)?;
    let mut cells = Vec::new();
    let made = interruptible(py, |stop| {
        // As many together as fill the lanes of vectors twice.
        for first in (0..count).step_by(64) {
            let numbers: Vec<u64> = (first..count.min(first + 64)).collect();
            let boards = generator.boards(&numbers, Instructions::best(), stop)?;
            boards.iter().for_each(|board| cells.extend_from_slice(board.regions()));
        }
        Ok::<(), GenerateError>(())
    })?;
    made.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyByteArray::new(py, &cells))
}

/// The solutions of a board one after the other, the cells of each as bytes.
#[pyclass]
pub struct RegionsSolutions(Solutions);

#[pymethods]
impl RegionsSolutions {
    #[new]
    fn new(cells: &[u8], stars: usize) -> PyResult<Self> {
        Ok(Self(Solutions::new(&board(cells, stars)?)))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let stars = self.0.next()?;
        Some(PyBytes::new(py, &cells_of(&stars).collect::<Vec<u8>>()))
    }
}
