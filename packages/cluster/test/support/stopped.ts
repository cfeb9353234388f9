// A worker that is stopped or killed at one of its file operations while another does the run to its end, and then wakes.

import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clean, enroll, openRun, type Plan, plan, work } from "../../src/index.js";
import { rasterOf, store } from "./images.js";
import { NONE } from "./small-run.js";

const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A volume of two blocks with objects across their seam. */
export async function makeInput(path: string): Promise<void> {
  const size = [8, 8, 8] as const;
  const data = new Uint8Array(size[0] * size[1] * size[2]).map((_, i) => (((i * 2654435761) >>> 0) / 2 ** 24) & 0xff);
  await store(join(path, "v.zarr"), rasterOf(data, size), { type: "u8", chunks: [8, 8, 4] });
}

/** The outputs of a run by their paths, without the name of the run. */
async function treeOf(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(path.length + 1);
    if (!entry.isFile() || name.startsWith("v.zarr") || name === "plan.json" || name.startsWith(".l.skerry")) continue;
    found.set(name, name.endsWith(".run") ? "" : await readFile(file, "base64"));
  }
  return found;
}

/** Plans the run again in an empty folder beside its input. */
async function planned(path: string): Promise<Plan> {
  for (const name of await readdir(path)) {
    if (name !== "v.zarr") await rm(join(path, name), { recursive: true, force: true });
  }
  const made = await plan({
    recipe: {
      ...{ skerry: 1, operation: "components" },
      ...{ options: { threshold: { above: 120 }, connectivity: 26 }, products: { properties: ["area", "bounds"] } },
    } as const,
    ...{ input: join(path, "v.zarr"), output: join(path, "l.zarr"), regions: join(path, "t.csv"), block: [8, 8, 4] },
    scratch: join(path, ".l.skerry"),
  });
  await enroll(made);
  await writeFile(join(path, "plan.json"), JSON.stringify(made));
  return made;
}

function start(
  path: string,
  more: Record<string, string>,
): { child: ChildProcess; ended: Promise<number>; said: () => string } {
  const child = spawn(process.execPath, ["--import", own("stop-at.mjs"), own("work-on.mjs"), join(path, "plan.json")], {
    env: { ...process.env, ...more },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr?.on("data", (some: Buffer) => {
    text += some;
  });
  const ended = new Promise<number>((resolve) =>
    child.on("close", (code, signal) => resolve(signal ? -1 : (code ?? -2))),
  );
  return { child, ended, said: () => text };
}

async function stateOf(pid: number): Promise<string> {
  const told = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return told.slice(told.lastIndexOf(")") + 2, told.lastIndexOf(")") + 3);
}

async function finish(made: Plan, path: string): Promise<void> {
  const run = await openRun(made, { allow: [path], threads: 1, patience: NONE });
  await work(run, { pause: 5, leastLease: 20 });
  await run.close();
}

/** Operations of one worker, and what it writes. */
export async function undisturbed(path: string): Promise<{ operations: number; tree: Map<string, string> }> {
  await planned(path);
  const { ended, said } = start(path, { STOP_COUNT: join(path, "count") });
  if ((await ended) !== 0) throw new Error(said());
  const operations = Number(await readFile(join(path, "count"), "utf8"));
  await rm(join(path, "count"));
  return { operations, tree: await treeOf(path) };
}

const listed = (tree: Map<string, string>): string => JSON.stringify([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Stops or kills a worker at an operation, lets another finish, and wakes the first.
 * @returns what is wrong; undefined if the outputs are those of one worker, also after `clean`
 */
export async function stoppedAt(
  path: string,
  operation: number,
  by: "SIGSTOP" | "SIGKILL",
  expected: Map<string, string>,
): Promise<string | undefined> {
  const made = await planned(path);
  const { child, ended, said } = start(path, { STOP_AT: `${operation}`, STOP_BY: by });
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  while (!isOver && (await stateOf(child.pid ?? 0)) !== "T") await new Promise((resolve) => setTimeout(resolve, 5));
  await finish(made, path);
  if (!isOver) child.kill("SIGCONT");
  const code = await ended;
  const message = said();
  if (/\n\s+at /.test(message)) return `a raw error: ${message}`;
  if (by === "SIGSTOP" && code !== 0 && !(code === 1 && /^[A-Z].*\.\n$/.test(message)))
    return `code ${code}: ${message}`;
  const tree = await treeOf(path);
  // A process that is killed leaves what it was writing, which clean removes.
  const visible = new Map([...tree].filter(([name]) => !name.startsWith(".")));
  if (listed(visible) !== listed(expected)) return `other outputs: ${difference(visible, expected)}`;
  await clean(made);
  const left = [...(await treeOf(path)).keys()].filter((name) => name.startsWith("."));
  return left.length === 0 ? undefined : `left behind: ${left.join(", ")}`;
}

function difference(one: Map<string, string>, other: Map<string, string>): string {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name)).join(", ");
}
