"""Properties of sudokus, a value or a board for each puzzle of a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from . import _tallyboard
from ._arrow import Bytes
from ._evaluate import Errors, Marked, Progress, boards, characters, checked_threads, evaluate, marked
from ._faults import CELLS
from ._families import Arrays, Values, strings_of
from ._read import read
from ._singles import singles_of
from ._sudoku import digits
from ._types import BoardsFunction, Cells, ColumnT, Missing, Numbers, Rows, ValuesFunction

SinglesT = TypeVar("SinglesT")


def _tell(name: str, dtype: str, threads: int) -> Callable[[Bytes], Values]:
    """What the library finds of each puzzle, as an array of `dtype`."""

    def told(cells: Bytes) -> Values:
        return np.frombuffer(_tallyboard.tell(cells.tobytes(), name, threads), dtype)

    return told


def _grids(
    puzzles: object, find: Callable[[Bytes], Values], errors: Errors, progress: Progress | None
) -> object:
    found = evaluate(puzzles, lambda cells: (find(cells).reshape(-1, CELLS),), errors, progress)
    return marked(found, boards(found, found.parts[0].view(np.uint8)), errors)


def _values(
    puzzles: object, find: Callable[[Bytes], Values], errors: Errors, progress: Progress | None
) -> object:
    found = evaluate(puzzles, lambda cells: (find(cells),), errors, progress)
    return marked(found, found.column.family.values(found.parts[0], found.bad), errors)


def whole_numbers(data: bytes | bytearray) -> Values:
    """Numbers of 128 bits in little-endian order: 64 bits, or Python's int if one of them takes more."""
    words = np.frombuffer(data, "<u8").astype(np.uint64).reshape(-1, 2)
    if words[:, 1].any():
        whole: Values = words[:, 0].astype(object) + (words[:, 1].astype(object) << 64)
        return whole
    return words[:, 0]


def _counts(cells: Bytes, threads: int) -> Values:
    return whole_numbers(_tallyboard.tell(cells.tobytes(), "counts", threads))


