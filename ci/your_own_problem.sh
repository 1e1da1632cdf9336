#!/usr/bin/env bash
# Runs every command of docs/your_own_problem.md in an empty folder, and finds what the page says they print.
set -euo pipefail
cd "$(dirname "$0")/.."
export TALLYBOARD=$PWD
page=$PWD/docs/your_own_problem.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Block N of the page, its language first.
block() { awk -v n="$1" '/^```/ { if (inside) { inside = 0 } else { inside = 1; if (++at == n) print substr($0, 4) } next }
    inside && at == n' "$page"; }
blocks=$(($(grep -c '^```' "$page") / 2))

# A user's packages are optimised. Here only what counts the page's own problems is; crates of others have the levels with which
# README's commands have compiled them, and are not compiled again.
mkdir "$folder/.cargo"
{
    printf '[profile.release]\nlto = "off"\n'
    sed -n '/^\[profile.release.package\]/,/^$/p' Cargo.toml | grep -E '^\[|opt-level' | grep -v '^tallyboard'
    for crate in crates/*; do
        case ${crate#crates/} in
        tallyboard-base | tallyboard-search) level=2 ;;
        *) level=0 ;;
        esac
        echo "${crate#crates/}.opt-level = $level"
    done
    echo 'tallyboard.opt-level = 0'
} > "$folder/.cargo/config.toml"

cd "$folder"
for number in $(seq "$blocks"); do
    block "$number" | sed 1d > "$folder/block"
    # `head` would leave before a long block is through, and `pipefail` make a failure of it.
    language=$(block "$number" | sed -n 1p)
    case $language in
    sh)
        printf '\n== block %s of docs/your_own_problem.md\n' "$number"
        cat "$folder/block"
        bash -euo pipefail -c '. "$0/block"; pwd > "$0/where"' "$folder" > "$folder/printed" 2>&1 ||
            { cat "$folder/printed"; exit 1; }
        cat "$folder/printed"
        cd "$(cat "$folder/where")"
        ;;
    rust)
        # The folder has the name of the example, of which a block is all or a part.
        example=$TALLYBOARD/examples/problems/$(basename "$PWD").rs
        [[ $(cat "$example") == *"$(cat "$folder/block")"* ]] || { echo "the page has another program"; exit 1; }
        cp "$example" src/main.rs
        # The packages that the repository has been tested with, and what an earlier run has compiled.
        cp "$TALLYBOARD/Cargo.lock" .
        mkdir -p "$TALLYBOARD/target"
        ln -sfn "$TALLYBOARD/target" target
        ;;
    text)
        while read -r line; do
            grep -qF "$line" "$folder/printed" || { echo "block $number: not printed: $line"; exit 1; }
        done < "$folder/block"
        ;;
    *)
        echo "block $number: found the language '$language', expected sh, rust or text"
        exit 1
        ;;
    esac
done
test -s scaling.html
echo
echo "every command of docs/your_own_problem.md works"
