"""Times the solvers of PyPI on the same generated puzzles: puzzles a second, one thread.

    pip install py-sudoku sudoku-rust
    python examples/compare.py
"""

import time

import numpy as np
import sudoku_rust
import tallyboard as tb
from sudoku import Sudoku


def rate(solve, puzzles):
    """Puzzles a second, the best of three."""
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        solve(puzzles)
        best = min(best, time.perf_counter() - began)
    return len(puzzles) / best


def with_py_sudoku(puzzles):
    for puzzle in puzzles:
        Sudoku(3, 3, board=puzzle.tolist()).solve()


def with_sudoku_rust(puzzles):
    for puzzle in puzzles:
        sudoku_rust.solve(puzzle.astype(np.uint16))


def with_tallyboard(puzzles):
    tb.solve(puzzles.reshape(-1, 81), threads=1)


puzzles = tb.generate(100_000, clues=36, seed=1).reshape(-1, 9, 9)
for name, solve, count in [
    ("py-sudoku", with_py_sudoku, 20),
    ("sudoku-rust", with_sudoku_rust, 1000),
    ("tallyboard", with_tallyboard, 100_000),
]:
    print(f"{name:12} {rate(solve, puzzles[:count]):14,.0f} puzzles/s")
