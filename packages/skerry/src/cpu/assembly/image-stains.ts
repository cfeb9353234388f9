// The amount of one stain in each pixel: the optical densities of red, green and blue times a row of the inverse of the
// stains' matrix (Ruifrok and Johnston, 2001).

import { U8 } from "./image-luma";

/**
 * Writes the amount of a stain, 0 or more, of `count` pixels.
 * @param type pixel type: 0 u8, 1 u16
 * @param channels values of a pixel, 3 or 4; alpha is ignored
 * @param src pixels [0 .. count * channels * typeBytes(type)]
 * @param count pixels
 * @param densities f64 per value of the type: its optical density [0 .. (type === 0 ? 256 : 65536) * 8]
 * @param weights f64 of the densities of red, green and blue [0 .. 24]
 * @param dst f32 per pixel [0 .. count * 4]
 */
export function stainRows(type: u32, channels: u32, src: usize, count: u32, densities: usize, weights: usize, dst: usize): void {
  const red = load<f64>(weights), green = load<f64>(weights, 8), blue = load<f64>(weights, 16);
  const size: usize = type == U8 ? 1 : 2;
  for (let i: u32 = 0; i < count; i++) {
    const at = src + <usize>i * channels * size;
    const amount =
      densityAt(type, at, densities) * red + densityAt(type, at + size, densities) * green +
      densityAt(type, at + 2 * size, densities) * blue;
    store<f32>(dst + (<usize>i << 2), <f32>max<f64>(0, amount));
  }
}

// @ts-ignore: decorator
@inline
function densityAt(type: u32, at: usize, densities: usize): f64 {
  const value = type == U8 ? <usize>load<u8>(at) : <usize>load<u16>(at);
  return load<f64>(densities + (value << 3));
}
