"""Columns of pandas, polars, pyarrow and DuckDB: the same answers as from arrays, in the family that came in."""

import numpy as np
import pytest

import tallyboard as tb

CELLS = np.concatenate([tb.generate(5, seed=2, clues=30), tb.generate(4, seed=2, minimal=True)])
TEXT = tb.to_text(CELLS)
SOLVED = tb.solve(CELLS).solutions
FUNCTIONS = (tb.rate, tb.guesses, tb.trial, tb.clues, tb.minimal, tb.groups, tb.duplicated, tb.count_solutions)

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
polars = pytest.importorskip("polars", reason="polars is not installed")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def flat() -> object:
    return pyarrow.array(CELLS.reshape(-1))


COLUMNS = {
    "pyarrow string": lambda: pyarrow.array(TEXT),
    "pyarrow large_string": lambda: pyarrow.array(TEXT, pyarrow.large_string()),
    "pyarrow string_view": lambda: pyarrow.array(TEXT, pyarrow.string_view()),
    "pyarrow binary": lambda: pyarrow.array(TEXT, pyarrow.binary()),
    "pyarrow dictionary": lambda: pyarrow.array(TEXT).dictionary_encode(),
    "pyarrow fixed_size_list": lambda: pyarrow.FixedSizeListArray.from_arrays(flat(), 81),
    "pyarrow list": lambda: pyarrow.array(CELLS.tolist(), pyarrow.list_(pyarrow.uint8())),
    "pyarrow large_list of int64": lambda: pyarrow.array(CELLS.tolist(), pyarrow.large_list(pyarrow.int64())),
    "pyarrow chunked": lambda: pyarrow.chunked_array([TEXT[:4], [], TEXT[4:]], pyarrow.string()),
    "pyarrow chunked views": lambda: pyarrow.chunked_array([TEXT[:4], TEXT[4:]], pyarrow.string_view()),
    "pyarrow slice": lambda: pyarrow.array(["no", *TEXT, "no"])[1:-1],
    "pyarrow slice of lists": lambda: pyarrow.array([[1], *CELLS.tolist()], pyarrow.list_(pyarrow.uint8()))[1:],
    "pyarrow slice of fixed lists": lambda: pyarrow.array(
        [[9] * 81, *CELLS.tolist()], pyarrow.list_(pyarrow.uint8(), 81)
    )[1:],
    "pyarrow table": lambda: pyarrow.table({"puzzle": TEXT}),
    "pyarrow slice of a table": lambda: pyarrow.table({"puzzle": ["no", *TEXT]}).slice(1),
    "pyarrow batch": lambda: pyarrow.record_batch({"puzzle": pyarrow.array(TEXT)}),
    "polars String": lambda: polars.Series("puzzle", TEXT),
    "polars String, filtered": lambda: polars.Series("puzzle", [it for row in TEXT for it in ("no" * 20, row)]).gather_every(
        2, 1
    ),
    "polars Array": lambda: polars.Series("puzzle", CELLS, dtype=polars.Array(polars.UInt8, 81)),
    "polars List": lambda: polars.Series("puzzle", CELLS.tolist(), dtype=polars.List(polars.UInt8)),
    "polars List of Int64": lambda: polars.Series("puzzle", CELLS.tolist()),
    "polars Categorical": lambda: polars.Series("puzzle", TEXT, dtype=polars.Categorical),
    "polars frame": lambda: polars.DataFrame({"puzzle": TEXT}),
    "pandas str": lambda: pandas.Series(TEXT, index=list("abcdefghi"), name="puzzle"),
    "pandas object": lambda: pandas.Series(TEXT, dtype=object),
    "pandas string": lambda: pandas.Series(TEXT, dtype="string"),
    "pandas string of Python": lambda: pandas.Series(TEXT, dtype="string[python]"),
    "pandas category": lambda: pandas.Series(TEXT, dtype="category"),
    "pandas Arrow string": lambda: pandas.Series(TEXT, dtype=pandas.ArrowDtype(pyarrow.string())),
    "pandas Arrow lists": lambda: pandas.Series(
        pandas.arrays.ArrowExtensionArray(pyarrow.FixedSizeListArray.from_arrays(flat(), 81))
    ),
    "pandas lists": lambda: pandas.Series(CELLS.tolist()),
    "pandas filtered": lambda: pandas.Series([*TEXT, "no"])[:-1][::-1][::-1],
    "pandas frame": lambda: pandas.DataFrame({"puzzle": TEXT}),
    "pandas frame of cells": lambda: pandas.DataFrame(CELLS),
}


