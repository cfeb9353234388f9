// Distances along columns: the lower envelope of the costs of the axes before, for as many columns at once as a vector
// has lanes. The nearest site never moves back along a line (Meijster 2000; the terms are totally monotone). So every
// eighth position is searched, the middle one of a stretch first, between the sites of its neighbours. The seven
// positions between two of these are then computed together, and read each site of their stretch once. All columns of a
// vector search the union of their ranges.

import { infinityOf, joinOf, splatOf } from "./distance-cost";
import { F32, I32, U16 } from "./layout/distance";

/** Reach, in sites, of a first, short search, whose result bounds a long search. */
const AROUND: i32 = 12;

/** Arguments of {@link columns}. */
// @ts-ignore: decorator
@unmanaged
export class ColumnsCall {
  /** 0 u16, 1 i32, 2 f32 costs. */
  kind: u32;
  /** 1: combine costs by their maximum; 0: by their sum. */
  chessboard: bool;
  /** 1: write only every eighth position and the last; 0: all. */
  lattice: bool;
  /** Ring of rows of costs, at row 0, first column. [from + sites <= ring ? from * pitch : 0 .. (from + sites <= ring ? from + sites - 1 : ring - 1) * pitch + bytes] */
  src: usize;
  /** Bytes from row to row of src. */
  pitch: u32;
  /** Rows of the ring at src. */
  ring: u32;
  /** Row of the ring that is the first site. */
  from: u32;
  /** Rows read. */
  sites: u32;
  /** First position, counted from the first site. */
  first: u32;
  /** Positions, at least 1. */
  count: u32;
  /** Ring of rows of costs written; may be src. [firstInRing(dstFrom, lattice ? ((count + 6) >> 3) + 1 : count, dstRing) * dstPitch .. lastInRing(dstFrom, lattice ? ((count + 6) >> 3) + 1 : count, dstRing) * dstPitch + bytes] */
  dst: usize;
  /** Bytes from row to row of dst. */
  dstPitch: u32;
  /** Rows of the ring at dst. */
  dstRing: u32;
  /** Row of the ring that is written first. */
  dstFrom: u32;
  /** Bytes of columns per row, a multiple of 16. */
  bytes: u32;
  /** MIDDLE of the costs of -n..n pixels. [-(feature ? reach : lattice || count <= 8 ? reach + 1 : kind === 1 && !chessboard && squared ? reach + 7 : reach + 6) * (kind === 0 ? 2 : 4) .. ((feature || lattice || count <= 8 ? reach : kind === 1 && !chessboard && squared ? Math.max(reach, 7) : reach + 6) + 1) * (kind === 0 ? 2 : 4)] */
  table: usize;
  /** Largest distance of a site, in pixels. */
  reach: u32;
  /** Side of a pixel along the axis (f64). */
  weight: f64;
  /** 0 or 1: costs are squared distances. */
  squared: bool;
  /** Costs above become infinity (f64). */
  limit: f64;
  /** Lines of 4 vectors, ranges, with feature found sites. [0 .. (sites + 1 + count) * 64 * (feature ? 2 : 1) + (feature ? count * 24 : (((count + 6) >> 3) + 1) * 8)] */
  scratch: usize;
  /** Ring of u32 features, laid out as src; or 0. [from + sites <= ring ? from * pitch : 0 .. (from + sites <= ring ? from + sites - 1 : ring - 1) * pitch + bytes] */
  feature: usize;
  /** Ring of u32 nearest sites, laid out as dst; or 0. [feature ? (firstInRing(dstFrom, lattice ? ((count + 6) >> 3) + 1 : count, dstRing) * dstPitch) : 0 .. feature ? lastInRing(dstFrom, lattice ? ((count + 6) >> 3) + 1 : count, dstRing) * dstPitch + bytes : 0] */
  featureTo: usize;
  /** Factor of the row in a nearest site. */
  stride: u32;
  /** Number of the first site's row. */
  base: u32;
}

