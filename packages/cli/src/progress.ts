// Reports of a run during and after it: a bar for long steps, the stages and their times.

import type { Comparison } from "@skerry/files/internal";
import type { Verdict } from "@skerry/recipe/internal";
import type { SingleBar } from "cli-progress";
import type { Description, Progress, Timing } from "skerry";
import { defined } from "skerry/internal";
import { printable } from "./errors.js";

/** Prints notes on stderr, whatever is printed on stdout. Returns the field of a JSON object that carries them, if there are any. */
export function tellNotes(
  notes: readonly string[],
  options: { readonly quiet?: boolean | undefined },
): { readonly notes?: readonly string[] } {
  const distinct = [...new Set(notes.map(withoutOthersFlags))];
  const before = shown.get(options) ?? new Set();
  shown.set(options, before);
  for (const note of distinct) {
    if (!before.has(note) && !options.quiet) console.error(`note: ${printable(note)}`);
    before.add(note);
  }
  return distinct.length > 0 ? { notes: distinct } : {};
}

/** Flags of the command that runs; undefined before it is known. */
let flags: ReadonlySet<string> | undefined;

/** Tells which flags the command has: notes do not advise others. */
export function adviseOnly(names: readonly string[]): void {
  flags = new Set(names);
}

/** A note without advice on flags that the command lacks, as `(--channel N takes another)`. */
function withoutOthersFlags(note: string): string {
  return note.replace(/ \((--[^()]*)\)$/, (_, advice: string) => {
    const kept = advice.split(/, (?=--)/).filter((each) => flags?.has(each.split(" ")[0]) ?? true);
    return kept.length > 0 ? ` (${kept.join(", ")})` : "";
  });
}

/** Notes that were printed, by the options of the run: each is printed once. */
const shown = new WeakMap<object, Set<string>>();

/** The exit code of objects that fail the condition of --fail-if, or differ from those of --golden. */
export const FAILED = 3;

/** Says on stderr, also with --quiet, that a condition of --fail-if holds: for which totals, or for how many objects and where. */
export function tellVerdict(
  input: string,
  { condition, objects, first, totals }: Pick<Verdict, "condition" | "objects" | "first" | "totals">,
): void {
  const { count, foreground, coverage } = totals;
  const all = `${grouped(count)} ${count === 1 ? "object" : "objects"}`;
  const how = [objects === undefined ? all : `${grouped(objects)} of ${all}`];
  if (/foreground|coverage/.test(condition)) how.push(`${grouped(foreground)} pixels`);
  if (condition.includes("coverage")) how.push(`coverage ${Number(coverage.toPrecision(4))}`);
  const place = first?.slice(0, first.length / 2).join(",");
  if (place !== undefined) how.push(`${objects === 1 ? "at" : "the first at"} ${place}`);
  console.error(`failed: ${printable(input)}: ${printable(condition)} (${how.join(", ")})`);
}

/** The most differences from a taught table that are printed one by one. */
const MOST_DIFFERENCES = 20;

/** Says on stderr, also with --quiet, what differs from a taught table. */
export function tellDifferences(input: string, { differences, objects }: Comparison): void {
  const lines = differences.slice(0, MOST_DIFFERENCES);
  for (const line of lines) console.error(`differs: ${printable(input)}: ${printable(line)}`);
  const more = differences.length - lines.length;
  if (more > 0) console.error(`differs: ${printable(input)}: ${grouped(more)} more, among ${grouped(objects)} objects`);
}

/** A bar appears once a stage has taken this long. */
const PATIENCE_MILLISECONDS = 1000;

/** Shows a bar on a terminal for stages that take over a second. */
export class ProgressBar {
  #bar: SingleBar | undefined;
  #stage = "";
  #since = 0;
  /** Returns the bytes read so far, if the input counts them; and their number when the stage began. */
  #bytes: (() => number) | undefined;
  #before = 0;
  readonly #enabled: boolean;
  /** Loaded only if stderr is a terminal, which few runs have. */
  #makeBar: typeof SingleBar | undefined;