@overload
def count_solutions(puzzles: str, *, threads: int = 0, progress: Progress | None = None) -> int: ...
@overload
def count_solutions(
    puzzles: ColumnT, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> ColumnT: ...
@overload
def count_solutions(
    puzzles: Rows, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> int | npt.NDArray[np.uint64]: ...
def count_solutions(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """Count all solutions of one grid or of many, exactly.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`. A single grid is counted by all threads together.

    Returns
    -------
    int, or as many in the family of the puzzles
        The number of solutions of a single grid, at most 6.7 * 10^21. For many grids, numbers of 64 bits, or if one
        of them does not fit Python's int, 128 bits of polars, or decimals of pyarrow.
    """
    threads = checked_threads(threads)
    column = read(puzzles) if isinstance(puzzles, (str, bytes, np.ndarray, list, tuple)) else None
    if column is not None and column.is_single:
        column.examine()
        if column.faults:
            raise column.error()
        return _tallyboard.count_solutions(digits(column.cells)[0].tolist(), threads, progress)
    return _values(puzzles, lambda cells: _counts(cells, threads), errors, progress)


def _rate(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """Rate the hardness of puzzles: the mean number of guesses over canonical forms and three images of each.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    float64, one for each puzzle
        0 if singles and locked candidates are enough. `tallyboard sudoku solve --columns rating` writes the same.
    """
    return _values(puzzles, _tell("ratings", "=f8", checked_threads(threads)), errors, progress)


def _guesses(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The number of candidates tried, depth first, until each puzzle is shown to have one solution, none or two.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    uint64, one for each puzzle
    """
    return _values(puzzles, _tell("guesses", "=u8", checked_threads(threads)), errors, progress)


def _method(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The hardest method that each puzzle takes.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    words, one for each puzzle
        ``singles`` (naked and hidden), ``locked`` (locked candidates besides) or ``guesses``.
    """
    find = _tell("methods", "u1", checked_threads(threads))
    found = evaluate(puzzles, lambda cells: (find(cells),), errors, progress)
    names = _tallyboard.method_names()
    words = [names[method] for method in found.parts[0].tolist()]
    return marked(found, found.column.family.words(words, found.bad), errors)


def _trial(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The depth of trial and error of each puzzle, as Denis Berthier defines it, with singles as rules.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    int8, one for each puzzle
        0 if singles are enough, then how deep suppositions are nested; -1 without exactly one solution.
        `tallyboard sudoku solve --columns te` writes the same.
    """
    return _values(puzzles, _tell("depths", "i1", checked_threads(threads)), errors, progress)


def _trial_candidates(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """How many of the candidates that singles leave are removed by trial and error of depth 1.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    int16, one for each puzzle
        -1 without exactly one solution. `tallyboard sudoku solve --columns te_candidates` writes the same.
    """
    return _values(puzzles, _tell("removals", "=i2", checked_threads(threads)), errors, progress)


def _backdoor(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The least number of cells whose digits, once they are known, leave nothing but singles.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    int8, one for each puzzle
        -1 without exactly one solution.
    """
    return _values(puzzles, _tell("backdoors", "i1", checked_threads(threads)), errors, progress)


def _clues(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The number of clues of each puzzle.

    Parameters
    ----------
    puzzles, errors, progress
        As for `solve`.
    threads : int
        For the sake of a common form; one thread counts.

    Returns
    -------
    uint8, one for each puzzle
    """

    def find(cells: Bytes) -> Values:
        is_clue = (cells - 1 < 9) | (cells - ord("1") < 9)
        numbers: Values = np.count_nonzero(is_clue, axis=1).astype(np.uint8)
        return numbers

    found = evaluate(puzzles, lambda cells: (find(cells),), errors, progress, is_checked=False)
    return marked(found, found.column.family.values(found.parts[0], found.bad), errors)


class Singles(NamedTuple, Generic[SinglesT]):
    """The results of `singles`.

    Attributes
    ----------
    naked : uint8, one for each puzzle
        Blank cells with one candidate.
    hidden : uint8, one for each puzzle
        Blank cells that are the only place of a digit in a row, a column or a box.
    """

    naked: SinglesT
    hidden: SinglesT


@overload
def singles(puzzles: ColumnT, *, errors: Missing = "raise", progress: Progress | None = None) -> Singles[ColumnT]: ...
@overload
def singles(puzzles: Rows | str, *, errors: Missing = "raise", progress: Progress | None = None) -> Singles[Cells]: ...
@overload
def singles(
    puzzles: ColumnT | Rows | str, *, errors: Literal["mark"], progress: Progress | None = None
) -> Marked[Singles[object]]: ...
def singles(puzzles: object, *, errors: Errors = "raise", progress: Progress | None = None) -> object:
    """The numbers of naked and of hidden singles of each puzzle as it stands.

    A cell may be both. Candidates are the digits that no clue in the cell's row, column or box has.

    Parameters
    ----------
    puzzles, errors, progress
        As for `solve`.

    Returns
    -------
    Singles
        ``naked`` and ``hidden``.
    """
    found = evaluate(puzzles, lambda cells: singles_of(digits(cells)), errors, progress, is_checked=False)
    naked, hidden = (found.column.family.values(part, found.bad) for part in found.parts)
    return marked(found, Singles(naked, hidden), errors)


def _canonical(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The canonical form of each puzzle: the least image under all symmetries and renamings of the digits.

    All images of a puzzle have the same, so that text of it is a key for joins and groups; `groups` numbers them.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    boards in the form of the puzzles
    """
    return _grids(puzzles, _tell("canonical", "u1", checked_threads(threads)), errors, progress)


def _expand(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """Each puzzle with all naked and hidden singles filled in, one after the other.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    boards in the form of the puzzles
        Blank if singles end in a contradiction. `tallyboard sudoku solve --columns expand` writes the same.
    """
    return _grids(puzzles, _tell("expanded", "u1", checked_threads(threads)), errors, progress)


def _superfluous(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """The clues of each puzzle that can be removed, one at a time, without another solution appearing.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    81 truth values for each puzzle
        In the shape of arrays; lists for a column; an array of shape (N, 81) for strings.
    """
    find = _tell("superfluous", "?", checked_threads(threads))
    found = evaluate(puzzles, lambda cells: (find(cells).reshape(-1, CELLS),), errors, progress)
    return marked(found, found.column.family.boards(found.parts[0], found.bad), errors)


def _minimal(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """Whether no clue of each puzzle is superfluous.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `solve`.

    Returns
    -------
    truth values, one for each puzzle
    """
    return _values(puzzles, _tell("minimal", "?", checked_threads(threads)), errors, progress)


def _class_numbers(cells: Bytes, threads: int) -> npt.NDArray[np.int64]:
    """The number of the class of each puzzle, in the order in which classes appear."""
    forms = _tallyboard.tell(cells.tobytes(), "canonical", threads)
    seen: dict[bytes, int] = {}
    keys = (bytes(forms[at : at + CELLS]) for at in range(0, len(forms), CELLS))
    return np.fromiter((seen.setdefault(key, len(seen)) for key in keys), np.int64, len(cells))


def _groups(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """A number for each class of puzzles that are images of each other.

    Split by it, and no puzzle of one part is an image of one of another: the ``groups`` of scikit-learn's
    ``GroupKFold``, or ``tb.groups(puzzles) % 10 == 0``.

    Parameters
    ----------
    puzzles, errors, threads
        As for `solve`. The numbers count classes of this column alone.
    progress
        As for `solve`; called at the beginning and at the end.

    Returns
    -------
    int64, one for each puzzle
        From 0, in the order in which classes appear.
    """
    threads = checked_threads(threads)
    return _whole(puzzles, lambda cells: _class_numbers(cells, threads), errors, progress)


def _duplicated(
    puzzles: object, *, errors: Errors = "raise", threads: int = 0, progress: Progress | None = None
) -> object:
    """Whether each puzzle is an image of an earlier one: ``frame[~tb.duplicated(frame.puzzle)]`` keeps one of each.

    Parameters
    ----------
    puzzles, errors, threads, progress
        As for `groups`.

    Returns
    -------
    truth values, one for each puzzle
    """
    threads = checked_threads(threads)

    def find(cells: Bytes) -> Values:
        numbers = _class_numbers(cells, threads)
        # A class that appears first has the next number.
        is_new = np.diff(np.maximum.accumulate(numbers), prepend=-1) > 0
        return ~is_new

    return _whole(puzzles, find, errors, progress)


def _whole(puzzles: object, find: Callable[[Bytes], Values], errors: Errors, progress: Progress | None) -> object:
    """Values that depend on all puzzles, so that they cannot be found piece by piece."""
    if progress is not None:
        progress(0.0)
    result = _values(puzzles, find, errors, None)
    if progress is not None:
        progress(1.0)
    return result


def to_cells(puzzles: Rows | str, *, errors: Errors = "raise") -> Cells:
    """Puzzles in any form as an array of numbers of shape (N, 81), 0 for a blank; rows of zeros for bad rows."""
    found = evaluate(puzzles, lambda cells: (digits(cells),), errors, is_checked=False)
    return found.parts[0].view(np.uint8)


@overload
def to_text(puzzles: Numbers | Rows, *, blank: str = ".") -> list[str]: ...
@overload
def to_text(puzzles: ColumnT, *, blank: str = ".") -> ColumnT: ...
def to_text(puzzles: object, *, blank: str = ".") -> object:
    """Puzzles in any form as strings of 81 characters: a list, or of a column of a table such a column."""
    if len(blank) != 1 or blank not in ".0_*-xX":
        raise ValueError(f"found blank={blank!r}, expected one of . 0 _ * - x")
    found = evaluate(puzzles, lambda cells: (digits(cells),), is_checked=False)
    cells, family = characters(found.parts[0].view(np.uint8), ord(blank)), found.column.family
    return strings_of(cells) if isinstance(family, Arrays) else family.text(cells, None)


rate = cast("ValuesFunction[npt.NDArray[np.float64]]", _rate)
guesses = cast("ValuesFunction[npt.NDArray[np.uint64]]", _guesses)
trial = cast("ValuesFunction[npt.NDArray[np.int8]]", _trial)
trial_candidates = cast("ValuesFunction[npt.NDArray[np.int16]]", _trial_candidates)
backdoor = cast("ValuesFunction[npt.NDArray[np.int8]]", _backdoor)
method = cast("ValuesFunction[npt.NDArray[np.str_]]", _method)
clues = cast("ValuesFunction[Cells]", _clues)
minimal = cast("ValuesFunction[npt.NDArray[np.bool_]]", _minimal)
groups = cast("ValuesFunction[npt.NDArray[np.int64]]", _groups)
duplicated = cast("ValuesFunction[npt.NDArray[np.bool_]]", _duplicated)
superfluous = cast("ValuesFunction[npt.NDArray[np.bool_]]", _superfluous)
canonical = cast("BoardsFunction", _canonical)
expand = cast("BoardsFunction", _expand)
for _function in (
    _rate,
    _guesses,
    _trial,
    _trial_candidates,
    _backdoor,
    _method,
    _clues,
    _minimal,
    _groups,
    _duplicated,
    _superfluous,
    _canonical,
    _expand,
):
    _function.__name__ = _function.__qualname__ = _function.__name__.removeprefix("_")
