// Step `finish`: concatenates the parts of the table, and last gives the label image its metadata and its final name, so that no
// reader finds an incomplete result.

import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  crc32c,
  FileStore,
  type LabelBox,
  renameOnce,
  writablePlace,
  type ZarrBlocks,
} from "@skerry/files/zarr/internal";
import { defined } from "skerry/internal";
import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import { endRoom, tablePlace } from "../outputs.js";
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
    const beside = (ending: string): TablePlace => ({
      parent: (writer as ZarrBlocks).beside.at("tables"),
      name: `regions.${ending}`,
    });
    if (isBeside) {
      if (format !== "parquet") await writeCsv(context, beside("csv"));
      if (format !== "csv") await writeParts(context, beside("parquet"));
    } else if (format === "csv") await writeAlone(context, writablePlace(tablePlace(url)));
    else await writeParts(context, writablePlace(tablePlace(url)));
  }
  await writer?.finish(count);
  // A run that was removed while its last step wrote has no arrays any more.
  await storage.fence().catch(async (error) => {
    await writer?.withdraw();
    throw error;
  });
  await endRoom(plan);
  await storage.write("finish", 0, { count: Float64Array.of(count) });
}

/** The boxes of all blocks from which the remaining smaller levels are made. */
async function* restOf({ storage, grid }: Context): AsyncGenerator<LabelBox> {
  for (let block = 0; block < grid.count; block++) {
    const { from, size, data, labels } = await storage.read<"from" | "size" | "data" | "labels">("rest", block);
    const [z, y, x] = from as Float64Array;
    const [depth, height, width] = size as Float64Array;
    yield defined({
      from: [z, y, x],
      size: [depth, height, width],
      data: data as Uint32Array<never>,
      labels: labels ? (labels as Float64Array<never>) : undefined,
    });
  }
}

/** The store of a table, and its name there. */
type TablePlace = ReturnType<typeof writablePlace>;

/** A table that lies beside no labels. On a disk what is being written has another name, which tells the run. */
async function writeAlone(context: Context, { parent, name }: TablePlace): Promise<void> {
  if (!parent.hasFolders) return writeCsv(context, { parent, name });
  const parts = partsName(name, context.storage.run);
  try {
    await writeCsv(context, { parent: new FileStore(parent.url, join(parent.url, parts)), name });
  } finally {
    await parent.remove(parts);
  }
}

const partsName = (name: string, run: string): string => `.${name}.${run}.${randomBytes(6).toString("base64url")}.part`;

/** One table of all parts, under a name that is free or has the same bytes already. */
async function writeCsv(context: Context, { parent, name }: TablePlace): Promise<void> {
  const growing = await parent.grow(name);
  const hash = createHash("sha256");
  try {
    for (let part = 0; part < tableParts(context); part++) {
      const csv = (await context.storage.read<"csv">("table", part)).csv as Uint8Array;
      const rows = part === 0 ? csv : csv.subarray(csv.indexOf(10) + 1);
      hash.update(rows);
      await growing.append(rows);
    }
    if (await growing.finishOnce()) return;
  } catch (error) {
    await growing.discard();
    throw error;
  }
  const there = (await parent.get(name)) ?? "";
  if (createHash("sha256").update(there).digest("hex") === hash.digest("hex")) return;
  throw new ClusterError("failed", `Could not finish ${parent.at(name).url}: another file has its name.`);
}

/**
 * A folder of parts, which readers of Parquet treat as one table. Each process fills a folder of its own; in a bucket, the parts appear
 * with the labels that they lie beside.
 */
async function writeParts(context: Context, { parent: store, name }: TablePlace): Promise<void> {
  const partName = store.hasFolders ? partsName(name, context.storage.run) : name;
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
        await store.set(`${partName}/${file}`, bytes);
      }
    }
    if (partName !== name && !(await renameOnce(store, partName, name, isOwn))) {
      throw new ClusterError("failed", `Could not finish ${store.at(name).url}: another folder has its name.`);
    }
  } finally {
    if (partName !== name) await store.remove(partName);
  }
}
