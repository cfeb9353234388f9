// The outputs of a run at their final names. Before the first step, the submitter alone claims the names and moves away what bears them; steps
// only put what is whole under a name that is free, so that no late worker can remove or replace a result.

import { join } from "node:path";
import {
  isRemote,
  NamedImage,
  type WritableStore,
  writablePlace,
  type ZarrBlocks,
  zarrBlocks,
} from "@skerry/files/zarr/internal";
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

/** A final name. */
interface Place {
  readonly output: "labels" | "table";
  readonly url: string;
  readonly parent: WritableStore;
  readonly name: string;
}

/** Final names of the outputs of a run, which exist or not. A table beside the labels appears with them. */
function placesOf({ labels, table }: Plan): Place[] {
  const placeOf = (output: Place["output"], url: string): Place => ({ output, url, ...writablePlace(url) });
  const places: Place[] = [];
  if (labels) {
    // A separate label image has chunks of its own; another lies inside its image.
    const inside = isRemote(labels.url)
      ? `${labels.url}/labels/${labels.name}`
      : join(labels.url, "labels", labels.name);
    places.push(placeOf("labels", labels.chunks ? labels.url : inside));
  }
  if (table && !table.isBeside) places.push(placeOf("table", tablePlace(table.url)));
  return places;
}

/** The place that the table of a plan is written to: in a folder, through all links. */
export const tablePlace = (url: string): string => (isRemote(url) ? url : realOf(url));

const hidden = ({ name }: Place, ending: string): string => `.${name}.${ending}`;
const claimOf = (place: Place): string => hidden(place, "claim");
const replacedOf = (place: Place, run: string): string => hidden(place, `${run}.replaced`);

const imageOf = ({ parent, name }: Place): NamedImage => new NamedImage(parent, name);

const isThere = (place: Place): Promise<boolean> =>
  place.output === "labels" ? imageOf(place).isThere() : place.parent.has(place.name);

async function move({ output, parent }: Place, from: string, to: string): Promise<void> {
  if (output === "labels") return new NamedImage(parent, from).rename(to);
  if (await parent.has(from)) await parent.rename(from, to);
}

/** The run that claims a place, and the folder of its plan. */
interface Claim {
  readonly run: string;
  readonly scratch: string;
}

function claimIn(bytes: Uint8Array | undefined): Claim | undefined {
  try {
    const claim: Partial<Claim> = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claim.run === "string" && typeof claim.scratch === "string" ? (claim as Claim) : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the claim of a run. */
async function unclaim(place: Place, run: string): Promise<void> {
  const claim = claimIn(await place.parent.get(claimOf(place)));
  if (claim?.run === run) await place.parent.remove(claimOf(place));
}

/** Whether a run is enrolled and has not finished. */
async function isRunning({ run, scratch }: Claim): Promise<boolean> {
  const storage = new Storage(keysOf(scratch), run);
  return (await storage.isAlive()) && !(await isFinished(storage));
}

const isFinished = async (storage: Storage): Promise<boolean> => (await storage.list("finish")).has(0);

/**
 * Claims a place for a run.
 * @throws ClusterError if another run that has not ended claims it
 */
async function claim(place: Place, { scratch }: Plan, run: string): Promise<void> {
  const { parent, url } = place;
  const key = claimOf(place);
  const claim = new TextEncoder().encode(`${JSON.stringify({ run, scratch } satisfies Claim)}\n`);
  for (;;) {
    const before = await parent.get(key);
    const other = claimIn(before);
    const unknown = (error: Error): never => {
      throw new ClusterError(
        "refused",
        `Could not tell whether run ${other?.run}, which claims ${url}, has ended: ${error.message} If it has, remove ${parent.at(key).url}.`,
      );
    };
    if (other !== undefined && other.run !== run && (await isRunning(other).catch(unknown))) {
      throw new ClusterError(
        "refused",
        `Run ${other.run} in ${other.scratch} writes ${url} already: let it finish, or remove it with skerry cluster clean.`,
      );
    }
    if (await parent.replace(key, claim, before)) return;
  }
}

/**
 * Claims the final names of a run that begins, and moves away what bears them; it comes back if the run is removed before its end.
 * @throws ClusterError if another run that has not ended claims one
 */
export async function makeRoom(plan: Plan): Promise<void> {
  const run = runOf(plan);
  for (const place of placesOf(plan)) {
    await claim(place, plan, run);
    if (!(await isThere(place))) continue;
    if (place.output === "labels" && !plan.labels?.overwrite) {
      throw new ClusterError("refused", `Expected --overwrite for ${place.url}, which is there already.`);
    }
    await move(place, place.name, replacedOf(place, run));
  }
}

/**
 * Checks that the outputs of a finished run are there.
 * @throws ClusterError if one was removed or replaced
 */
export async function checkOutputs(plan: Plan, keys: Keys): Promise<void> {
  const run = runOf(plan);
  if (!(await isFinished(new Storage(keys, run)))) return;
  for (const place of placesOf(plan)) {
    const found = await isThere(place);
    if (found && (place.output !== "labels" || (await imageOf(place).isOf(run)))) continue;
    throw new ClusterError(
      "missing",
      `Run ${run} is finished, but ${place.url} is ${found ? "another's by now" : "gone"}: skerry cluster clean forgets the run, and submit makes it again.`,
    );
  }
}

/** Removes what was replaced, and the claims, once all outputs have their names. */
export async function endRoom(plan: Plan): Promise<void> {
  const run = runOf(plan);
  for (const place of placesOf(plan)) {
    // In a bucket they name arrays, which skerry cluster clean removes: no step does.
    const isNeeded = place.output === "labels" && !place.parent.hasFolders;
    if (!isNeeded) await place.parent.remove(replacedOf(place, run));
    await unclaim(place, run);
  }
}

/**
 * Gives what a run that does not go on had moved away its name back, and removes what its processes had begun beside the names. Where
 * something else has the name by now, what was moved away stays under its hidden name.
 */
export async function giveBack(plan: Plan): Promise<void> {
  const run = runOf(plan);
  const places = placesOf(plan);
  // The table gets its name before the labels do.
  const labels = places.find(({ output }) => output === "labels");
  const isOver = labels !== undefined && (await imageOf(labels).isOf(run));
  for (const place of places) {
    const { output, parent, name } = place;
    const replaced = replacedOf(place, run);
    const isBucket = output === "labels" && !parent.hasFolders;
    // Arrays of an image that a finished run has replaced, or those of a run that does not go on.
    if (isBucket && isOver) await imageOf(place).removeArrays(await new NamedImage(parent, replaced).arrays());
    if (isBucket && !isOver) await parent.remove(`${name}/${run}`);
    if (!(await isThere(place))) await move(place, replaced, name).catch(() => undefined);
    else if (isOver) await parent.remove(replaced);
    for (const left of await parent.list("")) {
      if (left.startsWith(hidden(place, `${run}.`)) && !left.endsWith(".replaced")) await parent.remove(left);
    }
    await unclaim(place, run);
  }
}