  constructor(enabled: boolean) {
    this.#enabled = enabled && process.stderr.isTTY === true;
    if (!this.#enabled) return;
    import("cli-progress").then(({ SingleBar: Bar }) => {
      this.#makeBar = Bar;
    });
  }

  /** Shows the bytes that an input counts beside each stage. */
  count(bytes: (() => number) | undefined): void {
    this.#bytes = bytes;
  }

  readonly update = ({ stage, done, total }: Omit<Progress, "fraction">): void => {
    if (!this.#enabled) return;
    if (stage !== this.#stage) {
      this.stop();
      this.#stage = stage;
      this.#since = performance.now();
      this.#before = this.#bytes?.() ?? 0;
    }
    if (!this.#bar && this.#makeBar && performance.now() - this.#since > PATIENCE_MILLISECONDS && done < total) {
      this.#bar = new this.#makeBar({
        format: `${stage.padEnd(14)} {bar} {percentage} %{bytes}, {eta} s left`,
        stream: process.stderr,
        clearOnComplete: true,
        hideCursor: true,
      });
      this.#bar.start(total, done, { bytes: "" });
    }
    this.#bar?.update(done, { bytes: this.#traffic() });
  };

  /** Bytes of the stage, and their rate. */
  #traffic(): string {
    const bytes = (this.#bytes?.() ?? 0) - this.#before;
    if (bytes === 0) return "";
    const seconds = (performance.now() - this.#since) / 1000;
    return `, ${(bytes / 2 ** 20).toFixed(0)} MiB, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`;
  }

  stop(): void {
    this.#bar?.stop();
    this.#bar = undefined;
    this.#stage = "";
  }
}

/** A device and what it runs on, in a few words. */
export function runnerOf(device: "cpu" | "gpu", { threads, gpu }: Description): string {
  if (device === "gpu") return `gpu, ${gpu?.description}`;
  return `cpu, ${threads} ${threads === 1 ? "thread" : "threads"}`;
}

/** Fields of --json about a run. */
export function ranOn(device: "cpu" | "gpu", { threads, gpu }: Description, milliseconds: number): object {
  return defined({
    device,
    adapter: device === "gpu" ? gpu?.description : undefined,
    threads: device === "gpu" ? undefined : threads,
    milliseconds: Math.round(milliseconds * 1000) / 1000,
  });
}

/** A number with its thousands separated by spaces. */
export function grouped(n: number): string {
  return `${n}`.replace(/\B(?=(\d{3})+$)/g, " ");
}

/** An input's name ahead of a sentence about it; stdin has none. */
export function ahead(input: string): string {
  return input === "-" ? "" : `${printable(input)}: `;
}

/** A number of things; the noun's plural takes an s. */
export function counted(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** The sides of an image, or of a volume. */
export function sides({ width, height, depth }: { width: number; height: number; depth: number }): string {
  return depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
}

/** The sides as fields of a summary; an image has no depth. */
export const sizeFields = ({ width, height, depth }: { width: number; height: number; depth: number }): object =>
  defined({ width, height, depth: depth > 1 ? depth : undefined });

/** The times of one input's stages, reading and writing included. */
export class Stopwatch {
  readonly stages: Timing[] = [];

  async measure<T>(stage: string, bytes: number | ((result: T) => number), work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    const result = await work();
    const milliseconds = performance.now() - begin;
    this.stages.push({ stage, milliseconds, bytes: typeof bytes === "number" ? bytes : bytes(result) });
    return result;
  }

  add(timings: readonly Timing[]): void {
    this.stages.push(...timings);
  }

  /** The stages in the order they ran; consecutive stages of one name are added up. GPU clock times have their own column. */
  async table(): Promise<string> {
    const { default: Table } = await import("cli-table3");
    const rows: Timing[] = [];
    for (const timing of this.stages) {
      const last = rows.at(-1);
      if (last?.stage === timing.stage && last.clock === timing.clock && last.part === timing.part) {
        const milliseconds = last.milliseconds + timing.milliseconds;
        rows[rows.length - 1] = { ...timing, milliseconds, bytes: last.bytes + timing.bytes };
      } else {
        rows.push(timing);
      }
    }
    const onDevice = rows.some(({ clock }) => clock === "device");
    const table = new Table({
      head: ["stage", "ms", ...(onDevice ? ["GPU ms"] : []), "GB/s"],
      colAligns: ["left", "right", "right", "right"],
      style: { head: [], border: [], compact: true },
    });
    for (const { stage, milliseconds, bytes, clock, part } of rows) {
      const time = milliseconds.toFixed(clock === "device" ? 3 : 2);
      const times = clock === "device" ? ["", time] : [time, ...(onDevice ? [""] : [])];
      table.push([
        part ? `of that ${stage}` : stage,
        ...times,
        bytes > 0 ? (bytes / milliseconds / 1e6).toFixed(2) : "",
      ]);
    }
    return table.toString();
  }
}
