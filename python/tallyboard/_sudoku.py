"""Sudokus solved, moved, and listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import _tallyboard
from ._arrow import Bytes
from ._evaluate import Errors, Found, Marked, Progress, boards, checked, checked_threads, evaluate, marked
from ._faults import CELLS
from ._families import Arrays, Values
from ._read import Column, read
from ._types import Cells, ColumnT, Missing, Numbers, Rows

BoardsT = TypeVar("BoardsT")
CountsT = TypeVar("CountsT")
_MAX_SEED = 2**64 - 1


class Solved(NamedTuple, Generic[BoardsT, CountsT]):
    """The results of `solve`.

    Attributes
    ----------
    solutions
        The first solution of each puzzle, in the form of the puzzles. Where there is none it is null: None in lists, masked in
        arrays of strings. Arrays of cells have a blank board there.
    counts
        The number of solutions of each puzzle, up to the limit.
    """

    solutions: BoardsT
    counts: CountsT


@overload
def solve(  # type: ignore[overload-overlap]
    puzzles: str, *, limit: int = 2, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
) -> Solved[str, Cells]: ...
@overload
def solve(
    puzzles: ColumnT, *, limit: int = 2, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
) -> Solved[ColumnT, ColumnT]: ...
@overload
def solve(
    puzzles: Numbers, *, limit: int = 2, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
) -> Solved[Cells, Cells]: ...
@overload
def solve(
    puzzles: Iterable[str],
    *,
    limit: int = 2,
    errors: Missing = "raise",
    threads: int = 0,
    progress: Progress | None = None,
) -> Solved[list[str], Cells]: ...
@overload
def solve(
    puzzles: ColumnT,
    *,
    limit: int = 2,
    errors: Literal["mark"],
    threads: int = 0,
    progress: Progress | None = None,
) -> Marked[Solved[ColumnT, ColumnT]]: ...
@overload
def solve(
    puzzles: Rows,
    *,
    limit: int = 2,
    errors: Literal["mark"],
    threads: int = 0,
    progress: Progress | None = None,
) -> Marked[Solved[Cells | list[str], Cells]]: ...
def solve(
    puzzles: object,
    *,
    limit: int = 2,
    errors: Errors = "raise",
    threads: int = 0,
    progress: Progress | None = None,
) -> object:
    """Solve sudokus, and count the solutions of each up to a limit.

    Parameters
    ----------
    puzzles : column, array or iterable of puzzles, or one puzzle
        Text has 81 characters a puzzle, with ``.``, ``0``, ``_``, ``*``, ``-`` or ``x`` for a blank; white space
        around it is no fault. Numbers are 0 to 9, 0 or NaN for a blank, in arrays of shape (N, 81), (N, 9, 9), (81,)
        or (9, 9), or in columns of lists of 81. Columns come from pandas, polars, pyarrow, DuckDB, or whatever else
        speaks Arrow. A contiguous array of uint8 and an Arrow column without gaps are not copied: no other thread
        may change them until ``solve`` returns.
    limit : int, default 2
        Solutions are counted up to this number, 1 to 255.
    errors : {"raise", "null", "mark"}, default "raise"
        What to do if rows are no puzzles: raise `BadRows`, which says what is wrong with how many rows and where;
        leave their results null (masked in NumPy, None in lists); or leave them null and return the reasons, too,
        as a `Marked`.
    threads : int, default 0
        Worker threads; 0 for every core.
    progress : callable, optional
        Called with the share that is done, from 0 to 1, every 65,536 puzzles.

    Returns
    -------
    Solved
        ``solutions`` in the form of the puzzles, and ``counts``: of pandas, polars or pyarrow if the puzzles are,
        with their index and name; otherwise arrays, and text as it came.

    Raises
    ------
    BadRows
        A ValueError: some rows are no puzzles.
    """
    checked("limit", limit, 1, 255)
    threads = checked_threads(threads)

    def job(cells: Bytes) -> Sequence[Values]:
        solutions = np.empty(cells.shape, np.uint8)
        counts = np.empty(len(cells), np.uint8)
        _tallyboard.solve(cells, solutions, counts, limit, threads)
        return solutions, counts

    found = evaluate(puzzles, job, errors, progress)
    solutions, counts = found.parts
    family = found.column.family
    unsolved = counts == np.uint8(0)
    solved = Solved(boards(found, solutions.view(np.uint8), unsolved), family.values(counts, found.bad))
    return marked(found, solved, errors)


def shuffled(cells: Bytes, moved: Bytes, times: int, seed: int, threads: int) -> Bytes:
    """`times` images of each row of `moved`, one after the other."""
    images = _tallyboard.shuffle(cells.tobytes(), moved.tobytes(), times, seed, threads)
    return np.frombuffer(images, np.uint8).reshape(len(cells), times, CELLS)


def _with_solutions(puzzles: object, solutions: object | None) -> tuple[Found, Found | None]:
    """Both columns, read and examined."""

    def examined(column: object) -> Found:
        return evaluate(column, lambda cells: (), is_checked=False)

    read_puzzles = examined(puzzles)
    if solutions is None:
        return read_puzzles, None
    solved = examined(solutions)
    if len(solved.column.cells) != len(read_puzzles.column.cells):
        found, expected = len(solved.column.cells), len(read_puzzles.column.cells)
        raise ValueError(f"found {found} solutions, expected one for each of {expected} puzzles")
    return read_puzzles, solved


@overload
def shuffle(
    puzzles: ColumnT, solutions: None = None, *, times: int = 1, seed: int = 1, threads: int = 0
) -> ColumnT: ...
@overload
def shuffle(
    puzzles: ColumnT, solutions: ColumnT, *, times: int = 1, seed: int = 1, threads: int = 0
) -> tuple[ColumnT, ColumnT]: ...
@overload
def shuffle(puzzles: Numbers, solutions: None = None, *, times: int = 1, seed: int = 1, threads: int = 0) -> Cells: ...
@overload
def shuffle(
    puzzles: Numbers, solutions: Numbers, *, times: int = 1, seed: int = 1, threads: int = 0
) -> tuple[Cells, Cells]: ...
@overload
def shuffle(
    puzzles: Sequence[str], solutions: None = None, *, times: int = 1, seed: int = 1, threads: int = 0
) -> list[str]: ...
@overload
def shuffle(
    puzzles: Sequence[str], solutions: Sequence[str], *, times: int = 1, seed: int = 1, threads: int = 0
) -> tuple[list[str], list[str]]: ...
def shuffle(
    puzzles: object,
    solutions: object | None = None,
    *,
    times: int = 1,
    seed: int = 1,
    threads: int = 0,
) -> object:
    """Random images of puzzles, by symmetries and renamings of the digits.

    Parameters
    ----------
    puzzles : as for `solve`
    solutions : as many grids, optional
        The same symmetries are applied to them as to their puzzles.
    times : int, default 1
        The number of images of each puzzle; more than one for arrays of cells alone. `images` makes a long table.
    seed : int, default 1
        The same seed gives the same images of a puzzle, as `tallyboard sudoku shuffle --seed`.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    boards in the form of the puzzles, or two of them
        The images of the puzzles, and of the solutions if these are given. For ``times`` other than 1 an array of
        shape (N, times, 81).
    """
    times = checked("times", times, 0, 2**63 - 1)
    seed = checked("seed", seed, 0, _MAX_SEED)
    threads = checked_threads(threads)
    moved, solved = _with_solutions(puzzles, solutions)
    if times != 1 and (moved.column.is_text or not isinstance(moved.column.family, Arrays)):
        raise ValueError(f"found times={times} for a column, expected 1; images(puzzles, times={times}) makes a long table")

    def images(grids: Found) -> object:
        found = shuffled(moved.column.cells, grids.column.cells, times, seed, threads)
        return boards(grids, found.reshape(-1, CELLS)) if times == 1 else found

    return images(moved) if solved is None else (images(moved), images(solved))


def images(
    puzzles: object, solutions: object | None = None, *, times: int, seed: int = 1, threads: int = 0
) -> object:
    """Random images of puzzles as a long table: `times` rows for each puzzle, one after the other.

    Parameters
    ----------
    puzzles, solutions, seed, threads
        As for `shuffle`.
    times : int
        The number of images of each puzzle.

    Returns
    -------
    pandas.DataFrame, polars.DataFrame, pyarrow.Table, or dict of columns
        ``row`` is the position of the puzzle, ``image`` the number of the image, from 0; then ``puzzle``, and
        ``solution`` if solutions are given. A frame of pandas repeats the index of the puzzles.
    """
    times = checked("times", times, 0, 2**63 - 1)
    seed = checked("seed", seed, 0, _MAX_SEED)
    threads = checked_threads(threads)
    moved, solved = _with_solutions(puzzles, solutions)
    number = len(moved.column.cells)
    rows = np.repeat(np.arange(number, dtype=np.int64), times)

    def column(grids: Found) -> object:
        found = shuffled(moved.column.cells, grids.column.cells, times, seed, threads).reshape(-1, CELLS)
        return boards(Found(_long(grids.column, rows), [], None), found)

    columns: dict[str, object] = {"row": rows, "image": np.tile(np.arange(times, dtype=np.int64), number)}
    columns["puzzle"] = column(moved)
    if solved is not None:
        columns["solution"] = column(solved)
    return moved.column.family.frame(columns, rows)


def _long(column: Column, rows: npt.NDArray[np.int64]) -> Column:
    """The column's form for several rows of each puzzle."""
    return Column(column.cells, column.is_text, column.family.repeated(rows), is_examined=True)


