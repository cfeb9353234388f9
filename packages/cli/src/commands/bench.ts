// skerry info --bench: the user's own image on every device and thread count, one table, results compared; or the tour.

import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { type Picture, rasterOf } from "@skerry/files/node";
import { objectsOf, thresholdFor } from "@skerry/recipe/internal";
import Table from "cli-table3";
import { Command, Option } from "commander";
import { type Components, type Engine, type OpenOptions, open, type Threshold } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { runnerOf } from "../progress.js";
import { wholeNumber } from "./arguments.js";
import { RecipeFlags } from "./fields.js";
import { openInput, recipeFor } from "./input.js";
import { tour } from "./tour.js";

interface Options {
  rounds: number;
  tour?: boolean;
  cases?: number;
  only: readonly Task[];
  json?: boolean;
}

interface Row {
  readonly device: string;
  readonly open: number;
  /** Total milliseconds of the first call of every task. */
  readonly first: number;
  /** Median milliseconds by column. */
  readonly times: Readonly<Record<string, number>>;
  readonly objects?: number | undefined;
  readonly digest: string;
}

/** Milliseconds of one run of a task by column, and the values that have to be equal on every device. */
interface Timed {
  readonly times: Readonly<Record<string, number>>;
  readonly values: readonly (NodeJS.TypedArray | undefined)[];
  readonly objects?: number;
}

/** Names of tasks in --only. `labels` and `distance` find their objects with the recipe of the flags. */
const TASKS = ["labels", "fill", "distance", "kmeans"] as const;
type Task = (typeof TASKS)[number];

/** Classes of the k-means task, and the tolerance of the fill. */
const [CLASSES, TOLERANCE] = [8, 24];

/** Recipe fields that bench takes: from the image in memory to objects. */
const TIMED = [
  "channel",
  "smooth",
  "gradient",
  "flatten",
  "threshold",
  "polarity",
  "by",
  "background",
  "connectivity",
  "nodata",
];

export function benchCommand(): Command {
  const command = new Command("info")
    .summary("time your own image or volume on every device and thread count")
    .description(
      "Labels and measures INPUT on the GPU, where there is one, and on the CPU with every number of threads; prints one table of medians, and whether all results are the same.\n\nWith --tour instead of INPUT: times the tasks of five published articles on this machine, beside the articles' figures, and compares 200 seeded cases on every device, bit for bit. It takes a minute or two.",
    )
    .argument("[INPUT]", "an image or a volume, as for skerry label")
    .usage("INPUT --bench [options] | --bench --tour [options]");
  const flags = new RecipeFlags(command, undefined, "", { operations: ["components"], only: TIMED });
  command.optionsGroup("How to time and report:");
  command
    .option("--bench", "time it")
    .addOption(new Option("--rounds <N>", "timed calls per device").default(10).argParser(wholeNumber("--rounds")))
    .option("--tour", "the five tasks of docs/tour.md on rendered input, and 200 seeded cases on every device")
    .addOption(
      new Option("--cases <N>", "with --tour: how many seeded cases (default: 200)").argParser(wholeNumber("--cases")),
    )
    .addOption(
      new Option("--only <TASKS>", `tasks, separated by commas: ${TASKS.join(", ")}`)
        .default(["labels"], "labels")
        .argParser(tasksOf),
    )
    .option("--json", "JSON instead of the table")
    .addHelpText(
      "after",
      `
Examples:
  skerry info cells.png --bench --threshold otsu
  skerry info wafer.tif --bench --threshold ">90" --connectivity 8 --rounds 20
  skerry info photo.jpg --bench --only fill,distance,kmeans
  skerry info --bench --tour

Milliseconds: open the device; the first calls, cold; then medians from the image in memory. labels: to components and regions
(area, box, centroid), and the labels of every pixel into kept memory. fill: from the middle, tolerance ${TOLERANCE}, to runs.
distance: the exact map to the objects. kmeans: ${CLASSES} classes of 8-bit pixels.
Exit codes: 0 done, 1 a file could not be read or results differ, 2 a wrong call.`,
    )
    .action((input: string | undefined, options: Options) => {
      if (input !== undefined && options.tour) throw new UsageError(`Expected INPUT or --tour, got both.`);
      if (options.tour) return tour({ ...options, cases: options.cases ?? 200 });
      if (options.cases !== undefined) throw new UsageError("Expected --cases only with --tour.");
      if (input === undefined)
        throw new UsageError("Expected INPUT, an image or a volume, or --tour; see skerry info --bench --help.");
      return bench(input, flags, options);
    });
  return command;
}

