// Slices of a volume as one image: along the line of sight through each pixel its largest value, or the mean. An image of it has a size and a
// unit, but lies in no slice.

import type { PixelArray, Raster, Source } from "skerry";
import { defined, type Projection } from "skerry/internal";
import { ARRAYS, typeOfArray } from "./bytes.js";
import { UsageError } from "./errors.js";
import type { Ids } from "./integers.js";
import type { Space } from "./space.js";

/** Values of slices that are read at a time. */
const MOST_VALUES = 2 ** 22;
/** Memory in which an image is projected once, and kept, by default: the engine reads an image in bands, and packed slices as wholes. */
const MOST_BYTES = 2 ** 30;

type Call = Parameters<Source["read"]>[5];
type Pixels = (Raster & { readonly channels?: number | undefined }) | Source;

/**
 * The Space of a projection. The place of a patient is left out, since slices of several heights are in it; a stage and a map keep theirs
 * across the image.
 */
export function spaceOfProjection(space: Space, page: Projection): Space {
  const [x, y, z, ...others] = space.axes;
  const { size } = z;
  const { toWorld, crs, ...rest } = space;
  const isAcross = toWorld !== undefined && crs?.kind !== "patient" && toWorld[0][2] === 0 && toWorld[1][2] === 0;
  return defined({
    ...rest,
    axes: [x, y, { ...z, size: 1 }, ...others.filter(({ name }) => name !== "page"), { name: "page", size }],
    toWorld: isAcross ? toWorld : undefined,
    crs: isAcross ? crs : undefined,
    taken: { ...space.taken, page },
  }) as Space;
}

/**
 * A projection of a volume, with its Space.
 * @throws UsageError for an image of one slice, and for a mean of ids
 */
export function projected(
  { pixels, space, ids }: { readonly pixels: Pixels; readonly space: Space; readonly ids?: Ids | undefined },
  how: Projection,
  name: string,
  most?: number,
): { readonly pixels: Source; readonly space: Space } {
  if (how === "mean" && ids)
    throw new UsageError(`Expected --page largest for ${name}, whose values are ids: they have no mean.`);
  return { pixels: projectionOf(pixels, how, name, most), space: spaceOfProjection(space, how) };
}

/**
 * The pixels of a projection, read from the slices when they are asked for. No value along z counts that is `nodata` or NaN. Means are f32,
 * from sums of 64 bits; a pixel without any value is `nodata`, in means NaN, since a mean may be the number of `nodata`. `most` are the bytes
 * in which the whole image is computed at once, if it fits.
 * @throws UsageError for an image of one slice
 */
export function projectionOf(pixels: Pixels, how: Projection, name: string, most = MOST_BYTES): Source {
  const { width, height, depth = 1, channels = 1 } = pixels;
  if (depth === 1)
    throw new UsageError(`Expected --page ${how} for a volume or a file of several pages, got ${name}, which has one.`);
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  const rowValues = width * channels;
  const isMean = how === "mean";
  let told = pixels.nodata;
  /** Bytes per value: the sum, the count, the result, and the slice that is read. */
  const workBytes = (isMean ? 12 : 4) + 2 * ARRAYS[type].BYTES_PER_ELEMENT;
  const source = "data" in pixels ? sourceOf(pixels) : pixels;

  async function project(y0: number, y1: number, into: PixelArray, call: Call): Promise<void> {
    const nodata = type === "f32" && told !== undefined ? Math.fround(told) : told;
    const values = (y1 - y0) * rowValues;
    const sums = new Float64Array(isMean ? values : 0);
    const counts = new Uint32Array(values);
    // Several slices are read together only where their rows are whole.
    const isWhole = y0 === 0 && y1 === height;
    const slices = isWhole ? Math.max(1, Math.min(depth, Math.floor(MOST_VALUES / values))) : 1;
    const several: PixelArray = new ARRAYS[type](slices * values);
    for (let z = 0; z < depth; z += slices) {
      call.signal?.throwIfAborted();
      const end = Math.min(depth, z + slices);
      const rows = several.subarray(0, (end - z) * values);
      await source.read(z, end, y0, y1, rows, call);
      for (let from = 0; from < rows.length; from += values) {
        for (let i = 0; i < values; i++) {
          const value = rows[from + i];
          if (value === nodata || Number.isNaN(value)) continue;
          if (isMean) sums[i] += value;
          else if (counts[i] === 0 || value > into[i]) into[i] = value;
          counts[i]++;
        }
      }
    }
    for (let i = 0; i < values; i++) {
      if (counts[i] === 0) into[i] = isMean ? Number.NaN : (nodata ?? Number.NaN);
      else if (isMean) into[i] = sums[i] / counts[i];
    }
  }

  let kept: Promise<PixelArray> | undefined;
  async function whole(call: Call): Promise<PixelArray> {
    const data: PixelArray = new ARRAYS[isMean ? "f32" : type](height * rowValues);
    await project(0, height, data, call);
    return data;
  }

  const read: Source["read"] = async (_z0, _z1, y0, y1, into, call) => {
    if (height * rowValues * workBytes > most) return project(y0, y1, into, call);
    kept ??= whole(call);
    const data = await kept.catch((error) => {
      // An aborted call leaves nothing behind.
      kept = undefined;
      throw error;
    });
    into.set(data.subarray(y0 * rowValues, y1 * rowValues));
  };
  return {
    width,
    height,
    depth: 1,
    channels,
    type: isMean ? "f32" : type,
    // Commands tell it of OME-Zarr once it is open.
    get nodata() {
      return isMean ? undefined : told;
    },
    set nodata(value) {
      told = value;
    },
    read,
  } as Source;
}

/** Pixels in memory, read as those of a file. */
function sourceOf({
  data,
  width,
  height,
  depth = 1,
  channels = 1,
}: Raster & { readonly channels?: number | undefined }): Source {
  const rowValues = width * channels;
  return {
    width,
    height,
    depth,
    channels,
    type: typeOfArray(data),
    read(z0, z1, y0, y1, into) {
      for (let z = z0, to = 0; z < z1; z++, to += (y1 - y0) * rowValues) {
        into.set(data.subarray((z * height + y0) * rowValues, (z * height + y1) * rowValues), to);
      }
    },
  };
}
