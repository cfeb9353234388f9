// Masks from and to COCO's run lengths: down the columns, background first, as plain numbers or as the packed string of pycocotools.

import { flag, unexpected } from "../options/arguments.js";
import { checkOptions } from "../options/names.js";
import { checkMask } from "../options/pixels.js";
import { type CocoRle, type CocoString, cocoString } from "../results/coco.js";
import { InvalidArgument } from "../types/errors.js";
import type { Mask } from "../types/raster.js";

/** The lengths in a packed string; the inverse of `cocoString()`. */
function unpacked(packed: string): number[] {
  const counts: number[] = [];
  for (let at = 0; at < packed.length; ) {
    let [value, scale, code] = [0, 1, 32];
    while (code & 32) {
      // Past the end of the string there is NaN, of which no bit is set.
      code = packed.charCodeAt(at++) - 48;
      if (!(code >= 0 && code < 64)) return [];
      value += (code & 31) * scale;
      scale *= 32;
    }
    // The last character's sign bit continues to the left.
    if (code & 16) value -= scale;
    counts.push(counts.length > 2 ? value + counts[counts.length - 2] : value);
  }
  return counts;
}

/**
 * The mask of COCO's run lengths, plain or packed. O(pixels of the object) time, one bit of memory per pixel of the image.
 * @throws InvalidArgument if the lengths are not whole numbers of 0 or more that add up to the size
 * @example
 * import { fromRle, open } from "skerry";
 * const engine = await open();
 * const mask = fromRle({ size: [3, 4], counts: [3, 5, 4] });
 * const parts = await engine.components(mask);
 * console.log(parts.count, parts.foreground); // 1, 5
 */
export function fromRle(rle: CocoRle | CocoString): Mask {
  const { size, counts: given } = Object(rle) as Partial<CocoRle | CocoString>;
  const [height = 0, width = 0] = Array.isArray(size) ? size : [];
  if (!(Number.isInteger(height) && Number.isInteger(width) && height > 0 && width > 0)) {
    throw new InvalidArgument(`Expected the size of run lengths to be [height, width], got ${JSON.stringify(size)}.`, {
      argument: "rle",
    });
  }
  const isNumbers = Array.isArray(given) || given instanceof Uint32Array;
  if (typeof given !== "string" && !isNumbers) {
    throw unexpected("the counts of run lengths", "a list of numbers, or COCO's packed string", given);
  }
  const counts = typeof given === "string" ? unpacked(given) : Array.from(given as ArrayLike<number>);
  const wrong = counts.find((count) => !(Number.isInteger(count) && count >= 0));
  if (wrong !== undefined) throw unexpected("run lengths", "whole numbers of at least 0", wrong);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== width * height) {
    throw new InvalidArgument(
      `Expected run lengths that add up to ${width} x ${height} = ${width * height} pixels, got ${total}.`,
      { argument: "rle" },
    );
  }
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height);
  let at = 0;
  for (const [i, count] of counts.entries()) {
    const end = at + count;
    if (i % 2 === 0) at = end;
    for (; at < end; at++) {
      const x = Math.floor(at / height);
      const word = (at - x * height) * words + (x >> 5);
      bits[word] = bits[word] | (1 << (x & 31));
    }
  }
  return { bits, width, height };
}

/**
 * COCO's run lengths of a mask, by default packed as by pycocotools. O(pixels).
 * @throws InvalidArgument for a mask of a volume
 * @example
 * import { fromRle, toRle } from "skerry";
 * console.log(toRle(fromRle({ size: [3, 4], counts: [3, 5, 4] }), { compressed: false }).counts); // 3, 5, 4
 */
export function toRle(mask: Mask, options: { readonly compressed: false }): CocoRle;
export function toRle(mask: Mask, options?: { readonly compressed?: true }): CocoString;
export function toRle(mask: Mask, options: { readonly compressed?: boolean } = {}): CocoRle | CocoString {
  checkOptions("toRle", options);
  const { compressed = true } = options;
  flag("compressed", compressed);
  const { bits, width, height, depth = 1 } = checkMask(mask);
  if (depth > 1) {
    throw new InvalidArgument(`Expected the mask of an image for COCO's run lengths, got ${depth} slices.`, {
      argument: "mask",
    });
  }
  const words = Math.ceil(width / 32);
  const counts: number[] = [];
  let [last, inside] = [0, 0];
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const bit = (bits[y * words + (x >> 5)] >>> (x & 31)) & 1;
      if (bit === inside) continue;
      counts.push(x * height + y - last);
      [last, inside] = [x * height + y, bit];
    }
  }
  counts.push(width * height - last);
  const rle: CocoRle = { size: [height, width], counts };
  return compressed ? cocoString(rle) : rle;
}