def numbers(column: object) -> list[object]:
    return [int(it) if isinstance(it, (bool, np.bool_)) else it for it in list(getattr(column, "to_pylist", lambda: column)())]


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_solved_as_its_cells(name: str) -> None:
    column = COLUMNS[name]()
    solved = tb.solve(column)
    assert (tb.to_cells(solved.solutions) == SOLVED).all()
    family = name.split()[0]
    for result in (solved.solutions, solved.counts, tb.rate(column), tb.canonical(column), tb.method(column)):
        assert type(result).__module__.startswith(family), result
    for function in FUNCTIONS:
        assert numbers(function(column)) == numbers(function(CELLS)), function
    assert list(map(str, tb.method(column))) == tb.method(TEXT)
    assert (tb.to_cells(tb.canonical(column)) == tb.canonical(CELLS)).all()
    assert (tb.to_cells(tb.shuffle(column, seed=3)) == tb.shuffle(CELLS, seed=3)).all()


def test_a_relation_of_duckdb_is_a_column() -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed")
    connection = duckdb.connect()
    connection.execute("create table t (puzzle text, n int)")
    connection.executemany("insert into t values (?, ?)", [[row, n] for n, row in enumerate(TEXT)])
    solved = tb.solve(connection.sql("select puzzle from t order by n"))
    assert solved.solutions.to_pylist() == tb.to_text(SOLVED)
    with pytest.raises(ValueError, match="found 2 columns .*'n'"):
        tb.solve(connection.sql("select * from t"))


def test_null_rows_have_no_results_in_any_type() -> None:
    arrow, at = pyarrow.array([None, *TEXT[:3], None, TEXT[0]]), [0, 4]
    cells = pyarrow.array([None, *CELLS[:3].tolist(), None, CELLS[0].tolist()], pyarrow.list_(pyarrow.uint8()))
    columns = {
        "string": arrow,
        "large string": arrow.cast(pyarrow.large_string()),
        "string view": arrow.cast(pyarrow.string_view()),
        "binary": arrow.cast(pyarrow.binary()),
        "dictionary": arrow.dictionary_encode(),
        "dictionary with a null entry": pyarrow.DictionaryArray.from_arrays(
            pyarrow.array([0, 1, 2, 3, None, 1], pyarrow.int8()), pyarrow.array([None, *TEXT[:3]])
        ),
        "slice of a dictionary": pyarrow.array(["no", *arrow.to_pylist()]).dictionary_encode()[1:],
        "chunked dictionary": pyarrow.chunked_array([arrow[:3].dictionary_encode(), arrow[3:].dictionary_encode()]),
        "lists": cells,
        "fixed lists": cells.cast(pyarrow.list_(pyarrow.uint8(), 81)),
        "categorical of pandas": pandas.Series(arrow.to_pylist(), dtype="category"),
        "categorical of polars": polars.Series(arrow.to_pylist(), dtype=polars.Categorical),
    }
    expected = [None if row is None else tb.solve(row).solutions for row in arrow.to_pylist()]
    for name, column in columns.items():
        with pytest.raises(tb.BadRows, match="found (null|None|NaN), expected a puzzle") as raised:
            tb.solve(column)
        assert raised.value.rows.tolist() == at, name
        found, errors = tb.solve(column, errors="mark")
        solutions = found.solutions
        listed = solutions.to_pylist() if hasattr(solutions, "to_pylist") else list(solutions)
        assert [row is None or row != row for row in listed] == [row is None for row in expected], name
        if "lists" not in name:
            assert [row for row in listed if isinstance(row, str)] == [row for row in expected if row], name


def test_types_of_text_stay() -> None:
    for name in ("pandas str", "pandas object", "pandas string", "pandas string of Python", "pandas Arrow string"):
        column = COLUMNS[name]()
        assert tb.solve(column).solutions.dtype == column.dtype, name
    for name in ("pyarrow string", "pyarrow large_string", "pyarrow string_view", "pyarrow fixed_size_list", "pyarrow list"):
        column = COLUMNS[name]()
        assert tb.solve(column).solutions.type == column.type, name
    for name in ("polars String", "polars Array", "polars List"):
        column = COLUMNS[name]()
        assert tb.solve(column).solutions.dtype == column.dtype, name
        assert tb.solve(column).solutions.name == "puzzle"


