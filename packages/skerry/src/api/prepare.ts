// Preparation before the first image: every requested call runs on a small raster, on each device. This starts the workers and
// compiles the kernels.

import { newPixels, type Shape } from "../core/pixels.js";
import { oneOf, show, unexpected } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import { TYPES } from "../options/pixels.js";
import type { CallOptions } from "../types/calls.js";
import type { ComponentsOptions } from "../types/components.js";
import type { DistanceOptions } from "../types/distance.js";
import { InvalidArgument } from "../types/errors.js";
import type { FillOptions, WandOptions } from "../types/fill.js";
import type { KmeansOptions } from "../types/kmeans.js";
import type { PreparedCall, PrepareOptions } from "../types/prepare.js";
import type { Connectivity, Image, Raster } from "../types/raster.js";
import type { Components } from "./components.js";
import type { Wand } from "./wand.js";

/** Size of the raster that prepares calls: large enough that workers start. */
const [WIDTH, HEIGHT, DEPTH] = [512, 256, 4];

/** The calls of an engine that can be prepared. */
interface Prepared {
  components(image: Image, options: ComponentsOptions): Promise<Components>;
  fill(image: Image, options: FillOptions): Promise<Components>;
  distance(image: Image, options: DistanceOptions & { into?: Float32Array }): Promise<unknown>;
  kmeans(image: Image, options: KmeansOptions & { into?: Uint8Array }): Promise<unknown>;
  wand(image: Image, options: WandOptions): Promise<Wand>;
  histogram(image: Image, options: CallOptions): Promise<unknown>;
}

const CALLS: Readonly<Record<PreparedCall, (engine: Prepared, image: Image, signal: CallOptions) => Promise<void>>> = {
  components: async (engine, image, signal) => {
    const connectivities: Connectivity[] = image.depth > 1 ? [6, 26] : [4, 8];
    for (const connectivity of connectivities) {
      await readAll(await engine.components(image, { ...signal, threshold: { above: 1 }, connectivity }), signal);
    }
    await readAll(await engine.components(image, { ...signal, threshold: "otsu" }), signal);
  },
  fill: async (engine, image, signal) => {
    const seeds = [image.depth > 1 ? ([0, 0, 0] as const) : ([0, 0] as const)];
    await readAll(await engine.fill(image, { ...signal, seeds, tolerance: 1 }), signal);
  },
  distance: async (engine, image, signal) => {
    await engine.distance(image, { ...signal, threshold: { above: 1 } });
  },
  kmeans: async (engine, image, signal) => {
    await engine.kmeans(image, { ...signal, k: 3 });
  },
  wand: async (engine, image, signal) => {
    const wand = await engine.wand(image, { ...signal, seeds: [[0, 0]] });
    await readAll(await wand.at(1, signal), signal);
    wand.dispose();
  },
  histogram: async (engine, image, signal) => {
    await engine.histogram(image, signal);
  },
};

async function readAll(found: Components, signal: CallOptions): Promise<void> {
  await found.regions(signal);
  await found.labels(signal);
  await found.runs(signal);
  await found.mask(signal);
  found.dispose();
}

/** Checks the names and the options, and returns the raster that prepares the calls. */
export function planPrepare(calls: readonly PreparedCall[], options: PrepareOptions): Raster {
  checkOptions("prepare", options);
  if (!Array.isArray(calls)) throw unexpected("calls", "a list of names", calls);
  for (const name of calls) {
    if (Object.hasOwn(CALLS, name)) continue;
    const known = Object.keys(CALLS).join(", ");
    throw new InvalidArgument(`Expected calls that can be prepared (${known}), got ${show(name)}.`, {
      argument: "calls",
    });
  }
  const { type = "u8", channels = 1, volume = false } = options;
  oneOf("type", type, TYPES);
  if (![1, 3, 4].includes(channels)) throw unexpected("channels", "1, 3 or 4", channels);
  const size = { width: WIDTH, height: HEIGHT, depth: volume ? DEPTH : 1 };
  const shape: Shape = { ...size, channels, type };
  const data = newPixels(shape.type, size.width * size.height * size.depth * channels);
  // A few objects of a few colours: squares of 16 pixels on a grid of 32.
  for (let i = 0; i < data.length; i++) {
    const pixel = Math.floor(i / channels);
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH) % HEIGHT];
    data[i] = x % 32 < 16 && y % 32 < 16 ? 2 + ((x >> 5) % 5) : 0;
  }
  return { data, ...size, channels };
}

/** Prepares each call on each image, and reports progress after each. */
export async function prepareCalls(
  engine: Prepared,
  images: readonly Image[],
  calls: readonly PreparedCall[],
  { signal, onProgress }: PrepareOptions,
): Promise<void> {
  const options = signal ? { signal } : {};
  const total = images.length * calls.length;
  let done = 0;
  for (const image of images) {
    for (const name of calls) {
      await CALLS[name](engine, image, options);
      done++;
      onProgress?.({ stage: "prepare", done, total, fraction: done / total });
    }
  }
}
