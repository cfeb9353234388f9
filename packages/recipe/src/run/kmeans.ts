// K-means colours of a recipe.

import {
  type CallOptions,
  type Engine,
  InvalidArgument,
  type KmeansOptions,
  type Mask,
  type PickedK,
  type PixelArray,
  type Raster,
  type Segmentation,
} from "skerry";
import { defined } from "skerry/internal";
import { RecipeError } from "../errors.js";
import type { Recipe } from "../fields.js";
import { optionsFor } from "./options.js";
import { inChannel, type Pixels } from "./pixels.js";

type Start = NonNullable<NonNullable<Recipe["options"]>["init"]>;

/** Classes, and for `k` "auto" the choice of their number. */
export interface Divided {
  readonly segmentation: Segmentation;
  readonly picked?: PickedK | undefined;
}

/**
 * Initial centres for a picture with this number of channels.
 * @throws RecipeError if greys are given for colours, or colours for greys
 * @example
 * import { startFor } from "@skerry/recipe";
 * console.log(startFor([[128, 128, 128]], 1)); // 128
 */
export function startFor(init: Start, channels: number): Start {
  if (typeof init === "string") return init;
  const grey = channels === 1;
  return init.map((values) => {
    const [red, green, blue] = values;
    if (values.length === (grey ? 1 : 3)) return values;
    if (values.length === 1) {
      throw new RecipeError("Expected colours #rrggbb,... as --init of a picture in colour, got greys.");
    }
    if (red !== green || red !== blue) {
      throw new RecipeError(`Expected greys as --init of a grey picture, got a colour of ${values.join(", ")}.`);
    }
    return [red];
  });
}

/** Segments a picture by k-means, then merges and absorbs classes as the recipe says. */
export async function divideColours(
  engine: Engine,
  recipe: Recipe,
  given: Pixels,
  call: CallOptions & { readonly within?: Mask | undefined },
): Promise<Divided> {
  const { within: _, ...plain } = call;
  const pixels = await inChannel(engine, recipe, given, plain);
  const { k, init, maxK = 12, absorb, merge } = recipe.options ?? {};
  const start = init === undefined ? {} : { init: startFor(init, pixels.channels ?? 1) };
  const wanted: Omit<KmeansOptions, "into"> = { ...optionsFor(recipe, "kmeans"), ...start, ...call };
  const image = pixels as Raster;
  const picked = k === "auto" ? await engine.pickK(image, { ...wanted, max: maxK } as object) : undefined;
  const asked = picked ? Math.max(1, picked.k) : (k as number | undefined);
  const divided = await engine.kmeans(image, asked === undefined ? wanted : { ...wanted, k: asked });
  const found = merge ? mergeClasses(divided, merge) : divided;
  return { segmentation: absorb === undefined ? found : await absorbAreas(engine, found, absorb), picked };
}

/** The class at a pixel; undefined for a pixel without a class. */
function classAt(
  { data, width, height, depth, k }: Segmentation,
  [x, y, z = 0]: readonly number[],
): number | undefined {
  if (!(x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth)) {
    const size = `${width} x ${height}${depth > 1 ? ` x ${depth}` : ""}`;
    throw new InvalidArgument(`Expected pixels of classes within ${size}, got ${[x, y, ...(depth > 1 ? [z] : [])]}.`, {
      argument: "merge",
    });
  }
  const index = data[x + width * (y + height * z)];
  return index < k ? index : undefined;
}

/**
 * Merges classes: each list of pixels merges the classes of these pixels into one, whose colour is their mean, weighted by
 * pixels. Classes are renumbered by decreasing number of pixels.
 * @example
 * import { mergeClasses } from "@skerry/recipe";
 * const classes = await engine.kmeans(photo, { k: 4 });
 * const merged = mergeClasses(classes, [[[10, 10], [0, 0]]]); // the classes of these two pixels become one
 * console.log(merged.k);
 */
