"""Solves and rates a CSV of any length in constant memory: `nine_million.py PUZZLES.csv RATED.csv [COLUMN]`.

The file is read, solved and written in batches by polars, whose lazy queries stream; `COLUMN` is `quizzes` by default.
"""

import sys

import polars as pl

from tallyboard.polars import sudoku


def main(source: str, target: str, column: str = "quizzes") -> None:
    # As text, or else polars takes 81 digits for a number.
    table = pl.scan_csv(source, infer_schema=False)
    puzzle = sudoku(column)
    rated = table.with_columns(
        count=puzzle.count(errors="null"),
        rating=puzzle.rate(errors="null"),
        solution=puzzle.solve(errors="null"),
    )
    rated.sink_csv(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
