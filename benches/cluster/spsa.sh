#!/bin/bash
#SBATCH --job-name=spsa --array=1-4 --ntasks=1 --cpus-per-task=4
#SBATCH --time=1-00:00:00 --signal=TERM@120
#SBATCH --requeue --open-mode=append --output=log-%a
# Plays a part of the games of a tuning, with the results in part-N.jsonl:
#   sbatch spsa.sh --game renju --iterations 20000
# Each part needs the results of all: all tasks must run at the same time.
# The file of the whole run: goren merge run.jsonl part-*.jsonl
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" goren spsa "$@" -c "$SLURM_CPUS_PER_TASK" \
    --out "part-$SLURM_ARRAY_TASK_ID.jsonl" --resume
status=$?
# Stopped with work left: once more.
[ $status -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
