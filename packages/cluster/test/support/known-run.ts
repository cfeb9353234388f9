// A run of real steps whose reads and writes are kept, so that a simulation can replay them.

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ZarrBlocks } from "@skerry/files/zarr/internal";
import { FileStore } from "@skerry/files/zarr/internal";
import { ProcessContext } from "../../src/context.js";
import { phasesOf, runStep } from "../../src/phases.js";
import { canonical, plan, runOf } from "../../src/plan.js";
import { type Keys, Storage } from "../../src/storage.js";
import { rasterOf, store } from "./images.js";
import { digestOf, type KnownRun, type KnownStep, nameOf, type RealStep } from "./simulation.js";

/** Keys in memory, which tell what was read and written. */
class MemoryKeys implements Keys {
  readonly values = new Map<string, Uint8Array>();
  reads: { key: string; digest: string }[] = [];
  writes: { key: string; bytes: Uint8Array }[] = [];

  async get(key: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const bytes = this.values.get(key);
    if (bytes) this.reads.push({ key, digest: digestOf(bytes) });
    return bytes && new Uint8Array(bytes);
  }
  async set(key: string, bytes: Uint8Array): Promise<void> {
    this.values.set(key, bytes.slice());
    this.writes.push({ key, bytes: bytes.slice() });
  }
  async list(prefix: string): Promise<string[]> {
    return [...this.values.keys()]
      .filter((key) => key.startsWith(`${prefix}/`))
      .map((key) => key.slice(prefix.length + 1));
  }
  async remove(prefix: string): Promise<void> {
    for (const key of this.values.keys()) if (key === prefix || key.startsWith(`${prefix}/`)) this.values.delete(key);
  }
}

/** Labels are written like objects of the storage, so that what happens to them is seen. */
function blocksIn(keys: Keys): () => Promise<ZarrBlocks> {
  return async () => ({
    url: "out",
    beside: new FileStore("out"),
    rest: undefined,
    begin: async () => undefined,
    isFinished: async () => false,
    withdraw: async () => undefined,
    writeRest: async () => undefined,
    async write({ from, data: labels }) {
      await keys.set(`out/labels/${from.join("-")}`, new Uint8Array(labels.slice().buffer));
      return undefined;
    },
    finish: async (count) => keys.set("out/metadata", new TextEncoder().encode(`${count}`)),
  });
}

/** The run with the package's own steps, whose workers share one engine; the table is a file, which is there before the step ends. */
export async function realRun(folder: string): Promise<KnownRun & { close(): Promise<void> }> {
  const known = await knownRun(folder);
  const shared = new ProcessContext(known.plan, new Storage(new MemoryKeys(), known.run), { threads: 1 });
  const engine = await shared.engine();
  const table = join(folder, "regions.csv");
  const open = (storage: Storage): RealStep => {
    const context = new ProcessContext(known.plan, storage, { threads: 1 });
    Object.defineProperty(context, "engine", { value: async () => engine });
    Object.defineProperty(context, "labels", { value: blocksIn(storage.keys) });
    const write = storage.write.bind(storage);
    storage.write = async (kind, number, sections) => {
      if (kind === "finish") await storage.keys.set("out/regions.csv", await readFile(table));
      await write(kind, number, sections);
    };
    return async (name) => {
      if (name.phase === "finish") await rm(table, { force: true });
      await runStep(context, name);
    };
  };
  return { ...known, open, close: () => shared.close() };
}

/** Plans a small run in a folder, does its steps once, and keeps what each reads and writes. */
export async function knownRun(folder: string): Promise<KnownRun> {
  const size = [16, 12, 4] as const;
  let state = 777;
  const data = new Uint8Array(size[0] * size[1] * size[2]).map(() => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % 100 < 35 ? 200 : 10;
  });
  await store(join(folder, "image.zarr"), rasterOf(data, size), { type: "u8", chunks: [4, 4, 4] });
  const regions = join(folder, "regions.csv");
  const made = await plan({
    recipe: {
      skerry: 1,
      operation: "components",
      options: { threshold: { above: 100 } },
      products: { properties: ["area", "bounds"] },
    },
    input: join(folder, "image.zarr"),
    output: join(folder, "labels.zarr"),
    regions,
    block: [8, 8, 4],
  });
  const run = runOf(made);
  const keys = new MemoryKeys();
  const planBytes = new TextEncoder().encode(canonical(made));
  await keys.set(`${run}/plan.json`, planBytes);
  const storage = new Storage(keys, run, { milliseconds: 0, sleep: async () => undefined });
  const context = new ProcessContext(made, storage, { threads: 1 });
  Object.defineProperty(context, "labels", { value: blocksIn(keys) });
  const steps = new Map<string, KnownStep>();
  for (const phase of phasesOf(made)) {
    for (let number = 0; number < phase.steps; number++) {
      keys.reads = [];
      keys.writes = [];
      const name = { phase: phase.name, number };
      await runStep(context, name);
      // The table is a file of its own.
      if (phase.name === "finish")
        keys.writes.splice(-1, 0, { key: "out/regions.csv", bytes: await readFile(regions) });
      steps.set(nameOf(name), { reads: keys.reads, writes: keys.writes });
    }
  }
  await context.close();
  const result = new Map<string, string>();
  for (const { writes } of steps.values()) for (const { key, bytes } of writes) result.set(key, digestOf(bytes));
  return { plan: made, run, phases: phasesOf(made), planBytes, steps, result };
}
