// Preparation of pixels before a threshold, in this order: one channel or stain, smoothing, the gradient, and flattening. Each step makes an
// image on the device; images between two steps are disposed.

import type { Call } from "../core/call.js";
import { contrastShape, frameColour, planContrast } from "../core/contrast.js";
import { defined } from "../core/defined.js";
import type { BackendImage, Pixels, Shape } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import type { Router } from "../device/router.js";
import { checkChannel, checkContrast, stainOf } from "../options/channel.js";
import { planGradient } from "../options/gradient.js";
import { planFlatten, planSmooth } from "../options/smooth.js";
import { planStains } from "../options/stains.js";
import type { FlattenOptions } from "../types/light.js";
import type { ChannelName } from "../types/raster.js";
import { colourSamplesOf } from "./samples.js";

/** An image that a step made. */
export interface Prepared {
  readonly image: BackendImage;
  readonly shape: Shape;
}

export type PreparationStep = (router: Router, pixels: Pixels, call: Call) => Promise<Prepared>;

/** The options of `components()` that prepare pixels. */
export interface PreparationOptions {
  readonly channel?: ChannelName | undefined;
  readonly smooth?: number | readonly [number, number] | readonly [number, number, number] | undefined;
  readonly gradient?: "sobel" | number | undefined;
  readonly flatten?: number | undefined;
  readonly physical?: boolean | undefined;
}

/** The steps for pixels of a shape. */
export function planPreparation(
  { channel, smooth, gradient, flatten, physical }: PreparationOptions,
  shape: Shape,
  spacing: readonly [number, number, number],
): readonly PreparationStep[] {
  const steps: PreparationStep[] = [];
  const stain = stainOf(channel, shape.channels) !== undefined;
  const single: Shape =
    channel === "contrast" ? contrastShape(shape) : { ...shape, channels: 1, type: stain ? "f32" : shape.type };
  if (channel !== undefined) steps.push(planChannel(channel, shape));
  else if (smooth !== undefined || gradient !== undefined || flatten !== undefined) steps.push(...lumaStep(shape));
  if (smooth !== undefined) {
    const axes = planSmooth(defined({ sigma: smooth, physical }), single, spacing, "smooth");
    steps.push(async (router, pixels, call) => ({
      image: await router.smooth({ pixels, axes }, call),
      shape: pixels.shape,
    }));
  }
  if (gradient !== undefined) steps.push(planDerived(planGradient(gradient, physical, single, spacing, "gradient")));
  const derived: Shape = gradient === undefined ? single : { ...single, type: "f32" };
  if (flatten !== undefined) steps.push(planFlattened({ radius: flatten }, derived, "flatten"));
  return steps;
}

/** One channel, the amount of one stain, or the contrast with the frame. */
export function planChannel(channel: unknown, shape: Shape): PreparationStep {
  const stain = stainOf(channel, shape.channels);
  if (stain !== undefined) {
    const plan = planStains("hed", shape)[stain];
    return async (router, pixels, call) => ({
      image: await router.stain({ pixels, plan }, call),
      shape: { ...pixels.shape, type: "f32", channels: 1 },
    });
  }
  if (channel === "contrast") {
    checkContrast(shape);
    return async (router, pixels, call) => {
      const plan = planContrast(frameColour(await colourSamplesOf(router, pixels, call)), pixels.shape);
      return { image: await router.contrast({ pixels, plan }, call), shape: contrastShape(pixels.shape) };
    };
  }
  const which = checkChannel(channel, shape.channels);
  return async (router, pixels, call) => ({
    image: await router.channel({ pixels, channel: which }, call),
    shape: { ...pixels.shape, channels: 1 },
  });
}

/** The luma of colours; nothing for pixels of one channel. */
export function lumaStep(shape: Shape): readonly PreparationStep[] {
  return shape.channels > 1 ? [planChannel("luma", shape)] : [];
}

/** The magnitudes of gradients, of one channel. */
export function planDerived(axes: AxisWeights | undefined): PreparationStep {
  return async (router, pixels, call) => ({
    image: await router.gradient({ pixels, axes }, call),
    shape: { ...pixels.shape, type: "f32" },
  });
}

export function planFlattened(options: FlattenOptions, shape: Shape, name?: string): PreparationStep {
  const plan = planFlatten(options, shape, name);
  return async (router, pixels, call) => ({
    image: await router.flatten({ pixels, plan }, call),
    shape: pixels.shape,
  });
}

/** Runs one or more steps, and returns the image of the last. */
export async function prepare(
  router: Router,
  given: Pixels,
  steps: readonly PreparationStep[],
  call: Call,
): Promise<Prepared> {
  let prepared: Prepared | undefined;
  for (const step of steps) {
    const pixels: Pixels = prepared ? { kind: "image", ...prepared } : given;
    try {
      const next = await step(router, pixels, call);
      prepared?.image.dispose();
      prepared = next;
    } catch (error) {
      prepared?.image.dispose();
      throw error;
    }
  }
  if (!prepared) throw new RangeError("pixels are prepared by one step or more");
  return prepared;
}

/** Runs `work` with the prepared pixels, or with the given pixels if there is no step. */
export async function withPrepared<T>(
  router: Router,
  given: Pixels,
  steps: readonly PreparationStep[],
  call: Call,
  work: (pixels: Pixels) => Promise<T>,
): Promise<T> {
  if (steps.length === 0) return work(given);
  const prepared = await prepare(router, given, steps, call);
  try {
    return await work({ kind: "image", ...prepared });
  } finally {
    prepared.image.dispose();
  }
}
