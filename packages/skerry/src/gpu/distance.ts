// Computes distances from bits on the device. The passes are steps along rows, costs along columns, and costs along
// slices with the values, each from one buffer to the next. An image is a volume whose slices are its rows. If a buffer
// would exceed the largest binding, the CPU computes the map.

import type { Call } from "../core/call.js";
import { type DistanceInto, type DistancePlan, isResident } from "../core/distance-plan.js";
import { putInto, type Size } from "../core/pixels.js";
import { writeRows } from "../core/sinks.js";
import type { DistanceArray } from "../types/distance.js";
import type { Sink } from "../types/raster.js";
import { groupsOf } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { type Bound, fillBuffer, STAGING_BYTES } from "./device/memory.js";
import { type Planes, recordSurface } from "./mask.js";

/** Positions per thread of distance-columns.wgsl: fewer for short searches. */
const LONG = 128;
const SHORT = 32;

/** Positions of a block of distance-lows.wgsl, and more sites than this have blocks. */
const BLOCK = 32;
const MANY = 1024;

/** Searches of up to this many sites each way are short. */
const SHORT_REACH = 64;

/** f32 holds integers exactly up to here. */
const EXACT = 2 ** 24;

/** Values of INPUT, OUTPUT and METRIC. */
const READS = { steps: 0, costs: 1 } as const;
const WRITES = { costs: 0, distance: 2, squared: 3 } as const;
const METRICS = { euclidean: 0, cityblock: 1, chessboard: 2 } as const;

/** Largest width in pixels: steps along rows have 15 bits, of which all ones mean no site. */
const MOST_WIDTH = 32766;

/** Most sites of a column: their places have 16 bits, of which all ones mean none. */
const MOST_SITES = 65535;

/** Whether each buffer of a map fits one binding, kernels support the plan, and the call does not limit memory. */
export function fitsDistances(
  { device }: Context,
  { width, height, depth }: Size,
  plan: DistancePlan,
  { memory }: Call,
): boolean {
  const padded = Math.ceil(width / 64) * 64 * height * depth * 4;
  return (
    padded <= device.bindingBytes &&
    width <= MOST_WIDTH &&
    Math.max(height, depth) <= MOST_SITES &&
    !plan.coarse &&
    memory === undefined
  );
}

/**
 * Whether a map can be computed again after memory ran out. It cannot be computed again for a Sink, which has already
 * received data.
 */
export function writesAgain({ data, nearest }: DistanceInto): boolean {
  return ArrayBuffer.isView(data) && (!nearest || ArrayBuffer.isView(nearest));
}

/** Buffers of a map's values and, if wanted, its nearest sites. */
interface Target {
  readonly values: GPUBuffer | Bound;
  readonly nearest: GPUBuffer | undefined;
}

/** Records all passes for planes of one strip, from bits to values of 4 bytes per pixel, in rows without padding. */
export async function recordDistances(
  scope: ScratchScope,
  commands: Commands,
  planes: Planes,
  plan: DistancePlan,
  target: Target,
): Promise<void> {
  await recordSide(scope, commands, planes, plan, target, false);
  if (plan.signed) await recordSide(scope, commands, planes, { ...plan, invert: !plan.invert }, target, true);
}

