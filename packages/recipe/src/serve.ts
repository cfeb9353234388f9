// Serves another program: recipes with their images come as messages, arrays and facts go back. How messages travel is the caller's
// affair: lines over the pipes of a child process, as for Python, or `postMessage`. Arrays travel beside them, by a carrier.

import type {
  CallOptions,
  Components,
  Engine,
  Mask,
  OutlineOptions,
  PixelArray,
  PixelType,
  Progress,
  Raster,
  Regions,
  RegionsOptions,
} from "skerry";
import { defined, newPixels } from "skerry/internal";
import { parseRecipe } from "./check.js";
import { RecipeError } from "./errors.js";
import type { Recipe } from "./fields.js";
import { regionsOptions } from "./run/objects.js";
import { type Result, run } from "./run.js";

/** An array that travels: its type, its sides with the longest step first, and where it is. */
export interface SentArray {
  readonly type: PixelType | "f64" | "i64";
  readonly shape: readonly number[];
  /** The values; or what the carrier needs to find them. */
  readonly data?: ArrayBufferView;
  readonly file?: string;
  readonly offset?: number;
}

/** An image of a request: height, width, or depth, height, width; then the channels, if it has any. */
export interface SentImage extends SentArray {
  /** The name by which the recipe means it, as that of a file: that of `input.within` or `input.intensity`. The image itself has none. */
  readonly name?: string;
  /** Channels of a pixel, the last side of the shape; undefined for one without such a side. */
  readonly channels?: number;
  /** The size of a pixel along x, y and z. */
  readonly spacing?: readonly number[];
}

/** A result that a request may ask for. */
export type Served = "labels" | "mask" | "regions" | "outlines" | "distances" | "nearest" | "classes" | "centres";
/** Results of operations that find objects. */
export const OF_OBJECTS: readonly Served[] = ["labels", "mask", "regions", "outlines"];
/** Results of the other operations. */
const OF_OPERATION: Readonly<Partial<Record<string, readonly Served[]>>> = {
  distance: ["distances", "nearest"],
  kmeans: ["classes", "centres"],
  mask: ["mask"],
};

/** A request, or the end of one: `{ abort: id }`. */
export interface ServeRequest {
  readonly id: number;
  readonly recipe: Recipe;
  readonly images: readonly SentImage[];
  readonly results: readonly Served[];
  /** Whether the progress of the call is told. */
  readonly progress?: boolean;
  /** A file of the other program that results may overwrite, for carriers of files. */
  readonly into?: string;
}

/** An array of a result, with its name: `labels`, or `regions.area`. */
export interface NamedArray {
  readonly name: string;
  readonly data: PixelArray | Float64Array | BigInt64Array;
  readonly shape: readonly number[];
}

/** Brings arrays from and to the other program. */
export interface Carrier {
  /** An array for the values of one that was sent, in memory that {@link Engine.free} or nobody takes back. */
  read(engine: Engine, sent: SentArray & { readonly type: PixelType }): Promise<PixelArray>;
  write(
    arrays: readonly NamedArray[],
    request: Pick<ServeRequest, "into">,
  ): Promise<readonly (SentArray & { readonly name: string })[]>;
}

/** Both ways of messages. */
export interface Connection {
  /** Has every message passed to `take`. */
  readonly receive: (take: (message: unknown) => void) => void;
  readonly send: (message: object) => void;
  readonly carrier?: Carrier;
}

/** Values that travel within their messages, as by `postMessage`. */
export const BY_VALUE: Carrier = {
  read: async (_, { data }) => data as PixelArray,
  // Arrays of the engine's memory are freed after the answer.
  write: async (arrays) =>
    arrays.map(({ name, data, shape }) => ({ name, type: typeOf(data), shape, data: data.slice() })),
};

const TYPES: Readonly<Record<string, SentArray["type"]>> = {
  Uint8Array: "u8",
  Uint8ClampedArray: "u8",
  Uint16Array: "u16",
  Int16Array: "i16",
  Uint32Array: "u32",
  Int32Array: "i32",
  Float32Array: "f32",
  Float64Array: "f64",
  BigInt64Array: "i64",
};

/** The type of an array that travels. */
export const typeOf = (data: ArrayBufferView): SentArray["type"] => TYPES[data.constructor.name];

/**
 * Answers the requests of another program, in the order in which they come, until its messages end. A request is `{ id, recipe, images,
 * results }`. Each gets one answer: `{ id, arrays, facts, recipe }`, or `{ id, error: { name, message, argument } }`. Before it, with
 * `progress`, `{ id, progress }` may come. `{ abort: id }` ends a request with an error.
 * @throws nothing: a request that fails is answered with its error
 */
