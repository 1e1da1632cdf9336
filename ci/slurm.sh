#!/usr/bin/env bash
# A count on a real Slurm: one controller and two nodes on the loopback interface. One shard is
# killed with -9 and one gets the signal that Slurm sends when the time limit is near; both go back
# to the queue, go on from their journals, and the merge job prints the known count.
#
# Installs what it needs with apt; without root or without the packages it says so and skips.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() { echo "SKIPPED: ci/slurm.sh: $*"; exit 0; }
fail() { echo "FAILED: ci/slurm.sh: $*"; exit 1; }

[ "$(id -u)" = 0 ] || skip "needs root to start the daemons"
missing() { for tool in slurmctld slurmd sbatch munged; do command -v "$tool" || return 0; done >/dev/null; return 1; }
if missing; then
    command -v apt-get >/dev/null || skip "no Slurm, and no apt-get to install it"
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        --no-install-recommends slurmctld slurmd slurm-client munge; } >/dev/null 2>&1 ||
        skip "apt cannot install slurmctld, slurmd, slurm-client and munge"
fi

cargo build --release --quiet --locked
tallyboard=$PWD/target/release/tallyboard
docs=$PWD/docs/cluster.md
work=$(mktemp -d)
chmod 755 "$work"
export SLURM_CONF=$work/slurm.conf
daemons=()
finish() {
    status=$?
    if [ "$status" != 0 ]; then
        squeue 2>/dev/null || true
        tail -n 20 "$work"/*.log "$work"/*/results/*.log 2>/dev/null || true
    fi
    # Jobs first: their processes are children of the daemons.
    scancel --user=root --signal=KILL 2>/dev/null || true
    for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# munged refuses to run as root.
install -d -o munge -g munge -m 755 "$work/munge"
dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none
chown munge:munge "$work/munge/key"
chmod 400 "$work/munge/key"
setpriv --reuid=munge --regid=munge --clear-groups munged --foreground --force \
    --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
    --log-file="$work/munge/log" --seed-file="$work/munge/seed" 2>"$work/munged.log" &
daemons+=($!)

cat >"$SLURM_CONF" <<CONF
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmctldPort=26817
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2
ReturnToService=2
KillWait=5
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=26818 CPUs=1 RealMemory=4000
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=26819 CPUs=1 RealMemory=4000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
mkdir "$work/state" "$work/n1" "$work/n2"

# Waits up to 60 seconds for a condition.
await() {
    local what=$1
    shift
    for _ in $(seq 1200); do
        if "$@"; then return; fi
        sleep 0.05
    done
    fail "no $what within a minute"
}

await "munge socket" test -S "$work/munge/socket"
slurmctld -D >"$work/slurmctld.log" 2>&1 &
daemons+=($!)
for node in n1 n2; do
    slurmd -D -N "$node" >"$work/$node.log" 2>&1 &
    daemons+=($!)
done
both_idle() { [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c idle)" = 2 ]; }
await "idle nodes" both_idle
echo "slurm $(slurmctld -V | cut -d' ' -f2) is up with two nodes"

# The commands of docs/cluster.md under the comment `<!-- $1 -->`.
commands() { awk -v mark="<!-- $1 -->" '$0 == mark { on = 1; next } /^```/ { if (on == 2) exit; if (on) on = 2; next } on == 2' "$docs"; }

# Slurm holds a requeued job back for two minutes, so that no node takes it for the run that was ended.
# Lift that after some seconds.
declare -A held=() # job -> since when
finished() {
    for id in $(squeue -h -t PD -o '%A %r' | awk '$2 == "BeginTime" { print $1 }'); do
        held[$id]=${held[$id]:-$SECONDS}
        ((SECONDS - held[$id] < 4)) || scontrol update "JobId=$id" StartTime=now 2>/dev/null || true
    done
    sleep 0.5
    [ -z "$(squeue -h -o %A)" ]
}

export PATH=${tallyboard%/*}:$PATH
count='15 queens: 2,279,184 solutions'

echo "== docs/cluster.md as printed"
mkdir "$work/printed"
cd "$work/printed"
[ "$(commands 'five commands' | wc -l)" = 5 ] || fail "docs/cluster.md has not five commands"
while read -r line; do
    echo "\$ $line"
    if [[ $line == cat* ]]; then await "end of all jobs" finished; fi
    bash -c "$line" </dev/null
done < <(commands 'five commands')
grep -qF "$count" results/merge.log || fail "the merge job found no count"
rm results/shard-00001.json results/shard-00003.json
sed -n 1p <(commands 'missing shards') | bash
await "end of all jobs" finished
sed -n 2p <(commands 'missing shards') | bash | grep -F "$count"

echo "== two shards that are stopped on the way"
mkdir "$work/stopped"
cd "$work/stopped"
# The slow engine, so that a shard takes a second and there is time to stop it.
tallyboard cluster plan queens 16 --engine textbook --shards 4 -o plan.json
tallyboard cluster slurm plan.json --time 10:00 --cpus 1 -o count.sh
submitted=$(bash count.sh)
echo "$submitted"
array=$(awk '$1 == "array" { print $2 }' <<<"$submitted")

# The process of a shard, once its journal holds something worth going on from.
running() {
    local journal=results/shard-0000$1.journal
    [ "$(stat -c %s "$journal" 2>/dev/null || echo 0)" -gt 1000 ] || return 1
    pid=$(pgrep -f "cluster run $work/stopped/plan.json --shard $1 ") && [ "$(wc -w <<<"$pid")" = 1 ]
}
await "running shard 0" running 0
kill -9 "$pid"
echo "killed shard 0 with -9"
await "running shard 2" running 2
scancel --batch --signal=TERM "${array}_2"
echo "sent shard 2 the signal of the time limit"

await "end of all jobs" finished

for shard in 0 2; do
    grep -q 'back to the queue' "results/shard-$shard.log" || fail "shard $shard was not requeued"
    grep -q 'going on from' "results/shard-$shard.log" || fail "shard $shard began anew"
done
grep -qF "16 queens: 14,772,512 solutions" results/merge.log || fail "the merge job found no count"
cat results/merge.log
echo "ci/slurm.sh: passed"
