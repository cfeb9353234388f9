// skerry cluster submit: has the missing steps of a plan done by workers: on this machine, of a queue, or by Slurm.

import { spawn } from "node:child_process";
import { availableParallelism, freemem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Plan, RunStatus } from "@skerry/cluster";
import { Command } from "commander";
import { RunError, UsageError } from "../errors.js";
import { grouped, ProgressBar } from "../progress.js";
import { threads, wholeNumber } from "./arguments.js";
import { addAllow, type PlanFileOptions, readPlan } from "./plans.js";
import { tellStatus } from "./status.js";

/** The built command, which runs the workers. */
const SKERRY = fileURLToPath(new URL("../../bin/skerry.js", import.meta.url));

interface Options extends PlanFileOptions {
  on?: string;
  workers?: number;
  threads?: number;
  taskMinutes?: number;
  sameInput?: boolean;
}

export function submitCommand(): Command {
  const command = new Command("submit")
    .summary("run the missing steps of a plan")
    .description(
      [
        "Runs PLAN: with workers on this machine, which share the plan's scratch folder; with --on redis://HOST on every worker there; with --on slurm it prints a script for sbatch. Steps that are done are not repeated, so an interrupted run continues. Ctrl-C stops the workers of this machine; those elsewhere continue.",
      ].join("\n\n"),
    )
    .argument("<PLAN.json>", "a plan of skerry cluster plan")
    .option("--on <ENGINE>", "redis://HOST, rediss://HOST or slurm (default: this machine)")
    .option(
      "--workers <N>",
      "processes on this machine, or tasks of Slurm (default: as cores and memory allow; 32)",
      wholeNumber("--workers"),
    )
    .option("--threads <N>", "threads of each (default: the cores, shared)", threads)
    .option("--task-minutes <N>", "minutes of a task of Slurm (default: 60)", wholeNumber("--task-minutes"))
    .option("--same-input", "go on although the input's files have other times than planned, as a copy of them has")
    .option("--json", "one JSON object at the end")
    .option("--quiet", "print nothing");
  addAllow(command);
  command.addHelpText(
    "after",
    `
Examples:
  skerry cluster submit plan.json
  skerry cluster submit plan.json --on redis://queue.example.org
  skerry cluster submit plan.json --on slurm --workers 32 --task-minutes 30 > job.sh`,
  );
  return command.action(submit);
}

async function submit(path: string, options: Options): Promise<void> {
  const { on, allow } = options;
  const plan = await readPlan(path);
  const { checkAllowed, enroll, openRun, slurmScript, submitTo } = await import("@skerry/cluster");
  checkAllowed(plan, allow);
  if (on !== undefined && on !== "slurm" && !/^rediss?:\/\/[^/]/.test(on)) {
    throw new UsageError(`Expected --on to be redis://HOST, rediss://HOST or slurm, got ${on}.`);
  }
  const { json, quiet, taskMinutes } = options;
  const [idle] =
    on === "slurm" ? [json && "--json", quiet && "--quiet"].filter((flag) => typeof flag === "string") : [];
  if (idle) throw new UsageError(`Expected no ${idle} with --on slurm, which prints a script for sbatch.`);
  if (on !== "slurm" && taskMinutes !== undefined) {
    throw new UsageError("Expected --task-minutes together with --on slurm, whose tasks end after them.");
  }
  await enroll(plan, undefined, { sameInput: options.sameInput });
  if (on === "slurm") {
    const gibibytes = Math.ceil((await memoryOf(plan)) / 2 ** 30) + 1;
    const { workers: parts = 32, taskMinutes: minutes = 60, threads: cores = 2 } = options;
    process.stdout.write(slurmScript(path, { parts, minutes, gibibytes, cores, allow: allow ?? ["."] }));
    return;
  }
  const run = await openRun(plan, { allow });
  try {
    await run.storage.forgive();
    if (on !== undefined) await submitTo(on, run);
  } finally {
    await run.close();
  }
  await watch(plan, options, on === undefined ? () => startWorkers(path, plan, options) : undefined);
}

