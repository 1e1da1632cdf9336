#!/usr/bin/env bash
# What: under taskset, DuckDB starts as many threads as the machine has processors; pyarrow and polars beside it start one.
# Version: DuckDB 2.0.1, pyarrow 26.0.1, polars 2.1.0 (PyPI).
# Seen: 2026-11-28. Under a quota of half a processor it was the other way round: DuckDB 1, pyarrow 2.
# Surprises: who shares a machine by cpusets: one library in the process keeps to them and the next does not.
set -euo pipefail
(($(nproc --all) > 1)) || { echo "needs two processors"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile duckdb==2.0.1 pyarrow==26.0.1 polars==2.1.0; } >&2 || exit 77
one=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//')
env -u OMP_NUM_THREADS taskset -c "$one" "$tmp/v/bin/python" - <<'PY'
import os

import duckdb
import polars as pl
import pyarrow as pa

threads = duckdb.sql("select current_setting('threads')").fetchall()[0][0]
print(f"of {os.cpu_count()} processors {len(os.sched_getaffinity(0))} is allowed")
print(f"DuckDB {duckdb.__version__}: {threads}, pyarrow {pa.__version__}: {pa.cpu_count()}, polars {pl.__version__}: {pl.thread_pool_size()}")
assert threads > 1 == pa.cpu_count() == pl.thread_pool_size()
PY
