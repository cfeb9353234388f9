// Step `relabel`: writes the label image of a block, from its bits and the labels of the roots of its fragments. For the table,
// writes the records of fragments whose object begins in another block, with their corrections at seams.

import type { ZarrBlocks } from "@skerry/files/zarr/internal";
import type { Components } from "skerry";
import { countBelow, defined } from "skerry/internal";
import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import type { Section, Sections } from "../format.js";
import { blockBehind, boxOf } from "../grid.js";
import { hasBits, labelTypeOf } from "../plan.js";
import { picked } from "../records.js";
import { objectsOf, objectsOfBits, voxelsOf } from "./block.js";
import { wantedOfPlan } from "./label.js";
import { DROPPED } from "./merge.js";

export async function relabel(context: Context, block: number): Promise<void> {
  const { plan, storage } = context;
  const { local, fragment } = await storage.read("order", block, ["local", "fragment"]);
  const roots = await storage.read("roots", block, ["block", "fragment"]);
  const fragments: Fragments = {
    record: fragment as Uint32Array,
    owner: roots.block as Uint32Array,
    root: roots.fragment as Uint32Array,
  };
  const labels = await labelsOf(context, block, fragments);
  if (plan.labels) await writeLabels(context, block, await tableOf(context, block, local as Uint32Array, labels));
  await writeMoved(context, block, fragments, labels);
}

/** Fragments of a block: the record of each, and the block and the number of its root. */
interface Fragments {
  readonly record: Uint32Array;
  readonly owner: Uint32Array;
  readonly root: Uint32Array;
}

/** The label of each record of a block; 0 for those of objects that were dropped. */
async function labelsOf(
  { storage }: Context,
  block: number,
  { record, owner, root }: Fragments,
): Promise<Float64Array> {
  const { labels, roots } = (await storage.read("final", block, ["labels", "roots"])) as Record<string, Float64Array>;
  const known = new Map([[block, roots]]);
  for (let s = 0; s < record.length; s++) {
    if (owner[s] === DROPPED) continue;
    const roots = known.get(owner[s]) ?? ((await storage.read("final", owner[s], ["roots"])).roots as Float64Array);
    known.set(owner[s], roots);
    labels[record[s]] = roots[root[s]];
  }
  return labels;
}

/** Labels by the local number of each object. */
async function tableOf(
  { storage }: Context,
  block: number,
  local: Uint32Array,
  labels: Float64Array,
): Promise<Float64Array> {
  const { locals } = await storage.read("fragments", block, ["locals"]);
  const table = new Float64Array(Number(locals[0]) + 1);
  for (let r = 0; r < local.length; r++) table[local[r]] = labels[r];
  return table;
}

async function writeLabels(context: Context, block: number, table: Float64Array): Promise<void> {
  const { plan, grid, storage } = context;
  const box = boxOf(grid, block);
  const { count } = await storage.read("totals", 0, ["count"]);
  const type = labelTypeOf(plan, Number(count[0]));
  const writer: ZarrBlocks = await context.labels(type);
  const isEmpty = table.every((label) => label === 0);
  // A block without objects writes no chunk, but its zeros are needed for the levels that are made from all blocks.
  const voxels = voxelsOf(context, block);
  const data = new Uint32Array(context.memory("labels", voxels * 4), 0, voxels);
  let labels: Float64Array<SharedArrayBuffer> | undefined;
  if (isEmpty) data.fill(0);
  else {
    const objects = await again(context, block, table.length - 1);
    try {
      await objects.labels({ into: data });
    } finally {
      objects.dispose();
    }
    const ranked = type === "u64" ? rankedOf(table) : undefined;
    labels = ranked?.values;
    const lut = ranked?.ranks ?? Uint32Array.from(table);
    for (let i = 0; i < data.length; i++) {
      const label = data[i];
      if (label !== 0) data[i] = lut[label];
    }
  }
  await storage.fence();
  const rest = await writer.write({ ...box, data, labels });
  if (!rest) return;
  await storage.write(
    "rest",
    block,
    defined({
      from: Float64Array.from(rest.from),
      size: Float64Array.from(rest.size),
      data: new Uint32Array(rest.data),
      labels: rest.labels ? new Float64Array(rest.labels) : undefined,
    }),
  );
}

/** Finds the objects of a block again. */
async function again(context: Context, block: number, count: number): Promise<Components> {
  const { plan, grid, storage } = context;
  const objects = hasBits(plan)
    ? await objectsOfBits(context, block, (await storage.read<"bits">("bits", block)).bits as Uint32Array)
    : await objectsOf(context, await context.pixels(plan.input, boxOf(grid, block)));
  if (objects.count === count) return objects;
  objects.dispose();
  throw new ClusterError(
    "damaged",
    `Expected the ${count} objects of block ${block} again, got ${objects.count}: the image changed.`,
  );
}

/** 64-bit labels as ranks, which fit 32-bit pixels, and the label of each rank. */
function rankedOf(table: Float64Array): { ranks: Uint32Array; values: Float64Array<SharedArrayBuffer> } {
  const sorted = table.slice().sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i];
  const different = sorted.subarray(0, count);
  const values = new Float64Array(new SharedArrayBuffer(count * 8));
  values.set(different);
  return { ranks: Uint32Array.from(table, (label) => countBelow(different, label)), values };
}

/** Corrections of a block's fragments: at the seams of its low sides, and at those of the blocks behind it. */
export async function correctionsOf(context: Context, block: number): Promise<Map<number, number[]>> {
  const all = new Map<number, number[]>();
  if (!wantedOfPlan(context).shape) return all;
  const { grid, storage } = context;
  for (let corner = 0; corner < 8; corner++) {
    const behind = blockBehind(grid, block, corner);
    if (behind === undefined) continue;
    const stored = await storage.read<"fragment" | "corner" | "parts">("corrections", behind);
    for (let i = 0; i < stored.fragment.length; i++) {
      if (stored.corner[i] !== corner) continue;
      const fragment = Number(stored.fragment[i]);
      const before = all.get(fragment) ?? [0, 0, 0, 0];
      all.set(
        fragment,
        before.map((value, k) => value + Number(stored.parts[4 * i + k])),
      );
    }
  }
  return all;
}

/** Writes the records of fragments whose object begins in another block. */
async function writeMoved(
  context: Context,
  block: number,
  { record, owner }: Fragments,
  labels: Float64Array,
): Promise<void> {
  const { plan, storage } = context;
  if (!plan.table) {
    await storage.write("moved", block, {});
    return;
  }
  const moved: number[] = [];
  for (let s = 0; s < record.length; s++) if (owner[s] !== DROPPED && owner[s] !== block) moved.push(s);
  moved.sort((a, b) => labels[record[a]] - labels[record[b]] || a - b);
  const records = Uint32Array.from(moved, (s) => record[s]);
  const sums = await storage.read("records", block);
  const corrections = await correctionsOf(context, block);
  const parts = Float64Array.from(moved.flatMap((s) => corrections.get(s) ?? [0, 0, 0, 0]));
  await storage.write("moved", block, {
    ...pickedAll(sums, records),
    label: Float64Array.from(records, (r) => labels[r]),
    parts,
  });
}

/** Some records of every section. */
function pickedAll(sums: Sections, records: Uint32Array): Record<string, Section> {
  const count = sums.area.length;
  return Object.fromEntries(
    Object.entries(sums).map(([name, values]) => [
      name,
      picked(values, count === 0 ? 1 : values.length / count, records),
    ]),
  );
}
