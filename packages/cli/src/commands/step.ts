// skerry cluster step: does one step of a plan, for workflow engines.

import { Command } from "commander";
import { UsageError } from "../errors.js";
import { threads } from "./arguments.js";
import { addAllow, type PlanFileOptions, readPlan } from "./plans.js";

interface Options extends PlanFileOptions {
  phase: string;
  number: number;
  threads?: number;
}

export function stepCommand(): Command {
  const command = new Command("step")
    .summary("do one step of a plan, for engines of your own")
    .description(
      "Does step N of a phase of PLAN; skerry cluster status lists the phases. The previous phase must be done. A repeated step writes the same result.",
    )
    .argument("<PLAN.json>", "a plan that was submitted")
    .requiredOption("--phase <NAME>", "phase, such as label")
    .option("--number <N>", "step of the phase, from 0", fromZero, 0)
    .option("--threads <N>", "threads (default: the machine's cores, at most 8)", threads)
    .option("--json", "one JSON object");
  addAllow(command);
  return command.action(async (path: string, { phase, number, threads: count, allow, json }: Options) => {
    const { openRun, phaseOf } = await import("@skerry/cluster");
    const plan = await readPlan(path);
    const run = await openRun(plan, { allow, threads: count });
    try {
      const report = await run.step({ phase: phaseOf(plan, phase).name, number });
      console.log(json ? JSON.stringify(report) : `${phase} ${number}: ${report.milliseconds.toFixed(0)} ms`);
    } finally {
      await run.close();
    }
  });
}

function fromZero(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && text.trim() !== "") return value;
  throw new UsageError(`Expected --number to be a whole number from 0 on, got ${text}.`);
}
