// Morphology of bits by the exact distance, on the device. Balls of few rows that reach at most 32 pixels to the side are
// applied word by word. Others take a distance map, whose pixels in reach become bits. See core/morphology-plan.ts for the
// steps of an operation.

import { plainPlan } from "../core/distance-costs.js";
import type { DistancePlan } from "../core/distance-plan.js";
import {
  type BallRow,
  ballRows,
  costsOf,
  discRows,
  type MorphologyPlan,
  padsOf,
  stepsOf,
} from "../core/morphology-plan.js";
import type { Size } from "../core/pixels.js";
import { groupsOf } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { fitsDistances, recordDistances } from "./distance.js";
import { fillHalos, freePlanes, makePlanes, type Planes, stripsOf } from "./mask.js";

/** Pixels that morphology-near.wgsl reaches to each side: those of a word. */
const NEAR_REACH = 32;

/** Most rows of a ball that are applied one by one. With more rows, a distance map is faster. */
const NEAR_ROWS = 200;

/** A window of planes: its size, and how many words, rows and slices before the planes it begins. */
interface Window extends Size {
  readonly left: number;
  readonly up: number;
  readonly front: number;
}

/** Whether the device can apply a plan. */
export function fitsMorphology(context: Context, size: Size, plan: MorphologyPlan): boolean {
  const padded = paddedSize(size, plan, true);
  const rows = padded.height * padded.depth;
  const words = Math.ceil(padded.width / 32);
  if (rows * words * 64 > context.device.bindingBytes || stripsOf(context, padded, 1).length > 1) {
    return false;
  }
  if (nearRows(size, plan)) return true;
  const costs = costsOf(plan, padded);
  if (!costs.isInteger) return false;
  // The CPU computes the disc of an image from the spacing itself, so the multiples must be exact.
  const exact = costs.weights.every((weight, axis) => Math.abs(weight * costs.unit - plan.spacing[axis]) < 1e-13);
  return (size.depth > 1 || exact) && fitsDistances(context, padded, plainPlan(costs, {}), { timings: [] });
}

/** Applies a plan to the union of planes, and returns it as new planes of one polarity. */
export function applyMorphology(context: Context, given: Planes, plan: MorphologyPlan): Promise<Planes> {
  return withScratch(context, async (scope) => {
    const rows = nearRows(given, plan);
    const near = rows && { rows, table: await ballTable(context, scope, rows) };
    const commands = context.commands();
    const planes = await recordMorphology(context, commands, given, plan, near);
    try {
      await commands.submit();
      return planes;
    } catch (error) {
      freePlanes(context, planes);
      throw error;
    }
  });
}

async function recordMorphology(
  context: Context,
  commands: Commands,
  given: Planes,
  plan: MorphologyPlan,
  near: Ball | undefined,
): Promise<Planes> {
  const { padded, steps } = stepsOf(plan);
  const size = padded ? paddedSize(given, plan, false) : given;
  const around = windowAround(given, size);
  const isPlain = !padded && given.strips[0].bits.length === 1;
  let planes = isPlain ? given : await window(context, commands, given, around, padded && plan.extend);
  const replace = async (make: (from: Planes) => Promise<Planes>): Promise<void> => {
    const from = planes;
    try {
      planes = await make(from);
    } finally {
      if (from !== given) freePlanes(context, from);
    }
  };
  for (const step of steps) {
    const invert = step === "erode";
    const outside = invert && !plan.extend;
    await replace((from) =>
      near
        ? growNear(context, commands, from, near, invert, outside)
        : growFar(context, commands, from, plan, invert, outside),
    );
  }
  if (padded) {
    await replace((from) => window(context, commands, from, windowBack(given, around), false));
  }
  return planes;
}

/** A ball whose rows are applied one by one. */
interface Ball {
  readonly rows: readonly BallRow[];
  readonly table: GPUBuffer;
}

/** The rows of the ball, the widest first, if they are few and short enough to be applied one by one. */
function nearRows(size: Size, plan: MorphologyPlan): BallRow[] | undefined {
  const [x] = plan.spacing;
  if (plan.radius / x > NEAR_REACH + 1) return undefined;
  const rows = size.depth > 1 ? ballRows(plan, NEAR_ROWS, NEAR_REACH) : discRows(plan);
  if (!rows || rows.length > NEAR_ROWS || rows.some(({ width }) => width > NEAR_REACH)) return undefined;
  return rows.sort((a, b) => b.width - a.width);
}

