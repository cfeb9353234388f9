// Folders that several processes may finish, at once or repeatedly: each fills a folder of its own, and the first one gives it the
// final name. The others see that it is what the run makes, by the name of the run in it or by its bytes.

import { randomBytes } from "node:crypto";
import type { WritableStore } from "./store.js";

/** Name of the run that wrote a folder, in it. */
export const RUN_KEY = ".run";

/** Whether a folder is that of a run. */
export async function isOfRun(parent: WritableStore, folder: string, run: string): Promise<boolean> {
  const told = await parent.at(folder).get(RUN_KEY);
  return told !== undefined && new TextDecoder().decode(told) === run;
}

/** Tells whether a folder beside the final name is complete, and what the run makes. */
export type IsOwn = (folder: string) => Promise<boolean>;

/**
 * Gives a folder of a run its final name, unless a folder of the run has it already; what had the name before is removed. A process
 * that stopped on its way may go on at any time: the folder of the run has its name afterwards, or `false` is returned.
 * @param from the complete folder, beside the final name
 * @example
 * import { FileStore, renameOnce } from "@skerry/zarr";
 * const [store, run] = [new FileStore("."), "0123456789abcdef"];
 * await store.set(".mine.part/part-00000.parquet", Uint8Array.of(1, 2, 3));
 * const isOwn = async (folder) => (await store.get(`${folder}/part-00000.parquet`))?.length === 3;
 * console.log(await renameOnce(store, ".mine.part", "three.parquet", run, isOwn)); // true
 */
export async function renameOnce(
  parent: WritableStore,
  from: string,
  name: string,
  run: string,
  isOwn: IsOwn,
): Promise<boolean> {
  await bringBack(parent, name, run, isOwn);
  if (await isOwn(name)) return true;
  // Each process moves the existing folder to a different name, so that none removes a folder that another has moved.
  const replaced = `.${name}.${run}.${randomBytes(6).toString("base64url")}.replaced`;
  await parent.rename(name, replaced).catch(() => undefined);
  // Another process may have been faster, and its finished folder may be the one that was moved.
  await bringBack(parent, name, run, isOwn);
  const isLeft = !(await isOwn(name)) && (await isOwn(from));
  if (isLeft) await parent.rename(from, name).catch(() => undefined);
  await bringBack(parent, name, run, isOwn);
  return isOwn(name);
}

/** Renames a folder of the run back if a process has moved it, and removes other folders that were moved. */
export async function bringBack(parent: WritableStore, name: string, run: string, isOwn: IsOwn): Promise<void> {
  for (const folder of await parent.list("")) {
    if (!folder.startsWith(`.${name}.${run}.`) || !folder.endsWith(".replaced")) continue;
    // A folder with such a name never changes, so the check below stays valid.
    if (await isOwn(folder)) await parent.rename(folder, name).catch(() => undefined);
    else if (await isOwn(name)) await parent.remove(folder).catch(() => undefined);
  }
}
