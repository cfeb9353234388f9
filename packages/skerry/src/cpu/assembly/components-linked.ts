// Pixels joined by value. A run begins where a pixel is not linked to its left neighbour, so runs may touch. Touching
// runs alternate between the two bit planes, so code that reads two planes needs no change. Links to earlier rows are
// kept in planes of link bits.
//
//     pixels  5 5 7 7 0 7     first plane   X X . . . X
//     by value, background 0  second plane  . . X X . .

import { decodeRow, startsOf, tailMask } from "./bits";
import { F32, I16, I32, U16, U32 } from "./image-luma";
import { channelsOf, matchWord, pixelBytes, typeOf } from "./fill-match";
import { EARLIER, hasEarlier, isWidened, linkPlane, rowsBack } from "./components-neighbours";
import { joinWord } from "./components-union";

/** Arguments of {@link linkRows}. */
// @ts-ignore: decorator
@unmanaged
export class LinkRowsCall {
  /** Match block of the difference. [0 .. 216] */
  match: usize;
  /** Bound of the difference; used with one channel. */
  tolerance: f64;
  /** Match block of equality. [0 .. background || except ? 216 : 0] */
  equal: usize;
  /** 64 pixels of background; 0 none. [0 .. (u32(match, 1) === 1 || u32(match, 2) === 0 ? 64 : Math.min(64, width)) * u32(match, 1) * typeBytes(u32(match, 2))] */
  background: usize;
  /** 64 pixels of a second background; 0 none. [0 .. (u32(match, 1) === 1 || u32(match, 2) === 0 ? 64 : Math.min(64, width)) * u32(match, 1) * typeBytes(u32(match, 2))] */
  except: usize;
  /** Pixels of row y0; earlier rows lie before. [rows && Math.min(-1, y0 % height > 0 ? -width - (connectivity === 8 || connectivity >= 18 ? 1 : 0) : -1, y0 + rows > height ? (Math.max(0, height - y0) - height) * width - (connectivity === 8 || connectivity >= 18 ? 1 : 0) : -1, connectivity >= 18 && y0 > height && y0 % height > 0 ? (-height - 1) * width - (connectivity === 26 ? 1 : 0) : -1) * u32(match, 1) * typeBytes(u32(match, 2)) .. rows && ((rows - 1) * width + ((u32(match, 2) === 0 ? u32(match, 0) === 0 || background || except : u32(match, 1) === 1 && (u32(match, 2) !== 3 || tolerance === 0 || background || except)) ? Math.ceil(width / 64) * 64 : width)) * u32(match, 1) * typeBytes(u32(match, 2))] */
  src: usize;
  /** First row, counted through all slices. */
  y0: u32;
  /** Rows in the band. */
  rows: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of one slice. */
  height: u32;
  /** 4, 8, 6, 18 or 26. */
  connectivity: u32;
  /** First bit plane, from row 0. [y0 * rowBytes(width) .. (y0 + rows) * rowBytes(width)] */
  bits: usize;
  /** Second bit plane, from row 0. [y0 * rowBytes(width) .. (y0 + rows) * rowBytes(width)] */
  bits2: usize;
  /** Link planes, 1 to 12, from row 0. [y0 * rowBytes(width) .. (linkPlanes(connectivity) - 1) * plane + (y0 + rows) * rowBytes(width)] */
  links: usize;
  /** Bytes of one link plane. */
  plane: usize;
  /** u32 per row of the band: runs. [0 .. rows * 4] */
  counts: usize;
  /** Plane outside which pixels are background, from row 0; 0 none. [y0 * rowBytes(width) .. (y0 + rows) * rowBytes(width)] */
  fence: usize;
}

/**
 * Writes the planes and links of `rows` rows from row `y0` on, counted through all slices of `height` rows, and counts
 * their runs into `counts`. `match` is the block of a difference, `tolerance` its bound. `background` and `except` are
 * 64 pixels each of a value that joins nothing, or 0; `equal` is the block of equality. The earlier rows of `src`,
 * a pixel before them, and 64 pixels past its end are readable. `bits`, `bits2`, `links` and `fence` (or 0) are whole
 * planes of `plane` bytes. Pixels outside `fence` are background, and so are pixels with NaN in any channel. Returns
 * the number of foreground pixels.
 */
