"""What an editor and a type checker know of the functions of a column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol, TypeAlias, TypeVar, overload

import numpy as np
import numpy.typing as npt

from ._arrow import ArrowArray, ArrowStream
from ._evaluate import Marked, Progress

Cells = npt.NDArray[np.uint8]
Numbers: TypeAlias = npt.NDArray[np.integer] | npt.NDArray[np.floating]
# A column of pandas, polars or pyarrow: results come as such a column.
ColumnT = TypeVar("ColumnT", bound=ArrowStream | ArrowArray)
ArrayT = TypeVar("ArrayT")
Missing: TypeAlias = Literal["raise", "null"]
Rows: TypeAlias = Numbers | Iterable[str | bytes | None] | Iterable[Iterable[int]]


class ValuesFunction(Protocol[ArrayT]):
    """Finds a value for each puzzle: an array for arrays and lists, a column for a column."""

    @overload
    def __call__(
        self, puzzles: ColumnT, *, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
    ) -> ColumnT: ...
    @overload
    def __call__(
        self, puzzles: ColumnT, *, errors: Literal["mark"], threads: int = 0, progress: Progress | None = None
    ) -> Marked[ColumnT]: ...
    @overload
    def __call__(
        self, puzzles: Rows | str, *, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
    ) -> ArrayT: ...
    @overload
    def __call__(
        self, puzzles: Rows | str, *, errors: Literal["mark"], threads: int = 0, progress: Progress | None = None
    ) -> Marked[ArrayT]: ...


class BoardsFunction(Protocol):
    """Makes a board of each puzzle, in the form of the puzzles."""

    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, puzzles: str, *, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
    ) -> str: ...
    @overload
    def __call__(
        self, puzzles: ColumnT, *, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
    ) -> ColumnT: ...
    @overload
    def __call__(
        self, puzzles: Numbers, *, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
    ) -> Cells: ...
    @overload
    def __call__(
        self, puzzles: Iterable[str], *, errors: Missing = "raise", threads: int = 0, progress: Progress | None = None
    ) -> list[str]: ...
    @overload
    def __call__(
        self, puzzles: ColumnT, *, errors: Literal["mark"], threads: int = 0, progress: Progress | None = None
    ) -> Marked[ColumnT]: ...
    @overload
    def __call__(
        self, puzzles: Numbers, *, errors: Literal["mark"], threads: int = 0, progress: Progress | None = None
    ) -> Marked[Cells]: ...
    @overload
    def __call__(
        self, puzzles: Iterable[str], *, errors: Literal["mark"], threads: int = 0, progress: Progress | None = None
    ) -> Marked[list[str]]: ...
