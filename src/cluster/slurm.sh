case "${1:-submit}" in
submit)
    mkdir -p "$results"
    script=$(realpath "$0")
    array=$(sbatch --parsable "$script" shard) || exit
    echo "array $array"
    merge=$(sbatch --parsable --array=0 --cpus-per-task=1 --job-name="@JOB_NAME@-merge" \
        --output="${results//%/%%}/merge.log" --dependency="afterok:$array" --kill-on-invalid-dep=yes \
        "$script" merge) || exit
    echo "merge $merge, answer in $results/merge.log"
    ;;

shard)
    "$tallyboard" cluster run "$plan" --shard "$SLURM_ARRAY_TASK_ID" -o "$results" \
        --threads "$SLURM_CPUS_PER_TASK" &
    shard=$!
    # Slurm signals this shell (--signal=B:TERM) when the time limit is near.
    trap 'stopped=yes; kill -TERM "$shard"' TERM
    wait "$shard"
    code=$?
    if [ "${stopped:-}" ]; then
        # The signal ended the first wait; this one tells how the shard ended.
        wait "$shard"
        code=$?
    fi
    # 75: interrupted. Over 128: killed. Either way the shard goes on from its journal.
    if [ "$code" -eq 75 ] || [ "$code" -gt 128 ]; then
        if [ "${SLURM_RESTART_COUNT:-0}" -lt "$restarts" ]; then
            echo "shard $SLURM_ARRAY_TASK_ID ended with $code; back to the queue"
            scontrol requeue "$SLURM_JOB_ID"
        fi
    fi
    exit "$code"
    ;;

merge)
    "$tallyboard" cluster merge "$plan" "$results"
    ;;
esac
