// Initial centres: drawn by k-means++, distinct colours at random, or the middles of a grid's cells.

import type { Call } from "../core/call.js";
import { type Centres, type ColourStart, type StartPlan, trialsFor } from "../core/clusters.js";
import { randomNumbers } from "../core/random.js";
import { LAYOUT } from "../generated/kernels.js";
import { runKernel } from "./kernels.js";
import { COST_CODE, LIST_BYTES, readList } from "./kmeans-centres.js";
import { BLOCK, type Colours, groupCount } from "./kmeans-colours.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";

const { COLOUR_BYTES, BOX_BYTES, PLANT_HEAD_BYTES, PLANT_SUM_BYTES } = LAYOUT.kmeans;

/** Initial centres; fewer than k if the colours have fewer than k distinct points. */
export async function startCentres(
  pool: Pool,
  colours: Colours,
  init: ColourStart,
  plan: StartPlan,
  restart: number,
  call: Call,
): Promise<Centres> {
  if (init === "grid") return gridOf(await boundsOf(pool, colours), plan.k);
  if (init === "random") return differentColours(pool, colours, plan, restart);
  return plantCentres(pool, colours, plan, restart, call);
}

/** Greedy k-means++, with one message per centre. */
async function plantCentres(
  pool: Pool,
  colours: Colours,
  { k, cost, seed }: StartPlan,
  restart: number,
  call: Call,
): Promise<Centres> {
  const { at, padded } = colours;
  return withScratch(pool, async (scope) => {
    const state = await scope.allocate(
      PLANT_HEAD_BYTES + (groupCount(colours) + padded / BLOCK) * PLANT_SUM_BYTES + padded * 4,
    );
    const list = await scope.allocate(LIST_BYTES);
    const trials = trialsFor(k);
    const begin = performance.now();
    let found = 0;
    for (; found < k; found++) {
      call.signal?.throwIfAborted();
      const args = {
        metric: COST_CODE[cost],
        colours: at,
        padded,
        state,
        centres: list,
        i: found,
        trials,
        seed,
        stream: restart,
      };
      if (!(await runKernel(pool, "plantCentre", args))) break;
      call.onProgress?.({ stage: "initial centres", done: found + 1, total: k });
    }
    call.timings.push({ stage: "initial centres", milliseconds: performance.now() - begin, bytes: 0 });
    return readList(pool, list, found);
  });
}

/** k different colours at random. */
async function differentColours(
  pool: Pool,
  { at, padded, count }: Colours,
  { k, seed }: StartPlan,
  restart: number,
): Promise<Centres> {
  const centres = new Uint16Array(k * 3);
  const word = new Uint32Array(1);
  for (const [i, number] of [...differentNumbers(k, count, seed, restart)].entries()) {
    await pool.read(at + number * 4, word);
    centres.set([word[0], word[0] >>> 16], i * 3);
    await pool.read(at + padded * 4 + number * 4, word);
    centres[i * 3 + 2] = word[0];
  }
  return centres;
}

/** The minimum and the maximum of each coordinate, from the boxes of all groups. */
async function boundsOf(pool: Pool, colours: Colours): Promise<{ lo: number[]; hi: number[] }> {
  const { at, padded } = colours;
  const boxes = new Uint16Array(groupCount(colours) * 8);
  await pool.read(at + padded * COLOUR_BYTES + (padded / BLOCK) * BOX_BYTES, boxes);
  const lo = [65535, 65535, 65535];
  const hi = [0, 0, 0];
  for (let box = 0; box < boxes.length; box += 8) {
    for (let axis = 0; axis < 3; axis++) {
      lo[axis] = Math.min(lo[axis], boxes[box + axis]);
      hi[axis] = Math.max(hi[axis], boxes[box + 4 + axis]);
    }
  }
  return { lo, hi };
}

/** The middles of k cells of a grid of g x g x g over a box, evenly chosen; axes without extent are not cut. */
function gridOf({ lo, hi }: { lo: number[]; hi: number[] }, k: number): Centres {
  const axes = [0, 1, 2].filter((axis) => hi[axis] > lo[axis]);
  let cuts = 1;
  while (cuts ** axes.length < k && axes.length > 0) cuts++;
  const cells = cuts ** axes.length;
  const centres = new Uint16Array(k * 3);
  for (let i = 0; i < k; i++) {
    let cell = Math.floor((i * cells) / k);
    centres.set(lo, i * 3);
    for (const axis of axes) {
      const extent = hi[axis] - lo[axis];
      centres[i * 3 + axis] = lo[axis] + Math.floor(((2 * (cell % cuts) + 1) * extent) / (2 * cuts));
      cell = Math.floor(cell / cuts);
    }
  }
  return centres;
}

/** k different numbers below n in random order (Floyd 1987), from the generator of the kernels. */
function differentNumbers(k: number, n: number, seed: number, stream: number): Set<number> {
  const numbers = randomNumbers(seed, stream);
  const below = (limit: number): number => Number((numbers.next().value * BigInt(limit)) >> 64n);
  const chosen = new Set<number>();
  for (let last = n - k; last < n; last++) {
    const drawn = below(last + 1);
    chosen.add(chosen.has(drawn) ? last : drawn);
  }
  return chosen;
}