/** Table of a ball's rows, widest first, for morphology-near.wgsl. */
async function ballTable(context: Context, scope: ScratchScope, rows: readonly BallRow[]): Promise<GPUBuffer> {
  const table = new Uint32Array(rows.length * 4);
  for (const [i, { y, z, width }] of rows.entries()) {
    table.set([y, z, i > 0 ? rows[i - 1].width - width : 0], i * 4);
  }
  const buffer = await scope.allocate(table.byteLength, "rows of a ball");
  context.write(buffer, table);
  return buffer;
}

/** Size of planes with the padding of a plan. With `far` it includes the padding for a distance map of an erosion. */
function paddedSize({ width, height, depth }: Size, plan: MorphologyPlan, far: boolean): Size {
  const [x, y, z] = padsOf({ width, height, depth }, plan);
  const more = Number(far);
  return {
    width: width + (Math.ceil(x / 32) + more) * 32 + x + more,
    height: height + 2 * (y + more),
    depth: depth > 1 ? depth + 2 * (z + more) : depth,
  };
}

/** A window of a given size around planes. It adds as many rows above as below, and whole words on the left. */
function windowAround(planes: Size, size: Size): Window {
  const up = (size.height - planes.height) / 2;
  const front = (size.depth - planes.depth) / 2;
  const { width, height, depth } = size;
  return { width, height, depth, left: Math.ceil((width - planes.width) / 64), up, front };
}

/** The window that cuts the original planes out of a window around them. */
function windowBack({ width, height, depth }: Size, { left, up, front }: Window): Window {
  return { width, height, depth, left: -left, up: -up, front: -front };
}

function window(
  context: Context,
  commands: Commands,
  from: Planes,
  { left, up, front, ...size }: Window,
  EXTEND: boolean,
): Promise<Planes> {
  return makePlanes(context, size, 1, async (planes) => {
    const [bits, bits2 = bits] = from.strips[0].bits as [GPUBuffer, GPUBuffer?];
    const { width, words, height } = planes;
    const total = planes.rows * words;
    const source = {
      sourceWidth: from.width,
      sourceWords: from.words,
      sourceHeight: from.height,
      sourceDepth: from.depth,
    };
    commands.stage("window", total * 8);
    commands.dispatch(
      "mask-window",
      groupsOf(total),
      { bits, bits2, result: planes.strips[0].bits[0] },
      { width, words, total, height, left, up, front, ...source },
      { EXTEND },
    );
    fillHalos(commands, planes);
  });
}

function growNear(
  context: Context,
  commands: Commands,
  from: Planes,
  { rows, table: ball }: Ball,
  INVERT: boolean,
  OUTSIDE: boolean,
): Promise<Planes> {
  return makePlanes(context, from, 1, async (planes) => {
    const { width, words, height, depth } = from;
    const total = from.rows * words;
    commands.stage(INVERT ? "erode" : "dilate", total * 8);
    commands.dispatch(
      "morphology-near",
      groupsOf(total),
      { bits: from.strips[0].bits[0], ball, result: planes.strips[0].bits[0] },
      { width, words, total, height, depth, rows: rows.length, last: rows[rows.length - 1].width },
      { INVERT, OUTSIDE },
    );
    fillHalos(commands, planes);
  });
}

/** Grows by a distance map. If pixels beyond the border are sites, a margin of such pixels is added first. */
async function growFar(
  context: Context,
  commands: Commands,
  from: Planes,
  plan: MorphologyPlan,
  invert: boolean,
  outside: boolean,
): Promise<Planes> {
  if (outside) {
    const size: Size = {
      width: from.width + 33,
      height: from.height + 2,
      depth: from.depth > 1 ? from.depth + 2 : 1,
    };
    const around = windowAround(from, size);
    const wide = await window(context, commands, from, around, false);
    try {
      const grown = await growFar(context, commands, wide, plan, invert, false);
      try {
        return await window(context, commands, grown, windowBack(from, around), false);
      } finally {
        freePlanes(context, grown);
      }
    } finally {
      freePlanes(context, wide);
    }
  }
  return makePlanes(context, from, 1, (planes) =>
    withScratch(context, async (scope) => {
      const { width, words, rows } = from;
      const distances: DistancePlan = { ...plainPlan(costsOf(plan, from), { invert }), output: "squared" };
      const values = await scope.allocate(width * rows * 4, "distances");
      await recordDistances(scope, commands, from, distances, { values, nearest: undefined });
      const stretches = Math.ceil(width / 256);
      commands.stage("reach", width * rows * 4);
      commands.dispatch(
        "distance-reach",
        stretches * rows,
        { distances: values, bits: planes.strips[0].bits[0] },
        { width, words, stretches, rows },
        { INVERT: invert },
      );
      fillHalos(commands, planes);
    }),
  );
}
