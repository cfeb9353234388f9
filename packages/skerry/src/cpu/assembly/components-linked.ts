// Pixels joined by value. A run begins where a pixel is not linked to its left neighbour, so runs may touch. Touching
// runs alternate between the two bit planes, so code that reads two planes needs no change. Links to earlier rows are
// kept in planes of link bits.
//
//     pixels  5 5 7 7 0 7     first plane   X X . . . X
//     by value, background 0  second plane  . . X X . .

import { allEqual, decodeRow, startsOf, tailMask } from "./bits";
import { alikeRow } from "./components-alike";
import { F32 } from "./image-luma";
import { channelsOf, pixelBytes, typeOf } from "./fill-match";
import { EARLIER, hasEarlier, isWidened, linkPlane, rowsBack } from "./components-neighbours";
import { copyParents, joinWord } from "./components-union";

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
  /** Pixels of row y0; earlier rows lie before. [rows && Math.min(-1, y0 % height > 0 ? -width - (connectivity === 8 || connectivity >= 18 ? 1 : 0) : -1, y0 + rows > height ? (Math.max(0, height - y0) - height) * width - (connectivity === 8 || connectivity >= 18 ? 1 : 0) : -1, connectivity >= 18 && y0 > height && y0 % height > 0 ? (-height - 1) * width - (connectivity === 26 ? 1 : 0) : -1) * u32(match, 1) * typeBytes(u32(match, 2)) .. rows && ((rows - 1) * width + (u32(match, 1) === 1 || u32(match, 2) === 0 ? Math.ceil(width / 64) * 64 : width)) * u32(match, 1) * typeBytes(u32(match, 2))] */
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
  const floats = typeOf(match) == F32;
  let foreground: f64 = 0;
  for (let row = y0; row < y0 + rows; row++) {
    const y = row % height;
    const z = row / height;
    const at = <usize>row * words << 3;
    // The planes' own words first hold the links to the left neighbours, and what is background.
    const first = bits + at;
    const second = bits2 + at;
    alikeRow(match, tolerance, src, src - step, step << 6, words, width, first);
    if (background) alikeRow(equal, 0, src, background, 0, words, width, second);
    // The row of links is written below.
    if (except) alikeRow(equal, 0, src, except, 0, words, width, links + at);
    let runs: u32 = 0;
    let pixels: u32 = 0;
    let carry: u64 = 0;
    // All ones if the last run of the words before lies in the first plane.
    let odd: u64 = 0;
    for (let i: u32 = 0; i < words; i++) {
      const word = <usize>i << 3;
      const p = src + (<usize>i << 6) * step;
      let c = i == words - 1 ? tailMask(width) : u64.MAX_VALUE;
      if (fence) c &= load<u64>(fence + at + word);
      if (background) c &= ~load<u64>(second + word);
      if (floats) c &= ~nanWord(p, channelsOf(match), min(64, width - (i << 6)));
      if (except) c &= ~load<u64>(links + at + word);
      const goesOn = c & ((c << 1) | carry) & load<u64>(first + word);
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
      store<u64>(first + word, c & parity);
      store<u64>(second + word, c & ~parity);
      carry = c >> 63;
      runs += <u32>popcnt(starts);
      pixels += <u32>popcnt(c);
    }
    store<u32>(counts, runs);
    counts += 4;
    foreground += <f64>pixels;
    for (let k: u32 = 0; k < EARLIER; k++) {
      if (!hasEarlier(k, y, z, height, connectivity)) continue;
      const up = src - <usize>rowsBack(k, height) * pitch;
      const to = links + <usize>linkPlane(k, connectivity) * plane + at;
      alikeRow(match, tolerance, src, up, step << 6, words, width, to);
      if (!isWidened(k, connectivity)) continue;
      // A diagonal link is stored at the x of its right pixel, which lies in this row for a link up-left, and in the
      // earlier row for a link up-right.
      alikeRow(match, tolerance, src, up - step, step << 6, words, width, to + plane);
      alikeRow(match, tolerance, src - step, up, step << 6, words, width, to + 2 * plane);
    }
    src += pitch;
  }
  return foreground;
}