def test_columns_join_their_frames() -> None:
    frame = pandas.DataFrame({"puzzle": TEXT}, index=list("abcdefghi"))
    frame["rating"] = tb.rate(frame.puzzle)
    frame["solution"] = tb.solve(frame.puzzle).solutions
    assert frame.solution["c"] == tb.to_text(SOLVED)[2] and not frame.isna().any(axis=None)
    some = frame[frame.puzzle.str.startswith(".")]
    assert tb.rate(some.puzzle).index.equals(some.index) and tb.rate(some.puzzle).name == "puzzle"
    data = polars.DataFrame({"puzzle": TEXT})
    joined = data.with_columns(rating=tb.rate(data["puzzle"]), solution=tb.solve(data["puzzle"]).solutions)
    assert joined["rating"].to_list() == frame.rating.to_list()
    assert joined["solution"].to_list() == frame.solution.to_list()
    table = pyarrow.table({"puzzle": TEXT})
    assert table.append_column("rating", tb.rate(table["puzzle"]))["rating"].to_pylist() == frame.rating.to_list()


def test_images_are_a_long_table_of_the_family() -> None:
    expected, moved = tb.shuffle(CELLS, SOLVED, times=3, seed=9)
    index = list("abcdefghi")
    series = pandas.Series(TEXT, index)
    long = tb.images(series, pandas.Series(tb.to_text(SOLVED), index), times=3, seed=9)
    assert list(long.columns) == ["row", "image", "puzzle", "solution"]
    assert long.index[3] == "b" and long.row.tolist() == [n // 3 for n in range(27)]
    tables = [long, tb.images(polars.Series(TEXT), polars.Series(tb.to_text(SOLVED)), times=3, seed=9)]
    tables.append(tb.images(pyarrow.array(TEXT), pyarrow.array(tb.to_text(SOLVED)), times=3, seed=9))
    tables.append(tb.images(CELLS, SOLVED, times=3, seed=9))
    for table in tables:
        assert (tb.to_cells(table["puzzle"]) == expected.reshape(-1, 81)).all()
        assert (tb.to_cells(table["solution"]) == moved.reshape(-1, 81)).all()
        assert list(numbers(table["image"])) == [0, 1, 2] * 9


def test_cells_go_in_without_a_copy() -> None:
    from tallyboard._read import read

    large = pyarrow.array(TEXT)
    view = read(large).cells
    assert view.ctypes.data == large.buffers()[2].address
    fixed = pyarrow.FixedSizeListArray.from_arrays(flat(), 81)
    assert read(fixed).cells.ctypes.data == fixed.values.buffers()[1].address
    array = CELLS.copy()
    assert read(array).cells.ctypes.data == array.ctypes.data
    # The view keeps the memory alive.
    del large
    assert tb.to_text(view) == TEXT


def test_what_has_no_solution_is_null() -> None:
    import tallyboard.polars  # noqa: F401

    none = "55" + "." * 79
    texts = [TEXT[0], none, TEXT[1]]
    first, second = tb.to_text(SOLVED)[:2]
    expected = [first, None, second]
    assert tb.solve(texts).solutions == expected
    assert tb.solve(none).solutions is None
    assert tb.solve(pandas.Series(texts)).solutions.notna().tolist() == [True, False, True]
    assert tb.solve(polars.Series(texts)).solutions.to_list() == expected
    assert tb.solve(pyarrow.array(texts)).solutions.to_pylist() == expected
    assert tb.solve(np.array(texts)).solutions.mask.tolist() == [False, True, False]
    lists = polars.Series([list(row) for row in tb.to_cells(texts).tolist()])
    assert tb.solve(lists).solutions.is_null().to_list() == [False, True, False]
    # Bad rows are null beside them.
    assert tb.solve([*texts, "x"], errors="null").solutions == [*expected, None]
    # Arrays of cells have no nulls.
    cells = tb.solve(tb.to_cells(texts)).solutions
    assert cells.dtype == np.uint8 and not cells[1].any() and cells[2].all()
    both = polars.DataFrame({"puzzle": texts}).select(polars.col("puzzle").sudoku.solve_and_count(limit=1))
    assert both["puzzle"].struct.unnest()["solution"].to_list() == expected
    assert both["puzzle"].struct.unnest()["count"].to_list() == [1, 0, 1]


def test_a_bad_row_of_a_query_is_told_by_its_text() -> None:
    import tallyboard.polars  # noqa: F401

    frame = polars.DataFrame({"puzzle": [TEXT[0]] * 17 + ["x"] + [TEXT[1]] * 3 + ["yy"]})
    with pytest.raises(tb.BadRows) as told:
        frame.lazy().with_columns(polars.col("puzzle").sudoku.solve()).collect(engine="in-memory")
    # Its number is that of a batch, which is of no use.
    assert "'x' (and 1 more among " in str(told.value) or "'x' is no puzzle" in str(told.value)
    assert "found 1 characters, expected 81" in str(told.value) and "row 1" not in str(told.value)


def test_the_namespace_of_polars_streams() -> None:
    import tallyboard.polars  # noqa: F401

    puzzle = polars.col("puzzle").sudoku
    lazy = polars.LazyFrame({"puzzle": TEXT}).select(
        rating=puzzle.rate(),
        solution=puzzle.solve(),
        count=puzzle.count(limit=1),
        both=puzzle.solve_and_count(),
        guesses=puzzle.guesses(),
        trial=puzzle.trial(),
        trial_candidates=puzzle.trial_candidates(),
        backdoor=puzzle.backdoor(),
        method=puzzle.method(),
        clues=puzzle.clues(),
        canonical=puzzle.canonical(),
        expand=puzzle.expand(),
        minimal=puzzle.minimal(),
        image=puzzle.shuffle(seed=3),
    )
    for frame in (lazy.collect(), lazy.collect(engine="streaming")):
        assert frame.schema == lazy.collect_schema()
        assert frame["rating"].to_list() == tb.rate(CELLS).tolist()
        assert frame["solution"].to_list() == tb.to_text(SOLVED)
        assert frame["count"].to_list() == [1] * 9
        assert frame["both"].to_list() == [{"solution": row, "count": 1} for row in tb.to_text(SOLVED)]
        assert frame["guesses"].to_list() == tb.guesses(CELLS).tolist()
        assert frame["trial"].to_list() == tb.trial(CELLS).tolist()
        assert frame["trial_candidates"].to_list() == tb.trial_candidates(CELLS).tolist()
        assert frame["backdoor"].to_list() == tb.backdoor(CELLS).tolist()
        assert frame["method"].to_list() == tb.method(TEXT)
        assert frame["clues"].to_list() == tb.clues(CELLS).tolist()
        assert frame["canonical"].to_list() == tb.canonical(TEXT)
        assert frame["expand"].to_list() == tb.expand(TEXT)
        assert frame["minimal"].to_list() == tb.minimal(CELLS).tolist()
        assert frame["image"].to_list() == tb.shuffle(TEXT, seed=3)
    bad = polars.DataFrame({"puzzle": [TEXT[0], "no"]})
    assert bad.select(puzzle.rate(errors="null"))["puzzle"].null_count() == 1
    with pytest.raises(tb.BadRows, match="'no' is no puzzle: found 2 characters"):
        bad.select(puzzle.rate())
    with pytest.raises(Exception, match="returns two columns"):
        bad.select(puzzle.rate(errors="mark"))


def test_what_has_no_rows_yet_is_refused_with_advice() -> None:
    for nothing in (polars.LazyFrame({"puzzle": TEXT}), polars.col("puzzle")):
        with pytest.raises(TypeError, match=r"import tallyboard.polars.*collect\(\)"):
            tb.rate(nothing)
    for frame in (pandas.DataFrame({"a": TEXT, "b": TEXT}), polars.DataFrame({"a": TEXT, "b": TEXT})):
        with pytest.raises(ValueError, match=r"found 2 columns \('a', 'b'\), expected the one"):
            tb.rate(frame)


def test_large_counts_fit_every_family() -> None:
    large = [TEXT[0], "." * 81]
    expected = [1, 6670903752021072936960]
    assert tb.count_solutions(pandas.Series(large)).tolist() == expected
    assert tb.count_solutions(polars.Series(large)).to_list() == expected
    assert [int(it) for it in tb.count_solutions(pyarrow.array(large)).to_pylist()] == expected


def test_empty_columns_have_empty_results() -> None:
    for column in (
        pandas.Series([], dtype="str"),
        polars.Series("puzzle", [], dtype=polars.String),
        pyarrow.array([], pyarrow.string()),
        pyarrow.chunked_array([], pyarrow.string()),
        pyarrow.array([], pyarrow.list_(pyarrow.uint8(), 81)),
    ):
        assert len(tb.solve(column).solutions) == len(tb.rate(column)) == len(tb.groups(column)) == 0
