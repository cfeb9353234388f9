// Fills of a picture under a recipe. Strokes are applied one after another: each begins a new selection, adds to it or
// removes from it.

import { strokesThatCount } from "@skerry/recipe/internal";
import type { Components, Mask, Timing } from "skerry";
import { defined } from "skerry/internal";
import {
  type Coat,
  comparisonOf,
  type FillRecipe,
  type FillSettings,
  fillOptionsOf,
  rgbOf,
  type Stroke,
} from "../../settings/fill.js";
import { TEXT } from "../../words/text.js";
import { addTimings, areaOf, callOptions, type Given, type Result, wholeOf } from "../tool.js";

export interface Filled {
  readonly mask: Mask;
  readonly stages: readonly Timing[];
}

/** The selection and the paint, and how the view draws them. */
export async function showFills(given: Given, fill: FillRecipe): Promise<Result> {
  const coats: { mask: Mask; colour: readonly [number, number, number] }[] = [];
  for (const coat of fill.coats) {
    coats.push({ mask: await paintedBy(given, coat), colour: rgbOf(coat.colour) });
  }
  const filled = fill.strokes.length > 0 ? await fillStrokes(given, fill, fill.strokes) : undefined;
  const count = filled ? areaOf(filled.mask) : 0;
  return {
    found: {
      headline: { value: count, unit: TEXT.pixels(count), kind: "area" },
      covered: count / Math.max(1, wholeOf(given)),
    },
    stages: filled?.stages ?? [],
    content: { kind: "marks", selected: filled?.mask, coats },
    left: ["ants"],
    right: ["paint", "ants"],
    dispose: () => undefined,
  };
}

const PAINTED = "fill: painted";

/** The pixels of a coat. They are cached with the picture, unless there is a fence. */
async function paintedBy(given: Given, coat: Coat): Promise<Mask> {
  const make = async (): Promise<Mask> => (await fillStrokes(given, coat, coat.strokes)).mask;
  if (given.within) return make();
  const { kept } = given.resident;
  const known = (kept.get(PAINTED) ?? new Map()) as Map<string, Mask>;
  kept.set(PAINTED, known);
  const key = JSON.stringify(coat);
  const mask = known.get(key) ?? (await make());
  known.set(key, mask);
  return mask;
}

/** The result of the strokes before the last one, kept with the picture while the last one is dragged. */
interface Before {
  readonly key: string;
  readonly bits: Uint32Array;
}
const KEPT = "fill: before the last stroke";

/** Makes the selection of some strokes. */
export async function fillStrokes(given: Given, settings: FillSettings, strokes: readonly Stroke[]): Promise<Filled> {
  const { resident, within } = given;
  const { width, height } = resident.opened;
  const before = resident.kept.get(KEPT) as Before | undefined;
  const stages: Timing[] = [];
  const words = Math.ceil(width / 32) * height;
  const list = strokesThatCount(strokes);
  const keyOf = (part: readonly Stroke[]): string => JSON.stringify([comparisonOf(settings), part]);
  const held = list.slice(0, -1);
  const start = before && before.key === keyOf(held) && !within ? held.length : 0;
  let bits: Uint32Array = start > 0 && before ? before.bits.slice() : new Uint32Array(words);
  for (const [i, stroke] of list.entries()) {
    if (i < start) continue;
    if (!within && i === list.length - 1 && i > 0) resident.kept.set(KEPT, { key: keyOf(held), bits: bits.slice() });
    const filled = await fillOnce(given, settings, stroke, stages);
    if (stroke.mode === "new") bits = filled;
    else if (stroke.mode === "add") for (let k = 0; k < words; k++) bits[k] = bits[k] | filled[k];
    else for (let k = 0; k < words; k++) bits[k] = bits[k] & ~filled[k];
  }
  return { mask: { bits, width, height }, stages };
}

async function fillOnce(given: Given, settings: FillSettings, stroke: Stroke, stages: Timing[]): Promise<Uint32Array> {
  const { resident, within } = given;
  const image = await resident.seen();
  const components = await resident.engine.fill(
    image,
    defined({ ...fillOptionsOf(settings, stroke), ...callOptions(given), within }),
  );
  addTimings(stages, resident.engine.timings);
  try {
    return (await components.mask(callOptions(given))).bits;
  } finally {
    components.dispose();
  }
}

/** The selection as components, for saving. */
export function componentsOf({ resident }: Given, { mask }: Filled, connectivity: 4 | 8): Promise<Components> {
  return resident.engine.components(mask, { connectivity });
}

/** Pixels at each tolerance of 0 to 255 from one place; undefined if the picture is not 8-bit. */
export async function areasOf(
  given: Given,
  { connectivity }: FillSettings,
  x: number,
  y: number,
): Promise<Float64Array | undefined> {
  const { resident } = given;
  if (!(resident.opened.data instanceof Uint8Array)) return undefined;
  const wand = await resident.engine.wand(await resident.seen(), {
    seeds: [[x, y]],
    connectivity,
    ...callOptions(given),
  });
  try {
    return await wand.areas(callOptions(given));
  } finally {
    wand.dispose();
  }
}
