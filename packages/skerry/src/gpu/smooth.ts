// Gaussians of resident integers, bit for bit those of the CPU: along rows into a plane of 16-bit values, then across rows and across
// slices. Those of u8 up to a radius of 32 have weights of 15 bits, all others 24.

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, type Pixels, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { type WholeWeights, wholeWeights } from "../core/smooth-weights.js";
import { BINDING_ALIGNMENT, groupsOf, type Resident } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { inOneBuffer, makeImage, wholeOf, withUploaded } from "./image.js";

/** Values of a row that a workgroup smooths. */
const SEGMENT = 1024;

/** Steps that kernels take at a time. */
const TAPS = 4;

/** The weight of an axis that stays as it is. */
const NONE = Uint32Array.of(1 << 15);
const WHOLE = Uint32Array.of(1 << 24);

/** The plane between passes: words of a row, an even number, and of all rows. */
function planeOf({ shape }: Pick<Pixels, "shape">): { readonly stride: number; readonly words: number } {
  const stride = Math.ceil((shape.width * shape.channels) / 4) * 2;
  return { stride, words: stride * rowCount(shape) };
}

/** Types that kernels smooth. Sums of floats are rounded otherwise on every device, and thresholds would divide them otherwise. */
const TYPES = ["u8", "u16", "i16"] as const;
type Whole = (typeof TYPES)[number];
const isWhole = (type: string): type is Whole => TYPES.some((name) => name === type);

function weightsOf({ shape }: Pixels, axes: AxisWeights): WholeWeights {
  return wholeWeights(shape.type as Whole, axes, [shape.width, shape.height, shape.depth]);
}

/** Whether the kernels smooth such pixels: integers of 8 or 16 bits whose planes fit one binding. */
export function smoothsExactly(context: Context, pixels: Pixels): boolean {
  if (!inOneBuffer(pixels) || !isWhole(pixels.shape.type)) return false;
  const { words } = planeOf(pixels);
  const { width, height, depth } = pixels.shape;
  // Kernels mirror places in 32 bits.
  if (Math.max(width, height, depth) >= 2 ** 30) return false;
  return words * 4 + BINDING_ALIGNMENT <= context.device.bindingBytes;
}

/** Smooths pixels into a new image. */
export function smoothPixels(context: Context, pixels: Pixels, axes: AxisWeights, call: Call): Promise<Resident> {
  const weights = weightsOf(pixels, axes);
  return weights.bits === 15 ? smoothShort(context, pixels, weights, call) : smoothExact(context, pixels, axes, call);
}

/** The plane of values of 16 bits, and the words of its rows, that weights of 24 bits make. */
export async function smoothWide(
  context: Context,
  scope: ScratchScope,
  commands: Commands,
  image: Resident,
  axes: AxisWeights,
): Promise<{ readonly plane: GPUBuffer; readonly stride: number }> {
  const { shape } = image;
  const { width, height, depth, channels, type } = shape;
  const values = width * channels;
  const rows = rowCount(shape);
  const { stride, words } = planeOf({ shape });
  const { pixels: input, lead } = wholeOf(image);
  const [x, y, z] = wholeWeights(type as Whole, axes, [width, height, depth], true).axes;
  const placed = async (given: Uint32Array) => {
    const steps = given.subarray(1);
    const halves = new Uint32Array(2 * Math.max(1, steps.length));
    for (const [step, weight] of steps.entries()) halves.set([weight >> 8, weight & 255], 2 * step);
    const buffer = await scope.allocate(halves.byteLength, "weights");
    context.write(buffer, halves);
    return { weights: buffer, radius: steps.length, high: given[0] >> 8, low: given[0] & 255 };
  };
  let plane = await scope.allocate(words * 4, "plane");
  const { weights: along, ...taps } = await placed(x ?? WHOLE);
  commands.stage("smooth", values * rows * 3);
  const row = { values, channels, width, words, stride, first: lead / PIXEL_BYTES[type], ...taps };
  const bindings = { pixels: input, weights: along, plane };
  commands.dispatch("smooth-rows-exact", groupsOf(words), bindings, row, { TYPE: TYPE_CODE[type] });
  const passes = [
    ...(y ? [{ given: y, step: stride, lines: height, below: 1 }] : []),
    ...(z ? [{ given: z, step: stride * height, lines: depth, below: height }] : []),
  ];
  for (const { given, ...lines } of passes) {
    const next = await scope.allocate(words * 4, "plane");
    const { weights: across, ...rest } = await placed(given);
    const parameters = { words, stride, ...lines, ...rest };
    commands.dispatch("smooth-lines-exact", groupsOf(words), { plane, weights: across, result: next }, parameters);
    plane = next;
  }
  return { plane, stride };
}

