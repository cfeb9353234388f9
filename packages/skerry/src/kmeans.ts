// K-means: what a call asks for becomes a plan in integers, a device works on the colours of the image, and centres
// become a palette, by how many pixels they have. Coordinates of centres are integers of 15 bits on every device: those
// of colours, 8 bits in RGB and 10 in Oklab, with 7 or 5 bits of fraction below them.

import type { BackendColours, Call } from "./backend.js";
import { flag, isSink, number, oneOf, show, whole } from "./check.js";
import { InvalidArgument } from "./errors.js";
import { colourOf, OKLAB_STEPS, oklabOf, oklabValues } from "./oklab.js";
import type { Step } from "./progress.js";
import type { Classes, KmeansOptions, PickedK, PickKOptions, Sink } from "./types.js";

/** A colour space by its integers. */
export interface ColourSpace {
  readonly name: "rgb" | "oklab";
  /** Bits of a colour's coordinate, and of the fraction that a centre's has below them. */
  readonly bits: 8 | 10;
  readonly fraction: 7 | 5;
  /** Steps of a centre's coordinate in one unit. */
  readonly unit: number;
}

export const SPACES: Record<"rgb" | "oklab", ColourSpace> = {
  rgb: { name: "rgb", bits: 8, fraction: 7, unit: 1 << 7 },
  oklab: { name: "oklab", bits: 10, fraction: 5, unit: OKLAB_STEPS << 5 },
};

/** Three coordinates a centre. */
export type Centres = Uint16Array;

/** How colours are compared, and what a centre is. */
export interface ClusterRule {
  /** Costs: squared distances, or sums of absolute differences. */
  readonly cost: "l2" | "l1";
  readonly centre: "mean" | "median";
}

/** Ways to begin that need the colours. */
export type ColourStart = "kmeans++" | "random" | "grid";

/** A checked KmeansOptions. */
export interface KmeansPlan extends ClusterRule {
  readonly k: number;
  readonly init: ColourStart | Centres;
  readonly seed: number;
  readonly maxIterations: number;
  /** What a move of a centre may cost at most when nothing is said to change any more. */
  readonly limit: number;
  readonly restarts: number;
  readonly space: ColourSpace;
  readonly ignoreTransparent: boolean;
  /** Channels of a palette: 1 or 3. */
  readonly channels: 1 | 3;
}

/** What a start depends on. */
export type StartPlan = Pick<KmeansPlan, "k" | "cost" | "seed">;

/** What iterations depend on. */
export type IterationPlan = Pick<KmeansPlan, keyof ClusterRule | "maxIterations" | "limit">;

/** What iterations came to. */
export interface Iterated {
  readonly centres: Centres;
  readonly iterations: number;
  readonly converged: boolean;
}

/** Pixels per class, and what they cost in steps. */
export interface Assessment {
  readonly counts: readonly number[];
  readonly cost: bigint;
}

/** Colours of another device's on the CPU, which also moves centres of empty classes for it; see BackendColours. */
export interface Mirror extends Pick<BackendColours, "start" | "silhouette" | "dispose"> {
  /** Changes `next` where `empty` has a 1, and tells how many classes moved. */
  refill(centres: Centres, next: Centres, empty: Uint8Array, rule: ClusterRule, call: Call): Promise<number>;
}

const STARTS: readonly ColourStart[] = ["kmeans++", "random", "grid"];

/** Checks options for a raster of so many channels. */
export function planKmeans(options: Omit<KmeansOptions, "into">, channels: number): KmeansPlan {
  const { metric = "l2", init = "kmeans++", seed = 0, maxIterations = 100, tolerance = 0, restarts = 1 } = options;
  const { ignoreTransparent = false } = options;
  oneOf("metric", metric, ["l2", "l1", "l1-mean"]);
  const space = SPACES[oneOf("space", options.space ?? "rgb", ["rgb", "oklab"])];
  flag("ignoreTransparent", ignoreTransparent);
  const shown = channels === 1 ? 1 : 3;
  const given = typeof init === "string" ? undefined : coloursGiven(init, shown);
  const start = given ? centresOf(given, space) : oneOf("init", init, STARTS);
  const k = whole("k", options.k ?? given?.length, 1, ignoreTransparent ? 255 : 256);
  if (given && given.length !== k) {
    throw new InvalidArgument(`Expected as many colours to begin with as k, which is ${k}, got ${given.length}.`);
  }
  whole("restarts", restarts, 1, 1000);
  if (restarts > 1 && (given || init === "grid")) {
    throw new InvalidArgument(`Expected restarts only where the start is drawn by chance, got ${restarts}.`);
  }
  if (number("tolerance", tolerance) < 0) {
    throw new InvalidArgument(`Expected tolerance to be 0 or more, got ${tolerance}.`);
  }
  const cost = metric === "l2" ? "l2" : "l1";
  const moved = tolerance * space.unit;
  return {
    ...{ k, init: start, restarts, space, ignoreTransparent, channels: shown, cost },
    centre: metric === "l1" ? "median" : "mean",
    seed: whole("seed", seed, 0, 2 ** 32 - 1),
    maxIterations: whole("maxIterations", maxIterations, 0, 2 ** 31 - 1),
    limit: Math.min(2 ** 32 - 1, Math.floor(cost === "l2" ? moved * moved : moved)),
  };
}

