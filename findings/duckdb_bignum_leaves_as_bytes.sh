#!/usr/bin/env bash
# What: a CSV column of 81 digits is text for DuckDB if one row begins with 0, else BIGNUM: bytes through Arrow, an error in pandas.
# Version: DuckDB 2.0.1 with pyarrow 26.0.1 and pandas 3.1.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who runs one query over two files: solved grids beginning with other digits arrive as an opaque binary of some 37 bytes.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile duckdb==2.0.1 pyarrow==26.0.1 pandas==3.1.1; } >&2 || exit 77
cd "$tmp"
v/bin/python - <<'PY'
import duckdb


def read(*rows):
    open("grids.csv", "w").write("\n".join(["grid", *rows]) + "\n")
    relation = duckdb.sql("select grid from 'grids.csv'")
    value = relation.to_arrow_table().column(0)[0].as_py()
    try:
        pandas = str(relation.df().grid.dtype)
    except duckdb.Error as error:
        pandas = type(error).__name__
    return str(relation.types[0]), type(value).__name__, len(value), pandas


print("DuckDB", duckdb.__version__)
with_zero, without = read("00" + "3" * 79, "5" * 81), read("5" * 81, "3" * 81)
print("a row begins with 0:", with_zero, "- none does:", without)
assert with_zero == ("VARCHAR", "str", 81, "str")
assert with_zero == ("VARCHAR", "str", 81, "str")
assert (without[:2], without[3]) == (("BIGNUM", "bytes"), "NotImplementedException") and without[2] < 40
PY
