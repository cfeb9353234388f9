// Colour to one channel, a row at a time: Rec. 601 luma with the weights 77, 150 and 29 of 256, or "any colour channel is
// nonzero". Alpha, the fourth channel, is never read.

// Pixel types by number: TYPE_CODE of core/pixels.ts.
export const U8: u32 = 0;
export const U16: u32 = 1;
export const I16: u32 = 2;
export const F32: u32 = 3;
export const U32: u32 = 4;
export const I32: u32 = 5;

/** Bytes of one value of a pixel type. */
// @ts-ignore: decorator
@inline
export function typeBytes(type: u32): usize {
  return type == U8 ? 1 : type == U16 || type == I16 ? 2 : 4;
}

/** Reduces the row at `src` to one channel. Returns its address: `src` if it has only one, else `scratch`. */
export function reduceRow(type: u32, channels: u32, src: usize, width: u32, any: bool, scratch: usize): usize {
  if (channels == 1) return src;
  if (type == U8) lumaRow<u8>(src, channels, width, scratch, any);
  else if (type == U16) lumaRow<u16>(src, channels, width, scratch, any);
  else if (type == I16) lumaRow<i16>(src, channels, width, scratch, any);
  else lumaRow<f32>(src, channels, width, scratch, any);
  return scratch;
}

// @ts-ignore: decorator
@inline
function lumaOf<T>(r: T, g: T, b: T): T {
  if (isFloat<T>()) {
    // Each step rounds to f32, in this order, so that every device gives the same luma.
    return <T>(<f32>(<f32>(<f32>(<f32>77 * <f32>r) + <f32>(<f32>150 * <f32>g)) + <f32>(<f32>29 * <f32>b)) / <f32>256);
  }
  // u16: at most 256 * 65535 + 128, i16: the shift is arithmetic; both fit 32 bits.
  return <T>((77 * <i32>r + 150 * <i32>g + 29 * <i32>b + 128) >> 8);
}

// @ts-ignore: decorator
@inline
function anyOf<T>(r: T, g: T, b: T): T {
  if (isFloat<T>()) {
    if (r != r || g != g || b != b) return <T>NaN;
    return r != <T>0 || g != <T>0 || b != <T>0 ? <T>1 : <T>0;
  }
  return <T>(<i32>r | <i32>g | <i32>b);
}

/** Reduces `width` pixels of 3 or 4 channels at `src` to one channel at `dst`. */
export function lumaRow<T>(src: usize, channels: u32, width: u32, dst: usize, any: bool): void {
  const size = <usize>sizeof<T>();
  const step = <usize>channels * size;
  let x: u32 = 0;
  if (sizeof<T>() == 1) {
    for (; x + 16 <= width; x += 16) {
      v128.store(dst, any ? any16(src, channels) : luma16(src, channels));
      src += 16 * step;
      dst += 16;
    }
  }
  for (; x < width; x++) {
    const r = load<T>(src);
    const g = load<T>(src + size);
    const b = load<T>(src + 2 * size);
    store<T>(dst, any ? anyOf<T>(r, g, b) : lumaOf<T>(r, g, b));
    src += step;
    dst += size;
  }
}

// Channel k of 16 interleaved RGB pixels. A swizzle index past 15 gives zero, so the channel is the union of its parts in
// the three source vectors.

// @ts-ignore: decorator
@inline
function plane3(a: v128, b: v128, c: v128, k: i32): v128 {
  if (k == 0) {
    return v128.or(
      v128.or(
        v128.swizzle(a, i8x16(0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)),
        v128.swizzle(b, i8x16(-1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1)),
      ),
      v128.swizzle(c, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13)),
    );
  }
  if (k == 1) {
    return v128.or(
      v128.or(
        v128.swizzle(a, i8x16(1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)),
        v128.swizzle(b, i8x16(-1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1)),
      ),
      v128.swizzle(c, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14)),
    );
  }
  return v128.or(
    v128.or(
      v128.swizzle(a, i8x16(2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)),
      v128.swizzle(b, i8x16(-1, -1, -1, -1, -1, 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1)),
    ),
    v128.swizzle(c, i8x16(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15)),
  );
}

// Channel k of 16 RGBA pixels: shift it to the bottom of each 32-bit pixel, then narrow twice.
// @ts-ignore: decorator
@inline
function plane4(src: usize, k: i32): v128 {
  const mask = i32x4.splat(255);
  const a = v128.and(i32x4.shr_u(v128.load(src), k << 3), mask);
  const b = v128.and(i32x4.shr_u(v128.load(src, 16), k << 3), mask);
  const c = v128.and(i32x4.shr_u(v128.load(src, 32), k << 3), mask);
  const d = v128.and(i32x4.shr_u(v128.load(src, 48), k << 3), mask);
  return i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(a, b), i16x8.narrow_i32x4_u(c, d));
}

// @ts-ignore: decorator
@inline
function channel16(src: usize, channels: u32, k: i32): v128 {
  if (channels == 4) return plane4(src, k);
  return plane3(v128.load(src), v128.load(src, 16), v128.load(src, 32), k);
}

// @ts-ignore: decorator
@inline
function any16(src: usize, channels: u32): v128 {
  return v128.or(v128.or(channel16(src, channels, 0), channel16(src, channels, 1)), channel16(src, channels, 2));
}

// @ts-ignore: decorator
@inline
function luma16(src: usize, channels: u32): v128 {
  const r = channel16(src, channels, 0);
  const g = channel16(src, channels, 1);
  const b = channel16(src, channels, 2);
  const wr = i8x16.splat(77);
  const wg = i8x16.splat(<i8>150);
  const wb = i8x16.splat(29);
  const half = i16x8.splat(128);
  // 256 * 255 + 128 = 65408 still fits an unsigned 16-bit lane.
  const low = i16x8.add(
    i16x8.add(i16x8.extmul_low_i8x16_u(r, wr), i16x8.extmul_low_i8x16_u(g, wg)),
    i16x8.add(i16x8.extmul_low_i8x16_u(b, wb), half),
  );
  const high = i16x8.add(
    i16x8.add(i16x8.extmul_high_i8x16_u(r, wr), i16x8.extmul_high_i8x16_u(g, wg)),
    i16x8.add(i16x8.extmul_high_i8x16_u(b, wb), half),
  );
  return i8x16.narrow_i16x8_u(i16x8.shr_u(low, 8), i16x8.shr_u(high, 8));
}
