// One channel, the luma, or the amount of a stain of resident pixels, as an image of its own, bit for bit as on the CPU.

import type { Call } from "../core/call.js";
import { hasKernels, PIXEL_BYTES, type Pixels, rowCount, type Shape, TYPE_CODE } from "../core/pixels.js";
import type { StainPlan } from "../core/plans.js";
import { BINDING_ALIGNMENT, groupsOf, type Resident, rowBytesOf } from "./bands.js";
import type { Binding, Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { inOneBuffer, makeImage, wholeOf, withUploaded } from "./image.js";

/** Pixels of which a workgroup unmixes the stains. */
const STAINED = 4096;

/** Whether pixels and a plane of so many bytes per pixel fit one binding each. */
function fits(context: Context, pixels: Pixels, bytes: number): boolean {
  const { shape } = pixels;
  if (!inOneBuffer(pixels)) return false;
  const { bindingBytes } = context.device;
  const rows = rowCount(shape);
  return (
    rowBytesOf(shape) * rows + BINDING_ALIGNMENT + 4 <= bindingBytes && shape.width * rows * bytes + 4 <= bindingBytes
  );
}

/** Whether a kernel separates a channel, or the luma if `channel` is undefined. */
export function separates(context: Context, pixels: Pixels, channel: number | undefined): boolean {
  const { type } = pixels.shape;
  return fits(context, pixels, PIXEL_BYTES[type]) && (channel !== undefined || hasKernels(type));
}

/** Whether a kernel unmixes stains of such pixels. */
export function unmixes(context: Context, pixels: Pixels): boolean {
  return fits(context, pixels, PIXEL_BYTES.f32);
}

/** One channel, or the luma if `channel` is undefined. */
export function channelPixels(
  context: Context,
  pixels: Pixels,
  channel: number | undefined,
  call: Call,
): Promise<Resident> {
  const { type, channels, width } = pixels.shape;
  const count = width * rowCount(pixels.shape);
  const output: Shape = { ...pixels.shape, channels: 1 };
  const bytes = PIXEL_BYTES[type];
  const groups = groupsOf(Math.ceil(count / (4 / bytes)));
  const which = channel ?? (channels === 1 ? 0 : undefined);
  return derived(context, pixels, output, "channel", call, (commands, input, first, plane) => {
    if (which === undefined) {
      const buffers = { pixels: input, luma: plane };
      const kind = { TYPE: TYPE_CODE[type], CHANNELS: channels, ANY: false };
      commands.dispatch("image-luma", groups, buffers, { pixels: count, first, zero: 0 }, kind);
    } else {
      const parameters = { pixels: count, first, which };
      const kind = { BYTES: bytes, CHANNELS: channels };
      commands.dispatch("image-channel", groups, { pixels: input, plane }, parameters, kind);
    }
  });
}

/** The amount of a stain, f32. */
export function stainPixels(context: Context, pixels: Pixels, { entries }: StainPlan, call: Call): Promise<Resident> {
  const { type, channels, width } = pixels.shape;
  const count = width * rowCount(pixels.shape);
  const output: Shape = { ...pixels.shape, type: "f32", channels: 1 };
  return withScratch(context, async (scope) => {
    const table = await scope.allocate(entries.byteLength, "entries");
    context.write(table, entries);
    return derived(context, pixels, output, "stain", call, (commands, input, first, amounts) => {
      const buffers = { pixels: input, entries: table, amounts };
      const kind = { BYTES: PIXEL_BYTES[type], CHANNELS: channels };
      commands.dispatch("image-stain", Math.ceil(count / STAINED), buffers, { pixels: count, first }, kind);
    });
  });
}

/** A new image of pixels on the device, which `record` fills. `first` is the index of the first value in the binding. */
function derived(
  context: Context,
  pixels: Pixels,
  shape: Shape,
  stage: string,
  call: Call,
  record: (commands: Commands, input: Binding, first: number, result: GPUBuffer) => void,
): Promise<Resident> {
  const given = pixels.shape;
  const bytes = (rowBytesOf(given) + rowBytesOf(shape)) * rowCount(shape);
  return makeImage(context, shape, (result) =>
    withUploaded(context, pixels, call, (image) =>
      context.timed(call, stage, bytes, async () => {
        const { pixels: input, lead } = wholeOf(image);
        const commands = context.commands();
        commands.stage(stage, bytes);
        record(commands, input, lead / PIXEL_BYTES[given.type], result);
        await commands.submit();
      }),
    ),
  );
}
