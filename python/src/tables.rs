//! How many solutions have each value in each cell.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tallyboard_search::TableRun;
use tallyboard_sudoku::Grid;

use crate::{board, regions, told_of, value_error};

/// The numbers of a table, 16 bytes each in little-endian order.
fn numbers<'py>(
    py: Python<'py>,
    run: TableRun<'static>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let table = told_of(py, progress, |stop, on_progress| {
        run.threads(threads).stop(stop).on_progress(on_progress).run()
    })?;
    let bytes: Vec<u8> = table.cells().iter().flat_map(|number| number.to_le_bytes()).collect();
    Ok(PyByteArray::new(py, &bytes))
}

/// The number of solutions of a grid of 81 cells with each digit in each cell.
#[pyfunction]
pub fn sudoku_tally(
    py: Python<'_>,
    cells: [u8; 81],
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyByteArray>> {
    let grid = Grid::new(cells).ok_or_else(|| value_error("a cell is over 9"))?;
    numbers(py, tallyboard_sudoku::tally(&grid), threads, progress)
}

/// The number of solutions with a queen on each square, row by row.
#[pyfunction]
pub fn queens_tally(
    py: Python<'_>,
    n: u32,
    place: Vec<String>,
    block: Vec<String>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyByteArray>> {
    numbers(py, board(n, &place, &block)?.tally(), threads, progress)
}

/// The number of solutions of a board of regions with a star in each cell, row by row.
#[pyfunction]
pub fn regions_tally<'py>(
    py: Python<'py>,
    cells: &[u8],
    stars: usize,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyByteArray>> {
    numbers(py, tallyboard_regions::tally(&regions::board(cells, stars)?), threads, progress)
}
