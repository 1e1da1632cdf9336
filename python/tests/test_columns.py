"""Properties of puzzles, from columns of any kind."""

import numpy as np
import pytest

import tallyboard as tb

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def some(count: int) -> np.ndarray:
    return tb.generate(count, minimal=True, seed=4)


def test_what_is_told_of_puzzles() -> None:
    puzzles = some(50)
    assert tb.minimal(puzzles).all() and not tb.superfluous(puzzles).any()
    easy = tb.generate(50, clues=32, seed=4)
    assert tb.superfluous(easy).shape == (50, 81) and not tb.minimal(easy).all()
    assert (tb.superfluous(easy)[easy == 0] == 0).all()
    ratings = tb.rate(puzzles)
    assert ratings.shape == (50,) and (ratings > 0).any() and (ratings == 0).any()
    assert tb.canonical(puzzles.reshape(-1, 9, 9)).shape == (50, 9, 9)
    assert tb.rate(PUZZLE).tolist() == [0.0]


def test_images_are_of_one_class_and_carry_solutions() -> None:
    puzzles = some(20)
    solved = tb.solve(puzzles).solutions
    images, moved = tb.shuffle(puzzles, solved, times=5, seed=3)
    assert images.shape == moved.shape == (20, 5, 81)
    assert (tb.solve(images.reshape(-1, 81)).solutions == moved.reshape(-1, 81)).all()
    forms = tb.canonical(images.reshape(-1, 81)).reshape(20, 5, 81)
    assert (forms == tb.canonical(puzzles)[:, None]).all()
    assert (tb.shuffle(puzzles, times=5, seed=3, threads=1) == images).all()
    with pytest.raises(ValueError, match="found 3 solutions, expected one for each of 20"):
        tb.shuffle(puzzles, solved[:3])
    # Their bytes do not fit in memory, nor their number in 64 bits.
    for times in (2**50, 2**60):
        with pytest.raises(MemoryError, match="images of 20 grids do not fit in memory"):
            tb.shuffle(puzzles, times=times)


def test_all_solutions_and_counts_without_a_limit() -> None:
    two = PUZZLE.replace("7", ".").replace("9", ".")
    found = tb.solutions(two)
    assert len(found) == tb.count_solutions(two) > 2
    rows = ["".join(map(str, row)) for row in found]
    assert rows == sorted(rows) and len(set(rows)) == len(rows)
    assert (tb.solutions(two, limit=2) == found[:2]).all()
    counts = tb.count_solutions([PUZZLE, two, "11" + "." * 79])
    assert counts.dtype == np.uint64 and counts.tolist() == [1, len(found), 0]
    open_ones = tb.count_solutions(["." * 81, "1" + "." * 80])
    assert open_ones.tolist() == [6670903752021072936960, 741211528002341437440]


def test_columns_of_strings_in_every_container() -> None:
    rows = [PUZZLE, SOLUTION, PUZZLE]
    for array in (np.array(rows), np.array(rows, object), np.array(rows, "S"), tuple(rows)):
        assert tb.solve(array).counts.tolist() == [1, 1, 1]
        assert tb.rate(array).tolist() == [0.0] * 3
    with pytest.raises(ValueError, match="row 1: found nan, expected a string of 81"):
        tb.solve(np.array([PUZZLE, float("nan")], object))
    with pytest.raises(ValueError, match="row 1: found 63 in cell 2"):
        tb.rate([PUZZLE, PUZZLE[:2] + "?" + PUZZLE[3:]])


def test_filtered_columns_of_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"puzzle": ["what", PUZZLE, "what", PUZZLE]})
    chosen = frame[frame.puzzle != "what"].puzzle
    assert tb.solve(chosen).counts.tolist() == [1, 1]
    assert tb.minimal(chosen).tolist() == tb.minimal([PUZZLE, PUZZLE]).tolist()
    polars = pytest.importorskip("polars")
    column = polars.Series("puzzle", [PUZZLE, "what", PUZZLE])
    assert tb.rate(column.filter(column != "what")).tolist() == [0.0, 0.0]
