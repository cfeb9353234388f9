// The polarity of each object, if bright and dark objects were labelled together.

import type { Call } from "../core/call.js";
import { inLanes, listBytes } from "./bands.js";
import { type Labelled, rowsArguments } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";

/** The polarity of each label: 1 if its object lies in the first plane, 2 in the second. */
export async function polaritiesOf(pool: Pool, labelled: Labelled, call: Call): Promise<Uint8Array> {
  const { planes, strips, mapAt, size, count } = labelled;
  return withScratch(pool, async (scope) => {
    const polaritiesAt = await scope.allocate(size);
    const lanes = Math.min(pool.threads * 2, strips.length);
    const lists = await scope.lanes(lanes, listBytes(planes.width));
    await inLanes(call, "polarities", strips, lanes, async ({ y0, y1, base }, lane) => {
      await runKernel(pool, "polaritiesOf", {
        ...rowsArguments(labelled, { y0, y1 }),
        polarities: polaritiesAt + base,
        list: lists[lane],
      });
    });
    const local = new Uint8Array(size);
    const map = new Uint32Array(size);
    await pool.read(polaritiesAt, local);
    await pool.read(mapAt, map);
    const polarities = new Uint8Array(count);
    for (let i = 0; i < size; i++) polarities[map[i] - 1] = local[i];
    return polarities;
  });
}