async function recordSide(
  scope: ScratchScope,
  commands: Commands,
  planes: Planes,
  plan: DistancePlan,
  { values, nearest }: Target,
  minus: boolean,
): Promise<void> {
  const { width, words, rows, depth: slices } = planes;
  const [height, depth] = slices > 1 ? [planes.height, slices] : [1, planes.height];
  const [weightX, weightY, weightZ] = plan.weights;
  const padded = words + (words % 2);
  const pitch = padded * 16;
  const last = slices > 1 ? weightZ : weightY;
  const furthest = Math.max((height + LONG) * weightY, (depth + LONG) * last) ** 2;
  const isWhole = plan.kind !== "f32" && plan.limit + furthest < EXACT;
  const FLOAT = plan.kind === "f32" || isWhole;
  const METRIC = METRICS[plan.metric];
  const WHOLE = isWhole && plan.metric === "euclidean";
  const NEAREST = nearest !== undefined;
  const none = await scope.allocate(256, "nothing");
  const number = (value: number): number => (FLOAT ? floatBits(value) : value);
  const given = {
    width,
    pitch,
    height,
    stepX: number(weightX),
    limit: number(plan.limit),
    unit: floatBits(plan.unit),
    far: floatBits(plan.far),
  };

  const { bits, first } = await recordBits(scope, commands, planes, plan);
  const steps = await scope.allocate(rows * pitch * 4, "steps along rows");
  commands.stage("rows", rows * pitch * 4);
  const total = rows * padded;
  commands.dispatch(
    "distance-rows",
    Math.ceil(total / 64),
    { bits, steps },
    { words, padded, total, first, reach: plan.reach[0] },
    { SIDES: NEAREST },
  );

  let costs = steps;
  let features: GPUBuffer = none;
  let INPUT: number = READS.steps;
  if (slices > 1) {
    const sliceCosts = await scope.allocate(rows * pitch * 8, "costs of slices");
    const sites = NEAREST ? await scope.allocate(rows * pitch * 8, "nearest sites") : none;
    await recordColumns(
      scope,
      commands,
      { stage: "columns", bytes: rows * pitch * 12 },
      { costs, result: sliceCosts, features: steps, nearest: sites },
      { ...given, columns: pitch, planes: depth, plane: height * pitch, stride: pitch, sites: height },
      { weight: number(weightY), reach: plan.reach[1] },
      { INPUT, OUTPUT: WRITES.costs, FLOAT, METRIC, WHOLE, NEAREST, MINUS: false },
    );
    costs = sliceCosts;
    features = sites;
    INPUT = READS.costs;
  }
  const reach = plan.reach[slices > 1 ? 2 : 1];
  await recordColumns(
    scope,
    commands,
    { stage: "slices", bytes: rows * pitch * 8 + rows * width * 4 },
    { costs, result: values, features: features === none ? costs : features, nearest: nearest ?? none },
    { ...given, columns: height * pitch, planes: 1, plane: 0, stride: height * pitch, sites: depth },
    { weight: number(last), reach },
    {
      INPUT,
      OUTPUT: plan.output === "distance" ? WRITES.distance : WRITES.squared,
      FLOAT,
      METRIC,
      WHOLE,
      NEAREST,
      MINUS: minus,
    },
  );
}

async function recordColumns(
  scope: ScratchScope,
  commands: Commands,
  stage: { stage: string; bytes: number },
  bindings: { costs: GPUBuffer; result: GPUBuffer | Bound; features: GPUBuffer; nearest: GPUBuffer },
  geometry: { columns: number; planes: number; plane: number; stride: number; sites: number } & Record<string, number>,
  axis: { weight: number; reach: number },
  overrides: Record<string, number | boolean>,
): Promise<void> {
  const { columns, planes, sites } = geometry;
  const STRETCH = axis.reach <= SHORT_REACH ? SHORT : LONG;
  const stops = Math.ceil((sites - 1) / STRETCH) + 1;
  const found = await scope.allocate(columns * planes * stops * 4, "places");
  const { INPUT, FLOAT, METRIC } = overrides as { INPUT: number; FLOAT: boolean; METRIC: number };
  const { costs } = bindings;
  const blocks = Math.ceil(sites / BLOCK);
  // Searches of short columns, and along later axes, end before blocks would help.
  const LOWS = INPUT === READS.steps && Math.min(sites, axis.reach) > MANY;
  const lows = LOWS ? await scope.allocate(columns * planes * blocks * 4, "lowest costs") : costs;
  const parameters = { ...geometry, ...axis, stops, stretch: STRETCH, blocks };
  const read = { INPUT, FLOAT, METRIC };
  commands.stage("search", 0);
  if (LOWS) commands.dispatch("distance-lows", groupsOf(columns * planes * blocks), { costs, lows }, parameters, read);
  const searched = { costs, found, lows };
  commands.dispatch("distance-search", groupsOf(columns * planes * stops), searched, parameters, { ...read, LOWS });
  const groups = Math.ceil((columns * planes * Math.max(1, stops - 1)) / 64);
  commands.stage(stage.stage, stage.bytes);
  commands.dispatch("distance-columns", groups, { ...bindings, found }, parameters, { ...overrides, STRETCH });
}

