// Tests the handles of one engine against a model of what was loaded, found, filtered and disposed. Products are
// started and left running during the next commands. fast-check's scheduler decides when rows of Sources arrive, and
// calls are aborted. Every product must equal the slow reference, or be refused as the model expects.

import fc from "fast-check";
import { oracle } from "./answers.mjs";
import { rasterOf } from "./pixels.mjs";

const raster = fc.record({
  type: fc.constant("u8"),
  size: fc.record({
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 40 }),
    depth: fc.constant(1),
  }),
  channels: fc.constant(1),
  pattern: fc.constantFrom("noise", "blocks", "rings", "comb", "spiral", "checker", "lines"),
  density: fc.integer({ min: 5, max: 95 }),
  special: fc.constant("none"),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});
const rule = fc.record({ above: fc.integer({ min: 0, max: 200 }), connectivity: fc.constantFrom(4, 8) });
const filter = fc.record({ minArea: fc.integer({ min: 0, max: 9 }), clearBorder: fc.boolean() });
const which = fc.nat(20);
const products = ["labels", "areas", "mask", "runs"];

/** The labels of foreground classes by the slow reference. */
function labelled({ classes, width, height, connectivity }) {
  return oracle.label(classes, width, height, connectivity).labels;
}

/** The expected value of each product. */
const EXPECTED = {
  labels: (state) => labelled(state),
  areas: (state) => {
    const labels = labelled(state);
    const areas = new Array(labels.reduce((a, b) => Math.max(a, b), 0)).fill(0);
    for (const label of labels) if (label) areas[label - 1]++;
    return areas;
  },
  mask: ({ classes, width, height }) => {
    const words = Math.ceil(width / 32);
    const bits = new Uint32Array(words * height);
    classes.forEach((c, at) => {
      if (c) bits[Math.floor(at / width) * words + ((at % width) >> 5)] |= 1 << ((at % width) & 31);
    });
    return bits;
  },
  runs: ({ classes, width }) =>
    [...classes].filter((c, at) => c && (at % width === 0 || !classes[at - 1])).map(() => 1),
};
const MADE = {
  labels: async (found, options) => (await found.labels(options)).data,
  areas: async (found, options) => (await found.regions({ properties: ["area"], ...options })).area,
  mask: async (found, options) => (await found.mask(options)).bits,
  runs: async (found, options) => Array((await found.runs(options)).count).fill(1),
};

function same(made, expected, what) {
  if (made.length !== expected.length) throw new Error(`${what}: ${made.length} values, expected ${expected.length}`);
  for (let i = 0; i < made.length; i++) {
    if (made[i] !== expected[i]) throw new Error(`${what}: ${made[i]} at ${i}, expected ${expected[i]}`);
  }
}

/** A command. Commands that need a handle take an existing one, disposed or not. */
class Command {
  constructor(name, given, run) {
    this.name = name;
    this.given = given;
    this.work = run;
  }
  check(model) {
    if (this.name === "load" || this.name === "fromSource") return true;
    const { kind } = this.given;
    return model[kind].length > 0;
  }
  run(model, real) {
    return this.work(model, real, this.given);
  }
  toString() {
    return `${this.name}(${JSON.stringify(this.given)})`;
  }
}

/** Awaits a call that must be refused because its handle was disposed. */
async function refused(promise, what) {
  const outcome = await promise.then(
    () => "a result",
    (error) => error,
  );
  if (outcome.name !== "InvalidArgument" || !outcome.message.includes("after dispose()")) {
    throw new Error(`${what} of a disposed handle: ${outcome.message ?? outcome}`);
  }
}

function stateOf({ data, width, height }, { above, connectivity }) {
  return { classes: Uint8Array.from(data, (v) => (v > above ? 1 : 0)), width, height, connectivity };
}

async function load(model, real, { drawn }) {
  const raster = rasterOf(drawn);
  real.images.push(await real.engine.load(raster));
  model.images.push({ raster, alive: true });
}

async function find(model, real, { image, rule }) {
  const at = image % model.images.length;
  const { raster, alive } = model.images[at];
  const made = real.engine.components(real.images[at], {
    threshold: { above: rule.above },
    connectivity: rule.connectivity,
  });
  if (!alive) return refused(made, "components");
  real.handles.push(await made);
  model.handles.push({ ...stateOf(raster, rule), alive: true });
}

