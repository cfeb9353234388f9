// The same fill in the finest level of OME-Zarr, of which the page shows a smaller one: only the chunks that it reaches are read.

import type { ZarrBox } from "@skerry/files/zarr/web/internal";
import { defined } from "skerry/internal";
import { openWhole } from "../../files/open.js";
import { fileShown } from "../../session/open.js";
import { comparisonOf, FILL } from "../../settings/fill.js";
import { session } from "../../state/engine.js";
import { recipe } from "../../state/lab.js";
import { connectivity, finest, type Held, type Point, refuse, refused, tolerance } from "./state.js";

/** Most bytes of the runs that a fill holds. */
const MOST_BYTES = 2 ** 29;

/** OME-Zarr numbers its channels and times. */
const numbered = (at: unknown): number | undefined => (typeof at === "number" ? at : undefined);

let controller = new AbortController();

/** Forgets the fill, and ends it if it runs. */
export function forgetFinest(): void {
  controller.abort();
  finest.value = undefined;
}

/** Begins a fill of the finest level from the middle of a voxel of the one that is shown. */
export async function beginFinest({ opened }: Held, from: Point): Promise<void> {
  const blob = fileShown();
  const { engine } = session;
  if (!blob || !engine) return;
  forgetFinest();
  refused.value = "";
  controller = new AbortController();
  const { signal } = controller;
  finest.value = { read: 0 };
  try {
    const { range, metric } = comparisonOf(recipe.value.fill);
    const { level, ...rest } = opened.whole ?? {};
    const [channel, time] = [numbered(rest.channel), numbered(rest.time)];
    const zarr = await import("../../files/zarr.js");
    const found = await zarr.fillFinest(
      engine,
      { blob, name: opened.name },
      defined({
        seed: from,
        level,
        channel,
        time,
        range,
        metric,
        tolerance: tolerance.value,
        connectivity: connectivity.value,
        memory: MOST_BYTES,
        // Chunks are read and decoded in a worker, where the picture's lie already.
        read: async (box: ZarrBox) =>
          (await openWhole(blob, opened.name, { taken: { level: 0, channel, time }, box })).data,
        signal,
        onChunk: ({ read }: { read: number }) => {
          if (!signal.aborted) finest.value = { read };
        },
      }),
    );
    if (!signal.aborted) finest.value = { read: found.filled.chunksRead, found };
  } catch (error) {
    if (signal.aborted) return;
    finest.value = undefined;
    refuse(error);
  }
}

/** Whether chunks tell all that the fill compares with. */
export function fillsByChunks({ opened }: Held): boolean {
  const { average, contiguous } = recipe.value.fill;
  return (opened.whole?.level ?? 0) > 0 && average === FILL.average && contiguous === FILL.contiguous;
}
