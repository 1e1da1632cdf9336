#!/usr/bin/env bash
# What: without meta=, Dask calls the function of map_partitions first on two rows of its own, "a" and <NA>, and reports its failure.
# Version: Dask 2026.8.0 with pandas 3.1.1 and pyarrow 26.0.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who calls a solver there that refuses bad lines: the error names a puzzle "a" which is in no file.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile 'dask[dataframe]==2026.8.0' pandas==3.1.1 pyarrow==26.0.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import dask
import dask.dataframe as dd
import pandas as pd

puzzles = pd.DataFrame({"puzzle": ["." * 81] * 4})
frame = dd.from_pandas(puzzles, npartitions=2)
seen = []


def blanks(part):
    seen.append([str(puzzle) for puzzle in part.puzzle])
    for puzzle in part.puzzle:
        if len(puzzle) != 81:
            raise ValueError(f"not a puzzle: {puzzle}")
    return pd.DataFrame({"blanks": part.puzzle.str.count(r"\.")})


print("Dask", dask.__version__)
try:
    frame.map_partitions(blanks)
except ValueError as error:
    message = str(error).splitlines()[0]
guessed, with_meta = list(seen), frame.map_partitions(blanks, meta={"blanks": "int64"})
seen.clear()
result = with_meta.compute(scheduler="sync").blanks.tolist()
print("without meta:", guessed, message, "- with meta:", result)
assert guessed == [["a", "<NA>"]] and message.startswith("Metadata inference failed")
assert result == [81] * 4 and all(puzzle == "." * 81 for part in seen for puzzle in part)
PY
