"""Reads what speaks Arrow: the C data interface, as the PyCapsule interface hands it over, without copies.

The structures are those of the specification (https://arrow.apache.org/docs/format/CDataInterface.html). ctypes reads
them, so neither pyarrow nor a crate of Arrow is needed, of which one compiles for minutes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]


@runtime_checkable
class ArrowStream(Protocol):
    """A table or a column in chunks."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


@runtime_checkable
class ArrowArray(Protocol):
    """A column in one piece."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class _Schema(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
    ("private_data", ctypes.c_void_p),
]


class _Array(ctypes.Structure):
    pass


_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    pass


_Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))),
    ("private_data", ctypes.c_void_p),
]

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


class _Owner:
    """Memory of another library, given back when nobody looks at it any more."""

    def __init__(self, array: _Array) -> None:
        self.array = array

    def __del__(self) -> None:
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


def _view(owner: _Owner, address: int | None, items: int, dtype: npt.DTypeLike) -> npt.NDArray[np.generic]:
    """An array over foreign memory, which it keeps alive."""
    kind = np.dtype(dtype)
    if not items or address is None:
        return np.empty(0, kind)
    memory = (ctypes.c_uint8 * (items * kind.itemsize)).from_address(address)
    memory.owner = owner  # type: ignore[attr-defined]
    array: npt.NDArray[np.generic] = np.frombuffer(memoryview(memory), kind)
    array.flags.writeable = False
    return array


class Type(NamedTuple):
    """The type of a column: its format string, and the same of what it holds."""

    format: str
    name: str
    children: tuple[Type, ...]
    dictionary: Type | None


def _type_of(schema: _Schema) -> Type:
    children = tuple(_type_of(schema.children[at].contents) for at in range(schema.n_children))
    dictionary = _type_of(schema.dictionary.contents) if schema.dictionary else None
    return Type(schema.format.decode(), (schema.name or b"").decode(), children, dictionary)


class Chunk:
    """A piece of a column: its buffers as arrays."""

    def __init__(self, type_: Type, array: _Array, owner: _Owner, offset: int = 0, length: int | None = None) -> None:
        self.type = type_
        self._array = array
        self._owner = owner
        self.offset = array.offset + offset
        self.length = array.length if length is None else length

    def buffer(self, at: int, items: int, dtype: npt.DTypeLike) -> npt.NDArray[np.generic]:
        return _view(self._owner, self._array.buffers[at], items, dtype)

    def buffers(self) -> int:
        return int(self._array.n_buffers)

    def is_valid(self) -> npt.NDArray[np.bool_] | None:
        """Which rows are not null; None if all are."""
        if self.type.format == "n":
            return np.zeros(self.length, bool)
        if self._array.null_count == 0 or not self._array.n_buffers or not self._array.buffers[0]:
            return None
        end = self.offset + self.length
        bits = np.unpackbits(self.buffer(0, -(-end // 8), np.uint8).view(np.uint8), bitorder="little")
        valid = bits[self.offset : end].astype(bool)
        return None if valid.all() else valid

    def child(self, at: int, offset: int, length: int | None = None) -> Chunk:
        array = self._array.children[at].contents
        return Chunk(self.type.children[at], array, self._owner, offset, length)

    def dictionary(self) -> Chunk:
        assert self.type.dictionary is not None
        return Chunk(self.type.dictionary, self._array.dictionary.contents, self._owner)


# What Arrow's format strings mean, by their beginnings; the longer ones first.
_TYPE_WORDS = {
    "+vl": "list view", "+vL": "list view", "+l": "list", "+L": "list", "+w": "list", "+s": "struct", "+m": "map",
    "+u": "union", "+r": "run-end encoded", "td": "date", "tt": "time", "ts": "timestamp", "tD": "duration",
    "ti": "interval", "vu": "string", "vz": "binary", "w": "binary", "z": "binary", "Z": "binary", "u": "string",
    "U": "string", "d": "decimal", "b": "boolean", "e": "half float", "n": "null", "f": "float", "g": "double",
}  # fmt: skip


def type_words(format_: str) -> str:
    """An Arrow type for people."""
    word = next((word for begin, word in _TYPE_WORDS.items() if format_.startswith(begin)), "integer")
    return f"{word} (Arrow's {format_!r})"


def chunks(column: ArrowStream | ArrowArray) -> tuple[Type, list[Chunk]]:
    """The type of a column and its pieces."""
    if isinstance(column, ArrowArray):
        schema_capsule, capsule = column.__arrow_c_array__()
        schema = _Schema.from_address(_pointer_of(schema_capsule, b"arrow_schema"))
        array = _moved(_Array.from_address(_pointer_of(capsule, b"arrow_array")))
        type_ = _type_of(schema)
        return type_, [Chunk(type_, array, _Owner(array))]
    capsule = column.__arrow_c_stream__()
    stream = _Stream.from_address(_pointer_of(capsule, b"arrow_array_stream"))
    schema = _Schema()
    _check(stream, stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
    type_ = _type_of(schema)
    if schema.release:
        schema.release(ctypes.byref(schema))
    return type_, [Chunk(type_, array, _Owner(array)) for array in _arrays(stream)]


def _arrays(stream: _Stream) -> Iterator[_Array]:
    while True:
        array = _Array()
        _check(stream, stream.get_next(ctypes.byref(stream), ctypes.byref(array)))
        if not array.release:
            return
        yield array


def _moved(array: _Array) -> _Array:
    """The array, which its capsule then no longer owns."""
    own = _Array()
    ctypes.memmove(ctypes.byref(own), ctypes.byref(array), ctypes.sizeof(_Array))
    # A structure without a release callback is released, by the specification. Assigning None to a field of a
    # function is an error to ctypes, so its bytes are cleared.
    ctypes.memset(ctypes.addressof(array) + _Array.release.offset, 0, ctypes.sizeof(ctypes.c_void_p))
    return own


def _check(stream: _Stream, code: int) -> None:
    if code:
        message = stream.get_last_error(ctypes.byref(stream)) or b"no message"
        raise OSError(code, f"the Arrow stream failed: {message.decode(errors='replace')}")
