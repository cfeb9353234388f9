// Step `merge`: joins the fragments of all blocks that meet across seams, keeps or drops the joined objects, and computes the
// first label of each slice and row of blocks. Objects that touch no seam are only counted per slice. Memory: 13 bytes per
// fragment, 22 with all filters.

import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import { blockBefore, type Grid, placeOf } from "../grid.js";
import { Forest } from "./forest.js";

/** Block number that marks a dropped fragment. */
export const DROPPED = 2 ** 32 - 1;
const MOST_FRAGMENTS = 2 ** 32 - 2;
/** Objects that are read, or written, at once. */
const AT_ONCE = 8;

export async function merge(context: Context): Promise<void> {
  const { grid, storage, plan } = context;
  const { minArea = 0, maxArea = Number.POSITIVE_INFINITY, clearBorder = false, largest } = plan.recipe.options ?? {};
  const filters = minArea > 0 || maxArea < Number.POSITIVE_INFINITY || largest !== undefined;
  // The number of fragments determines the memory, so counts are read first.
  const bases = new Float64Array(grid.count + 1);
  const layers = grid.counts[0];
  const rows = grid.counts[1];
  const counted = new Float64Array(plan.size[0] * rows);
  let foreground = 0;
  const heads = ["count", "slices", "foreground"] as const;
  for await (const [block, fragment] of ahead(grid.count, (block) => storage.read("fragments", block, heads))) {
    const [layer, row] = placeOf(grid, block);
    const slices = fragment.slices as Float64Array;
    for (let z = 0; z < slices.length; z++) counted[(layer * grid.block[0] + z) * rows + row] += slices[z];
    foreground += (fragment.foreground as Float64Array)[0];
    bases[block + 1] = bases[block] + Number(fragment.count[0]);
  }
  const total = bases[grid.count];
  if (total > MOST_FRAGMENTS) {
    throw new ClusterError("failed", `Expected fewer than 2^32 fragments at seams, got ${total}; take larger blocks.`);
  }
  const forest = new Forest(total);
  const first = new Float64Array(total);
  const area = new Float64Array(filters ? total : 0);
  const flags = new Uint8Array(clearBorder ? total : 0);
  const wanted = ["first", ...(filters ? ["area"] : []), ...(clearBorder ? ["flags"] : [])] as (
    | "first"
    | "area"
    | "flags"
  )[];
  for await (const [block, fragment] of ahead(grid.count, (block) => storage.read("fragments", block, wanted))) {
    first.set(fragment.first as Float64Array, bases[block]);
    if (filters) area.set(fragment.area as Uint32Array, bases[block]);
    if (clearBorder) flags.set(fragment.flags as Uint8Array, bases[block]);
  }
  for await (const [block, { a, b }] of ahead(grid.count, (block) => storage.read<"a" | "b">("edges", block))) {
    const around = Float64Array.from({ length: 8 }, (_, corner) => bases[blockBefore(grid, block, corner) ?? 0]);
    forest.join(around, a as Uint32Array, b as Uint32Array);
  }
  forest.settle(first);
  // Sums of an object, and whether it was dropped, are stored at its root.
  const isDropped = new Uint8Array(total);
  if (filters || clearBorder) {
    for (let node = 0; node < total; node++) {
      const root = forest.rootOf(node);
      if (root === node) continue;
      if (filters) area[root] += area[node];
      if (clearBorder) flags[root] |= flags[node];
    }
    for (let node = 0; node < total; node++) {
      const stays =
        (!filters || (area[node] >= minArea && area[node] <= maxArea)) && !(clearBorder && flags[node] === 1);
      if (!stays) isDropped[node] = 1;
    }
    if (largest !== undefined) dropSmaller(isDropped, { forest, area, first, largest });
  }
  countBeginnings(counted, { forest, first, isDropped, grid });
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
  // For each layer of blocks, the blocks that have fragments of objects that begin in the layer.
  const coming = Array.from({ length: layers }, () => new Set<number>());
  const objects: Objects = { bases, blockOfNode: blocksBy(bases), forest, isDropped };
  const longest = bases.reduce((most, base, block) => Math.max(most, block === 0 ? 0 : base - bases[block - 1]), 0);
  // Memory of objects that are being stored is reused: the first access to new pages costs more time than writing the values.
  const spare = Array.from({ length: AT_ONCE }, () => [new Uint32Array(longest), new Uint32Array(longest)] as const);
  const isOwner = new Uint8Array(grid.count);
  const writing: Promise<void>[] = [];
  for (let block = 0; block < grid.count; block++) {
    if (writing.length === AT_ONCE) await writing.shift();
    const length = bases[block + 1] - bases[block];
    const [owners, fragments] = spare[block % AT_ONCE].map((memory) => memory.subarray(0, length));
    const found = findBeginnings(objects, block, { owners, fragments, isOwner });
    const [layer, row] = placeOf(grid, block);
    for (const owner of found) {
      isOwner[owner] = 0;
      if (owner !== block) coming[placeOf(grid, owner)[0]].add(block);
    }
    const z0 = layer * grid.block[0];
    const depth = Math.min(grid.block[0], plan.size[0] - z0);
    const rowStarts = Float64Array.from({ length: depth }, (_, z) => starts[(z0 + z) * rows + row]);
    const written = storage.write("roots", block, { block: owners, fragment: narrowed(fragments), starts: rowStarts });
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

/** Reads the objects of all blocks in order, some of them ahead. */
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

/** The fragments of all blocks as nodes, and their objects. */
interface Objects {
  /** The first node of each block, and the number of nodes. */
  readonly bases: Float64Array;
  readonly blockOfNode: (node: number) => number;
  readonly forest: Forest;
  /** 1 at the root of an object that was dropped. */
  readonly isDropped: Uint8Array;
}

/**
 * For each fragment of a block finds the fragment with which its object begins: its block, and its number there. Returns
 * those blocks, each once, which are also marked in `isOwner`.
 */
function findBeginnings(
  { bases, blockOfNode, forest, isDropped }: Objects,
  block: number,
  into: { owners: Uint32Array; fragments: Uint32Array; isOwner: Uint8Array },
): number[] {
  const { owners, fragments, isOwner } = into;
  const found: number[] = [];
  const start = bases[block];
  const end = bases[block + 1];
  for (let s = 0; s < owners.length; s++) {
    const root = forest.rootOf(start + s);
    if (isDropped[root] === 1) {
      owners[s] = DROPPED;
      fragments[s] = 0;
      continue;
    }
    const beginning = forest.beginningOf(root);
    const owner = beginning >= start && beginning < end ? block : blockOfNode(beginning);
    owners[s] = owner;
    fragments[s] = beginning - bases[owner];
    if (isOwner[owner] === 0) {
      isOwner[owner] = 1;
      found.push(owner);
    }
  }
  return found;
}

/** Numbers of 16 bits if all fit: they take the space of deflated ones of 32 bits, without the time. */
function narrowed(numbers: Uint32Array): Uint16Array | Uint32Array {
  let all = 0;
  for (const each of numbers) all |= each;
  return all >>> 16 === 0 ? Uint16Array.from(numbers) : numbers;
}

/** Counts kept objects by slice and row of blocks, the order of labels. */
function countBeginnings(
  counted: Float64Array,
  objects: { forest: Forest; first: Float64Array; isDropped: Uint8Array; grid: Grid },
): void {
  const { forest, first, isDropped, grid } = objects;
  const [, height, width] = grid.size;
  for (let node = 0; node < first.length; node++) {
    if (forest.rootOf(node) !== node || isDropped[node] === 1) continue;
    const line = Math.floor(first[forest.beginningOf(node)] / width);
    const z = Math.floor(line / height);
    counted[z * grid.counts[1] + Math.floor((line - z * height) / grid.block[1])]++;
  }
}

/** Drops all but the largest objects; of equal ones those with the earlier first voxel are kept. */
function dropSmaller(
  isDropped: Uint8Array,
  objects: { forest: Forest; area: Float64Array; first: Float64Array; largest: number },
): void {
  const { forest, area, first, largest } = objects;
  const roots: number[] = [];
  for (let node = 0; node < first.length; node++) {
    if (forest.rootOf(node) === node && isDropped[node] === 0) roots.push(node);
  }
  const firstOf = (root: number): number => first[forest.beginningOf(root)];
  roots.sort((a, b) => area[b] - area[a] || firstOf(a) - firstOf(b));
  for (const node of roots.slice(largest)) isDropped[node] = 1;
}

/** Nodes per entry of the table below. */
const NODES_PER_ENTRY = 4096;

/**
 * Finds the block of a node by the first node of each block: a table gives a block near it, and the search goes on from there.
 */
function blocksBy(bases: Float64Array): (node: number) => number {
  const table = new Uint32Array(Math.ceil(bases[bases.length - 1] / NODES_PER_ENTRY));
  for (let entry = 0, block = 0; entry < table.length; entry++) {
    while (bases[block + 1] <= entry * NODES_PER_ENTRY) block++;
    table[entry] = block;
  }
  return (node) => {
    let block = table[Math.floor(node / NODES_PER_ENTRY)];
    while (bases[block + 1] <= node) block++;
    return block;
  };
}
