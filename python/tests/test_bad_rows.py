"""Rows that are no puzzles: what is said of them, and what becomes of their results."""

import numpy as np
import pytest

import tallyboard as tb

GOOD = tb.to_text(tb.generate(4, seed=3, clues=30))
BAD = [GOOD[0], GOOD[1][:80], None, GOOD[1], float("nan"), None, "?" + GOOD[2][1:], f"\t{GOOD[3]}\r\n"]
IS_BAD = [False, True, True, False, True, True, True, False]


def test_one_message_has_every_kind_with_its_number_and_first_row() -> None:
    with pytest.raises(tb.BadRows) as caught:
        tb.rate(BAD)
    assert str(caught.value).splitlines() == [
        "5 rows of 8 are no puzzles:",
        "  2 rows: found None, expected a puzzle; first at row 2",
        "  1 row: found 80 characters, expected 81; at row 1",
        "  1 row: found NaN, expected a puzzle; at row 4",
        "  1 row: found '?', expected a digit or a blank; at row 6, cell 0",
        "errors='null' leaves them empty, errors='mark' also says why for each",
    ]
    assert caught.value.rows.tolist() == [1, 2, 4, 5, 6]
    assert caught.value.reasons[4] == "found '?' in cell 0, expected a digit or a blank"


def test_a_kind_is_told_with_the_cell_of_its_first_row() -> None:
    rows = [row[:cell] + "?" + row[cell + 1 :] for row, cell in zip(GOOD, (7, 0, 80))]
    with pytest.raises(tb.BadRows) as caught:
        tb.rate([GOOD[3], *rows])
    assert "  3 rows: found '?', expected a digit or a blank; first at row 1, cell 7" in str(caught.value).splitlines()
    assert caught.value.reasons == [f"found '?' in cell {cell}, expected a digit or a blank" for cell in (7, 0, 80)]


def test_null_keeps_the_good_rows() -> None:
    good = [row for row, is_bad in zip(BAD, IS_BAD) if not is_bad]
    solved = tb.solve(BAD, errors="null")
    assert [row for row in solved.solutions if row is not None] == tb.solve(good).solutions
    assert [row is None for row in solved.solutions] == IS_BAD
    assert solved.counts.mask.tolist() == IS_BAD
    ratings = tb.rate(BAD, errors="null")
    assert np.isnan(ratings).tolist() == IS_BAD and ratings[~np.isnan(ratings)].tolist() == tb.rate(good).tolist()
    for function in (tb.clues, tb.guesses, tb.minimal, tb.groups, tb.duplicated, tb.count_solutions):
        found = function(BAD, errors="null")
        assert found.mask.tolist() == IS_BAD and found.compressed().tolist() == function(good).tolist(), function
    assert [word is None for word in tb.method(BAD, errors="null")] == IS_BAD


def test_mark_says_why_beside_the_result() -> None:
    solved, why = tb.solve(BAD, errors="mark")
    assert [row is None for row in solved.solutions] == IS_BAD
    assert [reason is not None for reason in why] == IS_BAD
    assert why[1] == "found 80 characters, expected 81"
    ratings, why = tb.rate(GOOD, errors="mark")
    assert why == [None] * 4 and ratings.tolist() == tb.rate(GOOD).tolist()
    with pytest.raises(ValueError, match="errors='ignore', expected 'raise', 'null' or 'mark'"):
        tb.rate(GOOD, errors="ignore")


def test_rows_of_numbers() -> None:
    cells = tb.to_cells(GOOD).astype(int)
    cells[1, 5] = 10
    cells[3, 80] = -1
    with pytest.raises(tb.BadRows, match="2 rows of 4"):
        tb.solve(cells)
    solved = tb.solve(cells, errors="null")
    assert solved.counts.mask.tolist() == [False, True, False, True]
    assert solved.solutions.mask.all(axis=1).tolist() == [False, True, False, True]
    for wrong in (256, 2**32 + 1, -256):
        cells[1, 5] = wrong
        assert tb.solve(cells, errors="null").counts.mask.tolist() == [False, True, False, True]
    as_bytes = tb.to_cells(GOOD)
    as_bytes[2, 3] = 200
    with pytest.raises(tb.BadRows, match="row 2: found 200 in cell 3"):
        tb.rate(as_bytes)


