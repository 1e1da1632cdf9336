"""Rows of text or of numbers to cells: 81 bytes a row, and the faults of rows that are no puzzles."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ._arrow import Bytes, Integers
from ._faults import AS_TEXT, CELLS, NULL, Fault, wrong_length, wrong_number, wrong_sign, wrong_value

Faults: TypeAlias = dict[int, Fault]

_ALL_SIGNS = b"123456789.0_*-xX"
_BLANK_ROW = "." * CELLS
_PIECE_ROWS = 1024
# Text to what the library knows: digits and dots. 0 where a byte is no sign of a cell.
_CLEAN_TEXT = np.zeros(256, np.uint8)
_CLEAN_TEXT[list(b"0123456789")] = list(b"0123456789")
_CLEAN_TEXT[list(b"._*-xX")] = ord(".")
# Cells as they are: numbers or characters. 255 where a byte is neither.
_CLEAN_CELLS = np.full(256, 255, np.uint8)
for _cell in (*range(10), *b"0123456789."):
    _CLEAN_CELLS[_cell] = _cell


def examined(cells: Bytes, is_text: bool) -> tuple[Bytes, Faults]:
    """The cells in signs that the library knows, and each row that has a cell of another kind, made blank."""
    table, bad_mark = (_CLEAN_TEXT, 0) if is_text else (_CLEAN_CELLS, 255)
    clean = table[cells]
    bad = clean == bad_mark
    faults: Faults = {}
    for row in np.flatnonzero(bad.any(axis=1)).tolist():
        cell = int(bad[row].argmax())
        found = int(cells[row, cell])
        faults[row] = wrong_sign(chr(found), cell) if is_text else wrong_number(found, cell)
        clean[row] = ord(".") if is_text else 0
    return clean, faults


def from_objects(rows: Sequence[object]) -> tuple[Bytes, bool, Faults]:
    """Cells of strings, bytes, or rows of 81 numbers; whether they are text; faults."""
    cells = _joined(rows)
    if cells is not None:
        return cells, True, {}
    rows = with_leading_zeros(rows)
    if any(_is_row_of_cells(row) for row in rows[:1000]):
        return _one_by_one(rows)
    # Rows of the right length go together, the others one by one.
    kept: list[str] = []
    others: list[int] = []
    for number, row in enumerate(rows):
        if isinstance(row, bytes):
            row = row.decode("latin-1")
        if isinstance(row, str):
            text = row if len(row) == CELLS else row.strip()
            if len(text) == CELLS and text.isascii():
                kept.append(text)
                continue
        kept.append(_BLANK_ROW)
        others.append(number)
    together = _joined(kept)
    if together is None:
        return _one_by_one(rows)
    faults: Faults = {}
    for number in others:
        found = from_object(rows[number])
        if isinstance(found, Fault):
            faults[number] = found
        else:
            together[number] = found
    return together, True, faults


# A column of numbers is one of puzzles if its longest has more than half of the digits: a puzzle begins with few zeros.
_LEAST_DIGITS = 41


def with_leading_zeros(rows: Sequence[object]) -> Sequence[object]:
    """The rows; if all are numbers, or digits alone, strings of 81 digits with the zeros that a reader has dropped."""
    digits: list[str | None] = []
    for row in rows:
        if isinstance(row, (int, np.integer)) and not isinstance(row, bool):
            row = str(row)
        if isinstance(row, str) and row.isascii() and row.isdigit() and len(row) <= CELLS:
            digits.append(row)
        elif _is_missing(row):
            digits.append(None)
        else:
            return rows
    lengths = [len(row) for row in digits if row is not None]
    if max(lengths, default=0) < _LEAST_DIGITS:
        return rows
    short = sum(length < CELLS for length in lengths)
    if short:
        count = "1 row of digits" if short == 1 else f"{short} rows of digits"
        warnings.warn(f"gave {count} the leading zeros back that a reader dropped; {AS_TEXT}", stacklevel=2)
    return [row if found is None else found.zfill(CELLS) for row, found in zip(rows, digits)]


def _is_missing(row: object) -> bool:
    return row is None or type(row).__name__ == "NAType" or (isinstance(row, float) and row != row)


def _joined(rows: Sequence[object]) -> Bytes | None:
    """Cells of strings of 81 ASCII characters; None if some are anything else."""
    try:
        text = "\n".join([*rows, ""]).encode("ascii")  # type: ignore[list-item]
    except (TypeError, UnicodeEncodeError):
        return None
    if len(text) != (CELLS + 1) * len(rows):
        return None
    lines = np.frombuffer(text, np.uint8).reshape(-1, CELLS + 1)
    # A break inside a row leaves another break among the cells, where it is a wrong sign.
    return lines[:, :CELLS].copy() if (lines[:, CELLS] == ord("\n")).all() else None


def from_string_array(array: npt.NDArray[np.generic]) -> Bytes | None:
    """Cells of an array of strings of 81 ASCII characters; None if some are anything else."""
    if array.dtype.kind not in "SU" or not array.size:
        return None
    width = 1 if array.dtype.kind == "S" else 4
    if array.dtype.itemsize != CELLS * width or not array.dtype.isnative:
        return None
    signs = np.ascontiguousarray(array).view(np.uint8 if width == 1 else np.uint32).reshape(-1, CELLS)
    # Shorter strings end with zeros.
    if signs.min() < ord(" ") or signs.max() > ord("z"):
        return None
    return np.ascontiguousarray(signs, np.uint8)


def _one_by_one(rows: Sequence[object]) -> tuple[Bytes, bool, Faults]:
    is_text = not any(_is_row_of_cells(row) for row in rows[:1000])
    cells = np.full((len(rows), CELLS), ord(".") if is_text else 0, np.uint8)
    faults: Faults = {}
    for number, row in enumerate(rows):
        found = from_object(row)
        if isinstance(found, Fault):
            faults[number] = found
        else:
            cells[number] = found
    return cells, is_text, faults


def _is_row_of_cells(row: object) -> bool:
    return isinstance(row, (list, tuple, np.ndarray)) and np.size(row) == CELLS


def from_object(row: object) -> Bytes | Fault:
    """The cells of one row."""
    if isinstance(row, np.generic):
        row = row.item()
    if isinstance(row, (bytes, bytearray)):
        row = row.decode("latin-1")
    if isinstance(row, int) and not isinstance(row, bool) and len(str(row)) == CELLS:
        row = str(row)
    if isinstance(row, str):
        return from_text(row.strip())
    if _is_row_of_cells(row):
        numbers = np.asarray(row).reshape(1, CELLS)
        if numbers.dtype.kind in "iuf":
            cells, faults = from_numbers(numbers)
            return faults[0] if faults else cells[0].copy()
    if isinstance(row, (list, tuple, np.ndarray)):
        return Fault(f"found {np.size(row)} cells, expected {CELLS}")
    return wrong_value(row)


def from_text(text: str) -> Bytes | Fault:
    if len(text) != CELLS:
        return wrong_length(len(text))
    if not text.isascii() or text.encode().translate(None, _ALL_SIGNS):
        for cell, sign in enumerate(text):
            if not sign.isascii() or sign.encode() not in _ALL_SIGNS:
                return wrong_sign(sign, cell)
    return np.frombuffer(text.encode(), np.uint8)


def from_numbers(numbers: npt.NDArray[np.generic]) -> tuple[Bytes, Faults]:
    """Cells of N rows of numbers; NaN is a blank."""
    if numbers.dtype == np.uint8:
        return np.ascontiguousarray(numbers), {}
    cells = np.empty(numbers.shape, np.uint8)
    faults: Faults = {}
    # In pieces that stay in the cache.
    for first in range(0, len(numbers), _PIECE_ROWS):
        rows = slice(first, first + _PIECE_ROWS)
        values = numbers[rows]
        if numbers.dtype.kind == "f":
            values = np.where(np.isnan(values), 0, values)
        with np.errstate(invalid="ignore"):
            piece = values.astype(np.uint8)
        # A number that is no byte is another one as a byte.
        bad = (piece != values) | (piece > 9)
        piece[bad] = 0
        cells[rows] = piece
        for row in np.flatnonzero(bad.any(axis=1)).tolist():
            cell = int(bad[row].argmax())
            faults[first + row] = wrong_number(numbers[first + row, cell], cell)
    return cells, faults


def _are_digits(cells: Bytes) -> bool:
    return bool(((cells >= ord("0")) & (cells <= ord("9"))).all())


def from_text_buffer(
    data: Bytes, starts: Integers, lengths: Integers, valid: npt.NDArray[np.bool_] | None
) -> tuple[Bytes, Faults]:
    """Cells of strings that lie in one buffer; without a copy where they follow each other."""
    rows = len(starts)
    fits = lengths == CELLS
    if valid is not None:
        fits &= valid
    if fits.all() and rows and (np.diff(starts) == CELLS).all():
        return data[starts[0] : starts[0] + CELLS * rows].reshape(rows, CELLS), {}
    cells = np.full((rows, CELLS), ord("."), np.uint8)
    if fits.any():
        cells[fits] = np.lib.stride_tricks.sliding_window_view(data, CELLS)[starts[fits]]
    faults: Faults = {}
    short = np.flatnonzero(~fits if valid is None else ~fits & valid)
    if len(short) and lengths.max() <= CELLS and _are_digits(cells[fits]):
        texts = [data[starts[row] : starts[row] + lengths[row]].tobytes().decode("utf-8", "replace") for row in short]
        # The rows of full length tell how long the numbers are.
        whole = ["0" * CELLS] if fits.any() else []
        restored = with_leading_zeros([*whole, *texts])[len(whole) :]
        for row, digits in zip(short.tolist(), restored):
            if isinstance(digits, str) and len(digits) == CELLS:
                cells[row] = np.frombuffer(digits.encode(), np.uint8)
                fits[row] = True
    for row in np.flatnonzero(~fits).tolist():
        if valid is not None and not valid[row]:
            faults[row] = NULL
            continue
        text = data[starts[row] : starts[row] + lengths[row]].tobytes().decode("utf-8", "replace")
        found = from_text(text.strip())
        if isinstance(found, Fault):
            faults[row] = found
        else:
            cells[row] = found
    return cells, faults
