#!/usr/bin/env bash
# What: Debian's MiniZinc cannot load globals.mzn for Gecode: a type error in its own library. The file of one constraint loads.
# Version: MiniZinc 2.6.4 with Gecode 6.2.0 (Debian 12).
# Seen: 2026-11-27.
# Surprises: who begins a model with include "globals.mzn", as most published ones do.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/archives/partial"
{
    apt-get -q -y -o Debug::NoLocking=1 -o Dir::Cache="$tmp" install --download-only --reinstall \
        --no-install-recommends minizinc=2.6.4+dfsg1-1 &&
        for package in "$tmp"/archives/*.deb; do dpkg -x "$package" "$tmp"; done &&
        sed -i "s#/usr/bin/fzn-gecode#$tmp/usr/bin/fzn-gecode#" "$tmp/usr/share/minizinc/solvers/gecode.msc"
} >&2 || exit 77
export LD_LIBRARY_PATH="$tmp/usr/lib/$(uname -m)-linux-gnu"
minizinc() { "$tmp/usr/bin/minizinc" --solver gecode "$@" 2>"$tmp/messages"; }
minizinc --version | sed -n 1p
model='array[1..3] of var 1..3: x; constraint alldifferent(x); solve satisfy;'
echo "include \"globals.mzn\"; $model" >"$tmp/all.mzn"
echo "include \"alldifferent.mzn\"; $model" >"$tmp/one.mzn"
status=0
minizinc -a "$tmp/all.mzn" || status=$?
error=$(sed -n 's/^Error: //p' "$tmp/messages")
solutions=$(minizinc -a "$tmp/one.mzn" | grep -c '^-----')
echo "globals.mzn: exit $status, $error"
echo "alldifferent.mzn: $solutions solutions"
[[ $status == 1 && "$error" == "type error: no function or predicate"* && $solutions == 6 ]]
