#!/bin/bash
#SBATCH --job-name=match --array=1-8 --ntasks=1 --cpus-per-task=4
#SBATCH --time=04:00:00 --signal=TERM@120
#SBATCH --requeue --open-mode=append --output=log-%a
# Plays a part of a match in the folder part-N:
#   sbatch match.sh -e ./new -e ./old --nodes 20000 --restart --openings openings.txt --games 4000
# The whole match of its parts: goren merge all part-*
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" goren match "$@" --concurrency "$SLURM_CPUS_PER_TASK" \
    --quiet --out "part-$SLURM_ARRAY_TASK_ID" --resume
status=$?
# Stopped with work left: once more.
[ $status -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
