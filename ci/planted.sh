#!/usr/bin/env bash
# Plants mistakes that ci/mutants.sh does not make up: fields exchanged, wrong constants, a line left out.
# Each is a patch in ci/planted; its first lines say what is wrong and which tests are run first. A mistake
# that `cargo test` does not notice fails, and so does a patch that no longer applies: renew it.
#
#   ci/planted.sh              all of them, about a minute each
#   ci/planted.sh NAME...      these: ci/planted/NAME.patch
#   ci/planted.sh --apply      only looks whether every patch applies
#
# The tree, with what is not committed, is copied to target/planted; dependencies are compiled there once.
set -uo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --apply ]; then
    rc=0
    for patch in ci/planted/*.patch; do
        patch -p1 --forward --dry-run <"$patch" >/dev/null || { echo "$patch no longer applies: renew it" >&2; rc=1; }
    done
    exit "$rc"
fi
names=("$@")
((${#names[@]})) || for patch in ci/planted/*.patch; do names+=("$(basename "$patch" .patch)"); done

folder=$PWD/target/planted tree=$PWD/target/planted/tree
export CARGO_TARGET_DIR=$folder/target
rm -rf "$tree" && mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -m -C "$tree" ||
    { echo "the tree cannot be copied to $tree" >&2; exit 1; }
# Takes the files of a patch from the working tree again, with the present time, so that cargo sees it.
restore() {
    sed -n 's|^+++ b/||p' "$1" | while read -r file; do cp "$file" "$tree/$file"; rm -f "$tree/$file.rej"; done
}
tests() { (cd "$tree" && timeout 900 cargo test --locked --quiet "$@") >"$folder/log" 2>&1; }

caught=0 missed=() stale=()
for name in "${names[@]}"; do
    patch=$PWD/ci/planted/$name.patch
    [ -f "$patch" ] || { echo "there is no $patch" >&2; exit 2; }
    if ! (cd "$tree" && patch -p1 --forward --no-backup-if-mismatch <"$patch") >"$folder/log" 2>&1; then
        stale+=("$name")
        echo "STALE   $name: $(tail -1 "$folder/log")"
        restore "$patch"
        continue
    fi
    first=$(sed -n 's/^Tests: //p' "$patch")
    if ! (cd "$tree" && cargo test --locked --quiet --no-run) >"$folder/log" 2>&1; then
        stale+=("$name")
        echo "STALE   $name does not compile: $(grep -m1 '^error' "$folder/log")"
    elif ! tests --lib --test suite --test cover --test queens --test search --test sudoku -- "$first" || ! tests; then
        caught=$((caught + 1))
        echo "caught  $name"
    else
        missed+=("$name")
        echo "MISSED  $name: $(head -1 "$patch")"
    fi
    restore "$patch"
done
echo "planted: $caught of ${#names[@]} caught, ${#missed[@]} missed, ${#stale[@]} that no longer apply"
((caught == ${#names[@]}))
