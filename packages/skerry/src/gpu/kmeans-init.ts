// Initial centres by greedy k-means++ on the device, from the random numbers that the CPU draws by: the centres are the same. Three
// dispatches a centre, in batches that are read back; colours never leave the device.

import type { Call } from "../core/call.js";
import { type Centres, type StartPlan, trialsFor } from "../core/clusters.js";
import { randomNumbers } from "../core/random.js";
import { upload } from "./bands.js";
import { type Context, withScratch } from "./device/context.js";
import type { Colours } from "./kmeans-colours.js";

/** Colours per block of lib/block-sum.wgsl. */
const BLOCK = 2048;
/** Most centres of a batch, and most costs that its candidates are tried by. */
const BATCH = 32;
const BATCH_COSTS = 2 ** 25;
/** Bytes of the totals of a centre's candidates, of which there are up to seven. */
const TOTALS_BYTES = 64;

/** The random numbers of each centre's candidates: one for the first centre. */
function drawsOf({ k, seed }: StartPlan, restart: number, trials: number): Uint32Array {
  const draws = new BigUint64Array(k * trials);
  const numbers = randomNumbers(seed, restart);
  draws[0] = numbers.next().value;
  for (let i = trials; i < draws.length; i++) draws[i] = numbers.next().value;
  return new Uint32Array(draws.buffer);
}

/** Initial centres of at most k colours; fewer if the colours have fewer distinct points. `fraction` is that of centres' coordinates. */
export function plantCentres(
  context: Context,
  { count: colours, points, weights, boxes }: Colours,
  plan: StartPlan,
  fraction: number,
  restart: number,
  call: Call,
): Promise<Centres> {
  const { k, cost } = plan;
  const blocks = Math.ceil(colours / BLOCK);
  return context.timed(call, "initial centres", 0, () =>
    withScratch(context, async (scope) => {
      const draws = drawsOf(plan, restart, trialsFor(k));
      const used = {
        points,
        weights,
        boxes,
        draws: await scope.allocate(draws.byteLength, "draws"),
        costs: await scope.allocate(colours * 4, "costs of colours"),
        sums: await scope.allocate(blocks * 8, "costs of blocks"),
        candidates: await scope.allocate(trialsFor(k) * 16, "candidates"),
        totals: await scope.allocate(k * TOTALS_BYTES, "costs"),
        centres: await scope.allocate(k * 16, "centres"),
      };
      const commands = context.commands();
      await upload(context, commands, draws, used.draws, 0);
      commands.clear(used.totals, 0, k * TOTALS_BYTES);
      commands.clear(used.centres, 0, k * 16);
      commands.stage("initial centres", k * colours * 24);
      commands.dispatch("kmeans-plant-begin", blocks, used, { colours });
      const kind = { L1: cost === "l1" };
      const batch = Math.max(1, Math.min(BATCH, Math.floor(BATCH_COSTS / (colours * trialsFor(k)))));
      const found: number[] = [];
      for (let from = 0; from < k; from += batch) {
        call.signal?.throwIfAborted();
        const to = Math.min(k, from + batch);
        for (let centre = from; centre < to; centre++) {
          const trials = centre === 0 ? 1 : trialsFor(k);
          const uniforms = { colours, blocks, fraction, centre, trials };
          commands.dispatch("kmeans-plant-draw", trials, used, uniforms);
          if (trials > 1) commands.dispatch("kmeans-plant-try", blocks, used, uniforms, kind);
          commands.dispatch("kmeans-plant-keep", blocks, used, uniforms, kind);
        }
        const words = await context.numbers(commands, used.centres, to * 4);
        for (let at = from * 4; at < to * 4 && words[at + 3] === 1; at += 4) found.push(...words.subarray(at, at + 3));
        call.onProgress?.({ stage: "initial centres", done: to, total: k });
        // All colours lie on centres.
        if (found.length < to * 3) break;
      }
      return Uint16Array.from(found);
    }),
  );
}
