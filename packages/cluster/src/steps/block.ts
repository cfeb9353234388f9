// Objects of one block. They are always found in the same order, so that their number identifies a fragment.

import type { Components, ComponentsOptions, LabelledOptions, Mask, Raster, ResultWindow, Threshold } from "skerry";
import { defined } from "skerry/internal";
import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import { boxOf, faceName, isSeam, SIDES, volumeOf } from "../grid.js";
import { connectivityOf, isAutomatic, isMeasure, type Plan } from "../plan.js";

/** The threshold of a run: that of the plan, or the one that the step `threshold` has computed. */
async function thresholdOf({ plan, storage }: Context): Promise<Threshold | undefined> {
  const { threshold } = plan.recipe.options ?? {};
  if (!isAutomatic(plan)) return threshold;
  const { value, dark } = await storage.read<"value" | "dark">("threshold", 0);
  const [at] = value as Float64Array;
  return dark[0] ? { between: [leastOf(plan), at] } : { above: at };
}

/** The smallest value of the image's type. */
function leastOf({ input: { type } }: Plan): number {
  return { u8: 0, u16: 0, u32: 0, i16: -(2 ** 15), i32: -(2 ** 31), f32: -3.4028234663852886e38 }[type];
}

/** The objects of a block's pixels. */
export async function objectsOf(context: Context, pixels: Raster): Promise<Components> {
  const { plan, signal } = context;
  const engine = await context.engine();
  const { by, background } = plan.recipe.options ?? {};
  const call: LabelledOptions = defined({ connectivity: connectivityOf(plan), signal });
  if (isMeasure(plan)) return engine.labelled(pixels, call);
  const threshold = await thresholdOf(context);
  const rule = by === undefined ? { threshold } : { by, background };
  return engine.components(pixels, defined<object>({ ...rule, ...call }) as ComponentsOptions);
}

/** The same objects, from the stored bits, in the same order. */
export async function objectsOfBits(context: Context, number: number, bits: Uint32Array): Promise<Components> {
  const { plan, grid, signal } = context;
  const engine = await context.engine();
  const [depth, height, width] = boxOf(grid, number).size;
  const mask: Mask = defined({ bits, width, height, depth: plan.size[0] === 1 ? undefined : depth });
  return engine.components(mask, defined<ComponentsOptions>({ connectivity: connectivityOf(plan), signal }));
}

/** The labels of objects on the faces of a block that have a block behind them, by the names of the faces. */
export async function facesOf(
  { grid }: Context,
  number: number,
  objects: Components,
): Promise<Map<string, Uint32Array>> {
  const [depth, height, width] = boxOf(grid, number).size;
  const faces = new Map<string, Uint32Array>();
  for (const side of SIDES) {
    if (!isSeam(grid, number, side)) continue;
    const { axis, high } = side;
    const at = high ? [depth, height, width][axis] - 1 : 0;
    // A block of one slice is an image, even in a volume.
    const windows: readonly ResultWindow[] =
      depth === 1
        ? [
            { x: 0, y: 0, width, height },
            { x: 0, y: at, width, height: 1 },
            { x: at, y: 0, width: 1, height },
          ]
        : [
            { axis: "z", x: 0, y: 0, z: at, width, height },
            { axis: "y", x: 0, y: at, z: 0, width, height: depth },
            { axis: "x", x: at, y: 0, z: 0, width: height, height: depth },
          ];
    const window = windows[axis];
    const { data } = await objects.labels({ window });
    faces.set(faceName(side), data);
  }
  return faces;
}

/** For each object its first voxel in raster order, counted through the block; objects are numbered in that order. */
export async function firstsOf(objects: Components): Promise<Float64Array> {
  const first = new Float64Array(objects.count);
  const { row, begin, label, count } = await objects.runs();
  const { width } = objects;
  let next = 1;
  for (let i = 0; i < count && next <= objects.count; i++) {
    if (label[i] === next) first[next++ - 1] = row[i] * width + begin[i];
  }
  if (next <= objects.count) throw new ClusterError("failed", "Expected objects in the order of their first voxels.");
  return first;
}

/** Voxels of a block. */
export function voxelsOf({ grid }: Context, number: number): number {
  return volumeOf(boxOf(grid, number).size);
}