def _one(grid: object) -> Column:
    column = read(grid)
    column.examine()
    if column.faults:
        raise column.error()
    if len(column.cells) != 1:
        raise ValueError(f"found {len(column.cells)} grids, expected one")
    return column


def cells_of(grid: object) -> list[int]:
    """The cells of one grid as numbers, 0 for a blank."""
    cells: list[int] = digits(_one(grid).cells)[0].tolist()
    return cells


def digits(cells: Bytes) -> Bytes:
    """Numbers from 0 to 9 for cells in numbers or characters."""
    return np.where(cells < 10, cells, np.where(cells == ord("."), 0, cells - ord("0"))).astype(np.uint8)


def solutions(grid: Rows | str, *, limit: int = 1_000_000) -> Cells:
    """All solutions of one grid in lexicographic order, as one array. `iter_solutions` gives one after the other.

    Parameters
    ----------
    grid : one puzzle, as for `solve`
    limit : int, default 1,000,000
        The most solutions to list, the first ones.

    Returns
    -------
    ndarray of uint8, shape (number of solutions, 81)
    """
    limit = checked("limit", limit, 0, 2**63 - 1)
    found = _tallyboard.solutions(cells_of(grid), limit)
    return np.frombuffer(found, np.uint8).reshape(-1, CELLS)


@overload
def iter_solutions(grid: str) -> Iterator[str]: ...  # type: ignore[overload-overlap]
@overload
def iter_solutions(grid: Rows) -> Iterator[Cells]: ...
def iter_solutions(grid: object) -> Iterator[object]:
    """The solutions of one grid in lexicographic order, each found when it is asked for, in constant memory.

    Parameters
    ----------
    grid : one puzzle, as for `solve`

    Returns
    -------
    iterator of str, or of ndarray of uint8 in the shape of the grid
    """
    column = _one(grid)
    iterator = _tallyboard.GridSolutions(digits(column.cells)[0].tolist())
    found = Found(column, [], None)
    return (boards(found, np.frombuffer(cells, np.uint8).reshape(1, CELLS)) for cells in iterator)