async function memoryOf(plan: Plan): Promise<number> {
  const { estimate } = await import("@skerry/cluster");
  return estimate(plan).worker;
}

/** Starts workers on this machine. Resolves when all have ended, to the error message of one that failed, if any. */
async function startWorkers(
  path: string,
  plan: Plan,
  { workers, threads: each, allow = [] }: Options,
): Promise<string | undefined> {
  const cores = availableParallelism();
  const fit = Math.floor((freemem() * 0.6) / (await memoryOf(plan)));
  const count = workers ?? Math.max(1, Math.min(cores, fit));
  const coresEach = each ?? Math.max(1, Math.floor(cores / count));
  const begin = [SKERRY, "cluster", "worker", "--run", path, "--threads", `${coresEach}`, "--quiet"];
  const allowed = allow.flatMap((prefix) => ["--allow", prefix]);
  const ends = Array.from({ length: count }, (_, k) => {
    const child = spawn(process.execPath, [...begin, "--part", `${k + 1}/${count}`, ...allowed], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    process.once("exit", () => child.kill());
    let message = "";
    child.stderr.on("data", (text: Buffer) => {
      message = `${message}${text}`.slice(-2000);
    });
    return new Promise<string | undefined>((resolve) => {
      child.on("close", (code, signal) =>
        resolve(code === 0 ? undefined : message.trim() || `a worker ended by ${signal ?? code}`),
      );
    });
  });
  const failed = (await Promise.all(ends)).filter((message) => message !== undefined);
  return failed[0];
}

/** Signals that end a submission, and its exit codes then. */
const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

/** Milliseconds between two looks at the status. */
const PAUSE = 500;

/** Shows the progress of a run until it is finished or removed; rejects if its workers ended or a step keeps failing. */
async function watch(
  plan: Plan,
  options: Options,
  start: (() => Promise<string | undefined>) | undefined,
): Promise<void> {
  const { status } = await import("@skerry/cluster");
  const bar = new ProgressBar(!options.quiet);
  let ended = false;
  let reason: string | undefined;
  start?.().then((message) => {
    ended = true;
    reason = message;
  });
  const begin = performance.now();
  let seen: RunStatus | undefined;
  const listeners = SIGNALS.map(([signal, code]) => {
    const interrupted = (): void => {
      bar.stop();
      const goesOn = start === undefined ? "its workers go on" : "finished steps stay; submit it again to go on";
      console.error(`skerry: Interrupted: ${goesOn}, or remove it with skerry cluster clean.`);
      process.exit(code);
    };
    process.once(signal, interrupted);
    return [signal, interrupted] as const;
  });
  try {
    for (;;) {
      const isLast = ended;
      seen = await status(plan);
      const current = seen.phases.find(({ steps, done }) => done < steps);
      if (!current || !seen.isEnrolled) break;
      bar.update({ stage: current.phase, done: current.done, total: current.steps });
      const failure = seen.failures.find(({ attempts }) => attempts >= 3);
      if (failure && start === undefined) {
        throw new RunError(
          `Step ${failure.phase} ${failure.number} failed ${failure.attempts} times: ${failure.message}`,
        );
      }
      if (isLast)
        throw new RunError(
          reason?.replace(/^skerry: /, "") ?? "The workers ended before the run was finished; submit it again.",
        );
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  } finally {
    for (const [signal, interrupted] of listeners) process.off(signal, interrupted);
    bar.stop();
  }
  const seconds = (performance.now() - begin) / 1000;
  if (!seen.isEnrolled) throw new RunError(`Run ${seen.run} was removed.`);
  if (options.json) console.log(JSON.stringify({ ...seen, seconds: Math.round(seconds * 1000) / 1000 }));
  else if (!options.quiet) {
    tellStatus(seen);
    console.log(
      `finished in ${seconds.toFixed(1)} s; skerry cluster clean removes ${grouped(seen.scratch.written)} bytes of scratch`,
    );
  }
}
