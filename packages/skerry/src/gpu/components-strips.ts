// Combines strips to one image. Components are joined at the seams, and nodes and records are assigned to the labels of the
// image.

import { joinComponents, type Meeting, meetingsAt, numberStrips } from "../core/join-components.js";
import type { Connectivity } from "../types/raster.js";
import { walkersFor } from "./bands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import type { Strip } from "./labelled.js";
import { recordExpansion } from "./labels.js";
import type { Planes } from "./mask.js";

/** Per plane, the strip's component of each pixel of a row or slice, from 1; 0 for pixels outside the plane. */
type SeamRow = readonly Uint32Array[];

/** Joins strips at their seams, and gives every node its label in the image. */
export async function joinLabels(
  context: Context,
  kept: ScratchScope,
  planes: Planes,
  strips: Strip[],
  connectivity: Connectivity,
): Promise<{ strips: Strip[]; count: number }> {
  const { width, height, depth } = planes;
  // Rows on each side of a seam: one row, or all rows of a slice.
  const seamRows = depth > 1 ? height : 1;
  const seams = await withScratch(context, async (scope) => {
    const row = await scope.allocate(seamRows * width * 4, "rows of labels");
    const read = async (strip: Strip, y: number): Promise<SeamRow> => {
      const rows: Uint32Array[] = [];
      for (const index of strip.planes.keys()) {
        const commands = context.commands();
        recordExpansion(commands, planes, strip, { y0: y, y1: y + seamRows }, row, strip.map, [index]);
        rows.push(await context.numbers(commands, row, seamRows * width));
      }
      return rows;
    };
    const found: { above: SeamRow; below: SeamRow }[] = [];
    for (let i = 1; i < strips.length; i++) {
      const [before, after] = [strips[i - 1], strips[i]];
      found.push({ above: await read(before, before.y1 - seamRows), below: await read(after, after.y0) });
    }
    return found;
  });
  const counts = strips.map((strip) => strip.count);
  const firsts: number[] = [];
  counts.reduce((sum, count, i) => {
    firsts[i] = sum;
    return sum + count;
  }, 0);
  function* meetings(): Generator<Meeting> {
    for (const [i, { above, below }] of seams.entries()) {
      for (const [plane, labels] of below.entries()) {
        const before = { labels: above[plane], first: firsts[i] };
        yield* meetingsAt(before, { labels, first: firsts[i + 1] }, width, connectivity);
      }
    }
  }
  const { bases, joined, count } = numberStrips(counts, joinComponents(meetings()));
  const labelled: Strip[] = [];
  for (const [index, strip] of strips.entries()) {
    const pairs = joined[index];
    const labels = await kept.allocate(strip.nodes * 4, "labels of components");
    const base = bases[index];
    await withScratch(context, async (scope) => {
      const table = await scope.allocate(pairs.byteLength, "joined components");
      context.write(table, pairs);
      const commands = context.commands();
      const parameters = { nodes: strip.nodes, base, joined: pairs.length / 2 };
      commands.dispatch(
        "labels-relabel",
        walkersFor(strip.nodes),
        { map: strip.map, joined: table, labels },
        parameters,
      );
      await commands.submit();
    });
    labelled.push({ ...strip, labels, base, joined: pairs });
  }
  return { strips: labelled, count };
}

/** Consecutive components of a strip, counted from 1, with consecutive labels in the image, from `label` on. */
export interface Stretch {
  readonly component: number;
  readonly label: number;
  readonly length: number;
  /** Whether these components have no part in an earlier strip. */
  readonly fresh: boolean;
}

/** Yields the components [from, to) of a strip in stretches of consecutive labels. */
export function* stretchesOf({ base, joined }: Strip, from: number, to: number): Generator<Stretch> {
  let next = 0;
  while (2 * next < joined.length && joined[2 * next] < from) next++;
  for (let component = from; component < to; ) {
    const other = 2 * next < joined.length ? joined[2 * next] : to;
    if (other === component) {
      yield { component, label: joined[2 * next + 1], length: 1, fresh: false };
      next++;
      component++;
    } else {
      const length = Math.min(other, to) - component;
      yield { component, label: base + component - next, length, fresh: true };
      component += length;
    }
  }
}
