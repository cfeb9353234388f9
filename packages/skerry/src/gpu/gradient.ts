// Magnitudes of gradients of resident integers, bit for bit those of the CPU: of pixels by Sobel's operators, or of the plane of 16-bit
// values that a Gaussian leaves.

import type { Call } from "../core/call.js";
import { gradientShift } from "../core/gradient.js";
import { PIXEL_BYTES, type Pixels, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { BINDING_ALIGNMENT, groupsOf, type Resident } from "./bands.js";
import { type Context, withScratch } from "./device/context.js";
import { makeImage, wholeOf, withUploaded } from "./image.js";
import { smoothsExactly, smoothWide } from "./smooth.js";

/** Whether the kernels derive such pixels: those that they smooth, whose magnitudes fit one binding. */
export function derivesExactly(context: Context, pixels: Pixels): boolean {
  const { shape } = pixels;
  const bytes = shape.width * rowCount(shape) * PIXEL_BYTES.f32;
  return smoothsExactly(context, pixels) && bytes + BINDING_ALIGNMENT <= context.device.bindingBytes;
}

/** Writes magnitudes to a new image of f32. */
export function gradientPixels(
  context: Context,
  pixels: Pixels,
  axes: AxisWeights | undefined,
  call: Call,
): Promise<Resident> {
  const { shape } = pixels;
  const { width, height, depth, type } = shape;
  const total = width * rowCount(shape);
  return makeImage(context, { ...shape, type: "f32" }, (result) =>
    withUploaded(context, pixels, call, (image) =>
      context.timed(call, "gradient", total * (PIXEL_BYTES[type] + PIXEL_BYTES.f32), () =>
        withScratch(context, async (scope) => {
          const commands = context.commands();
          const { pixels: input, lead } = wholeOf(image);
          const wide = axes && (await smoothWide(context, scope, commands, image, axes));
          const source = wide
            ? { binding: wide.plane, stride: 2 * wide.stride, first: 0, TYPE: TYPE_CODE.i16 }
            : { binding: input, stride: width, first: lead / PIXEL_BYTES[type], TYPE: TYPE_CODE[type] };
          const { binding, TYPE, ...place } = source;
          const shift = gradientShift(shape, wide !== undefined);
          commands.stage("gradient", total * (PIXEL_BYTES[type] + PIXEL_BYTES.f32));
          commands.dispatch(
            "gradient",
            groupsOf(total),
            { pixels: binding, result },
            { total, width, lines: height, slices: depth, ...place, shift },
            { TYPE, SOBEL: wide === undefined },
          );
          await commands.submit();
        }),
      ),
    ),
  );
}
