#!/usr/bin/env bash
# Measures sudoku files from file to file against the crate `sudoku` and prints a dated table.
#
#     benches/records_sudoku.sh [ROUNDS] [THREADS] > benches/records/DATE-sudoku.md
#
# The two programs take turns within a round (A B A B), so that a busy moment hits them alike. A cell
# is made of medians over the rounds of the CPU time, all threads together, that a whole process took.
# Files are repeated until the ruler has about half a second of work. Sets come from
# ../shared/data/sudoku where that is, else from the generator. Rows must agree in their counts.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}
threads=${2:-1}
data=../shared/data/sudoku
program=target/release/tallyboard
ruler=benches/rulers/target/release/rulers
cargo build --release --locked --quiet
cargo build --release --locked --quiet --manifest-path benches/rulers/Cargo.toml

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Seconds of CPU time of one command, whose output goes to $work/out.
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/out" 2>"$work/err"; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}

median() { sort -g "$1" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

# Repeats a file until the ruler works on it for about half a second.
repeat() {
    local source=$1 mode=$2 target=$3 once copies
    once=$(seconds "$ruler" "$mode" "$source" "$work/out.ruler")
    copies=$(awk -v once="$once" 'BEGIN { print int(0.5 / (once > 0.001 ? once : 0.001)) + 1 }')
    for ((copy = 0; copy < copies; copy++)); do cat "$source"; done >"$target"
}

# One row of the table: a set, what is done with it, and how the ruler and the program do it.
measure() {
    local name=$1 mode=$2 source=$3 work_of
    local -a command
    if [[ $mode == count ]]; then command=(sudoku count); else command=(sudoku solve --limit "$mode"); fi
    repeat "$source" "$mode" "$work/set"
    : >"$work/ours" && : >"$work/theirs" && : >"$work/copy"
    for ((round = 0; round < rounds; round++)); do
        seconds "$ruler" "$mode" "$work/set" "$work/out.ruler" >>"$work/theirs"
        seconds "$program" -q -j "$threads" "${command[@]}" "$work/set" >>"$work/ours"
        cmp --silent <(cut -d: -f1,2 "$work/out") <(cut -d: -f1,2 "$work/out.ruler") ||
            { echo "$name, $mode: the counts differ" >&2 && return 1; }
        seconds cat "$work/out.ruler" >>"$work/copy"
    done
    if [[ $mode == count ]]; then work_of=$(awk -F: '{ sum += $2 } END { printf "%.0f", sum }' "$work/out")
    else work_of=$(wc -l <"$work/set"); fi
    awk -v name="$name" -v mode="$mode" -v work="$work_of" -v bytes="$(wc -c <"$work/set")" \
        -v theirs="$(median "$work/theirs")" -v ours="$(median "$work/ours")" \
        -v copy="$(median "$work/copy")" 'BEGIN {
            unit = mode == "count" ? "solutions" : "puzzles"
            printf "| %s | %s | %.3f M %s/s | %.3f M %s/s | %.1f | %.0f | %.3f, %.3f, %.3f |\n", name,
                mode == "count" ? "all" : "limit " mode, work / theirs / 1e6, unit,
                work / ours / 1e6, unit, theirs / ours, bytes / ours / 1e6, theirs, ours, copy }'
}

cat <<HEADER
# Sudoku, $(date -u +%Y-%m-%d)

- CPU: $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores
- threads: $threads (the ruler has one)
- compiler: $(rustc --version)
- version: $(git describe --always --dirty 2>/dev/null || echo unknown)
- ruler: crate $(awk '/^name = "sudoku"/ { getline; print "sudoku", $3 }' benches/rulers/Cargo.lock | tr -d '"')
- command: benches/records_sudoku.sh $rounds $threads
- seconds of CPU time of the whole process, file to file, median of $rounds rounds in turns; MB are read
- "solved grids" have 81 givens: little more than reading and writing; a copy is \`cat\` of the rows

| set | what | ruler | tallyboard | ratio | MB/s | seconds: ruler, tallyboard, copy |
|---|---|---|---|---|---|---|
HEADER

declare -A sets=() # name -> file
names=()
add() { names+=("$1") && sets[$1]=$2; }
for name in easy_10k unbiased_20k 17_clue_10k magictour_top1465 hardest_3k; do
    [[ -e $data/$name.txt ]] && add "$name" "$data/$name.txt"
done
"$program" -q sudoku generate 10000 --clues 36 --seed 1 >"$work/clues36" && add "generated, 36 clues" "$work/clues36"
"$program" -q sudoku generate 10000 --minimal --seed 1 >"$work/minimal" && add "generated, minimal" "$work/minimal"
"$program" -q sudoku solve --solutions-only "$work/clues36" >"$work/solved" && add "solved grids" "$work/solved"
for name in "${names[@]}"; do
    for limit in 1 2; do measure "$name" "$limit" "${sets[$name]}"; done
done

# Many solutions: the set for it, or generated puzzles without their first clues.
many=$data/many_solutions_1e3.txt
if [[ ! -e $many ]]; then
    many=$work/many
    head -n 200 "$work/clues36" | awk '{ clues = 0; line = ""
        for (i = 1; i <= 81; i++) { c = substr($0, i, 1)
            if (c != "." && clues < 9) { clues++; c = "." }
            line = line c }
        print line }' >"$many"
fi
measure "$(basename "${many%.txt}")" count "$many"
