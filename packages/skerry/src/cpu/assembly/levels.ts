// The level of each pixel: the smallest tolerance at which a fill from the seed reaches it, which is the smallest
// over all paths of the largest difference from the seed's colour on the way. Prim's algorithm with a bucket per
// level; a pixel's level is final when it is first met, for levels are taken in order.

/** A pixel that was not met; its link in a bucket is overwritten when it is. */
const UNMET: u32 = 0xffffffff;
/** The end of a bucket's list. */
const END: u32 = 0xfffffffe;

/** Empties the buckets, `heads`, and puts the seed into the first. `links` are u32 per pixel. */
export function beginLevels(heads: usize, links: usize, pixels: usize, seed: u32, levels: usize): void {
  memory.fill(heads, 0xff, 256 << 2);
  memory.fill(links, 0xff, pixels << 2);
  for (let level: usize = 0; level < 256; level++) store<u32>(heads + (level << 2), END);
  store<u32>(heads, seed);
  store<u32>(links + (<usize>seed << 2), END);
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
  q: u32, level: u32, src: usize, channels: u32, colour: u32, heads: usize, links: usize, levels: usize,
): void {
  const link = links + (<usize>q << 2);
  if (load<u32>(link) != UNMET) return;
  const l = max(level, difference(src + <usize>q * channels, colour, channels));
  store<u8>(levels + q, <u8>l);
  const head = heads + (<usize>l << 2);
  store<u32>(link, load<u32>(head));
  store<u32>(head, q);
}

/** Takes all pixels of one level; `colour` has the seed's channels, the first in the lowest byte. */
export function floodLevel(
  level: u32, src: usize, channels: u32, width: u32, height: u32, colour: u32, eight: bool,
  heads: usize, links: usize, levels: usize,
): void {
  const head = heads + (<usize>level << 2);
  for (let p = load<u32>(head); p != END; p = load<u32>(head)) {
    store<u32>(head, load<u32>(links + (<usize>p << 2)));
    const x = p % width;
    const left = x > 0;
    const right = x + 1 < width;
    if (left) meet(p - 1, level, src, channels, colour, heads, links, levels);
    if (right) meet(p + 1, level, src, channels, colour, heads, links, levels);
    if (p >= width) {
      meet(p - width, level, src, channels, colour, heads, links, levels);
      if (eight && left) meet(p - width - 1, level, src, channels, colour, heads, links, levels);
      if (eight && right) meet(p - width + 1, level, src, channels, colour, heads, links, levels);
    }
    if (p < width * (height - 1)) {
      meet(p + width, level, src, channels, colour, heads, links, levels);
      if (eight && left) meet(p + width - 1, level, src, channels, colour, heads, links, levels);
      if (eight && right) meet(p + width + 1, level, src, channels, colour, heads, links, levels);
    }
  }
}
