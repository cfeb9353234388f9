// Resident u8 images compared with the windows around their pixels, bit for bit as on the CPU: minus their local mean, or bits by a local
// threshold. Floats decide Sauvola's threshold for almost every pixel; the few that are too near to it are listed, and decided in f64 on
// the host.

import type { Call } from "../core/call.js";
import type { Pixels } from "../core/pixels.js";
import type { FlattenPlan, LocalPlan } from "../core/plans.js";
import { BINDING_ALIGNMENT, groupsOf, type Resident, type Rows } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { inOneBuffer, makeImage, wholeOf, withUploaded } from "./image.js";
import { fillHalos, type Planes, stripsOf } from "./mask.js";

/** The largest radius whose sums of columns fit 16 bits, and whose sums of a window floats hold exactly, and those of squares 31 bits. */
const [MOST_RADIUS, MOST_SQUARES] = [128, 90];

/** Columns that a workgroup slides down so many rows; those before and behind its windows are a multiple of LEAD. */
const [COLUMNS, STRETCH, LEAD] = [1024, 32, 16];

/** Open pixels that the list holds: one of so many, and some more. */
const [SHARE, SOME] = [64, 65536];
/** Pixels of a band of which every pixel may be open. */
const MOST_LISTED = 2 ** 22;
/** Words of a listed pixel: place, sum, sum of squares, value. */
const LISTED = 4;

/** Largest k and least r of Sauvola whose thresholds floats tell from far values. */
const [MOST_WEIGHT, LEAST_RANGE] = [100, 1];

const MODES = { subtract: 0, mean: 1, sauvola: 2 } as const;
type Mode = keyof typeof MODES;

/** A window: its kernel, and the numbers that the kernel compares with. */
interface Window {
  readonly mode: Mode;
  readonly radius: number;
  /** Whether the last pixel is repeated beyond the border. */
  readonly edge: boolean;
  readonly numbers: Readonly<Record<"least" | "flip" | "weight" | "scale" | "inverse" | "margin", number>>;
}

const PLAIN = { least: 0, flip: 0, weight: 0, scale: 0, margin: 0 };

const floatBits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0];

function fits(context: Context, pixels: Pixels, radius: number, mode: Mode): boolean {
  const { type, channels, depth, width, height, nodata } = pixels.shape;
  if (!inOneBuffer(pixels) || type !== "u8" || channels !== 1 || depth > 1 || nodata !== undefined) return false;
  // Kernels mirror places in 32 bits.
  if (Math.max(width, height) >= 2 ** 30) return false;
  if ((Math.ceil(width / 4) * 4 + 4) * height + BINDING_ALIGNMENT > context.device.bindingBytes) return false;
  return radius <= (mode === "sauvola" ? MOST_SQUARES : MOST_RADIUS);
}

/** Whether the kernels flatten such pixels: u8 images of one channel minus their mean, up to a radius of 128. */
export function flattensExactly(context: Context, pixels: Pixels, { radius, method }: FlattenPlan): boolean {
  return method === "subtract" && fits(context, pixels, radius, "subtract");
}

/** Whether the kernels make bits of such pixels by a local threshold. */
export function packsLocally(context: Context, pixels: Pixels, { radius, method, first, second }: LocalPlan): boolean {
  if (!fits(context, pixels, radius, method) || stripsOf(context, pixels.shape, 1).length > 1) return false;
  return method === "mean" || (Math.abs(first) <= MOST_WEIGHT && Math.abs(second) >= LEAST_RANGE);
}

/** Pixels minus their local mean, as a new image. */
export function flattenPixels(
  context: Context,
  pixels: Pixels,
  { radius }: FlattenPlan,
  call: Call,
): Promise<Resident> {
  const { shape } = pixels;
  const { width, height } = shape;
  const bytes = width * height;
  return makeImage(context, shape, (result) =>
    withUploaded(context, pixels, call, (image) =>
      context.timed(call, "flatten", bytes * 2, () =>
        withScratch(context, async (scope) => {
          // Rows that are no whole words are packed afterwards.
          const isWhole = width % 4 === 0;
          const words = Math.ceil(width / 4);
          const into = isWhole ? result : await scope.allocate(words * 4 * height, "rows");
          const inverse = floatBits(0.5 / (2 * radius + 1) ** 2);
          const window: Window = { mode: "subtract", radius, edge: true, numbers: { ...PLAIN, inverse } };
          const commands = compare(context, image, window, { result: into, words }, await noList(scope));
          if (!isWhole) {
            const given = { pitched: into, pixels: result };
            const line = { rowBytes: width, pitch: words * 4, bytes };
            commands.dispatch("image-unpitch", groupsOf(Math.ceil(bytes / 4)), given, line);
          }
          await commands.submit();
        }),
      ),
    ),
  );
}

