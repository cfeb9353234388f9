// Results of k-means. A device clusters the colours of the image by an integer plan; the centres become a palette,
// sorted by number of pixels. Coordinates of centres are integers of 15 bits on every device: 8 bits and 7 fractional bits in
// RGB, 10 bits and 5 fractional bits in Oklab.

import type { Call } from "../core/call.js";
import type { Assessment, Centres, ColourSpace, Iterated, KmeansPlan } from "../core/clusters.js";
import { colourOf, oklabValues } from "../core/oklab.js";
import type { Step } from "../core/progress.js";
import type { BackendColours } from "../device/backend.js";
import type { Classes, PickedK } from "../types/kmeans.js";

/** Runs all restarts and returns the centres with the lowest cost, the first of equal ones. */
async function best(
  colours: BackendColours,
  plan: KmeansPlan,
  call: Call,
): Promise<Iterated & { readonly assessment: Assessment }> {
  let found: (Iterated & { readonly assessment: Assessment }) | undefined;
  for (let restart = 0; restart < plan.restarts; restart++) {
    const start =
      typeof plan.init === "string"
        ? await colours.start(plan.init, { ...plan, k: Math.min(plan.k, colours.count) }, restart, call)
        : plan.init;
    const end = await colours.iterate(start, plan, call);
    const assessment = await colours.assess(end.centres, plan, call);
    if (!found || assessment.cost < found.assessment.cost) found = { ...end, assessment };
  }
  return found as Iterated & { readonly assessment: Assessment };
}

/** The classes of an image's colours. `names` maps the device's index of each centre to its class. */
export async function classify(
  colours: BackendColours,
  plan: KmeansPlan,
  pixels: number,
  call: Call,
): Promise<{ readonly classes: Classes; readonly centres: Centres; readonly names: Uint8Array }> {
  const names = new Uint8Array(256).fill(255);
  if (colours.count === 0) {
    const none = { k: 0, palette: new Uint8Array(), centres: new Float64Array(), counts: new Uint32Array() };
    const classes = { ...none, transparent: pixels, iterations: 0, inertia: 0, converged: true };
    return { classes, centres: new Uint16Array(), names };
  }
  const { centres, iterations, converged, assessment } = await best(colours, plan, call);
  const { counts, cost } = assessment;
  const order = counts.map((_, i) => i).filter((i) => counts[i]);
  order.sort((a, b) => counts[b] - counts[a] || a - b);
  order.forEach((number, name) => {
    names[number] = name;
  });
  const sorted = Uint32Array.from(order, (i) => counts[i]);
  const { channels, space } = plan;
  const classes: Classes = {
    k: order.length,
    palette: Uint8Array.from(order.flatMap((i) => paletteColour(centres, i, space).slice(0, channels))),
    centres: Float64Array.from(order.flatMap((i) => coordinates(centres, i, plan))),
    counts: sorted,
    transparent: pixels - totalOf(counts),
    iterations,
    inertia: inertiaOf(cost, plan),
    converged,
  };
  return { classes, centres, names };
}

/** The inertia in units of the colour space. The integer part and the rest are exact, so the result is rounded once. */
function inertiaOf(cost: bigint, { space, cost: kind }: KmeansPlan): number {
  const scale = BigInt(space.unit) ** (kind === "l2" ? 2n : 1n);
  return Number(cost / scale) + Number(cost % scale) / Number(scale);
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, n) => sum + n, 0);
}

/** A centre, in units of a colour's coordinates. */
function pointOf(centres: Centres, i: number, { fraction }: ColourSpace): [number, number, number] {
  const [x = 0, y = 0, z = 0] = centres.subarray(i * 3, i * 3 + 3);
  return [x / (1 << fraction), y / (1 << fraction), z / (1 << fraction)];
}

/** The nearest colour with 8 bits per channel. */
function paletteColour(centres: Centres, i: number, space: ColourSpace): [number, number, number] {
  const [x, y, z] = pointOf(centres, i, space);
  if (space.name === "oklab") return colourOf(x, y, z);
  return [Math.floor(x + 0.5), Math.floor(y + 0.5), Math.floor(z + 0.5)];
}

/** A centre in the units of its space: channels of 0 to 255, or L, a, b. */
function coordinates(centres: Centres, i: number, { space, channels }: KmeansPlan): number[] {
  const point = pointOf(centres, i, space);
  return space.name === "oklab" ? oklabValues(...point) : point.slice(0, channels);
}

/** Inertia and silhouette for each number of classes from 2 up to the plan's. */
export async function assessEach(colours: BackendColours, plan: KmeansPlan, call: Call): Promise<PickedK> {
  const candidates: number[] = [];
  const inertia: number[] = [];
  const silhouette: number[] = [];
  const most = Math.min(plan.k, colours.count);
  for (let k = 2; k <= most; k++) {
    const done: Step = { stage: "classes", done: k - 1, total: most - 1 };
    const { centres, assessment } = await best(colours, { ...plan, k }, { ...call, onProgress: undefined });
    candidates.push(k);
    inertia.push(inertiaOf(assessment.cost, plan));
    silhouette.push((await colours.silhouette(centres, plan, call)) / totalOf(assessment.counts));
    call.onProgress?.(done);
  }
  const top = silhouette.indexOf(Math.max(...silhouette));
  return {
    k: candidates[top] ?? colours.count,
    candidates,
    inertia: Float64Array.from(inertia),
    silhouette: Float64Array.from(silhouette),
  };
}
