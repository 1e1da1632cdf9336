"""Queens: counts, placements, and how the machine scales at them."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _tallyboard
from ._evaluate import Progress, checked, checked_threads
from ._program import program


Method: TypeAlias = Literal["explicit", "backtrack", "backtrack-top-down", "las-vegas", "repair", "greedy-repair"]


def queens_count(
    n: int,
    *,
    place: Sequence[str] = (),
    block: Sequence[str] = (),
    threads: int = 0,
    progress: Progress | None = None,
) -> int:
    """Count all placements of n queens that do not attack each other.

    Parameters
    ----------
    n : int
        Size of the board, 1 to 32.
    place : sequence of str
        Squares on which queens stand already, named as in chess: ``"a1"``.
    block : sequence of str
        Squares that stay empty.
    threads : int, default 0
        Worker threads; 0 for every core.
    progress : callable, optional
        Called with the share that is counted, from 0 to 1, whenever it has grown, at most 50 times a second.

    Returns
    -------
    int
        The number of solutions, checked against the known number if there is one.
    """
    threads = checked_threads(threads)
    return _tallyboard.queens_count(size_of(n), list(place), list(block), threads, progress)


def size_of(n: int) -> int:
    """A number that the library can take; it refuses sizes of boards itself."""
    return checked("n", n, 0, 2**32 - 1)


def queens_solutions(
    n: int,
    *,
    place: Sequence[str] = (),
    block: Sequence[str] = (),
    limit: int | None = None,
    threads: int = 0,
) -> npt.NDArray[np.uint8]:
    """List all solutions, in lexicographic order, as one array. `iter_queens_solutions` gives one after the other.

    Parameters
    ----------
    n, place, block, threads
        As for `queens_count`.
    limit : int, optional
        The most solutions to list.

    Returns
    -------
    ndarray of uint8, shape (solutions, n)
        The column of the queen in each row, from 0, the top row first.
    """
    limit = 2**64 - 1 if limit is None else checked("limit", limit, 0, 2**64 - 1)
    columns = _tallyboard.queens_solutions(size_of(n), list(place), list(block), limit, checked_threads(threads))
    return np.frombuffer(columns, np.uint8).reshape(-1, n)


def iter_queens_solutions(
    n: int, *, place: Sequence[str] = (), block: Sequence[str] = ()
) -> Iterator[npt.NDArray[np.uint8]]:
    """The solutions in lexicographic order, each found when it is asked for, in constant memory.

    Parameters
    ----------
    n, place, block
        As for `queens_count`.

    Returns
    -------
    iterator of ndarray of uint8, shape (n,)
        The column of the queen in each row, from 0, the top row first.
    """
    iterator = _tallyboard.BoardSolutions(size_of(n), list(place), list(block))
    return (np.frombuffer(columns, np.uint8) for columns in iterator)


def queens_one(
    n: int, *, method: Method = "explicit", seed: int = 0, max_steps: int | None = None
) -> npt.NDArray[np.uint32]:
    """Find one solution.

    Parameters
    ----------
    n : int
        Size of the board.
    method : str, default "explicit"
        ``explicit``, ``backtrack``, ``backtrack-top-down``, ``las-vegas``, ``repair`` or
        ``greedy-repair``.
    seed : int, default 0
        The seed of methods that use random numbers.
    max_steps : int, optional
        Give up after this many steps.

    Returns
    -------
    ndarray of uint32, shape (n,)
        The column of the queen in each row, from 0.
    """
    return np.frombuffer(_tallyboard.queens_one(size_of(n), method, seed, max_steps), np.uint32)


def scale_queens(n: int, *, threads: int = 0, runs: int | None = None) -> dict[str, list[float]]:
    """Measure how counting n queens scales with the number of threads.

    Parameters
    ----------
    n : int
        Size of the board.
    threads : int, default 0
        The most threads; 0 for every core.
    runs : int, optional
        Runs for each number of threads; by default as many as take a few seconds in all.

    Returns
    -------
    dict of str to list of float
        A column for each figure, with a number for each number of threads; ``pandas.DataFrame`` takes it.
        ``docs/scaling.md`` says what each figure means.
    """
    command = [program(), "-q", "-j", str(checked_threads(threads)), "scale", "queens", str(n), "--csv"]
    if runs is not None:
        command += ["--runs", str(runs)]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr.strip())
    heads, *rows = csv.reader(line for line in ended.stdout.splitlines() if line[:1] != "#")
    columns = {}
    for head, texts in zip(heads, zip(*rows)):
        try:
            columns[head] = [float(text) if text else float("nan") for text in texts]
        except ValueError:
            continue  # A column of words.
    return columns
