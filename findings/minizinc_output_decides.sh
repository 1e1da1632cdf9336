#!/usr/bin/env bash
# What: minizinc -a gives as many solutions as there are different output texts: what the output item leaves out is not counted.
# Version: MiniZinc 2.6.4 with Gecode 6.2.0 (Debian 12).
# Seen: 2026-11-27.
# Surprises: who counts the lines of dashes: one model has 5, 3, 2 or 1 solutions, by its output item alone, each of them 'complete'.
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
model='var 1..3: x; var 1..2: y; constraint x + y <= 4; solve satisfy;'
count() {
    echo "$model $1" >"$tmp/model.mzn"
    minizinc -a "$tmp/model.mzn" >"$tmp/out"
    [[ $(grep -c '^=====' "$tmp/out") == 1 ]] # 'These are all.'
    grep -c '^-----' "$tmp/out"
}
both=$(count '')
x=$(count 'output [show(x)];')
parity=$(count 'output [show(fix(x) mod 2)];')
text=$(count 'output ["found"];')
echo "solutions with x and y shown: $both, x: $x, x modulo 2: $parity, a fixed text: $text; each time 'complete'"
[[ "$both $x $parity $text" == "5 3 2 1" ]]
