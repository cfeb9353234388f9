// A worker that is stopped or killed at one of its file operations while another does the run to its end, and then wakes.

import { type ChildProcess, spawn } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  clean,
  enroll,
  nextPhase,
  openRun,
  type Plan,
  plan,
  queueWorker,
  type Run,
  submitTo,
  work,
} from "../../src/index.js";
import { rasterOf, store } from "./images.js";
import { NONE } from "./small-run.js";

const own = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A volume of two blocks with objects across their seam. */
export async function makeInput(path: string): Promise<void> {
  const size = [8, 8, 8] as const;
  const data = new Uint8Array(size[0] * size[1] * size[2]).map((_, i) => (((i * 2654435761) >>> 0) / 2 ** 24) & 0xff);
  await store(join(path, "v.zarr"), rasterOf(data, size), { type: "u8", chunks: [8, 8, 4] });
}

/** Where the outputs and the scratch of a run lie, and who delivers its steps. */
export type Ground =
  | { readonly kind: "folder" }
  | { readonly kind: "bucket"; readonly objects: Map<string, Buffer> }
  | { readonly kind: "queue"; readonly url: string };

/** The outputs of a run by their paths, without the name of the run. */
async function treeOf(path: string, ground: Ground): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (ground.kind === "bucket") {
    for (const [key, bytes] of ground.objects) {
      if (key.startsWith(".l.skerry")) continue;
      const plain = (text: string): string => text.replace(/[0-9a-f]{16}(?=\/)/g, "RUN");
      found.set(plain(key), key.endsWith(".json") ? plain(`${bytes}`) : bytes.toString("base64"));
    }
    return found;
  }
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const name = file.slice(path.length + 1);
    if (!entry.isFile() || name.startsWith("v.zarr") || name === "plan.json" || name.startsWith(".l.skerry")) continue;
    found.set(name, name.endsWith(".run") ? "" : await readFile(file, "base64"));
  }
  return found;
}

/** Plans the run again in an empty folder beside its input. */
async function planned(path: string, ground: Ground): Promise<Plan> {
  for (const name of await readdir(path)) {
    if (name !== "v.zarr") await rm(join(path, name), { recursive: true, force: true });
  }
  if (ground.kind === "bucket") ground.objects.clear();
  const at = ground.kind === "bucket" ? "s3://bucket" : path;
  const made = await plan({
    recipe: {
      skerry: 1,
      operation: "components",
      options: { threshold: { above: 120 }, connectivity: 26 },
      products: { properties: ["area", "bounds"] },
    } as const,
    input: join(path, "v.zarr"),
    output: `${at}/l.zarr`,
    regions: `${at}/t.csv`,
    block: [8, 8, 4],
    scratch: `${at}/.l.skerry`,
  });
  await enroll(made);
  await writeFile(join(path, "plan.json"), JSON.stringify(made));
  if (ground.kind === "queue") {
    const run = await openRun(made, { allow: [path], threads: 1, patience: NONE });
    await submitTo(ground.url, run);
    await run.close();
  }
  return made;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  said(): string;
}

