// The difference of each pixel from a seed's colour, and its level: the smallest tolerance at which a fill from the seed
// reaches the pixel. A level is the minimum over all paths from the seed of the largest difference on the path. Prim's
// algorithm with a bucket per level: levels are processed in order, so a pixel's level is final when it is first met.

/**
 * Writes each pixel's largest difference of a channel from a seed's colour. With `least`, keeps a smaller value at `dst`.
 * @param channels channels of a pixel: 1, 3 or 4
 * @param src u8 pixels of the band [0 .. pixels * channels]
 * @param pixels pixels of the band
 * @param colour the seed's channels, the first lowest
 * @param least bool: keep smaller differences
 * @param dst u8 per pixel: difference [0 .. pixels]
 */
export function differRows(channels: u32, src: usize, pixels: u32, colour: u32, least: bool, dst: usize): void {
  let done: u32 = 0;
  if (channels == 4) {
    const wanted = i32x4.splat(colour);
    // Sixteen pixels at a time; the largest of a pixel's four bytes is folded into its lowest one.
    for (; done + 16 <= pixels; done += 16) {
      const at = src + (<usize>done << 2);
      const a = folded(v128.load(at), wanted), b = folded(v128.load(at, 16), wanted);
      const c = folded(v128.load(at, 32), wanted), d = folded(v128.load(at, 48), wanted);
      put(dst + done, i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)), least);
    }
  } else if (channels == 1) {
    const wanted = i8x16.splat(<i8>colour);
    for (; done + 16 <= pixels; done += 16) {
      const v = v128.load(src + done);
      put(dst + done, v128.or(i8x16.sub_sat_u(v, wanted), i8x16.sub_sat_u(wanted, v)), least);
    }
  }
  for (; done < pixels; done++) {
    let most: u32 = 0;
    for (let c: u32 = 0; c < channels; c++) {
      const d = <i32>load<u8>(src + <usize>done * channels + c) - <i32>((colour >> (c << 3)) & 255);
      most = max(most, <u32>abs(d));
    }
    const to = dst + done;
    store<u8>(to, <u8>(least ? min(most, <u32>load<u8>(to)) : most));
  }
}

// @ts-ignore: decorator
@inline
function put(to: usize, differences: v128, least: bool): void {
  v128.store(to, least ? i8x16.min_u(differences, v128.load(to)) : differences);
}

/** The largest difference of four bytes, per 32-bit lane: bytes 9 3 7 1 give 9. */
// @ts-ignore: decorator
@inline
function folded(pixel: v128, wanted: v128): v128 {
  let d = v128.or(i8x16.sub_sat_u(pixel, wanted), i8x16.sub_sat_u(wanted, pixel));
  d = i8x16.max_u(d, i32x4.shr_u(d, 16));
  d = i8x16.max_u(d, i32x4.shr_u(d, 8));
  return v128.and(d, i32x4.splat(255));
}

/**
 * Keeps the smaller one of two levels.
 * @param levels u8 per pixel, read and written [0 .. pixels]
 * @param other u8 per pixel [0 .. pixels]
 * @param pixels pixels of the image (not a pointer)
 */
export function leastLevels(levels: usize, other: usize, pixels: usize): void {
  for (let i: usize = 0; i < pixels; i++) store<u8>(levels + i, min(load<u8>(levels + i), load<u8>(other + i)));
}

/**
 * Counts the pixels of each level.
 * @param levels u8 per pixel [0 .. pixels]
 * @param pixels pixels of the image (not a pointer)
 * @param counts u32 per level of 0..255, added to [0 .. 1024]
 */
