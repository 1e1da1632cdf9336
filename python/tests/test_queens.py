"""Counts, lists and placements of queens."""

import numpy as np
import pytest

import tallyboard as tb


def attacks(columns: np.ndarray) -> bool:
    rows = np.arange(len(columns))
    lines = (columns, columns + rows, columns - rows)
    return any(len(np.unique(line)) < len(columns) for line in lines)


def test_counts() -> None:
    assert [tb.queens_count(n) for n in range(1, 11)] == [1, 0, 0, 2, 10, 4, 40, 92, 352, 724]
    assert tb.queens_count(8, place=["a1"]) == 4
    assert tb.queens_count(8, place=["a1"], block=["c5"]) == 3
    assert tb.queens_count(16, threads=2) == 14772512


def test_lists_are_the_counts() -> None:
    solutions = tb.queens_solutions(8)
    assert solutions.shape == (92, 8)
    assert not any(attacks(row.astype(int)) for row in solutions)
    assert (np.lexsort(solutions.T[::-1]) == np.arange(92)).all()
    assert len(tb.queens_solutions(8, place=["a1"])) == 4
    assert tb.queens_solutions(10, limit=3).shape == (3, 10)
    assert tb.queens_solutions(3).shape == (0, 3)


def test_solutions_come_one_after_the_other() -> None:
    assert (np.array(list(tb.iter_queens_solutions(8))) == tb.queens_solutions(8)).all()
    some = tb.iter_queens_solutions(10, place=["a1"], block=["c5"])
    assert (np.array(list(some)) == tb.queens_solutions(10, place=["a1"], block=["c5"])).all()
    # All of them would take years.
    assert not attacks(next(tb.iter_queens_solutions(32)).astype(int))
    with pytest.raises(ValueError, match="z9"):
        tb.iter_queens_solutions(8, place=["z9"])


def test_progress_rises_to_one() -> None:
    shares: list[float] = []
    assert tb.queens_count(17, block=["a1"], progress=shares.append) == tb.queens_count(17, block=["a1"])
    assert shares[-1] == 1 and shares == sorted(set(shares)), shares


def test_one_solution_by_every_method() -> None:
    for method in ("explicit", "backtrack", "las-vegas", "repair", "greedy-repair"):
        assert not attacks(tb.queens_one(20, method=method, seed=1).astype(int)), method
    assert not attacks(tb.queens_one(1000, method="greedy-repair", seed=1).astype(int))


def test_errors_say_what_was_expected() -> None:
    with pytest.raises(ValueError, match="found 'magic', expected explicit"):
        tb.queens_one(8, method="magic")
    with pytest.raises(ValueError, match="z9"):
        tb.queens_count(8, place=["z9"])
    with pytest.raises(ValueError):
        tb.queens_count(0)
    with pytest.raises(ValueError, match="no solution exists"):
        tb.queens_one(3)


def test_scaling_is_a_table() -> None:
    # On any machine one of these is not the number of its cores.
    for most in (1, 2):
        table = tb.scale_queens(8, threads=most, runs=2)
        assert table["threads"] == [1.0, 2.0][:most]
        assert len({len(column) for column in table.values()}) == 1