function start(path: string, ground: Ground, more: Record<string, string>): Started {
  const queue = ground.kind === "queue" ? { WORK_QUEUE: ground.url } : {};
  const child = spawn(process.execPath, ["--import", own("stop-at.mjs"), own("work-on.mjs"), join(path, "plan.json")], {
    env: { ...process.env, ...queue, ...more },
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

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function stateOf(pid: number): Promise<string> {
  const told = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return told.slice(told.lastIndexOf(")") + 2, told.lastIndexOf(")") + 3);
}

/** Ends the run with a worker of this process. */
async function finish(made: Plan, path: string, ground: Ground): Promise<void> {
  const options = { allow: [path, "s3://bucket"], threads: 1, patience: NONE };
  const run = await openRun(made, options);
  if (ground.kind === "queue") {
    const worker = await queueWorker(ground.url, { ...options, lockMilliseconds: 1000 });
    await isOver(run);
    await worker.close();
  } else await work(run, { pause: 5, leastLease: 20 });
  await run.close();
}

async function isOver(run: Run): Promise<void> {
  for (let waited = 0; await nextPhase(run.storage, run.phases); waited += 50) {
    if (waited > 60_000) throw new Error("The run does not end.");
    await pause(50);
  }
}

/** Operations of one worker, and what it writes. */
export async function undisturbed(
  path: string,
  ground: Ground,
): Promise<{ operations: number; tree: Map<string, string> }> {
  const made = await planned(path, ground);
  const { child, ended, said } = start(path, ground, { STOP_COUNT: join(path, "count") });
  if (ground.kind === "queue") {
    const run = await openRun(made, { allow: [path], threads: 1, patience: NONE });
    await isOver(run);
    await run.close();
    child.kill("SIGTERM");
  }
  if ((await ended) !== 0) throw new Error(said());
  const told = JSON.parse(await readFile(join(path, "count"), "utf8"));
  await rm(join(path, "count"));
  return { operations: told.count, tree: await treeOf(path, ground) };
}

/** Renames, links and files that a worker writes below a path: as it tells, and as the kernel saw them. */
export async function traced(path: string): Promise<{ told: Record<string, number>; seen: Record<string, number> }> {
  await planned(path, { kind: "folder" });
  const [log, count] = [join(path, "trace.txt"), join(path, "count")];
  const calls = "trace=rename,renameat,renameat2,link,linkat,open,openat,creat";
  const script = [process.execPath, "--import", own("stop-at.mjs"), own("work-on.mjs"), join(path, "plan.json")];
  const child = spawn("strace", ["-f", "-e", calls, "-o", log, ...script], {
    env: { ...process.env, STOP_COUNT: count },
    stdio: "ignore",
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`strace ended with ${code}.`);
  // Calls that another thread interrupts go on in a line of their own.
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => !line.includes("resumed>"));
  const those = lines.filter((line) => line.includes(path) && !line.includes(count) && !/= -1 E/.test(line));
  const numberOf = (name: RegExp): number => those.filter((line) => name.test(line)).length;
  const { count: _, ...told } = JSON.parse(await readFile(count, "utf8"));
  return {
    told,
    seen: { rename: numberOf(/ rename\w*\(/), link: numberOf(/ link\w*\(/), written: numberOf(/O_CREAT/) },
  };
}

const listed = (tree: Map<string, string>): string => JSON.stringify([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Stops or kills a worker at an operation, lets another finish, and wakes the first.
 * @returns what is wrong; undefined if the outputs are those of one worker, also after `clean`
 */
export async function stoppedAt(
  path: string,
  ground: Ground,
  operation: number,
  by: "SIGSTOP" | "SIGKILL",
  expected: Map<string, string>,
): Promise<string | undefined> {
  const made = await planned(path, ground);
  const { child, ended, said } = start(path, ground, { STOP_AT: `${operation}`, STOP_BY: by });
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  const begun = performance.now();
  // A worker of a queue that meets fewer operations than the first one did waits for more.
  while (!hasEnded && (await stateOf(child.pid ?? 0)) !== "T" && performance.now() < begun + 8000) await pause(5);
  await finish(made, path, ground);
  if (!hasEnded) child.kill("SIGCONT");
  if (ground.kind === "queue") {
    await pause(300);
    child.kill("SIGTERM");
  }
  const code = await ended;
  const message = said();
  if (/\n\s+at /.test(message)) return `a raw error: ${message}`;
  if (by === "SIGSTOP" && code !== 0 && !(code === 1 && /^[A-Z].*\.\n$/.test(message)))
    return `code ${code}: ${message}`;
  const tree = await treeOf(path, ground);
  // A process that is killed leaves what it was writing, which clean removes.
  const visible = new Map([...tree].filter(([name]) => !name.startsWith(".")));
  if (listed(visible) !== listed(expected)) return `other outputs: ${difference(visible, expected)}`;
  await clean(made);
  const left = [...(await treeOf(path, ground)).keys()].filter((name) => name.startsWith("."));
  return left.length === 0 ? undefined : `left behind: ${left.join(", ")}`;
}

function difference(one: Map<string, string>, other: Map<string, string>): string {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name)).join(", ");
}
