// Gaussians of resident u8 images by weights of 15 bits, bit for bit those of the CPU: along rows into a plane of 16-bit values, then
// across rows and across slices.

import type { Call } from "../core/call.js";
import { type Pixels, rowCount } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { type WholeWeights, wholeWeights } from "../core/smooth-weights.js";
import { BINDING_ALIGNMENT, groupsOf, type Resident } from "./bands.js";
import { type Context, withScratch } from "./device/context.js";
import { inOneBuffer, makeImage, wholeOf, withUploaded } from "./image.js";

/** Values of a row that a workgroup smooths. */
const SEGMENT = 1024;

/** Steps that kernels take at a time. */
const TAPS = 4;

/** The weight of an axis that stays as it is. */
const NONE = Uint32Array.of(1 << 15);

/** The plane between passes: words of a row, an even number, and of all rows. */
function planeOf({ shape }: Pixels): { readonly stride: number; readonly words: number } {
  const stride = Math.ceil((shape.width * shape.channels) / 4) * 2;
  return { stride, words: stride * rowCount(shape) };
}

function weightsOf({ shape }: Pixels, axes: AxisWeights): WholeWeights {
  return wholeWeights("u8", axes, [shape.width, shape.height, shape.depth]);
}

/** Whether the kernels smooth such pixels: u8, a radius of at most 32, and planes that fit one binding. */
export function smoothsExactly(context: Context, pixels: Pixels, axes: AxisWeights): boolean {
  if (!inOneBuffer(pixels) || pixels.shape.type !== "u8") return false;
  const { words } = planeOf(pixels);
  const { width, height, depth } = pixels.shape;
  // Kernels mirror places in 32 bits.
  if (Math.max(width, height, depth) >= 2 ** 30) return false;
  return words * 4 + BINDING_ALIGNMENT <= context.device.bindingBytes && weightsOf(pixels, axes).bits === 15;
}

/** Smooths pixels into a new image. */
export function smoothPixels(context: Context, pixels: Pixels, axes: AxisWeights, call: Call): Promise<Resident> {
  const { shape } = pixels;
  const { width, height, depth, channels } = shape;
  const values = width * channels;
  const rows = rowCount(shape);
  const { stride, words } = planeOf(pixels);
  const [x, y, z] = weightsOf(pixels, axes).axes;
  return makeImage(context, shape, (result) =>
    withUploaded(context, pixels, call, (image) =>
      context.timed(call, "smooth", values * rows * 2, () =>
        withScratch(context, async (scope) => {
          const { pixels: input, lead } = wholeOf(image);
          const commands = context.commands();
          // Kernels take the upper half of a product with twice the weight, and four steps at a time.
          const placed = async (
            given: Uint32Array,
          ): Promise<{ weights: GPUBuffer; radius: number; middle: number }> => {
            const radius = Math.ceil((given.length - 1) / TAPS) * TAPS;
            const doubled = new Uint32Array(Math.max(radius, TAPS));
            for (const [step, weight] of given.subarray(1).entries()) doubled[step] = 2 * weight;
            const weights = await scope.allocate(doubled.byteLength, "weights");
            context.write(weights, doubled);
            return { weights, radius, middle: 2 * given[0] };
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
          const isWhole = values % 4 === 0;
          const passes = [
            ...(y || !z ? [{ weights: y ?? NONE, step: stride, lines: height, below: 1 }] : []),
            ...(z ? [{ weights: z, step: stride * height, lines: depth, below: height }] : []),
          ];
          for (const [i, { weights: given, ...lines }] of passes.entries()) {
            const PACK = isWhole && i === passes.length - 1;
            const next = PACK ? result : await scope.allocate(words * 4, "plane");
            const { weights, ...taps } = await placed(given);
            const parameters = { words, stride, values, ...lines, ...taps };
            const bindings = { plane, weights, result: next };
            commands.dispatch("smooth-lines", groupsOf(words / 2), bindings, parameters, { PACK });
            if (!PACK) plane = next;
          }
          if (!isWhole) {
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
