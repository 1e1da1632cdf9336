#!/usr/bin/env bash
# What: the sum of a polars column of Int128 that exceeds 2^127 is negative, without an error; DuckDB refuses the same sum.
# Version: polars 2.1.0, DuckDB 2.0.1 (PyPI).
# Seen: 2026-11-28.
# Surprises: who adds up counts of solutions: the type that holds each of them does not hold their sum, and the mean of the same column is right.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile polars==2.1.0 duckdb==2.0.1; } >&2 || exit 77
"$tmp/v/bin/python" - <<'PY'
import duckdb
import polars as pl

print("polars", pl.__version__, "DuckDB", duckdb.__version__)
count = 2**126
column = pl.Series("solutions", [count] * 3, dtype=pl.Int128)
total, mean = column.sum(), column.mean()
print(f"polars: three times 2^126 make {total}, right is {3 * count}; their mean is {mean:.6g}")
assert total == 3 * count - 2**128 and mean == float(count)
grouped = column.to_frame().group_by(pl.lit(1)).agg(pl.col("solutions").sum())["solutions"][0]
print("polars, in group_by:", grouped)
assert grouped == total
try:
    print(duckdb.sql(f"select sum({count}::HUGEINT) from range(3)").fetchall())
    raise SystemExit("DuckDB did not refuse")
except duckdb.OutOfRangeException as error:
    print("DuckDB:", str(error).split(":")[0])
PY