export function linkRows(call: LinkRowsCall): f64 {
  let match = call.match, tolerance = call.tolerance, equal = call.equal, background = call.background,
    except = call.except, src = call.src, y0 = call.y0, rows = call.rows, width = call.width,
    height = call.height, connectivity = call.connectivity, bits = call.bits, bits2 = call.bits2,
    links = call.links, plane = call.plane, counts = call.counts, fence = call.fence;
  const words = (width + 63) >> 6;
  const step = pixelBytes(match);
  const pitch = <usize>width * step;
  let foreground: f64 = 0;
  for (let row = y0; row < y0 + rows; row++) {
    const y = row % height;
    const z = row / height;
    const at = <usize>row * words << 3;
    let runs: u32 = 0;
    let carry: u64 = 0;
    // All ones if the last run of the words before lies in the first plane.
    let odd: u64 = 0;
    for (let i: u32 = 0; i < words; i++) {
      const count = min(64, width - (i << 6));
      const p = src + (<usize>i << 6) * step;
      let c = i == words - 1 ? tailMask(width) : u64.MAX_VALUE;
      if (fence) c &= load<u64>(fence + at + (<usize>i << 3));
      if (typeOf(match) == F32) c &= ~nanWord(p, channelsOf(match), count);
      if (background) c &= ~linkedWord(equal, 0, p, background, count);
      if (except) c &= ~linkedWord(equal, 0, p, except, count);
      const goesOn = c & ((c << 1) | carry) & linkedWord(match, tolerance, p, p - step, count);
      const starts = c & ~goesOn;
      // Parity of the number of starts up to each pixel; all pixels of a run have the same.
      let parity = starts;
      parity ^= parity << 1;
      parity ^= parity << 2;
      parity ^= parity << 4;
      parity ^= parity << 8;
      parity ^= parity << 16;
      parity ^= parity << 32;
      parity ^= odd;
      odd = 0 - (parity >> 63);
      store<u64>(bits + at + (<usize>i << 3), c & parity);
      store<u64>(bits2 + at + (<usize>i << 3), c & ~parity);
      carry = c >> 63;
      runs += <u32>popcnt(starts);
      foreground += <f64>popcnt(c);
    }
    store<u32>(counts, runs);
    counts += 4;
    for (let k: u32 = 0; k < EARLIER; k++) {
      if (!hasEarlier(k, y, z, height, connectivity)) continue;
      const up = src - <usize>rowsBack(k, height) * pitch;
      const to = links + <usize>linkPlane(k, connectivity) * plane + at;
      linkPair(match, tolerance, src, up, words, width, step, to);
      if (!isWidened(k, connectivity)) continue;
      // A diagonal link is stored at the x of its right pixel, which lies in this row for a link up-left, and in the
      // earlier row for a link up-right.
      linkPair(match, tolerance, src, up - step, words, width, step, to + plane);
      linkPair(match, tolerance, src - step, up, words, width, step, to + 2 * plane);
    }
    src += pitch;
  }
  return foreground;
}

function linkPair(match: usize, tolerance: f64, a: usize, b: usize, words: u32, width: u32, step: usize, to: usize): void {
  for (let i: u32 = 0; i < words; i++) {
    const at = (<usize>i << 6) * step;
    store<u64>(to + (<usize>i << 3), linkedWord(match, tolerance, a + at, b + at, min(64, width - (i << 6))));
  }
}

/** One bit for each of `count` pixels: whether any channel is NaN. */
function nanWord(src: usize, channels: u32, count: u32): u64 {
  let word: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    for (let c: u32 = 0; c < channels; c++) {
      const v = load<f32>(src);
      if (v != v) word |= (<u64>1) << i;
      src += 4;
    }
  }
  return word;
}

/**
 * One bit for each of `count` pixels: whether the pixels at `a` and `b` differ by at most the tolerance. Further bits
 * are undefined.
 */
function linkedWord(match: usize, tolerance: f64, a: usize, b: usize, count: u32): u64 {
  const type = typeOf(match);
  if (channelsOf(match) == 1) {
    if (type == U16 || type == I16) return shorts(a, b, <u32>min(tolerance, 65535), type == I16);
    if (type == U32 || type == I32) return words32(a, b, <u32>min(tolerance, 4294967295), type == I32);
    if (type == F32 && tolerance == 0) return floats(a, b);
  }
  return matchWord(match, a, count, b);
}

function shorts(a: usize, b: usize, tolerance: u32, signed: bool): u64 {
  const most = i16x8.splat(<i16>tolerance);
  let word: u64 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const low = shortsApart(a + (k << 5), b + (k << 5), signed);
    const high = shortsApart(a + (k << 5) + 16, b + (k << 5) + 16, signed);
    const both = i8x16.narrow_i16x8_s(i16x8.le_u(low, most), i16x8.le_u(high, most));
    word |= <u64>i8x16.bitmask(both) << (k << 4);
  }
  return word;
}

// The larger minus the smaller, which fits unsigned 16 bits.
// @ts-ignore: decorator
@inline
function shortsApart(a: usize, b: usize, signed: bool): v128 {
  const v = v128.load(a);
  const w = v128.load(b);
  if (signed) return i16x8.sub(i16x8.max_s(v, w), i16x8.min_s(v, w));
  return i16x8.sub(i16x8.max_u(v, w), i16x8.min_u(v, w));
}

function words32(a: usize, b: usize, tolerance: u32, signed: bool): u64 {
  const most = i32x4.splat(<i32>tolerance);
  let word: u64 = 0;
  for (let k: usize = 0; k < 16; k++) {
    const v = v128.load(a + (k << 4));
    const w = v128.load(b + (k << 4));
    const apart = signed ? i32x4.sub(i32x4.max_s(v, w), i32x4.min_s(v, w)) : i32x4.sub(i32x4.max_u(v, w), i32x4.min_u(v, w));
    word |= <u64>i32x4.bitmask(i32x4.le_u(apart, most)) << (k << 2);
  }
  return word;
}

