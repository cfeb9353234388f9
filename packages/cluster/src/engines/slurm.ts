// The engine on Slurm: an array job whose tasks are parts of the engine on a folder. Each task works on all phases until its time
// is over. Tasks can be requeued, because finished steps stay.

import { resolve } from "node:path";
import { quotedForComment, quotedForShell } from "@skerry/recipe/internal";

/** Options of {@link slurmScript}. */
export interface SlurmOptions {
  /** Parts: tasks of the array. */
  readonly parts: number;
  /** Minutes that a task may take. */
  readonly minutes: number;
  /** Gibibytes, and cores, of a task. */
  readonly gibibytes: number;
  readonly cores: number;
  /** Folders that tasks may read and write below. */
  readonly allow: readonly string[];
}

/**
 * A script for sbatch that works on the plan in a file.
 * @example
 * import { slurmScript } from "@skerry/cluster";
 * const size = { parts: 8, minutes: 60, gibibytes: 16, cores: 4 };
 * console.log(slurmScript("plan.json", { ...size, allow: ["/data"] }));
 */
export function slurmScript(plan: string, { parts, minutes, gibibytes, cores, allow }: SlurmOptions): string {
  const path = resolve(plan);
  const allowed = allow.map((prefix) => ` --allow ${quotedForShell(resolve(prefix))}`).join("");
  return `#!/bin/bash
#SBATCH --job-name=skerry
#SBATCH --array=1-${parts}
#SBATCH --time=${minutes}
#SBATCH --cpus-per-task=${cores}
#SBATCH --mem=${gibibytes}G
#SBATCH --requeue
# Submit it with sbatch; submit it again, or finish elsewhere, if time ran out: what is done is not done again.
# skerry cluster status ${quotedForComment(quotedForShell(path))} tells how far it is.
set -eu
exec skerry cluster worker --run ${quotedForShell(path)} --part "$SLURM_ARRAY_TASK_ID/${parts}" --task-minutes ${Math.max(1, minutes - 2)} --threads ${cores}${allowed}
`;
}
