#!/usr/bin/env bash
# What: polars reads 36 digits (a 6 x 6 grid) as Int128, without the zeros, and exports the column in a format that pyarrow refuses.
# Version: polars 2.1.0 with pyarrow 26.0.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who has 4 x 4 and 6 x 6 puzzles beside 9 x 9 ones: 16 digits are Int64, 36 Int128, 81 an error.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile polars==2.1.0 pyarrow==26.0.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import io
import polars as pl
import pyarrow as pa


def column(cells):
    digits = ("0123456789" * 9)[:cells]
    return pl.read_csv(io.StringIO(f"grid\n{digits}\n"))["grid"]


def outcome(action):
    try:
        return action()
    except (pl.exceptions.ComputeError, pa.ArrowInvalid) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


print("polars", pl.__version__, "pyarrow", pa.__version__)
four, six = column(16), column(36)
nine, exported = outcome(lambda: column(81)), outcome(six.to_arrow)
print("16 digits:", four.dtype, "36:", six.dtype, "81:", nine)
print("36 digits to Arrow:", exported)
assert (four.dtype, six.dtype) == (pl.Int64, pl.Int128) and len(str(six[0])) == 35
assert nine.startswith("ComputeError") and "_pli128" in exported
PY
