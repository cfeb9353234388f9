// Holes of slices: components of a slice's background that do not touch the slice's border. The background that touches it
// is spread from row to row, down and up, until nothing changes.

/**
 * Writes the holes of slices [z0, z1).
 * @param bits bit plane of the objects, from row 0 [z0 * height * rowBytes(width) .. z1 * height * rowBytes(width)]
 * @param width pixels of a row, >= 1
 * @param height rows of a slice
 * @param z0 first slice
 * @param z1 one past the last slice
 * @param eight whether diagonals join background
 * @param dst bit plane of the holes, from row 0 [z0 * height * rowBytes(width) .. z1 * height * rowBytes(width)]
 */
export function holesOfSlices(bits: usize, width: u32, height: u32, z0: u32, z1: u32, eight: bool, dst: usize): void {
  const words = (width + 63) >> 6;
  const bytes = <usize>words << 3;
  for (let z = z0; z < z1; z++) {
    const slice = bits + <usize>z * height * bytes;
    const out = dst + <usize>z * height * bytes;
    memory.fill(out, 0, <usize>height * bytes);
    let changed = true;
    while (changed) {
      changed = false;
      for (let y: u32 = 0; y < height; y++) {
        const from = y ? out + <usize>(y - 1) * bytes : 0;
        if (spread(width, eight, slice + <usize>y * bytes, from, out + <usize>y * bytes, y == 0 || y == height - 1)) changed = true;
      }
      for (let y = height - 1; y > 0; y--) {
        const row = y - 1;
        if (spread(width, eight, slice + <usize>row * bytes, out + <usize>y * bytes, out + <usize>row * bytes, false)) changed = true;
      }
    }
    const rest = width & 63;
    for (let y: u32 = 0; y < height; y++) {
      for (let i: u32 = 0; i < words; i++) {
        const at = <usize>y * bytes + (<usize>i << 3);
        const mask: u64 = i == words - 1 && rest ? (<u64>1 << <u64>rest) - 1 : u64.MAX_VALUE;
        store<u64>(out + at, ~load<u64>(slice + at) & ~load<u64>(out + at) & mask);
      }
    }
  }
}

/** Adds to `row` the background of its row that touches `row`, `from` or the border. Returns whether `row` changed. */
function spread(width: u32, eight: bool, bits: usize, from: usize, row: usize, border: bool): bool {
  const words = (width + 63) >> 6;
  const last = words - 1;
  const end = <u64>1 << <u64>((width - 1) & 63);
  let changed = false;
  let carry: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    const at = <usize>i << 3;
    const free = ~load<u64>(bits + at);
    const before = load<u64>(row + at);
    let v = before | carry;
    if (border) v = u64.MAX_VALUE;
    if (i == 0) v |= 1;
    if (i == last) v |= end;
    if (from) {
      const near = load<u64>(from + at);
      v |= near;
      if (eight) {
        v |= (near << 1) | (near >> 1);
        if (i) v |= load<u64>(from + at - 8) >> 63;
        if (i < last) v |= load<u64>(from + at, 8) << 63;
      }
    }
    v = upwards(v, free);
    carry = v >> 63;
    if (v != before) {
      store<u64>(row + at, v);
      changed = true;
    }
  }
  carry = 0;
  for (let i = <i32>last; i >= 0; i--) {
    const at = <usize>i << 3;
    const before = load<u64>(row + at);
    const v = downwards(before | (carry << 63), ~load<u64>(bits + at));
    carry = v & 1;
    if (v != before) {
      store<u64>(row + at, v);
      changed = true;
    }
  }
  return changed;
}

/** Spreads bits of v to higher free bits in steps that double: `way` holds the bits that a step reaches over free bits only. */
// @ts-ignore: decorator
@inline
function upwards(v: u64, free: u64): u64 {
  v &= free;
  let way = free;
  v |= way & (v << 1);
  way &= way << 1;
  v |= way & (v << 2);
  way &= way << 2;
  v |= way & (v << 4);
  way &= way << 4;
  v |= way & (v << 8);
  way &= way << 8;
  v |= way & (v << 16);
  way &= way << 16;
  return v | (way & (v << 32));
}

// @ts-ignore: decorator
@inline
function downwards(v: u64, free: u64): u64 {
  v &= free;
  let way = free;
  v |= way & (v >> 1);
  way &= way >> 1;
  v |= way & (v >> 2);
  way &= way >> 2;
  v |= way & (v >> 4);
  way &= way >> 4;
  v |= way & (v >> 8);
  way &= way >> 8;
  v |= way & (v >> 16);
  way &= way >> 16;
  return v | (way & (v >> 32));
}

/**
 * Permutes the axes of a volume.
 * @param bits bit plane [0 .. height * depth * rowBytes(width)]
 * @param width pixels of a row, >= 1
 * @param height rows of a slice
 * @param depth slices
 * @param turn the volume's axes that become x, y, z of the result: 0 x, z, y (own inverse); 1 y, z, x; 2 z, x, y (inverse of 1)
 * @param y0 first row of the result, counted through all slices
 * @param y1 one past the last row
 * @param dst bit plane of the result [y0 * rowBytes(turn === 0 ? width : turn === 1 ? height : depth) .. y1 * rowBytes(turn === 0 ? width : turn === 1 ? height : depth)]
 */
export function turnBits(bits: usize, width: u32, height: u32, depth: u32, turn: u32, y0: u32, y1: u32, dst: usize): void {
  const words = (width + 63) >> 6;
  const side = turn == 0 ? width : turn == 1 ? height : depth;
  const tall = turn == 2 ? width : depth;
  const bytes = <usize>((side + 63) >> 6) << 3;
  for (let row = y0; row < y1; row++) {
    const v = row % tall;
    const w = row / tall;
    const to = dst + <usize>row * bytes;
    if (turn == 0) {
      // x, z, y: row v is slice v, slice w is row w.
      memory.copy(to, bits + ((<usize>v * height + w) * words << 3), bytes);
      continue;
    }
    memory.fill(to, 0, bytes);
    for (let u: u32 = 0; u < side; u++) {
      // 1: u is y, v is z, w is x. 2: u is z, v is x, w is y.
      const x = turn == 1 ? w : v;
      const y = turn == 1 ? u : w;
      const z = turn == 1 ? v : u;
      const from = bits + (((<usize>z * height + y) * words + (x >> 6)) << 3);
      const bit = (load<u64>(from) >> <u64>(x & 63)) & 1;
      const at = to + (<usize>(u >> 6) << 3);
      store<u64>(at, load<u64>(at) | (bit << <u64>(u & 63)));
    }
  }
}
