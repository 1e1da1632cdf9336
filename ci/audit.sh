#!/usr/bin/env bash
# A rehearsal of a count on a cluster, whole: a plan, shards that are killed, a lost, a foreign, a damaged and an edited
# result, the merge, an audit by another method, a bundle and its check. Then audits of a drawn share of larger boards.
#
#     ci/audit.sh               17 queens in 50 shards, audits of 16, 18 and 20 queens: what CI runs
#     ci/audit.sh 23 500        the same with another board and another number of shards, and no further audits
#
# TALLYBOARD names another program than the one built here. JOBS shards are counted at once, each on one thread (2
# unless set); every tenth is killed after KILL seconds and started again. With FOLDER everything stays there, and a
# rehearsal that was stopped goes on with the shards that are missing. The figures at the end are for benches/records:
# forecast of the plan, seconds measured, processor time, sizes of the files.
set -euo pipefail
cd "$(dirname "$0")/.."

n=${1:-17}
shards=${2:-50}
fail() { echo "FAILED: ci/audit.sh: $*"; exit 1; }

tallyboard=${TALLYBOARD:-$PWD/target/release/tallyboard}
if [ -z "${TALLYBOARD:-}" ]; then
    TALLYBOARD_COMMIT=${TALLYBOARD_COMMIT-$(git rev-parse HEAD 2>/dev/null || echo unknown)} cargo build --release --quiet --locked
fi
if [ -n "${FOLDER:-}" ]; then
    mkdir -p "$FOLDER"
    cd "$FOLDER"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work"
fi

# Runs a command that has to fail, and shows that its message holds a text.
refused() {
    local text=$1
    shift
    if "$@" >out 2>&1; then cat out; fail "expected a refusal: $*"; fi
    grep -qF -- "$text" out || { cat out; fail "expected '$text' of: $*"; }
}
shard=("$tallyboard" -q cluster run plan.json -o results --threads 1 --shard)

[ -e plan.json ] || "$tallyboard" cluster plan queens "$n" --engine halves --shards "$shards" -o plan.json

# Counts one shard; every tenth is killed without warning on its way, and goes on from its journal.
# shellcheck disable=SC2329
count_shard() {
    local shard=("$tallyboard" -q cluster run plan.json -o results --threads 1 --shard "$1")
    if [ $(($1 % 10)) = 3 ] && [ ! -e "results/shard-$(printf %05d "$1").json" ]; then
        "${shard[@]}" &
        local pid=$!
        sleep "${KILL:-0.1}"
        kill -9 "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    fi
    "${shard[@]}"
}
export -f count_shard
export tallyboard
began=$(date +%s)
seq 0 $((shards - 1)) | xargs -P "${JOBS:-2}" -I{} bash -c 'count_shard {}'
times >processor-times
processor=$(tail -1 processor-times)
wall=$(($(date +%s) - began))

echo "== a lost result"
mv results/shard-00007.json lost.json
refused "has no result: 7" "$tallyboard" cluster merge plan.json results
[ "$("$tallyboard" cluster merge plan.json results --missing)" = 7 ] || fail "shard 7 is missing"
refused "has no result: 7" "$tallyboard" cluster bundle plan.json results -o bundle
"${shard[@]}" 7

echo "== a foreign result"
"$tallyboard" -q cluster plan queens 12 --engine halves --shards 2 -o other.json
"$tallyboard" -q cluster run other.json --shard 0 -o other
cp other/shard-00000.json results/foreign.json
for command in merge audit "bundle -o bundle"; do
    # shellcheck disable=SC2086
    refused "foreign.json" "$tallyboard" cluster $command plan.json results
done
rm results/foreign.json

echo "== a damaged result"
cp results/shard-00005.json sound.json
python3 - <<'PYTHON'
from pathlib import Path

path = Path("results/shard-00005.json")
text = path.read_bytes()
middle = len(text) // 2
path.write_bytes(text[:middle] + bytes([text[middle] ^ 1]) + text[middle + 1 :])
PYTHON
refused "shard-00005.json" "$tallyboard" cluster merge plan.json results
cp sound.json results/shard-00005.json

