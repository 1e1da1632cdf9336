#!/usr/bin/env bash
# Whether the crates and the Python package could be published: complete metadata, and packages without a warning. Nothing is
# uploaded. Under a minute; what takes longer comes with a flag.
#
#     ci/package.sh              # metadata, and packages of every crate
#     ci/package.sh --verify     # compiles each crate from its package, too: ten minutes on two cores
#     ci/package.sh --python     # and twine's check of a source distribution, and of the wheel in python/dist
set -euo pipefail
cd "$(dirname "$0")/.."
verify=--no-verify
with_python=
for flag; do
    case $flag in
        --verify) verify= ;;
        --python) with_python=1 ;;
        *) echo "ci/package.sh: found $flag, expected --verify or --python" >&2; exit 2 ;;
    esac
done

mkdir -p target
cargo metadata --locked --no-deps --format-version 1 >target/metadata.json
python3 - target/metadata.json <<'PYTHON'
import json
import os
import sys

# The slugs that the registry knows, of those that are used here.
CATEGORIES = {"algorithms", "command-line-utilities", "concurrency", "development-tools::profiling", "games", "hardware-support",
              "mathematics", "parser-implementations", "science", "visualization"}
wrong = []
crates = [crate for crate in json.load(open(sys.argv[1]))["packages"] if crate["publish"] != []]
for crate in crates:
    say = lambda what: wrong.append(f"{crate['name']}: {what}")
    folder = os.path.dirname(crate["manifest_path"])
    for field in ("description", "documentation", "license", "readme", "repository", "rust_version"):
        if not crate[field]:
            say(f"no {field}")
    if crate["documentation"] != f"https://docs.rs/{crate['name']}":
        say(f"documentation is {crate['documentation']}")
    for file in (crate["readme"] or "README.md", "LICENSE-MIT", "LICENSE-APACHE"):
        if not os.path.isfile(os.path.join(folder, file)):
            say(f"no file {file}")
    if not 1 <= len(crate["keywords"]) <= 5 or any(len(word) > 20 for word in crate["keywords"]):
        say(f"keywords are {crate['keywords']}, expected one to five of at most 20 letters")
    if not crate["categories"] or set(crate["categories"]) - CATEGORIES:
        say(f"categories are {crate['categories']}")
    # What one crate needs of another has to name its version, or the package cannot be resolved.
    for needed in crate["dependencies"]:
        if needed["name"].startswith("tallyboard") and needed["kind"] != "dev" and needed["req"] == "*":
            say(f"{needed['name']} has no version")
versions = {crate["version"] for crate in crates}
cited = next(line.split()[1] for line in open("CITATION.cff") if line.startswith("version:"))
if versions != {cited}:
    wrong.append(f"CITATION.cff has version {cited}, the crates have {sorted(versions)}")
if wrong:
    sys.exit("FAILED: ci/package.sh:\n  " + "\n  ".join(wrong))
if any("example.org" in crate["repository"] for crate in crates):
    print("TO FILL IN: `repository` in Cargo.toml is not an address yet")
print(f"metadata of {len(crates)} crates: complete")
PYTHON

cargo package --workspace --exclude tallyboard-python --exclude tallyboard-problems --exclude tallyboard-unit --locked --allow-dirty $verify >target/package.log 2>&1 ||
    { cat target/package.log; echo "FAILED: ci/package.sh: cargo package"; exit 1; }
if grep -A3 '^warning' target/package.log; then echo "FAILED: ci/package.sh: warnings of cargo package"; exit 1; fi
grep -c '^ *Packaged' target/package.log | sed 's/$/ crates packaged/'

if [ -n "$with_python" ]; then
    source ci/python.sh ci/package.sh 'twine>=6' 'maturin>=1.9,<2'
    shopt -s nullglob
    wheels=(python/dist/*.whl)
    ((${#wheels[@]})) || echo "SKIPPED: the wheel: none in python/dist, where ci/python_wheel.sh puts it"
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    PATH=$PWD/target/python/bin:$PATH "$python" - "$work" <<'PYTHON'
import os
import sys

os.chdir("python")
sys.path.insert(0, ".")
import backend

backend.build_sdist(sys.argv[1])
PYTHON
    "$python" -m twine check --strict "${wheels[@]}" "$work"/*.tar.gz
fi
echo "ci/package.sh: passed"
