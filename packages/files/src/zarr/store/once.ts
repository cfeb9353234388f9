// Folders that several processes may finish, at once or repeatedly: each fills a folder of its own, and the first one gives it the
// final name. The others see that it is what the run makes, by the name of the run in it or by its bytes.

import type { WritableStore } from "./store.js";

/** Name of the run that wrote a folder, in it. */
export const RUN_KEY = ".run";

/** Whether a folder is that of a run. */
export async function isOfRun(parent: WritableStore, folder: string, run: string): Promise<boolean> {
  const runName = await parent.at(folder).get(RUN_KEY);
  return runName !== undefined && new TextDecoder().decode(runName) === run;
}

/** Tells whether a folder beside the final name is complete, and what the run makes. */
export type IsOwn = (folder: string) => Promise<boolean>;

/**
 * Gives a folder its final name, unless a folder of the run has it already. Nothing that bears the name is moved or replaced: a rename onto
 * a folder that holds anything fails.
 * @param from the complete folder, beside the final name
 * @returns false if something else has the name
 * @throws ZarrError if the folder cannot be renamed for another reason
 */
export async function renameOnce(parent: WritableStore, from: string, name: string, isOwn: IsOwn): Promise<boolean> {
  if (await isOwn(name)) return true;
  try {
    await parent.rename(from, name);
  } catch (error) {
    // Another process was first, or something else is there.
    if (await isOwn(name)) return true;
    if ((await parent.list(name)).length > 0 || (await parent.get(name))) return false;
    throw error;
  }
  return isOwn(name);
}
