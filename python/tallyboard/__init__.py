"""Exact counts of n queens, of sudokus and of exact covers, on every core.

Functions take arrays and return arrays, with no text in between. While a function runs, the interpreter's lock
is free and Ctrl-C ends the function. ``threads=0`` takes ``RAYON_NUM_THREADS`` or else every core.
"""

from ._cover import cover_count
from ._queens import queens_count, queens_one, queens_solutions, scale_queens
from ._sudoku import (
    Solved,
    canonical,
    count_solutions,
    generate,
    minimal,
    rate,
    shuffle,
    solutions,
    solve,
    superfluous,
)

__all__ = [
    "Solved",
    "canonical",
    "count_solutions",
    "cover_count",
    "generate",
    "minimal",
    "queens_count",
    "queens_one",
    "queens_solutions",
    "rate",
    "scale_queens",
    "shuffle",
    "solutions",
    "solve",
    "superfluous",
]