export function serve(engine: Engine, { receive, send, carrier = BY_VALUE }: Connection): void {
  const running = new Map<number, AbortController>();
  let turn: Promise<void> = Promise.resolve();
  receive((message) => {
    const { abort } = Object(message) as { abort?: number };
    if (abort !== undefined) {
      running.get(abort)?.abort();
      return;
    }
    const request = message as ServeRequest;
    const controller = new AbortController();
    running.set(request.id, controller);
    turn = turn.then(async () => {
      try {
        send({ id: request.id, ...(await answer(engine, request, carrier, controller.signal, send)) });
      } catch (error) {
        send({ id: request.id, error: told(error) });
      } finally {
        running.delete(request.id);
      }
    });
  });
}

/** An error as a message. */
function told(error: unknown): { name: string; message: string; argument?: string } {
  const { name = "Error", message = String(error), argument } = Object(error) as Error & { argument?: string };
  return defined({ name, message, argument });
}

async function answer(
  engine: Engine,
  { id, recipe, images = [], results = [], progress, into }: ServeRequest,
  carrier: Carrier,
  signal: AbortSignal,
  send: Connection["send"],
): Promise<object> {
  const checked = parseRecipe(recipe);
  const offered = OF_OPERATION[checked.operation] ?? OF_OBJECTS;
  const wrong = results.find((name) => !offered.includes(name));
  if (wrong !== undefined) throw new RecipeError(`Expected results out of ${offered.join(", ")}, got ${wrong}.`);
  const taken: PixelArray[] = [];
  const notes: string[] = [];
  try {
    const rasters = new Map<string, Raster>();
    for (const image of images) {
      const raster = await rasterOf(engine, image, carrier);
      taken.push(raster.data);
      rasters.set(image.name ?? "", raster);
    }
    const image = rasters.get("");
    if (!image) throw new RecipeError("Expected an image without a name in a request, got none.");
    const open = (name: string): Raster => {
      const found = rasters.get(name);
      if (!found) throw new RecipeError(`Expected an image of the name ${name} in the request, got none.`);
      return found;
    };
    const onProgress = progress ? (told: Progress) => send({ id, progress: told }) : undefined;
    const onEmpty = (name: string, at: readonly number[]): void => {
      notes.push(`${name === "pick" ? "No object is" : "Nothing changed"} at ${at.join(", ")}.`);
    };
    const nearest = results.includes("nearest") || undefined;
    const result = await run(engine, checked, { image, open }, defined({ signal, onEmpty, onProgress, nearest }));
    try {
      const { arrays, facts } = await productsOf(engine, checked, result, results, taken, signal);
      return { arrays: await carrier.write(arrays, defined({ into })), facts, notes, recipe: checked };
    } finally {
      if ("components" in result) result.components.dispose();
    }
  } finally {
    for (const array of taken) engine.free(array);
  }
}

/** The raster of an image that was sent. */
async function rasterOf(engine: Engine, image: SentImage, carrier: Carrier): Promise<Raster> {
  const { type, shape, channels, spacing } = image;
  if (type === "f64" || type === "i64") {
    throw new RecipeError(`Expected an image of u8, u16, i16, u32, i32 or f32, got ${type}.`);
  }
  const sides = channels === undefined ? shape : shape.slice(0, -1);
  if (sides.length !== 2 && sides.length !== 3) {
    throw new RecipeError(`Expected an image of two or three sides, got ${sides.length}.`);
  }
  const [height, width] = sides.slice(-2);
  const data = await carrier.read(engine, { ...image, type });
  const flat = { data, width, height, channels: channels ?? 1 };
  // A volume of one slice takes the connectivities of volumes.
  const raster = sides.length === 3 ? { ...flat, depth: sides[0] } : flat;
  return spacing === undefined ? raster : { ...raster, spacing: spacing as [number, number, number] };
}

/** The sides of a result as its arrays have them: an image has two. */
const sidesOf = ({ width, height, depth = 1 }: { width: number; height: number; depth?: number }): number[] =>
  depth > 1 ? [depth, height, width] : [height, width];

/** A mask as rows of words. */
const wordsOf = (mask: Mask): NamedArray => {
  const [width, ...outer] = sidesOf(mask).reverse();
  return { name: "mask", data: mask.bits, shape: [...outer.reverse(), Math.ceil(width / 32)] };
};

