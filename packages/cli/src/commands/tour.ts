// skerry info --bench --tour: the tasks of the five articles on this machine, and whether all of its devices give the same bits.

import { cpus, totalmem } from "node:os";
import { type Agreement, agreementOf, type Runner } from "@skerry/scenes";
import Table from "cli-table3";
import { type Engine, type GpuInstance, open } from "skerry";
import { RunError } from "../errors.js";
import { counted, grouped, runnerOf } from "../progress.js";
import { tasksOf } from "../tour/tasks.js";
import { type TimedTask, timeTasks } from "../tour/timing.js";

interface TourOptions {
  /** How many seeded cases to compare. */
  readonly cases: number;
  readonly json?: boolean | undefined;
}

/** Result of a tour; `--json` prints it as it is. */
export interface TourReport {
  readonly machine: string;
  readonly notes: readonly string[];
  /** Names of the timed engines. */
  readonly timed: readonly string[];
  readonly tasks: readonly TimedTask[];
  /** Names of the compared engines. */
  readonly runners: readonly string[];
  readonly agreement: Agreement;
}

/** Runs the tour and prints it; rejects with RunError where devices differ. */
export async function tour({ cases, json }: TourOptions): Promise<void> {
  const notes: string[] = [];
  const profiled: Runner[] = [];
  const runners = await openRunners(notes);
  const say = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  };
  try {
    const timed = runners.filter(({ engine }, i) => {
      const { gpu } = engine.describe();
      return gpu ? !gpu.software : i === runners.length - 1;
    });
    const tasks = await timeTasks(timed, tasksOf(), say, await openProfiled(timed, profiled));
    const agreement = await agreementOf(runners, cases, (done) => say(`comparing devices: ${done} of ${cases}`));
    say("");
    const names = (list: readonly Runner[]): string[] => list.map(({ name }) => name);
    const report = { machine: machine(), notes, timed: names(timed), tasks, runners: names(runners), agreement };
    console.log(json ? JSON.stringify(report) : textOf(report));
    if (agreement.differing.length > 0) {
      throw new RunError("Some cases differ between devices; please report them.");
    }
  } finally {
    for (const { engine } of [...runners, ...profiled]) await engine.close();
  }
}

/** An engine that reads the GPU's clock, also added to `opened`; undefined if no GPU is timed. */
async function openProfiled(timed: readonly Runner[], opened: Runner[]): Promise<Runner | undefined> {
  if (!timed.some(({ engine }) => engine.describe().device === "gpu")) return undefined;
  const name = "webgpu";
  const { create } = (await import(name)) as { create: (flags: string[]) => GpuInstance };
  // Otherwise Dawn quantises times to steps of 65 microseconds.
  const gpu = create(["disable-dawn-features=timestamp_quantization"]);
  const runner = { name: "gpu clock", engine: await open({ device: "gpu", gpu, profile: true }) };
  opened.push(runner);
  return runner;
}

/** A report as text. */
export function textOf({ machine, notes, timed, tasks, runners, agreement }: TourReport): string {
  const lines = notes.map((note) => `note: ${note}`);
  return [
    machine,
    ...lines,
    tableOf(tasks, timed),
    ...besideOf(tasks, timed.at(-1) ?? ""),
    agreementText(runners, agreement),
  ].join("\n");
}

/** Opens the GPU if there is one, and the CPU with one thread and with all. */
async function openRunners(notes: string[]): Promise<Runner[]> {
  const runners: Runner[] = [];
  const add = (engine: Engine): void => {
    const description = engine.describe();
    runners.push({ name: runnerOf(description.device === "gpu" ? "gpu" : "cpu", description), engine });
  };
  try {
    add(await open({ device: "gpu" }));
  } catch (error) {
    notes.push((error as Error).message);
  }
  if (runners[0]?.engine.describe().gpu?.software) notes.push("this GPU is software; it is compared, but not timed");
  add(await open({ device: "cpu", threads: 1 }));
  const all = await open({ device: "cpu" });
  if (all.describe().threads > 1) add(all);
  else await all.close();
  return runners;
}

function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown CPU"}, ${memory} GiB, Node ${process.version}`;
}

/** Milliseconds as text with about three digits; from 1000 ms on, seconds. */
const inUnits = (milliseconds: number): string =>
  milliseconds >= 1000
    ? `${(milliseconds / 1000).toFixed(2)} s`
    : `${milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)} ms`;

function tableOf(tasks: readonly TimedTask[], runners: readonly string[]): string {
  const clocked = tasks.some(({ steps }) => steps.some(({ kernels }) => kernels !== undefined));
  const columns = [...(clocked ? ["GPU clock"] : []), ...runners];
  const table = new Table({
    head: ["task (input rendered)", "the article", "plain copy", ...columns],
    colAligns: ["left", "left", "right", ...columns.map(() => "right" as const)],
    style: { head: [], border: [], compact: true },
  });
  for (const { title, steps } of tasks) {
    table.push([{ content: title, colSpan: 3 + columns.length }]);
    for (const { what, article, copy, times, kernels } of steps) {
      const clock = clocked ? [kernels ? inUnits(kernels) : "-"] : [];
      table.push([`  ${what}`, article, inUnits(copy), ...clock, ...times.map(inUnits)]);
    }
  }
  const kernels = clocked ? " GPU clock: its kernels alone; - where the CPU does the work." : "";
  return `${table.toString()}\nMedians by the wall clock, from arrays of the host to results on the host.${kernels}`;
}

/** The steps of the articles beside the stages of ours, and what the results are like. */
function besideOf(tasks: readonly TimedTask[], runner: string): string[] {
  const rows = tasks.flatMap(({ steps }) => steps);
  const staged = rows.flatMap(({ what, beside }) => {
    if (!beside) return [];
    const stages = beside.stages
      .filter(({ stage }) => !stage.startsWith("allocate"))
      .map(({ stage, milliseconds }) => `${stage} ${inUnits(milliseconds)}`);
    return [`  ${what}`, `    the article: ${beside.steps}`, `    ours: ${stages.join(", ")}`];
  });
  const facts = rows.flatMap(({ what, fact }) => (fact === undefined ? [] : [`  ${what}: ${fact}`]));
  const titles = {
    staged: [`Steps on ${runner}; copy and load are transfers, within the others:`],
    facts: ["Results:"],
  };
  return [
    ...(staged.length > 0 ? [...titles.staged, ...staged] : []),
    ...(facts.length > 0 ? [...titles.facts, ...facts] : []),
  ];
}

function agreementText(runners: readonly string[], { cases, hashes, differing }: Agreement): string {
  const lines = runners.map((name, i) => `  ${hashes[i]}  ${name}`);
  const verdict =
    differing.length === 0
      ? `same bits: ${counted(cases, "seeded case")}, ${counted(runners.length, "device")}`
      : [
          `${grouped(differing.length)} of ${counted(cases, "seeded case")} differ:`,
          ...differing.slice(0, 10).map(({ name, runners }) => `  ${name}: ${runners.join("; ")}`),
        ].join("\n");
  return `${lines.join("\n")}\n${verdict}`;
}
