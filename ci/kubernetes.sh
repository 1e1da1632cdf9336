#!/usr/bin/env bash
# The manifest that `tallyboard cluster k8s` writes, checked against the schema of Kubernetes.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/python.sh ci/kubernetes.sh kubernetes-validate==1.37.0

cargo build --release --quiet --locked
tallyboard=$PWD/target/release/tallyboard
validate=$PWD/target/python/bin/kubernetes-validate
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$tallyboard" cluster plan queens 13 --shards 6 -o plan.json
"$tallyboard" cluster k8s plan.json --image example.org/tallyboard:1 --cpus 4 -o job.yaml
"$validate" --strict job.yaml
# A check that cannot fail proves nothing: the same file with a slip has to be refused.
sed 's/backoffLimitPerIndex/backoffLimitPerIndexes/' job.yaml >slip.yaml
if "$validate" --strict slip.yaml >/dev/null 2>&1; then
    echo "FAILED: ci/kubernetes.sh: a misspelt field was taken"
    exit 1
fi
echo "ci/kubernetes.sh: passed"