async function bench(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const given = flags.recipe();
  const opened = await openInput(input, given);
  const recipe = recipeFor(given, opened);
  try {
    // Reads the pixels into memory, so that decoding is not timed.
    const picture = { ...opened, pixels: await rasterOf(opened) };
    const { pixels } = picture;
    let threshold: Threshold | undefined;
    const find: Find = async (engine) => {
      threshold ??= await thresholdFor(engine, recipe, pixels);
      return objectsOf(engine, recipe, pixels, { threshold, measuring: {} });
    };
    const rows: Row[] = [];
    if (options.only.includes("kmeans") && !(pixels.data instanceof Uint8Array)) {
      throw new UsageError(`Expected 8 bits for --only kmeans, got ${input} of another type.`);
    }
    const gpu = await measure({ device: "gpu" }, picture, find, options);
    if (typeof gpu === "string") console.error(`note: ${gpu}`);
    else rows.push(gpu);
    const most = Math.min(8, availableParallelism());
    for (let threads = 1; threads <= most; threads++) {
      rows.push((await measure({ device: "cpu", threads }, picture, find, options)) as Row);
    }
    const same = rows.every(({ digest }) => digest === rows[0]?.digest);
    if (options.json) console.log(JSON.stringify(rows));
    else console.log(`${tableOf(rows)}\n${same ? "All results are the same." : ""}`);
    if (!same) throw new RunError("Results differ between devices; please report this image.");
  } finally {
    await opened.close();
  }
}

/** Finds the objects with the recipe of the flags. */
type Find = (engine: Engine) => Promise<Components>;

/** Times one device. Resolves to the reason if the GPU cannot be opened. */
async function measure(
  options: OpenOptions,
  { pixels }: Picture,
  find: Find,
  { rounds, only }: Options,
): Promise<Row | string> {
  const begin = performance.now();
  let engine: Engine;
  try {
    engine = await open(options);
  } catch (error) {
    if (options.device === "cpu") throw error;
    return (error as Error).message;
  }
  try {
    const opened = performance.now() - begin;
    const size = { width: pixels.width, height: pixels.height, depth: pixels.depth ?? 1 };
    const into = new Uint32Array(size.width * size.height * size.depth).fill(1);
    const runs: Readonly<Record<Task, () => Promise<Timed>>> = {
      labels: async () => {
        const start = performance.now();
        const found = await find(engine);
        const { area, bounds, centroid } = await found.regions();
        const middle = performance.now();
        await found.labels({ into });
        const times = { regions: middle - start, labels: performance.now() - middle };
        const objects = found.count;
        found.dispose();
        return { times, values: [into, area, bounds, centroid], objects };
      },
      fill: async () => {
        const seed = [size.width >> 1, size.height >> 1, ...(size.depth > 1 ? [size.depth >> 1] : [])];
        const start = performance.now();
        const filled = await engine.fill(pixels, { seeds: [seed as [number, number]], tolerance: TOLERANCE });
        const { begin, end } = await filled.runs();
        const times = { fill: performance.now() - start };
        filled.dispose();
        return { times, values: [begin, end] };
      },
      distance: async () => {
        const found = await find(engine);
        const start = performance.now();
        const { data } = await engine.distance(found, { squared: true });
        const times = { distance: performance.now() - start };
        found.dispose();
        return { times, values: [data] };
      },
      kmeans: async () => {
        const start = performance.now();
        const { data, palette } = await engine.kmeans(pixels, { k: CLASSES });
        return { times: { kmeans: performance.now() - start }, values: [data, palette] };
      },
    };
    const times: Record<string, number[]> = {};
    const hash = createHash("sha256");
    let first = 0;
    let objects: number | undefined;
    for (let round = 0; round <= rounds; round++) {
      for (const task of only) {
        const timed = await runs[task]();
        if (round === 0) {
          first += Object.values(timed.times).reduce((sum, milliseconds) => sum + milliseconds, 0);
          objects ??= timed.objects;
          for (const value of timed.values) if (value) hash.update(value);
          continue;
        }
        for (const [name, milliseconds] of Object.entries(timed.times)) {
          times[name] = [...(times[name] ?? []), milliseconds];
        }
      }
    }
    const device = runnerOf(options.device === "gpu" ? "gpu" : "cpu", engine.describe());
    const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
    return { device, open: opened, first, times: medians, objects, digest: hash.digest("hex").slice(0, 12) };
  } finally {
    await engine.close();
  }
}

function median(list: number[]): number {
  return list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}

function tableOf(rows: readonly Row[]): string {
  const [{ times, objects } = { times: {} } as Row] = rows;
  const names = Object.keys(times);
  const head = ["device", "open", "first call", ...names, ...(objects === undefined ? [] : ["objects"])];
  const table = new Table({
    head,
    colAligns: ["left", ...Array<"right">(head.length - 1).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
  for (const row of rows) {
    const counted = row.objects === undefined ? [] : [row.objects];
    table.push([row.device, ms(row.open), ms(row.first), ...names.map((name) => ms(row.times[name])), ...counted]);
  }
  return table.toString();
}

/** Names of tasks, separated by commas. */
function tasksOf(text: string): Task[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !(TASKS as readonly string[]).includes(name));
  if (wrong !== undefined) {
    throw new UsageError(`Expected --only to list ${TASKS.join(", ")}, got ${wrong === "" ? "an empty name" : wrong}.`);
  }
  return [...new Set(names)] as Task[];
}
