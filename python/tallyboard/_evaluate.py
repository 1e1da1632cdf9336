"""One way for every function of a column: read it, find what is asked of its good rows, put the results in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from ._arrow import Bytes
from ._engines import default_threads
from ._families import Values
from ._read import Column, read

Errors: TypeAlias = Literal["raise", "null", "mark"]
Progress: TypeAlias = Callable[[float], object]
Job: TypeAlias = Callable[[Bytes], Sequence[Values]]

ResultT = TypeVar("ResultT")

MAX_THREADS = 1024
# Puzzles between two calls of a progress callback.
_PROGRESS_PUZZLES = 1 << 16


class Marked(NamedTuple, Generic[ResultT]):
    """What a function returns with ``errors="mark"``.

    Attributes
    ----------
    result
        What it returns with ``errors="null"``.
    errors
        For each row why it is no puzzle, in the family of the puzzles; None where it is one.
    """

    result: ResultT
    errors: object


class Found(NamedTuple):
    """The results of a column's rows; those of bad rows are zeros."""

    column: Column
    parts: list[Values]
    bad: npt.NDArray[np.bool_] | None


def checked_threads(threads: int) -> int:
    return checked("threads", threads, 0, MAX_THREADS) or min(default_threads(), MAX_THREADS)


def checked(name: str, number: int, least: int, most: int) -> int:
    """The number, if it is an integer within the bounds."""
    try:
        value = int(number.__index__())
    except AttributeError:
        raise TypeError(f"found {name}={number!r}, expected an integer") from None
    if not least <= value <= most:
        upper = f"to {most}" if most < 2**63 - 1 else "or more"
        raise ValueError(f"found {name}={value}, expected {least} {upper}")
    return value


def evaluate(
    puzzles: object,
    job: Job,
    errors: Errors = "raise",
    progress: Progress | None = None,
    *,
    is_checked: bool = True,
) -> Found:
    """What `job` finds for the good rows of `puzzles`; `is_checked` if it refuses wrong cells itself."""
    if errors not in ("raise", "null", "mark"):
        raise ValueError(f"found errors={errors!r}, expected 'raise', 'null' or 'mark'")
    column = read(puzzles)
    if column.faults or not is_checked:
        column.examine()
    if column.faults and errors == "raise":
        raise column.error()
    try:
        parts = _in_pieces(_good(column), job, progress)
    except ValueError:
        # The library has met a sign that it does not know: another one for a blank, or one of no cell.
        if column.is_examined:
            raise
        column.examine()
        if column.faults and errors == "raise":
            raise column.error() from None
        parts = _in_pieces(_good(column), job, progress)
    bad = column.bad()
    return Found(column, [_placed(part, bad) for part in parts], bad)


def _good(column: Column) -> Bytes:
    bad = column.bad()
    return column.cells if bad is None else column.cells[~bad]


def _in_pieces(cells: Bytes, job: Job, progress: Progress | None) -> list[Values]:
    if progress is None:
        return list(job(cells))
    pieces = []
    progress(0.0)
    for first in range(0, max(len(cells), 1), _PROGRESS_PUZZLES):
        pieces.append(job(cells[first : first + _PROGRESS_PUZZLES]))
        progress(min(1.0, (first + _PROGRESS_PUZZLES) / max(len(cells), 1)))
    return [np.concatenate(parts) for parts in zip(*pieces)]


def _placed(part: Values, bad: npt.NDArray[np.bool_] | None) -> Values:
    if bad is None:
        return part
    whole = np.zeros((len(bad), *part.shape[1:]), part.dtype)
    whole[~bad] = part
    return whole


def marked(found: Found, result: object, errors: Errors) -> object:
    """The result, and with ``errors="mark"`` the reasons of bad rows beside it."""
    if errors != "mark":
        return result
    column, rows = found.column, len(found.column.cells)
    reasons = [str(column.faults[row]) if row in column.faults else "" for row in range(rows)]
    fine = np.ones(rows, bool) if found.bad is None else ~found.bad
    return Marked(result, column.family.words(reasons, fine))


def boards(found: Found, cells: Bytes, missing: npt.NDArray[np.bool_] | None = None) -> object:
    """Cells as boards in the form of the puzzles: text for text, numbers for numbers.

    `missing` marks good rows that have no board. They are null, but in arrays of cells blank.
    """
    column, bad = found.column, found.bad
    family = column.family
    if not column.is_text and family.has_cells():
        return family.boards(cells, bad)
    if missing is not None and missing.any():
        bad = missing if bad is None else bad | missing
    return family.text(characters(cells, column.blank()), bad) if column.is_text else family.boards(cells, bad)


def characters(cells: Bytes, blank: int) -> Bytes:
    """Digits as characters, with this sign for 0."""
    signs = cells + np.uint8(ord("0"))
    if blank != ord("0") and not cells.all():
        signs[cells == 0] = blank
    return signs
