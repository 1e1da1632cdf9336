#!/usr/bin/env bash
# Counts the instructions of everyday commands on one thread, by valgrind, and compares each with the number that
# ci/instructions.txt keeps of it. One that takes 3 % more or less fails: a slower one is a mistake, a faster one wants
# --renew, or else the next loss hides behind the gain. The clock does not matter, so a busy machine counts the same: the chunks of
# files of sudokus, which are as long as the time allows that they take, have a length of their own here.
#
#   ci/instructions.sh             compares all
#   ci/instructions.sh WORDS       those whose words contain WORDS, such as 'sudoku solve'
#   ci/instructions.sh --renew     writes the numbers found
set -euo pipefail
cd "$(dirname "$0")/.."
kept=ci/instructions.txt
skip() { echo "SKIPPED: instructions: $1"; exit 0; }
[[ $(uname -m) == x86_64 ]] || skip "the numbers are of x86_64, this is $(uname -m)"
command -v valgrind >/dev/null || skip "valgrind is not installed"
grep -qw avx2 /proc/cpuinfo || skip "the numbers are of AVX2, which this processor lacks"
compiler=$(rustc --version)
most=3
# Another compiler makes other code: there only what is far off is told.
if [[ ${1:-} != --renew && $(sed -n 's/^# Compiled by //p' "$kept") != "$compiler" ]]; then
    most=25
    echo "instructions: this is $compiler, $kept has a number of $(sed -n 's/^# Compiled by //p' "$kept"): differences up to $most % pass"
fi

cargo build --release --locked --quiet
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Without symbols valgrind begins at once.
strip -o "$folder/tallyboard" "${CARGO_TARGET_DIR:-target}/release/tallyboard"
puzzles=$PWD/puzzles data=$PWD/tests/data
mkdir "$folder/inputs"
run() { "$folder/tallyboard" -q -j 1 "$@"; }
(
    cd "$folder/inputs"
    cp "$puzzles/pentominoes-5x12.txt" pentominoes.txt
    cp "$puzzles/dominoes-12x12.txt" dominoes.txt
    cp "$puzzles/langford-12.txt" langford.txt
    cp "$puzzles/solid-pentominoes-2x3x10.txt" solid.txt
    grep -hv '^#' "$data"/sudoku/{17_clue,easy,magictour,minimal}.txt >all.txt
    cat all.txt all.txt all.txt all.txt >lines.txt
    sed -n '2,21p' "$data/sudoku/hardest.txt" >hard.txt
    sed -n 2p "$data/sudoku/easy.txt" >easy.txt
    sed -n '101,120p' all.txt >few.txt
    sed -n '2,4p' "$data/sudoku/many_solutions.txt" >many.txt
    sed -n '$s/:.*//p' "$data/sudoku_sparse_counts.txt" >sparse.txt
    run sudoku solve lines.txt --to csv -o lines.csv
    run sudoku solve lines.txt --to jsonl -o lines.jsonl
    # Nine rows a grid, and an empty line behind each.
    sed -E 's/.{9}/&\n/g' lines.txt >grids.txt
    gzip -n <lines.txt >lines.txt.gz
    run queens list 11 --format vector -o queens.txt
    run queens count 10 --journal journal >/dev/null
    run regions generate 200 --size 9 --seed 1 -o boards.txt
    sed -n 1p boards.txt >board.txt
    cat >jigsaw.txt <<'END'
size 6
regions
AAABBB
ACCBBB
ACCDDD
AECCDD
EEEFFD
EEFFFF
diagonal falling
cage 9 r1c1 r1c2 r2c1
thermometer r4c3 r3c3 r2c4
END
    for ((i = 0; i < 200; i++)); do
        echo '....5...2.......3...3...............'
        echo '....5.............3.................'
    done >variants.txt
    printf 'size 6\nregions\nAAABBB\nACCBBB\nACCDDD\nAECCDD\nEEEFFD\nEEFFFF\ngivens\n12....\n' >loose.txt
    printf '......\n%.0s' 2 3 4 5 6 >>loose.txt
    { cat jigsaw.txt; printf 'givens\n....5.\n..2...\n....3.\n..3...\n......\n......\n'; } >given.txt
    printf 'threads,seconds\n' >times.csv
    for round in 100 101 102; do
        for threads in 1 2 4 8; do echo "$threads,$((round * (10 + 90 / threads)))e-3"; done
    done >>times.csv
)

# A command in a folder of its own: prints the number of its instructions and its words.
count() {
    words=$1
    here=$(mktemp -d -p "$folder")
    cd "$here" && ln -s ../inputs/* .
    # shellcheck disable=SC2086
    if ! env -i PATH="$PATH" RAYON_NUM_THREADS=1 TALLYBOARD_CHUNK_BYTES=65536 \
        valgrind --tool=cachegrind --cache-sim=no --branch-sim=no \
        --cachegrind-out-file=/dev/null "$folder/tallyboard" -q -j 1 $words >said 2>log; then
        printf 'FAILED\t%s\n' "$words"
        tail -3 log >&2
        return
    fi
    printf '%s\t%s\n' "$(sed -n 's/,//g; s/.*I *refs: *//p' log)" "$words"
    rm -r "$here"
}
export -f count
export folder
wanted=${1:-}
[[ $wanted != --renew ]] || wanted=
grep -v '^#' "$kept" | cut -f 2 | grep -F -- "$wanted" | xargs -d '\n' -P "$(nproc)" -I{} bash -c 'count "$1"' _ {} >"$folder/found"
! grep '^FAILED' "$folder/found"

if [[ ${1:-} == --renew ]]; then
    {
        echo "# Instructions of a command on one thread, and its words. Written by ci/instructions.sh --renew."
        echo "# Compiled by $compiler"
        awk -F '\t' 'NR == FNR { found[$2] = $1; next } !/^#/ { print found[$2] "\t" $2 }' "$folder/found" "$kept"
    } >"$folder/kept"
    cp "$folder/kept" "$kept"
fi
awk -F '\t' -v most="$most" '
    NR == FNR { found[$2] = $1; commands++; next }
    /^#/ || !($2 in found) { next }
    {
        more = 100 * (found[$2] / $1 - 1)
        if (more > most || more < -most) {
            printf "%s: found %.2f M instructions, expected %.2f M (%+.1f %%)\n", $2, found[$2] / 1e6, $1 / 1e6, more
            failed++
        }
    }
    END {
        if (failed) {
            print "instructions: " failed " of " commands " commands are not within " most " %; if that is meant: ci/instructions.sh --renew"
            exit 1
        }
        # Without commands the check would pass unseen.
        if (commands == 0) { print "found no commands, expected some of ci/instructions.txt"; exit 1 }
        print "instructions: " commands " commands within " most " % of what they took"
    }' "$folder/found" "$kept"
