#!/bin/bash
#SBATCH --job-name=prove --array=1-8 --ntasks=1 --cpus-per-task=8
#SBATCH --time=1-00:00:00 --signal=TERM@120
#SBATCH --requeue --open-mode=append --output=log-%a
# Works on a part of the replies to a position, with the moves in part-N.tree:
#   sbatch prove.sh --game freestyle h8a1
# The tree of all: goren merge all.tree part-*.tree, then check.sh all.tree
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" goren prove "part-$SLURM_ARRAY_TASK_ID.tree" "$@" \
    --threads "$SLURM_CPUS_PER_TASK"
status=$?
# Stopped with work left: once more.
[ $status -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
