#!/usr/bin/env bash
# What: read_csv makes of 81 digits integers without their zeros, text without its zeros, an OverflowError or floats, by its settings.
# Version: pandas 3.1.1 with pyarrow 26.0.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who loads puzzles from CSV and hopes that a newer backend keeps them: none of the four does without dtype=str.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pandas==3.1.1 pyarrow==26.0.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import io
import pandas as pd

TEXT = "puzzle\n00" + "3" * 79 + "\n" + "5" * 81 + "\n"


def first(**settings):
    try:
        value = pd.read_csv(io.StringIO(TEXT), **settings).puzzle[0]
    except OverflowError as error:
        return "OverflowError", 0
    return type(value).__name__, len(str(value))


print("pandas", pd.__version__)
seen = {
    "default": first(),
    "numpy_nullable": first(dtype_backend="numpy_nullable"),
    "pyarrow backend": first(dtype_backend="pyarrow"),
    "pyarrow engine": first(engine="pyarrow"),
    "dtype=str": first(dtype=str),
}
for settings, (kind, length) in seen.items():
    print(f"{settings}: {kind} of {length} characters")
assert seen["default"] == ("int", 79) and seen["numpy_nullable"] == ("str", 79)
assert seen["pyarrow backend"][0] == "OverflowError" and seen["pyarrow engine"][0] == "float64"
assert seen["dtype=str"] == ("str", 81)
PY
