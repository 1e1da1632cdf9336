#!/usr/bin/env bash
# What: qqwing reads digits and dots from the whole stream: the 8 of a comment is the first cell, ends of lines end nothing.
# Version: qqwing 1.3.4 (Debian 12, 1.3.4-1.1+b1).
# Seen: 2026-11-27.
# Surprises: who keeps comments in a file of puzzles: other puzzles are solved than were meant, and the exit code is 0 always.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && apt-get -q download qqwing=1.3.4-1.1+b1 libqqwing2v5=1.3.4-1.1+b1 &&
    for package in *.deb; do dpkg -x "$package" .; done) >&2 || exit 77
export LD_LIBRARY_PATH="$tmp/usr/lib/$(uname -m)-linux-gnu"
puzzle=7......1..95..38.48....2.53.....1.......6..4..497..6.........8.2....7....7..4...2
solution=723854916195673824864912753682431579317569248549728631451296387236187495978345162
solve() { "$tmp/usr/bin/qqwing" --solve --one-line; }
"$tmp/usr/bin/qqwing" --version
alone=$(echo "$puzzle" | solve)
# Half a line and a half: still one puzzle.
split=$(printf '%s\n%s\n' "${puzzle:0:40}" "${puzzle:40}" | solve)
comment=$(printf '# number 8\n%s\n' "$puzzle" | solve)
blanks=$(echo "${puzzle//./x}" | solve)
echo "alone: $alone"
echo "under '# number 8': $comment - with x for blanks: '$blanks'"
[[ $alone == "$solution" && $split == "$solution" ]]
[[ $comment == 'Puzzle has no solution.' || $comment == 'Puzzle is not possible.' ]]
[[ -z $blanks ]]
