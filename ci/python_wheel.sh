#!/usr/bin/env bash
# Builds the Python wheel as pip does, installs it into a clean environment, and there runs its tests, its README and
# the type checker. Builds a source distribution, and from it a wheel with the same files. Skips in clear words where maturin cannot be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/python.sh ci/python_wheel.sh 'maturin>=1.9,<2'

rm -rf python/dist target/wheel
# What `pip install ./python` does, keeping the wheel; --no-cache-dir so that it is built.
"$python" -m pip --quiet --disable-pip-version-check --no-cache-dir wheel --no-deps --wheel-dir python/dist ./python
wheel=$(ls python/dist/*.whl)
bytes=$(stat -c %s "$wheel")
# Of these nearly one is Parquet.
[ "$bytes" -lt $((10 << 20)) ] || { echo "FAILED: ci/python_wheel.sh: the wheel has $bytes bytes"; exit 1; }

python3 -m venv target/wheel
target/wheel/bin/pip --quiet --disable-pip-version-check install "$wheel" pytest
# Libraries of tables and type checkers, each where it can be had; tests of the others are skipped, and say so.
# With ENGINES=1 also those that take a gigabyte: the tests run them on clusters of this machine.
engines=(narwhals daft 'dask[dataframe]' distributed)
[ -z "${ENGINES:-}" ] || engines+=(ray datasets pyspark datafusion 'ibis-framework[duckdb]' pylance)
for package in mypy pyright pandas polars pyarrow duckdb "${engines[@]}"; do
    timeout 300 target/wheel/bin/pip --quiet --disable-pip-version-check install "$package" 2>/dev/null ||
        echo "SKIPPED: ci/python_wheel.sh: what needs $package, which pip cannot install"
done
# Away from the sources, so that the installed package is what is tested.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r python/tests python/examples python/README.md python/pyproject.toml docs/sudoku_data.md docs/python.md "$work"
bin=$PWD/target/wheel/bin

# Arrays are about as fast as files, in one run.
"$bin/tallyboard" -q sudoku generate 10000 --clues 36 --seed 1 >"$work/some"
for _ in {1..40}; do cat "$work/some"; done >"$work/easy"
"$bin/python" ci/arrays.py "$work/easy" "$bin/tallyboard"

# maturin alone makes the package, without the program; with the features of python/backend.py, for which the crates are compiled.
"$python" -m maturin build --quiet --release --locked --features tallyboard/parquet --manifest-path python/Cargo.toml --out "$work/alone"

# A source distribution makes the same wheel where there is no clone.
PATH=$PWD/target/python/bin:$PATH "$python" - "$work" <<'PYTHON'
import os
import sys

os.chdir("python")
sys.path.insert(0, ".")
import backend

backend.build_sdist(sys.argv[1])
PYTHON
# Nothing runs it, and its crates have other paths, so they are compiled anew: without the optimiser.
mkdir "$work/.cargo" "$work/tmp"
{
    echo '[profile.release.package]'
    for crate in base files parquet search queens sudoku cover variants regions classroom doors python; do
        echo "tallyboard-$crate.opt-level = 0"
    done
} >"$work/.cargo/config.toml"
TMPDIR=$work/tmp CARGO_TARGET_DIR=$PWD/target "$python" -m pip --quiet --disable-pip-version-check --no-cache-dir wheel --no-deps \
    --wheel-dir "$work/sdist" "$work"/tallyboard-*.tar.gz
"$python" - "$wheel" "$work"/sdist/*.whl <<'PYTHON'
import sys
import zipfile

# Licences lie at the root of the repository, which is that of a source distribution, too.
names = lambda path: {name for name in zipfile.ZipFile(path).namelist() if "/licenses/" not in name}
ours, theirs = map(names, sys.argv[1:])
if ours != theirs:
    sys.exit(f"FAILED: ci/python_wheel.sh: the source distribution makes another wheel: {ours ^ theirs}")
PYTHON

cd "$work"
"$bin/python" -m pytest --quiet -rs
# The lines of the page for arrays and frames.
if "$bin/python" -c 'import pandas' 2>/dev/null; then
    awk '/^```py$/ { on = 1; next } /^```$/ { on = 0 } on' sudoku_data.md >page.py
    [ "$(wc -l <page.py)" -gt 20 ] || { echo "FAILED: ci/python_wheel.sh: found no lines for frames in sudoku_data.md"; exit 1; }
    "$bin/python" page.py >page.out
    [ "$(wc -l <page.out)" -eq 5 ] || { echo "FAILED: ci/python_wheel.sh: found $(wc -l <page.out) solutions, expected 5"; exit 1; }
fi
typed=(examples/kaggle.py examples/nine_million.py examples/tables.py)
if [ -x "$bin/mypy" ]; then
    "$bin/mypy" --strict -p tallyboard
    "$bin/mypy" --strict "${typed[@]}"
fi
# pyright needs node, which it downloads where there is none.
if [ -x "$bin/pyright" ] && timeout 300 "$bin/pyright" --version >/dev/null 2>&1; then
    "$bin/pyright" --pythonpath "$bin/python" "${typed[@]}"
else
    echo "SKIPPED: ci/python_wheel.sh: pyright, which has no node"
fi
echo "ci/python_wheel.sh: passed, $(basename "$wheel") has $((bytes >> 10)) KiB"
