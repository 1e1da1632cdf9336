"""The same three columns in pandas, polars, pyarrow and DuckDB: `tables.py` makes its puzzles itself."""

import tallyboard as tb

PUZZLES = tb.to_text(tb.generate(1000, seed=1, clues=27))


def with_pandas() -> None:
    import pandas as pd

    frame = pd.DataFrame({"puzzle": PUZZLES})
    frame["rating"] = tb.rate(frame.puzzle)
    frame["solution"] = tb.solve(frame.puzzle).solutions
    test = frame[tb.groups(frame.puzzle) % 10 == 0]
    print(f"pandas: {len(frame)} puzzles, {len(test)} of them for tests")


def with_polars() -> None:
    import polars as pl

    from tallyboard.polars import sudoku

    frame = pl.LazyFrame({"puzzle": PUZZLES})
    hard = frame.filter(sudoku("puzzle").rate() >= 1).collect()
    print(f"polars: {len(hard)} take a guess")


def with_pyarrow() -> None:
    import pyarrow as pa

    table = pa.table({"puzzle": PUZZLES})
    table = table.append_column("clues", tb.clues(table["puzzle"]))
    print(f"pyarrow: {table.column_names}")


def with_duckdb() -> None:
    import duckdb

    connection = duckdb.connect()
    connection.execute("create table puzzles as select unnest($1) as puzzle", [PUZZLES])
    solved = tb.solve(connection.sql("select puzzle from puzzles"))
    print(f"DuckDB: {len(solved.solutions)} solved")


if __name__ == "__main__":
    with_pandas()
    with_polars()
    with_pyarrow()
    with_duckdb()
