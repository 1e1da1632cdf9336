"""Queens in regions, and Star Battle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from . import _tallyboard
from ._evaluate import Progress, checked, checked_threads

Bytes = npt.NDArray[np.uint8]


class RegionsSolved(NamedTuple):
    """The results of `regions_solve`, a row for each board; ``pandas.DataFrame`` takes the first two as columns.

    Attributes
    ----------
    counts : ndarray of int64, shape (boards,)
        The number of solutions of each board, up to the limit; -1 if the board was given up.
    guesses : ndarray of int64, shape (boards,)
        The cells that were tried because nothing else was left.
    solutions : ndarray of uint8, shape (boards, n, n)
        1 where the first solution has a queen or star, or all 0 if there is none.
    """

    counts: npt.NDArray[np.int64]
    guesses: npt.NDArray[np.int64]
    solutions: Bytes


def _boards(boards: npt.ArrayLike) -> Bytes:
    """Boards as bytes, shape (boards, n, n), with regions numbered from 0 in any order."""
    array = np.asarray(boards)
    if array.dtype.kind not in "iu":
        raise TypeError(f"found regions of type {array.dtype}, expected integers")
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[1] != array.shape[2] or not 1 <= array.shape[1] <= 32:
        raise ValueError(f"found an array of shape {np.shape(boards)}, expected (n, n) or (boards, n, n) with n up to 32")
    if array.size and (array.min() < 0 or array.max() > 255):
        # Any numbers may name the regions. A board of 32 rows has 1,024 cells, and so many bytes there are not.
        array = np.stack([np.unique(board, return_inverse=True)[1].reshape(board.shape) for board in array])
        if array.max() > 255:
            raise ValueError("found more than 256 regions on one board, expected as many as rows")
    return np.ascontiguousarray(array, np.uint8)


def one_board(board: npt.ArrayLike) -> bytes:
    """One board as bytes."""
    boards = _boards(board)
    if len(boards) != 1:
        raise ValueError(f"found {len(boards)} boards, expected one")
    return boards.tobytes()


def regions_solve(
    boards: npt.ArrayLike,
    *,
    stars: int = 1,
    limit: int = 2,
    guesses: int | None = None,
    threads: int = 0,
) -> RegionsSolved:
    """Solve boards of n coloured regions, with a queen or `stars` stars in each row, column and region, no two touching.

    Parameters
    ----------
    boards : array of integers, shape (boards, n, n) or (n, n)
        The region of each cell; any n numbers name the regions. n is 1 to 32.
    stars : int, default 1
        The stars of each row, column and region.
    limit : int, default 2
        Solutions are counted up to this number: 2 tell whether the first is the only one.
    guesses : int, optional
        Give a board up before a guess beyond this many.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    RegionsSolved
        ``counts``, ``guesses`` and ``solutions``.
    """
    cells = _boards(boards)
    stars = checked("stars", stars, 0, 2**32 - 1)
    limit = checked("limit", limit, 1, 2**63 - 1)
    most = None if guesses is None else checked("guesses", guesses, 0, 2**63 - 1)
    size = cells.shape[1]
    found = _tallyboard.regions_solve(cells.tobytes(), size, stars, limit, most, checked_threads(threads))
    counts, tried = (np.frombuffer(column, np.int64) for column in found[:2])
    return RegionsSolved(counts, tried, np.frombuffer(found[2], np.uint8).reshape(-1, size, size))


def regions_count(
    board: npt.ArrayLike, *, stars: int = 1, threads: int = 0, progress: Progress | None = None
) -> int:
    """Count all solutions of one board, exactly, by all threads together.

    Parameters
    ----------
    board : array of integers, shape (n, n)
    stars, threads
        As for `regions_solve`.
    progress : callable, optional
        Called with the share that is counted, from 0 to 1.
    """
    stars = checked("stars", stars, 0, 2**32 - 1)
    return _tallyboard.regions_count(one_board(board), stars, checked_threads(threads), progress)


def iter_regions_solutions(board: npt.ArrayLike, *, stars: int = 1) -> Iterator[Bytes]:
    """The solutions of one board, each found when it is asked for, in constant memory.

    Parameters
    ----------
    board : array of integers, shape (n, n)
    stars : int, default 1
        The stars of each row, column and region.

    Returns
    -------
    iterator of ndarray of uint8, shape (n, n)
        1 where there is a queen or star, in an order that depends on the board alone.
    """
    cells = one_board(board)
    size = round(len(cells) ** 0.5)
    iterator = _tallyboard.RegionsSolutions(cells, checked("stars", stars, 0, 2**32 - 1))
    return (np.frombuffer(found, np.uint8).reshape(size, size) for found in iterator)


def regions_generate(
    count: int,
    *,
    size: int = 8,
    stars: int = 1,
    smallest: int = 1,
    largest: int | None = None,
    seed: int = 1,
) -> Bytes:
    """Make random boards with exactly one solution each.

    Parameters
    ----------
    count : int
        The number of boards.
    size : int, default 8
        The rows, columns and regions of a board, 4 to 20.
    stars : int, default 1
        The stars of each row, column and region, 1 to 3.
    smallest, largest : int
        The fewest and the most cells of a region.
    seed : int, default 1
        The same seed gives the same boards, as `tallyboard regions generate --seed`.

    Returns
    -------
    ndarray of uint8, shape (count, size, size)
        The region of each cell, numbered from 0 in the order of their first cells.

    Raises
    ------
    ValueError
        If there are no such boards.
    RuntimeError
        If a board takes too long to find.
    """
    count, size = checked("count", count, 0, 2**63 - 1), checked("size", size, 0, 2**32 - 1)
    stars, smallest = checked("stars", stars, 0, 2**32 - 1), checked("smallest", smallest, 0, 2**32 - 1)
    most = None if largest is None else checked("largest", largest, 0, 2**32 - 1)
    cells = _tallyboard.regions_generate(count, size, stars, smallest, most, checked("seed", seed, 0, 2**64 - 1))
    return np.frombuffer(cells, np.uint8).reshape(-1, size, size)
