"""Sudokus as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _tallyboard

Cells = npt.NDArray[np.uint8]
Puzzles = npt.ArrayLike | Sequence[str] | str

_CELLS = 81
# Turns the other signs for a blank into the dot, which the library knows.
_BLANKS = bytes.maketrans(b"_*-xX", b".....")


class Solved(NamedTuple):
    """The results of `solve`.

    Attributes
    ----------
    solutions : ndarray of uint8
        The first solution of each puzzle, in the shape of the puzzles; zeros if there is none.
    counts : ndarray of uint8
        The number of solutions of each puzzle, up to the limit.
    """

    solutions: Cells
    counts: Cells


def _rows_of_text(puzzles: Any) -> list[str] | None:
    """The puzzles of a list, array or column of strings, one each; None for anything else."""
    if isinstance(puzzles, str):
        puzzles = [puzzles]
    if hasattr(puzzles, "to_numpy"):
        # A column of pandas or polars, whatever its index.
        puzzles = puzzles.to_numpy()
    if isinstance(puzzles, np.ndarray):
        if puzzles.ndim != 1 or puzzles.dtype.kind not in "OSTU":
            return None
        puzzles = puzzles.tolist()
    elif not len(puzzles) or not isinstance(puzzles[0], (str, bytes)):
        return None
    rows = [row.decode("latin-1") if isinstance(row, bytes) else row for row in puzzles]
    for number, row in enumerate(rows):
        if not isinstance(row, str):
            raise ValueError(f"row {number}: found {row!r}, expected a string of {_CELLS} characters")
        if len(row) != _CELLS:
            raise ValueError(f"row {number}: found {len(row)} characters, expected {_CELLS}")
    return rows


def _cells(puzzles: Puzzles) -> tuple[Cells, tuple[int, ...]]:
    """Cells of N puzzles as one contiguous array, numbers or characters, and the shape that they came in."""
    rows = _rows_of_text(puzzles)
    if rows is not None:
        try:
            text = "".join(rows).encode("ascii").translate(_BLANKS)
        except UnicodeEncodeError as error:
            row_number, cell = divmod(error.start, _CELLS)
            sign = error.object[error.start]
            raise ValueError(
                f"row {row_number}: found {sign!r} in cell {cell}, expected a digit or a blank"
            ) from None
        return np.frombuffer(text, np.uint8).reshape(-1, _CELLS), (len(rows), _CELLS)
    array = np.asarray(puzzles)
    shape = array.shape
    is_grids = shape[-2:] == (9, 9) and array.ndim in (2, 3) or shape[-1:] == (_CELLS,) and array.ndim in (1, 2)
    if not is_grids and array.size:
        raise ValueError(f"found an array of shape {shape}, expected (N, 81) or (N, 9, 9)")
    flat = array.reshape(-1, _CELLS) if array.size else array.reshape(0, _CELLS)
    if flat.dtype != np.uint8:
        if flat.dtype.kind not in "iu" and flat.size:
            raise TypeError(f"found cells of type {flat.dtype}, expected integers")
        bad = np.argwhere((flat < 0) | (flat > 9))
        if bad.size:
            row_number, cell = (int(place) for place in bad[0])
            found = flat[row_number, cell]
            raise ValueError(f"row {row_number}: found {found} in cell {cell}, expected 0 to 9")
    return np.ascontiguousarray(flat, np.uint8), shape


def solve(puzzles: Puzzles, *, limit: int = 2, threads: int = 0) -> Solved:
    """Solve sudokus, and count the solutions of each up to a limit.

    Parameters
    ----------
    puzzles : array of integers of shape (N, 81) or (N, 9, 9), or list of str
        0 is a blank. Strings have 81 characters; blanks are ``.``, ``0``, ``_``, ``*``, ``-`` or ``x``.
        A single puzzle may come without the first axis. A contiguous array of uint8 is not copied: no other
        thread may change it until ``solve`` returns.
    limit : int, default 2
        Solutions are counted up to this number, 1 to 255.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    Solved
        ``solutions``, in the shape of the puzzles, and ``counts``, of shape (N,).

    Raises
    ------
    ValueError
        If a cell is neither a digit nor a blank; the message names the row.
    """
    if not 1 <= limit <= 255:
        raise ValueError(f"found limit {limit}, expected 1 to 255")
    cells, shape = _cells(puzzles)
    solutions = np.empty(cells.shape, np.uint8)
    counts = np.empty(len(cells), np.uint8)
    _tallyboard.solve(cells, solutions, counts, limit, threads)
    return Solved(solutions.reshape(shape), counts)


def _digits(puzzles: Puzzles) -> tuple[Cells, tuple[int, ...]]:
    """Cells of N puzzles as numbers from 0 to 9, and the shape that they came in."""
    cells, shape = _cells(puzzles)
    digits = np.where(cells == ord("."), 0, np.where(cells >= ord("0"), cells - ord("0"), cells))
    bad = np.argwhere(digits > 9)
    if bad.size:
        row, cell = (int(place) for place in bad[0])
        raise ValueError(f"row {row}: found {cells[row, cell]} in cell {cell}, expected 0 to 9")
    return np.ascontiguousarray(digits, np.uint8), shape


def _property(puzzles: Puzzles, name: str, dtype: str, threads: int) -> tuple[Any, tuple[int, ...]]:
    """The property `name` of each puzzle as an array of `dtype`, and the shape of the puzzles."""
    cells, shape = _digits(puzzles)
    return np.frombuffer(_tallyboard.tell(cells.tobytes(), name, threads), dtype), shape


def count_solutions(puzzles: Puzzles, *, threads: int = 0) -> Any:
    """Count all solutions of one grid or of many, exactly.

    Parameters
    ----------
    puzzles : array of integers of shape (81,), (9, 9), (N, 81) or (N, 9, 9), or str or list of str
        As for `solve`. A single grid is counted by all threads together.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    int or ndarray
        The number of solutions of a single grid, at most 6.7 * 10^21. For many grids, an array of shape (N,): of
        uint64, or of Python's int if one of the numbers does not fit.
    """
    cells, shape = _digits(puzzles)
    if isinstance(puzzles, str) or shape in ((_CELLS,), (9, 9)):
        return _tallyboard.count_solutions([int(digit) for digit in cells[0]], threads)
    words = np.frombuffer(_tallyboard.tell(cells.tobytes(), "counts", threads), "<u8").reshape(-1, 2)
    if words[:, 1].any():
        return words[:, 0].astype(object) + (words[:, 1].astype(object) << 64)
    return words[:, 0].astype(np.uint64)


def rate(puzzles: Puzzles, *, threads: int = 0) -> npt.NDArray[np.float64]:
    """Rate the hardness of puzzles: the mean number of guesses over each and three images of it.

    Parameters
    ----------
    puzzles : as for `solve`
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    ndarray of float64, shape (N,)
        0 if singles and locked candidates are enough. `tallyboard sudoku solve --columns rating` writes the same.
    """
    return _property(puzzles, "ratings", "=f8", threads)[0]  # type: ignore[no-any-return]


def canonical(puzzles: Puzzles, *, threads: int = 0) -> Cells:
    """The canonical form of each puzzle: the least image under all symmetries and renamings of the digits.

    All images of a puzzle have the same.

    Parameters
    ----------
    puzzles : as for `solve`
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    ndarray of uint8, in the shape of the puzzles
        Cells, 0 for a blank.
    """
    cells, shape = _property(puzzles, "canonical", "u1", threads)
    return cells.reshape(shape)  # type: ignore[no-any-return]


def superfluous(puzzles: Puzzles, *, threads: int = 0) -> npt.NDArray[np.bool_]:
    """The clues of each puzzle that can be removed, one at a time, without another solution appearing.

    Parameters
    ----------
    puzzles : as for `solve`
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    ndarray of bool, in the shape of the puzzles
    """
    cells, shape = _property(puzzles, "superfluous", "?", threads)
    return cells.reshape(shape)  # type: ignore[no-any-return]


def minimal(puzzles: Puzzles, *, threads: int = 0) -> npt.NDArray[np.bool_]:
    """Whether no clue of each puzzle is superfluous.

    Parameters
    ----------
    puzzles : as for `solve`
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    ndarray of bool, shape (N,)
    """
    cells, _ = _property(puzzles, "superfluous", "?", threads)
    return ~cells.reshape(-1, _CELLS).any(axis=1)  # type: ignore[no-any-return]


def shuffle(
    puzzles: Puzzles,
    solutions: Puzzles | None = None,
    *,
    times: int = 1,
    seed: int = 1,
    threads: int = 0,
) -> Any:
    """Random images of puzzles, by symmetries and renamings of the digits.

    Parameters
    ----------
    puzzles : as for `solve`
    solutions : as many grids, optional
        The same symmetries are applied to them as to their puzzles.
    times : int, default 1
        The number of images of each puzzle.
    seed : int, default 1
        The same seed gives the same images of a puzzle, as `tallyboard sudoku shuffle --seed`.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    ndarray of uint8, shape (N, times, 81), or two of them
        The images of the puzzles, and of the solutions if these are given.
    """
    if times < 0:
        raise ValueError(f"found times {times}, expected 0 or more")
    cells, _ = _digits(puzzles)

    def images(grids: Cells) -> Cells:
        moved = _tallyboard.shuffle(cells.tobytes(), grids.tobytes(), times, seed, threads)
        return np.frombuffer(moved, np.uint8).reshape(len(cells), times, _CELLS)

    if solutions is None:
        return images(cells)
    solved, _ = _digits(solutions)
    if len(solved) != len(cells):
        raise ValueError(f"found {len(solved)} solutions, expected one for each of {len(cells)} puzzles")
    return images(cells), images(solved)


def solutions(grid: Puzzles, *, limit: int = 1_000_000) -> Cells:
    """All solutions of one grid in lexicographic order.

    Parameters
    ----------
    grid : array of integers of shape (81,) or (9, 9), or str
    limit : int, default 1,000,000
        The most solutions to list, the first ones.

    Returns
    -------
    ndarray of uint8, shape (number of solutions, 81)
    """
    cells, _ = _digits(grid)
    if len(cells) != 1:
        raise ValueError(f"found {len(cells)} grids, expected one")
    if limit < 0:
        raise ValueError(f"found limit {limit}, expected 0 or more")
    found = _tallyboard.solutions([int(digit) for digit in cells[0]], limit)
    return np.frombuffer(found, np.uint8).reshape(-1, _CELLS)


def generate(
    count: int,
    *,
    clues: int | None = None,
    minimal: bool = False,
    symmetric: bool = False,
    seed: int = 1,
    threads: int = 0,
) -> Cells:
    """Make random sudokus with one solution each.

    Parameters
    ----------
    count : int
        The number of puzzles.
    clues : int, optional
        The number of clues, exactly. Puzzles with few are rare: one with 20 takes seconds.
    minimal : bool, default False
        No clue can be removed without a second solution appearing.
    symmetric : bool, default False
        The pattern of clues looks the same after a half turn.
    seed : int, default 1
        The same seed gives the same puzzles on every machine, and as `tallyboard sudoku generate --seed`.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    ndarray of uint8, shape (count, 81)
        The puzzles, 0 for a blank.

    Raises
    ------
    ValueError
        If no such puzzle exists or is known, as with 16 clues.
    """
    # The library takes no negative number; it refuses all other wrong numbers itself.
    if clues is not None and clues < 0:
        raise ValueError(f"found {clues} clues, expected 17 to 81")
    cells = _tallyboard.generate(count, clues, minimal, symmetric, seed, threads)
    return np.frombuffer(cells, np.uint8).reshape(-1, _CELLS)
