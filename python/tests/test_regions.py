"""Queens in regions, against a search in Python."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tallyboard as tb


def naive(board: np.ndarray) -> set[tuple[int, ...]]:
    """The columns of the queens in all solutions, by trying all permutations."""
    n = len(board)
    rows = range(n)
    return {
        columns
        for columns in itertools.permutations(rows)
        if all(abs(a - b) > 1 for a, b in zip(columns, columns[1:]))
        and len({int(board[row, columns[row]]) for row in rows}) == n
    }


def test_boards_are_solved_counted_and_listed() -> None:
    random = np.random.default_rng(3)
    solvable = 0
    for _ in range(60):
        # Regions need not hang together.
        board = np.append(np.arange(6), random.integers(0, 6, 30)).reshape(6, 6)
        board = random.permutation(board.ravel()).reshape(6, 6)
        expected = naive(board)
        solvable += len(expected) > 0
        assert tb.regions_count(board, threads=1) == len(expected)
        listed = list(tb.iter_regions_solutions(board))
        assert {tuple(found.argmax(axis=1).tolist()) for found in listed} == expected
        assert len(listed) == len(expected) and all((found.sum(axis=1) == 1).all() for found in listed)
        # Any numbers name the regions.
        solved = tb.regions_solve(1000 - 7 * board, limit=100)
        assert solved.counts.tolist() == [len(expected)]
        if expected:
            assert tuple(solved.solutions[0].argmax(axis=1).tolist()) in expected
        else:
            assert not solved.solutions.any()
    assert solvable > 20


def test_new_boards_have_one_solution() -> None:
    boards = tb.regions_generate(70, size=7, smallest=2, largest=12, seed=3)
    assert boards.shape == (70, 7, 7)
    sizes = np.array([np.bincount(board.ravel(), minlength=7) for board in boards])
    assert sizes.min() >= 2 and sizes.max() <= 12
    solved = tb.regions_solve(boards, threads=2)
    assert (solved.counts == 1).all() and solved.guesses.shape == (70,)
    assert (tb.regions_generate(70, size=7, smallest=2, largest=12, seed=3) == boards).all()
    battle = tb.regions_generate(2, size=8, stars=2)
    solved = tb.regions_solve(battle, stars=2)
    assert solved.counts.tolist() == [1, 1]
    assert (solved.solutions.sum(axis=2) == 2).all() and (solved.solutions.sum(axis=1) == 2).all()


def test_limits_are_kept() -> None:
    rows = np.repeat(np.arange(12), 12).reshape(12, 12)
    assert tb.regions_solve(rows, limit=5).counts.tolist() == [5]
    assert tb.regions_solve(rows, limit=10**6, guesses=3).counts.tolist() == [-1]
    assert tb.regions_count(np.zeros((1, 1), int)) == 1
    # A002464 for n = 9; all of 32 would take for ever.
    assert tb.regions_count(np.repeat(np.arange(9), 9).reshape(9, 9)) == 47622
    assert next(tb.iter_regions_solutions(np.repeat(np.arange(32), 32).reshape(32, 32))).sum() == 32


def test_each_of_many_boards_has_names_of_its_own() -> None:
    board = np.repeat(np.arange(6), 6).reshape(6, 6)
    # 60 boards with 360 names in all, more than a byte has.
    many = np.stack([board + 6 * number for number in range(60)])
    assert tb.regions_solve(many, limit=100).counts.tolist() == [90] * 60
    assert tb.regions_solve(many[::-1] * 1000, limit=100).counts.tolist() == [90] * 60


def test_any_numbers_name_regions() -> None:
    board = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 1], [2, 3, 3, 3]])
    expected = tb.regions_solve(board)
    assert expected.counts.tolist() == [1]
    # Numbers about those of a byte must not become others of the board: 256 is no 0.
    for number in (-256, -255, -1, 4, 254, 255, 256, 257, 512, 2**32, 2**63 - 1):
        for region in range(4):
            named = np.where(board == region, number, board)
            solved = tb.regions_solve(named)
            assert (solved.solutions == expected.solutions).all(), (number, region)
            assert tb.regions_count(named) == 1 and len(list(tb.iter_regions_solutions(named))) == 1


def test_zero_guesses_are_a_limit() -> None:
    # No deduction solves six rows as regions, which have 90 solutions.
    board = np.repeat(np.arange(6), 6).reshape(6, 6)
    free = tb.regions_solve(board, limit=100)
    assert free.counts.tolist() == [90] and free.guesses[0] > 1
    assert tb.regions_solve(board, limit=100, guesses=0).counts.tolist() == [-1]
    # The limit that is just enough, and one less.
    assert tb.regions_solve(board, limit=100, guesses=int(free.guesses[0])).counts.tolist() == [90]
    assert tb.regions_solve(board, limit=100, guesses=int(free.guesses[0]) - 1).counts.tolist() == [-1]


def test_mistakes_are_errors() -> None:
    with pytest.raises(ValueError, match="board 0: found 1 regions, expected 2"):
        tb.regions_solve(np.zeros((2, 2), int))
    with pytest.raises(ValueError, match="shape"):
        tb.regions_solve(np.zeros((2, 3), int))
    with pytest.raises(ValueError, match="with n up to 32"):
        tb.regions_solve(np.zeros((33, 33), int))
    with pytest.raises(TypeError, match="expected integers"):
        tb.regions_solve(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="found 2 boards, expected one"):
        tb.regions_count(np.zeros((2, 2, 2), int))
    with pytest.raises(ValueError, match="4 to 20 rows"):
        tb.regions_generate(1, size=3)
