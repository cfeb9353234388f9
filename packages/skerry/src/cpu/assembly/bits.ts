// Bit rows: the layout that all kernels share. A row is `words` 64-bit words. Pixel x is bit x & 63 of word x >> 6, and the
// bits past the width are zero. Two planes that are read together never share a pixel: they hold the two polarities, or
// the touching runs of components-linked.ts in turn.

/** A mask of the bits below bit `x` of a word: below(3) = 0b111. `x` is 0..63. */
// @ts-ignore: decorator
@inline
export function below(x: u32): u64 {
  return ((<u64>1) << (<u64>x)) - 1;
}

/** A mask of the pixels in the last word of a row: all ones if the width is a multiple of 64. */
// @ts-ignore: decorator
@inline
export function tailMask(width: u32): u64 {
  // A shift by 64 would be a shift by 0, hence the guard.
  const rest = width & 63;
  return rest ? below(rest) : u64.MAX_VALUE;
}

/** First pixels of the runs in word `c`, `carry` being the top bit of the word before it. */
// @ts-ignore: decorator
@inline
export function startsOf(c: u64, carry: u64): u64 {
  return c & ~((c << 1) | carry);
}

/**
 * Writes begin, end, begin, end, ... of the runs of one row as u32 pairs and returns the number of runs.
 *
 * A toggle is a pixel unlike its left neighbour: 0110_0111 (lowest bit first) has toggles at 1, 3 and 5. A run that is
 * still open at the end of the row is closed by the width: [1, 3), [5, 8).
 */
export function decodeRow(row: usize, row2: usize, width: u32, list: usize): u32 {
  return row2 ? decodeTwo(row, row2, width, list) : decodeOne(row, width, list);
}

/** Whether the four words at `at` all continue `carry`: all zeros after a 0, all ones after a 1. */
// @ts-ignore: decorator
@inline
export function allEqual(at: usize, carry: u64): bool {
  const same = i64x2.splat(0 - <i64>carry);
  return !v128.any_true(v128.or(v128.xor(v128.load(at), same), v128.xor(v128.load(at, 16), same)));
}

