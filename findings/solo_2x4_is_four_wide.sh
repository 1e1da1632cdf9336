#!/usr/bin/env bash
# What: Solo's 2x4 counts blocks: two across and four down, each four cells wide and two high.
# Version: sgt-puzzles 20230122.806ae71-2 (Debian 12).
# Seen: 2026-11-27.
# Surprises: who reads a game id '2x4:...' with blocks two wide and four high: no solution, or another one.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/archives/partial"
{
    apt-get -q -y -o Debug::NoLocking=1 -o Dir::Cache="$tmp" install --download-only --reinstall \
        --no-install-recommends sgt-puzzles=20230122.806ae71-2 &&
        for package in "$tmp"/archives/*.deb; do dpkg -x "$package" "$tmp"; done
} >&2 || exit 77
export LD_LIBRARY_PATH="$tmp/usr/lib/$(uname -m)-linux-gnu"
"$tmp/usr/games/sgt-solo" --version | sed -n 2p
"$tmp/usr/games/sgt-solo" --generate 5 2x4 >"$tmp/ids"
python3 - "$tmp/ids" <<'PY'
import re
import sys


def solutions(cells, wide, high):
    """How many solutions of a grid of 8 there are, two at most."""
    unit = lambda i: {("r", i // 8), ("c", i % 8), ("b", i // 8 // high, i % 8 // wide)}
    seen = [{cells[j] for j in range(64) if j != i and cells[j] and unit(i) & unit(j)} for i in range(64)]
    if any(cells[i] in seen[i] for i in range(64)):
        return 0
    free = [(8 - len(seen[i]), i) for i in range(64) if not cells[i]]
    if not free:
        return 1
    _, i = min(free)
    found = 0
    for digit in {*range(1, 9)} - seen[i]:
        found += solutions(cells[:i] + [digit] + cells[i + 1 :], wide, high)
        if found > 1:
            return 2
    return found


for line in open(sys.argv[1]):
    cells = []
    for token in re.findall(r"[a-z]|\d+", line.split(":")[1]):
        cells += [int(token)] if token.isdigit() else [0] * (ord(token) - 96)
    assert len(cells) == 64
    wide, high = solutions(cells, 4, 2), solutions(cells, 2, 4)
    print(f"blocks four wide: {wide} solution, two wide: {high if high < 2 else 'several'}")
    assert wide == 1 and high != 1
PY
