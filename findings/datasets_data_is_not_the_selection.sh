#!/usr/bin/env bash
# What: after select, filter, sort or shuffle, the table behind Dataset.data still has all rows in the old order.
# Version: datasets 5.2.0 with pyarrow 26.0.1 (PyPI).
# Seen: 2026-11-27.
# Surprises: who hands ds.data to a library that reads Arrow, since the Dataset itself has no __arrow_c_stream__: other rows are solved.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
{ python3 -m venv --without-pip "$tmp/v" && python3 -m pip --python "$tmp/v/bin/python" -q install --no-compile datasets==5.2.0 pyarrow==26.0.1; } >&2 || exit 77
export HF_HUB_OFFLINE=1 HF_HOME=$tmp/hub HF_DATASETS_DISABLE_PROGRESS_BARS=1
"$tmp/v/bin/python" - <<'PY'
import datasets

ds = datasets.Dataset.from_dict({"clues": [17, 24, 30]})
seen = {
    "select": ds.select([2, 0]),
    "filter": ds.filter(lambda row: row["clues"] > 17),
    "sort": ds.sort("clues", reverse=True),
}
print("datasets", datasets.__version__, "- exports Arrow itself:", hasattr(ds, "__arrow_c_stream__"))
for name, part in seen.items():
    print(f"{name}: rows {list(part['clues'])}, in data {part.data.column('clues').to_pylist()}")
    assert part.data.column("clues").to_pylist() == [17, 24, 30]
assert [list(part["clues"]) for part in seen.values()] == [[30, 17], [24, 30], [30, 24, 17]]
assert list(seen["select"].flatten_indices().data.column("clues").to_pylist()) == [30, 17], "this is the way out"
assert not hasattr(ds, "__arrow_c_stream__")
PY
