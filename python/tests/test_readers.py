"""What readers and frames make of a column of puzzles: digits as numbers, and types that hold the same cells otherwise."""

import io
import warnings

import numpy as np
import pytest

import tallyboard as tb

CELLS = tb.generate(6, seed=3, clues=30)
TEXT = [row.replace(".", "0") for row in tb.to_text(CELLS)]
SOLVED = tb.solve(TEXT).solutions
# Some of them begin with a blank, whose zero a reader drops.
SHORT = sum(row.startswith("0") for row in TEXT)
CSV = "puzzle\n" + "\n".join(TEXT) + "\n"


def test_the_zeros_that_a_reader_drops_are_given_back() -> None:
    assert 0 < SHORT < len(TEXT)
    numbers = [int(row) for row in TEXT]
    for rows in (numbers, [str(number) for number in numbers], np.array(numbers, object), [*numbers[:3], None, *numbers[3:]]):
        with pytest.warns(UserWarning, match=f"gave {SHORT} rows? of digits the leading zeros back.*dtype=str"):
            found = tb.solve(rows, errors="null").solutions
        assert [row for row in found if row is not None] == SOLVED
    # Digits of full length are no reason to warn.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tb.solve([number for number in numbers if len(str(number)) == 81]).counts.all()


@pytest.mark.parametrize("digits, is_taken", [(40, False), (41, True), (81, True), (82, False)])
def test_only_columns_of_long_digits_are_taken_for_puzzles(digits: int, is_taken: bool) -> None:
    grid = "0" * (81 - digits) + "1" + "0" * (digits - 1)
    rows = [int(grid), None]
    if is_taken:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert tb.clues(rows, errors="null").tolist()[0] == 1
    else:
        with pytest.raises(tb.BadRows, match="digits"):
            tb.clues(rows)
    # A sign that is no digit shows that the column is text: then a short row has lost something else.
    with pytest.raises(tb.BadRows, match="row 0"):
        tb.clues([TEXT[0][1:], "." * 81])


def test_pandas_reads_digits_as_numbers() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    for options in ({}, {"dtype_backend": "numpy_nullable"}):
        column = pandas.read_csv(io.StringIO(CSV), **options)["puzzle"]
        with pytest.warns(UserWarning, match="leading zeros back"):
            assert tb.solve(column).solutions.tolist() == SOLVED
    arrow = pandas.Series([str(int(row)) for row in TEXT], dtype="string[pyarrow]")
    with pytest.warns(UserWarning, match="leading zeros back"):
        assert tb.solve(arrow).solutions.tolist() == SOLVED
    floats = pandas.Series([float(row) for row in TEXT])
    with pytest.raises(tb.BadRows, match="a float, which has lost digits.*dtype=str.*all_varchar.*schema"):
        tb.solve(floats)


def test_pandas_indexes_and_arrays_come_back() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    index = tb.solve(pandas.Index(TEXT, name="p")).solutions
    assert isinstance(index, pandas.Index) and index.name == "p" and index.tolist() == SOLVED
    array = tb.solve(pandas.array(TEXT, dtype="string")).solutions
    assert isinstance(array, pandas.api.extensions.ExtensionArray) and list(array) == SOLVED
    bad = tb.rate(pandas.array([TEXT[0], None], dtype="string"), errors="null")
    assert pandas.isna(bad).tolist() == [False, True]
    series = tb.to_text(pandas.Series(TEXT, index=list("abcdef")))
    assert series.index.tolist() == list("abcdef") and series.tolist() == tb.to_text(TEXT)


def test_variable_strings_of_numpy_come_back() -> None:
    if not hasattr(np.dtypes, "StringDType"):
        pytest.skip("this NumPy has no strings of any length")
    array = np.array(TEXT, np.dtypes.StringDType())
    found = tb.solve(array).solutions
    assert found.dtype.kind == "T" and found.tolist() == SOLVED
    array[2] = "no"
    assert tb.solve(array, errors="null").solutions.tolist()[1:3] == [SOLVED[1], None]


