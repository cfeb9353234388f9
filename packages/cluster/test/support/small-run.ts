// A small run, planned and enrolled, with what it has to write.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { enroll, openRun, type Plan, plan, type Run, work } from "../../src/index.js";
import { rasterOf, store } from "./images.js";

/** Nothing is waited for: processes of one machine see what others wrote. */
export const NONE = { milliseconds: 0, sleep: async () => undefined };

export interface SmallRun {
  readonly folder: string;
  readonly plan: Plan;
  open(): Promise<Run>;
  /** Digest of everything that the run wrote for good. */
  written(): Promise<string>;
}

/** Plans a run over an image of noise, whose folder is `name` below the path. */
export async function smallRun(path: string, name: string): Promise<SmallRun> {
  const folder = join(path, name);
  const size = [24, 16, 12] as const;
  let state = 12345;
  const data = new Uint8Array(size[0] * size[1] * size[2]).map(() => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % 100 < 32 ? 200 : 10;
  });
  await store(join(folder, "image.zarr"), rasterOf(data, size), { type: "u8", chunks: [8, 8, 4] });
  const output = join(folder, "labels.zarr");
  const made = await plan({
    recipe: { skerry: 1, operation: "components", options: { threshold: { above: 100 } } },
    input: join(folder, "image.zarr"),
    output,
    regions: join(folder, "regions.csv"),
    block: [8, 8, 8],
  });
  await enroll(made);
  return {
    folder,
    plan: made,
    open: () => openRun(made, { allow: [path], threads: 1, patience: NONE }),
    async written() {
      const names = await readdir(output, { recursive: true, withFileTypes: true });
      const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const hash = createHash("sha256");
      for (const file of [...files.sort(), join(folder, "regions.csv")]) {
        // The name of the run differs with the folder, and nothing else does.
        if (file.endsWith(".run")) continue;
        hash.update(file.slice(folder.length)).update(await readFile(file));
      }
      return hash.digest("hex");
    },
  };
}

/** What one worker alone writes. */
export async function expectedOf(path: string): Promise<string> {
  const own = await smallRun(path, "expected");
  const run = await own.open();
  await work(run);
  await run.close();
  return own.written();
}
