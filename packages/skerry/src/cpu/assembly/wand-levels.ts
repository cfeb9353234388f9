// The level of each pixel: the smallest tolerance at which a fill from the seed reaches it, which is the smallest
// over all paths of the largest difference from the seed's colour on the way. Prim's algorithm with a bucket per
// level; a pixel's level is final when it is first met, for levels are taken in order.

/** The end of a bucket's list. */
const END: u32 = 0xffffffff;

/**
 * Empties the buckets, `heads`, and puts the seed into the first. `links` are u32 per pixel, written when a pixel is
 * put into a bucket; `met` is a bit per pixel, small enough to stay in the cache.
 * @param heads u32 per level: first pixel of its bucket [0 .. 1024]
 * @param links u32 per pixel: next of its bucket [seed * 4 .. seed * 4 + 4]
 * @param met bit per pixel: has a level [0 .. Math.ceil(pixels / 64) * 8]
 * @param pixels pixels of the image; a number though usize
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
function difference(at: usize, colour: u32, channels: u32): u32 {
  let most: u32 = 0;
  for (let c: u32 = 0; c < channels; c++) {
    const d = <i32>load<u8>(at + c) - <i32>((colour >> (c << 3)) & 255);
    most = max(most, <u32>abs(d));
  }
  return most;
}

// @ts-ignore: decorator
@inline
function meet(
  q: u32, level: u32, src: usize, channels: u32, colour: u32, heads: usize, links: usize, met: usize, levels: usize,
): void {
  const word = met + (<usize>(q >> 6) << 3);
  const bits = load<u64>(word);
  const bit = (<u64>1) << (<u64>(q & 63));
  if (bits & bit) return;
  store<u64>(word, bits | bit);
  const l = max(level, difference(src + <usize>q * channels, colour, channels));
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
  /** u8 pixels of the image. [0 .. width * height * channels] */
  src: usize;
  /** Channels of a pixel: 1, 3 or 4. */
  channels: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows. */
  height: u32;
  /** The seed's channels, the first lowest. */
  colour: u32;
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

/**
 * Takes all pixels of one level; `colour` has the seed's channels, the first in the lowest byte.
 */
export function floodLevel(call: FloodLevelCall): void {
  let level = call.level, src = call.src, channels = call.channels, width = call.width, height = call.height,
    colour = call.colour, eight = call.eight, heads = call.heads, links = call.links, met = call.met,
    levels = call.levels;
  const head = heads + (<usize>level << 2);
  for (let p = load<u32>(head); p != END; p = load<u32>(head)) {
    store<u32>(head, load<u32>(links + (<usize>p << 2)));
    const x = p % width;
    const left = x > 0;
    const right = x + 1 < width;
    if (p >= width) {
      meet(p - width, level, src, channels, colour, heads, links, met, levels);
      if (eight && left) meet(p - width - 1, level, src, channels, colour, heads, links, met, levels);
      if (eight && right) meet(p - width + 1, level, src, channels, colour, heads, links, met, levels);
    }
    if (p < width * (height - 1)) {
      meet(p + width, level, src, channels, colour, heads, links, met, levels);
      if (eight && left) meet(p + width - 1, level, src, channels, colour, heads, links, met, levels);
      if (eight && right) meet(p + width + 1, level, src, channels, colour, heads, links, met, levels);
    }
    // Sideways last, so that a bucket gives them first: memory is read in rows.
    if (left) meet(p - 1, level, src, channels, colour, heads, links, met, levels);
    if (right) meet(p + 1, level, src, channels, colour, heads, links, met, levels);
  }
}
