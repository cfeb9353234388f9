// Estimates of what operations keep in memory, from the size of an input alone: what cannot fit is refused before any
// work on its pixels.

import { hasAxis, STORED_BYTES, typeOfArray } from "@skerry/files/internal";
import type { Picture } from "@skerry/files/node";
import { memoryForPixels, sizeOf, tooLittle } from "@skerry/files/node/internal";
import type { Operation, Recipe } from "@skerry/recipe";
import { UsageError } from "../errors.js";
import { grouped, sides } from "../progress.js";
import type { DeviceName } from "./arguments.js";
import { storeOf } from "./stores.js";

/**
 * Bytes per pixel that operations keep in memory: `bytes`, and `perByte` for each byte of the pixel type.
 * Measured as `engine.describe().memory.reserved` on 256^3 pixels, 24 November 2026.
 */
const NEEDS: Readonly<Record<string, { readonly bytes: number; readonly perByte: number }>> = {
  smooth: { bytes: 4, perByte: 2 },
  gradient: { bytes: 8, perByte: 1 },
  flatten: { bytes: 0.5, perByte: 2 },
  local: { bytes: 0.5, perByte: 1 },
  open: { bytes: 5, perByte: 0 },
  close: { bytes: 5, perByte: 0 },
  erode: { bytes: 5, perByte: 0 },
  dilate: { bytes: 5, perByte: 0 },
  absorb: { bytes: 6.5, perByte: 0 },
  split: { bytes: 12.5, perByte: 0 },
  expand: { bytes: 17.5, perByte: 0 },
};

/** Most bytes of the kernels' memory: addresses have 32 bits. */
const MOST_BYTES = 2 ** 32;

/** Refuses operations of the CPU that keep all pixels in memory, if an image has more than fit. */
export function checkFits(
  { options = {} }: Recipe,
  picture: Picture,
  { device }: { readonly device: DeviceName },
): void {
  const inStore = storeOf(picture) !== undefined;
  if (device === "gpu" && !inStore) return;
  const { pixels } = picture;
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  const { threshold, ...others } = options;
  const isLocal = typeof threshold === "object" && "local" in threshold;
  const given = [...(isLocal ? ["local"] : []), ...Object.keys(others).filter((name) => Object.hasOwn(NEEDS, name))];
  const most = Math.min(MOST_BYTES, (inStore ? memoryForPixels() : undefined) ?? MOST_BYTES);
  const { width, height, depth } = sizeOf(picture);
  for (const name of given) {
    const { bytes, perByte } = NEEDS[name];
    const each = bytes + perByte * STORED_BYTES[type];
    const fitting = Math.floor(most / each);
    if (width * height * depth <= fitting) continue;
    const side = Math.floor(depth > 1 ? Math.cbrt(fitting) : Math.sqrt(fitting));
    const fits = sides({ width: side, height: side, depth: depth > 1 ? side : 1 });
    const got = sides({ width, height, depth });
    throw new UsageError(
      `Expected at most ${grouped(fitting)} pixels for --${name}, such as ${fits}, since it keeps ${each} bytes of each in memory, got ${got} in ${picture.input}; give ${hasAxis(picture.space, "level") ? "--level or --crop" : "--crop"}.`,
    );
  }
}

/** Bytes per pixel that the result of an operation takes at least: a bit, or the class of a pixel. Maps of distances go through files. */
const LEAST: Readonly<Record<Operation, number>> = {
  components: 1 / 8,
  labelled: 1 / 8,
  fill: 1 / 8,
  mask: 1 / 8,
  distance: 0,
  kmeans: 1,
};

/** Refuses an input whose result alone takes more than `--memory` leaves. */
export function checkMemory({ operation, input = {} }: Recipe, picture: Picture): void {
  const left = memoryForPixels();
  if (left === undefined || (operation === "fill" && storeOf(picture))) return;
  const { pixels } = picture;
  const { width, height, depth } = sizeOf(picture);
  const [, , , ...box] = input.crop?.length === 6 ? input.crop : [0, ...(input.crop ?? [])];
  const size = box.length > 0 ? box.reduce((product, side) => product * side, 1) : width * height * depth;
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  // Classes are found in all pixels at once.
  const held = "data" in pixels || operation === "kmeans" ? (pixels.channels ?? 1) * STORED_BYTES[type] : 0;
  const missing = size * (LEAST[operation] + held) - left;
  if (missing > 0) throw tooLittle(picture.input, missing);
}
