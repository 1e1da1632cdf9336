"""Columns of Dask, whose results need a description before anything is computed."""

from __future__ import annotations

from collections.abc import Callable

import pandas

# A puzzle with one solution: every function has a result for it.
_SAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def map_column(series: object, function: Callable[..., object], **options: object) -> object:
    """`function` of this package over a column of puzzles, one partition after the other, as a column of Dask.

    Parameters
    ----------
    series : dask.dataframe.Series
        The puzzles, as text.
    function : callable
        Such as `tallyboard.rate`: what returns a Series for a Series.
    **options
        Its options.

    Examples
    --------
    >>> frame["rating"] = map_column(frame["puzzle"], tallyboard.rate)  # doctest: +SKIP
    """
    sample = pandas.Series([_SAMPLE], dtype=series.dtype, name=series.name)  # type: ignore[attr-defined]
    described = function(sample, **options)
    if not isinstance(described, pandas.Series):
        raise TypeError(f"found a function that returns {type(described).__name__}, expected one that returns a Series")
    mapped: object = series.map_partitions(function, meta=described.iloc[:0], **options)  # type: ignore[attr-defined]
    return mapped
