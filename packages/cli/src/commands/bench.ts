// skerry bench: the user's own image on every device and thread count, one table, results compared; or the tour.

import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { type Picture, rasterOf } from "@skerry/files/node";
import { objectsOf, thresholdFor } from "@skerry/recipe";
import Table from "cli-table3";
import { Command, Option } from "commander";
import { type Components, type Engine, type OpenOptions, open, type Threshold } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { runnerOf } from "../progress.js";
import { whole } from "./arguments.js";
import { RecipeFlags } from "./fields.js";
import { openInput, recipeFor } from "./input.js";
import { tour } from "./tour.js";

interface Options {
  rounds: number;
  tour?: boolean;
  cases: number;
  json?: boolean;
}

interface Row {
  readonly device: string;
  readonly open: number;
  readonly first: number;
  readonly regions: number;
  readonly labels: number;
  readonly objects: number;
  readonly digest: string;
}

/** Fields of what is timed: from the image in memory to objects. */
const TIMED = ["channel", "smooth", "flatten", "threshold", "polarity", "by", "background", "connectivity", "nodata"];

export function benchCommand(): Command {
  const command = new Command("bench")
    .summary("time your own image or volume on every device and thread count")
    .description(
      "Labels and measures INPUT on the GPU, where there is one, and on the CPU with every number of threads; prints one table of medians, and whether all results are the same.\n\nWith --tour instead of INPUT: times the tasks of five published articles on this machine, beside the articles' figures, and compares 200 seeded cases on every device, bit for bit. It takes a minute or two.",
    )
    .argument("[INPUT]", "an image or a volume, as for skerry label")
    .usage("INPUT [options] | --tour [options]");
  const flags = new RecipeFlags(command, undefined, "", { operations: ["components"], only: TIMED });
  command.optionsGroup("How to time and report:");
  command
    .addOption(new Option("--rounds <N>", "timed calls per device").default(10).argParser(whole("--rounds")))
    .option("--tour", "the five tasks of docs/tour.md on rendered input, and 200 seeded cases on every device")
    .addOption(new Option("--cases <N>", "with --tour: how many seeded cases").default(200).argParser(whole("--cases")))
    .option("--json", "JSON instead of the table")
    .addHelpText(
      "after",
      `
Examples:
  skerry bench cells.png --otsu
  skerry bench wafer.tif --above 90 --connectivity 8 --rounds 20
  skerry bench --tour

Milliseconds: open the device; the first call, cold; then medians from the image in memory to components and regions
(area, box, centroid), and for the labels of every pixel into kept memory.
Exit codes: 0 done, 1 a file could not be read or results differ, 2 a wrong call.`,
    )
    .action((input: string | undefined, options: Options) => {
      if (input !== undefined && options.tour) throw new UsageError(`Expected INPUT or --tour, got both.`);
      if (options.tour) return tour(options);
      if (input === undefined)
        throw new UsageError("Expected INPUT, an image or a volume, or --tour; see skerry bench --help.");
      return bench(input, flags, options);
    });
  return command;
}

async function bench(input: string, flags: RecipeFlags, options: Options): Promise<void> {
  const given = flags.recipe();
  const opened = await openInput(input, given);
  const recipe = recipeFor(given, opened);
  try {
    // Timed pixels begin in memory.
    const picture = { ...opened, pixels: await rasterOf(opened) };
    const { pixels } = picture;
    let threshold: Threshold | undefined;
    const find: Find = async (engine) => {
      threshold ??= await thresholdFor(engine, recipe, pixels);
      return objectsOf(engine, recipe, pixels, { threshold, measuring: {} });
    };
    const rows: Row[] = [];
    const gpu = await measure({ device: "gpu" }, picture, find, options.rounds);
    if (typeof gpu === "string") console.error(`note: ${gpu}`);
    else rows.push(gpu);
    const most = Math.min(8, availableParallelism());
    for (let threads = 1; threads <= most; threads++) {
      rows.push((await measure({ device: "cpu", threads }, picture, find, options.rounds)) as Row);
    }
    const same = rows.every(({ digest }) => digest === rows[0]?.digest);
    if (options.json) console.log(JSON.stringify(rows));
    else console.log(`${tableOf(rows)}\n${same ? "All results are the same." : ""}`);
    if (!same)
      throw new RunError("Expected the same result on every device, but they differ; please report this image.");
  } finally {
    await opened.close();
  }
}

/** Timed task. */
type Find = (engine: Engine) => Promise<Components>;

/** Times one device; the reason instead where it cannot be opened. */
async function measure(options: OpenOptions, { pixels }: Picture, find: Find, rounds: number): Promise<Row | string> {
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
    const into = new Uint32Array(pixels.width * pixels.height * (pixels.depth ?? 1)).fill(1);
    const times = { regions: [] as number[], labels: [] as number[] };
    let first = 0;
    let objects = 0;
    let digest = "";
    for (let round = 0; round <= rounds; round++) {
      const start = performance.now();
      const found = await find(engine);
      const regions = await found.regions();
      const middle = performance.now();
      await found.labels({ into });
      const end = performance.now();
      if (round === 0) {
        first = end - start;
        objects = found.count;
        const hash = createHash("sha256").update(into);
        for (const part of [regions.area, regions.bounds, regions.centroid]) if (part) hash.update(part);
        digest = hash.digest("hex").slice(0, 12);
      } else {
        times.regions.push(middle - start);
        times.labels.push(end - middle);
      }
      found.dispose();
    }
    const device = runnerOf(options.device === "gpu" ? "gpu" : "cpu", engine.describe());
    const [regions, labels] = [median(times.regions), median(times.labels)];
    return { device, open: opened, first, regions, labels, objects, digest };
  } finally {
    await engine.close();
  }
}

function median(list: number[]): number {
  return list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}

function tableOf(rows: readonly Row[]): string {
  const table = new Table({
    head: ["device", "open", "first call", "regions", "labels", "objects"],
    colAligns: ["left", ...Array<"right">(5).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
  for (const { device, open, first, regions, labels, objects } of rows) {
    table.push([device, ms(open), ms(first), ms(regions), ms(labels), objects]);
  }
  return table.toString();
}
