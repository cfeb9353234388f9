// The fuzzer: random sequences of calls on long-lived engines, compared between devices and with slow references, and
// mutated files. fast-check draws and shrinks. A failure is printed with the command line that repeats it.
//
//     npm run fuzz -- --seconds N --seed S [--only components,fill,distance,kmeans,calls,joins,files,stores,places,blocks,streams] [--device cpu,gpu]
//                     [--replay PATH] [--handles]
//
// Joins take a fiftieth of the time. With calls a fifth of the time goes to histories of handles; --handles runs these in
// place of sequences.

import { parseArgs } from "node:util";
import fc from "fast-check";
import { open } from "../checked/index.js";
import { meetings, sequences } from "./draw.mjs";
import { histories, runHistory } from "./handles.mjs";
import { checkJoins } from "./joins.mjs";
import { kindsOf } from "./kinds.mjs";
import { poisonMemory } from "./poison.mjs";
import { complaint, difference, outcomeOf } from "./steps.mjs";

const NOUNS = [
  "components",
  "fill",
  "distance",
  "kmeans",
  "calls",
  "joins",
  "files",
  "stores",
  "places",
  "blocks",
  "streams",
];
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
    only: { type: "string", default: NOUNS.join() },
    device: { type: "string", default: "cpu" },
    replay: { type: "string" },
    handles: { type: "boolean" },
  },
});
const only = values.only.split(",");
const devices = values.device.split(",");
const unknown =
  only.find((noun) => !NOUNS.includes(noun)) ?? devices.find((device) => !["cpu", "gpu"].includes(device));
if (unknown) {
  console.error(`Expected --only out of ${NOUNS.join(", ")} and --device out of cpu, gpu, got ${unknown}.`);
  process.exit(2);
}
const { mismatch } = await import("./oracles.mjs");

poisonMemory();
const kinds = kindsOf(devices);
let runners = [];
async function openAll() {
  runners = await Promise.all(
    kinds.map(async ({ name, ...options }) => ({ name, exact: options.device === "cpu", engine: await open(options) })),
  );
}
const closeAll = () => Promise.all(runners.map(({ engine }) => engine.close()));

const PATIENCE_MILLISECONDS = 60_000;
const tally = { sequences: 0, histories: 0, calls: 0, refused: 0, aborted: 0 };

