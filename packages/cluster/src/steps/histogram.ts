// Steps of automatic thresholds. `histogram` counts the values of a block, and those of its pixels at the rim of the image.
// `threshold` adds the counts, and computes the threshold and the polarity, like a run on one machine.

import { AUTOMATIC } from "skerry/internal";
import type { Context } from "../context.js";
import { boxOf } from "../grid.js";
import { levelsOf } from "../plan.js";

export async function histogram(context: Context, number: number): Promise<void> {
  const { plan, grid, storage } = context;
  const box = boxOf(grid, number);
  const { data } = await context.pixels(plan.input, box);
  const [least, levels] = levelsOf(plan.input.type);
  const counts = new Float64Array(levels);
  const rim = new Float64Array(levels);
  for (let i = 0; i < data.length; i++) counts[data[i] - least]++;
  const [depth, height, width] = box.size;
  const [wholeDepth, wholeHeight, wholeWidth] = plan.size;
  for (let z = 0; z < depth; z++) {
    const isEndZ = wholeDepth > 1 && (z + box.from[0] === 0 || z + box.from[0] === wholeDepth - 1);
    for (let y = 0; y < height; y++) {
      const isEnd = isEndZ || y + box.from[1] === 0 || y + box.from[1] === wholeHeight - 1;
      const row = (z * height + y) * width;
      if (isEnd) for (let x = 0; x < width; x++) rim[data[row + x] - least]++;
      else {
        const ends = new Set<number>();
        if (box.from[2] === 0) ends.add(0);
        if (box.from[2] + width === wholeWidth) ends.add(width - 1);
        for (const x of ends) rim[data[row + x] - least]++;
      }
    }
  }
  await storage.write("histogram", number, { counts, rim });
}

export async function threshold({ plan, grid, storage }: Context): Promise<void> {
  const [least, levels] = levelsOf(plan.input.type);
  const counts = new Float64Array(levels);
  const rim = new Float64Array(levels);
  for (let block = 0; block < grid.count; block++) {
    const own = await storage.read<"counts" | "rim">("histogram", block);
    for (let i = 0; i < levels; i++) {
      counts[i] += Number(own.counts[i]);
      rim[i] += Number(own.rim[i]);
    }
  }
  const value = AUTOMATIC.otsu({ counts, levels: Float64Array.from({ length: levels }, (_, i) => least + i) } as never);
  const { polarity = "auto" } = plan.recipe.options ?? {};
  let [bright, all] = [0, 0];
  for (let i = 0; i < levels; i++) {
    all += rim[i];
    if (least + i > value) bright += rim[i];
  }
  const dark = polarity === "auto" ? 2 * bright > all : polarity === "dark";
  await storage.write("threshold", 0, { value: Float64Array.of(value), dark: Uint8Array.of(dark ? 1 : 0) });
}