/** One bit for each of `count` pixels: whether any channel is NaN. */
function nanWord(src: usize, channels: u32, count: u32): u64 {
  let word: u64 = 0;
  if (channels == 1) {
    for (let k: usize = 0; k < 64; k += 4) {
      const v = v128.load(src + (k << 2));
      word |= <u64>i32x4.bitmask(f32x4.ne(v, v)) << k;
    }
    return word;
  }
  for (let i: u32 = 0; i < count; i++) {
    for (let c: u32 = 0; c < channels; c++) {
      const v = load<f32>(src);
      if (v != v) word |= (<u64>1) << i;
      src += 4;
    }
  }
  return word;
}

/** Minimum number of runs in a word for asking whether each equals the run above it. */
const MANY: u32 = 2;

/**
 * Joins row `c` to an earlier row `u` by their links. `fresh`: the runs of `c` have not been united with any run yet. `link` is the row of straight links. If `plane` is not 0, the
 * links to the left and to the right lie one and two planes behind it. Only one of several links between the same two runs
 * is followed. Diagonal links are skipped if straight links have joined the runs.
 */
export function joinRowLinked(
  c0: usize, u0: usize, c1: usize, u1: usize, link: usize, plane: usize, words: u32, cRank: u32, uRank: u32, parents: usize,
  fresh: bool, seam: bool, cLabels: usize, uLabels: usize, cOffset: u32, uOffset: u32,
): void {
  // The last bits of the word before: of both planes of c and u, and of the straight links.
  let carryA: u64 = 0;
  let carryB: u64 = 0;
  let carryV: u64 = 0;
  let carryW: u64 = 0;
  let carryLink: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    // While both rows continue unchanged, and are linked or background, no run begins and no runs meet.
    if ((i & 3) == 0 && (carryLink || !(carryA | carryB | carryV | carryW))) {
      while (i + 4 <= words) {
        const four = <usize>i << 3;
        if (!allEqual(c0 + four, carryA) || !allEqual(c1 + four, carryB)) break;
        if (!allEqual(u0 + four, carryV) || !allEqual(u1 + four, carryW)) break;
        if (carryLink && !allEqual(link + four, 1)) break;
        i += 4;
      }
      if (i == words) break;
    }
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
    const count = <u32>popcnt(cs);
    // Every run that starts here equals the run above it, so it gets the same parent; a run that goes on was joined before.
    const same = fresh && !seam && count >= MANY && cs == us && straight == c && c == u && (carryLink | cs | ~c) & 1;
    if (same) copyParents(parents, uRank, cRank, count);
    else joinWord(straight & ~(before & ~(cs | us)), cs, us, 0, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    if (plane) {
      const left = load<u64>(link + plane + at) & c & ((u << 1) | carryV | carryW);
      const right = load<u64>(link + 2 * plane + at) & u & ((c << 1) | carryA | carryB);
      const leftPairs = left & ~((~cs & before) | (straight & ~us));
      const rightPairs = right & ~((~us & before) | (straight & ~cs));
      joinWord(leftPairs, cs, us, 0, 1, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
      joinWord(rightPairs, cs, us, 1, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    }
    cRank += count;
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
    // Copies of a few bytes by memory.copy() take as long as all else here.
    if (step == 1) copyEach<u8>(src, list, runs, out);
    else if (step == 2) copyEach<u16>(src, list, runs, out);
    else if (step == 4) copyEach<u32>(src, list, runs, out);
    else {
      for (let i: u32 = 0; i < runs; i++) {
        memory.copy(out + <usize>i * step, src + <usize>load<u32>(list + (<usize>i << 3)) * step, step);
      }
    }
    out += <usize>runs * step;
    bits += stride;
    bits2 += stride;
    src += <usize>width * step;
  }
}

// @ts-ignore: decorator
@inline
function copyEach<T>(src: usize, list: usize, runs: u32, out: usize): void {
  for (let i: u32 = 0; i < runs; i++) {
    store<T>(out + <usize>i * sizeof<T>(), load<T>(src + <usize>load<u32>(list + (<usize>i << 3)) * sizeof<T>()));
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
