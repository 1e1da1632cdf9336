#!/usr/bin/env bash
# What: Debian's sudoku -g N writes framed grids under lines that begin with %, without an empty line between two puzzles.
# Version: sudoku 1.0.5 (Debian 12, 1.0.5-2.1).
# Seen: 2026-11-27.
# Surprises: who parts puzzles at empty lines, or takes # alone for a comment: ten puzzles become one text of 120 lines.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && apt-get -q download sudoku=1.0.5-2.1 && dpkg -x sudoku_*.deb .) >&2 || exit 77
cp "$tmp"/usr/share/sudoku/* "$tmp" 2>/dev/null || true
cd "$tmp"
usr/games/sudoku -g 10 >grids.txt
usr/games/sudoku -g 1 -fcsv >grid.csv
titles=$(grep -c '^% ' grids.txt)
empty=$(grep -c '^$' grids.txt || true)
lines=$(wc -l <grids.txt)
cells=$(grep -v '^%' grids.txt | tr -cd '1-9.' | wc -c)
echo "sudoku 1.0.5: $titles titles, $lines lines, $empty empty lines, $cells cells; -fcsv: $(grep -c '^[^%]*,' grid.csv) lines with commas"
[[ "$titles $lines $empty $cells" == "10 120 0 810" && $(grep -c '^[^%]*,' grid.csv) == 9 ]]
