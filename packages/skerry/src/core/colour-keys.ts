// Colour keys, the index by which every device counts colours: the interleaved bits of red, green and blue (Morton 1966). Similar
// colours mostly have close keys.

import { oklabOf } from "./oklab.js";

/** Number of keys. */
export const KEYS = 1 << 24;

/** Eight bits at every third place: 0b101 becomes 0b001000001. */
function spread(value: number): number {
  let x = value;
  x = (x | (x << 8)) & 0x00f00f;
  x = (x | (x << 4)) & 0x0c30c3;
  return (x | (x << 2)) & 0x249249;
}

/** The bits that each of the 256 values of red, then green, then blue adds to a key. */
export const SPREAD = Uint32Array.from({ length: 768 }, (_, i) => spread(i & 255) << (2 - (i >> 8)));

/** The bits of one channel. */
function everyThird(key: number): number {
  let x = key & 0x249249;
  x = (x | (x >> 2)) & 0x0c30c3;
  x = (x | (x >> 4)) & 0x00f00f;
  return (x | (x >> 8)) & 0xff;
}

/** Colours converted between two turns of the event loop: some 5 ms. */
export const CONVERTED = 1 << 15;

/** A colour in Oklab by its key, as {@link oklabOf} packs it; the key of a grey pixel has the level as red alone. */
export function oklabOfKey(key: number, channels: number): number {
  const red = everyThird(key >> 2);
  return channels === 1 ? oklabOf(red, red, red) : oklabOf(red, everyThird(key >> 1), everyThird(key));
}

/** Colours in ascending order of their keys, and the number of pixels of each. */
export interface ColourList {
  readonly keys: Uint32Array;
  readonly weights: Uint32Array;
}

/** The colours of grey pixels, and their levels, from the number of pixels per level. */
export function greyColours(counts: ArrayLike<number>): ColourList & { readonly levels: Uint32Array } {
  const levels = Uint32Array.from({ length: 256 }, (_, level) => level).filter((level) => counts[level]);
  return {
    levels,
    keys: levels.map((level) => SPREAD[level]),
    weights: levels.map((level) => counts[level]),
  };
}
