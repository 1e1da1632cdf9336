"""Naked and hidden singles of grids as they stand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._arrow import Bytes
from ._faults import CELLS

_CHUNK = 4096
_ONE_BIT = np.array([number.bit_count() == 1 for number in range(512)])
_BOX = np.array([cell // 27 * 3 + cell % 9 // 3 for cell in range(CELLS)])
_HOUSES = [
    np.arange(CELLS).reshape(9, 9),
    np.arange(CELLS).reshape(9, 9).T,
    np.array([np.flatnonzero(box == _BOX) for box in range(9)]),
]


def singles_of(cells: Bytes) -> tuple[Bytes, Bytes]:
    """The numbers of naked and of hidden singles of each row of 81 digits."""
    naked = np.empty(len(cells), np.uint8)
    hidden = np.empty(len(cells), np.uint8)
    for first in range(0, len(cells), _CHUNK):
        rows = slice(first, first + _CHUNK)
        naked[rows], hidden[rows] = _singles_of_few(cells[rows])
    return naked, hidden


def _singles_of_few(cells: Bytes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    # A cell a row, so that the cells of a house are whole lines of memory.
    bits = np.array([0, *(1 << digit for digit in range(9))], np.uint16)[cells.T]
    used = np.zeros_like(bits)
    for houses in _HOUSES:
        used[houses] |= np.bitwise_or.reduce(bits[houses], axis=1)[:, None]
    candidates = np.where(bits == 0, ~used & 0x1FF, 0).astype(np.uint16)
    only_place = np.zeros_like(bits)
    for houses in _HOUSES:
        once, more = np.zeros_like(bits[:9]), np.zeros_like(bits[:9])
        for place in range(9):
            here = candidates[houses[:, place]]
            more |= once & here
            once |= here
        only_place[houses] |= (once & ~more)[:, None]
    is_hidden = (candidates & only_place) != 0
    return _ONE_BIT[candidates].sum(axis=0), is_hidden.sum(axis=0)