export function mergeClasses(
  segmentation: Segmentation,
  lists: readonly (readonly (readonly number[])[])[],
): Segmentation {
  const { k, counts, palette, centres, data } = segmentation;
  const into = Array.from({ length: k }, (_, i) => i);
  const rootOf = (index: number): number => (into[index] === index ? index : rootOf(into[index]));
  for (const list of lists) {
    const classes = list.map((at) => classAt(segmentation, at)).filter((each) => each !== undefined);
    for (const each of classes) {
      const [a, b] = [rootOf(classes[0]), rootOf(each)];
      into[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const roots = into.map((_, i) => rootOf(i));
  const pixels = new Float64Array(k);
  roots.forEach((root, i) => {
    pixels[root] += counts[i];
  });
  const kept = [...new Set(roots)].sort((a, b) => pixels[b] - pixels[a] || a - b);
  const mean = <T extends Uint8Array | Float64Array>(values: T, into: T, isWhole: boolean): T => {
    const channels = values.length / k;
    for (const [to, root] of kept.entries()) {
      for (let c = 0; c < channels; c++) {
        let sum = 0;
        roots.forEach((rootIndex, i) => {
          if (rootIndex === root) sum += values[i * channels + c] * counts[i];
        });
        const value = sum / Math.max(1, pixels[root]);
        into[to * channels + c] = isWhole ? Math.round(value) : value;
      }
    }
    return into;
  };
  const numbers = new Uint8Array(256).fill(255);
  roots.forEach((root, i) => {
    numbers[i] = kept.indexOf(root);
  });
  return {
    ...segmentation,
    data: data.map((index) => numbers[index]),
    k: kept.length,
    counts: Uint32Array.from(kept, (root) => pixels[root]),
    palette: mean(palette, new Uint8Array((palette.length / k) * kept.length), true),
    centres: mean(centres, new Float64Array((centres.length / k) * kept.length), false),
  };
}

/**
 * The mask of all pixels in the classes of some pixels.
 * @example
 * import { maskOfClasses } from "@skerry/recipe";
 * const classes = await engine.kmeans(photo, { k: 4 });
 * const mask = maskOfClasses(classes, [[10, 10]]);
 */
export function maskOfClasses(segmentation: Segmentation, pick: readonly (readonly number[])[]): Mask {
  const { data, width, height, depth } = segmentation;
  const picked = new Uint8Array(256);
  for (const at of pick) {
    const index = classAt(segmentation, at);
    if (index !== undefined) picked[index] = 1;
  }
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  for (let row = 0, at = 0; row < height * depth; row++) {
    for (let x = 0; x < width; x++, at++) {
      const word = row * words + (x >>> 5);
      bits[word] = bits[word] | (picked[data[at]] << (x & 31));
    }
  }
  return defined({ bits, width, height, depth: depth > 1 ? depth : undefined });
}

/**
 * Gives each area of fewer than `minArea` pixels to the neighbour with the longest common border, and counts the pixels of each
 * class again.
 * @example
 * import { absorbAreas } from "@skerry/recipe";
 * const classes = await engine.kmeans(photo, { k: 4 });
 * const smooth = await absorbAreas(engine, classes, 20);
 */
export async function absorbAreas(engine: Engine, segmentation: Segmentation, minArea: number): Promise<Segmentation> {
  const background = segmentation.transparent > 0 ? 255 : null;
  const areas = await engine.components(segmentation, { by: "value", background });
  const left = await areas.absorb({ minArea }).finally(() => areas.dispose());
  try {
    const { value } = await left.regions({ properties: ["area"] });
    const { data: labels } = await left.labels();
    const counts = new Uint32Array(segmentation.counts.length);
    const data = Uint8Array.from(labels, (label) => (label ? (value as PixelArray)[label - 1] : 255));
    data.forEach((name) => {
      if (name < counts.length) counts[name] = counts[name] + 1;
    });
    return { ...segmentation, data, counts };
  } finally {
    left.dispose();
  }
}
