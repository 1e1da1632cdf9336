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
    # Neither of the last two options covers what the stored zero would let the first one cover.
    stored = sparse.csr_matrix(([1, 0, 1, 1], [0, 1, 1, 1], [0, 2, 3, 4]), shape=(3, 2))
    assert tb.cover_count(stored) == 2
    assert tb.cover_count(sparse.csr_matrix((0, 2))) == 0


class Stored:
    """A sparse matrix as SciPy gives it: zeros that are stored, and entries given twice, until they are taken away."""

    def __init__(self, entries: list[list[tuple[int, int]]], columns: int) -> None:
        self.rows, self.shape = entries, (len(entries), columns)

    def tocsr(self, copy: bool = False) -> Stored:
        assert copy, "the caller's matrix stays as it is"
        return Stored([[*row] for row in self.rows], self.shape[1])

    def sum_duplicates(self) -> None:
        self.rows = [[(at, sum(n for it, n in row if it == at)) for at in sorted({it for it, _ in row})] for row in self.rows]

    def eliminate_zeros(self) -> None:
        self.rows = [[(at, n) for at, n in row if n != 0] for row in self.rows]

    @property
    def indices(self) -> np.ndarray:
        return np.array([at for row in self.rows for at, _ in row], int)

    @property
    def indptr(self) -> np.ndarray:
        return np.cumsum([0, *map(len, self.rows)])


def test_what_a_sparse_matrix_stores_beside_its_entries_is_none() -> None:
    rows = [[(0, 1), (1, 0)], [(1, 1)], [(1, 2), (1, -1)], [(0, 1), (0, -1), (1, 3)], [(0, 2), (1, 1)]]
    # Column 1 alone is covered by options 1, 2 and 3, beside option 0; option 4 covers both.
    assert tb.cover_count(Stored(rows, 2)) == 4


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
