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
        assert tb.to_text(solved.solutions) == [SOLUTION]
        assert solved.counts.tolist() == [1]
    many = np.stack([grid] * 300)
    assert tb.solve(many).solutions.shape == (300, 81)
    assert tb.solve(many.reshape(-1, 9, 9)).solutions.shape == (300, 9, 9)
    assert tb.solve([PUZZLE] * 300).solutions == tb.to_text(tb.solve(many, threads=2).solutions)
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
    with pytest.raises(tb.BadRows, match="row 3: found 10 in cell 7, expected 0 to 9"):
        tb.solve(bad)
    with pytest.raises(ValueError, match="row 3: found -1 in cell 7"):
        tb.solve(bad.astype(int) - (bad.astype(int) // 10) * 11)
    with pytest.raises(ValueError, match="row 1: found 80 characters"):
        tb.solve([PUZZLE, PUZZLE[1:]])
    with pytest.raises(ValueError, match=r"row 1: found '\?' in cell 0"):
        tb.solve([PUZZLE, "?" + PUZZLE[1:]])
    with pytest.raises(ValueError, match="row 1: found 'é' in cell 80"):
        tb.solve([PUZZLE, PUZZLE[:80] + "é"])
    with pytest.raises(ValueError, match=r"row 0: found '\\t' in cell 40"):
        tb.solve([PUZZLE[:40] + "\t" + PUZZLE[41:]])
    with pytest.raises(ValueError, match="shape"):
        tb.solve(np.zeros((3, 80), np.uint8))
    with pytest.raises(TypeError, match="complex128"):
        tb.solve(np.zeros((3, 81), complex))
    with pytest.raises(ValueError, match="limit=0"):
        tb.solve(PUZZLE, limit=0)


def test_numbers_out_of_bounds_are_refused() -> None:
    for threads in (-1, 1025, 10**9):
        with pytest.raises(ValueError, match=f"found threads={threads}, expected 0 to 1024"):
            tb.rate(PUZZLE, threads=threads)
    assert tb.rate(PUZZLE, threads=1024).tolist() == [0.0]
    with pytest.raises(TypeError, match="threads='4', expected an integer"):
        tb.rate(PUZZLE, threads="4")
    with pytest.raises(ValueError, match="found count=-1, expected 0 or more"):
        tb.generate(-1)
    assert tb.generate(0).shape == (0, 81)
    with pytest.raises(MemoryError, match="do not fit in memory"):
        tb.generate(2**50)
    with pytest.raises(ValueError, match="found seed=-1"):
        tb.generate(1, seed=-1)
    for n in (-1, 2**32):
        with pytest.raises(ValueError, match=f"found n={n}"):
            tb.queens_count(n)


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


def test_puzzles_with_several_solutions_are_made() -> None:
    for wanted in (2, 7):
        puzzles = tb.generate(30, solutions=wanted, seed=5)
        assert tb.count_solutions(puzzles).tolist() == [wanted] * 30
        assert all(len(tb.solutions(puzzle)) == wanted for puzzle in puzzles[:5])
        assert (tb.generate(30, solutions=wanted, seed=5, threads=1) == puzzles).all()
        assert (tb.generate(12, solutions=wanted, seed=5) == puzzles[:12]).all()
        assert not (tb.generate(30, solutions=wanted, seed=6) == puzzles).all()
    exact = tb.generate(10, clues=25, solutions=3)
    assert ((exact > 0).sum(axis=1) == 25).all() and (tb.count_solutions(exact) == 3).all()
    with pytest.raises(ValueError, match="solutions=2 with minimal or symmetric"):
        tb.generate(1, solutions=2, minimal=True)
    with pytest.raises(ValueError, match="found no puzzle with 2 solutions and 80 clues"):
        tb.generate(1, solutions=2, clues=80)


def test_the_search_for_several_solutions_ends_after_fruitless_batches_in_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tallyboard._generate._BATCH", 4)
    monkeypatch.setattr("tallyboard._generate._MAX_FRUITLESS", 50)
    # One puzzle in thirty gets just two solutions: more than fifty batches fail in all, but never so many in a row.
    assert len(tb.generate(20, solutions=2, seed=5)) == 20
    with pytest.raises(ValueError, match="with 2 solutions and 80 clues among 200$"):
        tb.generate(1, solutions=2, clues=80)


def test_zero_is_a_number_and_not_a_missing_one() -> None:
    open_grid = PUZZLE.replace("7", ".").replace("9", ".")
    assert tb.solutions(open_grid, limit=0).shape == (0, 81)
    assert tb.solutions(open_grid, limit=1).shape == (1, 81)
    assert tb.shuffle(digits(PUZZLE), times=0).shape == (1, 0, 81)
    assert tb.queens_solutions(6, limit=0).shape == (0, 6)
    for refused in (
        lambda: tb.generate(1, clues=0),
        lambda: tb.cover_count([["a"]], modulo=0),
        lambda: tb.queens_one(8, method="backtrack", max_steps=0),
        lambda: tb.regions_generate(1, largest=0),
    ):
        with pytest.raises((ValueError, RuntimeError)):
            refused()


def test_solutions_come_one_after_the_other() -> None:
    two = PUZZLE.replace("7", ".").replace("9", ".")
    listed = tb.solutions(two)
    assert len(listed) > 2
    assert list(tb.iter_solutions(two)) == tb.to_text(listed)
    one_by_one = list(tb.iter_solutions(digits(two).reshape(9, 9)))
    assert (np.array(one_by_one).reshape(-1, 81) == listed).all() and one_by_one[0].shape == (9, 9)
    # All of them would take longer than the universe has.
    first = tb.iter_solutions("." * 81)
    assert next(first) < next(first)
    assert list(tb.iter_solutions("11" + "." * 79)) == []


def test_progress_rises_to_one() -> None:
    shares: list[float] = []
    many = np.repeat(digits(PUZZLE)[None], 150_000, axis=0)
    assert (tb.solve(many, progress=shares.append).counts == tb.solve(many).counts).all()
    assert shares[0] == 0 and shares[-1] == 1 and len(shares) == 4 and shares == sorted(shares)
    shares.clear()
    assert tb.count_solutions("." * 81, progress=shares.append) == 6670903752021072936960
    assert shares[-1] == 1 and shares == sorted(shares)

    def fails(share: float) -> None:
        raise RuntimeError("enough")

    for call in (tb.rate, tb.count_solutions):
        with pytest.raises(RuntimeError, match="enough"):
            call(many, progress=fails)
    with pytest.raises(RuntimeError, match="enough"):
        tb.count_solutions("." * 81, progress=fails)


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert tb.__version__ == version("tallyboard")