/**
 * Searches columns of `bytes` bytes, a multiple of 16. Reads `sites` rows of `pitch` bytes from a ring of `ring` rows
 * at `src`, beginning with its row `from`. Writes `count` rows, for the positions [first, first + count), to a ring of
 * `dstRing` rows at `dst`, beginning with its row `dstFrom`. Both may be the same ring. With `lattice`, only every
 * eighth of these rows and the last one are written. `table` is the address of the cost of 0 pixels, in the middle of the
 * costs of -n..n pixels. `reach` is the largest distance of a site in pixels, `weight` the side of a pixel. Costs above
 * `limit` become infinity. With `feature`, in the same layout, `featureTo` receives the nearest site: `stride` times its
 * row, counted from `base`, plus its feature.
 */
export function columns(call: ColumnsCall): void {
  let kind = call.kind, chessboard = call.chessboard, lattice = call.lattice, src = call.src,
    pitch = call.pitch, ring = call.ring, from = call.from, sites = call.sites, first = call.first,
    count = call.count, dst = call.dst, dstPitch = call.dstPitch, dstRing = call.dstRing,
    dstFrom = call.dstFrom, bytes = call.bytes, table = call.table, reach = call.reach, weight = call.weight,
    squared = call.squared, limit = call.limit, scratch = call.scratch, feature = call.feature,
    featureTo = call.featureTo, stride = call.stride, base = call.base;
  const line = (<usize>sites + 1) << 4;
  const outLine = <usize>count << 4;
  const out = scratch + (line << 2);
  const features = out + (outLine << 2);
  const found = features + (line << 2);
  const ranges = feature ? found + (outLine << 2) : features;
  const rows = lattice ? stopsOf(count, 3) : count;
  for (let c: u32 = 0; c < bytes; c += 64) {
    const vectors = min(4, (bytes - c) >> 4);
    gather(src + c, pitch, ring, from, sites, vectors, scratch, line);
    if (feature) gather(feature + c, pitch, ring, from, sites, vectors, features, line);
    for (let v: u32 = 0; v < vectors; v++) {
      const g = scratch + <usize>v * line;
      const to = out + <usize>v * outLine;
      padLine(kind, g + line - 16);
      if (kind == U16) {
        solve<u16>(g, sites, first, count, table, reach, weight, squared, <u16>limit, ranges, to, lattice, chessboard, 0);
      } else if (kind == I32) {
        solve<i32>(g, sites, first, count, table, reach, weight, squared, <i32>limit, ranges, to, lattice, chessboard, feature);
      } else {
        solve<f32>(g, sites, first, count, table, reach, weight, squared, <f32>limit, ranges, to, lattice, chessboard, feature);
      }
      if (feature) {
        const args = ranges + (<usize>count << 3);
        nearest(kind, features + <usize>v * line, args, count, to, found + <usize>v * outLine, stride, base);
      }
    }
    scatter(out, outLine, rows, vectors, dst + c, dstPitch, dstRing, dstFrom);
    if (feature) scatter(found, outLine, rows, vectors, featureTo + c, dstPitch, dstRing, dstFrom);
  }
}

/** Copies the columns of up to four vectors, so that those of each vector are contiguous. */
function gather(src: usize, pitch: u32, ring: u32, from: u32, sites: u32, vectors: u32, to: usize, line: usize): void {
  let at = src + <usize>from * pitch;
  const end = src + <usize>ring * pitch;
  for (let i: u32 = 0; i < sites; i++) {
    if (at == end) at = src;
    v128.store(to, v128.load(at));
    if (vectors > 1) v128.store(to + line, v128.load(at, 16));
    if (vectors > 2) v128.store(to + 2 * line, v128.load(at, 32));
    if (vectors > 3) v128.store(to + 3 * line, v128.load(at, 48));
    to += 16;
    at += pitch;
  }
}

/** Copies columns back side by side, row by row, so that the page of a row is touched once. */
function scatter(src: usize, line: usize, rows: u32, vectors: u32, to: usize, pitch: u32, ring: u32, from: u32): void {
  let at = to + <usize>from * pitch;
  const end = to + <usize>ring * pitch;
  for (let i: u32 = 0; i < rows; i++) {
    if (at == end) at = to;
    v128.store(at, v128.load(src));
    if (vectors > 1) v128.store(at, v128.load(src + line), 16);
    if (vectors > 2) v128.store(at, v128.load(src + 2 * line), 32);
    if (vectors > 3) v128.store(at, v128.load(src + 3 * line), 48);
    src += 16;
    at += pitch;
  }
}

