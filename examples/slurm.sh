#!/bin/bash
#SBATCH --job-name=skerry
#SBATCH --array=1-32
#SBATCH --time=30
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --requeue
# Submit it with sbatch; submit it again, or finish elsewhere, if time ran out: what is done is not done again.
# skerry cluster status /data/plan.json tells how far it is.
set -eu
exec skerry cluster worker --run '/data/plan.json' --part "$SLURM_ARRAY_TASK_ID/32" --task-minutes 28 --threads 2 --allow '/data'
