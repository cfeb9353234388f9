// Mean colours of an image's tiles as initial centres of k-means. Tiles are nearly square and of nearly equal sizes.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { type Bits, isInMask, type Pixels, type Size } from "../core/pixels.js";
import type { Router } from "../device/router.js";

/** Pixels between turns of the event loop. */
const PIXELS_PER_TURN = 1 << 20;

/** Bands of rows in order, within one slice each; `row` is the first row, numbered across all slices. */
async function* bandsOf(
  router: Pick<Router, "read">,
  pixels: Pixels,
  call: Call,
): AsyncGenerator<{ readonly row: number; readonly rows: number; readonly data: ArrayLike<number> }> {
  const { width, height, depth, channels } = pixels.shape;
  const most = Math.min(height, Math.max(1, Math.floor(PIXELS_PER_TURN / width)));
  const complete =
    pixels.kind === "source" ? undefined : pixels.kind === "array" ? pixels.data : await router.read(pixels, call);
  const band = new Uint8Array(complete ? 0 : most * width * channels);
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y += most) {
      const rows = Math.min(most, height - y);
      const row = z * height + y;
      call.signal?.throwIfAborted();
      if (row > 0) await turn();
      if (complete) {
        yield { row, rows, data: complete.subarray(row * width * channels, (row + rows) * width * channels) };
      } else if (pixels.kind === "source") {
        const into = band.subarray(0, rows * width * channels);
        await pixels.source.read(z, z + 1, y, y + rows, into, call.signal ? { signal: call.signal } : {});
        yield { row, rows, data: into };
      }
    }
  }
}

/** Mean colours of the tiles of a u8 image, as initial centres; tiles without a pixel have none. */
export async function tileColours(
  router: Pick<Router, "read">,
  pixels: Pixels,
  k: number,
  within: Bits | undefined,
  call: Call,
): Promise<number[][]> {
  const { width, height, channels } = pixels.shape;
  const shown = Math.min(3, channels);
  const tiles = tilesOf({ width, height, depth: 1 }, k);
  const sums = new Float64Array((k + 1) * 4);
  for await (const { row, rows, data } of bandsOf(router, pixels, call)) {
    for (let i = 0; i < rows; i++) {
      const line = ((row + i) % height) * width;
      for (let x = 0, at = i * width * channels; x < width; x++, at += channels) {
        if (!isInMask(within, x, row + i)) continue;
        const to = tiles[line + x] * 4;
        sums[to]++;
        for (let c = 0; c < shown; c++) sums[to + 1 + c] += data[at + c];
      }
    }
  }
  return Array.from({ length: k }, (_, i) => sums.subarray(4 * i + 4, 4 * i + 5 + shown))
    .filter(([count]) => count > 0)
    .map(([count, ...sums]) => sums.map((sum) => sum / count));
}

/**
 * The number of each pixel's tile, from 1 on. Slices of a volume have the same tiles.
 *
 * Seven tiles of an image of 4 x 2 pixels lie in two rows, of three and of four tiles:
 *
 *     1 1 2 3
 *     4 5 6 7
 */
function tilesOf({ width, height }: Size, k: number): Uint32Array {
  const rows = Math.min(k, height, Math.max(1, Math.round(Math.sqrt((k * height) / width))));
  const tiles = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height);
    const from = Math.floor((row * k) / rows);
    const columns = Math.floor(((row + 1) * k) / rows) - from;
    for (let x = 0; x < width; x++) tiles[y * width + x] = from + Math.floor((x * columns) / width) + 1;
  }
  return tiles;
}
