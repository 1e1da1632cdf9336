"""A column of puzzles from whatever came in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from . import _rows
from ._arrow import ArrowArray, ArrowStream, Bytes, Chunk, Integers, Type, chunks, type_words
from ._faults import CELLS, NULL, BadRows, Fault, wrong_length, wrong_value
from ._families import Arrays, Arrow, Daft, Family, Narwhals, Pandas, PandasArray, PandasFrame, Polars
from ._rows import Faults


@dataclass
class Column:
    """Puzzles as 81 bytes a row, and what they were."""

    cells: Bytes
    is_text: bool
    family: Family
    faults: Faults = field(default_factory=dict)
    is_single: bool = False
    is_examined: bool = False

    def __post_init__(self) -> None:
        # As numbers, these bytes are digits to the library; in text they are none.
        if self.is_text and self.cells.size and self.cells.min() < ord(" "):
            self.examine()

    def examine(self) -> None:
        """Looks at every cell, once."""
        if self.is_examined:
            return
        self.is_examined = True
        self.cells, faults = _rows.examined(self.cells, self.is_text)
        self.faults = {**faults, **self.faults}

    def bad(self) -> npt.NDArray[np.bool_] | None:
        """The rows that are no puzzles."""
        if not self.faults:
            return None
        mask = np.zeros(len(self.cells), bool)
        mask[list(self.faults)] = True
        return mask

    def error(self) -> BadRows:
        return BadRows.of(self.faults, len(self.cells), self.family.label)

    def blank(self) -> int:
        """The sign for a blank in the first row that has one."""
        for row in self.cells[:100]:
            for sign in row.tolist():
                if not ord("1") <= sign <= ord("9"):
                    return int(sign)
        return ord(".")


def read(puzzles: object) -> Column:
    """The puzzles of a string, an array, a column, a frame with one column, or an iterable of rows."""
    if isinstance(puzzles, (str, bytes)):
        cells, is_text, faults = _rows.from_objects([puzzles])
        return Column(cells, is_text, Arrays("one"), faults, is_single=True)
    library = type(puzzles).__module__.partition(".")[0].lstrip("_")
    if library == "polars":
        puzzles = _series_of_polars(puzzles)
    elif library == "pandas":
        return _from_pandas(puzzles)
    elif library == "narwhals":
        return _from_narwhals(puzzles)
    elif library == "datasets" and hasattr(puzzles, "with_format"):
        puzzles, library = _table_of_dataset(puzzles), "pyarrow"
    elif library == "duckdb" and hasattr(puzzles, "execute"):
        # What `execute` returns is the connection, which holds the result.
        puzzles, library = puzzles.to_arrow_table(), "pyarrow"  # type: ignore[attr-defined]
    elif library == "daft" and type(puzzles).__name__ == "Expression":
        raise TypeError(
            "found a daft Expression, which has no rows yet: wrap the function by "
            "`daft.func.batch(return_dtype=…)`, or pass frame.select('puzzle')"
        )
    if isinstance(puzzles, np.ndarray):
        return _from_array(puzzles)
    if isinstance(puzzles, (ArrowArray, ArrowStream)):
        return _from_arrow(puzzles, library)
    if not isinstance(puzzles, Iterable):
        raise TypeError(f"found {type(puzzles).__name__}, expected puzzles: an array, a column, or strings")
    rows = puzzles if isinstance(puzzles, (list, tuple)) else list(puzzles)
    return _from_rows(rows)


def _from_rows(rows: Sequence[object]) -> Column:
    first = next((row for row in rows if row is not None), None)
    if isinstance(first, (int, np.integer)) or _is_grid(rows):
        return _from_array(np.asarray(rows))
    cells, is_text, faults = _rows.from_objects(rows)
    return Column(cells, is_text, Arrays("list" if is_text else "cells"), faults)


def _is_grid(rows: Sequence[object]) -> bool:
    """Whether nine rows of nine cells, and not puzzles, are listed."""
    return len(rows) == 9 and all(isinstance(row, (list, tuple, np.ndarray)) and len(row) == 9 for row in rows)


def _from_array(array: npt.NDArray[np.generic]) -> Column:
    if array.ndim == 1 and array.dtype.kind in "OSTU":
        form = array.dtype.kind if array.dtype.kind in "STU" else "O"
        fast = _rows.from_string_array(array)
        if fast is not None:
            return Column(fast, True, Arrays(form))
        cells, is_text, faults = _rows.from_objects(array.tolist())
        return Column(cells, is_text, Arrays(form if is_text else "cells"), faults)
    shape = array.shape
    is_grids = shape[-2:] == (9, 9) and array.ndim in (2, 3) or shape[-1:] == (CELLS,) and array.ndim in (1, 2)
    if not is_grids and array.size:
        if array.ndim == 1 and array.dtype.kind in "iuf":
            fault = wrong_value(array[0].item())
            raise BadRows.of({row: fault for row in range(len(array))}, len(array), Arrays().label)
        raise ValueError(f"found an array of shape {shape}, expected (N, 81) or (N, 9, 9)")
    flat = array.reshape(-1, CELLS) if array.size else np.empty((0, CELLS), np.uint8)
    if flat.dtype.kind not in "iuf":
        raise TypeError(f"found cells of type {flat.dtype}, expected integers")
    numbers, faults = _rows.from_numbers(flat)
    is_single = shape in ((CELLS,), (9, 9))
    return Column(numbers, False, Arrays("cells", shape), faults, is_single)


def _from_pandas(puzzles: object) -> Column:
    if hasattr(puzzles, "columns"):
        if len(puzzles.columns) == CELLS:
            numbers, faults = _rows.from_numbers(puzzles.to_numpy())  # type: ignore[attr-defined]
            return Column(numbers, False, PandasFrame(puzzles), faults)
        _expect_one(list(puzzles.columns))
        puzzles = puzzles.iloc[:, 0]  # type: ignore[attr-defined]
    if not hasattr(puzzles, "index"):
        bare = PandasArray(puzzles)
        column = _from_pandas(bare.series)
        if isinstance(column.family, Pandas):
            column.family = bare
        return column
    family = Pandas(puzzles)
    kind = getattr(family.dtype, "kind", "O")
    if kind in "iuf" and len(family.index) == CELLS:
        alone = _from_array(puzzles.to_numpy())  # type: ignore[attr-defined]
        if not alone.faults:
            return alone
    if isinstance(puzzles, ArrowStream) and _is_arrow_backed(family.dtype):
        column = _from_arrow(puzzles, "pandas")
        column.family = family
        return column
    cells, is_text, faults = _rows.from_objects(puzzles.tolist())  # type: ignore[attr-defined]
    return Column(cells, is_text, family, faults)


def _is_arrow_backed(dtype: object) -> bool:
    return hasattr(dtype, "pyarrow_dtype") or getattr(dtype, "storage", None) == "pyarrow"


def _from_narwhals(puzzles: object) -> Column:
    if hasattr(puzzles, "collect"):
        raise TypeError("found a narwhals LazyFrame, which has no rows yet: call collect() and pass the column")
    native = puzzles.to_native()  # type: ignore[attr-defined]
    column = read(native)
    column.family = Narwhals(column.family)
    return column


def _table_of_dataset(puzzles: object) -> object:
    """The table of a dataset of Hugging Face: its rows in their order, without what is filtered away."""
    if not hasattr(puzzles, "num_rows"):
        raise TypeError("found a dataset that streams, expected one in memory: pass a batch, as `map(batched=True)` gives")
    if isinstance(puzzles.num_rows, dict):
        raise TypeError("found a dataset of several splits, expected one: dataset['train']")
    _expect_one(puzzles.column_names)  # type: ignore[attr-defined]
    table: object = puzzles.with_format("arrow")[:]  # type: ignore[attr-defined]
    return table


def _series_of_polars(puzzles: object) -> object:
    name = type(puzzles).__name__
    if name in ("LazyFrame", "Expr"):
        raise TypeError(
            f"found a polars {name}, which has no rows yet: `import tallyboard.polars` and then "
            "`pl.col('puzzle').sudoku.rate()` in an expression, or call collect() and pass the column"
        )
    if name == "DataFrame":
        _expect_one(puzzles.columns)  # type: ignore[attr-defined]
        return puzzles.to_series(0)  # type: ignore[attr-defined]
    return puzzles


def _expect_one(names: Sequence[object]) -> None:
    if len(names) != 1:
        listed = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
        raise ValueError(f"found {len(names)} columns ({listed}), expected the one of the puzzles: frame['puzzle']")


def _from_arrow(puzzles: ArrowArray | ArrowStream, library: str) -> Column:
    type_, pieces = chunks(puzzles)
    if type_.format == "+s":
        _expect_one([child.name for child in type_.children])
        pieces = [piece.child(0, piece.offset, piece.length) for piece in pieces]
        type_ = type_.children[0]
    parts = [_from_chunk(piece) for piece in pieces]
    is_text = parts[0][1] if parts else type_.format in ("u", "U", "vu")
    faults: Faults = {}
    first = 0
    for cells, _, found in parts:
        faults.update({first + row: fault for row, fault in found.items()})
        first += len(cells)
    if len(parts) == 1:
        cells = np.ascontiguousarray(parts[0][0])
    else:
        cells = np.concatenate([part[0] for part in parts] or [np.empty((0, CELLS), np.uint8)])
    return Column(cells, is_text, _family(puzzles, library, is_text), faults)


def _family(puzzles: object, library: str, is_text: bool) -> Family:
    if library == "polars":
        return Polars(puzzles)
    if library == "daft" and find_spec("pyarrow"):
        arrow = import_module("pyarrow")
        return Daft(arrow.large_string() if is_text else arrow.list_(arrow.uint8(), CELLS))
    if library == "pandas" or not find_spec("pyarrow"):
        return Arrays("list" if is_text else "cells")
    if library != "pyarrow":
        arrow = import_module("pyarrow")
        return Arrow(arrow.string() if is_text else arrow.list_(arrow.uint8(), CELLS), is_chunked=True)
    if hasattr(puzzles, "schema"):
        return Arrow(puzzles.schema.field(0).type, is_chunked=True)
    return Arrow(puzzles.type, hasattr(puzzles, "chunks"))  # type: ignore[attr-defined]


_NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "f": "f4", "g": "f8"}
_TEXTS = {"u": "i4", "z": "i4", "U": "i8", "Z": "i8"}
_LISTS = {"+l": "i4", "+L": "i8", "+vl": "i4", "+vL": "i8"}


def _from_chunk(chunk: Chunk) -> tuple[Bytes, bool, Faults]:
    """Cells, whether they are text, and faults of a piece of a column."""
    kind = chunk.type.format
    if chunk.type.dictionary is not None:
        return _from_dictionary(chunk)
    if kind in _TEXTS:
        return _from_strings(chunk)
    if kind in ("vu", "vz"):
        return _from_views(chunk)
    if kind.startswith("w:"):
        return _from_fixed(chunk, int(kind[2:]))
    if kind == "+r":
        return _from_runs(chunk)
    if kind == "+s" and [child.name for child in chunk.type.children] == ["data", "shape"]:
        # A tensor of Daft.
        return _from_chunk(chunk.child(0, chunk.offset, chunk.length))
    if kind in _LISTS or kind.startswith("+w:"):
        return _from_lists(chunk)
    rows = chunk.length
    valid = chunk.is_valid()
    blank = np.zeros((rows, CELLS), np.uint8)
    if kind == "n":
        return blank, True, dict.fromkeys(range(rows), NULL)
    if kind in _NUMBERS:
        numbers = chunk.buffer(1, chunk.offset + rows, _NUMBERS[kind])[chunk.offset :]
        is_null = [False] * rows if valid is None else (~valid).tolist()
        pairs = zip(numbers.tolist(), is_null)
        return blank, True, {at: NULL if null else wrong_value(it) for at, (it, null) in enumerate(pairs)}
    raise TypeError(f"found a column of type {type_words(kind)}, expected strings, or lists of {CELLS} numbers")


def _from_strings(chunk: Chunk) -> tuple[Bytes, bool, Faults]:
    end = chunk.offset + chunk.length
    offsets = chunk.buffer(1, end + 1, _TEXTS[chunk.type.format])[chunk.offset :].astype(np.int64)
    if not chunk.length:
        return np.empty((0, CELLS), np.uint8), True, {}
    data = chunk.buffer(2, int(offsets[-1]), np.uint8).view(np.uint8)
    starts, lengths, valid = offsets[:-1], np.diff(offsets), chunk.is_valid()
    if chunk.type.format == "z":
        numbers = _big_numbers(data, starts, lengths, valid)
        if numbers is not None:
            return _rows.from_objects(numbers)
    cells, faults = _rows.from_text_buffer(data, starts, lengths, valid)
    return cells, True, faults


def _big_numbers(
    data: Bytes, starts: Integers, lengths: Integers, valid: npt.NDArray[np.bool_] | None
) -> list[int | None] | None:
    """The numbers of DuckDB's type BIGNUM, for which it takes columns of long digits; None if these bytes are none.

    Three bytes, the highest bit and the number of the others, then the number, the highest byte first (DuckDB 2.0).
    """
    numbers: list[int | None] = []
    for row, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist())):
        if valid is not None and not valid[row]:
            numbers.append(None)
            continue
        number = data[start : start + length].tobytes()
        if length < 4 or int.from_bytes(number[:3], "big") != 0x800000 + length - 3:
            return None
        numbers.append(int.from_bytes(number[3:], "big"))
    return numbers


def _from_fixed(chunk: Chunk, width: int) -> tuple[Bytes, bool, Faults]:
    """Binary of one length."""
    end = chunk.offset + chunk.length
    data = chunk.buffer(1, end * width, np.uint8).view(np.uint8)
    starts = np.arange(chunk.offset, end, dtype=np.int64) * width
    cells, faults = _rows.from_text_buffer(data, starts, np.full(chunk.length, width, np.int64), chunk.is_valid())
    return cells, True, faults


def _from_runs(chunk: Chunk) -> tuple[Bytes, bool, Faults]:
    """Runs of equal rows: where each ends, and its row."""
    ends_type = _NUMBERS[chunk.type.children[0].format]
    ends = chunk.child(0, 0)
    ends_of = ends.buffer(1, ends.offset + ends.length, ends_type)[ends.offset :].astype(np.int64)
    entries, is_text, wrong = _from_chunk(chunk.child(1, 0))
    indices = np.searchsorted(ends_of, np.arange(chunk.offset, chunk.offset + chunk.length), side="right")
    return entries[indices], is_text, _faults_at(indices, wrong)


def _faults_at(indices: npt.NDArray[np.integer], wrong: Faults) -> Faults:
    """The faults of rows that are entries of a list, by the faults of the entries."""
    return {row: wrong[at] for row, at in enumerate(indices.tolist()) if at in wrong} if wrong else {}


_VIEW = np.dtype([("length", "i4"), ("prefix", "i4"), ("buffer", "i4"), ("offset", "i4")])
_LONGEST_INLINE = 12


def _from_views(chunk: Chunk) -> tuple[Bytes, bool, Faults]:
    rows = chunk.length
    views: npt.NDArray[np.void] = chunk.buffer(1, chunk.offset + rows, _VIEW)[chunk.offset :].view(_VIEW)
    # Validity and views come first, the sizes of the data buffers last.
    number = chunk.buffers() - 3
    sizes = chunk.buffer(chunk.buffers() - 1, number, np.int64)
    valid = chunk.is_valid()
    lengths = views["length"].astype(np.int64)
    is_long = lengths > _LONGEST_INLINE
    if number == 1 and is_long.all():
        data = chunk.buffer(2, int(sizes[0]), np.uint8).view(np.uint8)
        found = _rows.from_text_buffer(data, views["offset"].astype(np.int64), lengths, valid)
        return found[0], True, found[1]
    cells = np.full((rows, CELLS), ord("."), np.uint8)
    faults: Faults = {}
    for buffer in range(number):
        there = np.flatnonzero(is_long & (views["buffer"] == buffer))
        if not len(there):
            continue
        data = chunk.buffer(2 + buffer, int(sizes[buffer]), np.uint8).view(np.uint8)
        starts = views["offset"][there].astype(np.int64)
        is_valid = None if valid is None else valid[there]
        cells[there], wrong = _rows.from_text_buffer(data, starts, lengths[there], is_valid)
        faults.update({int(there[row]): fault for row, fault in wrong.items()})
    inline = views.view(np.uint8).reshape(-1, _VIEW.itemsize)
    for row in np.flatnonzero(~is_long).tolist():
        if valid is not None and not valid[row]:
            faults[row] = NULL
            continue
        text = inline[row, 4 : 4 + lengths[row]].tobytes().decode("utf-8", "replace")
        faults[row] = wrong_length(len(text.strip()))
    return cells, True, faults


def _is_list(format_: str) -> bool:
    return format_ in _LISTS or format_.startswith("+w:")


def _spans(chunk: Chunk) -> tuple[Integers, Integers]:
    """Where each list begins among the items, and how many it has."""
    kind, end = chunk.type.format, chunk.offset + chunk.length
    if kind.startswith("+w:"):
        width = int(kind[3:])
        return np.arange(chunk.offset, end, dtype=np.int64) * width, np.full(chunk.length, width, np.int64)
    if kind.startswith("+v"):
        starts, lengths = (chunk.buffer(at, end, _LISTS[kind])[chunk.offset :].astype(np.int64) for at in (1, 2))
        return starts, lengths
    offsets = chunk.buffer(1, end + 1, _LISTS[kind])[chunk.offset :].astype(np.int64)
    return offsets[:-1], np.diff(offsets)


def _bounds(lists: Chunk, number: int) -> Integers:
    """Where each of the first lists begins among their items, and where the last one ends; they follow each other."""
    inner = Chunk(lists.type, lists._array, lists._owner, 0, number)
    starts, lengths = _spans(inner)
    if not number:
        return np.zeros(1, np.int64)
    ends = starts + lengths
    if (starts[1:] != ends[:-1]).any():
        raise TypeError("found lists of lists that do not follow each other, expected a list of 81 numbers for each puzzle")
    return np.append(starts, ends[-1:])


def _from_lists(chunk: Chunk) -> tuple[Bytes, bool, Faults]:
    rows = chunk.length
    valid = chunk.is_valid()
    starts, lengths = _spans(chunk)
    items = chunk.child(0, 0)
    while _is_list(items.type.format):
        # Lists of lists, such as nine rows of nine: the cells of a row follow each other.
        end = int((starts + lengths).max()) if rows else 0
        bounds = _bounds(items, end)
        starts, lengths = bounds[starts], bounds[starts + lengths] - bounds[starts]
        items = items.child(0, 0)
    child = items.type.format
    if child not in _NUMBERS:
        raise TypeError(f"found lists of type {type_words(child)}, expected integers")
    fits = lengths == CELLS
    if valid is not None:
        fits &= valid
    faults: Faults = {}
    for row in np.flatnonzero(~fits).tolist():
        is_null = valid is not None and not valid[row]
        faults[row] = NULL if is_null else Fault(f"found {lengths[row]} cells, expected {CELLS}")
    end = int((starts + lengths).max()) if rows else 0
    values = items.buffer(1, items.offset + end, _NUMBERS[child])[items.offset :]
    is_item = items.is_valid()
    if is_item is not None:
        # A null among the cells is a blank.
        values = np.where(is_item[: len(values)], values, 0).astype(values.dtype)
    if not faults and rows and (np.diff(starts) == CELLS).all():
        numbers = values[starts[0] : starts[0] + CELLS * rows].reshape(rows, CELLS)
    else:
        numbers = np.zeros((rows, CELLS), values.dtype)
        if fits.any():
            numbers[fits] = np.lib.stride_tricks.sliding_window_view(values, CELLS)[starts[fits]]
    cells, wrong = _rows.from_numbers(numbers)
    return cells, False, {**wrong, **faults}


def _from_dictionary(chunk: Chunk) -> tuple[Bytes, bool, Faults]:
    entries, is_text, wrong = _from_chunk(chunk.dictionary())
    valid = chunk.is_valid()
    indices = chunk.buffer(1, chunk.offset + chunk.length, _NUMBERS[chunk.type.format])[chunk.offset :].astype(np.int64)
    if valid is not None:
        indices = np.where(valid, indices, 0)
    if not len(entries):
        entries = np.zeros((1, CELLS), np.uint8)
    faults = _faults_at(indices, wrong)
    if valid is not None:
        faults.update(dict.fromkeys(np.flatnonzero(~valid).tolist(), NULL))
    return entries[indices], is_text, faults