/** Writes infinite costs after the last site, for a pair that begins with it. */
// @ts-ignore: decorator
@inline
function padLine(kind: u32, end: usize): void {
  if (kind == F32) v128.store(end, f32x4.splat(Infinity));
  else if (kind == I32) v128.store(end, i32x4.splat(infinityOf<i32>()));
  else v128.store(end, i16x8.splat(-1));
}

/** Number of positions that are searched out of `count`: 0, 1 << shift, 2 << shift, ... and the last one. */
// @ts-ignore: decorator
@inline
function stopsOf(count: i32, shift: i32): i32 {
  return ((count - 1 + (1 << shift) - 1) >> shift) + 1;
}

/** A vector whose lanes, as wide as costs, all hold position i. */
// @ts-ignore: decorator
@inline
function placeOf<T>(i: i32): v128 {
  return sizeof<T>() == 2 ? i16x8.splat(<i16>i) : i32x4.splat(i);
}

/** No less than any cost: the initial value of a minimum. */
// @ts-ignore: decorator
@inline
function unknownOf<T>(): v128 {
  return splatOf<T>(sizeof<T>() == 2 ? <T>0xffff : isFloat<T>() ? <T>Infinity : <T>0x7fffffff);
}

// K selects at compile time how costs are combined: u8 for the sum, u16 for the larger one.
function solve<T>(
  g: usize, sites: i32, first: i32, count: i32, table: usize, reach: i32, weight: f64, squared: bool, limit: T,
  ranges: usize, dst: usize, lattice: bool, chessboard: bool, feature: usize,
): void {
  if (chessboard) {
    if (feature) all<T, u16>(g, sites, first, count, table, reach, weight, squared, limit, ranges, dst);
    else sparse<T, u16>(g, sites, first, count, table, reach, weight, squared, limit, ranges, dst, lattice);
  } else if (feature) all<T, u8>(g, sites, first, count, table, reach, weight, squared, limit, ranges, dst);
  else sparse<T, u8>(g, sites, first, count, table, reach, weight, squared, limit, ranges, dst, lattice);
}

/** Searches every eighth position and, except for a lattice, computes the positions between. */
function sparse<T, K>(
  g: usize, sites: i32, first: i32, count: i32, table: usize, reach: i32, weight: f64, squared: bool, limit: T,
  ranges: usize, dst: usize, lattice: bool,
): void {
  const stops = stopsOf(count, 3);
  search<T, K>(g, sites, first, count, 3, table, reach, weight, squared, limit, ranges, dst, !lattice, 0);
  if (lattice) return;
  for (let k: i32 = 0; k + 1 < stops; k++) {
    const p = first + (k << 3);
    const range = ranges + (<usize>k << 3);
    const low = load<i32>(range);
    const high = min(load<i32>(range, 12), sites - 1);
    if ((k << 3) + 8 <= count - 1) {
      const to = dst + (<usize>k << 7);
      const a = max(low, p + 1 - reach);
      const b = min(high, p + 7 + reach);
      if (isInteger<T>() && sizeof<T>() == 4 && sizeof<K>() == 1 && squared) {
        sevenSquares(g, p, a, b, table, <i32>limit, to);
      } else {
        seven<T, K>(g, p, a, b, table, limit, to);
      }
    } else {
      for (let q = p + 1; q < first + count - 1; q++) {
        one<T, K>(g, q, max(low, q - reach), min(high, q + reach), table, limit, dst + (<usize>(q - first) << 4));
      }
    }
  }
}

/** Searches every position. Each position's sites follow the ranges in memory, a vector per position. */
function all<T, K>(
  g: usize, sites: i32, first: i32, count: i32, table: usize, reach: i32, weight: f64, squared: bool, limit: T,
  ranges: usize, dst: usize,
): void {
  const args = ranges + (<usize>count << 3);
  search<T, K>(g, sites, first, count, 0, table, reach, weight, squared, limit, ranges, dst, true, args);
}

