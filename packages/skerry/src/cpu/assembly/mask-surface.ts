// The pixels of a mask that have background beside them along an axis.

import { tailMask } from "./bits";

/** Arguments of {@link surfaceRows}. */
// @ts-ignore: decorator
@unmanaged
export class SurfaceRowsCall {
  /** First bit plane, from row 0. [y1 > y0 ? (depth > 1 && y1 > height ? Math.max(0, y0 - height) : Math.max(0, y0 - 1)) * rowBytes(width) : 0 .. y1 > y0 ? Math.min(height * depth, depth > 1 && y0 < (depth - 1) * height ? y1 + height : y1 + 1) * rowBytes(width) : 0] */
  bits: usize;
  /** Second bit plane, from row 0; 0 none. [y1 > y0 ? (depth > 1 && y1 > height ? Math.max(0, y0 - height) : Math.max(0, y0 - 1)) * rowBytes(width) : 0 .. y1 > y0 ? Math.min(height * depth, depth > 1 && y0 < (depth - 1) * height ? y1 + height : y1 + 1) * rowBytes(width) : 0] */
  bits2: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** Row after the last, counted through all slices. */
  y1: u32;
  /** Rows of one slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** Bool: background beyond the border. */
  border: bool;
  /** Rows of 32-bit words. [0 .. (y1 - y0) * Math.ceil(width / 32) * 4] */
  out: usize;
}

/** Writes the pixels of rows [y0, y1) with background beside them along an axis; see {@link surfaceOf}. */
export function surfaceRows(call: SurfaceRowsCall): void {
  surfaceOf(
    call.bits, call.bits2, call.width, call.y0, call.y1, call.height, call.depth, call.border, call.out,
  );
}

/**
 * Writes, as rows of 32-bit words at `out`, the pixels of rows [y0, y1) that have a neighbour along x, y or z in neither
 * plane. Rows are counted through `depth` slices of `height` rows. Pixels beyond the border are background with `border`,
 * else foreground.
 */
export function surfaceOf(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, height: u32, depth: u32, border: bool, out: usize,
): void {
  const words = (width + 63) >> 6;
  const words32 = (width + 31) >> 5;
  const stride = <usize>words << 3;
  const slice = <usize>height * stride;
  const outside: u64 = border ? 0 : u64.MAX_VALUE;
  for (let row = y0; row < y1; row++) {
    const y = row % height;
    const z = row / height;
    const at = <usize>row * stride;
    let before = outside & 1;
    for (let i: u32 = 0; i < words; i++) {
      const word = at + (<usize>i << 3);
      const c = either(bits, bits2, word);
      // The pixel after the last one of the row is beyond the border.
      const next = i + 1 < words ? either(bits, bits2, word + 8) & 1 : outside & 1;
      let right = (c >> 1) | (next << 63);
      if (i + 1 == words && !border) right |= (tailMask(width) + 1) >> 1;
      let all = ((c << 1) | before) & right;
      all &= y > 0 ? either(bits, bits2, word - stride) : outside;
      all &= y + 1 < height ? either(bits, bits2, word + stride) : outside;
      if (depth > 1) {
        all &= z > 0 ? either(bits, bits2, word - slice) : outside;
        all &= z + 1 < depth ? either(bits, bits2, word + slice) : outside;
      }
      before = c >> 63;
      const result = c & ~all;
      const to = out + (<usize>i << 3);
      if (((i << 1) | 1) < words32) store<u64>(to, result);
      else store<u32>(to, <u32>result);
    }
    out += <usize>words32 << 2;
  }
}

// @ts-ignore: decorator
@inline
function either(bits: usize, bits2: usize, at: usize): u64 {
  const word = load<u64>(bits + at);
  return bits2 ? word | load<u64>(bits2 + at) : word;
}