function floats(a: usize, b: usize): u64 {
  let word: u64 = 0;
  for (let k: usize = 0; k < 16; k++) {
    word |= <u64>i32x4.bitmask(f32x4.eq(v128.load(a + (k << 4)), v128.load(b + (k << 4)))) << (k << 2);
  }
  return word;
}

/**
 * Joins row `c` to an earlier row `u` by their links. `link` is the row of straight links. If `plane` is not 0, the
 * links to the left and to the right lie one and two planes behind it. Only one of several links between the same two runs
 * is followed. Diagonal links are skipped if straight links have joined the runs.
 */
export function joinRowLinked(
  c0: usize, u0: usize, c1: usize, u1: usize, link: usize, plane: usize, words: u32, cRank: u32, uRank: u32, parents: usize,
  seam: bool, cLabels: usize, uLabels: usize, cOffset: u32, uOffset: u32,
): void {
  // The last bits of the word before: of both planes of c and u, and of the straight links.
  let carryA: u64 = 0;
  let carryB: u64 = 0;
  let carryV: u64 = 0;
  let carryW: u64 = 0;
  let carryLink: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    const at = <usize>i << 3;
    const a = load<u64>(c0 + at);
    const b = load<u64>(c1 + at);
    const v = load<u64>(u0 + at);
    const w = load<u64>(u1 + at);
    const c = a | b;
    const u = v | w;
    const cs = startsOf(a, carryA) | startsOf(b, carryB);
    const us = startsOf(v, carryV) | startsOf(w, carryW);
    const straight = load<u64>(link + at) & c & u;
    const before = (straight << 1) | carryLink;
    joinWord(straight & ~(before & ~(cs | us)), cs, us, 0, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    if (plane) {
      const left = load<u64>(link + plane + at) & c & ((u << 1) | carryV | carryW);
      const right = load<u64>(link + 2 * plane + at) & u & ((c << 1) | carryA | carryB);
      const leftPairs = left & ~((~cs & before) | (straight & ~us));
      const rightPairs = right & ~((~us & before) | (straight & ~cs));
      joinWord(leftPairs, cs, us, 0, 1, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
      joinWord(rightPairs, cs, us, 1, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    }
    cRank += <u32>popcnt(cs);
    uRank += <u32>popcnt(us);
    carryA = a >> 63;
    carryB = b >> 63;
    carryV = v >> 63;
    carryW = w >> 63;
    carryLink = straight >> 63;
  }
}

/**
 * Copies the first pixel of each run of `rows` rows of planes that begin at `bits` and `bits2`; pixels of `step` bytes.
 * @param bits first bit plane, at the band's first row [0 .. rows * rowBytes(width)]
 * @param bits2 second bit plane, at the band's first row; never 0 [0 .. rows * rowBytes(width)]
 * @param width pixels of a row, >= 1
 * @param rows rows in the band
 * @param src pixels of the band, rows tight [0 .. rows * width * step]
 * @param step bytes of a pixel (not a pointer)
 * @param out values of the runs, step bytes each [0 .. runsIn([bits, bits2], rows, width) * step]
 * @param list scratch: begin, end (u32) of one row's runs [0 .. width * 8]
 */
export function emitValues(bits: usize, bits2: usize, width: u32, rows: u32, src: usize, step: usize, out: usize, list: usize): void {
  const stride = <usize>((width + 63) >> 6) << 3;
  for (let y: u32 = 0; y < rows; y++) {
    const runs = decodeRow(bits, bits2, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      memory.copy(out, src + <usize>load<u32>(list + (<usize>i << 3)) * step, step);
      out += step;
    }
    bits += stride;
    bits2 += stride;
    src += <usize>width * step;
  }
}

/**
 * Writes the value of each of a strip's components: the value of its first run. `labels` and `values` describe `runs`
 * runs.
 * @param labels u32 per run of the strip: its component [0 .. runs * 4]
 * @param runs runs of the strip
 * @param values values of the strip's runs [0 .. runs * step]
 * @param step bytes of a pixel (not a pointer)
 * @param out values of the strip's components [0 .. afterLargest(labels, 0, runs) * step]
 */
export function firstValues(labels: usize, runs: u32, values: usize, step: usize, out: usize): void {
  let next: u32 = 0;
  for (let i: u32 = 0; i < runs; i++) {
    // Components are numbered in the order of their first runs.
    if (load<u32>(labels + (<usize>i << 2)) != next) continue;
    memory.copy(out + <usize>next * step, values + <usize>i * step, step);
    next++;
  }
}

/**
 * Reduces the values of all strips' components to one value per label, in place and in order.
 * @param map u32 per component: label [0 .. size * 4]
 * @param size components of all strips
 * @param values values of components, then of labels [0 .. size * step]
 * @param step bytes of a pixel (not a pointer)
 */
export function gatherValues(map: usize, size: u32, values: usize, step: usize): void {
  let next: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    // New labels ascend, so a component whose label is not the next one was joined to an earlier component.
    if (load<u32>(map + (<usize>i << 2)) != next + 1) continue;
    memory.copy(values + <usize>next * step, values + <usize>i * step, step);
    next++;
  }
}
