#!/usr/bin/env bash
# What other programs write is read here, and what is written here is read by them, with the same solutions: qqwing both ways,
# Debian's sudoku and Solo of Simon Tatham's collection as writers, whose own input is a screen. KSudoku and GNOME Sudoku have no
# command line; their files are tested by what their sources say. Two to ten seconds.
#
#     ci/round_trips.sh [PROGRAM]     # the program to try; target/release/tallyboard, built, by default
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: ci/round_trips.sh: $*"; exit 0; }
[ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "takes its programs by apt-get"
if (($#)); then
    program=$(realpath "$1")
else
    cargo build --release --locked --quiet
    program=$PWD/target/release/tallyboard
fi

# Two programs of some 20 KiB each, unpacked and not installed.
into=$PWD/target/round_trips
if [ ! -e "$into/complete" ]; then
    rm -rf "$into" && mkdir -p "$into"
    (cd "$into" && timeout 60 apt-get -q download qqwing libqqwing2v5 sudoku) >"$into/log" 2>&1 || skip "no packages; $into/log says why"
    for package in "$into"/*.deb; do dpkg --extract "$package" "$into"; done
    : >"$into/complete"
fi
export LD_LIBRARY_PATH="$into/usr/lib/$(uname -m)-linux-gnu"
qqwing() { "$into/usr/bin/qqwing" "$@"; }
qqwing --version >/dev/null 2>&1 || skip "qqwing does not run here"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# same WHAT ONE OTHER: two files with the same lines, and at least one.
same() {
    [ -s "$2" ] && cmp -s "$2" "$3" || { echo "FAILED: ci/round_trips.sh: $1"; diff "$2" "$3" | sed -n 1,5p; exit 1; }
    echo "$1: $(wc -l <"$2")"
}
ours() { "$program" --quiet "$@"; }
# The solutions of a file, a line each.
solutions() { ours sudoku solve --to csv --columns solution "$@" | sed '1d;s/.*,//'; }

# What qqwing writes, in each of its forms; the CSV with its own solutions beside.
qqwing --generate 20 --csv --stats --solution >table.csv
sed 1d table.csv | cut -d, -f2 >theirs
solutions table.csv >ours
same "qqwing --csv --stats" theirs ours
for form in one-line compact readable; do
    qqwing --generate 20 --$form >puzzles
    ours sudoku solve --to lines puzzles | grep -v '^#' | cut -c1-81 >cells
    qqwing --solve --one-line <cells >theirs
    solutions puzzles >ours
    same "qqwing --$form" theirs ours
done

# What is written here, in each form that qqwing reads.
ours sudoku generate 20 --seed 7 >puzzles
solutions puzzles >expected
for form in lines sdk grid; do
    ours sudoku shuffle --seed 1 --to "$form" puzzles >written
    ours sudoku shuffle --seed 1 puzzles | grep -v '^#' | cut -c1-81 >same_puzzles
    qqwing --solve --one-line <same_puzzles >theirs
    solutions written >ours
    same "written as $form" theirs ours
done

# Debian's sudoku writes grids under titles, and one puzzle with commas.
for form in standard compact; do
    "$into/usr/games/sudoku" -g 5 -f$form >grids
    ours sudoku count grids | grep -c ': 1$' >counted
    echo 5 >expected
    same "sudoku -f$form" expected counted
done

# Solo: plain, with diagonals, a jigsaw, a killer.
if command -v /usr/games/sgt-solo >/dev/null; then
    for kind in 2x2 2x3 3x3 2x4 3x3x 9j 3x3k 3x3kx; do
        timeout 20 /usr/games/sgt-solo --generate 2 "$kind" >ids 2>/dev/null || { echo "SKIPPED: sgt-solo $kind"; continue; }
        while read -r id; do
            printf '%s\n' "$id" >id
            ours count id
        done <ids >counted
        printf '1\n1\n' >expected
        same "sgt-solo $kind" expected counted
    done
else
    echo "SKIPPED: ci/round_trips.sh: sgt-solo, which is not installed and needs a desktop's libraries"
fi
echo "ci/round_trips.sh: passed"
