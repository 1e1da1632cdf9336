"""Tables: how many solutions have each digit in each cell, a queen or a star on each square. Exact, in one pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy.typing as npt

from . import _tallyboard
from ._columns import whole_numbers
from ._evaluate import Progress, checked, checked_threads
from ._families import Values
from ._queens import size_of
from ._regions import one_board
from ._sudoku import cells_of
from ._types import Rows


def tally(grid: Rows | str, *, threads: int = 0, progress: Progress | None = None) -> Values:
    """How many solutions of a sudoku have each digit in each cell.

    Parameters
    ----------
    grid : one puzzle, as for `solve`
    threads : int, default 0
        Worker threads; 0 for every core.
    progress : callable, optional
        Called with the share that is counted, from 0 to 1.

    Returns
    -------
    ndarray of uint64, shape (9, 9, 9)
        The number for each row, column and digit less one, or Python's int if one of them does not fit. The sum over
        the digits of each cell is the number of all solutions.
    """
    found = _tallyboard.sudoku_tally(cells_of(grid), checked_threads(threads), progress)
    return whole_numbers(found).reshape(9, 9, 9)


def queens_tally(
    n: int,
    *,
    place: Sequence[str] = (),
    block: Sequence[str] = (),
    threads: int = 0,
    progress: Progress | None = None,
) -> Values:
    """How many solutions of n queens have a queen on each square.

    Parameters
    ----------
    n, place, block, threads, progress
        As for `queens_count`.

    Returns
    -------
    ndarray of uint64, shape (n, n)
        Row by row, the top row first, or Python's int if a number does not fit. The sum of each row is the number of
        all solutions.
    """
    threads = checked_threads(threads)
    found = _tallyboard.queens_tally(size_of(n), list(place), list(block), threads, progress)
    return whole_numbers(found).reshape(n, n)


def regions_tally(
    board: npt.ArrayLike, *, stars: int = 1, threads: int = 0, progress: Progress | None = None
) -> Values:
    """How many solutions of a board of regions have a queen or star in each cell.

    Parameters
    ----------
    board : array of integers, shape (n, n)
    stars, threads, progress
        As for `regions_count`.

    Returns
    -------
    ndarray of uint64, shape (n, n)
        The sum of each row is the number of all solutions, times the stars.
    """
    cells = one_board(board)
    stars = checked("stars", stars, 0, 2**32 - 1)
    size = round(len(cells) ** 0.5)
    return whole_numbers(_tallyboard.regions_tally(cells, stars, checked_threads(threads), progress)).reshape(size, size)
