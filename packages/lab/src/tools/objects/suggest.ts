// Other settings for the picture, each with the number of its objects and a small picture of them.

import type { SuggestedChanges } from "skerry";
import { OBJECTS, type ObjectsRecipe, optionsOf } from "../../settings/objects.js";
import { callOptions, type Given } from "../tool.js";
import { findObjects } from "./run.js";

/** Longest side of a small picture, in pixels. */
const SIDE = 88;

/** Settings in place of those of the page, and their effect. */
export interface SuggestedObjects {
  readonly settings: ObjectsRecipe;
  readonly count: number;
  /** Labels of the small picture, 0 for the background, and the picture's values under them. */
  readonly small: {
    readonly width: number;
    readonly height: number;
    readonly labels: Uint32Array;
    readonly grey: Uint8Array;
  };
}

/** The settings that changes of the automatic ones make. Lengths are in units of the scale, of which a pixel has `size`. */
function settingsOf(
  { channel, smooth, flatten, split, ...changes }: SuggestedChanges,
  connectivity: 4 | 8,
  size: number,
): ObjectsRecipe {
  const { threshold = "otsu", polarity, minArea, maxArea, fillHoles, clearBorder } = changes;
  const isMean = typeof threshold === "object" && "local" in threshold && threshold.local.method !== "sauvola";
  return {
    ...OBJECTS,
    connectivity,
    method: isMean ? "mean" : threshold === "otsu" || threshold === "triangle" ? threshold : OBJECTS.method,
    local: isMean ? threshold.local.radius : OBJECTS.local,
    offset: isMean ? (threshold.local.offset ?? 0) : OBJECTS.offset,
    rule: polarity ?? OBJECTS.rule,
    channel: channel === "contrast" ? channel : OBJECTS.channel,
    smooth: typeof smooth === "number" ? smooth * size : 0,
    flatten: flatten ?? 0,
    split: typeof split === "number" ? split * size : 0,
    minArea: minArea ?? OBJECTS.minArea,
    maxArea: maxArea ?? 0,
    fillHoles: fillHoles === true,
    clearBorder: clearBorder === true,
  };
}

/** The values of the picture at every `step`-th pixel, as grey of 8 bits. */
function greyOf({ opened }: Given["resident"], width: number, height: number, step: number): Uint8Array {
  const { data, channels } = opened;
  let most = data.BYTES_PER_ELEMENT === 1 ? 255 : 1;
  if (data.BYTES_PER_ELEMENT > 1) for (const value of data) most = Math.max(most, value);
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const at = (Math.floor(i / width) * step * opened.width + (i % width) * step) * channels;
    const value = channels === 1 ? data[at] : (data[at] + 2 * data[at + 1] + data[at + 2]) / 4;
    return Math.max(0, Math.min(255, (255 * value) / most));
  });
}

/** Looks for other settings than the automatic ones. O(pixels) for each of at most four, beside the search. */
export async function suggestObjects(
  given: Given,
  { connectivity }: ObjectsRecipe,
): Promise<readonly SuggestedObjects[]> {
  const { resident, within } = given;
  const call = callOptions(given);
  const plain = optionsOf({ ...OBJECTS, connectivity });
  const { offers } = await resident.engine.suggest(await resident.image(), { ...plain, ...call, within });
  const { width, height } = resident.opened;
  const step = Math.max(1, Math.ceil(Math.max(width, height) / SIDE));
  const suggestions: SuggestedObjects[] = [];
  for (const { changes } of offers) {
    const settings = settingsOf(changes, connectivity, resident.spacing?.[0] ?? 1);
    const { components } = await findObjects(given, settings);
    try {
      const window = { x: 0, y: 0, width: Math.floor(width / step) || 1, height: Math.floor(height / step) || 1, step };
      const { data: labels, ...size } = await components.labels({ window, ...call });
      const small = {
        width: size.width,
        height: size.height,
        labels,
        grey: greyOf(resident, size.width, size.height, step),
      };
      suggestions.push({ settings, count: components.count, small });
    } finally {
      components.dispose();
    }
  }
  return suggestions;
}
