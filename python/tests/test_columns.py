"""Properties of puzzles, from columns of any kind."""

import csv
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tallyboard as tb
from tallyboard._program import program

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
    for array in (np.array(rows), np.array(rows, object), np.array(rows, "S"), tuple(rows), iter(rows)):
        assert tb.solve(array).counts.tolist() == [1, 1, 1]
    for array in (np.array(rows), np.array(rows, object), np.array(rows, "S"), tuple(rows)):
        assert tb.rate(array).tolist() == [0.0] * 3
    with pytest.raises(ValueError, match="row 1: found NaN, expected a puzzle"):
        tb.solve(np.array([PUZZLE, float("nan")], object))


def test_every_property_is_that_of_another_way() -> None:
    hard, easy = some(40), tb.generate(40, clues=30, seed=8)
    for puzzles in (hard, easy):
        assert (tb.clues(puzzles) == (puzzles > 0).sum(axis=1)).all()
        assert (tb.minimal(puzzles) == ~tb.superfluous(puzzles).any(axis=1)).all()
        assert ((tb.method(puzzles) == "guesses") == (tb.guesses(puzzles) > 0)).all()
        naked, hidden = tb.singles(puzzles)
        for puzzle, of_naked, of_hidden in zip(puzzles, naked, hidden):
            assert (of_naked, of_hidden) == singles_by_hand(puzzle)
    assert tb.minimal(hard).all() and not tb.minimal(easy).all()
    assert set(tb.method(easy)) >= {"singles"} and set(tb.method(hard)) >= {"guesses", "singles"}
    # Blanks that the library does not know are no clues.
    assert tb.clues(PUZZLE.replace(".", "x")).tolist() == [30]


def test_trials_and_backdoors_are_those_of_the_program(tmp_path: Path) -> None:
    puzzles = np.concatenate([some(60), tb.generate(20, clues=32, seed=8), tb.generate(3, solutions=2, seed=1)])
    (tmp_path / "puzzles").write_text("\n".join(tb.to_text(puzzles)) + "\n")
    words = ["sudoku", "solve", "puzzles", "--columns", "expand,te,backdoor,te_candidates", "--to", "csv"]
    ended = subprocess.run([program(), "-q", *words], cwd=tmp_path, capture_output=True, text=True)
    _, *rows = csv.reader(ended.stdout.splitlines())
    told = [[int(text or -1) for text in row[-3:]] for row in rows]
    removed = tb.trial_candidates(puzzles)
    found = np.stack([tb.trial(puzzles), tb.backdoor(puzzles), removed], axis=1)
    assert found.tolist() == told and removed.dtype == np.int16 and removed.max() > 127
    assert tb.to_text(tb.expand(puzzles)) == [row[-4] for row in rows]
    assert {tuple(row[:2]) for row in told} >= {(0, 0), (1, 1), (-1, -1)}


def singles_by_hand(puzzle: np.ndarray) -> tuple[int, int]:
    grid = puzzle.reshape(9, 9)
    box = [[(row // 3) * 3 + column // 3 for column in range(9)] for row in range(9)]
    cells = [(row, column) for row in range(9) for column in range(9)]
    houses = [[it for it in cells if it[0] == n] for n in range(9)]
    houses += [[it for it in cells if it[1] == n] for n in range(9)]
    houses += [[it for it in cells if box[it[0]][it[1]] == n] for n in range(9)]

    def candidates(cell: tuple[int, int]) -> set[int]:
        if grid[cell]:
            return set()
        return set(range(1, 10)) - {int(grid[it]) for house in houses if cell in house for it in house}

    possible = {cell: candidates(cell) for cell in cells}
    hidden = {
        cell
        for house in houses
        for cell in house
        for digit in possible[cell]
        if sum(digit in possible[it] for it in house) == 1
    }
    return sum(len(digits) == 1 for digits in possible.values()), len(hidden)


def test_groups_are_the_classes_of_images() -> None:
    puzzles = some(12)
    order = [0, 1, 2, 3, 0, 5, 6, 1, 8, 0]
    mixed = np.concatenate([tb.shuffle(puzzles[n : n + 1], seed=at + 1) for at, n in enumerate(order)])
    assert tb.groups(mixed).tolist() == [0, 1, 2, 3, 0, 4, 5, 1, 6, 0]
    assert tb.duplicated(mixed).tolist() == [order.index(n) < at for at, n in enumerate(order)]
    text = tb.to_text(mixed)
    assert tb.groups(text).tolist() == tb.groups(mixed).tolist()
    forms = tb.canonical(text)
    assert len(set(forms)) == 7 and forms == tb.to_text(tb.canonical(mixed))


def test_boards_come_back_as_they_came() -> None:
    puzzles = some(3)
    text = tb.to_text(puzzles)
    assert (tb.to_cells(text) == puzzles).all()
    assert tb.canonical(tb.to_text(puzzles, blank="0"))[0].count("0") == text[0].count(".")
    assert tb.shuffle(puzzles).shape == (3, 81) and tb.shuffle(puzzles.reshape(-1, 9, 9)).shape == (3, 9, 9)
    assert tb.shuffle(text) == tb.to_text(tb.shuffle(puzzles))
    assert isinstance(tb.solve(text[0]).solutions, str)
    assert tb.solve(np.array(text)).solutions.dtype == "U81"
    assert tb.solve(np.array(text, "S")).solutions.dtype == "S81"
    with pytest.raises(ValueError, match=r"times=2 for a column, expected 1; images\(puzzles, times=2\)"):
        tb.shuffle(text, times=2)
    with pytest.raises(ValueError, match="blank='9'"):
        tb.to_text(puzzles, blank="9")
