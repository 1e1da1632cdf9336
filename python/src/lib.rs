//! The functions of the library that the Python package calls. Python makes and checks the arrays; here they are
//! borrowed memory.

mod interrupt;
mod iterators;
mod regions;
mod tables;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use interrupt::{interruptible, interruptible_alone, interruptible_with};
use tallyboard_cover::{self, CountError, Cover, Entry, Kind, NO_COLOUR};
use tallyboard_queens::place::{self, Limits, Method};
use tallyboard_queens::solutions::{Listing, Selection, Solutions, WriteError, write};
use tallyboard_queens::{Board, Count, Settings, Square, known};
use tallyboard_search::{CountRun, Error, Problem, Progress, Stop};
use tallyboard_sudoku::batch::Technique;
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::{
    CountOne, Grid, PropertySlice, compute_property, for_each_solution, move_cells, solve_cells,
};

fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Solves as many puzzles as `counts` has room for.
#[pyfunction]
fn solve(
    py: Python<'_>,
    cells: PyBuffer<u8>,
    solutions: PyBuffer<u8>,
    counts: PyBuffer<u8>,
    limit: u8,
    threads: usize,
) -> PyResult<()> {
    let contiguous = [&cells, &solutions, &counts].iter().all(|it| it.is_c_contiguous());
    if !contiguous || solutions.readonly() || counts.readonly() {
        return Err(PyValueError::new_err("arrays have to be contiguous, results writable"));
    }
    // SAFETY: the buffers are contiguous and stay borrowed until the end of this function. The Python package has
    // just made the two that are written, and shares them with nobody before this returns. The cells are the
    // user's array, not copied: as in numpy, no other thread may write to it meanwhile, which the documentation of
    // `solve` says. Every cell is read once and checked then, so at worst another puzzle is solved.
    let (cells, solutions, counts) = unsafe {
        (
            std::slice::from_raw_parts(cells.buf_ptr().cast::<u8>(), cells.len_bytes()),
            std::slice::from_raw_parts_mut(solutions.buf_ptr().cast(), solutions.len_bytes()),
            std::slice::from_raw_parts_mut(counts.buf_ptr().cast(), counts.len_bytes()),
        )
    };
    interruptible(py, |stop| solve_cells(cells, solutions, counts, limit, threads, stop))?
        .map_err(value_error)
}

/// Finds the property of this name of each puzzle. Returns the values as bytes: counts in little-endian order,
/// ratings and guesses in the machine's order, methods as their places in `method_names`.
#[pyfunction]
fn tell<'py>(
    py: Python<'py>,
    cells: &[u8],
    name: &str,
    threads: usize,
) -> PyResult<Bound<'py, PyByteArray>> {
    let puzzles = cells.len() / 81;
    let fill = |property: PropertySlice| {
        interruptible(py, |stop| compute_property(cells, property, threads, stop))?
            .map_err(value_error)
    };
    let bytes: Vec<u8> = match name {
        "counts" => {
            let mut counts = vec![0; puzzles];
            fill(PropertySlice::Counts(&mut counts))?;
            counts.iter().flat_map(|count: &u128| count.to_le_bytes()).collect()
        }
        "ratings" => {
            let mut ratings = vec![0.0; puzzles];
            fill(PropertySlice::Ratings(&mut ratings))?;
            ratings.iter().flat_map(|rating: &f64| rating.to_ne_bytes()).collect()
        }
        "guesses" => {
            let mut guesses = vec![0; puzzles];
            fill(PropertySlice::Guesses(&mut guesses))?;
            guesses.iter().flat_map(|count: &u64| count.to_ne_bytes()).collect()
        }
        "methods" => {
            let mut methods = vec![Technique::Singles; puzzles];
            fill(PropertySlice::Methods(&mut methods))?;
            methods.iter().map(|&method| method as u8).collect()
        }
        "depths" | "backdoors" => {
            let mut found = vec![0; puzzles];
            fill(match name {
                "depths" => PropertySlice::Depths(&mut found),
                _ => PropertySlice::Backdoors(&mut found),
            })?;
            found.iter().map(|&number: &i8| number as u8).collect()
        }
        "removals" => {
            let mut found = vec![0; puzzles];
            fill(PropertySlice::Removals(&mut found))?;
            found.iter().flat_map(|number: &i16| number.to_ne_bytes()).collect()
        }
        "canonical" | "expanded" => {
            let mut grids = vec![0; cells.len()];
            fill(match name {
                "canonical" => PropertySlice::Canonical(&mut grids),
                _ => PropertySlice::Expanded(&mut grids),
            })?;
            grids
        }
        "superfluous" => {
            let mut clues = vec![0; cells.len()];
            fill(PropertySlice::Superfluous(&mut clues))?;
            clues
        }
        "minimal" => {
            let mut minimal = vec![false; puzzles];
            fill(PropertySlice::Minimal(&mut minimal))?;
            minimal.iter().map(|&minimal| minimal.into()).collect()
        }
        other => return Err(value_error(format!("found {other:?}, expected a property"))),
    };
    Ok(PyByteArray::new(py, &bytes))
}