/** Searches the positions 0, 1 << shift, 2 << shift, ... and the last one, the middle of each stretch first. */
function search<T, K>(
  g: usize, sites: i32, first: i32, count: i32, shift: i32, table: usize, reach: i32, weight: f64, squared: bool,
  limit: T, ranges: usize, dst: usize, apart: bool, args: usize,
): void {
  const stops = stopsOf(count, shift);
  let span: i32 = 1;
  while (span < stops) span <<= 1;
  for (let s = span; s > 0; s >>= 1) {
    for (let k = s == span ? 0 : s; k < stops; k += s << 1) {
      const at = min(k << shift, count - 1);
      const p = first + at;
      let from = max(0, p - reach);
      let to = min(sites - 1, p + reach);
      const range = ranges + (<usize>k << 3);
      if (s < span) {
        from = max(from, load<i32>(ranges + (<usize>(k - s) << 3)));
        if (k + s < stops) to = min(to, load<i32>(ranges + (<usize>(k + s) << 3), 4));
      }
      if (to - from > 16) {
        // The cost of a site close by bounds the distance of the nearest site.
        let near = v128.load(g + (<usize>p << 4));
        if (to - from > 6 * AROUND) {
          const end = min(to, p + AROUND);
          for (let i = max(from, p - AROUND); i <= end; i++) {
            const cost = load<T>(table + <usize>((p - i) * <i32>sizeof<T>()));
            near = v128.min<T>(near, joinOf<T, K>(v128.load(g + (<usize>i << 4)), splatOf<T>(cost)));
          }
        }
        const radius = radiusOf<T>(near, weight, squared);
        from = max(from, p - radius);
        to = min(to, p + radius);
      }
      const place = dst + (<usize>(apart ? at : k) << 4);
      if (args) probe<T, K>(g, p, from, to, reach, table, limit, place, range, args + (<usize>k << 4));
      else probePairs<T, K>(g, p, from, to, reach, table, limit, place, range);
    }
  }
}

/** An upper bound of the distance, in pixels, of a site that costs no more than the highest lane of `cost`. */
// @ts-ignore: decorator
@inline
function radiusOf<T>(cost: v128, weight: f64, squared: bool): i32 {
  const most = highest<T>(cost);
  if (most >= infinityOf<T>()) return i32.MAX_VALUE >> 1;
  return <i32>((squared ? sqrt(<f64>most) : <f64>most) / weight) + 1;
}

/** Finds the cheapest site in [from, to] for position p, the first of equal ones, and stores the sites of the lanes. */
// @ts-ignore: decorator
@inline
function probe<T, K>(
  g: usize, p: i32, from: i32, to: i32, reach: i32, table: usize, limit: T, dst: usize, range: usize, args: usize,
): void {
  let best = unknownOf<T>();
  let arg = placeOf<T>(p);
  let index = placeOf<T>(from);
  const step = placeOf<T>(1);
  let site = g + (<usize>from << 4);
  const end = g + (<usize>(to + 1) << 4);
  let cost = table + <usize>((p - from) * <i32>sizeof<T>());
  while (site < end) {
    const found = v128.min<T>(best, joinOf<T, K>(v128.load(site), splatOf<T>(load<T>(cost))));
    arg = v128.bitselect(arg, index, v128.eq<T>(found, best));
    best = found;
    index = sizeof<T>() == 2 ? i16x8.add(index, step) : i32x4.add(index, step);
    site += 16;
    cost -= sizeof<T>();
  }
  keep<T>(dst, best, limit);
  v128.store(args, arg);
  keepRange<T>(best, arg, 0, p, reach, limit, range);
}

/**
 * The same by pairs of sites, which saves a third of the steps. The site of a lane is then known only to within a pair,
 * which suffices to bound the search of its neighbours. A pair may end one site past `to`, whose cost is infinite or
 * not lower.
 */
// @ts-ignore: decorator
@inline
function probePairs<T, K>(
  g: usize, p: i32, from: i32, to: i32, reach: i32, table: usize, limit: T, dst: usize, range: usize,
): void {
  let best = unknownOf<T>();
  let arg = placeOf<T>(p);
  let index = placeOf<T>(from);
  const step = placeOf<T>(2);
  let site = g + (<usize>from << 4);
  const end = g + (<usize>(to + 1) << 4);
  let cost = table + <usize>((p - from) * <i32>sizeof<T>());
  while (site < end) {
    const a = joinOf<T, K>(v128.load(site), splatOf<T>(load<T>(cost)));
    const b = joinOf<T, K>(v128.load(site, 16), splatOf<T>(load<T>(cost - sizeof<T>())));
    const found = v128.min<T>(best, v128.min<T>(a, b));
    arg = v128.bitselect(arg, index, v128.eq<T>(found, best));
    best = found;
    index = sizeof<T>() == 2 ? i16x8.add(index, step) : i32x4.add(index, step);
    site += 32;
    cost -= 2 * sizeof<T>();
  }
  keep<T>(dst, best, limit);
  keepRange<T>(best, arg, 1, p, reach, limit, range);
}

