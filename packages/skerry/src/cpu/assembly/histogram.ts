// Histograms: exact levels for integers that span few of them, bins between ascending edges for other values.

import { F32, I16, I32, U32, U8, reduceRow, typeBytes } from "./image-luma";

/** Arguments of {@link histogramRows}. */
// @ts-ignore: decorator
@unmanaged
export class HistogramRowsCall {
  /** Pixel type, TYPE_CODE 0..5. */
  type: u32;
  /** Channels of a pixel: 1, 3 or 4. */
  channels: u32;
  /** Pixels of the band, rows tight. [0 .. rows * width * channels * typeBytes(type)] */
  src: usize;
  /** Rows in the band. */
  rows: u32;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** u32 counters, or the smallest and largest f64. [0 .. type === 0 ? 4096 : type === 1 || type === 2 ? 262144 : !edges ? 16 : (levels || bins) * 4] */
  histogram: usize;
  /** f64 edges, or the first level; 0 none. [0 .. levels ? 8 : (bins + 1) * 8] */
  edges: usize;
  /** Number of integer levels to count, from the one at edges on; 0 to count in bins. */
  levels: u32;
  /** One row of one channel. [0 .. channels === 1 ? 0 : width * typeBytes(type)] */
  scratch: usize;
  /** Value that is left out, f64; NaN none. */
  except: f64;
  /** Bins between the edges. */
  bins: u32;
  /** Bit rows of the pixels that are counted; 0 for all. [0 .. rows * rowBytes(width)] */
  fence: usize;
}

/**
 * Counts the (luma) levels of `rows` rows into `histogram`, u32 each. For u8 these are 4 x 256 partial histograms:
 * neighbouring pixels often share a level, and a counter can only be incremented every few cycles. For u16 and i16
 * (level + 32 768) they are 65 536 counters. f32, u32 and i32 have three modes, which leave out the value `except`.
 * With `edges` 0 the smallest and largest finite value are written as two f64. With `edges` (`bins` + 1 f64, ascending)
 * finite values are counted in `bins` bins, the last one closed. With `levels` that many levels are counted, from the
 * f64 at `edges` on.
 */
export function histogramRows(call: HistogramRowsCall): void {
  let type = call.type, channels = call.channels, src = call.src, rows = call.rows, width = call.width,
    histogram = call.histogram, edges = call.edges, levels = call.levels, scratch = call.scratch,
    except = call.except, bins = call.bins, fence = call.fence;
  let low: f64 = Infinity;
  let high: f64 = -Infinity;
  for (let y: u32 = 0; y < rows; y++) {
    const row = reduceRow(type, channels, src, width, false, scratch);
    if (type == U8) {
      if (!fence) {
        for (let x: u32 = 0; x < width; x++) bump(histogram + (<usize>(x & 3) << 10), load<u8>(row + x));
      } else {
        for (let x: u32 = 0; x < width; x++) if (isInside(fence, x)) bump(histogram, load<u8>(row + x));
      }
    } else if (type == F32 || type == U32 || type == I32) {
      for (let x: u32 = 0; x < width; x++) {
        if (fence && !isInside(fence, x)) continue;
        const at = row + (<usize>x << 2);
        const v = type == F32 ? <f64>load<f32>(at) : type == U32 ? <f64>load<u32>(at) : <f64>load<i32>(at);
        // False for NaN, too.
        if (!(abs<f64>(v) < Infinity) || v == except) continue;
        if (levels) {
          const level = v - load<f64>(edges);
          // Pixels may have changed since the smallest and the largest value were determined.
          if (level >= 0 && level < <f64>levels) bump(histogram, <u32>level);
        } else if (edges) {
          if (v >= load<f64>(edges) && v <= load<f64>(edges + (<usize>bins << 3))) bump(histogram, binOf(v, edges, <i32>bins));
        } else {
          low = min(low, v);
          high = max(high, v);
        }
      }
    } else {
      const flip: u32 = type == I16 ? 0x8000 : 0;
      for (let x: u32 = 0; x < width; x++) {
        if (fence && !isInside(fence, x)) continue;
        bump(histogram, <u32>load<u16>(row + (<usize>x << 1)) ^ flip);
      }
    }
    src += <usize>width * channels * typeBytes(type);
    if (fence) fence += <usize>((width + 63) >> 6) << 3;
  }
  if ((type == F32 || type == U32 || type == I32) && !edges) {
    store<f64>(histogram, low);
    store<f64>(histogram, high, 8);
  }
}

// @ts-ignore: decorator
@inline
function isInside(fence: usize, x: u32): bool {
  return ((load<u64>(fence + (<usize>(x >> 6) << 3)) >> <u64>(x & 63)) & 1) != 0;
}

// @ts-ignore: decorator
@inline
function bump(histogram: usize, level: u32): void {
  const at = histogram + (<usize>level << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** The bin whose edges contain `v`: estimated by division, and corrected by at most a step or two. */
// @ts-ignore: decorator
@inline
export function binOf(v: f64, edges: usize, bins: i32): u32 {
  const first = load<f64>(edges);
  const last = load<f64>(edges + (<usize>bins << 3));
  let bin = min<i32>(bins - 1, <i32>((v - first) * (<f64>bins / (last - first))));
  while (bin > 0 && v < load<f64>(edges + (<usize>bin << 3))) bin--;
  while (bin < bins - 1 && v >= load<f64>(edges + (<usize>(bin + 1) << 3))) bin++;
  return bin;
}