/// Images of the grids `moved`, by symmetries that depend on `puzzles` and the seed alone.
#[pyfunction]
fn shuffle<'py>(
    py: Python<'py>,
    puzzles: &[u8],
    moved: &[u8],
    times: usize,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyByteArray>> {
    let mut images = Vec::new();
    let bytes = moved.len().checked_mul(times);
    if bytes.is_none_or(|bytes| images.try_reserve_exact(bytes).is_err()) {
        let message = format!("{times} images of {} grids do not fit in memory", moved.len() / 81);
        return Err(PyMemoryError::new_err(message));
    }
    images.resize(moved.len() * times, 0);
    interruptible(py, |stop| move_cells(puzzles, moved, seed, &mut images, threads, stop))?
        .map_err(value_error)?;
    Ok(PyByteArray::new(py, &images))
}

/// The cells of the solutions of a grid up to a limit, in lexicographic order.
#[pyfunction]
fn solutions(py: Python<'_>, cells: [u8; 81], limit: usize) -> PyResult<Bound<'_, PyByteArray>> {
    let grid = Grid::new(cells).ok_or_else(|| value_error("a cell is over 9"))?;
    let mut found: Vec<u8> = Vec::new();
    let ended = interruptible(py, |stop| {
        for_each_solution(&grid, stop, |solution| {
            if found.len() / 81 < limit {
                found.extend_from_slice(solution.cells());
            }
            if found.len() / 81 < limit {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    })?;
    ended.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyByteArray::new(py, &found))
}

/// The number of all solutions of a grid of 81 cells.
#[pyfunction]
fn count_solutions(
    py: Python<'_>,
    cells: [u8; 81],
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<u128> {
    let grid = Grid::new(cells).ok_or_else(|| value_error("a cell is over 9"))?;
    count(py, &CountOne::new(grid), threads, progress)
}

/// The exact number of solutions of a problem. Calls `progress` with the share that is counted.
fn count(
    py: Python<'_>,
    problem: &(dyn Problem + Sync),
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<u128> {
    told_of(py, progress, |stop, on_progress| {
        CountRun::new(problem).threads(threads).stop(stop).on_progress(on_progress).run()
    })
}

/// Runs a search that calls a function with its progress. Calls `progress` with the share that is done.
fn told_of<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    run: impl FnOnce(&Stop, &(dyn Fn(&Progress) + Sync)) -> Result<T, Error> + Send,
) -> PyResult<T> {
    // The bits of the share. The thread that counts has no interpreter, so it leaves the share here.
    let share = AtomicU64::new(0);
    let mut told = None;
    let mut tell = |py: Python<'_>| {
        let now = share.load(Ordering::Relaxed);
        match &progress {
            Some(progress) if told.replace(now) != Some(now) => {
                progress.call1(py, (f64::from_bits(now),)).map(drop)
            }
            _ => Ok(()),
        }
    };
    let keep = |now: &Progress| share.store(now.share().to_bits(), Ordering::Relaxed);
    let found = interruptible_with(py, |stop| run(stop, &keep), &mut tell)?;
    let found = found.map_err(|error| match error {
        Error::Overflow(_) => PyOverflowError::new_err(error.to_string()),
        error => PyRuntimeError::new_err(error.to_string()),
    })?;
    tell(py)?;
    Ok(found)
}

/// The cells of `count` random puzzles, one after the other.
#[pyfunction]
fn generate(
    py: Python<'_>,
    count: u64,
    clues: Option<usize>,
    minimal: bool,
    symmetric: bool,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'_, PyByteArray>> {
    let wish = Requirements { clues, minimal, symmetric };
    let generator = Generator::new(wish, seed).map_err(value_error)?;
    let mut cells: Vec<u8> = Vec::new();
    interruptible(py, |stop| {
        generator.generate(count, threads, stop, |puzzles, _| {
            puzzles.iter().for_each(|puzzle| cells.extend_from_slice(puzzle.cells()));
            ControlFlow::<()>::Continue(())
        })
    })?
    .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyByteArray::new(py, &cells))
}

fn board(n: u32, place: &[String], block: &[String]) -> PyResult<Board> {
    let squares = |names: &[String]| {
        names.iter().map(|name| name.parse::<Square>()).collect::<Result<Vec<_>, _>>()
    };
    let (place, block) =
        (squares(place).map_err(value_error)?, squares(block).map_err(value_error)?);
    Board::with(n, &place, &block).map_err(value_error)
}

/// The number of solutions of a board with placed queens and closed squares.
#[pyfunction]
fn queens_count(
    py: Python<'_>,
    n: u32,
    place: Vec<String>,
    block: Vec<String>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<u128> {
    let board = board(n, &place, &block)?;
    let plain = board.is_plain();
    let problem = Count::with(board, Settings::new().threads(threads)).map_err(value_error)?;
    let found = count(py, &problem, threads, progress)?;
    if plain {
        known::check(n, found).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    }
    Ok(found)
}

/// The columns of all solutions, a byte each, in lexicographic order.
#[pyfunction]
fn queens_solutions(
    py: Python<'_>,
    n: u32,
    place: Vec<String>,
    block: Vec<String>,
    limit: u64,
    threads: usize,
) -> PyResult<Bound<'_, PyByteArray>> {
    let solutions = Solutions::on(&board(n, &place, &block)?);
    let mut columns: Vec<u8> = Vec::new();
    let listed = interruptible(py, |stop| {
        let listing =
            Listing { selection: Selection::All, skip: 0, limit, separator: b"", threads, stop };
        let copy = |row: &[u8], text: &mut Vec<u8>| text.extend_from_slice(row);
        write(&solutions, &listing, &copy, &mut columns)
    })?;
    listed.map_err(|error: WriteError| PyRuntimeError::new_err(error.to_string()))?;
    Ok(PyByteArray::new(py, &columns))
}

/// The columns of one solution, four bytes each in the machine's order.
#[pyfunction]
fn queens_one<'py>(
    py: Python<'py>,
    n: u32,
    method: &str,
    seed: u64,
    max_steps: Option<u64>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let method: Method = method.parse().map_err(value_error)?;
    let found = interruptible_alone(py, move |stop| {
        place::solve(n, &method, seed, &Limits { max_steps, time: None, stop: Some(stop) })
    })?;
    let placement = found.map_err(value_error)?.placement;
    let bytes: Vec<u8> = placement.columns().iter().flat_map(|it| it.to_ne_bytes()).collect();
    Ok(PyByteArray::new(py, &bytes))
}

/// The number of exact covers. The items are numbered, the primary ones first; `entries` holds those of all options,
/// one option after the other, and `lengths` how many each has.
#[pyfunction]
fn cover_count(
    py: Python<'_>,
    primary: u32,
    secondary: u32,
    entries: Vec<u32>,
    lengths: Vec<usize>,
    modulo: Option<u64>,
    threads: usize,
) -> PyResult<u128> {
    if modulo.is_some_and(|modulus| modulus < 2) {
        return Err(value_error("found a modulus below 2, expected a larger one"));
    }
    let mut problem = Cover::new();
    for item in 0..primary + secondary {
        let kind = if item < primary { Kind::Primary { low: 1, high: 1 } } else { Kind::Secondary };
        problem.add_item(&item.to_string(), kind).map_err(value_error)?;
    }
    let mut rest = entries.as_slice();
    for length in lengths {
        let (option, others) = rest.split_at(length);
        let option = option.iter().map(|&item| Entry { item, colour: NO_COLOUR });
        problem.add_option(option).map_err(value_error)?;
        rest = others;
    }
    let settings = tallyboard_cover::Settings::new().modulo(modulo);
    let problem = interruptible(py, |_| tallyboard_cover::Count::with(&problem, settings))?;
    let problem = problem.map_err(|error| match error {
        CountError::Overflow => PyOverflowError::new_err(error.to_string()),
        error => value_error(error),
    })?;
    count(py, &problem, threads, None)
}

/// The names of the methods, the easiest first.
#[pyfunction]
fn method_names() -> Vec<&'static str> {
    Technique::ALL.map(Technique::name).to_vec()
}

/// The version of the package.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[pymodule]
mod _tallyboard {
    #[pymodule_export]
    use super::iterators::{BoardSolutions, GridSolutions};
    #[pymodule_export]
    use super::regions::{RegionsSolutions, regions_count, regions_generate, regions_solve};
    #[pymodule_export]
    use super::tables::{queens_tally, regions_tally, sudoku_tally};
    #[pymodule_export]
    use super::{
        count_solutions, cover_count, generate, method_names, queens_count, queens_one,
        queens_solutions, shuffle, solutions, solve, tell, version,
    };
}
