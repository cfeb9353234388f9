// Steps of label images: `measure` computes the sums of the labels in a block, `ranges` divides all labels into ranges, `number`
// lists the labels of a range, and `tables` adds the records of all blocks. Nothing is joined: equal labels are one object,
// wherever they are.

import type { Ids } from "@skerry/files";
import type { Components, Raster } from "skerry";
import { countBelow, defined } from "skerry/internal";
import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import type { Section } from "../format.js";
import { type Box, boxOf } from "../grid.js";
import { type Part, sectionsOf, Totals } from "../records.js";
import { facesOf, objectsOf } from "./block.js";
import { sumsOf, wantedOfPlan } from "./label.js";
import { correctionsOf } from "./relabel.js";

/** One of this many labels of a block is a sample for the step `ranges`. */
const SAMPLE = 256;
/** The largest label of 32 bits. */
const MOST = 2 ** 32 - 1;

export async function measure(context: Context, number: number): Promise<void> {
  const { plan, grid } = context;
  const box = boxOf(grid, number);
  const pixels = await context.pixels(plan.input, box);
  const objects = await objectsOf(context, pixels);
  try {
    await sumLabels(context, number, box, objects, pixels);
  } finally {
    objects.dispose();
  }
}

async function sumLabels(
  context: Context,
  number: number,
  box: Box,
  objects: Components,
  pixels: Raster & { readonly ids?: Ids | undefined },
): Promise<void> {
  const { storage } = context;
  const wanted = wantedOfPlan(context);
  const sums = await sumsOf(context, box, objects, pixels);
  const all = Uint32Array.from({ length: objects.count }, (_, i) => i);
  const label = labelsIn(sums.value as ArrayLike<number>, pixels.ids);
  await storage.write("records", number, { ...sectionsOf(sums, all), label });
  const named: Record<string, Section> = {};
  if (wanted.shape) for (const [name, face] of await facesOf(context, number, objects)) named[name] = face;
  await storage.write("faces", number, named);
  // Every object is a fragment, with its local number, and with its label as its value.
  const sample = label.filter((_, i) => i % SAMPLE === 0 || i === label.length - 1);
  await storage.write(
    "fragments",
    number,
    defined({
      count: wanted.shape ? Uint32Array.of(label.length) : undefined,
      value: wanted.shape ? label : undefined,
      sample,
      foreground: Float64Array.of(objects.foreground),
    }),
  );
}

/** The labels of a block's objects: their values, or the ids of which these are the numbers. */
function labelsIn(values: ArrayLike<number>, ids: Ids | undefined): Float64Array {
  if (!ids) return Float64Array.from(values);
  return Float64Array.from(values, (number) => {
    const label = Number(ids[number - 1]);
    if (Number.isSafeInteger(label)) return label;
    throw new ClusterError(
      "failed",
      `Expected labels from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER} in a plan, got ${ids[number - 1]}; skerry label --by labels takes larger ones.`,
    );
  });
}

/** Divides all labels into as many ranges as the table has parts. */
export async function ranges({ plan, storage, grid }: Context): Promise<void> {
  const samples: number[] = [];
  let foreground = 0;
  for (let block = 0; block < grid.count; block++) {
    const stored = await storage.read("fragments", block, ["sample", "foreground"]);
    for (const label of stored.sample) samples.push(Number(label));
    foreground += Number(stored.foreground[0]);
  }
  const different = Float64Array.from(new Set(samples)).sort();
  const parts = partsOf(grid.count);
  // A range holds the labels from its cut up to, but without, the next cut.
  const cuts = Float64Array.from({ length: parts + 1 }, (_, part) => {
    if (part === 0) return Number.NEGATIVE_INFINITY;
    return different[Math.floor((part * different.length) / parts)] ?? Number.POSITIVE_INFINITY;
  });
  cuts[parts] = Number.POSITIVE_INFINITY;
  // The first and the last label of each block are samples. Integers of 64 bits are read as u32, or as ids.
  const isWide = plan.input.type === "u32" && ((different[0] ?? 0) < 0 || (different.at(-1) ?? 0) > MOST);
  await storage.write("totals", 0, {
    cuts,
    foreground: Float64Array.of(foreground),
    wide: Uint8Array.of(isWide ? 1 : 0),
  });
}

/** Parts of the table of a label image. */
export function partsOf(blocks: number): number {
  return Math.max(1, Math.ceil(blocks / 8));
}

/** The labels of a range in the records of all blocks, ascending. */
async function labelsOf({ storage, grid }: Context, part: number): Promise<Float64Array> {
  const { cuts } = await storage.read<"cuts">("totals", 0);
  const [low, high] = [Number(cuts[part]), Number(cuts[part + 1])];
  let known = new Float64Array(0);
  for (let block = 0; block < grid.count; block++) {
    const label = (await storage.read("records", block, ["label"])).label as Float64Array;
    // The labels of a block are in ascending order.
    known = merged(known, label.subarray(countBelow(label, low), countBelow(label, high)));
  }
  return known;
}

/** Merges two ascending lists; each value occurs once. */
function merged(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  const all = new Float64Array(a.length + b.length);
  let [i, j, count] = [0, 0, 0];
  while (i < a.length || j < b.length) {
    const next = j === b.length || (i < a.length && a[i] <= b[j]) ? a[i] : b[j];
    if (i < a.length && a[i] === next) i++;
    if (j < b.length && b[j] === next) j++;
    all[count++] = next;
  }
  return all.slice(0, count);
}

/** Step `number` of a label image: writes the labels of a range. */
export async function countLabels(context: Context, part: number): Promise<void> {
  const labels = await labelsOf(context, part);
  await context.storage.write("final", part, { label: labels });
}

/** The objects of a range of labels. */
export async function* addRange(context: Context, part: number): AsyncGenerator<Part> {
  const { storage, grid } = context;
  let before = 0;
  for (let other = 0; other < part; other++) before += (await storage.read<"label">("final", other)).label.length;
  const labels = (await storage.read<"label">("final", part)).label as Float64Array;
  /** The index of a label in the range; undefined for labels outside. */
  const numberOf = (label: number): number | undefined => {
    const o = countBelow(labels, label);
    return labels[o] === label ? o : undefined;
  };
  const totals = new Totals(labels.length, wantedOfPlan(context));
  for (let block = 0; block < grid.count; block++) {
    const { from } = boxOf(grid, block);
    const records = await storage.read("records", block);
    const label = records.label as Float64Array;
    for (let r = 0; r < label.length; r++) {
      const o = numberOf(label[r]);
      if (o !== undefined) totals.add(o, records, r, from);
    }
    for (const [r, parts] of await correctionsOf(context, block)) {
      const o = numberOf(label[r]);
      if (o !== undefined) totals.correct(o, parts, 0);
    }
  }
  const { wide } = await storage.read<"wide">("totals", 0);
  yield { totals, first: before + 1, value: labels, isWide: wide[0] === 1 };
}
