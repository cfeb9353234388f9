// The amount of one stain in each pixel: the optical densities of red, green and blue times a row of the inverse of the
// stains' matrix (Ruifrok and Johnston, 2001). Tables hold the products, so that sums are exact on every device.

import { U8 } from "./image-luma";

/**
 * Writes the amount of a stain, 0 or more, of `count` pixels.
 * @param type pixel type: 0 u8, 1 u16
 * @param channels values of a pixel, 3 or 4; alpha is ignored
 * @param src pixels [0 .. count * channels * typeBytes(type)]
 * @param count pixels
 * @param entries i64 per value of red, of green and of blue: its part of the amount, times 2^40 [0 .. (type === 0 ? 256 : 65536) * 24]
 * @param dst f32 per pixel [0 .. count * 4]
 */
export function stainRows(type: u32, channels: u32, src: usize, count: u32, entries: usize, dst: usize): void {
  const size: usize = type == U8 ? 1 : 2;
  const table: usize = type == U8 ? 256 << 3 : 65536 << 3;
  for (let i: u32 = 0; i < count; i++) {
    const at = src + <usize>i * channels * size;
    const amount =
      entryAt(type, at, entries) + entryAt(type, at + size, entries + table) + entryAt(type, at + 2 * size, entries + 2 * table);
    // 2^-40 is exact: the one rounding is that of the conversion.
    store<f32>(dst + (<usize>i << 2), <f32>max<i64>(0, amount) * <f32>9.094947017729282e-13);
  }
}

// @ts-ignore: decorator
@inline
function entryAt(type: u32, at: usize, entries: usize): i64 {
  const value = type == U8 ? <usize>load<u8>(at) : <usize>load<u16>(at);
  return load<i64>(entries + (value << 3));
}