/** Returns the bits of the sites that distances are measured to, and the index of their first word. */
async function recordBits(
  scope: ScratchScope,
  commands: Commands,
  planes: Planes,
  { surface, invert, only }: DistancePlan,
): Promise<{ bits: GPUBuffer; first: number }> {
  const { width, words, rows, strips } = planes;
  const [strip] = strips;
  if (!strip) throw new Error("planes have a strip");
  const taken = only ? { ...strip, bits: [strip.bits[only - 1]] } : strip;
  const [bits, bits2 = bits] = taken.bits as [GPUBuffer, GPUBuffer?];
  if (surface) return { bits: await recordSurface(scope, commands, planes, taken, false), first: 0 };
  if (!invert && bits2 === bits) return { bits, first: words };
  const result = await scope.allocate((rows + 2) * words * 4, "bits");
  const total = (rows + 1) * words;
  const tail = 0xffffffff >>> (words * 32 - width);
  commands.dispatch(
    "mask-combine",
    groupsOf(total),
    { bits, bits2, result },
    { words, total, tail },
    { NEITHER: invert },
  );
  return { bits: result, first: words };
}

function floatBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0];
}

/** Computes a map, and reads it back into arrays, or in row order into Sinks. A resident map stays in a new buffer. */
export async function readDistances(
  context: Context,
  planes: Planes,
  plan: DistancePlan,
  into: DistanceInto,
  call: Call,
): Promise<void> {
  const { width, rows } = planes;
  const bytes = width * rows * 4;
  const { data } = into;
  if (isResident(data)) {
    data.buffer = await distanceBuffer(context, planes, plan, data.buffer);
    return;
  }
  await withScratch(context, async (scope) => {
    const values = await scope.allocate(bytes, "distances");
    const nearest = plan.nearest ? await scope.allocate(bytes, "nearest sites") : undefined;
    const commands = context.commands();
    await recordDistances(scope, commands, planes, plan, { values, nearest });
    await commands.submit();
    const Values = plan.output === "distance" ? Float32Array : Uint32Array;
    await readValues(context, planes, values, data, Values, call, "distance");
    if (nearest && into.nearest) {
      await readValues(context, planes, nearest, into.nearest, Uint32Array, call, "distance");
    }
  });
}

/** Reads back 4 bytes per pixel into an array, or in row order into a Sink, through an array of a few megabytes. */
export async function readValues(
  context: Context,
  { width, height, depth }: Size,
  buffer: GPUBuffer,
  into: DistanceArray | Sink | Sink<Float32Array>,
  type: typeof Float32Array | typeof Uint32Array,
  { signal, onProgress }: Call,
  stage: "distance" | "labels",
): Promise<void> {
  const rows = height * depth;
  const most = ArrayBuffer.isView(into) ? rows : Math.max(1, Math.floor(STAGING_BYTES / (width * 4)));
  const band = ArrayBuffer.isView(into) ? into : new type(most * width);
  for (let y0 = 0; y0 < rows; y0 += most) {
    signal?.throwIfAborted();
    const values = Math.min(most, rows - y0) * width;
    await context.read(context.commands(), buffer, y0 * width * 4, values * 4, (piece, at) => {
      const part = new type(piece, 0, Math.min(piece.byteLength / 4, values - at / 4));
      // A Uint16Array stores the low halves of these values, which fit 16 bits or are all ones.
      putInto(band, part, at / 4);
    });
    if (!ArrayBuffer.isView(into)) {
      await writeRows(into as Sink<typeof band>, { width, height, depth }, y0, band.subarray(0, values) as typeof band);
    }
    onProgress?.({ stage, done: Math.min(y0 + most, rows), total: rows });
  }
}

/** Returns the caller's buffer of distances, or a new one, which the caller owns. */
function distanceBuffer(
  context: Context,
  planes: Planes,
  plan: DistancePlan,
  into: GPUBuffer | undefined,
): Promise<GPUBuffer> {
  const bytes = planes.width * planes.rows * 4;
  return fillBuffer(context, { bytes, into }, "distances", (values) =>
    withScratch(context, async (scope) => {
      const commands = context.commands();
      await recordDistances(scope, commands, planes, plan, { values, nearest: undefined });
      await commands.submit();
    }),
  );
}