/** Smooths by weights of 24 bits. */
function smoothExact(context: Context, pixels: Pixels, axes: AxisWeights, call: Call): Promise<Resident> {
  const { shape } = pixels;
  const { width, channels, type } = shape;
  const values = width * channels;
  const rows = rowCount(shape);
  return makeImage(context, shape, (result) =>
    withUploaded(context, pixels, call, (image) =>
      context.timed(call, "smooth", values * rows * PIXEL_BYTES[type] * 2, () =>
        withScratch(context, async (scope) => {
          const commands = context.commands();
          const { plane, stride } = await smoothWide(context, scope, commands, image, axes);
          const total = values * rows;
          const packed = Math.ceil((total * PIXEL_BYTES[type]) / 4);
          const line = { total, values, stride };
          commands.dispatch("smooth-pack-exact", groupsOf(packed), { plane, result }, line, { TYPE: TYPE_CODE[type] });
          await commands.submit();
        }),
      ),
    ),
  );
}

/** Smooths u8 by weights of 15 bits. */
function smoothShort(context: Context, pixels: Pixels, given: WholeWeights, call: Call): Promise<Resident> {
  const { shape } = pixels;
  const { width, height, depth, channels } = shape;
  const values = width * channels;
  const rows = rowCount(shape);
  const { stride, words } = planeOf(pixels);
  const [x, y, z] = given.axes;
  return makeImage(context, shape, (result) =>
    withUploaded(context, pixels, call, (image) =>
      context.timed(call, "smooth", values * rows * 2, () =>
        withScratch(context, async (scope) => {
          const { pixels: input, lead } = wholeOf(image);
          const commands = context.commands();
          // Kernels take the upper half of a product with twice the weight, and four steps at a time.
          const placed = async (
            packed: Uint32Array,
          ): Promise<{ weights: GPUBuffer; radius: number; middle: number }> => {
            const radius = Math.ceil((packed.length - 1) / TAPS) * TAPS;
            const doubled = new Uint32Array(Math.max(radius, TAPS));
            for (const [step, weight] of packed.subarray(1).entries()) doubled[step] = 2 * weight;
            const weights = await scope.allocate(doubled.byteLength, "weights");
            context.write(weights, doubled);
            return { weights, radius, middle: 2 * packed[0] };
          };
          let plane = await scope.allocate(words * 4, "plane");
          const segments = Math.ceil(values / SEGMENT);
          const along = await placed(x ?? NONE);
          commands.stage("smooth", values * rows * 3);
          commands.dispatch(
            "smooth-rows",
            segments * rows,
            { pixels: input, weights: along.weights, plane },
            {
              values,
              channels,
              width,
              rows,
              segments,
              stride,
              first: lead,
              radius: along.radius,
              middle: along.middle,
            },
          );
          // Rows of whole words are packed by the last pass.
          const isPacked = values % 4 === 0;
          const passes = [
            ...(y || !z ? [{ weights: y ?? NONE, step: stride, lines: height, below: 1 }] : []),
            ...(z ? [{ weights: z, step: stride * height, lines: depth, below: height }] : []),
          ];
          for (const [i, { weights: taken, ...lines }] of passes.entries()) {
            const PACK = isPacked && i === passes.length - 1;
            const next = PACK ? result : await scope.allocate(words * 4, "plane");
            const { weights, ...taps } = await placed(taken);
            const parameters = { words, stride, values, ...lines, ...taps };
            const bindings = { plane, weights, result: next };
            commands.dispatch("smooth-lines", groupsOf(words / 2), bindings, parameters, { PACK });
            if (!PACK) plane = next;
          }
          if (!isPacked) {
            const total = values * rows;
            commands.dispatch(
              "smooth-pack",
              groupsOf(Math.ceil(total / 4)),
              { plane, result },
              { total, values, stride },
            );
          }
          await commands.submit();
        }),
      ),
    ),
  );
}
