// A Gaussian over a picture or a volume, slice by slice as slices are asked for; mirrored at the borders and cut at four
// standard deviations, as scipy.ndimage.gaussian_filter does.

import { ARRAYS } from "@skerry/files";
import type { PixelArray, Source } from "skerry";
import { type Picture, sizeOf } from "./readers.js";

/** The weights of pixels up to four standard deviations away, which add up to 1. */
function weightsOf(sigma: number): Float64Array {
  const radius = Math.floor(4 * sigma + 0.5);
  const weights = Float64Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((w) => w / sum);
}

/** The place beyond a border, mirrored: -1 is 0, n is n - 1. */
function mirrored(i: number, n: number): number {
  const period = 2 * n;
  const at = ((i % period) + period) % period;
  return at < n ? at : period - 1 - at;
}

/** Bytes of the slices that are kept. */
export function smoothBytes(picture: Picture, sigma: number): number {
  const { width, height, depth } = sizeOf(picture);
  const slices = depth > 1 ? 2 * Math.floor(4 * sigma + 0.5) + 1 : 1;
  return (Math.min(slices, depth) + 3) * width * height * 4;
}

/** The picture's luma smoothed by `sigma` pixels along each axis, as f32. */
export function smoothed(picture: Picture, sigma: number): Source {
  const { width, height, depth } = sizeOf(picture);
  const weights = weightsOf(sigma);
  const radius = weights.length >> 1;
  const { pixels } = picture;
  const channels = pixels.channels ?? 1;
  const raw = "data" in pixels ? undefined : new ARRAYS[pixels.type](width * height);
  const planes = new Map<number, Float32Array>();
  const line = new Float64Array(Math.max(width, height) + 2 * radius);
  const result = new Float32Array(width * height);
  let ready = -1;

  const sliceOf = async (z: number): Promise<PixelArray> => {
    if ("data" in pixels)
      return pixels.data.subarray(z * width * height * channels, (z + 1) * width * height * channels) as PixelArray;
    await pixels.read(z, z + 1, 0, height, raw as PixelArray, {});
    return raw as PixelArray;
  };
  const along = (plane: Float32Array, from: number, step: number, count: number): void => {
    for (let i = -radius; i < count + radius; i++) line[i + radius] = plane[from + mirrored(i, count) * step];
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let k = 0; k < weights.length; k++) sum += line[i + k] * weights[k];
      plane[from + i * step] = sum;
    }
  };
  /** A slice smoothed along x and y. */
  const planeOf = async (z: number): Promise<Float32Array> => {
    const known = planes.get(z);
    if (known) return known;
    // The slice that was asked for longest ago gives its memory.
    const [oldest] = planes.size > 2 * radius ? planes.keys() : [];
    const plane = oldest === undefined ? new Float32Array(width * height) : (planes.get(oldest) as Float32Array);
    if (oldest !== undefined) planes.delete(oldest);
    const slice = await sliceOf(z);
    for (let i = 0; i < plane.length; i++) {
      const at = i * channels;
      const [r, g, b] = [slice[at], slice[at + 1], slice[at + 2]];
      plane[i] = channels > 1 ? Math.floor((77 * r + 150 * g + 29 * b + 128) / 256) : r;
    }
    for (let y = 0; y < height; y++) along(plane, y * width, 1, width);
    for (let x = 0; x < width; x++) along(plane, x, width, height);
    planes.set(z, plane);
    return plane;
  };
  const make = async (z: number): Promise<void> => {
    if (z === ready) return;
    if (depth === 1) result.set(await planeOf(0));
    else {
      result.fill(0);
      for (let k = -radius; k <= radius; k++) {
        const plane = await planeOf(mirrored(z + k, depth));
        const weight = weights[k + radius];
        for (let i = 0; i < result.length; i++) result[i] = result[i] + weight * plane[i];
      }
    }
    ready = z;
  };
  return {
    ...{ width, height, depth, type: "f32" as const, channels: 1 },
    ...(pixels.spacing ? { spacing: pixels.spacing } : {}),
    async read(z0, z1, y0, y1, into) {
      for (let z = z0; z < z1; z++) {
        await make(z);
        (into as Float32Array).set(result.subarray(y0 * width, y1 * width), (z - z0) * height * width);
      }
    },
  };
}
