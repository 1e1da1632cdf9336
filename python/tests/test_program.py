"""The program in the package; Ctrl-C, which needs the interpreter's lock to be free."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import tallyboard as tb
from tallyboard._program import program


@pytest.fixture(autouse=True)
def control_c_is_heard() -> None:
    # A shell starts what it runs in the background with SIGINT ignored, and the calls below would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_the_module_and_the_script_are_the_program() -> None:
    expected = "8 queens: 92 solutions"
    for command in ([sys.executable, "-m", "tallyboard"], [program()]):
        ended = subprocess.run([*command, "queens", "count", "8"], capture_output=True, text=True)
        assert expected in ended.stdout, ended.stderr
        assert "Warning" not in ended.stderr, ended.stderr
        assert subprocess.run([*command, "queens", "count", "0"], capture_output=True).returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_control_c_ends_a_call_soon() -> None:
    for call in (lambda: tb.queens_count(24), lambda: tb.queens_one(60, method="backtrack-top-down")):
        # Either call would take hours, and the timer's thread waits for the interpreter's lock.
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            call()
        timer.join()


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads as Linux lists them")
def test_control_c_leaves_no_worker_running() -> None:
    before = len(os.listdir("/proc/self/task"))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tb.queens_one(60, method="backtrack-top-down")
    timer.join()
    end = time.monotonic() + 10
    while len(os.listdir("/proc/self/task")) > before:
        assert time.monotonic() < end, "the search goes on"
        time.sleep(0.01)


def test_it_reads_parquet(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    table = pyarrow.table({"id": [1, 2], "puzzle": [puzzle, puzzle]})
    for compression in ("none", "snappy", "gzip", "zstd"):
        file = tmp_path / f"{compression}.parquet"
        parquet.write_table(table, file, compression=compression)
        ended = subprocess.run([program(), "-q", "sudoku", "count", file], capture_output=True, text=True)
        assert ended.stdout.splitlines() == ["id,puzzle,count", f"1,{puzzle},1", f"2,{puzzle},1"], ended.stderr
