#!/bin/bash
#SBATCH --job-name=check --array=1-8 --ntasks=1 --cpus-per-task=4
#SBATCH --time=04:00:00 --signal=TERM@120
#SBATCH --requeue --open-mode=append --output=log-%a
# Checks a tree against a part of the replies, with what is found in part-N.jsonl:
#   sbatch check.sh all.tree
# To pack it too: add --pack "part-$SLURM_ARRAY_TASK_ID.packed" below, a file for each part.
# Whether the tree proves its claim: goren merge all.jsonl part-*.jsonl
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" goren check "$@" --threads "$SLURM_CPUS_PER_TASK" \
    --report "part-$SLURM_ARRAY_TASK_ID.jsonl" --resume
status=$?
# Stopped with work left: once more.
[ $status -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
