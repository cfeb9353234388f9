// Copies bits of the host, such as a Mask, to planes and back. Bands go to the workers, each of which copies its rows.

import type { Call } from "../core/call.js";
import { type Bits, partOf } from "../core/pixels.js";
import { bandBytes, bandsOf, inLanes, laneCount, PIXEL_BAND, type Rows, timed } from "./bands.js";
import { type KernelCall, kernelCall, runCall, runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { clearOutside, freePlanes, makePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";

/** Calls `work` with the address of a fence's plane, or with 0 if there is no fence. */
export async function fenced<T>(
  pool: Pool,
  within: Bits | undefined,
  call: Call,
  work: (fence: number) => Promise<T>,
): Promise<T> {
  if (!within) return work(0);
  const planes = await unpackMask(pool, within, call);
  try {
    return await work(planes.first);
  } finally {
    freePlanes(pool, planes);
  }
}

/** Copies given bits, of one polarity or two, into planes. */
export function unpackMask(pool: Pool, mask: Bits, call: Call): Promise<Planes> {
  const { bits, second } = mask;
  return makePlanes(pool, mask, second ? 2 : 1, async (planes) => {
    await unpackPlane(pool, planes, bits, planes.first, call);
    if (second) await unpackPlane(pool, planes, second, planes.second, call);
  });
}

function unpackPlane(pool: Pool, planes: Planes, bits: Uint32Array, planeAt: number, call: Call): Promise<void> {
  const { width, rows } = planes;
  const words32 = Math.ceil(width / 32);
  return withScratch(pool, async (scope) => {
    const bands = bandsOf({ y0: 0, y1: rows }, words32 * 4, bandBytes(pool, planes, PIXEL_BAND));
    const lanes = Math.min(laneCount(pool), bands.length);
    const slots = await scope.lanes(lanes, (bands[0] as { y1: number }).y1 * words32 * 4);
    await timed(call, "pack", bits.byteLength + planeBytes(planes), () =>
      inLanes(call, "pack", bands, lanes, async ({ y0, y1 }, lane) => {
        const pointer = slots[lane];
        const array = partOf(bits, y0 * words32, y1 * words32);
        await runKernel(
          pool,
          "copyBits",
          { src: pointer, rows: y1 - y0, width, dst: planeAt + y0 * planes.words * 8 },
          {
            input: { pointer, array },
          },
        );
      }),
    );
  });
}

/** Writes the bits of one plane, or with `which` 0 of all, as the words of a public Mask. `into` must be all 0. */
export function exportMask(pool: Pool, planes: Planes, which: 0 | 1 | 2, into: Uint32Array, call: Call): Promise<void> {
  const { width, words, first, second, touching } = planes;
  const main = which === 2 ? second : first;
  const other = which === 0 || touching ? second : 0;
  return exportRows(pool, planes, "mask", into, call, ({ y0, y1 }, pointer) => {
    const at = y0 * words * 8;
    return kernelCall("exportBits", {
      src: main + at,
      src2: other ? other + at : 0,
      rows: y1 - y0,
      width,
      dst: pointer,
    });
  });
}

/** Writes the foreground pixels with background beside them as the words of a public Mask. `into` must be all 0. */
export async function exportSurface(
  pool: Pool,
  planes: Planes,
  border: boolean,
  into: Uint32Array,
  call: Call,
): Promise<void> {
  const { width, height, depth, first, second } = planes;
  await clearOutside(pool, planes, rowsOf(planes));
  await exportRows(pool, planes, "surface", into, call, ({ y0, y1 }, pointer) => {
    return kernelCall("surfaceRows", {
      bits: first,
      bits2: second,
      width,
      y0,
      y1,
      height,
      depth,
      border,
      out: pointer,
    });
  });
}

/** Runs a kernel that writes bands of 32-bit words, and copies them to `into`. */
async function exportRows(
  pool: Pool,
  planes: Planes,
  stage: string,
  into: Uint32Array,
  call: Call,
  write: (band: Rows, pointer: number) => KernelCall,
): Promise<void> {
  const words32 = Math.ceil(planes.width / 32);
  await withScratch(pool, async (scope) => {
    const bands = bandsOf(rowsOf(planes), words32 * 4, bandBytes(pool, planes, PIXEL_BAND));
    const lanes = Math.min(laneCount(pool), bands.length);
    const slots = await scope.lanes(
      lanes,
      bands.reduce((rows, { y0, y1 }) => Math.max(rows, y1 - y0), 0) * words32 * 4,
    );
    await timed(call, stage, into.byteLength + planeBytes(planes), () =>
      inLanes(call, stage, bands, lanes, async (band, lane) => {
        const pointer = slots[lane];
        await runCall(pool, write(band, pointer), {
          output: { pointer, array: partOf(into, band.y0 * words32, band.y1 * words32) },
        });
      }),
    );
  });
}

/** Planes as bits on the host, of one polarity or of both. */
export async function readBits(pool: Pool, planes: Planes, both: boolean, call: Call): Promise<Bits> {
  const { width, height, depth } = planes;
  const words = Math.ceil(width / 32) * planes.rows;
  const bits = new Uint32Array(words);
  await exportMask(pool, planes, 1, bits, call);
  if (!both) return { kind: "mask", width, height, depth, bits };
  const second = new Uint32Array(words);
  await exportMask(pool, planes, 2, second, call);
  return { kind: "mask", width, height, depth, bits, second };
}
