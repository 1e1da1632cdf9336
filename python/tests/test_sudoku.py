"""Arrays in, arrays out."""

import numpy as np
import pytest

import tallyboard as tb

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def digits(text: str) -> np.ndarray:
    return np.array([0 if sign == "." else int(sign) for sign in text], np.uint8)


def test_every_shape_and_type_gives_the_same() -> None:
    grid = digits(PUZZLE)
    for one in (grid, grid.reshape(9, 9), grid.astype(int), list(map(int, grid)), PUZZLE):
        solved = tb.solve(one)
        assert "".join(map(str, solved.solutions.reshape(-1))) == SOLUTION
        assert solved.counts.tolist() == [1]
    many = np.stack([grid] * 300)
    assert tb.solve(many).solutions.shape == (300, 81)
    assert tb.solve(many.reshape(-1, 9, 9)).solutions.shape == (300, 9, 9)
    assert (tb.solve([PUZZLE] * 300).solutions == tb.solve(many, threads=2).solutions).all()
    assert (tb.solve(np.asfortranarray(many)).solutions == tb.solve(many).solutions).all()


def test_none_one_and_two_solutions() -> None:
    none, one, two = digits(PUZZLE), digits(PUZZLE), digits(PUZZLE)
    none[2], two[:40] = 5, 0
    solved = tb.solve(np.stack([none, one, two]))
    assert solved.counts.tolist() == [0, 1, 2]
    assert not solved.solutions[0].any() and solved.solutions[2].all()
    assert tb.solve(two, limit=200).counts[0] > 2


def test_blanks_have_many_signs() -> None:
    for blank in ".0_*-xX":
        assert tb.solve(PUZZLE.replace(".", blank)).counts[0] == 1


def test_errors_name_the_row() -> None:
    bad = np.zeros((5, 81), np.uint8)
    bad[3, 7] = 10
    with pytest.raises(ValueError, match="puzzle 3: found 10 in cell 7"):
        tb.solve(bad)
    with pytest.raises(ValueError, match="row 3: found -1 in cell 7"):
        tb.solve(bad.astype(int) - (bad.astype(int) // 10) * 11)
    with pytest.raises(ValueError, match="row 1: found 80 characters"):
        tb.solve([PUZZLE, PUZZLE[1:]])
    with pytest.raises(ValueError, match="puzzle 1: found 63 in cell 0"):
        tb.solve([PUZZLE, "?" + PUZZLE[1:]])
    with pytest.raises(ValueError, match="row 1: found 'é' in cell 80"):
        tb.solve([PUZZLE, PUZZLE[:80] + "é"])
    with pytest.raises(ValueError, match="shape"):
        tb.solve(np.zeros((3, 80), np.uint8))
    with pytest.raises(TypeError, match="float64"):
        tb.solve(np.zeros((3, 81)))
    with pytest.raises(ValueError, match="limit 0"):
        tb.solve(PUZZLE, limit=0)


def test_counts_have_any_size() -> None:
    assert tb.count_solutions(np.zeros(81, int)) == 6670903752021072936960
    assert tb.count_solutions(PUZZLE) == 1
    assert tb.count_solutions([PUZZLE, PUZZLE]).tolist() == [1, 1]
    with pytest.raises(ValueError, match="row 0: found 80 characters"):
        tb.count_solutions(PUZZLE[:80])


def test_generated_puzzles_have_one_solution() -> None:
    puzzles = tb.generate(50, minimal=True, seed=7)
    assert puzzles.shape == (50, 81)
    assert (tb.solve(puzzles).counts == 1).all()
    assert (tb.generate(50, minimal=True, seed=7, threads=1) == puzzles).all()
    row, cell = 4, int(np.argmax(puzzles[4] > 0))
    puzzles[row, cell] = 0
    assert tb.solve(puzzles).counts[row] == 2, "a minimal puzzle needs each clue"
    assert ((tb.generate(9, clues=30) > 0).sum(axis=1) == 30).all()
    with pytest.raises(ValueError, match="no minimal puzzle with more is known"):
        tb.generate(1, clues=60, minimal=True)
    for clues in (-1, 16):
        with pytest.raises(ValueError, match=f"found {clues} clues, expected 17 to 81"):
            tb.generate(1, clues=clues)
