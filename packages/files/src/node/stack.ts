// A folder of pictures as a volume: slices of one size in the order of their names.

import { extname, join } from "node:path";
import type { PixelArray, Raster } from "skerry";
import { FileError, UsageError } from "../errors.js";
import { rasterOf } from "./picture.js";
import type { Input, Reader } from "./reader.js";

/** The reader of folders of pictures with one of these endings. */
export function stackOf(endings: () => readonly string[]): Reader {
  const isPicture = (name: string): boolean => endings().includes(extname(name).toLowerCase());
  return {
    name: "a folder of pictures",
    endings: [],
    sniff: (start) => start.kind === "folder" && start.names.some(isPicture),
    open: async (input, { volume }) => {
      if (!volume) {
        throw new UsageError(
          `Expected --volume for ${input.shown}, a folder of pictures, to read them as slices of one volume.`,
        );
      }
      const pictures = input.names.filter(isPicture);
      const others = input.names.length - pictures.length;
      const pixels = await stack(
        pictures.map((name) => join(input.path, name)),
        input.open,
      );
      const about = { format: `a folder of ${pictures.length} pictures`, channels: pixels.channels };
      return { pixels, about, notes: () => (others > 0 ? [`${input.shown}: ${others} other files are left out`] : []) };
    },
  };
}

/** Pictures of one size and kind on top of each other. */
async function stack(paths: readonly string[], open: Input["open"]): Promise<Raster & { channels: number }> {
  let first: (Raster & { channels: number }) | undefined;
  let data: PixelArray | undefined;
  for (const [z, path] of paths.entries()) {
    const picture = await open(path);
    const slice = await rasterOf(picture).finally(() => picture.close());
    first ??= slice;
    const same =
      slice.width === first.width &&
      slice.height === first.height &&
      slice.channels === first.channels &&
      slice.data.constructor === first.data.constructor;
    if (!same || (slice.depth ?? 1) > 1) {
      throw new FileError(
        `Expected the slices of a stack to be of one size and type, got ${slice.width} x ${slice.height} x ${slice.channels} in ${path} beside ${first.width} x ${first.height} x ${first.channels}.`,
      );
    }
    const length = slice.data.length;
    data ??= new (slice.data.constructor as new (length: number) => PixelArray)(length * paths.length);
    data.set(slice.data, z * length);
  }
  // The nodata of the first slice applies to all.
  return { ...(first as Raster & { channels: number }), data: data as PixelArray, depth: paths.length };
}