def test_types_of_arrow_that_hold_the_same_cells() -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    rows, grids = CELLS.tolist(), CELLS.reshape(-1, 9, 9).tolist()
    nine = arrow.list_(arrow.uint8(), 9)
    texts = {
        "binary(81)": arrow.array([row.encode() for row in TEXT], arrow.binary(81)),
        "slice of binary(81)": arrow.array([b"0" * 81, *(row.encode() for row in TEXT)], arrow.binary(81))[1:],
    }
    lists = {
        "list_view": arrow.array(rows, arrow.list_view(arrow.uint8())),
        "large_list_view": arrow.array([[1], *rows], arrow.large_list_view(arrow.uint8()))[1:],
        "fixed lists of fixed lists": arrow.array(grids, arrow.list_(nine, 9)),
        "slice of lists of lists": arrow.array([grids[0], *grids], arrow.list_(arrow.list_(arrow.uint8())))[1:],
    }
    for name, column in texts.items():
        assert tb.solve(column).solutions.to_pylist() == SOLVED, name
    for name, column in lists.items():
        assert tb.to_cells(tb.solve(column).solutions).tolist() == tb.to_cells(SOLVED).tolist(), name
    runs = arrow.RunEndEncodedArray.from_arrays([2, 3, 5], arrow.array([TEXT[1], "no", TEXT[0]]))
    assert tb.solve(runs, errors="null").solutions.to_pylist() == [SOLVED[1]] * 2 + [None] + [SOLVED[0]] * 2
    assert tb.solve(runs[3:]).solutions.to_pylist() == [SOLVED[0]] * 2
    for column, words in (
        (arrow.array([1], arrow.timestamp("us")), "timestamp"),
        (arrow.array([[("a", 1)]], arrow.map_(arrow.string(), arrow.int32())), "map"),
        (arrow.array([["a"]]), "lists of type string"),
    ):
        with pytest.raises(TypeError, match=words):
            tb.solve(column)


def test_duckdb_takes_long_digits_for_big_numbers() -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    connection = duckdb.connect()
    connection.execute("create table t (p varchar)")
    connection.executemany("insert into t values (?)", [[row] for row in TEXT])
    with warnings.catch_warnings():
        # DuckDB advises another call for large results.
        warnings.simplefilter("ignore")
        assert tb.solve(connection.execute("select p from t")).solutions.to_pylist() == SOLVED
    try:
        numbers = connection.sql("select p::bignum from t")
    except duckdb.Error:
        pytest.skip("this DuckDB has no BIGNUM")
    with pytest.warns(UserWarning, match="leading zeros back"):
        assert tb.solve(numbers).solutions.to_pylist() == SOLVED
    with pytest.raises(tb.BadRows, match="2 characters"):
        tb.solve(connection.sql("select 'no'::blob"))


def test_frames_of_other_libraries_keep_their_family() -> None:
    narwhals = pytest.importorskip("narwhals", reason="narwhals is not installed")
    polars = pytest.importorskip("polars", reason="polars is not installed")
    for puzzles in (polars.Series("p", TEXT), polars.DataFrame({"p": TEXT})):
        found = tb.solve(narwhals.from_native(puzzles, allow_series=True)).solutions
        assert isinstance(found, narwhals.Series) and found.to_list() == SOLVED
    with pytest.raises(TypeError, match="collect"):
        tb.solve(narwhals.from_native(polars.LazyFrame({"p": TEXT})))


def test_daft_reads_strings_and_tensors() -> None:
    daft = pytest.importorskip("daft", reason="daft is not installed")
    for frame in (
        daft.from_pydict({"p": TEXT}),
        daft.from_pydict({"p": list(CELLS.reshape(-1, 9, 9))}),
        daft.from_pydict({"p": CELLS.tolist()}),
    ):
        found = tb.solve(frame).solutions
        assert isinstance(found, daft.Series)
        assert tb.to_cells(found.to_pylist()).tolist() == tb.to_cells(SOLVED).tolist()


def test_daft_expressions_are_told_how() -> None:
    daft = pytest.importorskip("daft", reason="daft is not installed")
    frame = daft.from_pydict({"p": TEXT})
    with pytest.raises(TypeError, match="daft.func.batch"):
        tb.rate(frame["p"])
    rate = daft.func.batch(return_dtype=daft.DataType.float64())(tb.rate)
    assert frame.with_column("rating", rate(frame["p"])).to_pydict()["rating"] == tb.rate(TEXT).tolist()


def test_datasets_of_hugging_face() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    whole = datasets.Dataset.from_dict({"puzzle": TEXT})
    assert tb.solve(whole).solutions.to_pylist() == SOLVED
    assert tb.solve(whole["puzzle"]).solutions == SOLVED
    # Rows that are filtered away are still in its table.
    assert tb.solve(whole.select([4, 1])).solutions.to_pylist() == [SOLVED[4], SOLVED[1]]
    with pytest.raises(ValueError, match="found 2 columns"):
        tb.solve(whole.add_column("other", TEXT))
    with pytest.raises(TypeError, match=r"dataset\['train'\]"):
        tb.solve(datasets.DatasetDict({"train": whole}))
