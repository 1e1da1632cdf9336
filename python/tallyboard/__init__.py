"""Exact counts of n queens, of queens in regions, of sudokus and of exact covers, on every core.

Functions take arrays, columns of any table, or text, and return the same kind. While a function runs, the
interpreter's lock is free and Ctrl-C ends the function; in other threads a `Cancellation` does. ``threads=0`` takes
``RAYON_NUM_THREADS`` or else every core, and in tasks of Ray, PySpark and Dask the cores of the task.
"""

from ._columns import (
    Singles,
    backdoor,
    canonical,
    clues,
    count_solutions,
    duplicated,
    expand,
    groups,
    guesses,
    method,
    minimal,
    rate,
    singles,
    superfluous,
    to_cells,
    to_text,
    trial,
    trial_candidates,
)
from ._cover import cover_count
from ._engines import Cancellation
from ._evaluate import Marked
from ._faults import BadRows
from ._generate import generate
from ._queens import iter_queens_solutions, queens_count, queens_one, queens_solutions, scale_queens
from ._regions import RegionsSolved, iter_regions_solutions, regions_count, regions_generate, regions_solve
from ._sudoku import Solved, images, iter_solutions, shuffle, solutions, solve
from ._tally import queens_tally, regions_tally, tally
from ._tallyboard import version as _version

__version__: str = _version()

__all__ = [
    "BadRows",
    "Cancellation",
    "Marked",
    "RegionsSolved",
    "Singles",
    "Solved",
    "__version__",
    "backdoor",
    "canonical",
    "clues",
    "count_solutions",
    "cover_count",
    "duplicated",
    "expand",
    "generate",
    "groups",
    "guesses",
    "images",
    "iter_queens_solutions",
    "iter_regions_solutions",
    "iter_solutions",
    "method",
    "minimal",
    "queens_count",
    "queens_one",
    "queens_solutions",
    "queens_tally",
    "rate",
    "regions_count",
    "regions_generate",
    "regions_solve",
    "regions_tally",
    "scale_queens",
    "shuffle",
    "singles",
    "solutions",
    "solve",
    "superfluous",
    "tally",
    "to_cells",
    "to_text",
    "trial",
    "trial_candidates",
]
