// K-means colours as a recipe tells.

import type { CallOptions, Engine, KmeansOptions, Mask, PickedK, PixelArray, Raster, Segmentation } from "skerry";
import { RecipeError } from "../errors.js";
import type { Recipe } from "../fields.js";
import { optionsFor } from "./options.js";
import type { Pixels } from "./pixels.js";

type Start = NonNullable<NonNullable<Recipe["options"]>["init"]>;

/** Classes, and how their number was chosen. */
export interface Divided {
  readonly segmentation: Segmentation;
  readonly picked?: PickedK | undefined;
}

/** Centres to begin with as a picture of so many channels has them. */
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

/** Divides the colours of a picture. */
export async function divideColours(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  call: CallOptions & { readonly within?: Mask | undefined },
): Promise<Divided> {
  const { k, init, maxK = 12, absorb } = recipe.options ?? {};
  const start = init === undefined ? {} : { init: startFor(init, pixels.channels ?? 1) };
  const wanted: Omit<KmeansOptions, "into"> = { ...optionsFor(recipe, "kmeans"), ...start, ...call };
  const image = pixels as Raster;
  const picked = k === "auto" ? await engine.pickK(image, { ...wanted, max: maxK } as object) : undefined;
  const asked = picked ? Math.max(1, picked.k) : (k as number | undefined);
  const found = await engine.kmeans(image, { ...wanted, ...(asked === undefined ? {} : { k: asked }) });
  return { segmentation: absorb === undefined ? found : await absorbAreas(engine, found, absorb), picked };
}

/** Classes whose areas of fewer pixels went to the neighbour with the longest border, with the pixels of each counted anew. */
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
