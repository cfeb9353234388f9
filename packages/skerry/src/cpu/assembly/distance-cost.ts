// Costs: the contribution of a distance along one axis. They are u16 if all finite costs fit (truncated maps), i32 on
// integer grids, and f32 if sides have no integer ratio. Infinity is a number that stays larger than any cost after an
// addition: u16 sums saturate, i32 has room for two.

/** Larger than any cost on an integer grid, and less than 2^31 with the largest added. */
export const I32_INFINITY: i32 = 0x3fffffff;

// @ts-ignore: decorator
@inline
export function infinityOf<T>(): T {
  if (sizeof<T>() == 2) return <T>0xffff;
  if (isFloat<T>()) return <T>Infinity;
  return <T>I32_INFINITY;
}

/** Stores the costs of eight distances in pixels, u16; infinity beyond `limit`. */
// @ts-ignore: decorator
@inline
export function costOf<T>(dst: usize, d: v128, limit: u16, weight: f64, squared: bool): void {
  const near = v128.le<u16>(d, i16x8.splat(limit));
  if (sizeof<T>() == 2) {
    const step = i16x8.mul(d, i16x8.splat(<i16>(<u32>weight)));
    const cost = squared ? i16x8.mul(step, step) : step;
    v128.store(dst, v128.bitselect(cost, i16x8.splat(-1), near));
  } else {
    const low = i32x4.extend_low_i16x8_u(d);
    const high = i32x4.extend_high_i16x8_u(d);
    store4<T>(dst, low, i32x4.extend_low_i16x8_s(near), weight, squared);
    store4<T>(dst + 16, high, i32x4.extend_high_i16x8_s(near), weight, squared);
  }
}

// @ts-ignore: decorator
@inline
function store4<T>(dst: usize, d: v128, near: v128, weight: f64, squared: bool): void {
  if (isFloat<T>()) {
    const step = f32x4.mul(f32x4.convert_i32x4_s(d), f32x4.splat(<f32>weight));
    const cost = squared ? f32x4.mul(step, step) : step;
    v128.store(dst, v128.bitselect(cost, f32x4.splat(Infinity), near));
  } else {
    const step = i32x4.mul(d, i32x4.splat(<i32>weight));
    const cost = squared ? i32x4.mul(step, step) : step;
    v128.store(dst, v128.bitselect(cost, i32x4.splat(I32_INFINITY), near));
  }
}

// @ts-ignore: decorator
@inline
export function splatOf<T>(value: T): v128 {
  if (sizeof<T>() == 2) return i16x8.splat(<i16>value);
  if (isFloat<T>()) return f32x4.splat(<f32>value);
  return i32x4.splat(<i32>value);
}

/**
 * Combines the costs of a site and of the steps to it: the sum, or for the chessboard (K of 2 bytes) the larger one.
 */
// @ts-ignore: decorator
@inline
export function joinOf<T, K>(site: v128, cost: v128): v128 {
  if (sizeof<K>() == 2) return v128.max<T>(site, cost);
  if (sizeof<T>() == 2) return v128.add_sat<T>(site, cost);
  return v128.add<T>(site, cost);
}
