// skerry cluster clean: removes a run's files from its scratch folder; a run that is not finished ends.

import { Command } from "commander";
import { addAllow, type PlanFileOptions, readPlan } from "./plans.js";

export function cleanCommand(): Command {
  const command = new Command("clean")
    .summary("remove the scratch of a plan's run; a run that is not finished ends")
    .description(
      "Removes what the run of PLAN keeps between steps. Labels and tables that were finished stay. Workers of the run stop.",
    )
    .argument("<PLAN.json>", "a plan of skerry cluster plan")
    .option("--quiet", "print nothing");
  addAllow(command);
  return command.action(async (path: string, { allow, quiet }: PlanFileOptions) => {
    const { checkAllowed, clean, runOf, status } = await import("@skerry/cluster");
    const plan = await readPlan(path);
    checkAllowed(plan, allow);
    const isThere = (await status(plan)).isEnrolled;
    await clean(plan);
    if (!quiet && !isThere)
      console.log(`run ${runOf(plan)} is not in ${plan.scratch}: it was not submitted, or removed before`);
    else if (!quiet) console.log(`removed run ${runOf(plan)} from ${plan.scratch}`);
  });
}
