"""Exact covers, against a search in Python."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tallyboard as tb


def naive(options: list[list[int]], primary: list[int]) -> int:
    """The number of covers, by trying all sets of options."""
    found = 0
    for size in range(len(options) + 1):
        for chosen in itertools.combinations(options, size):
            covered = [item for option in chosen for item in option]
            is_apart = len(set(covered)) == len(covered)
            found += is_apart and set(primary) <= set(covered)
    return found


def queens(n: int) -> list[list[tuple[str, int]]]:
    return [
        [("row", r), ("column", c), ("up", r + c), ("down", r - c)]
        for r in range(n)
        for c in range(n)
    ]


def test_random_covers_agree_with_a_search() -> None:
    random = np.random.default_rng(7)
    solvable = 0
    for _ in range(100):
        matrix = random.random((9, 6)) < 0.35
        matrix = matrix[matrix[:, :4].any(axis=1)]
        options = [np.flatnonzero(row).tolist() for row in matrix]
        for secondary in [[], [4, 5]]:
            primary = [item for item in range(6) if item not in secondary]
            expected = naive(options, primary)
            solvable += expected > 0
            assert tb.cover_count(matrix, secondary=secondary) == expected
            assert tb.cover_count(options, primary=primary, secondary=secondary) == expected
            named = {f"option {place}": option for place, option in enumerate(options)}
            assert tb.cover_count(named, primary=primary, secondary=secondary) == expected
    assert solvable > 20


def test_sparse_matrices_are_taken() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = np.array([[1, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 1]])
    for kind in [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array]:
        assert tb.cover_count(kind(matrix)) == 2
    # A zero that is stored is none, and a column without options cannot be covered.
    stored = sparse.csr_matrix(([1, 0, 1], [0, 1, 1], [0, 2, 3]), shape=(2, 2))
    assert tb.cover_count(stored) == 1
    assert tb.cover_count(sparse.csr_matrix((0, 2))) == 0


def test_items_may_be_any_objects() -> None:
    lines = [("up", k) for k in range(16)] + [("down", k) for k in range(-8, 8)]
    assert tb.cover_count(queens(8), secondary=lines, threads=2) == 92
    assert tb.cover_count(queens(8), secondary=lines, modulo=7) == 92 % 7
    assert tb.cover_count([]) == 1


def test_mistakes_are_errors() -> None:
    with pytest.raises(ValueError, match="option 1: found an item twice"):
        tb.cover_count([["a"], ["b", "b"]])
    with pytest.raises(ValueError, match="option 0: found 'b', expected one of the items"):
        tb.cover_count([["a", "b"]], primary=["a"])
    with pytest.raises(ValueError, match="found 'a' as a primary and as a secondary item"):
        tb.cover_count([["a"]], primary=["a"], secondary=["a"])
    with pytest.raises(ValueError, match="modulus below 2"):
        tb.cover_count([["a"]], modulo=1)
    with pytest.raises(ValueError, match="3 dimensions"):
        tb.cover_count(np.zeros((2, 2, 2)))


def test_a_count_of_more_than_128_bits_is_an_error() -> None:
    options = [[item] for item in range(128) for _ in range(2)]
    with pytest.raises(OverflowError, match="128"):
        tb.cover_count(options)
    assert tb.cover_count(options, modulo=1000) == 2**128 % 1000