interface Products {
  readonly arrays: readonly NamedArray[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The arrays that were asked for. An array of the engine's memory is added to `taken`, which are freed after they were sent. */
async function productsOf(
  engine: Engine,
  recipe: Recipe,
  result: Result,
  wanted: readonly Served[],
  taken: PixelArray[],
  signal: AbortSignal,
): Promise<Products> {
  const arrays: NamedArray[] = [];
  if ("distances" in result) {
    const { data, nearest, unit, squared } = result.distances;
    if (wanted.includes("distances")) arrays.push({ name: "distances", data, shape: sidesOf(result.distances) });
    if (nearest) arrays.push({ name: "nearest", data: nearest, shape: sidesOf(result.distances) });
    return { arrays, facts: { unit, squared } };
  }
  if ("segmentation" in result) {
    const { data, k, centres, counts, inertia, iterations, converged } = result.segmentation;
    const channels = centres.length / k;
    if (wanted.includes("classes")) arrays.push({ name: "classes", data, shape: sidesOf(result.segmentation) });
    if (wanted.includes("centres")) {
      arrays.push({ name: "centres", data: Float64Array.from(centres), shape: [k, channels] });
    }
    return { arrays, facts: { k, counts: Array.from(counts), inertia, iterations, converged } };
  }
  if ("mask" in result) {
    if (wanted.includes("mask")) arrays.push(wordsOf(result.mask));
    return { arrays, facts: { width: result.mask.width } };
  }
  return productsOfObjects(engine, result.components, wanted, {
    taken,
    signal,
    table: regionsOptions(recipe, result.measuring),
    outlines: outlinesOptions(recipe),
  });
}

/** How the outlines of a recipe are traced. */
const outlinesOptions = ({ products = {} }: Recipe): OutlineOptions =>
  defined({ tolerance: products.simplify, rings: products.rings ?? "simple" });

/** Options of the table and of outlines, and the arrays that the caller frees. */
interface ObjectsAsked {
  readonly table: RegionsOptions;
  readonly outlines?: OutlineOptions;
  readonly taken: PixelArray[];
  readonly signal?: AbortSignal | undefined;
}

/** The arrays of objects that were asked for, and their number. */
export async function productsOfObjects(
  engine: Engine,
  components: Components,
  wanted: readonly Served[],
  { table, outlines: traced = { rings: "simple" }, taken, signal }: ObjectsAsked,
): Promise<Products> {
  const { count, foreground, width, height, depth } = components;
  const call: CallOptions = defined({ signal });
  const arrays: NamedArray[] = [];
  if (wanted.includes("labels")) {
    const into = engine.allocate("u32", width * height * depth);
    taken.push(into);
    await components.labels({ into, ...call });
    arrays.push({ name: "labels", data: into, shape: sidesOf(components) });
  }
  if (wanted.includes("mask")) arrays.push(wordsOf(await components.mask(call)));
  if (wanted.includes("regions")) {
    const regions = await components.regions({ ...table, ...call });
    const named = Array.isArray(table.properties) ? table.properties : [];
    const wide = named.find((name) => !ArrayBuffer.isView(regions[name as keyof Regions]));
    if (wide !== undefined) throw new RecipeError(`Expected properties of a fixed number of values, got ${wide}.`);
    arrays.push(...columnsOf(regions, components));
  }
  if (wanted.includes("outlines")) {
    const { points, rings, label, hole, outer } = await components.outlines({ ...traced, ...call });
    arrays.push({ name: "outlines.points", data: points, shape: [points.length / 2, 2] });
    for (const [name, data] of Object.entries({ rings, label, hole, outer })) {
      arrays.push({ name: `outlines.${name}`, data, shape: [data.length] });
    }
  }
  return { arrays, facts: { count, foreground, width } };
}

/** The properties of objects that are numbers, as arrays with a row per object. */
function columnsOf(regions: Regions, { count, depth }: Components): NamedArray[] {
  const axes = depth > 1 ? 3 : 2;
  const found: NamedArray[] = [];
  for (const [name, data] of Object.entries(regions)) {
    if (!ArrayBuffer.isView(data)) continue;
    const values = data as PixelArray;
    const each = count === 0 ? (EMPTY[name] ?? (() => 1))(axes) : values.length / count;
    if (Number.isInteger(each)) {
      found.push({ name: `regions.${name}`, data: values, shape: each === 1 ? [count] : [count, each] });
    }
  }
  return found;
}

/** The columns of properties with several numbers, where no object tells them. */
const EMPTY: Readonly<Record<string, (axes: number) => number>> = {
  bounds: (axes) => 2 * axes,
  centroid: (axes) => axes,
  weightedCentroid: (axes) => axes,
};

/** An array for the values of one that was sent, in the engine's memory where it has room of its own. */
export function roomFor(engine: Engine, { type, shape }: SentArray & { readonly type: PixelType }): PixelArray {
  const length = shape.reduce((product, side) => product * side, 1);
  return engine.describe().device === "gpu" ? newPixels(type, length) : engine.allocate(type, length);
}