/** Writes the bits of pixels by a local threshold to planes. */
export async function packLocal(
  context: Context,
  pixels: Pixels,
  { radius, method, first, second, dark }: LocalPlan,
  planes: Planes,
  call: Call,
): Promise<void> {
  const { height } = pixels.shape;
  const { words, strips } = planes;
  const n = (2 * radius + 1) ** 2;
  const numbers = {
    // n v - sum is a whole number, which is above a number if it is above the next whole one below.
    least: Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.floor(-(n * first)))) >>> 0,
    flip: dark ? 15 : 0,
    // -0 becomes 0.
    weight: floatBits(first + 0),
    scale: floatBits(1 / (n * second)),
    inverse: floatBits(1 / n),
    margin: floatBits(method === "sauvola" ? marginOf(n, first, second) : 0),
  };
  const window: Window = { mode: method, radius, edge: method === "mean", numbers };
  await withUploaded(context, pixels, uploading(call), (image) =>
    withScratch(context, async (scope) => {
      // Memory that was too little may have cut the planes into strips: those are copied from a plane of the whole.
      const isWhole = strips.length === 1;
      const bits = isWhole ? strips[0].bits[0] : await scope.allocate((height + 2) * words * 4, "bits");
      const into = { result: bits, words };
      if (method === "mean") {
        const commands = compare(context, image, window, into, await noList(scope));
        await commands.submit();
      } else {
        await packSauvola(context, image, window, into, (listed) => decided(listed, n, first, second, dark), call);
      }
      const commands = context.commands();
      if (!isWhole) {
        for (const { y0, y1, bits: stripBits } of strips) {
          commands.copy(bits, (y0 + 1) * words * 4, stripBits[0], words * 4, (y1 - y0) * words * 4);
        }
      }
      fillHalos(commands, planes);
      return commands.submit();
    }),
  );
}

/** The bits of Sauvola's threshold: those that floats tell, and then those of the pixels that were left open. */
async function packSauvola(
  context: Context,
  image: Resident,
  window: Window,
  into: { readonly result: GPUBuffer; readonly words: number },
  decide: (listed: Uint32Array) => Uint32Array,
  { signal }: Call,
): Promise<void> {
  const { width, height } = image.shape;
  /** Packs rows with a list of so many pixels; false if that is too short. */
  const pack = (rows: Rows, most: number): Promise<boolean> =>
    withScratch(context, async (scope) => {
      const list = await scope.allocate((1 + most) * LISTED * 4, "open pixels");
      const commands = compare(context, image, window, into, { list, most }, rows);
      const [count] = await context.numbers(commands, list, 1);
      if (count > most) return false;
      if (count === 0) return true;
      const listed = await context.numbers(context.commands(), list, (1 + count) * LISTED);
      const chosen = decide(listed.subarray(LISTED));
      if (chosen.length === 0) return true;
      const places = await scope.allocate(chosen.byteLength, "places");
      context.write(places, chosen);
      const setting = context.commands();
      const parameters = { count: chosen.length, width, words: into.words };
      setting.dispatch("window-open", groupsOf(chosen.length), { places, bits: into.result }, parameters);
      await setting.submit();
      return true;
    });
  if (await pack({ y0: 0, y1: height }, Math.ceil((width * height) / SHARE) + SOME)) return;
  // Pictures of which most pixels lie at their threshold, in bands of which every pixel may be open.
  const rows = Math.max(1, Math.floor(MOST_LISTED / width));
  for (let y0 = 0; y0 < height; y0 += rows) {
    signal?.throwIfAborted();
    await pack({ y0, y1: Math.min(height, y0 + rows) }, rows * width);
  }
}

/** A call whose upload is a part of it: its time is not one of its own. */
const uploading = (call: Call): Call => ({
  ...call,
  timings: [],
  onProgress: call.onProgress && ((progress) => call.onProgress?.({ ...progress, stage: "upload" })),
});

/**
 * How near n v may be to Sauvola's threshold, n times the local one, before floats might decide wrongly. The terms are at most 255 n,
 * and 255 n |k| (127.5 / |r| + 1), off by some 2^-24 in each of few operations; roots have two bits less. Roots are rounded down to
 * 1 / 256, which moves the threshold by 255 |k / r| / 256.
 */
function marginOf(n: number, k: number, r: number): number {
  const largest = 255 * n * (2 + Math.abs(k) * (127.5 / Math.abs(r) + 1));
  return largest * 2 ** -18 + Math.abs(k / r);
}

/** The places of listed pixels that are set, by the threshold of the CPU's window-sums.ts. */
function decided(listed: Uint32Array, n: number, k: number, r: number, dark: boolean): Uint32Array {
  const places: number[] = [];
  for (let at = 0; at < listed.length; at += LISTED) {
    const [sum, square] = [listed[at + 1], listed[at + 2]];
    // n times a sum of squares is below 2^53.
    const spread = Math.floor(Math.sqrt(n * square - sum * sum) * 256) / 256;
    const isAbove = n * listed[at + 3] > sum + sum * k * (spread / (n * r) - 1);
    if (isAbove !== dark) places.push(listed[at]);
  }
  return Uint32Array.from(places);
}

/** A list for kernels that leave no pixel open. */
const noList = async (scope: ScratchScope) => ({ list: await scope.allocate(16, "open pixels"), most: 0 });

/** Records the comparison of rows. */
function compare(
  context: Context,
  image: Resident,
  { mode, radius, edge, numbers }: Window,
  { result, words }: { readonly result: GPUBuffer; readonly words: number },
  { list: undecided, most }: { readonly list: GPUBuffer; readonly most: number },
  { y0, y1 }: Rows = { y0: 0, y1: image.shape.height },
): Commands {
  const { width, height } = image.shape;
  const { pixels, lead: first } = wholeOf(image);
  const lead = Math.ceil(radius / LEAD) * LEAD;
  const segments = Math.ceil(width / (COLUMNS - 2 * lead));
  const rows = y1 - y0;
  const commands = context.commands();
  commands.clear(undecided, 0, 16);
  commands.stage(mode === "subtract" ? "flatten" : "pack", rows * (width + words * 4));
  commands.dispatch(
    "window-slide",
    segments * Math.ceil(rows / STRETCH),
    { pixels, result, undecided },
    {
      width,
      height,
      segments,
      first,
      radius,
      lead,
      top: y0,
      rows,
      stretch: STRETCH,
      words,
      most,
      ...numbers,
    },
    { MODE: MODES[mode], EDGE: edge },
  );
  return commands;
}
