// skerry cluster worker: a process that takes steps of runs, from a queue or as its part of one plan.

import { Command } from "commander";
import { defined } from "skerry/internal";
import { printable, UsageError } from "../errors.js";
import { threads, wholeNumber } from "./arguments.js";
import { addAllow, type PlanFileOptions, partOption, readPlan } from "./plans.js";

interface Options extends PlanFileOptions {
  run?: string;
  part?: [number, number];
  threads?: number;
  taskMinutes?: number;
}

export function workerCommand(): Command {
  const command = new Command("worker")
    .summary("take steps of runs, from a queue or from a folder that workers share")
    .description(
      [
        "With redis://HOST takes steps of every run that is submitted there, until it is stopped. With --run takes part K of N of one plan over a folder that all workers share, with no server, and ends when the run is finished. Workers may be killed at any time: steps that they had begun are done again.",
        "A worker runs only plans whose digest is their name, only its built-in steps, and only on paths below --allow. SKERRY_REDIS_PASSWORD may hold the password of a server.",
      ].join("\n\n"),
    )
    .argument("[QUEUE]", "redis://HOST[:PORT], or rediss://")
    .usage("redis://HOST | --run plan.json [--part K/N] [options]")
    .option("--run <FILE>", "a plan that was submitted")
    .addOption(partOption())
    .option(
      "--task-minutes <N>",
      "stop after this many minutes; finished steps are kept",
      wholeNumber("--task-minutes"),
    )
    .option("--threads <N>", "threads of a step (default: the machine's cores, at most 8)", threads)
    .option("--quiet", "print no steps");
  addAllow(command);
  command.addHelpText(
    "after",
    `
Examples:
  skerry cluster worker redis://queue.example.org --allow /data
  skerry cluster worker --run plan.json --part 3/32 --task-minutes 30`,
  );
  return command.action(async (queue: string | undefined, options: Options) => {
    if ((queue === undefined) === (options.run === undefined)) {
      throw new UsageError("Expected either redis://HOST or --run plan.json; see skerry cluster worker --help.");
    }
    await (queue === undefined ? workOn(options) : serve(queue, options));
  });
}

/** An AbortSignal that follows SIGINT and SIGTERM, from the terminal or the scheduler. */
function ending(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort(new Error(name)));
  return controller.signal;
}

async function workOn({ run: path, part, threads: count, taskMinutes, allow, quiet }: Options): Promise<void> {
  const { openRun, work } = await import("@skerry/cluster");
  const plan = await readPlan(path as string);
  const signal = ending();
  const run = await openRun(plan, { allow, threads: count, signal });
  try {
    const ended = await work(
      run,
      defined({
        part,
        signal,
        milliseconds: taskMinutes === undefined ? undefined : taskMinutes * 60_000,
        onStep: ({ phase, number, milliseconds }) => {
          if (!quiet) console.log(`${phase} ${number}: ${milliseconds.toFixed(0)} ms`);
        },
      }),
    );
    if (!quiet && ended === "time") console.log("the time is over; finished steps are kept");
  } catch (error) {
    if (!signal.aborted) throw error;
    process.exitCode = 1;
  } finally {
    await run.close();
  }
}

async function serve(queue: string, { threads: count, allow, quiet }: Options): Promise<void> {
  if (!/^rediss?:\/\/[^/]/.test(queue))
    throw new UsageError(`Expected redis://HOST or rediss://HOST, got ${hidden(queue)}.`);
  const { queueWorker } = await import("@skerry/cluster");
  const signal = ending();
  const worker = await queueWorker(queue, {
    allow,
    threads: count,
    onStep: (run, { phase, number, milliseconds }) => {
      if (!quiet) console.log(`${run} ${phase} ${number}: ${milliseconds.toFixed(0)} ms`);
    },
    onFailure: (message) => console.error(`skerry: ${printable(message)}`),
  });
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  await worker.close();
}

/** A URL without its password. */
export function hidden(url: string): string {
  return url.replace(/\/\/[^@/]*@/, "//");
}
