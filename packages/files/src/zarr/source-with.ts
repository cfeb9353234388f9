// Sources over images in Zarr that are open, wherever chunks are decoded.

import { UsageError } from "../errors.js";
import type { Jobs } from "./jobs.js";
import type { OpenedImage } from "./open.js";
import { type Bounds, Rows, type ZarrSource } from "./rows.js";
import { type Selected, selectOf, type ZarrBox, type ZarrSourceOptions } from "./select.js";

/**
 * A Source over an image, whose chunks `pool` decodes.
 * @throws UsageError, ZarrError as zarrSource
 */
export async function sourceWith(image: OpenedImage, options: ZarrSourceOptions, pool: Jobs): Promise<ZarrSource> {
  const { level = 0, box } = options;
  const array = await image.array(level, { signal: options.signal });
  const selected = selectOf(image, array, options);
  const bounds = boundsOf(selected, box, image.store.url);
  const source = new Rows(image, array, level, selected, bounds, options, pool);
  source.checkMemory();
  const isBig = array.dataType === "uint64" || array.dataType === "int64";
  if (options.ids && isBig) await source.listIds();
  return source;
}

function boundsOf({ width, height, depth }: Selected, box: ZarrBox | undefined, shown: string): Bounds {
  if (!box) return { from: [0, 0, 0], to: [depth, height, width] };
  const { x, y, z = 0, depth: slices = depth === 1 ? 1 : depth - z } = box;
  const from = [z, y, x] as const;
  const to = [z + slices, y + box.height, x + box.width] as const;
  const size = [depth, height, width];
  const holds = from.every(
    (at, i) => Number.isInteger(at) && at >= 0 && Number.isInteger(to[i]) && to[i] > at && to[i] <= size[i],
  );
  if (holds) return { from, to };
  const sides = depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
  throw new UsageError(
    `Expected a box inside ${shown}, which has ${sides} pixels, got ${[x, y, z, box.width, box.height, slices].join(",")}.`,
  );
}