/** Stores the range of the lanes' sites. The site of a lane lies in [arg, arg + more]. */
// @ts-ignore: decorator
@inline
function keepRange<T>(best: v128, arg: v128, more: i32, p: i32, reach: i32, limit: T, range: usize): void {
  // A lane without a site has none within reach of p. Its later positions find their sites beyond that, and its earlier
  // positions before it. Where sums of 16 bits saturate there may be a site, but none before p that later positions
  // could use.
  const found = v128.lt<T>(best, splatOf<T>(infinityOf<T>()));
  const away = sizeof<T>() != 2 || limit <= <T>0x7fff ? reach + 1 : 0;
  const after = min(p + away, 0xffff);
  const before = max(p - away, 0);
  if (sizeof<T>() == 2) {
    store<i32>(range, lowest<u16>(v128.bitselect(arg, i16x8.splat(<i16>after), found)));
    store<i32>(range, highest<u16>(v128.bitselect(arg, i16x8.splat(<i16>before), found)) + more, 4);
  } else {
    store<i32>(range, lowest<i32>(v128.bitselect(arg, i32x4.splat(after), found)));
    store<i32>(range, highest<i32>(v128.bitselect(arg, i32x4.splat(before), found)) + more, 4);
  }
}

/** Computes the seven positions after p, reading each of the sites [from, to] once. */
function seven<T, K>(
  g: usize, p: i32, from: i32, to: i32, table: usize, limit: T, dst: usize,
): void {
  const most = unknownOf<T>();
  let a = most;
  let b = most;
  let c = most;
  let d = most;
  let e = most;
  let f = most;
  let h = most;
  const size = sizeof<T>();
  let site = g + (<usize>from << 4);
  const end = g + (<usize>(to + 1) << 4);
  let cost = table + <usize>((p - from) * <i32>size);
  while (site < end) {
    const here = v128.load(site);
    a = v128.min<T>(a, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 1 * sizeof<T>()))));
    b = v128.min<T>(b, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 2 * sizeof<T>()))));
    c = v128.min<T>(c, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 3 * sizeof<T>()))));
    d = v128.min<T>(d, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 4 * sizeof<T>()))));
    e = v128.min<T>(e, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 5 * sizeof<T>()))));
    f = v128.min<T>(f, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 6 * sizeof<T>()))));
    h = v128.min<T>(h, joinOf<T, K>(here, splatOf<T>(load<T>(cost, 7 * sizeof<T>()))));
    site += 16;
    cost -= size;
  }
  keep<T>(dst + 16, a, limit);
  keep<T>(dst + 32, b, limit);
  keep<T>(dst + 48, c, limit);
  keep<T>(dst + 64, d, limit);
  keep<T>(dst + 80, e, limit);
  keep<T>(dst + 96, f, limit);
  keep<T>(dst + 112, h, limit);
}

/**
 * The same on an integer grid with the Euclidean metric, with one table look-up per site. For a site at p + e and a
 * position p + j, w^2 (j - e)^2 = w^2 e^2 - 2 w^2 e j + w^2 j^2. The first term is looked up. The second is subtracted
 * step by step. The third is the same for all sites and is added at the end.
 */
