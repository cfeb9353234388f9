// Fills of a picture under a recipe. Strokes are applied one after another: each begins a new selection, adds to it or
// takes away from it.

import { strokesThatCount } from "@skerry/recipe";
import type { Components, FillOptions, Mask, Timing } from "skerry";
import type { FillSettings, Stroke } from "../state/recipe.js";
import { addTimings, callOptions, type Given } from "./tool.js";

export interface Filled {
  readonly mask: Mask;
  /** Pixels that are selected. */
  readonly area: number;
  readonly milliseconds: number;
  readonly stages: readonly Timing[];
}

/** The library's options for a stroke. */
export function fillOptionsOf(
  { range, metric, connectivity, average, contiguous }: FillSettings,
  { x, y, tolerance }: Stroke,
): FillOptions {
  return {
    seeds: [[x, y]],
    tolerance,
    ...(metric === "linf" ? {} : { metric }),
    ...(range === "fixed" ? {} : { range }),
    ...(connectivity === 4 ? {} : { connectivity }),
    ...(average === 1 ? {} : { average }),
    ...(contiguous ? {} : { contiguous }),
  };
}

/** The result of the strokes before the last one, kept while that one is dragged. */
let before: { readonly key: string; readonly bits: Uint32Array } | undefined;

/** Drops the kept result, for another picture. */
export function forgetFills(): void {
  before = undefined;
}

/** Makes the selection of some strokes. */
export async function fillStrokes(given: Given, settings: FillSettings, strokes: readonly Stroke[]): Promise<Filled> {
  const { resident, within } = given;
  const { width, height } = resident.opened;
  const begin = performance.now();
  const stages: Timing[] = [];
  const words = Math.ceil(width / 32) * height;
  const list = strokesThatCount(strokes);
  const keyOf = (part: readonly Stroke[]): string =>
    JSON.stringify([resident.opened.name, width, height, within?.bits.length, settings, part]);
  const held = list.slice(0, -1);
  const start = before && before.key === keyOf(held) && !within ? held.length : 0;
  let bits: Uint32Array = start > 0 && before ? before.bits.slice() : new Uint32Array(words);
  for (const [i, stroke] of list.entries()) {
    if (i < start) continue;
    if (i === list.length - 1 && i > 0) before = { key: keyOf(held), bits: bits.slice() };
    const filled = await fillOnce(given, settings, stroke, stages);
    if (stroke.mode === "new") bits = filled;
    else if (stroke.mode === "add") for (let k = 0; k < words; k++) bits[k] = bits[k] | filled[k];
    else for (let k = 0; k < words; k++) bits[k] = bits[k] & ~filled[k];
  }
  const mask = { bits, width, height };
  return { mask, area: areaOf(bits), milliseconds: performance.now() - begin, stages };
}

async function fillOnce(given: Given, settings: FillSettings, stroke: Stroke, stages: Timing[]): Promise<Uint32Array> {
  const { resident, within } = given;
  const image = await resident.image();
  const components = await resident.engine.fill(image, {
    ...fillOptionsOf(settings, stroke),
    ...callOptions(given),
    ...(within ? { within } : {}),
  });
  addTimings(stages, resident.engine.timings);
  try {
    return (await components.mask(callOptions(given))).bits;
  } finally {
    components.dispose();
  }
}

/** Set bits of 32 at a time: pairs, nibbles and bytes are added up in place, 0b1011 -> 0b10_01 -> 3. */
export function areaOf(bits: Uint32Array): number {
  let area = 0;
  for (let i = 0; i < bits.length; i++) {
    let n = bits[i];
    n -= (n >>> 1) & 0x55555555;
    n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
    area += Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return area;
}

/** The selection as components, for saving. */
export function componentsOf({ resident }: Given, { mask }: Filled, connectivity: 4 | 8): Promise<Components> {
  return resident.engine.components(mask, { connectivity });
}

/** Pixels at each tolerance of 0 to 255 from one place; undefined where no wand can be had. */
export async function areasOf(
  given: Given,
  { connectivity }: FillSettings,
  x: number,
  y: number,
): Promise<Float64Array | undefined> {
  const { resident } = given;
  if (!(resident.opened.data instanceof Uint8Array)) return undefined;
  const wand = await resident.engine.wand(await resident.image(), {
    seed: [x, y],
    connectivity,
    ...callOptions(given),
  });
  try {
    return await wand.areas(callOptions(given));
  } finally {
    wand.dispose();
  }
}

/** Red, green and blue of #rrggbb. */
export function rgbOf(colour: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
}
