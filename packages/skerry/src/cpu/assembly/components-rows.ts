// Runs per row: counted from bits, summed, and turned into the number of the first run of each row.

import { startsOf } from "./bits";

/**
 * Counts the runs of each row of [y0, y1) into `counts[y]` and returns the number of foreground pixels.
 * @param bits first bit plane, from row 0 [y0 * words * 8 .. y1 * words * 8]
 * @param bits2 second bit plane, from row 0; 0 none [y0 * words * 8 .. y1 * words * 8]
 * @param words 64-bit words of a bit row
 * @param y0 first row, counted through all slices
 * @param y1 row after the last, counted through all slices
 * @param counts u32 per row of the plane: runs [y0 * 4 .. y1 * 4]
 */
export function countRows(bits: usize, bits2: usize, words: u32, y0: u32, y1: u32, counts: usize): f64 {
  const stride = <usize>words << 3;
  let foreground: u64 = 0;
  for (let y = y0; y < y1; y++) {
    let runs: u64 = 0;
    for (let plane = 0; plane < 2; plane++) {
      const base = plane == 0 ? bits : bits2;
      if (!base) break;
      const row = base + <usize>y * stride;
      let carry: u64 = 0;
      for (let i: usize = 0; i < stride; i += 8) {
        const c = load<u64>(row + i);
        runs += popcnt(startsOf(c, carry));
        foreground += popcnt(c);
        carry = c >> 63;
      }
    }
    store<u32>(counts + (<usize>y << 2), <u32>runs);
  }
  return <f64>foreground;
}

/**
 * Sums the run counts of `rows` rows.
 * @param counts u32 per row: runs [0 .. rows * 4]
 * @param rows rows in the band
 */
export function sumRows(counts: usize, rows: u32): f64 {
  let sum: f64 = 0;
  for (let y: u32 = 0; y < rows; y++) sum += <f64>load<u32>(counts + (<usize>y << 2));
  return sum;
}

/**
 * Turns counts per row into the number of the first run of each row; the total goes last and is returned.
 * @param counts u32 per row and one more: runs to first runs [0 .. (height + 1) * 4]
 * @param height rows of all slices (not of one)
 */
export function prefixRows(counts: usize, height: u32): f64 {
  let sum: u64 = 0;
  for (let y: u32 = 0; y < height; y++) {
    const at = counts + (<usize>y << 2);
    const n = load<u32>(at);
    store<u32>(at, <u32>sum);
    sum += n;
  }
  store<u32>(counts + (<usize>height << 2), <u32>sum);
  return <f64>sum;
}
