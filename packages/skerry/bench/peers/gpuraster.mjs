// Times luma.gl's GPURaster on resident images: connected components and dense labels, 8-connected. It is bundled with the user's
// checkout of luma.gl (source-peers.mjs), since that package is private.
//   gpuraster SIZE FILE...   prints one JSON line per file: {"label": ms, "wall": ms, "copy": ms, "count": n}, medians of 20
// `label` is device time between two timestamps in one submission, `wall` the time to encode, submit and wait. Its foreground is a u32
// per pixel, and so is what it needs to know of each pixel's validity.

import { readFileSync } from "node:fs";
import { Buffer, luma } from "@luma.gl/core";
import { GPURasterConnectedComponents, GPURasterDenseComponents } from "@luma.gl/experimental/gpu-raster";
import { GPUCommandGraph } from "@luma.gl/gpgpu/gpu-core";
import { webgpuAdapter } from "@luma.gl/webgpu";
import { create, globals } from "webgpu";

const ROUNDS = 20;
const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];

const [size, ...files] = process.argv.slice(2).map((argument, i) => (i ? argument : Number(argument)));
Object.assign(globalThis, globals);
Object.defineProperty(globalThis, "navigator", {
  value: { gpu: create(["disable-dawn-features=timestamp_quantization"]) },
});
const device = await luma.createDevice({ type: "webgpu", adapters: [webgpuAdapter], featureLevel: "max" });
const gpu = device.handle;
const pixels = size * size;
const usage = Buffer.STORAGE | Buffer.COPY_SRC | Buffer.COPY_DST;
const buffers = [];
const graph = new GPUCommandGraph(device, { id: "labels" });

/** A buffer of the graph, of u32. */
function view(id, length) {
  const buffer = device.createBuffer({ id, byteLength: length * 4, usage });
  buffers.push(buffer);
  const handle = graph.importBuffer({ id, byteLength: buffer.byteLength, usage }, buffer);
  return { buffer, of: graph.createDataView(handle, { format: "uint32", length }) };
}

const values = view("values", pixels);
const validity = view("validity", pixels);
const sparse = view("sparse", pixels);
const sparseValidity = view("sparse-validity", pixels);
const converged = view("converged", 1);
const dense = view("dense", pixels);
const denseValidity = view("dense-validity", pixels);
const [count, overflow] = [view("count", 1), view("overflow", 1)];
const shape = { width: size, height: size };
new GPURasterConnectedComponents({
  ...shape,
  connectivity: 8,
  input: {
    id: "foreground",
    format: "uint32",
    storage: { kind: "buffer", values: values.of },
    validity: validity.of,
  },
  output: sparse.of,
  outputValidity: sparseValidity.of,
  converged: converged.of,
}).addToGraph(graph);
new GPURasterDenseComponents({
  ...shape,
  input: sparse.of,
  inputValidity: sparseValidity.of,
  converged: converged.of,
  output: dense.of,
  outputValidity: denseValidity.of,
  componentCount: count.of,
  overflow: overflow.of,
}).addToGraph(graph);
const compiled = graph.compile();
validity.buffer.write(new Uint32Array(pixels).fill(1));

const stamps = gpu.createQuerySet({ type: "timestamp", count: 2 });
const resolved = gpu.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
const mapped = gpu.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });

/** An empty pass that writes a timestamp. */
function stamp(which) {
  const encoder = gpu.createCommandEncoder();
  const writes = which
    ? { querySet: stamps, endOfPassWriteIndex: 1 }
    : { querySet: stamps, beginningOfPassWriteIndex: 0 };
  encoder.beginComputePass({ timestampWrites: writes }).end();
  if (which) {
    encoder.resolveQuerySet(stamps, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, mapped, 0, 16);
  }
  return encoder.finish();
}

/** Milliseconds that the device spends on one submission. */
async function timed(commands) {
  gpu.queue.submit([stamp(0), commands, stamp(1)]);
  await mapped.mapAsync(GPUMapMode.READ);
  const [begin, end] = new BigUint64Array(mapped.getMappedRange().slice(0));
  mapped.unmap();
  return Number(end - begin) / 1e6;
}

function encoded() {
  const encoder = device.createCommandEncoder({});
  compiled.encode(encoder, { parameters: undefined });
  return encoder.finish();
}

/** The reference: a copy of as many bytes as the labels have. */
function copied() {
  const encoder = gpu.createCommandEncoder();
  encoder.copyBufferToBuffer(values.buffer.handle, 0, sparse.buffer.handle, 0, pixels * 4);
  return encoder.finish();
}

for (const file of files) {
  values.buffer.write(Uint32Array.from(readFileSync(file)));
  const begin = performance.now();
  while (performance.now() - begin < 400) await timed(copied());
  const [labels, walls, copies] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    copies.push(await timed(copied()));
    labels.push(await timed(encoded().handle));
    const start = performance.now();
    device.submit(encoded());
    await gpu.queue.onSubmittedWorkDone();
    walls.push(performance.now() - start);
  }
  const read = async ({ buffer }) => new Uint32Array((await buffer.readAsync(0, 4)).slice().buffer)[0];
  if ((await read(converged)) !== 1) throw new Error(`Error: no convergence on ${file}`);
  console.log(
    JSON.stringify({ label: median(labels), wall: median(walls), copy: median(copies), count: await read(count) }),
  );
}
compiled.destroy();
for (const buffer of buffers) buffer.destroy();
process.exit(0);
