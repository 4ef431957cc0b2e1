#!/bin/bash
#SBATCH --job-name=suite --array=1-4 --ntasks=1 --cpus-per-task=4
#SBATCH --time=04:00:00 --signal=TERM@120
#SBATCH --requeue --open-mode=append --output=log-%a
# Tries a part of the puzzles, with the results in part-N.jsonl:
#   sbatch suite.sh puzzles.jsonl --nodes 1000000
# The tables of all: goren merge all.jsonl part-*.jsonl
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" goren suite "$@" -c "$SLURM_CPUS_PER_TASK" \
    --json "part-$SLURM_ARRAY_TASK_ID.jsonl" --resume
status=$?
# Stopped with work left: once more.
[ $status -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
