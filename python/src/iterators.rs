//! Solutions one after the other, as Python asks for them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tallyboard::queens::Placements;
use tallyboard::sudoku::{Grid, Solutions};

use crate::{board, value_error};

/// The solutions of a grid in lexicographic order, the cells of each as bytes.
#[pyclass]
pub struct GridSolutions(Solutions);

#[pymethods]
impl GridSolutions {
    #[new]
    fn new(cells: [u8; 81]) -> PyResult<Self> {
        let grid = Grid::new(cells).ok_or_else(|| value_error("a cell is over 9"))?;
        Ok(Self(grid.solutions()))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let solution = self.0.next()?;
        Some(PyBytes::new(py, solution.cells()))
    }
}

/// The solutions of a board of queens in lexicographic order, the columns of each as bytes.
#[pyclass]
pub struct BoardSolutions(Placements);

#[pymethods]
impl BoardSolutions {
    #[new]
    fn new(n: u32, place: Vec<String>, block: Vec<String>) -> PyResult<Self> {
        Ok(Self(board(n, &place, &block)?.solutions()))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let placement = self.0.next()?;
        // A board has at most 32 columns.
        let columns: Vec<u8> = placement.columns().iter().map(|&column| column as u8).collect();
        Some(PyBytes::new(py, &columns))
    }
}
