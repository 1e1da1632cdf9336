"""Rows that are no puzzles: what was found there, and how it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CELLS = 81


class Fault(NamedTuple):
    """What is wrong with a row."""

    kind: str
    """What was found, and what was expected; equal for all rows with the same fault."""
    cell: int | None = None
    """The cell where it was found, from 0."""

    def __str__(self) -> str:
        return self.kind if self.cell is None else self.kind.replace(",", f" in cell {self.cell},", 1)


class BadRows(ValueError):
    """Some rows are no puzzles.

    Attributes
    ----------
    rows : ndarray of int64
        Their positions, from 0.
    reasons : list of str
        What is wrong with each.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.rows: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self.reasons: list[str] = []

    @classmethod
    def of(cls, faults: dict[int, Fault], total: int, label: Callable[[int], str]) -> BadRows:
        """The error for these rows of `total`; `label` gives what else a row is called."""
        rows = sorted(faults)
        reasons = [str(faults[row]) for row in rows]
        if len(rows) == 1:
            message = f"row {rows[0]}{label(rows[0])}: {reasons[0]}"
        else:
            message = "\n".join(
                [
                    f"{len(rows)} rows of {total} are no puzzles:",
                    *_kinds(faults, rows, label),
                    "errors='null' leaves them empty, errors='mark' also says why for each",
                ]
            )
        error = cls(message)
        error.rows = np.array(rows, np.int64)
        error.reasons = reasons
        return error

    def of_batch(self, texts: list[object], total: int) -> BadRows:
        """The error where the column is a batch of a table whose rows nobody can count: `texts` are the bad rows.

        Its ``rows`` are empty.
        """
        found = repr(texts[0])
        found = found if len(found) <= CELLS + 10 else found[: CELLS + 10] + "…"
        others = "" if len(texts) == 1 else f" (and {len(texts) - 1} more among {total} rows)"
        error = BadRows(f"{found}{others} is no puzzle: {self.reasons[0]}; errors='null' leaves such rows null")
        error.reasons = self.reasons
        return error


def _kinds(faults: dict[int, Fault], rows: list[int], label: Callable[[int], str]) -> list[str]:
    """A line for each kind of fault: the number of its rows, and the first."""
    kinds: dict[str, list[int]] = {}
    for row in rows:
        kinds.setdefault(faults[row].kind, []).append(row)
    lines = []
    for kind, of_kind in sorted(kinds.items(), key=lambda item: -len(item[1])):
        first = of_kind[0]
        cell = "" if faults[first].cell is None else f", cell {faults[first].cell}"
        number, at = ("1 row", "at") if len(of_kind) == 1 else (f"{len(of_kind)} rows", "first at")
        lines.append(f"  {number}: {kind}; {at} row {first}{label(first)}{cell}")
    return lines


def wrong_length(found: int) -> Fault:
    return Fault(f"found {found} characters, expected {CELLS}")


def wrong_sign(sign: str, cell: int) -> Fault:
    return Fault(f"found {sign!r}, expected a digit or a blank", cell)


def wrong_number(number: object, cell: int) -> Fault:
    return Fault(f"found {number}, expected 0 to 9", cell)


# The option of each reader, by which digits stay text.
AS_TEXT = (
    "read the column as text: with dtype=str (pandas), schema_overrides (polars), all_varchar=true (DuckDB), "
    "schema (Daft)"
)
NULL = Fault("found null, expected a puzzle")


def wrong_value(value: object) -> Fault:
    """The fault of a row that is neither text nor cells."""
    if value is None:
        return Fault("found None, expected a puzzle")
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return Fault("found NaN, expected a puzzle")
        return Fault(f"found a float, which has lost digits; {AS_TEXT}")
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        digits = len(str(abs(value)))
        return Fault(f"found an integer of {digits} digit{'s'[: digits > 1]}, which has lost leading zeros; {AS_TEXT}")
    name = type(value).__name__
    if name in ("NAType", "NaTType"):
        return Fault(f"found {value}, expected a puzzle")
    return Fault(f"found a value of type {name}, expected a string of {CELLS} characters")