/** Runs a sequence on one engine, which must have no memory in use afterwards. */
async function runOn({ engine, name }, together, steps, steady) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${name}: no end after ${PATIENCE_MILLISECONDS} ms`)),
      PATIENCE_MILLISECONDS,
    );
  });
  const run = async () => {
    if (together) return Promise.all(steps.map((step) => outcomeOf(engine, step, steady)));
    const outcomes = [];
    for (const step of steps) outcomes.push(await outcomeOf(engine, step, steady));
    return outcomes;
  };
  const outcomes = await Promise.race([late, run()]).finally(() => clearTimeout(timer));
  await new Promise((resolve) => setImmediate(resolve));
  const { used } = engine.describe().memory;
  if (used !== 0) throw new Error(`${name}: ${used} bytes are still in use`);
  return outcomes;
}

/** Runs a sequence on every engine. Throws the first fault or difference. */
async function check({ together, steps }) {
  const all = await Promise.all(runners.map((runner, r) => runOn(runner, together, steps, r === 0)));
  for (const [s, step] of steps.entries()) {
    const first = all[0][s];
    for (const [r, { name, exact }] of runners.entries()) {
      const outcome = all[r][s];
      const wrong = complaint(outcome) ?? (r > 0 ? difference(outcome, first, step, exact) : mismatch(step, outcome));
      if (wrong) throw new Error(`step ${s + 1} (${step.noun}), ${name}: ${wrong}`);
      tally.calls++;
      if (outcome.error) tally.refused++;
      if (outcome.aborted) tally.aborted++;
    }
  }
  tally.sequences++;
}

const begin = performance.now();
const inProcess = only.filter((noun) => !["files", "joins", "stores", "places", "blocks", "streams"].includes(noun));
const seconds = Number(values.seconds);
const share = only.includes("files") && inProcess.length > 0 ? 0.85 : 1;
/** Part of the time that goes to images in OME-Zarr. */
const STORES = 0.1;
/** Part of the time for runs over blocks. */
const BLOCKS = 0.1;
/** Part of the time for streams of lines and frames. */
const STREAMS = 0.1;
/** The part of the time in which pairs of files in places are matched, beside other nouns. */
const PLACES = 0.1;
const parameters = (part) => ({
  seed: Number(values.seed),
  numRuns: values.replay ? 1 : 1e9,
  interruptAfterTimeLimit: seconds * 1000 * part,
  ...(values.replay ? { path: values.replay, endOnFailure: true } : {}),
  markInterruptAsFailure: false,
});
let failed = false;
function report(name, details, nouns) {
  if (!details.failed || (details.interrupted && !details.counterexample)) return;
  failed = true;
  console.error(`${name}: ${details.errorInstance?.message ?? details.error}`);
  console.error(JSON.stringify(details.counterexample, (_, v) => (typeof v === "bigint" ? `${v}n` : v)));
  console.error(
    `again: npm run fuzz -- --seed ${details.seed} --replay ${details.counterexamplePath} --only ${nouns} --device ${values.device}`,
  );
}
let joins = 0;
if (only.includes("joins")) {
  const details = fc.check(fc.property(meetings, checkJoins), parameters(only.length > 1 ? 0.02 : 1));
  joins = details.numRuns;
  report("joins", details, "joins");
}
if (inProcess.length > 0) {
  await openAll();
  // A check that the time limit cuts off is still running: the next step must wait for it.
  let current = Promise.resolve();
  const settled = () => current.catch(() => undefined);
  const guarded = async (work) => {
    try {
      await work();
    } catch (error) {
      // The state of a failed engine could fail the next case.
      await closeAll().catch(() => undefined);
      await openAll();
      throw error;
    }
  };
  const property = fc.asyncProperty(sequences(inProcess), (sequence) => {
    current = guarded(() => check(sequence));
    return current;
  });
  // The histories of handles take a part of the time, and run only with the noun `calls`.
  const withHandles = only.includes("calls") && (!values.replay || values.handles);
  const part = withHandles ? (values.handles ? 0 : 0.8) : 1;
  if (part > 0) report("calls", await fc.check(property, parameters(share * part)), inProcess.join());
  await settled();
  if (withHandles) {
    let turn = 0;
    const one = async (history) => {
      const { engine, name } = runners[turn++ % runners.length];
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no end after ${PATIENCE_MILLISECONDS} ms`)), PATIENCE_MILLISECONDS);
      });
      try {
        tally.calls += await Promise.race([late, runHistory(engine, history)]);
        tally.histories++;
      } catch (error) {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    };
    const properties = fc.asyncProperty(histories, (history) => {
      current = guarded(() => one(history));
      return current;
    });
    report("handles", await fc.check(properties, parameters(share * (1 - part))), "calls --handles");
    await settled();
  }
  await closeAll();
}
/** Nouns that have a fuzzer of their own: its module and function, and their part of the time. */
const OTHERS = [
  {
    name: "files",
    made: "files",
    load: async () => (await import("./files.mjs")).fuzzFiles,
    part: inProcess.length > 0 ? 1 - share : 1,
  },
  {
    name: "stores",
    made: "stores",
    load: async () => (await import("./stores.mjs")).fuzzStores,
    part: only.length > 1 ? STORES : 1,
  },
  {
    name: "places",
    made: "pairs of places",
    load: async () => (await import("./places.mjs")).fuzzPlaces,
    part: only.length > 1 ? PLACES : 1,
  },
  {
    name: "blocks",
    made: "runs over blocks",
    load: async () => (await import("./blocks.mjs")).fuzzBlocks,
    part: only.length > 1 ? BLOCKS : 1,
  },
  {
    name: "streams",
    made: "streams",
    load: async () => (await import("./streams.mjs")).fuzzStreams,
    part: only.length > 1 ? STREAMS : 1,
  },
];
const runs = { files: 0, stores: 0, places: 0, blocks: 0, streams: 0 };
for (const { name, made, load, part } of OTHERS) {
  if (!only.includes(name)) continue;
  const fuzz = await load();
  const details = await fuzz(parameters(part), devices);
  runs[name] = details.numRuns;
  report(made, details, name);
}
const took = ((performance.now() - begin) / 1000).toFixed(0);
console.log(
  `${tally.sequences} sequences, ${tally.histories} histories, ${tally.calls} calls on ${kinds.map(({ name }) => name).join(", ")} (${tally.refused} refused, ${tally.aborted} aborted), ${joins} joins, ${runs.files} files, ${runs.stores} stores, ${runs.places} pairs of places, ${runs.blocks} runs over blocks, ${runs.streams} streams; seed ${values.seed}, ${took} s`,
);
process.exit(failed ? 1 : 0);