echo "== a result edited on purpose, its checksum too"
python3 - <<'PYTHON'
import json
import re
import zlib
from pathlib import Path

path = Path("results/shard-00005.json")
text = path.read_text()
found = re.fullmatch(r'\{"format":"([^"]*)","content":(.*),"crc32":"[0-9a-f]{8}"\}\n', text)
form, content = found.groups()
# Moves eight solutions from one subtree to another: neither the sum nor a law of counts shows it.
first, second = re.findall(r'\[\d+,\{"solutions":(\d{4,})\}\]', content)[:2]
content = content.replace(f'"solutions":{first}}}', f'"solutions":{int(first) + 8}}}', 1)
content = content.replace(f'"solutions":{second}}}', f'"solutions":{int(second) - 8}}}', 1)
crc32 = zlib.crc32((form + content).encode())
path.write_text(f'{{"format":"{form}","content":{content},"crc32":"{crc32:08x}"}}\n')
PYTHON
"$tallyboard" -q cluster merge plan.json results >/dev/null || fail "the sum is as it was"
if [ "$n" -le 17 ]; then
    refused "of shard 5: its result has" "$tallyboard" -q cluster audit plan.json results --share 1
fi
cp sound.json results/shard-00005.json

echo "== the count"
"$tallyboard" cluster merge plan.json results | tee merged
grep -qF "agrees with the known count" merged

echo "== the audit"
share=$(python3 -c "print(min(1, 40 / $(python3 -c "import json; print(json.load(open('plan.json'))['content']['work']['subtrees'])")))")
"$tallyboard" cluster audit plan.json results --share "$share" --seed 28 | tee audited
grep -qF "by another method, engine blocks: all equal" audited

echo "== the bundle"
fingerprint=$("$tallyboard" cluster bundle plan.json results -o bundle)
(cd bundle && sha256sum --quiet -c SHA256SUMS)
[ "$(sha256sum bundle/SHA256SUMS | cut -d' ' -f1)" = "$fingerprint" ] || fail "the fingerprint is that of SHA256SUMS"
"$tallyboard" cluster check bundle --share "$share" | tee checked
grep -qF "fingerprint $fingerprint" checked
[ "$(zcat bundle/subtotals.csv.gz | awk -F, '$2 == 7' | sha256sum | cut -d' ' -f1)" = \
    "$(python3 -c "import json; print(json.load(open('bundle/shards.json'))['content']['shards'][7]['sha256'])")" ] ||
    fail "a shard's lines can be checked without the program"
cp -r bundle cut
truncate -s -1 cut/subtotals.csv.gz
refused "subtotals.csv.gz: found SHA-256" "$tallyboard" cluster check cut

echo "== figures"
python3 - "$n" "$shards" "$wall" "$processor" <<'PYTHON'
import json
import sys
from pathlib import Path

n, shards, wall, processor = sys.argv[1:]
read = lambda name: json.loads(Path(name).read_text())["content"]
hours = read("plan.json")["forecast"]["core_hours"]
seconds = sum(it["provenance"]["core_seconds"] for it in read("bundle/shards.json")["shards"])
size = sum(path.stat().st_size for path in Path("bundle").iterdir())
forecast = f"{hours['estimate'] * 3600:.1f} core seconds ({hours['low'] * 3600:.1f} to {hours['high'] * 3600:.1f})" if hours else "none"
print(f"n = {n}, {shards} shards: forecast {forecast}, counted in {seconds:.1f} core seconds, wall {wall} s, processor time (user, system) {processor}, bundle {size} bytes")
PYTHON

# A drawn share of boards whose lists are split and whose ties are of all kinds.
if [ $# = 0 ]; then
    for n in 16 18 20; do
        rm -rf results plan.json
        "$tallyboard" -q cluster plan queens "$n" --engine halves --shards 2 -o plan.json
        for number in 0 1; do "$tallyboard" -q cluster run plan.json --shard "$number" -o results; done
        "$tallyboard" cluster audit plan.json results --share 0.01 --seed "$n"
    done
fi
echo "ci/audit.sh: passed"
