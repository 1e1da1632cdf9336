"""The namespace ``sudoku`` of expressions of polars: ``pl.col("puzzle").sudoku.rate()`` after this import.

Type checkers know no namespaces; ``sudoku(pl.col("puzzle")).rate()`` is the same to polars, and known to them.

Each method calls the function of the same name for a batch of the column. In a lazy query that streams, a batch is a
part of the table, so memory does not grow with its length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import polars as pl

import tallyboard as tb

from ._evaluate import Errors
from ._faults import BadRows
from ._types import Missing


@pl.api.register_expr_namespace("sudoku")
class SudokuNamespace:
    """Functions of a column of puzzles.

    ``errors="null"`` leaves the results of bad rows null; by default a bad row ends the query.
    """

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def _map(self, function: Callable[[pl.Series], object], dtype: pl.DataType | pl.DataTypeExpr) -> pl.Expr:
        def told(column: pl.Series) -> pl.Series:
            try:
                return cast("pl.Series", function(column))
            except BadRows as error:
                raise error.of_batch([column[row] for row in error.rows.tolist()], len(column)) from None

        return self._expr.map_batches(told, return_dtype=dtype, is_elementwise=True)

    def solve(self, *, errors: Errors = "raise") -> pl.Expr:
        """The first solution of each puzzle, in the form of the puzzles; null if there is none."""
        return self._map(lambda column: tb.solve(column, errors=_kept(errors)).solutions, pl.self_dtype())

    def count(self, *, limit: int = 2, errors: Errors = "raise") -> pl.Expr:
        """The number of solutions of each puzzle, up to the limit."""
        return self._map(lambda column: tb.solve(column, limit=limit, errors=_kept(errors)).counts, pl.UInt8())

    def solve_and_count(self, *, limit: int = 2, errors: Errors = "raise") -> pl.Expr:
        """A struct of ``solution``, as `solve` finds it, and ``count``, the number of solutions up to the limit."""

        def both(column: pl.Series) -> pl.Series:
            solved = tb.solve(column, limit=limit, errors=_kept(errors))
            return pl.DataFrame({"solution": solved.solutions, "count": solved.counts}).to_struct(column.name)

        return self._map(both, pl.struct_with_fields({"solution": pl.self_dtype(), "count": pl.UInt8()}))

    def rate(self, *, errors: Errors = "raise") -> pl.Expr:
        """The hardness of each puzzle, as `tallyboard.rate`."""
        return self._map(lambda column: tb.rate(column, errors=_kept(errors)), pl.Float64())

    def guesses(self, *, errors: Errors = "raise") -> pl.Expr:
        """The number of candidates tried, as `tallyboard.guesses`."""
        return self._map(lambda column: tb.guesses(column, errors=_kept(errors)), pl.UInt64())

    def trial(self, *, errors: Errors = "raise") -> pl.Expr:
        """The depth of trial and error, as `tallyboard.trial`."""
        return self._map(lambda column: tb.trial(column, errors=_kept(errors)), pl.Int8())

    def trial_candidates(self, *, errors: Errors = "raise") -> pl.Expr:
        """The candidates that trial and error of depth 1 removes, as `tallyboard.trial_candidates`."""
        return self._map(lambda column: tb.trial_candidates(column, errors=_kept(errors)), pl.Int16())

    def backdoor(self, *, errors: Errors = "raise") -> pl.Expr:
        """The size of the smallest backdoor, as `tallyboard.backdoor`."""
        return self._map(lambda column: tb.backdoor(column, errors=_kept(errors)), pl.Int8())

    def method(self, *, errors: Errors = "raise") -> pl.Expr:
        """The hardest method that each puzzle takes, as `tallyboard.method`."""
        return self._map(lambda column: tb.method(column, errors=_kept(errors)), pl.String())

    def clues(self, *, errors: Errors = "raise") -> pl.Expr:
        """The number of clues of each puzzle."""
        return self._map(lambda column: tb.clues(column, errors=_kept(errors)), pl.UInt8())

    def canonical(self, *, errors: Errors = "raise") -> pl.Expr:
        """The canonical form of each puzzle, in the form of the puzzles: a key for joins and groups."""
        return self._map(lambda column: tb.canonical(column, errors=_kept(errors)), pl.self_dtype())

    def expand(self, *, errors: Errors = "raise") -> pl.Expr:
        """Each puzzle with all singles filled in, in the form of the puzzles."""
        return self._map(lambda column: tb.expand(column, errors=_kept(errors)), pl.self_dtype())

    def minimal(self, *, errors: Errors = "raise") -> pl.Expr:
        """Whether no clue of each puzzle is superfluous."""
        return self._map(lambda column: tb.minimal(column, errors=_kept(errors)), pl.Boolean())

    def shuffle(self, *, seed: int = 1) -> pl.Expr:
        """A random image of each puzzle."""
        return self._map(lambda column: tb.shuffle(column, seed=seed), pl.self_dtype())


def _kept(errors: Errors) -> Missing:
    """`errors`, unless it asks for two columns."""
    if errors == "mark":
        raise ValueError("found errors='mark', which returns two columns; expected 'raise' or 'null' in an expression")
    return errors


def sudoku(puzzle: pl.Expr | str) -> SudokuNamespace:
    """The namespace of an expression, or of the column of this name."""
    return SudokuNamespace(pl.col(puzzle) if isinstance(puzzle, str) else puzzle)