def test_nan_is_a_blank_cell() -> None:
    cells = tb.to_cells(GOOD)
    floats = np.where(cells == 0, np.nan, cells)
    assert (tb.solve(floats).solutions == tb.solve(cells).solutions).all()
    for wrong in (1.5, np.inf, 10.0, 256.0, -1.0):
        floats[2, 3] = wrong
        with pytest.raises(tb.BadRows, match="row 2: found .* in cell 3, expected 0 to 9"):
            tb.solve(floats)


def test_numbers_read_from_digits_are_refused_with_the_remedy() -> None:
    digits = [int(row.replace(".", "0")) for row in GOOD]
    whole = [number for number in digits if len(str(number)) == 81]
    lost = [number for number in digits if len(str(number)) < 81]
    assert whole and lost, "the puzzles of this seed begin with a clue and with a blank"
    assert len(tb.rate([str(whole[0]), whole[0]])) == 2
    for rows in (["." * 81, lost[0]], ["." * 81, float(whole[0])]):
        with pytest.raises(tb.BadRows, match="row 1: .*lost.*dtype=str"):
            tb.rate(rows)
    with pytest.raises(tb.BadRows, match="2 rows: .*dtype=str"):
        tb.rate(np.array([12, 34]))


def test_bytes_and_white_space_are_no_fault() -> None:
    expected = tb.rate(GOOD).tolist()
    for rows in ([row.encode() for row in GOOD], [f" {row}\r\n" for row in GOOD], [bytearray(row.encode()) for row in GOOD]):
        assert tb.rate(rows).tolist() == expected
    assert tb.rate([GOOD[0] + "\n" + GOOD[1], GOOD[2]], errors="null").tolist()[1] == expected[2]


def test_tables_keep_their_bad_rows() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    labels = list("abcdefgh")
    series = pandas.Series(BAD, index=labels, dtype=object)
    with pytest.raises(tb.BadRows, match=r"first at row 2 \(index 'c'\)"):
        tb.rate(series)
    # A label is told wherever it is not the position.
    whole = pandas.Series([GOOD[0], *BAD[:3]] * 2, dtype=object)
    for part in (whole[2:4], whole[::2], whole[1:], whole[::-1], whole.iloc[:3]):
        row = tb.rate(part, errors="mark").errors.notna().tolist().index(True)
        label = part.index[row]
        told = f"row {row}:" if list(part.index) == list(range(len(part))) else f"row {row} \\(index {label}\\)"
        with pytest.raises(tb.BadRows, match=told):
            tb.rate(part)
    assert tb.rate(series, errors="null").isna().tolist() == IS_BAD
    solved, why = tb.solve(series, errors="mark")
    assert solved.counts.isna().tolist() == IS_BAD and solved.solutions.isna().tolist() == IS_BAD
    assert why["b"] == "found 80 characters, expected 81" and why.notna().tolist() == IS_BAD
    assert tb.minimal(series, errors="null").dtype == "boolean"
    text = pandas.Series([row if isinstance(row, str) else None for row in BAD])
    assert tb.solve(text, errors="null").solutions.isna().tolist() == IS_BAD


def listed(column: object) -> list[object]:
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def test_columns_of_polars_and_pyarrow_keep_their_bad_rows() -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed")
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    rows = [row if isinstance(row, str) else None for row in BAD]
    views = pyarrow.array(rows, pyarrow.string_view())
    for column in (polars.Series("puzzle", rows), pyarrow.array(rows), pyarrow.chunked_array([rows[:3], rows[3:]]), views):
        for function in (tb.rate, tb.guesses, tb.method, tb.canonical, tb.minimal, tb.superfluous, tb.count_solutions):
            assert listed(function(column, errors="null").is_null()) == IS_BAD, function
        with pytest.raises(tb.BadRows, match="3 rows: found null, expected a puzzle; first at row 2"):
            tb.rate(column)
        _, why = tb.rate(column, errors="mark")
        assert listed(why)[1] == "found 80 characters, expected 81"
    cells = tb.to_cells(GOOD).tolist()
    cells[1], cells[2] = None, cells[2][:80]
    for column in (
        polars.Series(cells, dtype=polars.List(polars.UInt8)),
        pyarrow.array(cells, pyarrow.list_(pyarrow.uint8())),
    ):
        with pytest.raises(tb.BadRows, match="(?s)found null.*at row 1.*found 80 cells, expected 81; at row 2"):
            tb.solve(column)
        solved = tb.solve(column, errors="null")
        assert listed(solved.counts) == [1, None, None, 1]
        first, *none, last = listed(solved.solutions)
        assert none == [None, None]
        assert ([list(first), list(last)] == tb.solve(tb.to_cells(GOOD)[[0, 3]]).solutions).all()
