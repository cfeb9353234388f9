// The distance of each pixel from one colour. Colours are compared in Oklab (Ottosson 2020), in whole numbers: linear light has 16 bits,
// the cube roots of the cone responses 12, and L, a and b 14. Example: from black to white L differs by 16 384, which is 255.

import { U8 } from "./image-luma";

/**
 * Writes the contrast of `count` pixels: |v - frame| of one channel in its type; of colours the distance in Oklab as u8.
 * @param type pixel type: 0 u8, 1 u16
 * @param channels values of a pixel: 1, 3 or 4; alpha is ignored
 * @param src pixels [0 .. count * channels * typeBytes(type)]
 * @param count pixels
 * @param frame i32: the frame's value, or the three roots of its cone responses [0 .. channels > 1 ? 12 : 4]
 * @param light u16 per value of a channel: its linear light [0 .. channels > 1 ? (type === 0 ? 256 : 65536) * 2 : 0]
 * @param roots u16 per cone response: its cube root [0 .. channels > 1 ? 131072 : 0]
 * @param dst contrast per pixel [0 .. count * (channels > 1 ? 1 : typeBytes(type))]
 */
export function contrastRows(
  type: u32, channels: u32, src: usize, count: u32, frame: usize, light: usize, roots: usize, dst: usize,
): void {
  if (channels > 1) {
    if (type == U8) colours<u8>(channels, src, count, frame, light, roots, dst);
    else colours<u16>(channels, src, count, frame, light, roots, dst);
  } else if (type == U8) values<u8>(src, count, load<i32>(frame), dst);
  else values<u16>(src, count, load<i32>(frame), dst);
}

// @ts-ignore: decorator
@inline
function values<T>(src: usize, count: u32, frame: i32, dst: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const apart = <i32>load<T>(src + i * sizeof<T>()) - frame;
    store<T>(dst + i * sizeof<T>(), <T>(apart < 0 ? -apart : apart));
  }
}

// @ts-ignore: decorator
@inline
function colours<T>(channels: u32, src: usize, count: u32, frame: usize, light: usize, roots: usize, dst: usize): void {
  const l0 = load<i32>(frame), m0 = load<i32>(frame, 4), s0 = load<i32>(frame, 8);
  for (let i: usize = 0; i < <usize>count; i++) {
    const at = src + i * channels * sizeof<T>(); // wide: usize
    const r = lightAt<T>(at, light);
    const g = lightAt<T>(at + sizeof<T>(), light);
    const b = lightAt<T>(at + 2 * sizeof<T>(), light);
    // The weights of a row sum to 65 536, so that a sum of products is below 2^32.
    const l = rootAt(27015 * r + 35149 * g + 3372 * b, roots) - l0;
    const m = rootAt(13887 * r + 44611 * g + 7038 * b, roots) - m0;
    const s = rootAt(5787 * r + 18463 * g + 41286 * b, roots) - s0;
    // Roots differ by at most 4096, and weights are below 2^14 in sum: products are below 2^27.
    const lightness = (862 * l + 3251 * m - 17 * s + 512) >> 10;
    const greenRed = (8102 * l - 9948 * m + 1846 * s + 512) >> 10;
    const blueYellow = (106 * l + 3206 * m - 3312 * s + 512) >> 10;
    // |a| and |b| of sRGB colours differ by less than 0.6, so the sum of squares is below 2^30.
    const square = lightness * lightness + greenRed * greenRed + blueYellow * blueYellow;
    store<u8>(dst + i, <u8>min<f64>(255, floor(sqrt(<f64>square) * (255.0 / 16384) + 0.5)));
  }
}

// @ts-ignore: decorator
@inline
function lightAt<T>(at: usize, light: usize): u32 {
  return <u32>load<u16>(light + (<usize>load<T>(at) << 1));
}

// @ts-ignore: decorator
@inline
function rootAt(response: u32, roots: usize): i32 {
  return <i32>load<u16>(roots + (<usize>(response >> 16) << 1));
}
