// Step `label`: finds the objects of a block. Writes bits, records and faces, and last the data of fragments for the merge.
// Fragments are objects that touch a seam, or candidates for `largest`. Other objects are final here, except for their numbers.

import type { Components, Raster } from "skerry";
import { defined, type FoundSums, objectSums } from "skerry/internal";
import type { Context } from "../context.js";
import type { Section } from "../format.js";
import { type Box, boxOf } from "../grid.js";
import { hasBits } from "../plan.js";
import { picked, sectionsOf, summedFor, type Wanted, wantedOf } from "../records.js";
import { facesOf, firstsOf, objectsOf } from "./block.js";

/** The sums that the properties of a plan need. */
export function wantedOfPlan({ plan }: Pick<Context, "plan">): Wanted {
  return wantedOf(
    plan.properties,
    plan.intensities.map(({ type }) => type),
  );
}

export async function label(context: Context, number: number): Promise<void> {
  const { plan, grid, storage } = context;
  const box = boxOf(grid, number);
  const pixels = await context.pixels(plan.input, box);
  const objects = await objectsOf(context, pixels);
  try {
    if (hasBits(plan)) {
      const { bits } = await objects.mask();
      await storage.write("bits", number, { bits, count: Uint32Array.of(objects.count) });
    }
    await fragments(context, number, box, objects, pixels);
  } finally {
    objects.dispose();
  }
}

async function fragments(
  context: Context,
  number: number,
  box: Box,
  objects: Components,
  pixels: Raster,
): Promise<void> {
  const { plan, storage } = context;
  const { count } = objects;
  const sums = await sumsOf(context, box, objects, pixels);
  const firsts = await firstsOf(objects);
  const faces = await facesOf(context, number, objects);
  const atSeam = new Uint8Array(count + 1);
  for (const face of faces.values()) for (const label of face) atSeam[label] = 1;
  atSeam[0] = 0;
  const { area, bounds } = sums.sums;
  const flags = flagsOf(context, box, bounds as Uint32Array, count);
  const { minArea = 0, maxArea = Number.POSITIVE_INFINITY, clearBorder = false, largest } = plan.recipe.options ?? {};
  const stays = (i: number): boolean => area[i] >= minArea && area[i] <= maxArea && !(clearBorder && flags[i] === 1);
  const inside: number[] = [];
  for (let i = 0; i < count; i++) if (atSeam[i + 1] === 0 && stays(i)) inside.push(i);
  // Only the merge can find the largest objects of all blocks: the largest of each block become fragments.
  const candidates = new Set<number>();
  if (largest !== undefined) {
    const best = Float64Array.from(inside).sort((a, b) => area[b] - area[a] || a - b);
    for (const i of best.subarray(0, largest)) candidates.add(i);
  }
  const kept: number[] = [];
  const fragment: number[] = [];
  const row: number[] = [];
  for (let i = 0, next = 0; i < count; i++) {
    const isInside = inside[next] === i;
    if (isInside) next++;
    const isFragment = atSeam[i + 1] === 1 || candidates.has(i);
    if (!isFragment && (!isInside || largest !== undefined)) continue;
    if (isFragment) fragment.push(kept.length);
    kept.push(i);
    row.push(Math.floor(firsts[i] / objects.width));
  }
  const records = Uint32Array.from(kept);
  const fragmentRecords = Uint32Array.from(fragment);
  const isFragment = new Uint8Array(kept.length);
  for (const i of fragmentRecords) isFragment[i] = 1;
  const rows = new Uint32Array(objects.height * objects.depth);
  const slices = new Float64Array(objects.depth);
  for (const [i, at] of row.entries()) {
    if (isFragment[i]) continue;
    rows[at]++;
    slices[Math.floor(at / objects.height)]++;
  }
  const sections: Record<string, Section> = sectionsOf(sums, records);
  if (sums.value) sections.value = Float64Array.from(records, (i) => (sums.value as ArrayLike<number>)[i]);
  if (sums.polarity) sections.polarity = picked(sums.polarity, 1, records);
  await storage.write("records", number, sections);
  await storage.write("order", number, {
    local: records.map((i) => i + 1),
    row: Uint32Array.from(row),
    fragment: fragmentRecords,
  });
  await storage.write("rows", number, { rows });
  // Faces have the numbers of fragments, from 1.
  const numberOf = new Uint32Array(count + 1);
  for (const [s, r] of fragmentRecords.entries()) numberOf[records[r] + 1] = s + 1;
  const named: Record<string, Section> = {};
  for (const [name, face] of faces) named[name] = face.map((label) => numberOf[label]);
  await storage.write("faces", number, named);
  const ofFragments = fragmentRecords.map((r) => records[r]);
  const values = sums.value ?? sums.polarity;
  await storage.write(
    "fragments",
    number,
    defined({
      first: placesOf(context, box, picked(firsts, 1, ofFragments)),
      area: picked(area, 1, ofFragments),
      flags: picked(flags, 1, ofFragments),
      value: values ? Float64Array.from(ofFragments, (i) => (values as ArrayLike<number>)[i]) : undefined,
      slices,
      locals: Uint32Array.of(count),
      count: Uint32Array.of(ofFragments.length),
      foreground: Float64Array.of(objects.foreground),
    }),
  );
}

/** Sums of the objects of a block, and of the values under them. */
export async function sumsOf(context: Context, box: Box, objects: Components, pixels: Raster): Promise<FoundSums> {
  const properties = summedFor(wantedOfPlan(context));
  return objectSums(objects, { properties, ...(await valuesUnder(context, box, pixels)) });
}

/** The images whose values are measured: the block itself, or other images. */
async function valuesUnder(
  context: Context,
  box: Box,
  pixels: Raster,
): Promise<{ intensity?: Raster | readonly Raster[] }> {
  const { intensities, input } = context.plan;
  if (intensities.length === 0 || wantedOfPlan(context).intensities.length === 0) return {};
  const rasters: Raster[] = [];
  for (const image of intensities) {
    const isInput =
      image.url === input.url && image.channel === input.channel && context.plan.recipe.operation === "components";
    rasters.push(isInput ? pixels : await context.pixels(image, box));
  }
  return { intensity: rasters };
}

/** For each object 1 if it touches the border of the image. */
export function flagsOf({ plan }: Context, { from }: Box, bounds: Uint32Array, count: number): Uint8Array {
  const flags = new Uint8Array(count);
  const [depth, height, width] = plan.size;
  const [z, y, x] = from;
  for (let i = 0; i < count; i++) {
    const at = 6 * i;
    const flat = depth === 1;
    const touches =
      bounds[at] + x === 0 ||
      bounds[at + 1] + y === 0 ||
      bounds[at + 3] + x === width ||
      bounds[at + 4] + y === height ||
      (!flat && (bounds[at + 2] + z === 0 || bounds[at + 5] + z === depth));
    flags[i] = touches ? 1 : 0;
  }
  return flags;
}

/** Indices of voxels in a block as indices in the image, both in raster order. */
function placesOf({ plan }: Context, { from, size }: Box, firsts: Float64Array): Float64Array {
  const [, height, width] = size;
  const [, rows, columns] = plan.size;
  return firsts.map((first) => {
    const x = first % width;
    const row = Math.floor(first / width);
    const y = row % height;
    const z = Math.floor(row / height);
    return ((z + from[0]) * rows + y + from[1]) * columns + x + from[2];
  });
}
