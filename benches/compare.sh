#!/usr/bin/env bash
# Measures every job that people use against another commit of this repository, so that none slows down unnoticed.
#
#     benches/compare.sh BASE [JOB...]      # a JOB is a pattern, as 'queens*'; without any: all
#     ROUNDS=7 benches/compare.sh main~20 'sudoku*'
#
# Both versions are built from scratch, BASE in a worktree in a temporary folder. The two take turns (A B A B). A cell is the
# least and the median CPU time of a whole process, one thread, over the rounds. The ratio is that of the medians, new to old;
# its spread is that of the rounds. A job fails where the ratio is over 1.1 and no round contradicts it: each took longer than
# its partner. With five rounds chance alone does that once in 32 jobs that are equally fast, and hardly ever by a tenth.
# Output has to be the same. Prints a table for benches/records/, ends with 1 if a job fails.
set -euo pipefail
cd "$(dirname "$0")/.."
base=${1:?a commit to compare with}
shift
(($#)) && wanted=("$@") || wanted=('*')
rounds=${ROUNDS:-5}
((rounds >= 5)) || { echo "$0: found ROUNDS=$rounds, expected at least 5" >&2; exit 2; }

work=$(mktemp -d)
trap 'git worktree remove --force "$work/base" 2>/dev/null || true; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/base" "$base"

# Whether a job was asked for.
is_wanted() { local pattern; for pattern in "${wanted[@]}"; do [[ $1 == $pattern ]] && return; done; return 1; }

# Seconds of CPU time of a command; its output goes to the file $1.
seconds() {
    local TIMEFORMAT='%U %S' out=$1
    shift
    rm -f "$out"
    { time "$@" >"$out" 2>"$work/err"; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}

table() { printf '| %s | %s | %s | %s | %s | %s |\n' "$@"; }
failed=0

# Prints the row of a job from the files of seconds $work/old and $work/new.
report() {
    local row
    row=$(paste "$work/old" "$work/new" | sort -g | awk -v name="$1" -v remark="$2" '
        # The values come sorted by the old seconds; the others are sorted here.
        function sorted(values, n,   i, j, v) {
            for (i = 2; i <= n; i++) {
                v = values[i]
                for (j = i - 1; j > 0 && values[j] > v; j--) values[j + 1] = values[j]
                values[j + 1] = v
            }
        }
        { old[NR] = $1 + 0.0005; new[NR] = $2 + 0.0005; ratio[NR] = new[NR] / old[NR] }
        END {
            sorted(old, NR); sorted(new, NR); sorted(ratio, NR)
            middle = int((NR + 1) / 2)
            medians = new[middle] / old[middle]
            if (remark == "" && medians > 1.1 && ratio[1] > 1) remark = "SLOWER"
            printf "| %s | %.3f, %.3f | %.3f, %.3f | %.2f | %.2f to %.2f | %s |\n",
                name, old[1], old[middle], new[1], new[middle], medians, ratio[1], ratio[NR], remark
        }')
    echo "$row"
    [[ $row == *SLOWER* || $row == *DIFFERS* ]] && failed=1
    return 0
}

# measure NAME ARGUMENTS...: a job of the program. A job that BASE refuses is named and left out.
measure() {
    local name=$1 round remark="" times=$rounds
    shift
    is_wanted "$name" || return 0
    # Quick jobs take more rounds: the clock counts milliseconds.
    if ((10#$(seconds "$work/out.old" timeout 60 "$work/old.program" -q -j 1 "$@" | tr -d .) < 100)); then times=$((3 * rounds)); fi
    if ! "$work/old.program" -q -j 1 "$@" >"$work/out.old" 2>"$work/err"; then
        table "$name" "" "" "" "" "left out: BASE does not do it"
        return
    fi
    : >"$work/old" && : >"$work/new"
    for ((round = 0; round < times; round++)); do
        seconds "$work/out.old" "$work/old.program" -q -j 1 "$@" >>"$work/old"
        seconds "$work/out.new" "$work/new.program" -q -j 1 "$@" >>"$work/new"
    done
    if [[ $name != *.gz ]] && ! cmp -s "$work/out.old" "$work/out.new"; then remark="OUTPUT DIFFERS"; fi
    report "$name" "$remark"
}

cat <<HEADER
# Against $(git -C "$work/base" describe --always) on $(date -u +%Y-%m-%d)

- CPU: $(awk -F': ' '/^model name/ { name = $2 } /^model\t/ { model = $2 } END { print name ", model " model }' /proc/cpuinfo), $(nproc) cores
- compiler: $(rustc --version)
- version: $(git describe --always --dirty)
- command: benches/compare.sh $base ${wanted[*]}
- seconds of CPU time, one thread: the least and the median of $rounds rounds in turns

| job | old | new | ratio | spread | |
|---|---|---|---|---|---|
HEADER

# Both programs; the seconds are those of a first \`cargo build --release\`, once, on every core.
: >"$work/old" && : >"$work/new"
build() { cargo build --release --locked --quiet --manifest-path "$1/Cargo.toml" --target-dir "$2"; }
seconds "$work/out" build "$work/base" "$work/target.old" >>"$work/old"
seconds "$work/out" build . "$work/target.new" >>"$work/new"
for side in old new; do
    cp "$work/target.$side/release/tallyboard" "$work/$side.program" ||
        { cat "$work/err" >&2; echo "$0: the $side version does not build" >&2; exit 1; }
done
if is_wanted build; then
    # Once each, so that no spread tells chance from a change.
    report build "not judged"
fi

for n in 15 16 17; do measure "queens $n blocks" queens count "$n" --engine blocks; done
for n in 15 16 17 18 19; do measure "queens $n halves" queens count "$n" --engine halves; done
for kernel in portable avx2 avx512; do
    measure "queens 15 blocks $kernel" queens count 15 --engine blocks --kernel "$kernel"
    measure "queens 17 halves $kernel" queens count 17 --engine halves --kernel "$kernel"
done
measure "queens 16 constrained" queens count 16 --place a1 --block b5,h8
measure "queens list 12" queens list 12
"$work/old.program" -q queens list 13 >"$work/boards"
measure "queens check" queens check "$work/boards"
measure "queens one 1000000" queens one 1000000 -o "$work/one"
measure "queens estimate 20" queens estimate 20

# Puzzles: data sets where they are, else made by the old program. Each file is repeated to some tenths of a second.
data=../shared/data/sudoku
old=("$work/old.program" -q)
repeat() { for ((copy = 0; copy < $1; copy++)); do cat "$2"; done; }
"${old[@]}" sudoku generate 10000 --clues 36 --seed 1 >"$work/easy"
"${old[@]}" sudoku generate 10000 --minimal --seed 1 >"$work/minimal"
repeat 100 "$work/easy" >"$work/easy.txt"
repeat 20 "$work/minimal" >"$work/minimal.txt"
measure "sudoku easy" sudoku solve "$work/easy.txt"
measure "sudoku easy to file, two threads" sudoku solve "$work/easy.txt" -j 2 -o "$work/rows"
measure "sudoku easy alone" sudoku solve --solutions-only "$work/easy.txt"
for kernel in portable avx2 avx512; do
    head -n 100000 "$work/minimal.txt" >"$work/some.txt"
    measure "sudoku minimal $kernel" sudoku solve --kernel "$kernel" "$work/some.txt"
done
[[ -e $data/17_clue_10k.txt ]] && repeat 20 "$data/17_clue_10k.txt" >"$work/seventeen.txt" &&
    measure "sudoku 17 clues" sudoku solve "$work/seventeen.txt"
[[ -e $data/hardest_3k.txt ]] && repeat 10 "$data/hardest_3k.txt" >"$work/hardest.txt" &&
    measure "sudoku hardest" sudoku solve "$work/hardest.txt"
benches/ambiguous.sh "$work/new.program" "$work"
repetitions=(0 0 400 50 4 2 1)
for size in 2 3 4 5 6; do
    repeat "${repetitions[size]}" "$work/solutions_1e$size.txt" >"$work/ambiguous.txt"
    measure "sudoku count 1e$size" sudoku count "$work/ambiguous.txt"
done
head -n 20 "$work/solutions_1e6.txt" | tr 1-5 . >"$work/sparse.txt"
measure "sudoku count sparse" sudoku count "$work/sparse.txt"
measure "sudoku single engine" sudoku solve --engine single "$work/minimal"
measure "sudoku stats" sudoku solve --stats "$work/minimal"
measure "sudoku ratings" sudoku solve --columns rating "$work/some.txt"
head -n 1 "$work/sparse.txt" >"$work/one.txt"
measure "sudoku estimate" sudoku estimate --probes 20000 "$work/one.txt"
{ echo puzzle; cat "$work/easy.txt"; } >"$work/easy.csv"
awk '{ print "{\"puzzle\": \"" $0 "\"}" }' "$work/easy.txt" >"$work/easy.jsonl"
gzip -kc1 "$work/easy.txt" >"$work/easy.txt.gz"
"$work/old.program" -q sudoku solve --to grid "$work/easy" >"$work/easy.grid"
measure "sudoku csv" sudoku solve "$work/easy.csv"
measure "sudoku grids" sudoku solve "$work/easy.grid"
measure "sudoku jsonl" sudoku solve "$work/easy.jsonl"
measure "sudoku from gz" sudoku solve "$work/easy.txt.gz"
head -n 200000 "$work/easy.txt" >"$work/some.txt"
measure "sudoku to .gz" sudoku solve "$work/some.txt" -o "$work/rows.gz"
measure "sudoku generate" sudoku generate 5000 --minimal --seed 2
measure "sudoku canon" sudoku canon "$work/minimal"

# Arrays: the extension of each version, called from the Python of its own sources.
arrays() {
    local side sources remark="" round
    (source ci/python.sh compare numpy) >/dev/null && [ -x target/python/bin/python ] || return 1
    for side in old new; do
        [[ $side == old ]] && sources=$work/base || sources=.
        cargo build --release --locked --quiet --package tallyboard-python --manifest-path "$sources/Cargo.toml" \
            --target-dir "$work/target.$side"
        mkdir "$work/python.$side"
        cp -r "$sources/python/tallyboard" "$work/python.$side"
        cp "$work/target.$side/release/lib_tallyboard.so" "$work/python.$side/tallyboard/_tallyboard.abi3.so"
    done
    : >"$work/old" && : >"$work/new"
    for ((round = 0; round < rounds; round++)); do
        for side in old new; do
            PYTHONPATH=$work/python.$side target/python/bin/python ci/arrays.py "$work/easy.txt" 2>"$work/err" |
                awk '/^array/ { print $2 }' >>"$work/$side"
        done
    done
    report "python arrays" "$remark"
}
if is_wanted "python arrays"; then arrays || table "python arrays" "" "" "" "" "left out: no numpy"; fi

exit "$failed"
