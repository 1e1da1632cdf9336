"""Results in the family of what came in: arrays and lists, pandas, polars, pyarrow.

A family makes a column of values, of words, of boards, or a frame of columns. `bad` marks the rows that have no result;
None if every row has one. Other libraries are imported only where one of their objects came in.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import numpy as np
import numpy.typing as npt

from ._arrow import Bytes
from ._faults import CELLS

Values = npt.NDArray[np.generic]
Mask = npt.NDArray[np.bool_]


def strings_of(cells: Bytes) -> list[str]:
    """Rows of characters as strings."""
    text = str(np.ascontiguousarray(cells).data, "ascii")
    return [text[begin : begin + CELLS] for begin in range(0, len(text), CELLS)]


def arrow_strings(cells: Bytes, bad: Mask | None, is_large: bool = True) -> object | None:
    """Rows of characters as an array of pyarrow, without a copy; None where there is no pyarrow."""
    if find_spec("pyarrow") is None:
        return None
    arrow = import_module("pyarrow")
    offsets = np.arange(0, CELLS * (len(cells) + 1), CELLS).astype(np.int64 if is_large else np.int32)
    validity = None if bad is None else arrow.py_buffer(np.packbits(~bad, bitorder="little").tobytes())
    buffers = [validity, arrow.py_buffer(offsets), arrow.py_buffer(np.ascontiguousarray(cells))]
    array: object = arrow.Array.from_buffers(arrow.large_string() if is_large else arrow.string(), len(cells), buffers)
    return array


def with_none(rows: npt.NDArray[np.object_], bad: Mask | None) -> npt.NDArray[np.object_]:
    """The rows, None in place of the bad ones."""
    if bad is None:
        return rows
    kept = rows.copy()
    kept[bad] = None
    return kept


class Arrays:
    """NumPy arrays, and lists."""

    def __init__(self, form: str = "list", shape: tuple[int, ...] | None = None) -> None:
        # The kind of an array of strings, "list", "one" for a string alone, or "cells".
        self.form = form
        self.shape = shape

    def has_cells(self) -> bool:
        """Whether boards are arrays of cells, in which there are no nulls."""
        return True

    def label(self, row: int) -> str:
        return ""

    def values(self, values: Values, bad: Mask | None) -> object:
        if bad is None:
            return values
        if values.dtype.kind == "f":
            return np.where(bad, np.nan, values)
        return np.ma.masked_array(values, bad)

    def words(self, words: list[str], bad: Mask | None) -> object:
        if bad is not None:
            words = [None if is_bad else word for word, is_bad in zip(words, bad)]  # type: ignore[misc]
        return words if self.form == "list" else np.array(words, object if bad is not None else np.str_)

    def text(self, cells: Bytes, bad: Mask | None) -> object:
        if self.form == "T":
            # Masks take no strings of this type; a missing one is its NA object.
            dtype = np.dtypes.StringDType() if bad is None else np.dtypes.StringDType(na_object=None)
            rows = with_none(np.array(strings_of(cells), object), bad)
            return np.array(rows.tolist(), dtype)
        if self.form in "US":
            kind = "<u4" if self.form == "U" else "u1"
            strings = np.ascontiguousarray(cells.astype(kind)).view(f"{self.form}{CELLS}").reshape(-1)
            return strings if bad is None else np.ma.masked_array(strings, bad)
        strings_list: list[str | None] = list(strings_of(cells))
        if bad is not None:
            strings_list = [None if is_bad else row for row, is_bad in zip(strings_list, bad)]
        if self.form == "one":
            return strings_list[0]
        return np.array(strings_list, object) if self.form == "O" else strings_list

    def boards(self, cells: Values, bad: Mask | None) -> object:
        shaped = cells if self.shape is None else cells.reshape(self.shape)
        if bad is None:
            return shaped
        mask = np.broadcast_to(bad.reshape(-1, 1), cells.shape).reshape(shaped.shape)
        return np.ma.masked_array(shaped, mask)

    def repeated(self, rows: npt.NDArray[np.int64]) -> Arrays:
        """The family of several rows for each puzzle: `rows` are their positions."""
        return Arrays("list" if self.form == "one" else self.form)

    def frame(self, columns: Mapping[str, object], rows: npt.NDArray[np.int64]) -> object:
        return dict(columns)


class Pandas:
    """Series of pandas, with the index and the name of what came in."""

    def __init__(self, series: object) -> None:
        self.pandas: ModuleType = import_module("pandas")
        self.index = series.index  # type: ignore[attr-defined]
        self.name = series.name  # type: ignore[attr-defined]
        self.dtype = series.dtype  # type: ignore[attr-defined]

    def has_cells(self) -> bool:
        """Whether boards are arrays of cells, in which there are no nulls."""
        return False

    def label(self, row: int) -> str:
        if isinstance(self.index, self.pandas.RangeIndex) and self.index.start == 0 and self.index.step == 1:
            return ""
        return f" (index {self.index[row]!r})"

    def _series(self, values: object, dtype: object | None = None) -> object:
        return self.pandas.Series(values, index=self.index, name=self.name, dtype=dtype)

    def values(self, values: Values, bad: Mask | None) -> object:
        if bad is None:
            return self._series(values)
        pandas = self.pandas
        if values.dtype == object:
            return self._series(with_none(values.astype(object), bad))
        arrays = {"b": pandas.arrays.BooleanArray, "f": pandas.arrays.FloatingArray}
        return self._series(arrays.get(values.dtype.kind, pandas.arrays.IntegerArray)(values.copy(), bad))

    def words(self, words: list[str], bad: Mask | None) -> object:
        rows: list[str | None] = list(words)
        if bad is not None:
            rows = [None if is_bad else row for row, is_bad in zip(words, bad)]
        is_text = self.dtype == object or self.pandas.api.types.is_string_dtype(self.dtype)
        dtype = self.dtype if is_text and self.dtype != object else None
        return self._series(self.pandas.array(rows, dtype=dtype) if dtype is not None else rows)

    def text(self, cells: Bytes, bad: Mask | None) -> object:
        array = None
        if hasattr(self.dtype, "__from_arrow__") and self.dtype != object:
            array = arrow_strings(cells, bad)
        if array is not None:
            return self._series(self.dtype.__from_arrow__(self._fitting(array)))
        if self.dtype != object:
            return self.words(strings_of(cells), bad)
        # Without the type, pandas would make its own strings of them.
        return self._series(with_none(np.array(strings_of(cells), object), bad), object)

    def _fitting(self, array: object) -> object:
        """The array in the type of an Arrow-backed column, where that is text."""
        type_ = getattr(self.dtype, "pyarrow_dtype", None)
        is_text = type_ is not None and ("string" in str(type_))
        return array.cast(type_) if is_text else array  # type: ignore[attr-defined]

    def boards(self, cells: Values, bad: Mask | None) -> object:
        if hasattr(self.dtype, "pyarrow_dtype"):
            array = Arrow(self.dtype.pyarrow_dtype, False).boards(cells, bad)
            return self._series(self.pandas.arrays.ArrowExtensionArray(array))
        rows = np.empty(len(cells), object)
        rows[:] = list(cells)
        return self._series(with_none(rows, bad), object)

    def repeated(self, rows: npt.NDArray[np.int64]) -> Pandas:
        family = copy(self)
        family.index = self.index[rows]
        return family

    def frame(self, columns: Mapping[str, object], rows: npt.NDArray[np.int64]) -> object:
        # Without their index, which repeats, so that nothing is aligned by it.
        plain = {name: getattr(column, "array", column) for name, column in columns.items()}
        return self.pandas.DataFrame(plain, index=self.index[rows], copy=False)


class PandasArray(Pandas):
    """Indexes and extension arrays of pandas."""

    def __init__(self, array: object) -> None:
        pandas = import_module("pandas")
        self.is_index = isinstance(array, pandas.Index)
        self.series = pandas.Series(array, name=getattr(array, "name", None))
        super().__init__(self.series)

    def _series(self, values: object, dtype: object | None = None) -> object:
        series = self.pandas.Series(values, name=self.name, dtype=dtype)
        return self.pandas.Index(series) if self.is_index else series.array


class PandasFrame(Pandas):
    """A frame of pandas with a column for each cell."""

    def __init__(self, frame: object) -> None:
        super().__init__(frame.iloc[:, 0])  # type: ignore[attr-defined]
        self.columns = frame.columns  # type: ignore[attr-defined]
        self.name = None

    def has_cells(self) -> bool:
        return True

    def boards(self, cells: Values, bad: Mask | None) -> object:
        frame = self.pandas.DataFrame(cells, index=self.index, columns=self.columns)
        return frame if bad is None else frame.astype("UInt8").mask(np.broadcast_to(bad[:, None], cells.shape))

    def repeated(self, rows: npt.NDArray[np.int64]) -> Pandas:
        return Pandas(self.pandas.Series(np.empty(len(rows), object), index=self.index[rows]))


class Polars:
    """Series of polars."""

    def __init__(self, series: object) -> None:
        self.polars: ModuleType = import_module("polars")
        self.name = series.name  # type: ignore[attr-defined]
        self.dtype = series.dtype  # type: ignore[attr-defined]

    def has_cells(self) -> bool:
        """Whether boards are arrays of cells, in which there are no nulls."""
        return False

    def label(self, row: int) -> str:
        return ""

    def _with_nulls(self, series: object, bad: Mask | None) -> object:
        if bad is None:
            return series
        polars = self.polars
        kept = polars.when(polars.Series(~bad)).then(polars.Series("kept", series))
        return polars.select(kept.alias(self.name)).to_series()

    def values(self, values: Values, bad: Mask | None) -> object:
        if values.dtype == object:
            # The number of solutions of a grid takes up to 73 bits.
            return self._with_nulls(self.polars.Series(self.name, values.tolist(), dtype=self.polars.Int128), bad)
        return self._with_nulls(self.polars.Series(self.name, np.ascontiguousarray(values)), bad)

    def words(self, words: list[str], bad: Mask | None) -> object:
        return self._with_nulls(self.polars.Series(self.name, words, dtype=self.polars.String), bad)

    def text(self, cells: Bytes, bad: Mask | None) -> object:
        array = arrow_strings(cells, bad)
        if array is not None:
            return self.polars.Series(self.name, array, dtype=self.polars.String)
        return self.words(strings_of(cells), bad)

    def boards(self, cells: Values, bad: Mask | None) -> object:
        polars = self.polars
        item = polars.Boolean if cells.dtype == np.bool_ else polars.UInt8
        series = polars.Series(self.name, np.ascontiguousarray(cells), dtype=polars.Array(item, CELLS))
        if isinstance(self.dtype, polars.List):
            series = series.cast(polars.List(item))
        return self._with_nulls(series, bad)

    def repeated(self, rows: npt.NDArray[np.int64]) -> Polars:
        return self

    def frame(self, columns: Mapping[str, object], rows: npt.NDArray[np.int64]) -> object:
        named = [self.polars.Series(name, column) for name, column in columns.items()]
        return self.polars.DataFrame(named)


class Arrow:
    """Arrays of pyarrow, in one chunk as they came or as a chunked array."""

    def __init__(self, type_: object, is_chunked: bool) -> None:
        self.arrow: ModuleType = import_module("pyarrow")
        self.type = type_
        self.is_chunked = is_chunked

    def has_cells(self) -> bool:
        """Whether boards are arrays of cells, in which there are no nulls."""
        return False

    def label(self, row: int) -> str:
        return ""

    def _column(self, array: object) -> object:
        return self.arrow.chunked_array([array]) if self.is_chunked else array

    def values(self, values: Values, bad: Mask | None) -> object:
        if values.dtype == object:
            numbers = [None if bad is not None and bad[row] else number for row, number in enumerate(values.tolist())]
            return self._column(self.arrow.array(numbers, self.arrow.decimal128(38)))
        return self._column(self.arrow.array(values, mask=bad))

    def words(self, words: list[str], bad: Mask | None) -> object:
        return self._column(self.arrow.array(np.array(words, object), self.arrow.string(), mask=bad))

    def text(self, cells: Bytes, bad: Mask | None) -> object:
        arrow = self.arrow
        is_large = arrow.types.is_large_string(self.type) or CELLS * len(cells) >= 2**31
        array = arrow_strings(cells, bad, is_large)
        is_view = arrow.types.is_string_view(self.type)
        return self._column(array.cast(self.type) if is_view else array)  # type: ignore[attr-defined]

    def boards(self, cells: Values, bad: Mask | None) -> object:
        arrow = self.arrow
        items = arrow.array(np.ascontiguousarray(cells).reshape(-1))
        fixed = arrow.list_(items.type, CELLS)
        array = arrow.Array.from_buffers(fixed, len(cells), [self._validity(bad)], children=[items])
        if arrow.types.is_list(self.type) or arrow.types.is_large_list(self.type):
            is_large = arrow.types.is_large_list(self.type)
            array = array.cast((arrow.large_list if is_large else arrow.list_)(items.type))
        return self._column(array)

    def _validity(self, bad: Mask | None) -> object:
        if bad is None:
            return None
        return self.arrow.py_buffer(np.packbits(~bad, bitorder="little").tobytes())

    def repeated(self, rows: npt.NDArray[np.int64]) -> Arrow:
        return self

    def frame(self, columns: Mapping[str, object], rows: npt.NDArray[np.int64]) -> object:
        return self.arrow.table(dict(columns))


class Daft(Arrow):
    """Series of Daft, of which frames consist."""

    def __init__(self, type_: object) -> None:
        super().__init__(type_, is_chunked=False)
        self.daft: ModuleType = import_module("daft")

    def _column(self, array: object) -> object:
        return self.daft.Series.from_arrow(array)

    def repeated(self, rows: npt.NDArray[np.int64]) -> Daft:
        return self

    def frame(self, columns: Mapping[str, object], rows: npt.NDArray[np.int64]) -> object:
        return self.daft.from_pydict({name: getattr(it, "to_arrow", lambda it=it: it)() for name, it in columns.items()})


class Narwhals:
    """What narwhals wraps, in its wrappings again."""

    def __init__(self, native: Family) -> None:
        self.native = native
        self.narwhals: ModuleType = import_module("narwhals")

    def has_cells(self) -> bool:
        """Whether boards are arrays of cells, in which there are no nulls."""
        return self.native.has_cells()

    def label(self, row: int) -> str:
        return self.native.label(row)

    def _wrapped(self, native: object) -> object:
        return self.narwhals.from_native(native, allow_series=True)

    def values(self, values: Values, bad: Mask | None) -> object:
        return self._wrapped(self.native.values(values, bad))

    def words(self, words: list[str], bad: Mask | None) -> object:
        return self._wrapped(self.native.words(words, bad))

    def text(self, cells: Bytes, bad: Mask | None) -> object:
        return self._wrapped(self.native.text(cells, bad))

    def boards(self, cells: Values, bad: Mask | None) -> object:
        return self._wrapped(self.native.boards(cells, bad))

    def repeated(self, rows: npt.NDArray[np.int64]) -> Narwhals:
        return Narwhals(self.native.repeated(rows))

    def frame(self, columns: Mapping[str, object], rows: npt.NDArray[np.int64]) -> object:
        plain = {name: getattr(column, "to_native", lambda it=column: it)() for name, column in columns.items()}
        return self._wrapped(self.native.frame(plain, rows))


Family = Arrays | Pandas | Polars | Arrow | Narwhals
