"""Exact covers: counts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from . import _tallyboard


def cover_count(
    options: Any,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    modulo: int | None = None,
    threads: int = 0,
) -> int:
    """Count the sets of options that cover each item exactly once.

    Parameters
    ----------
    options : iterable of iterables, mapping to iterables, or matrix
        The items that each option covers, which may be any hashable objects. The keys of a mapping are names of
        options, which do not matter. Each row of a SciPy sparse matrix or of an array is an option, and covers
        the columns in which it is not zero.
    primary : iterable, optional
        The items that have to be covered; by default all items of the options, or all columns of a matrix, that
        are not secondary.
    secondary : iterable, optional
        Items that may be covered once or not at all.
    modulo : int, optional
        Return the remainder by this number, for counts of more than 128 bits.
    threads : int, default 0
        Worker threads; 0 for every core.

    Returns
    -------
    int
        The number of covers. Equal options are different ones.

    Raises
    ------
    ValueError
        If an option covers an item twice, or one that is neither primary nor secondary.
    OverflowError
        If the count does not fit in 128 bits.

    Examples
    --------
    >>> cover_count([["a", "b"], ["b"], ["a"]])
    2
    """
    rows, columns = _rows(options)
    secondary = dict.fromkeys(secondary)
    numbers = _numbers(rows, columns, primary, secondary)
    flat: list[int] = []
    lengths: list[int] = []
    for place, row in enumerate(rows):
        if len(set(row)) != len(row):
            raise ValueError(f"option {place}: found an item twice, expected each at most once")
        try:
            flat.extend(numbers[item] for item in row)
        except KeyError as error:
            message = f"option {place}: found {error.args[0]!r}, expected one of the items"
            raise ValueError(message) from None
        lengths.append(len(row))
    others = len(secondary)
    return _tallyboard.cover_count(len(numbers) - others, others, flat, lengths, modulo, threads)


def _rows(options: Any) -> tuple[list[list[Hashable]], int | None]:
    """The items of each option, and the number of columns of a matrix."""
    if hasattr(options, "tocsr"):
        matrix = options.tocsr(copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        columns = matrix.indices.tolist()
        ends = matrix.indptr.tolist()
        rows = [columns[begin:end] for begin, end in zip(ends, ends[1:])]
        return rows, matrix.shape[1]
    if isinstance(options, np.ndarray):
        if options.ndim != 2:
            raise ValueError(f"found an array of {options.ndim} dimensions, expected 2")
        return [[*np.flatnonzero(row).tolist()] for row in options], options.shape[1]
    if isinstance(options, Mapping):
        options = options.values()
    return [list(option) for option in options], None


def _numbers(
    rows: list[list[Hashable]],
    columns: int | None,
    primary: Iterable[Hashable] | None,
    others: dict[Hashable, None],
) -> dict[Hashable, int]:
    """The number of each item: first the primary ones, then the secondary ones."""
    if primary is not None:
        first = dict.fromkeys(primary)
    elif columns is not None:
        first = dict.fromkeys(column for column in range(columns) if column not in others)
    else:
        first = dict.fromkeys(item for row in rows for item in row if item not in others)
    for item in first:
        if item in others:
            message = f"found {item!r} as a primary and as a secondary item, expected one of both"
            raise ValueError(message)
    return {item: number for number, item in enumerate([*first, *others])}
