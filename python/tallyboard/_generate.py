"""New sudokus."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _tallyboard
from ._arrow import Bytes
from ._evaluate import checked, checked_threads
from ._faults import CELLS
from ._types import Cells

# Batches without a single puzzle with the wanted number of solutions before the search is given up.
_MAX_FRUITLESS = 200
_BATCH = 2048


def generate(
    count: int,
    *,
    clues: int | None = None,
    minimal: bool = False,
    symmetric: bool = False,
    solutions: int = 1,
    seed: int = 1,
    threads: int = 0,
) -> Cells:
    """Make random sudokus with one solution each, or with another number of solutions.

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
    solutions : int, default 1
        The number of solutions, exactly. More than one come from removing clues of a minimal puzzle, or, with
        `clues`, a clue of a puzzle with one more; many solutions are rarely met exactly.
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
        If no such puzzle exists or is known, as with 16 clues, or if none is found with that many solutions.
    """
    count = checked("count", count, 0, 2**63 - 1)
    seed = checked("seed", seed, 0, 2**64 - 1)
    threads = checked_threads(threads)
    solutions = checked("solutions", solutions, 1, 2**63 - 1)
    # The library takes no negative number; it refuses all other wrong numbers itself.
    if clues is not None and clues < 0:
        raise ValueError(f"found {clues} clues, expected 17 to 81")
    try:
        np.empty((count, CELLS), np.uint8)
    except (MemoryError, ValueError):
        raise MemoryError(f"{count} puzzles do not fit in memory") from None
    if solutions == 1:
        cells = _tallyboard.generate(count, clues, minimal, symmetric, seed, threads)
        return np.frombuffer(cells, np.uint8).reshape(-1, CELLS)
    if minimal or symmetric:
        raise ValueError(f"found solutions={solutions} with minimal or symmetric, expected one solution for these")
    return _with_solutions(count, clues, solutions, seed, threads)


def _with_solutions(count: int, clues: int | None, wanted: int, seed: int, threads: int) -> Cells:
    """Puzzles with `wanted` solutions, several."""
    random = np.random.Generator(np.random.PCG64(seed))
    kept: list[Bytes] = []
    found = fruitless = 0
    # Each batch has a seed of its own, so that puzzles do not depend on how many are wanted.
    while found < count:
        batch_seed = int(random.integers(2**63))
        more = None if clues is None else clues + 1
        cells = _tallyboard.generate(_BATCH, more, clues is None, False, batch_seed, threads)
        puzzles = np.frombuffer(cells, np.uint8).reshape(-1, CELLS).copy()
        good = np.zeros(_BATCH, bool)
        # Without a number of clues, those that have too few solutions lose another clue.
        open_rows = np.arange(_BATCH)
        while len(open_rows):
            _remove_a_clue(puzzles, open_rows, random)
            counts = _counts(puzzles[open_rows], threads)
            good[open_rows] = counts == wanted
            open_rows = open_rows[counts < wanted] if clues is None else open_rows[:0]
        kept.append(puzzles[good])
        found += int(good.sum())
        fruitless = 0 if good.any() else fruitless + 1
        if fruitless == _MAX_FRUITLESS:
            tried = _BATCH * _MAX_FRUITLESS
            with_clues = "" if clues is None else f" and {clues} clues"
            raise ValueError(f"found no puzzle with {wanted} solutions{with_clues} among {tried}")
    return np.concatenate([*kept, np.empty((0, CELLS), np.uint8)])[:count]


def _remove_a_clue(puzzles: Bytes, rows: npt.NDArray[np.intp], random: np.random.Generator) -> None:
    """Makes one random clue of each of the rows blank."""
    order = np.where(puzzles[rows] > 0, random.random((len(rows), CELLS)), -1.0)
    puzzles[rows, order.argmax(axis=1)] = 0


def _counts(puzzles: Bytes, threads: int) -> npt.NDArray[np.uint64]:
    told = np.frombuffer(_tallyboard.tell(puzzles.tobytes(), "counts", threads), "<u8")
    words = told.astype(np.uint64).reshape(-1, 2)
    # A number that takes more than 64 bits is more than anybody may want.
    return np.where(words[:, 1] > 0, np.uint64(2**64 - 1), words[:, 0])
