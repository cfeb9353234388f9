// Measures both devices of an engine, so that `auto` chooses between them by what they take on this machine. Each kind of work runs on
// two pictures, on each device, from arrays to arrays, while no call of the engine runs. What was measured is kept for the machine.

import { keep, kept } from "#kept";
import { type Line, lineOf, MEASURED, type MeasuredWork, type Speed } from "../device/speeds.js";
import type { Raster } from "../types/raster.js";
import type { Engine } from "./engine.js";

/** Changed when what is measured changes: older measurements are made again. */
const VERSION = 1;
const NAME = "speeds";
/**
 * Each picture is done again and again for this long, in milliseconds, since threads begin and code is compiled meanwhile; the fastest
 * call counts. The large one comes first, and tells the time per pixel.
 */
const LARGE_MILLISECONDS = 400;
const SMALL_MILLISECONDS = 150;
const LEAST_CALLS = 3;
/** A device whose first warm call of the small picture takes longer is not asked for the large one: its time is taken for proportional to pixels. */
const TOO_LONG_MILLISECONDS = 40;

/** The sides of the two pictures. */
const SIDES: Readonly<Record<MeasuredWork, readonly [number, number]>> = {
  components: [256, 2048],
  distance: [128, 1024],
  kmeans: [128, 512],
  smooth: [128, 1024],
};

/** A kind of work as its callers do it. */
const WORK: Readonly<Record<MeasuredWork, (engine: Engine, picture: Raster) => Promise<unknown>>> = {
  components: async (engine, picture) => {
    const found = await engine.components(picture);
    await found.regions();
    found.dispose();
  },
  distance: (engine, picture) => engine.distance(picture),
  kmeans: (engine, picture) => engine.kmeans(picture, { k: 16, maxIterations: 20 }),
  smooth: async (engine, picture) => {
    const soft = await engine.smooth(picture, { sigma: 2 });
    // A GPU may not have begun when the image is there.
    await soft.toRaster();
    soft.dispose();
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

/** The fastest of the calls that follow each other for some time. */
async function fastest(work: MeasuredWork, engine: Engine, side: number, milliseconds: number): Promise<number> {
  // Photographs have about as many colours as pixels.
  const picture = work === "kmeans" ? pictureOf(side, 1, 3) : pictureOf(side, 4, 1);
  let best = Number.POSITIVE_INFINITY;
  for (let spent = 0, call = 0; call < LEAST_CALLS || spent < milliseconds; call++) {
    const begin = performance.now();
    await WORK[work](engine, picture);
    const took = performance.now() - begin;
    spent += took;
    best = Math.min(best, took);
  }
  return best;
}

/** Time of one kind of work on a device, by two pictures. */
async function lineFor(work: MeasuredWork, engine: Engine): Promise<Line> {
  const [small, large] = SIDES[work];
  const pixels = [small * small, large * large] as const;
  const first = await fastest(work, engine, small, 0);
  if (first > TOO_LONG_MILLISECONDS) return { fixed: 0, perPixel: first / pixels[0] };
  const last = await fastest(work, engine, large, LARGE_MILLISECONDS);
  return lineOf(pixels, [await fastest(work, engine, small, SMALL_MILLISECONDS), last]);
}

/** Measures one kind of work on both devices. */
export async function measureWork(work: MeasuredWork, cpu: Engine, gpu: Engine): Promise<Speed> {
  return { cpu: await lineFor(work, cpu), gpu: await lineFor(work, gpu) };
}

type Kept = Record<string, Partial<Record<MeasuredWork, Speed>>>;

function readKept(): Kept {
  try {
    const { version, machines } = JSON.parse(kept(NAME) ?? "{}") as { version?: number; machines?: Kept };
    return version === VERSION && machines ? machines : {};
  } catch {
    return {};
  }
}

/** The measurements that were kept for a machine, by the name of its adapter and its threads. */
export function keptSpeeds(machine: string): Partial<Record<MeasuredWork, Speed>> {
  const found = readKept()[machine] ?? {};
  const whole = MEASURED.filter((work) => isSpeed(found[work]));
  return Object.fromEntries(whole.map((work) => [work, found[work]]));
}

function isSpeed(given: unknown): boolean {
  const { cpu, gpu } = Object(given) as Partial<Speed>;
  return [cpu, gpu].every((line) => Number.isFinite(line?.fixed) && Number.isFinite(line?.perPixel));
}

/** Keeps what was measured on a machine, beside that of others. */
export function keepSpeeds(machine: string, speeds: Partial<Record<MeasuredWork, Speed>>): void {
  keep(NAME, JSON.stringify({ version: VERSION, machines: { ...readKept(), [machine]: speeds } }));
}
