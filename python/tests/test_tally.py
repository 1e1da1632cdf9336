"""Tables of solutions, each number against the solutions one after the other."""

import numpy as np
import pytest

import tallyboard as tb
from tallyboard._columns import whole_numbers


def test_a_table_of_a_sudoku_adds_up_its_solutions() -> None:
    for clues, seed in ((25, 1), (22, 2), (24, 3)):
        # Some clues fewer than a puzzle with one solution has.
        puzzle = tb.generate(1, clues=clues, seed=seed)[0]
        puzzle[np.flatnonzero(puzzle)[:4]] = 0
        solutions = tb.solutions(puzzle)
        assert 1 < len(solutions) < 100_000
        expected = (solutions[:, :, None] == np.arange(1, 10)).sum(axis=0).reshape(9, 9, 9)
        shares: list[float] = []
        found = tb.tally(puzzle.reshape(9, 9), progress=shares.append)
        assert found.dtype == np.uint64 and (found == expected).all() and shares[-1] == 1
        assert (tb.tally(tb.to_text(puzzle[None])[0], threads=1) == expected).all()
    assert not tb.tally("11" + "." * 79).any()
    with pytest.raises(ValueError, match="found 2 grids, expected one"):
        tb.tally(["." * 81] * 2)


def test_numbers_beyond_64_bits_are_whole() -> None:
    few, many = [0, 1, 2**64 - 1], [5, 2**64, 2**128 - 1]
    for numbers, dtype in ((few, np.uint64), (many, object)):
        found = whole_numbers(b"".join(number.to_bytes(16, "little") for number in numbers))
        assert found.dtype == dtype and found.tolist() == numbers


def test_a_table_of_queens_adds_up_their_solutions() -> None:
    for n, place, block in ((8, [], []), (7, ["a1"], ["b4", "g7"]), (3, [], [])):
        solutions = tb.queens_solutions(n, place=place, block=block)
        expected = (solutions[:, :, None] == np.arange(n)).sum(axis=0)
        assert (tb.queens_tally(n, place=place, block=block) == expected).all()


def test_a_table_of_a_board_of_regions_adds_up_its_solutions() -> None:
    for stars, size in ((1, 7), (2, 8)):
        columns = np.indices((size, size))[1]
        solutions = np.array(list(tb.iter_regions_solutions(columns, stars=stars)))
        assert len(solutions) > 1
        assert (tb.regions_tally(columns, stars=stars) == solutions.sum(axis=0)).all()
