"""Counts that run for others: in threads that somebody may stop waiting for, and in the workers of a table engine."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextvars import ContextVar, Token


class Cancellation:
    """Ends counts that nobody waits for any more.

    Ctrl-C reaches Python's main thread alone. A count in another thread goes on, and whoever then leaves a thread pool
    waits for it. Whatever begins in the block below, in its thread or in one that has its context
    (``asyncio.to_thread`` hands it over; an executor takes ``contextvars.copy_context().run``), ends with
    ``CancelledError`` within some 20 ms once the block is left or `cancel` is called.

    Examples
    --------
    >>> import asyncio
    >>> async def first_second():
    ...     with Cancellation():
    ...         return await asyncio.wait_for(asyncio.to_thread(queens_count, 14), 1)
    """

    def __init__(self) -> None:
        self._is_cancelled = threading.Event()
        self._tokens: list[Token[Cancellation | None]] = []

    def cancel(self) -> None:
        """Ends what runs, and what would begin."""
        self._is_cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._is_cancelled.is_set()

    def __enter__(self) -> Cancellation:
        self._tokens.append(_current.set(self))
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        _current.reset(self._tokens.pop())


_current: ContextVar[Cancellation | None] = ContextVar("tallyboard_cancellation", default=None)


def check() -> Callable[[], None] | None:
    """What a count that begins here has to call now and then: it raises when the count shall end. None: nothing."""
    asked = _current.get()
    if asked is None and threading.current_thread() is threading.main_thread():
        return None

    def ended() -> None:
        if asked is not None and asked.is_cancelled:
            raise CancelledError("the count was cancelled")
        # An interpreter that ends waits for its threads.
        if getattr(threading, "_SHUTTING_DOWN", False) or not threading.main_thread().is_alive():
            raise CancelledError("the interpreter ends")

    return ended


def default_threads() -> int:
    """The threads of a call that names none, in the worker of a table engine; 0 outside of one.

    Ray and PySpark tell a task by OMP_NUM_THREADS how many cores it has. A task of Dask has one thread of its worker.
    """
    if "distributed" in sys.modules:
        from distributed import get_worker

        try:
            get_worker()
        except ValueError:
            pass
        else:
            return 1
    if "ray" in sys.modules or "pyspark" in sys.modules:
        told = os.environ.get("OMP_NUM_THREADS", "")
        if told.isdigit():
            return int(told)
    return 0
