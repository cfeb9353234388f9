// Numbers that a machine keeps between programs, in Node: a file in the user's folder for caches.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const folder = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "skerry");

/** The text that was kept by a name; undefined if there is none, or it cannot be read. */
export function kept(name: string): string | undefined {
  try {
    return readFileSync(join(folder(), `${name}.json`), "utf8");
  } catch {
    return undefined;
  }
}

/** Keeps a text. A folder that cannot be written keeps nothing: it is measured again. */
export function keep(name: string, text: string): void {
  const path = join(folder(), `${name}.json`);
  try {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // See above.
  }
}
