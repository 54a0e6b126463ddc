#!/usr/bin/env bash
#SBATCH --job-name=links
#SBATCH --array=0-99
#SBATCH --cpus-per-task=4
# An array of jobs, each of which finds the links of its share of a list: sbatch slurm.sh LIST OUTPUT
#
# LIST has one file name per line. OUTPUT/TASK.jsonl gets the links of every n-th file, one JSON object per line.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: sbatch ${0##*/} LIST OUTPUT" >&2 && exit 2; }
task=$((SLURM_ARRAY_TASK_ID - ${SLURM_ARRAY_TASK_MIN:-0}))
mkdir -p "$2"
status=0
awk -v task="$task" -v tasks="$SLURM_ARRAY_TASK_COUNT" '(NR - 1) % tasks == task' "$1" |
    linkglot find --files-from - --json --threads "${SLURM_CPUS_PER_TASK:-1}" >"$2/$task.jsonl.part" || status=$?
# 1: there were no links; 3: some files could not be read, and the output names them.
[ "$status" -eq 0 ] || [ "$status" -eq 1 ] || [ "$status" -eq 3 ] || exit "$status"
# A finished task has its file; a killed task leaves none.
mv "$2/$task.jsonl.part" "$2/$task.jsonl"
