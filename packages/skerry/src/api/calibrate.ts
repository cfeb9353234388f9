// Measures both devices of an engine, so that `auto` chooses between them by what they take on this machine. Each kind of work runs on
// pictures of a few sizes, on both devices in turn, from arrays to arrays, while no call of the engine runs: the size from which the GPU is
// faster is looked for by halves.

import { type Compared, crossing, type MeasuredWork } from "../device/speeds.js";
import type { Raster } from "../types/raster.js";
import type { Engine } from "./engine.js";

/** Sides of the pictures; a GPU that is not faster at the largest is never chosen. */
const SIDES = [64, 128, 256, 512, 1024, 2048] as const;
/**
 * A device does each picture so often and for so long, in milliseconds, before it is timed: threads begin, code is compiled, and a GPU
 * makes buffers meanwhile.
 */
const COLD_CALLS = 2;
const WARM_MILLISECONDS = 100;
/** Then it does the picture at least so often and for so long; the median counts. */
const LEAST_CALLS = 5;
const LEAST_MILLISECONDS = 30;
/** A GPU whose second call of the smallest picture takes longer, such as one in software, is not asked for others. */
const TOO_LONG_MILLISECONDS = 40;
/** A GPU that takes longer, and so many times as long as the CPU, does a picture twice. */
const CLEAR_RATIO = 4;

/** A kind of work as its callers do it. */
const WORK: Readonly<Record<MeasuredWork, (engine: Engine, picture: Raster) => Promise<unknown>>> = {
  components: async (engine, picture) => {
    const found = await engine.components(picture);
    await found.regions().finally(() => found.dispose());
  },
  distance: (engine, picture) => engine.distance(picture),
  kmeans: (engine, picture) => engine.kmeans(picture, { k: 16, maxIterations: 20 }),
  smooth: async (engine, picture) => {
    const soft = await engine.smooth(picture, { sigma: 2 });
    // A GPU may not have begun when the image is there.
    await soft.toRaster().finally(() => soft.dispose());
  },
};

/** Random values in blocks of `block` x `block` pixels, half of them 0, from a seed: between smooth pictures and noise. */
function pictureOf(side: number, block: number, channels: number): Raster {
  const pitch = side * channels;
  const data = new Uint8Array(side * pitch);
  let state = 12345;
  for (let y = 0; y < side; y += block) {
    for (let x = 0; x < pitch; x += block) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const value = state >>> 31 ? (state >>> 23) & 255 : 0;
      for (let row = y; row < y + block; row++) data.fill(value, row * pitch + x, row * pitch + x + block);
    }
  }
  return { data, width: side, height: side, channels };
}

/** Photographs have about as many colours as pixels. */
const pictureFor = (work: MeasuredWork, side: number): Raster =>
  work === "kmeans" ? pictureOf(side, 1, 3) : pictureOf(side, 4, 1);

/** Both devices, as engines of their own. */
type Engines = Readonly<Record<"cpu" | "gpu", Engine>>;
/** Runs a timed call when nothing disturbs it, and again if something did. */
type Undisturbed = (work: () => Promise<number>) => Promise<number>;

/** The time of a call on a picture, in milliseconds. */
type Timed = (device: keyof Engines, picture: Raster) => Promise<number>;

const timedCall =
  (work: MeasuredWork, engines: Engines, undisturbed: Undisturbed): Timed =>
  (device, picture) =>
    undisturbed(async () => {
      const begin = performance.now();
      await WORK[work](engines[device], picture);
      return performance.now() - begin;
    });

/** The median of warm calls that follow each other; or the second call, if it takes more than `most` milliseconds. */
async function timeOf(
  timed: Timed,
  device: keyof Engines,
  picture: Raster,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  for (let spent = 0, calls = 0; calls < COLD_CALLS || spent < WARM_MILLISECONDS; calls++) {
    const took = await timed(device, picture);
    if (calls > 0 && took > most) return took;
    spent += took;
  }
  const times: number[] = [];
  for (let spent = 0; times.length < LEAST_CALLS || spent < LEAST_MILLISECONDS; ) {
    const took = await timed(device, picture);
    times.push(took);
    spent += took;
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** Runs a picture on both devices, one after another. */
async function compare(timed: Timed, picture: Raster): Promise<Compared> {
  const near = await timeOf(timed, "cpu", picture);
  const most = Math.max(TOO_LONG_MILLISECONDS, CLEAR_RATIO * near);
  const pixels = picture.width * picture.height;
  return { pixels, ratio: (await timeOf(timed, "gpu", picture, most)) / near };
}

/** Measures one kind of work on both devices; returns the pixels from which the GPU is faster. */
export async function measureWork(work: MeasuredWork, engines: Engines, undisturbed: Undisturbed): Promise<number> {
  const timed = timedCall(work, engines, undisturbed);
  const smallest = pictureFor(work, SIDES[0]);
  await timed("gpu", smallest);
  if ((await timed("gpu", smallest)) > TOO_LONG_MILLISECONDS) return Number.POSITIVE_INFINITY;
  let lost: Compared | undefined;
  let won: Compared | undefined;
  for (let low = 0, high: number = SIDES.length; low < high; ) {
    const middle = (low + high) >> 1;
    const found = await compare(timed, pictureFor(work, SIDES[middle]));
    if (found.ratio < 1) {
      won = found;
      high = middle;
    } else {
      lost = found;
      low = middle + 1;
    }
  }
  return crossing(lost, won);
}
