#!/usr/bin/env bash
# What: a column of Arrow's string_view or dictionary type comes out of Daft as its own extension type; CSV digits as Float64.
# Version: Daft 0.7.26 with pyarrow 25.0.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who passes a table through Daft to a reader of text: polars' and DuckDB's own columns are not text any more after it.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile daft==0.7.26 pyarrow==25.0.1; } >&2 || exit 77
cd "$tmp"
export DO_NOT_TRACK=1 DAFT_ANALYTICS_ENABLED=0
v/bin/python - <<'PY'
import daft
import pyarrow as pa


def through(array):
    return str(daft.from_arrow(pa.table({"puzzle": array})).to_arrow().schema.field("puzzle").type)


text = ["123456789" * 9]
open("grids.csv", "w").write("grid\n" + text[0] + "\n")
plain, view = through(pa.array(text)), through(pa.array(text, pa.string_view()))
labels = through(pa.array(text).dictionary_encode())
digits = str(daft.read_csv("grids.csv").schema()["grid"].dtype)
print("Daft", daft.__version__, "pyarrow", pa.__version__)
print(f"string: {plain}, string_view: {view}, dictionary: {labels}; 81 digits of a CSV file: {digits}")
assert plain == "large_string" and "DaftExtension" in view and "DaftExtension" in labels
assert digits == "Float64"
PY
