// Histograms of luma, counted band by band on the device.

import type { Call } from "../core/call.js";
import { BINS, binEdges, type Histogram, ofBins, ofLevels } from "../core/histogram.js";
import { PIXEL_BYTES, type Pixels, rowCount, TYPE_CODE } from "../core/pixels.js";
import { noFiniteError } from "../types/errors.js";
import { eachBand, groupsOf } from "./bands.js";
import { type Context, withScratch } from "./device/context.js";
import { floatKey } from "./mask.js";

/** Modes of histogram.wgsl for floats. */
const RANGE = 3;
const COUNT_BINS = 4;

/** Counts the exact levels of integers, or 256 bins of floats from the smallest to the largest finite value. */
export async function histogram(context: Context, pixels: Pixels, call: Call): Promise<Histogram> {
  const { type } = pixels.shape;
  return context.timed(call, "histogram", 0, async () => {
    if (type !== "f32") {
      const size = type === "u8" ? BINS : 65536;
      const counts = Float64Array.from(await counted(context, pixels, TYPE_CODE[type], size, undefined, call));
      return ofLevels(counts, pixels.shape);
    }
    const [most = 0, least = 0] = await counted(context, pixels, RANGE, 4, undefined, call);
    if (most === 0) throw noFiniteError();
    const [low, high] = [floatOf(~least >>> 0), floatOf(most)];
    const edges = binEdges(low, high);
    const keys = Uint32Array.from(edges, (edge) => floatKey(floatAtLeast(edge)));
    const counts = Float64Array.from(await counted(context, pixels, COUNT_BINS, BINS, keys, call));
    // All pixels have one value, which is the only level. The kernel counts them in the last bin.
    if (low === high)
      return { counts: Float64Array.of(counts.reduce((a, b) => a + b, 0)), levels: Float64Array.of(low) };
    return ofBins(counts, edges);
  });
}

async function counted(
  context: Context,
  pixels: Pixels,
  MODE: number,
  size: number,
  keys: Uint32Array | undefined,
  call: Call,
): Promise<Uint32Array> {
  const { width, channels, type, nodata } = pixels.shape;
  const height = rowCount(pixels.shape);
  return withScratch(context, async (scope) => {
    const counts = await scope.allocate(size * 4, "levels");
    const edges = await scope.allocate((BINS + 1) * 4, "edges");
    if (keys) context.write(edges, keys);
    const commands = context.commands();
    commands.clear(counts, 0, size * 4);
    const feed = { multiple: 1, halo: false };
    const rows = { y0: 0, y1: height };
    await eachBand(context, commands, pixels, rows, feed, call, ({ y0, y1, pixels: input, first }) => {
      const total = (y1 - y0) * width;
      commands.stage("histogram", total * channels * PIXEL_BYTES[type]);
      const groups = groupsOf(Math.ceil(total / 32));
      // Key 0 is the key of a NaN, and the kernel leaves out NaN anyway.
      const parameters = { pixels: total, first, except: nodata === undefined ? 0 : floatKey(nodata) };
      commands.dispatch("histogram", groups, { pixels: input, counts, edges }, parameters, { MODE });
    });
    return context.numbers(commands, counts, size);
  });
}

/** The inverse of {@link floatKey}. */
function floatOf(key: number): number {
  const bits = key & 0x80000000 ? key & 0x7fffffff : ~key;
  return new Float32Array(Uint32Array.of(bits).buffer)[0];
}

/** The smallest f32 that is at least n. Bin i begins at the smallest f32 that is at least its lower edge. */
function floatAtLeast(n: number): number {
  const f = Math.fround(n);
  if (f >= n) return f;
  const words = new Int32Array(Float32Array.of(f).buffer);
  words[0] = words[0] + (f < 0 ? -1 : 1);
  return f === 0 ? 2 ** -149 : new Float32Array(words.buffer)[0];
}
