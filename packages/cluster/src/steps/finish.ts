// Step `finish`: concatenates the parts of the table, and last gives the label image its metadata and its final name, so that no
// reader finds an incomplete result.

import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "@skerry/files/node";
import { crc32c, FileStore, type LabelBox, renameOnce, type ZarrBlocks } from "@skerry/zarr";
import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import { endRoom, writeOnce } from "../outputs.js";
import { realOf } from "../places.js";
import { isMeasure, labelTypeOf } from "../plan.js";
import { partsOf } from "./measure.js";

/** Parts that the table of a plan has. */
export function tableParts({ plan, grid }: Pick<Context, "plan" | "grid">): number {
  return isMeasure(plan) ? partsOf(grid.count) : grid.counts[0];
}

export async function finish(context: Context): Promise<void> {
  const { plan, storage } = context;
  // Nothing gets its final name if the blocks may be those of two images.
  await context.checkInputs();
  const totals = await storage.read("totals", 0);
  const count = Number(totals.count?.[0] ?? 0);
  await storage.fence();
  let writer: ZarrBlocks | undefined;
  if (plan.labels) {
    writer = await context.labels(labelTypeOf(plan, count));
    if (writer.rest !== undefined && !(await writer.isFinished())) await writer.writeRest(restOf(context));
  }
  if (plan.table && !(plan.table.isBeside && (await writer?.isFinished()))) {
    const { url, format, isBeside } = plan.table;
    const folder = isBeside ? join((writer as ZarrBlocks).folder, "tables") : undefined;
    if (folder) await makeFolder(folder);
    if (format !== "parquet") await writeCsv(context, folder ? join(folder, "regions.csv") : realOf(url));
    if (format !== "csv") await writeParts(context, folder ? join(folder, "regions.parquet") : realOf(url));
  }
  await writer?.finish(count);
  await endRoom(plan);
  await storage.write("finish", 0, { count: Float64Array.of(count) });
}

/** The boxes of all blocks from which the remaining smaller levels are made. */
async function* restOf({ storage, grid }: Context): AsyncGenerator<LabelBox> {
  for (let block = 0; block < grid.count; block++) {
    const { from, size, data, labels } = await storage.read<"from" | "size" | "data" | "labels">("rest", block);
    const [z, y, x] = from as Float64Array;
    const [depth, height, width] = size as Float64Array;
    yield {
      ...{ from: [z, y, x], size: [depth, height, width], data: data as Uint32Array<never> },
      ...(labels ? { labels: labels as Float64Array<never> } : {}),
    };
  }
}

/** One table of all parts. */
async function writeCsv(context: Context, path: string): Promise<void> {
  await writeOnce(path, context.storage.run, async (file) => {
    for (let part = 0; part < tableParts(context); part++) {
      const csv = (await context.storage.read<"csv">("table", part)).csv as Uint8Array;
      await file.write(part === 0 ? csv : csv.subarray(csv.indexOf(10) + 1));
    }
  });
}

/** A folder of parts, which readers of Parquet treat as one table. Each process fills a folder of its own. */
async function writeParts(context: Context, path: string): Promise<void> {
  const { run } = context.storage;
  const [store, name] = [new FileStore(dirname(path)), basename(path)];
  const own = `.${name}.${run}.${randomBytes(6).toString("base64url")}.part`;
  const checksums = new Map<string, number>();
  /** Whether a folder holds the same bytes, which are a function of the plan. */
  const isOwn = async (folder: string): Promise<boolean> => {
    const names = await store.list(folder);
    if (names.length !== checksums.size || !names.every((file) => checksums.has(file))) return false;
    for (const file of names) {
      const bytes = await store.get(`${folder}/${file}`);
      if (bytes === undefined || crc32c(bytes) !== checksums.get(file)) return false;
    }
    return true;
  };
  try {
    for (let part = 0; part < tableParts(context); part++) {
      const sections = await context.storage.read("table", part);
      for (let piece = 0; piece < Number(sections.pieces[0]); piece++) {
        const bytes = sections[`parquet${piece}`] as Uint8Array;
        const file = `part-${`${checksums.size}`.padStart(5, "0")}.parquet`;
        checksums.set(file, crc32c(bytes));
        await store.set(`${own}/${file}`, bytes);
      }
    }
    if (!(await renameOnce(store, own, name, isOwn))) {
      throw new ClusterError("failed", `Could not finish ${path}: another folder has its name.`);
    }
  } finally {
    await store.remove(own);
  }
}
