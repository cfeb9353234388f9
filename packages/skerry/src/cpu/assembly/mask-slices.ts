// Holes of slices: the background of a slice that does not reach the slice's border. What reaches it is spread from row to
// row, down and up, until nothing changes.

/** Arguments of {@link holesOfSlices}. */
// @ts-ignore: decorator
@unmanaged
export class HolesOfSlicesCall {
  /** Bit plane of the objects, from row 0. [z0 * height * rowBytes(width) .. z1 * height * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  height: u32;
  /** First slice. */
  z0: u32;
  /** One past the last slice. */
  z1: u32;
  /** Whether diagonals join background. */
  eight: bool;
  /** Bit plane of the holes, from row 0. [z0 * height * rowBytes(width) .. z1 * height * rowBytes(width)] */
  dst: usize;
}

/** Writes the holes of slices [z0, z1). */
export function holesOfSlices(call: HolesOfSlicesCall): void {
  const words = (call.width + 63) >> 6;
  const bytes = <usize>words << 3;
  const height = call.height;
  for (let z = call.z0; z < call.z1; z++) {
    const slice = call.bits + <usize>z * height * bytes;
    const out = call.dst + <usize>z * height * bytes;
    memory.fill(out, 0, <usize>height * bytes);
    let changed = true;
    while (changed) {
      changed = false;
      for (let y: u32 = 0; y < height; y++) {
        const from = y ? out + <usize>(y - 1) * bytes : 0;
        if (spread(call, slice + <usize>y * bytes, from, out + <usize>y * bytes, words, y == 0 || y == height - 1)) changed = true;
      }
      for (let y = height - 1; y > 0; y--) {
        const row = y - 1;
        if (spread(call, slice + <usize>row * bytes, out + <usize>y * bytes, out + <usize>row * bytes, words, false)) changed = true;
      }
    }
    const rest = call.width & 63;
    for (let y: u32 = 0; y < height; y++) {
      for (let i: u32 = 0; i < words; i++) {
        const at = <usize>y * bytes + (<usize>i << 3);
        const mask: u64 = i == words - 1 && rest ? (<u64>1 << <u64>rest) - 1 : u64.MAX_VALUE;
        store<u64>(out + at, ~load<u64>(slice + at) & ~load<u64>(out + at) & mask);
      }
    }
  }
}

/** Adds to `row` the background that is joined to `from`, to itself, and to the border; returns whether anything was. */
function spread(call: HolesOfSlicesCall, bits: usize, from: usize, row: usize, words: u32, border: bool): bool {
  const last = words - 1;
  const end = <u64>1 << <u64>((call.width - 1) & 63);
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
      if (call.eight) {
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

/** Spreads bits of v to higher free bits, by doubling: `way` holds the bits that are reached over free ones only. */
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

/** Arguments of {@link turnBits}. */
// @ts-ignore: decorator
@unmanaged
export class TurnBitsCall {
  /** Bit plane. [0 .. height * depth * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** Which axes rows, columns and slices of the result lie along: 0 x, z, y (both ways); 1 y, z, x; 2 back from that: z, x, y. */
  turn: u32;
  /** First row of the result, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Bit plane of the result. [y0 * rowBytes(turn === 0 ? width : turn === 1 ? height : depth) .. y1 * rowBytes(turn === 0 ? width : turn === 1 ? height : depth)] */
  dst: usize;
}

/** Turns the axes of a volume. */
export function turnBits(call: TurnBitsCall): void {
  const words = (call.width + 63) >> 6;
  const side = call.turn == 0 ? call.width : call.turn == 1 ? call.height : call.depth;
  const tall = call.turn == 2 ? call.width : call.depth;
  const bytes = <usize>((side + 63) >> 6) << 3;
  for (let row = call.y0; row < call.y1; row++) {
    const v = row % tall;
    const w = row / tall;
    const to = call.dst + <usize>row * bytes;
    if (call.turn == 0) {
      // x, z, y: row v is slice v, slice w is row w.
      memory.copy(to, call.bits + ((<usize>v * call.height + w) * words << 3), bytes);
      continue;
    }
    memory.fill(to, 0, bytes);
    for (let u: u32 = 0; u < side; u++) {
      // 1: u is y, v is z, w is x. 2: u is z, v is x, w is y.
      const x = call.turn == 1 ? w : v;
      const y = call.turn == 1 ? u : w;
      const z = call.turn == 1 ? v : u;
      const from = call.bits + (((<usize>z * call.height + y) * words + (x >> 6)) << 3);
      const bit = (load<u64>(from) >> <u64>(x & 63)) & 1;
      const at = to + (<usize>(u >> 6) << 3);
      store<u64>(at, load<u64>(at) | (bit << <u64>(u & 63)));
    }
  }
}
