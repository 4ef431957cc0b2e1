#!/bin/bash
#SBATCH --job-name=selfplay --array=1-16 --ntasks=1 --cpus-per-task=4
#SBATCH --time=04:00:00 --signal=TERM@120
#SBATCH --requeue --open-mode=append --output=log-%a
# Plays a part of a run of self-play into the file part-N.games:
#   sbatch selfplay.sh --game caro --games 100000
# The whole file of its parts: goren merge caro.games part-*.games
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" goren selfplay "$@" -c "$SLURM_CPUS_PER_TASK" \
    --out "part-$SLURM_ARRAY_TASK_ID.games"
status=$?
# Stopped with work left: once more.
[ $status -ne 75 ] || scontrol requeue "$SLURM_JOB_ID"
exit $status
