// The slices of a stack, each as an image of its own.

import { isAutomatic } from "../core/automatic-threshold.js";
import { defined } from "../core/defined.js";
import type { Progress } from "../types/calls.js";
import type { ComponentsOptions } from "../types/components.js";
import type { Mask, PixelArray, Raster, Source, Spacing } from "../types/raster.js";
import type { Threshold } from "../types/threshold.js";
import type { Components } from "./components.js";

/** A stack on the host: one that can be cut. */
export type Stack = Raster | Source | Mask;

/** Slice z of a stack, as an image. Values are not copied. */
function sliceOf<T extends Stack>(stack: T, z: number): T;
function sliceOf(stack: Stack, z: number): Stack {
  const { width, height, depth = 1 } = stack;
  const spacing = stack.spacing?.slice(0, 2) as Spacing | undefined;
  if ("bits" in stack) {
    const words = Math.ceil(width / 32) * height;
    return defined({ width, height, spacing, bits: stack.bits.subarray(z * words, (z + 1) * words) });
  }
  const { channels, nodata } = stack;
  const flat = { width, height, spacing, channels, nodata };
  if ("data" in stack) {
    const values = stack.data.length / depth;
    return defined({ ...flat, data: stack.data.subarray(z * values, (z + 1) * values) as PixelArray });
  }
  const read: Source["read"] = (_, __, y0, y1, into, options) => stack.read(z, z + 1, y0, y1, into, options);
  return defined({ ...flat, type: stack.type, read });
}

/** The options with which a device may label all slices at once. */
const PLAIN: ReadonlySet<string> = new Set(["threshold", "connectivity", "signal", "onProgress"]);

/** Whether slices are found by one rule for all, without a step that follows. */
export function isAtOnce(options: ComponentsOptions, threshold: Threshold): boolean {
  if (typeof threshold === "object" && ("hysteresis" in threshold || "local" in threshold)) return false;
  return Object.keys(options).every((name) => PLAIN.has(name)) && !isAutomatic(threshold);
}

/** Components of one slice after another; those that were found are disposed of if a slice fails. */
export async function eachSlice(
  stack: Stack,
  depth: number,
  { within, onProgress, ...options }: ComponentsOptions,
  label: (slice: Stack, options: ComponentsOptions) => Promise<Components>,
): Promise<Components[]> {
  const found: Components[] = [];
  try {
    for (let z = 0; z < depth; z++) {
      const own = {
        within: within && sliceOf(within, z),
        onProgress:
          onProgress &&
          ((progress: Progress) => onProgress({ ...progress, fraction: (z + progress.fraction) / depth })),
      };
      found.push(await label(sliceOf(stack, z), { ...options, ...defined(own) }));
    }
    return found;
  } catch (error) {
    for (const components of found) components.dispose();
    throw error;
  }
}