/** Whether two rows hold the same bits. */
export function rowsEqual(a: usize, b: usize, words: u32): bool {
  let i: u32 = 0;
  for (; i + 4 <= words; i += 4) {
    const at = <usize>i << 3;
    const first = v128.xor(v128.load(a + at), v128.load(b + at));
    const second = v128.xor(v128.load(a + at, 16), v128.load(b + at, 16));
    if (v128.any_true(v128.or(first, second))) return false;
  }
  for (; i < words; i++) {
    if (load<u64>(a + (<usize>i << 3)) != load<u64>(b + (<usize>i << 3))) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline
export function decodeOne(row: usize, width: u32, list: usize): u32 {
  const words = (width + 63) >> 6;
  let carry: u64 = 0;
  let out = list;
  for (let i: u32 = 0; i < words; i++) {
    // Long stretches of most images lie inside or outside objects, so four words are tested at a time.
    if ((i & 3) == 0) {
      while (i + 4 <= words && allEqual(row + (<usize>i << 3), carry)) i += 4;
      if (i == words) break;
    }
    const c = load<u64>(row + (<usize>i << 3));
    const t = c ^ ((c << 1) | carry);
    carry = c >> 63;
    if (t == 0) continue;
    out = placeBits(t, i << 6, out, 4);
  }
  if ((out - list) & 4) {
    store<u32>(out, width);
    out += 4;
  }
  return <u32>((out - list) >> 3);
}

/** The runs of one row of two planes: their begins, and on their own their ends, since a run may begin where one ends. */
function decodeTwo(row: usize, row2: usize, width: u32, list: usize): u32 {
  const words = (width + 63) >> 6;
  let carryA: u64 = 0;
  let carryB: u64 = 0;
  let begins = list;
  let ends = list + 4;
  for (let i: u32 = 0; i < words; i++) {
    if ((i & 3) == 0) {
      while (i + 4 <= words && allEqual(row + (<usize>i << 3), carryA) && allEqual(row2 + (<usize>i << 3), carryB)) i += 4;
      if (i == words) break;
    }
    const a = load<u64>(row + (<usize>i << 3));
    const b = load<u64>(row2 + (<usize>i << 3));
    const ta = a ^ ((a << 1) | carryA);
    const tb = b ^ ((b << 1) | carryB);
    carryA = a >> 63;
    carryB = b >> 63;
    begins = placeBits((ta & a) | (tb & b), i << 6, begins, 8);
    ends = placeBits((ta & ~a) | (tb & ~b), i << 6, ends, 8);
  }
  if (ends < begins) store<u32>(ends, width);
  return <u32>((begins - list) >> 3);
}

/**
 * Stores the numbers of set bits, `step` bytes apart, and returns where the next one goes. Always stores four, which may pass the end:
 * the next word overwrites the excess. A branch per bit would be mispredicted on noise.
 */
// @ts-ignore: decorator
@inline
function placeBits(bits: u64, base: u32, out: usize, step: usize): usize {
  const next = out + <usize>popcnt(bits) * step;
  while (out < next) {
    store<u32>(out, base + <u32>ctz(bits));
    bits &= bits - 1;
    store<u32>(out + step, base + <u32>ctz(bits));
    bits &= bits - 1;
    store<u32>(out + 2 * step, base + <u32>ctz(bits));
    bits &= bits - 1;
    store<u32>(out + 3 * step, base + <u32>ctz(bits));
    bits &= bits - 1;
    out += 4 * step;
  }
  return next;
}

/** Sets the bits [begin, end) of a row. */
export function setRange(row: usize, begin: u32, end: u32): void {
  let at = row + (<usize>(begin >> 6) << 3);
  const last = row + (<usize>((end - 1) >> 6) << 3);
  let mask = ~below(begin & 63);
  while (at < last) {
    store<u64>(at, load<u64>(at) | mask);
    mask = u64.MAX_VALUE;
    at += 8;
  }
  store<u64>(at, load<u64>(at) | (mask & tailMask(((end - 1) & 63) + 1)));
}

/**
 * Copies `rows` rows of 32-bit words (a public Mask) into rows of 64-bit words, clearing the padding.
 * @param src rows of 32-bit words, a public Mask [0 .. rows * Math.ceil(width / 32) * 4]
 * @param rows rows in the band
 * @param width pixels of a row, >= 1
 * @param dst rows of 64-bit words [0 .. rows * rowBytes(width)]
 */
export function copyBits(src: usize, rows: u32, width: u32, dst: usize): void {
  const words = (width + 63) >> 6;
  const stride32 = <usize>((width + 31) >> 5) << 2;
  const tail = tailMask(width);
  for (let y: u32 = 0; y < rows; y++) {
    memory.copy(dst, src, stride32);
    const last = dst + (<usize>(words - 1) << 3);
    const word = stride32 & 4 ? <u64>load<u32>(last) : load<u64>(last);
    store<u64>(last, word & tail);
    src += stride32;
    dst += <usize>words << 3;
  }
}

/**
 * The reverse of copyBits: copies rows of 64-bit words, of one plane or of the union of two, to rows of 32-bit words.
 * @param src bit rows of 64-bit words [0 .. rows && (rows - 1) * rowBytes(width) + Math.ceil(width / 32) * 4]
 * @param src2 bit rows of the second plane; 0 none [0 .. rows && (rows - 1) * rowBytes(width) + Math.ceil(width / 32) * 4]
 * @param rows rows in the band
 * @param width pixels of a row, >= 1
 * @param dst rows of 32-bit words [0 .. rows * Math.ceil(width / 32) * 4]
 */
export function exportBits(src: usize, src2: usize, rows: u32, width: u32, dst: usize): void {
  const words = (width + 63) >> 6;
  const words32 = (width + 31) >> 5;
  for (let y: u32 = 0; y < rows; y++) {
    for (let i: u32 = 0; i < words32; i++) {
      let word = load<u32>(src + (<usize>i << 2));
      if (src2) word |= load<u32>(src2 + (<usize>i << 2));
      store<u32>(dst + (<usize>i << 2), word);
    }
    src += <usize>words << 3;
    if (src2) src2 += <usize>words << 3;
    dst += <usize>words32 << 2;
  }
}

/**
 * dst = the background of src, within the width.
 * @param src bit rows [0 .. rows * rowBytes(width)]
 * @param rows rows in the band
 * @param width pixels of a row, >= 1
 * @param dst bit rows: the background within the width [0 .. rows * rowBytes(width)]
 */
export function complementBits(src: usize, rows: u32, width: u32, dst: usize): void {
  const words = (width + 63) >> 6;
  const tail = tailMask(width);
  for (let y: u32 = 0; y < rows; y++) {
    for (let i: u32 = 0; i < words; i++) {
      const mask = i == words - 1 ? tail : u64.MAX_VALUE;
      store<u64>(dst, ~load<u64>(src) & mask);
      src += 8;
      dst += 8;
    }
  }
}

/**
 * dst = a | b, over `bytes` bytes, a multiple of 8.
 * @param a bit rows [0 .. bytes]
 * @param b bit rows [0 .. bytes]
 * @param bytes bytes of each, a multiple of 8
 * @param dst bit rows: the result; may be a or b [0 .. bytes]
 */
export function orBits(a: usize, b: usize, bytes: usize, dst: usize): void {
  for (let i: usize = 0; i < bytes; i += 8) store<u64>(dst + i, load<u64>(a + i) | load<u64>(b + i));
}

/**
 * dst = a & b, over `bytes` bytes, a multiple of 8.
 * @param a bit rows [0 .. bytes]
 * @param b bit rows [0 .. bytes]
 * @param bytes bytes of each, a multiple of 8
 * @param dst bit rows: the result; may be a or b [0 .. bytes]
 */
export function andBits(a: usize, b: usize, bytes: usize, dst: usize): void {
  for (let i: usize = 0; i < bytes; i += 8) store<u64>(dst + i, load<u64>(a + i) & load<u64>(b + i));
}

/**
 * Sets `bytes` bytes to `value`.
 * @param dst bytes to set [0 .. bytes]
 * @param value 0..255
 * @param bytes how many bytes
 */
export function fillBytes(dst: usize, value: u32, bytes: usize): void {
  memory.fill(dst, <u8>value, bytes);
}

/**
 * Copies `bytes` bytes.
 * @param dst where the bytes go [0 .. bytes]
 * @param src bytes to copy [0 .. bytes]
 * @param bytes how many bytes
 */
export function copyBytes(dst: usize, src: usize, bytes: usize): void {
  memory.copy(dst, src, bytes);
}
