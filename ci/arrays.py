"""Seconds of CPU time in user mode to solve the puzzles of a file, one thread, least of five: from array to array,
and, if a program is named, from file to rows by it, in turns.

    python ci/arrays.py FILE [PROGRAM]

With a program: fails where arrays take twice as long as files, which noise does not explain.
"""

import resource
import subprocess
import sys

import numpy as np

import tallyboard as tb


def user_seconds(who, job):
    before = resource.getrusage(who).ru_utime
    job()
    return resource.getrusage(who).ru_utime - before


path, *program = sys.argv[1:]
with open(path, "rb") as file:
    lines = np.frombuffer(file.read(), np.uint8).reshape(-1, 82)
puzzles = np.where(lines[:, :81] == ord("."), 0, lines[:, :81] - ord("0")).astype(np.uint8)


def array_to_array():
    assert (tb.solve(puzzles, threads=1).counts == 1).all()


def file_to_rows():
    subprocess.run([*program, "-q", "-j1", "sudoku", "solve", path], stdout=subprocess.DEVNULL, check=True)


arrays, files = [], []
for _ in range(5):
    arrays.append(user_seconds(resource.RUSAGE_SELF, array_to_array))
    if program:
        files.append(user_seconds(resource.RUSAGE_CHILDREN, file_to_rows))
print(f"arrays {min(arrays):.3f}")
if program:
    print(f"files {min(files):.3f}")
    if min(arrays) > 2 * min(files) + 0.01:
        sys.exit("FAILED: from array to array takes twice as long as from file to rows")
