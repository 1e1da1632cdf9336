"""Sudokus as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _tallyboard

Cells = npt.NDArray[np.uint8]
Puzzles = npt.ArrayLike | Sequence[str] | str

_CELLS = 81
# Other signs for a blank become the dot that the library knows.
_BLANKS = bytes.maketrans(b"_*-xX", b".....")


class Solved(NamedTuple):
    """What `solve` found.

    Attributes
    ----------
    solutions : ndarray of uint8
        The first solution of each puzzle, in the shape of the puzzles; zeros where there is none.
    counts : ndarray of uint8
        The number of solutions of each puzzle, up to the limit.
    """

    solutions: Cells
    counts: Cells


def _cells(puzzles: Puzzles) -> tuple[Cells, tuple[int, ...]]:
    """Cells of N puzzles as one contiguous array, and the shape that they came in."""
    if isinstance(puzzles, str):
        puzzles = [puzzles]
    if not isinstance(puzzles, np.ndarray) and len(puzzles) and isinstance(puzzles[0], str):  # type: ignore[arg-type, index]
        rows: Sequence[str] = puzzles  # type: ignore[assignment]
        for number, row in enumerate(rows):
            if len(row) != _CELLS:
                raise ValueError(f"row {number}: found {len(row)} characters, expected {_CELLS}")
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
    if shape[-2:] == (9, 9) and array.ndim in (2, 3):
        flat = array.reshape(-1, _CELLS)
    elif shape[-1:] == (_CELLS,) and array.ndim in (1, 2):
        flat = array.reshape(-1, _CELLS)
    elif array.size == 0:
        flat = array.reshape(0, _CELLS)
    else:
        raise ValueError(f"found an array of shape {shape}, expected (N, 81) or (N, 9, 9)")
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
    """Solve sudokus, and tell those that have one solution from the others.

    Parameters
    ----------
    puzzles : array of integers of shape (N, 81) or (N, 9, 9), or list of str
        0 is a blank. Strings have 81 characters; blanks are ``.``, ``0``, ``_``, ``*``, ``-`` or ``x``.
        A contiguous array of uint8 is not copied: no other thread may change it until ``solve`` returns. A single puzzle may come without the first axis.
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
        If a cell is no digit; the message names the row.
    """
    if not 1 <= limit <= 255:
        raise ValueError(f"found limit {limit}, expected 1 to 255")
    cells, shape = _cells(puzzles)
    solutions = np.empty(cells.shape, np.uint8)
    counts = np.empty(len(cells), np.uint8)
    _tallyboard.solve(cells, solutions, counts, limit, threads)
    return Solved(solutions.reshape(shape), counts)


def count_solutions(grid: Puzzles, *, threads: int = 0) -> int:
    """Count all solutions of one grid, exactly, be they 6.7 * 10^21.

    Parameters
    ----------
    grid : array of integers of shape (81,) or (9, 9), or str
        As a puzzle of `solve`.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    int
        The number of solutions.
    """
    cells, _ = _cells(grid)
    if len(cells) != 1:
        raise ValueError(f"found {len(cells)} grids, expected one")
    values = cells[0]
    digits = np.where(values == ord("."), 0, np.where(values >= ord("0"), values - ord("0"), values))
    if (digits > 9).any():
        cell = int(np.argmax(digits > 9))
        raise ValueError(f"row 0: found {values[cell]} in cell {cell}, expected 0 to 9")
    return _tallyboard.count_solutions([int(digit) for digit in digits], threads)


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
        How many.
    clues : int, optional
        The number of clues, exactly. Few are rare: 20 take seconds each.
    minimal : bool, default False
        No clue can go without a second solution appearing.
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
    # The library takes no negative numbers and refuses all others itself.
    if clues is not None and clues < 0:
        raise ValueError(f"found {clues} clues, expected 17 to 81")
    cells = _tallyboard.generate(count, clues, minimal, symmetric, seed, threads)
    return np.frombuffer(cells, np.uint8).reshape(-1, _CELLS)
