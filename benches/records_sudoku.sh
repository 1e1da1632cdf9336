#!/usr/bin/env bash
# Measures sudoku files from file to file against the crate `sudoku` and prints a dated table.
#
#     benches/records_sudoku.sh [ROUNDS] [THREADS] [KERNEL] > benches/records/DATE-sudoku.md
#
# The two programs take turns within a round (A B A B), so that a busy moment hits them alike. A cell
# is made of medians over the rounds of what a whole process took: CPU time with one thread, wall time
# with several. Files are repeated until the ruler has about a second of work. Sets come from
# ../shared/data/sudoku where that is, else from the generator. Rows must agree in their counts; of
# solutions written alone, their number must agree. Files are written by the megabyte and output files
# are made anew, so that neither side pays for small pages or for the removal of old rows.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5}
threads=${2:-1}
kernel=${3:-auto}
data=../shared/data/sudoku
program=target/release/tallyboard
ruler=benches/rulers/target/release/rulers
cargo build --release --locked --quiet
cargo build --release --locked --quiet --manifest-path benches/rulers/Cargo.toml

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

if ((threads == 1)); then clock="CPU time" format='%U %S'; else clock="wall time" format='%R'; fi

# Seconds that one command takes, whose output goes to $work/out.
seconds() {
    local TIMEFORMAT=$format
    rm -f "$work/out"
    [[ $1 == "$ruler" ]] && rm -f "$4"
    { time "$@" >"$work/out" 2>"$work/err"; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}

median() { sort -g "$1" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

# $1 copies of $2, as $3.
copies() {
    for ((copy = 0; copy < $1; copy++)); do cat "$2"; done | dd bs=1M iflag=fullblock of="$3" status=none
}

# Repeats a file until the ruler works on it for about a second. The second guess is made from a file
# that takes the ruler longer than to start.
repeat() {
    local source=$1 mode=$2 target=$3 number=1 once
    for target_seconds in 0.2 1; do
        copies "$number" "$source" "$target"
        once=$(seconds "$ruler" "$mode" "$target" "$work/out.ruler")
        number=$(awk -v once="$once" -v number="$number" -v wanted="$target_seconds" \
            'BEGIN { print int(number * wanted / (once > 0.001 ? once : 0.001)) + 1 }')
    done
    copies "$number" "$source" "$target"
}

# One row of the table: a set, what is done with it, and how the ruler and the program do it.
measure() {
    local name=$1 mode=$2 source=$3 work_of same
    local -a command
    # What of the rows must agree.
    same=(cut -d: -f1,2)
    case $mode in
        count) command=(sudoku count) ;;
        *s) command=(sudoku solve --solutions-only --limit "${mode%s}") && same=(wc -l -c) ;;
        *) command=(sudoku solve --limit "$mode") ;;
    esac
    repeat "$source" "$mode" "$work/set"
    : >"$work/ours" && : >"$work/theirs" && : >"$work/copy"
    for ((round = 0; round < rounds; round++)); do
        seconds "$ruler" "$mode" "$work/set" "$work/out.ruler" >>"$work/theirs"
        seconds "$program" -q -j "$threads" "${command[@]}" --kernel "$kernel" "$work/set" >>"$work/ours"
        cmp --silent <("${same[@]}" <"$work/out") <("${same[@]}" <"$work/out.ruler") ||
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
                mode == "count" ? "all" : "limit " (sub("s", " alone", mode) ? mode : mode), work / theirs / 1e6, unit,
                work / ours / 1e6, unit, theirs / ours, bytes / ours / 1e6, theirs, ours, copy }'
}

cat <<HEADER
# Sudoku, $(date -u +%Y-%m-%d)

- CPU: $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(nproc) cores
- threads: $threads (the ruler has one)
- compiler: $(rustc --version)
- version: $(git describe --always --dirty 2>/dev/null || echo unknown)
- ruler: crate $(awk '/^name = "sudoku"/ { getline; print "sudoku", $3 }' benches/rulers/Cargo.lock | tr -d '"')
- kernel: $kernel
- command: benches/records_sudoku.sh $rounds $threads $kernel
- seconds of $clock of the whole process, file to file, median of $rounds rounds in turns; MB are read
- "alone" are solutions without their puzzles and counts
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
    case $name in easy_10k | "generated, 36 clues") measure "$name" 2s "${sets[$name]}" ;; esac
done

# Many solutions.
[[ -e $data/many_solutions_1e3.txt ]] && measure many_solutions_1e3 count "$data/many_solutions_1e3.txt"
benches/ambiguous.sh "$program" "$work"
for file in "$work"/solutions_1e?.txt; do measure "$(basename "${file%.txt}")" count "$file"; done
