// skerry cluster status: how far a run is, from its storage alone.

import type { RunStatus } from "@skerry/cluster";
import { Command } from "commander";
import { printable } from "../errors.js";
import { grouped } from "../progress.js";
import { sizeOf } from "./plan.js";
import { type PlanFileOptions, readPlan } from "./plans.js";

export function statusCommand(): Command {
  return new Command("status")
    .summary("how far the run of a plan is")
    .description(
      "Reads the scratch folder of PLAN: works without a queue, after a crash, and on any machine that can read the folder.",
    )
    .argument("<PLAN.json>", "a plan of skerry cluster plan")
    .option("--json", "one JSON object")
    .action(async (path: string, { json }: PlanFileOptions) => {
      const { status } = await import("@skerry/cluster");
      const found = await status(await readPlan(path));
      if (json) console.log(JSON.stringify(found));
      else tellStatus(found);
    });
}

/** Prints a status. */
export function tellStatus({ run, isEnrolled, isFinished, phases, failures, input, scratch }: RunStatus): void {
  console.log(`run ${run}: ${isFinished ? "finished" : isEnrolled ? "not finished" : "not submitted, or removed"}`);
  for (const { phase, steps, done, milliseconds } of phases) {
    const left =
      done > 0 && done < steps
        ? `, ${(((milliseconds / done) * (steps - done)) / 1000).toFixed(0)} s of work left`
        : "";
    console.log(
      `  ${phase.padEnd(10)} ${grouped(done)} of ${grouped(steps)}, ${(milliseconds / 1000).toFixed(1)} s${left}`,
    );
  }
  console.log(
    `  read ${sizeOf(input.bytes)} of the input in ${grouped(input.chunks)} chunks; scratch: ${sizeOf(scratch.written)} written, ${sizeOf(scratch.read)} read`,
  );
  for (const { phase, number, attempts, message } of failures) {
    console.log(`  ${phase} ${number} failed ${attempts} ${attempts === 1 ? "time" : "times"}: ${printable(message)}`);
  }
}
