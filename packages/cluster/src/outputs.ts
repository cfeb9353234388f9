// The outputs of a run at their final names. Before the first step, the submitter alone claims the names and moves away what bears them; steps
// only put what is whole under a name that is free, so that no late worker can remove or replace a result.

import { randomBytes } from "node:crypto";
import { link, lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, writeWhole } from "@skerry/files/node";
import { FileStore, type ZarrBlocks, zarrBlocks } from "@skerry/zarr";
import { ClusterError } from "./errors.js";
import { realOf } from "./places.js";
import { labelOptions, type Plan, runOf } from "./plan.js";
import { type Keys, keysOf, Storage } from "./storage.js";

/** The label image of a run, as its processes write it. */
export function labelsOfRun(plan: Plan, type: "u32" | "u64"): Promise<ZarrBlocks> {
  const { labels } = plan;
  if (!labels) throw new TypeError("Expected a plan with labels.");
  return zarrBlocks(labels.url, { ...labelOptions(plan, type), run: runOf(plan) });
}

/** Final names of the outputs of a run, which exist or not. A table beside the labels appears with them. */
function placesOf({ labels, table }: Plan): string[] {
  const places: string[] = [];
  // A separate label image has chunks of its own; another lies inside its image.
  if (labels) places.push(labels.chunks ? labels.url : join(labels.url, "labels", labels.name));
  if (table && !table.isBeside) places.push(realOf(table.url));
  return places;
}

const hidden = (place: string, ending: string): string => join(dirname(place), `.${basename(place)}.${ending}`);
const claimOf = (place: string): string => hidden(place, "claim");
const replacedOf = (place: string, run: string): string => hidden(place, `${run}.replaced`);

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The run that claims a place, and the folder of its plan. */
interface Claim {
  readonly run: string;
  readonly scratch: string;
}

async function readClaim(place: string): Promise<Claim | undefined> {
  try {
    const told: Partial<Claim> = JSON.parse(await readFile(claimOf(place), "utf8"));
    return typeof told.run === "string" && typeof told.scratch === "string" ? (told as Claim) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a run is enrolled and has not finished. */
async function isRunning({ run, scratch }: Claim): Promise<boolean> {
  const storage = new Storage(keysOf(scratch), run);
  return (await storage.isAlive()) && !(await isFinished(storage));
}

const isFinished = async (storage: Storage): Promise<boolean> => (await storage.list("finish")).has(0);

/**
 * Claims the final names of a run that begins, and moves away what bears them; it comes back if the run is removed before its end.
 * @throws ClusterError if another run that has not ended claims one
 */
export async function makeRoom(plan: Plan): Promise<void> {
  const run = runOf(plan);
  for (const place of placesOf(plan)) {
    await makeFolder(dirname(place));
    const claim: Claim = { run, scratch: plan.scratch };
    const own = `${JSON.stringify(claim)}\n`;
    const isFirst = await writeFile(claimOf(place), own, { flag: "wx" }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    const other = isFirst ? undefined : await readClaim(place);
    const unknown = (error: Error): never => {
      throw new ClusterError(
        "refused",
        `Could not tell whether run ${other?.run}, which claims ${place}, has ended: ${error.message} If it has, remove ${claimOf(place)}.`,
      );
    };
    if (other !== undefined && other.run !== run && (await isRunning(other).catch(unknown))) {
      throw new ClusterError(
        "refused",
        `Run ${other.run} in ${other.scratch} writes ${place} already: let it finish, or remove it with skerry clean.`,
      );
    }
    if (!isFirst) await writeFile(claimOf(place), own);
    if (!(await isThere(place))) continue;
    const isLabels = plan.labels !== undefined && place !== (plan.table && realOf(plan.table.url));
    if (isLabels && !plan.labels?.overwrite) {
      throw new ClusterError("refused", `Expected --overwrite for ${place}, which is there already.`);
    }
    await rename(place, replacedOf(place, run));
  }
}

/**
 * Checks that the outputs of a finished run are there.
 * @throws ClusterError if one was removed or replaced
 */
export async function checkOutputs(plan: Plan, keys: Keys): Promise<void> {
  const run = runOf(plan);
  if (!(await isFinished(new Storage(keys, run)))) return;
  const labels = plan.labels && (await labelsOfRun(plan, "u32"));
  for (const place of placesOf(plan)) {
    const isOther = place === labels?.url && !(await labels.isFinished());
    if ((await isThere(place)) && !isOther) continue;
    throw new ClusterError(
      "missing",
      `Run ${run} is finished, but ${place} is ${(await isThere(place)) ? "another's by now" : "gone"}: skerry clean forgets the run, and submit makes it again.`,
    );
  }
}

/** Removes what was replaced, and the claims, once all outputs have their names. */
export async function endRoom(plan: Plan): Promise<void> {
  const run = runOf(plan);
  for (const place of placesOf(plan)) {
    await rm(replacedOf(place, run), { recursive: true, force: true });
    if ((await readClaim(place))?.run === run) await rm(claimOf(place), { force: true });
  }
}

/**
 * Gives what a run that does not go on had moved away its name back, and removes what its processes had begun beside the names. Where
 * something else has the name by now, what was moved away stays under its hidden name.
 */
export async function giveBack(plan: Plan): Promise<void> {
  const run = runOf(plan);
  const isOver = plan.labels !== undefined && (await isOwnImage(placesOf(plan)[0], run));
  for (const place of placesOf(plan)) {
    const replaced = replacedOf(place, run);
    if (!(await isThere(place))) await rename(replaced, place).catch(() => undefined);
    else if (isOver) await rm(replaced, { recursive: true, force: true });
    const [store, begin] = [new FileStore(dirname(place)), `.${basename(place)}.${run}.`];
    for (const left of await store.list("")) {
      if (left.startsWith(begin) && !left.endsWith(".replaced")) await store.remove(left);
    }
    if ((await readClaim(place))?.run === run) await rm(claimOf(place), { force: true });
  }
}

/** Whether a label image is that of a run, which gives it its name after the table. */
async function isOwnImage(place: string, run: string): Promise<boolean> {
  return (await readFile(join(place, ".run"), "utf8").catch(() => "")) === run;
}

/** Errors of a link where a disk has none. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"];

/**
 * Writes a file whose bytes are a function of the plan under its final name, which is free or has the same bytes already.
 * @throws ClusterError if another file has the name
 */
export async function writeOnce(path: string, run: string, write: Parameters<typeof writeWhole>[1]): Promise<void> {
  const target = realOf(path);
  const own = hidden(target, `${run}.${randomBytes(6).toString("base64url")}.part`);
  try {
    await writeWhole(own, write);
    await link(own, target);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && !NO_LINKS.includes(code)) throw error;
    if (code !== "EEXIST" && !(await isThere(target))) await rename(own, target);
    else if (!(await areEqual(own, target))) {
      throw new ClusterError("failed", `Could not finish ${path}: another file has its name.`);
    }
  } finally {
    await rm(own, { force: true });
  }
}

async function areEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([readFile(one), readFile(other).catch(() => undefined)]);
  return b !== undefined && a.equals(b);
}
