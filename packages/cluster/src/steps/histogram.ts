// Steps of automatic thresholds. `histogram` counts the values of a block, and takes the samples of the image that lie in it.
// `threshold` adds the counts, joins the samples, and computes the threshold and the polarity, like a run on one machine.

import { areObjectsDark, chooseThreshold, newSamples, type SampledAxis, sampledAxes } from "skerry/internal";
import type { Context } from "../context.js";
import { type Box, boxOf } from "../grid.js";
import { levelsOf, type Plan } from "../plan.js";

/** Numbers of the samples along an axis that lie in [from, to). */
function within({ first, step, count }: SampledAxis, from: number, to: number): readonly [number, number] {
  const at = (place: number): number => Math.min(count, Math.max(0, Math.ceil((place - first) / step)));
  return [at(from), at(to)];
}

/** The samples of the image that lie in a box: their numbers in the order of the image, and their places in the box. */
function* samplesIn(plan: Plan, box: Box): Generator<readonly [number: number, place: number]> {
  const [depth, height, width] = plan.size;
  const { x, y, z } = sampledAxes({ width, height, depth });
  const [[z0, z1], [y0, y1], [x0, x1]] = [z, y, x].map((axis, i) =>
    within(axis, box.from[i], box.from[i] + box.size[i]),
  );
  const [, rows, columns] = box.size;
  for (let k = z0; k < z1; k++) {
    for (let j = y0; j < y1; j++) {
      const row = (z.first + k * z.step - box.from[0]) * rows + y.first + j * y.step - box.from[1];
      for (let i = x0; i < x1; i++) {
        yield [(k * y.count + j) * x.count + i, row * columns + x.first + i * x.step - box.from[2]];
      }
    }
  }
}

export async function histogram(context: Context, number: number): Promise<void> {
  const { plan, grid, storage } = context;
  const box = boxOf(grid, number);
  const { data } = await context.pixels(plan.input, box);
  const [least, levels] = levelsOf(plan.input.type);
  const counts = new Float64Array(levels);
  for (let i = 0; i < data.length; i++) counts[data[i] - least]++;
  const samples = Float64Array.from(samplesIn(plan, box), ([, place]) => data[place]);
  await storage.write("histogram", number, { counts, samples });
}

export async function threshold({ plan, grid, storage }: Context): Promise<void> {
  const { type } = plan.input;
  const [least, levels] = levelsOf(type);
  const counts = new Float64Array(levels);
  const [depth, height, width] = plan.size;
  const samples = newSamples(sampledAxes({ width, height, depth }), type);
  samples.inside.fill(1);
  for (let block = 0; block < grid.count; block++) {
    const stored = await storage.read<"counts" | "samples">("histogram", block);
    for (let i = 0; i < levels; i++) counts[i] += Number(stored.counts[i]);
    let next = 0;
    for (const [at] of samplesIn(plan, boxOf(grid, block))) {
      samples.values[at] = Number(stored.samples[next++]);
    }
  }
  const { value, divides } = chooseThreshold("otsu", {
    counts,
    levels: Float64Array.from({ length: levels }, (_, i) => least + i),
  });
  const { polarity = "auto" } = plan.recipe.options ?? {};
  const dark = polarity === "auto" ? divides && areObjectsDark(samples, value) : polarity === "dark";
  await storage.write("threshold", 0, { value: Float64Array.of(value), dark: Uint8Array.of(dark ? 1 : 0) });
}
