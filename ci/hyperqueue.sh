#!/usr/bin/env bash
# A count on a real HyperQueue: a server and two workers run the commands of the job file that
# `tallyboard cluster hq` writes, and the results merge to the known count.
set -euo pipefail
cd "$(dirname "$0")/.."
source ci/python.sh ci/hyperqueue.sh hyperqueue==0.27.0

cargo build --release --quiet --locked
tallyboard=$PWD/target/release/tallyboard
python=$PWD/$python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$tallyboard" cluster plan queens 13 --shards 6 -o plan.json
"$tallyboard" cluster hq plan.json -o job.toml
"$python" - <<'PYTHON'
import shlex
import tomllib
from pathlib import Path

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest

text = Path("job.toml").read_text()
array = tomllib.loads(text)["array"]

# The command in the comment does what the file says.
line = next(line for line in text.splitlines() if line.startswith("# hq submit"))
words = shlex.split(line.removeprefix("# "))
assert words[words.index("--") + 1 :] == array["command"], words
assert words[words.index("--array") + 1] == array["ids"], words

first, last = map(int, array["ids"].split("-"))
(request,) = array["request"]
with LocalCluster(server_dir=str(Path("hq").resolve())) as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=1))
    job = Job(max_fails=None)
    for shard in range(first, last + 1):
        # The Python interface has no arrays; the number arrives as an array's task would have it.
        job.program(
            array["command"],
            env={"HQ_TASK_ID": str(shard)},
            resources=ResourceRequest(cpus=request["resources"]["cpus"]),
            crash_limit=array["crash_limit"],
        )
    client = cluster.client()
    client.wait_for_jobs([client.submit(job)])
PYTHON
"$tallyboard" cluster merge plan.json results | tee merged
grep -qF '13 queens: 73,712 solutions' merged
echo "ci/hyperqueue.sh: passed"
