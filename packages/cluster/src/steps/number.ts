// Step `number`: computes the labels of the objects that begin in a block. Labels are in raster order. The merge has counted them
// by slice and row of blocks. This step counts by row of voxels within the row of blocks, for which it reads the other blocks of
// the row, and by x within a row.

import type { Context } from "../context.js";
import { boxOf, rowOf } from "../grid.js";

/** The number of objects that begin in each row of a block, including the roots among its fragments. */
async function rowsOf({ storage }: Context, block: number): Promise<Uint32Array> {
  const { rows } = await storage.read<"rows">("rows", block);
  const numbered = (rows as Uint32Array).slice();
  const roots = await storage.read("roots", block, ["block", "fragment"]);
  const { row, fragment } = await storage.read("order", block, ["row", "fragment"]);
  for (let s = 0; s < fragment.length; s++) {
    if (roots.block[s] === block && roots.fragment[s] === s) numbered[Number(row[Number(fragment[s])])]++;
  }
  return numbered;
}

export async function number(context: Context, block: number): Promise<void> {
  const { grid, storage } = context;
  const [depth, height] = boxOf(grid, block).size;
  const roots = await storage.read<"block" | "fragment" | "starts">("roots", block);
  const order = await storage.read("order", block, ["row", "fragment"]);
  const all = new Float64Array(depth * height);
  const before = new Float64Array(depth * height);
  for (const other of rowOf(grid, block)) {
    const rows = await rowsOf(context, other);
    for (let i = 0; i < rows.length; i++) {
      all[i] += rows[i];
      if (other < block) before[i] += rows[i];
    }
  }
  // The label before the first of each row of this block.
  const next = new Float64Array(depth * height);
  for (let z = 0; z < depth; z++) {
    let label = roots.starts[z] as number;
    for (let y = 0; y < height; y++) {
      const i = z * height + y;
      next[i] = label + before[i];
      label += all[i];
    }
  }
  const row = order.row as Uint32Array;
  const fragment = order.fragment as Uint32Array;
  const labels = new Float64Array(row.length);
  const ofRoots = new Float64Array(fragment.length);
  let s = 0;
  for (let r = 0; r < row.length; r++) {
    if (fragment[s] === r) {
      const isRoot = roots.block[s] === block && roots.fragment[s] === s;
      if (isRoot) labels[r] = ofRoots[s] = ++next[row[r]];
      // Fragments that are joined to a root of this block via other blocks; the root comes before them.
      else if (roots.block[s] === block) labels[r] = ofRoots[Number(roots.fragment[s])];
      s++;
    } else labels[r] = ++next[row[r]];
  }
  await storage.write("final", block, { labels, roots: ofRoots });
}
