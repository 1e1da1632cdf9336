#!/usr/bin/env bash
# What: in pyarrow, DataFusion and chDB a sum of integers, and in the first two of decimals, wraps around without an error; chDB's mean too.
# Version: pyarrow 26.0.1, DataFusion 55.0.0, chDB 4.4.0 with chdb-core 26.9.0 (PyPI). Known: an open issue of Arrow's.
# Seen: 2026-11-29.
# Surprises: who adds up the counts of many parts, from Parquet, in any of three engines that then agree: 2^64 + 5 solutions are 5; decimals
# of 38 digits give a negative number of 39.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile \
    pyarrow==26.0.1 datafusion==55.0.0 chdb==4.4.0 chdb-core==26.9.0; } >&2 || exit 77
cd "$tmp"
"$tmp/v/bin/python" - <<'PY'
from decimal import Decimal
from importlib.metadata import version

import chdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from datafusion import SessionContext

print(*(f"{name} {version(name)}" for name in ("pyarrow", "datafusion", "chdb")))
counts = {"uint64": [2**63, 2**63, 5], "int64": [2**62, 2**62, 2**62], "decimal128(38, 0)": [Decimal(9 * 10**37)] * 2}
types = {"uint64": pa.uint64(), "int64": pa.int64(), "decimal128(38, 0)": pa.decimal128(38, 0)}
seen = {}
for name, values in counts.items():
    pq.write_table(pa.table({"solutions": pa.array(values, types[name])}), "parts.parquet")
    column = pq.read_table("parts.parquet")["solutions"]
    context = SessionContext()
    context.register_parquet("parts", "parts.parquet")
    query = "select sum(solutions) as total, avg(solutions) as mean from "
    fused = context.sql(query + "parts").to_pylist()[0] if "decimal" not in name else None
    total = fused["total"] if fused else context.sql("select sum(solutions) as total from parts").to_pylist()[0]["total"]
    house = chdb.query(query + "file('parts.parquet')", "CSV").data().strip() if "decimal" not in name else "-"
    seen[name] = int(pc.sum(column).as_py()), int(total), house
    mean = sum(values) / len(values)
    print(f"{name}: pyarrow {seen[name][0]}, DataFusion {seen[name][1]}, chDB's sum and mean {house}; right are {sum(values)} and {mean:.10g}")
    if fused:
        assert fused["mean"] == pc.mean(column).as_py() == mean, "two of the means are right"
assert seen["uint64"] == (5, 5, "5,1.6666666666666667")
assert seen["int64"] == (3 * 2**62 - 2**64, 3 * 2**62 - 2**64, "-4611686018427387904,-1537228672809129200")
assert seen["decimal128(38, 0)"][:2] == (18 * 10**37 - 2**128,) * 2
PY