function sevenSquares(
  g: usize, p: i32, from: i32, to: i32, table: usize, limit: i32, dst: usize,
): void {
  const most = i32x4.splat(0x7fffffff - load<i32>(table, 28));
  let a = most;
  let b = most;
  let c = most;
  let d = most;
  let e = most;
  let f = most;
  let h = most;
  const unit = load<i32>(table, 4);
  let site = g + (<usize>from << 4);
  const end = g + (<usize>(to + 1) << 4);
  let cost = table + <usize>((p - from) << 2);
  let step = 2 * unit * (from - p);
  while (site < end) {
    const less = i32x4.splat(step);
    let term = i32x4.sub(i32x4.add(v128.load(site), v128.load32_splat(cost)), less);
    a = v128.min<i32>(a, term);
    term = i32x4.sub(term, less);
    b = v128.min<i32>(b, term);
    term = i32x4.sub(term, less);
    c = v128.min<i32>(c, term);
    term = i32x4.sub(term, less);
    d = v128.min<i32>(d, term);
    term = i32x4.sub(term, less);
    e = v128.min<i32>(e, term);
    term = i32x4.sub(term, less);
    f = v128.min<i32>(f, term);
    h = v128.min<i32>(h, i32x4.sub(term, less));
    site += 16;
    cost -= 4;
    step += 2 * unit;
  }
  keep<i32>(dst + 16, i32x4.add(a, v128.load32_splat(table, 4)), limit);
  keep<i32>(dst + 32, i32x4.add(b, v128.load32_splat(table, 8)), limit);
  keep<i32>(dst + 48, i32x4.add(c, v128.load32_splat(table, 12)), limit);
  keep<i32>(dst + 64, i32x4.add(d, v128.load32_splat(table, 16)), limit);
  keep<i32>(dst + 80, i32x4.add(e, v128.load32_splat(table, 20)), limit);
  keep<i32>(dst + 96, i32x4.add(f, v128.load32_splat(table, 24)), limit);
  keep<i32>(dst + 112, i32x4.add(h, v128.load32_splat(table, 28)), limit);
}

function one<T, K>(g: usize, p: i32, from: i32, to: i32, table: usize, limit: T, dst: usize): void {
  let best = unknownOf<T>();
  for (let i = from; i <= to; i++) {
    const cost = load<T>(table + <usize>((p - i) * <i32>sizeof<T>()));
    best = v128.min<T>(best, joinOf<T, K>(v128.load(g + (<usize>i << 4)), splatOf<T>(cost)));
  }
  keep<T>(dst, best, limit);
}

/** Stores costs; costs above the limit become infinite. */
// @ts-ignore: decorator
@inline
function keep<T>(dst: usize, cost: v128, limit: T): void {
  v128.store(dst, v128.bitselect(cost, splatOf<T>(infinityOf<T>()), v128.le<T>(cost, splatOf<T>(limit))));
}

// @ts-ignore: decorator
@inline
function lowest<T>(v: v128): i32 {
  let m = v128.min<T>(v, v128.shuffle<u64>(v, v, 1, 0));
  m = v128.min<T>(m, v128.shuffle<u32>(m, m, 1, 0, 3, 2));
  if (sizeof<T>() == 2) return <i32>i16x8.extract_lane_u(v128.min<T>(m, v128.shuffle<u16>(m, m, 1, 0, 3, 2, 5, 4, 7, 6)), 0);
  return i32x4.extract_lane(m, 0);
}

// @ts-ignore: decorator
@inline
function highest<T>(v: v128): T {
  let m = v128.max<T>(v, v128.shuffle<u64>(v, v, 1, 0));
  m = v128.max<T>(m, v128.shuffle<u32>(m, m, 1, 0, 3, 2));
  if (sizeof<T>() == 2) return <T>i16x8.extract_lane_u(v128.max<T>(m, v128.shuffle<u16>(m, m, 1, 0, 3, 2, 5, 4, 7, 6)), 0);
  if (isFloat<T>()) return <T>f32x4.extract_lane(m, 0);
  return <T>i32x4.extract_lane(m, 0);
}

/**
 * Writes the nearest site of each position, as `stride` times its row plus its feature; 0xffffffff if its cost is
 * infinite.
 */
function nearest(
  kind: u32, features: usize, args: usize, count: u32, costs: usize, dst: usize, stride: u32, base: u32,
): void {
  const end = costs + (<usize>count << 4);
  while (costs < end) {
    const infinite = kind == F32 ? load<f32>(costs) == Infinity : load<i32>(costs) == infinityOf<i32>();
    const row = load<u32>(args);
    const feature = load<u32>(features + (<usize>row << 4) + (costs & 12));
    store<u32>(dst, infinite ? u32.MAX_VALUE : (row + base) * stride + feature);
    costs += 4;
    args += 4;
    dst += 4;
  }
}
