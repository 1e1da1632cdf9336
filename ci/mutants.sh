#!/usr/bin/env bash
# Tries mutants of src and crates: changes one operator, value or match arm at a time and looks whether `cargo test`
# notices. Fails if one is missed; target/mutants/mutants.out/missed.txt names them.
#
#   ci/mutants.sh                    20 mutants, drawn at random from all
#   ci/mutants.sh N                  N of them
#   ci/mutants.sh --in-diff BASE     mutants of the lines that differ from the commit BASE, at most MOST of them
#
# A mutant takes a build and the tests, 40 to 100 s on two cores. MOST (20 unless set) bounds their number,
# MINUTES (60 unless set) the time of the whole: what was not tried by then is left out, and said.
# cargo-mutants is installed into target/mutants/tool if it is missing. Mutants that no test can notice are
# named in .cargo/mutants.toml. What no tool makes up, exchanged fields and the like, is tried by ci/planted.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: mutants: $*"; exit 0; }

most=${MOST:-20} folder=$PWD/target/mutants
mkdir -p "$folder"
options=()
case ${1:-} in
    --in-diff)
        base=${2:?'--in-diff needs a commit'}
        git rev-parse --quiet --verify "$base^{commit}" >/dev/null || skip "there is no commit $base"
        git diff "$base" -- src crates >"$folder/change.diff"
        [ -s "$folder/change.diff" ] || skip "src and crates are as they are in $base"
        options+=(--in-diff "$folder/change.diff")
        ;;
    '') ;;
    *[!0-9]*) echo "expected a number or --in-diff BASE, found '$1'" >&2; exit 2 ;;
    *) most=$1 ;;
esac

PATH=$folder/tool/bin:$PATH
if ! cargo mutants --version >/dev/null 2>&1; then
    echo "installing cargo-mutants into target/mutants/tool"
    cargo install --quiet --locked --root "$folder/tool" cargo-mutants >"$folder/install.log" 2>&1 ||
        skip "cargo-mutants cannot be had: $(tail -1 "$folder/install.log")"
fi

all=$(cargo mutants --list --workspace "${options[@]}" | wc -l)
((all > 0)) || skip "the change has no mutants"
# Every part-th mutant from a random one on: about as many from each folder as it has of all.
part=$(((all + most - 1) / most))
options+=(--shard "$((RANDOM % part))/$part" --sharding round-robin)

# Dependencies are compiled once for all runs.
export CARGO_TARGET_DIR=$folder/target
rc=0
timeout --foreground --signal=INT "$((${MINUTES:-60} * 60))" \
    cargo mutants --workspace --baseline skip --timeout 300 --no-shuffle --output "$folder" "${options[@]}" || rc=$?
tried=$(cat "$folder"/mutants.out/{caught,missed,timeout,unviable}.txt | wc -l)
missed=$(wc -l <"$folder/mutants.out/missed.txt")
echo "mutants: $tried of $all tried, $missed missed"
cat "$folder/mutants.out/missed.txt"
((missed == 0)) || exit 1
# 124 and 130: the time was over. 3: a mutant ran into its own time limit, which is noticed.
case $rc in
    0 | 3) ;;
    124 | 130) echo "the rest was left out after ${MINUTES:-60} minutes" ;;
    *) exit "$rc" ;;
esac