/** Checks the options of a search for k, for a raster of so many channels; the plan's k is the most to try. */
export function planPickK({ max = 12, ...options }: PickKOptions, channels: number): KmeansPlan {
  const most = whole("max", max, 2, options.ignoreTransparent ? 255 : 256);
  const plan = planKmeans({ ...options, k: most }, channels);
  if (typeof plan.init === "string") return plan;
  throw new InvalidArgument('Expected init to be "kmeans++", "random" or "grid" to try several k, got colours.');
}

/** Colours of the caller's: a list of one per class, or one array of all their channels. */
function coloursGiven(init: unknown, channels: 1 | 3): number[][] {
  const flat = init instanceof Uint8Array || init instanceof Uint8ClampedArray;
  if (!flat && !Array.isArray(init)) {
    throw new InvalidArgument(
      `Expected init to be "kmeans++", "random", "grid" or a list of colours, got ${show(init)}.`,
    );
  }
  if (flat && init.length % channels !== 0) {
    throw new InvalidArgument(`Expected a palette of ${channels} bytes per colour to begin with, got ${init.length}.`);
  }
  const rows: unknown[] = flat
    ? Array.from({ length: init.length / channels }, (_, i) => [...init.subarray(i * channels, (i + 1) * channels)])
    : init;
  for (const row of rows) {
    const fits =
      Array.isArray(row) && row.length === channels && row.every((n) => typeof n === "number" && n >= 0 && n <= 255);
    if (!fits) {
      throw new InvalidArgument(
        `Expected colours of ${channels === 1 ? "one number" : "three numbers"} from 0 to 255 to begin with, got ${show(row)}.`,
      );
    }
  }
  return rows as number[][];
}

/** Colours as centres; in Oklab those of the nearest whole channels. */
function centresOf(colours: readonly number[][], { name, unit, fraction }: ColourSpace): Centres {
  const centres = new Uint16Array(colours.length * 3);
  colours.forEach(([red = 0, green, blue], i) => {
    if (name === "rgb") {
      const point = [red, green ?? 0, blue ?? 0];
      centres.set(
        point.map((value) => Math.floor(value * unit + 0.5)),
        i * 3,
      );
      return;
    }
    const [r, g, b] = [red, green ?? red, blue ?? red].map((value) => Math.floor(value + 0.5)) as [
      number,
      number,
      number,
    ];
    const lab = oklabOf(r, g, b);
    centres.set(
      [lab, lab >> 10, lab >> 20].map((value) => (value & 1023) << fraction),
      i * 3,
    );
  });
  return centres;
}

/** Checks where classes are to go. */
export function checkClassesInto(into: unknown, pixels: number): Uint8Array | Sink<Uint8Array> | undefined {
  if (into === undefined) return undefined;
  if (typeof into === "object" && into !== null && isSink<Uint8Array>(into)) return into;
  if (into instanceof Uint8Array && into.length === pixels) return into;
  const found = into instanceof Uint8Array ? `one of ${into.length}` : show(into);
  throw new InvalidArgument(`Expected into to be a Uint8Array of ${pixels} values or a Sink, got ${found}.`);
}

/** Centres from their start to their end: those of the restart that costs the least, of two alike the first. */
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

/** The classes of an image's colours, and, by the numbers that the device knows them by, what each is called. */
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
  order.sort((a, b) => (counts[b] as number) - (counts[a] as number) || a - b);
  order.forEach((number, name) => {
    names[number] = name;
  });
  const sorted = Uint32Array.from(order, (i) => counts[i] as number);
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

/** What pixels cost in units of the space: the whole part and the rest, both exact, before they are rounded once. */
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

/** The nearest colour of 8 bits. */
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
