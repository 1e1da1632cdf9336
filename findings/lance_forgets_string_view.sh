#!/usr/bin/env bash
# What: Lance reads a column that was written as Arrow's string_view back as string, and a Lance dataset exports no Arrow stream.
# Version: pylance 14.0.2 with pyarrow 26.0.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who compares schemas before and after, and who passes the dataset to pyarrow.table as other tables are passed.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile pylance==14.0.2 pyarrow==26.0.1; } >&2 || exit 77
cd "$tmp"
v/bin/python - <<'PY'
import lance
import pyarrow as pa


def stored(kind):
    table = pa.table({"puzzle": pa.array(["." * 81], kind)})
    return lance.write_dataset(table, f"{kind}.lance").schema.field("puzzle").type


print("pylance", lance.__version__, "pyarrow", pa.__version__)
kinds = {str(kind): str(stored(kind)) for kind in (pa.string(), pa.large_string(), pa.string_view())}
dataset = lance.dataset("string.lance")
try:
    pa.table(dataset)
    exported = "a table"
except TypeError as error:
    exported = "TypeError"
print("written and read:", kinds, "- pyarrow.table of a dataset:", exported)
assert kinds == {"string": "string", "large_string": "large_string", "string_view": "string"}
assert exported == "TypeError" and dataset.to_table().num_rows == 1
PY
