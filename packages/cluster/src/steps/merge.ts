// Step `merge`: joins the fragments of all blocks that meet across seams, keeps or drops what they make, and counts where labels begin.
// Of objects that touch no seam it knows their number per slice alone. 22 bytes for each fragment.

import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import { blockBefore, placeOf } from "../grid.js";
import { cornerOf, fragmentOf } from "./seams.js";

/** Block of a fragment that was dropped. */
export const DROPPED = 2 ** 32 - 1;
const MOST_FRAGMENTS = 2 ** 32 - 2;
/** Objects that are read, or written, at once. */
const AT_ONCE = 8;

export async function merge(context: Context): Promise<void> {
  const { grid, storage, plan } = context;
  const { minArea = 0, maxArea = Number.POSITIVE_INFINITY, clearBorder = false, largest } = plan.recipe.options ?? {};
  const filters = minArea > 0 || maxArea < Number.POSITIVE_INFINITY || largest !== undefined;
  // The number of fragments tells the memory, so heads are read first.
  const bases = new Float64Array(grid.count + 1);
  const layers = grid.counts[0];
  const rows = grid.counts[1];
  const counted = new Float64Array(plan.size[0] * rows);
  let foreground = 0;
  const heads = ["count", "slices", "foreground"] as const;
  for await (const [block, own] of ahead(grid.count, (block) => storage.read("fragments", block, heads))) {
    const [layer, row] = placeOf(grid, block);
    const slices = own.slices as Float64Array;
    for (let z = 0; z < slices.length; z++) counted[(layer * grid.block[0] + z) * rows + row] += slices[z];
    foreground += (own.foreground as Float64Array)[0];
    bases[block + 1] = bases[block] + Number(own.count[0]);
  }
  const total = bases[grid.count];
  if (total > MOST_FRAGMENTS) {
    throw new ClusterError("failed", `Expected fewer than 2^32 fragments at seams, got ${total}; take larger blocks.`);
  }
  const parents = new Uint32Array(total);
  for (let i = 0; i < total; i++) parents[i] = i;
  const first = new Float64Array(total);
  const area = new Float64Array(filters ? total : 0);
  const flags = new Uint8Array(clearBorder ? total : 0);
  const wanted = ["first", ...(filters ? ["area"] : []), ...(clearBorder ? ["flags"] : [])] as (
    | "first"
    | "area"
    | "flags"
  )[];
  for await (const [block, own] of ahead(grid.count, (block) => storage.read("fragments", block, wanted))) {
    first.set(own.first as Float64Array, bases[block]);
    if (filters) area.set(own.area as Uint32Array, bases[block]);
    if (clearBorder) flags.set(own.flags as Uint8Array, bases[block]);
  }
  const find = (node: number): number => {
    let at = node;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  };
  for await (const [block, { a, b }] of ahead(grid.count, (block) => storage.read<"a" | "b">("edges", block))) {
    const base = Float64Array.from({ length: 8 }, (_, corner) => bases[blockBefore(grid, block, corner) ?? 0]);
    const [left, right] = [a as Uint32Array, b as Uint32Array];
    for (let i = 0; i < left.length; i++) {
      const one = find(base[cornerOf(left[i])] + fragmentOf(left[i]));
      const other = find(base[cornerOf(right[i])] + fragmentOf(right[i]));
      if (one === other) continue;
      // An object is known by the fragment whose first voxel comes first.
      if (first[one] < first[other]) parents[other] = one;
      else parents[one] = other;
    }
  }
  for (let node = 0; node < total; node++) {
    const root = find(node);
    parents[node] = root;
    if (root === node) continue;
    if (filters) area[root] += area[node];
    if (clearBorder) flags[root] |= flags[node];
  }
  const stays = (root: number): boolean =>
    (!filters || (area[root] >= minArea && area[root] <= maxArea)) && !(clearBorder && flags[root] === 1);
  const isKept = new Uint8Array(total);
  for (let node = 0; node < total; node++) isKept[node] = parents[node] === node && stays(node) ? 1 : 0;
  if (largest !== undefined) keepLargest(isKept, area, first, largest);
  // Kept objects by slice and row of blocks, in whose order labels are counted.
  const [, height, width] = plan.size;
  for (let block = 0; block < grid.count; block++) {
    const [, row] = placeOf(grid, block);
    for (let node = bases[block]; node < bases[block + 1]; node++) {
      if (isKept[node]) counted[Math.floor(first[node] / (width * height)) * rows + row]++;
    }
  }
  const starts = new Float64Array(counted.length);
  const slabs = new Float64Array(layers + 1);
  let count = 0;
  for (let i = 0; i < counted.length; i++) {
    const z = Math.floor(i / rows);
    if (i % rows === 0 && z % grid.block[0] === 0) slabs[z / grid.block[0]] = count;
    starts[i] = count;
    count += counted[i];
  }
  slabs[layers] = count;
  const coming = Array.from({ length: layers }, () => new Set<number>());
  const blockOfNode = blocksBy(bases);
  const writing: Promise<void>[] = [];
  for (let block = 0; block < grid.count; block++) {
    const length = bases[block + 1] - bases[block];
    const roots = { block: new Uint32Array(length).fill(DROPPED), fragment: new Uint32Array(length) };
    const [layer, row] = placeOf(grid, block);
    for (let s = 0; s < length; s++) {
      const root = parents[bases[block] + s];
      if (!isKept[root]) continue;
      const isOwn = root >= bases[block] && root < bases[block + 1];
      const owner = isOwn ? block : blockOfNode(root);
      roots.block[s] = owner;
      roots.fragment[s] = root - bases[owner];
      if (owner !== block) coming[placeOf(grid, owner)[0]].add(block);
    }
    const z0 = layer * grid.block[0];
    const depth = Math.min(grid.block[0], plan.size[0] - z0);
    const own = Float64Array.from({ length: depth }, (_, z) => starts[(z0 + z) * rows + row]);
    if (writing.length === AT_ONCE) await writing.shift();
    const written = storage.write("roots", block, { ...roots, starts: own });
    written.catch(() => undefined);
    writing.push(written);
  }
  await Promise.all(writing);
  for (const [layer, blocks] of coming.entries()) {
    await storage.write("coming", layer, { blocks: Uint32Array.from(blocks).sort() });
  }
  if (plan.labels) await (await context.labels("u32")).begin();
  await storage.write("totals", 0, {
    count: Float64Array.of(count),
    slabs,
    foreground: Float64Array.of(foreground),
    fragments: Float64Array.of(total),
  });
}

/** Reads the objects of all blocks in their order, some ahead. */
async function* ahead<T>(count: number, read: (block: number) => Promise<T>): AsyncGenerator<readonly [number, T]> {
  const reading: Promise<T>[] = [];
  for (let block = 0; block < count; block++) {
    for (let next = block + reading.length; next < Math.min(count, block + AT_ONCE); next++) {
      const coming = read(next);
      coming.catch(() => undefined);
      reading.push(coming);
    }
    yield [block, (await reading.shift()) as T];
  }
}

/** Leaves the largest objects, of equal ones those whose first voxel comes first. */
function keepLargest(isKept: Uint8Array, area: Float64Array, first: Float64Array, largest: number): void {
  const roots: number[] = [];
  for (let node = 0; node < isKept.length; node++) if (isKept[node]) roots.push(node);
  roots.sort((a, b) => area[b] - area[a] || first[a] - first[b]);
  for (const node of roots.slice(largest)) isKept[node] = 0;
}

/** Finds the block of a node by the first node of each block. */
function blocksBy(bases: Float64Array): (node: number) => number {
  return (node) => {
    let [low, high] = [0, bases.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (bases[middle] <= node) low = middle;
      else high = middle;
    }
    return low;
  };
}