export function countLevels(levels: usize, pixels: usize, counts: usize): void {
  for (let end = levels + pixels; levels < end; levels++) {
    const at = counts + (<usize>load<u8>(levels) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** The end of a bucket's list. */
const END: u32 = 0xffffffff;

/**
 * Empties the buckets, `heads`, and puts the seed into the first. `links` are u32 per pixel, written when a pixel is
 * put into a bucket; `met` is a bit per pixel, small enough to stay in the cache.
 * @param heads u32 per level: first pixel of its bucket [0 .. 1024]
 * @param links u32 per pixel: next of its bucket [seed * 4 .. seed * 4 + 4]
 * @param met bit per pixel: has a level [0 .. Math.ceil(pixels / 64) * 8]
 * @param pixels pixels of the image (not a pointer)
 * @param seed the seed's pixel, y * width + x
 * @param levels u8 per pixel: level [seed .. seed + 1]
 */
export function beginLevels(heads: usize, links: usize, met: usize, pixels: usize, seed: u32, levels: usize): void {
  memory.fill(heads, 0xff, 256 << 2);
  memory.fill(met, 0, ((pixels + 63) >> 6) << 3);
  store<u32>(heads, seed);
  store<u32>(links + (<usize>seed << 2), END);
  store<u64>(met + (<usize>(seed >> 6) << 3), (<u64>1) << (<u64>(seed & 63)));
  store<u8>(levels + seed, 0);
}

// @ts-ignore: decorator
@inline
function meet(
  q: u32, level: u32, src: usize, heads: usize, links: usize, met: usize, levels: usize,
): void {
  const word = met + (<usize>(q >> 6) << 3);
  const bits = load<u64>(word);
  const bit = (<u64>1) << (<u64>(q & 63));
  if (bits & bit) return;
  store<u64>(word, bits | bit);
  const l = max(level, <u32>load<u8>(src + q));
  store<u8>(levels + q, <u8>l);
  const head = heads + (<usize>l << 2);
  store<u32>(links + (<usize>q << 2), load<u32>(head));
  store<u32>(head, q);
}

/** Arguments of {@link floodLevel}. */
// @ts-ignore: decorator
@unmanaged
export class FloodLevelCall {
  /** 0..255. */
  level: u32;
  /** u8 per pixel: difference from the seed's colour. [0 .. width * height] */
  src: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows. */
  height: u32;
  /** Bool: 8 neighbours. */
  eight: bool;
  /** u32 per level: first pixel of its bucket. [level * 4 .. 1024] */
  heads: usize;
  /** u32 per pixel: next of its bucket. [0 .. width * height * 4] */
  links: usize;
  /** Bit per pixel: has a level. [0 .. Math.ceil((width * height) / 64) * 8] */
  met: usize;
  /** u8 per pixel: level. [0 .. width * height] */
  levels: usize;
}

/** Empties the bucket of one level, and gives levels to the neighbours of its pixels. */
export function floodLevel(call: FloodLevelCall): void {
  let level = call.level, src = call.src, width = call.width, height = call.height, eight = call.eight, heads = call.heads, links = call.links, met = call.met,
    levels = call.levels;
  const head = heads + (<usize>level << 2);
  for (let p = load<u32>(head); p != END; p = load<u32>(head)) {
    store<u32>(head, load<u32>(links + (<usize>p << 2)));
    const x = p % width;
    const left = x > 0;
    const right = x + 1 < width;
    if (p >= width) {
      meet(p - width, level, src, heads, links, met, levels);
      if (eight && left) meet(p - width - 1, level, src, heads, links, met, levels);
      if (eight && right) meet(p - width + 1, level, src, heads, links, met, levels);
    }
    if (p < width * (height - 1)) {
      meet(p + width, level, src, heads, links, met, levels);
      if (eight && left) meet(p + width - 1, level, src, heads, links, met, levels);
      if (eight && right) meet(p + width + 1, level, src, heads, links, met, levels);
    }
    // Neighbours along x are put last and thus taken first, because memory is read in rows.
    if (left) meet(p - 1, level, src, heads, links, met, levels);
    if (right) meet(p + 1, level, src, heads, links, met, levels);
  }
}