/** Components of a Source whose rows arrive when the scheduler decides; the labels are checked once they are there. */
async function fromSource(_model, real, { drawn, rule, filter }) {
  const { data, width, height } = rasterOf(drawn);
  const read = real.scheduler.scheduleFunction(async (_z0, _z1, y0, y1, into) => {
    into.set(data.subarray(y0 * width, y1 * width));
  });
  const source = { width, height, type: "u8", read: (...given) => read(...given.slice(0, 5)) };
  const work = async () => {
    const found = await real.engine.components(source, {
      threshold: { above: rule.above },
      connectivity: rule.connectivity,
      ...filter,
    });
    const state = stateOf({ data, width, height }, rule);
    const classes = oracle.filter(state.classes, width, height, rule.connectivity, filter);
    const made = MADE.labels(found, {});
    found.dispose();
    same(await made, EXPECTED.labels({ ...state, classes }), "labels of a source");
  };
  real.pending.push(work());
}

async function narrow(model, real, { handle, filter }) {
  const at = handle % model.handles.length;
  const state = model.handles[at];
  const made = real.handles[at].filter(filter);
  if (!state.alive) return refused(made, "filter");
  real.handles.push(await made);
  const { width, height, connectivity } = state;
  const classes = oracle.filter(state.classes, width, height, connectivity, filter);
  model.handles.push({ width, height, connectivity, classes, alive: true });
}

/** Starts a product without waiting for it. With `abort` it may also be aborted. */
async function start(model, real, { handle, product, abort }) {
  const at = handle % model.handles.length;
  const state = { ...model.handles[at] };
  const controller = new AbortController();
  const made = MADE[product](real.handles[at], abort ? { signal: controller.signal } : {});
  if (!state.alive) return refused(made, product);
  real.pending.push(
    made.then(
      (found) => same(found, EXPECTED[product](state), product),
      (error) => {
        if (!(abort && error.name === "AbortError")) throw error;
      },
    ),
  );
  if (abort) real.scheduler.schedule(Promise.resolve(), "abort").then(() => controller.abort());
}

async function dispose(model, real, { kind, index }) {
  const at = index % model[kind].length;
  model[kind][at].alive = false;
  real[kind][at].dispose();
}

const command = (name, run, fields, kind) =>
  fc.record(fields).map((given) => new Command(name, kind ? { ...given, kind } : given, run));

const commands = [
  command("load", load, { drawn: raster }),
  command("components", find, { image: which, rule }, "images"),
  command("components", find, { image: which, rule }, "images"),
  command("fromSource", fromSource, { drawn: raster, rule, filter }),
  command("filter", narrow, { handle: which, filter }, "handles"),
  ...[1, 2, 3].map(() => {
    const fields = { handle: which, product: fc.constantFrom(...products), abort: fc.boolean() };
    return command("start", start, fields, "handles");
  }),
  command("dispose", dispose, { index: which }, "handles"),
  command("dispose", dispose, { index: which }, "images"),
];

/**
 * A sequence of commands, and when rows arrive. It begins with an image and components, so that few commands are
 * skipped.
 */
export const histories = fc.record({
  first: fc.record({ drawn: raster, rule }),
  commands: fc.commands(commands, { maxCommands: 40, size: "max" }),
  scheduler: fc.scheduler(),
});

/** Runs a history on an engine, which must have no memory in use afterwards. Returns the number of calls. */
export async function runHistory(engine, { first, commands, scheduler }) {
  const real = { engine, scheduler, images: [], handles: [], pending: [] };
  const model = { images: [], handles: [] };
  try {
    await load(model, real, first);
    await find(model, real, { image: 0, rule: first.rule });
    // Commands wait for calls, and calls wait for rows. The scheduler decides only when rows arrive and calls are aborted.
    const run = fc.asyncModelRun(() => ({ model, real }), commands);
    await scheduler.waitFor(run);
    const settled = Promise.allSettled(real.pending);
    await scheduler.waitFor(settled);
    const failed = (await settled).find(({ status }) => status === "rejected");
    if (failed) throw failed.reason;
  } finally {
    await scheduler.waitFor(Promise.allSettled(real.pending));
    for (const handle of [...real.handles, ...real.images]) handle.dispose();
  }
  await new Promise((resolve) => setImmediate(resolve));
  const { used } = engine.describe().memory;
  if (used !== 0) throw new Error(`${used} bytes are still in use`);
  return real.images.length + real.handles.length + real.pending.length;
}
