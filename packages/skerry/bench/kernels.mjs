// Times the kernels alone, on one thread and one strip, best of six: without messages, copies and seams. For a table of
// NOTES.md.
//
//     node packages/skerry/bench/kernels.mjs [SIZE]

import { readFileSync } from "node:fs";
import Table from "cli-table3";
import { callerOf } from "../dist/cpu/kernel-caller.js";
import { compileKernels, parametersOf, RECORDS } from "../dist/cpu/memory/module.js";
import { IMAGES, imageFile } from "./images.mjs";

const size = Number(process.argv[2] ?? 8192);
const words = Math.ceil(size / 64);
const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
const instance = new WebAssembly.Instance(await compileKernels(false), { env: { memory } });

/** Calls a kernel as the workers do, without messages; its record lies at the end of the first page. */
const call = callerOf(instance, memory, RECORDS, 65536 - 512);
function run(kernel, given) {
  const values = parametersOf(kernel).map((name) => {
    if (given[name] === undefined) throw new TypeError(`${kernel} is called without ${name}`);
    return Number(given[name]);
  });
  return call(kernel, values);
}

let reach = 65536;
const reserve = (bytes) => {
  const at = reach;
  reach += Math.ceil(bytes / 64) * 64 + 64;
  memory.grow(Math.max(0, Math.ceil((reach - memory.buffer.byteLength) / 65536)));
  return at;
};
const pixels = reserve(size * size + 64);
const bits = reserve(words * 8 * size);
const offsets = reserve((size + 1) * 4);
const labels = reserve(size * size * 2);
const [list, outline, slot] = [reserve(size * 4 + 64), reserve((words + 1) * 48 + 64), reserve(32 * size * 4 + 16)];
const records = reserve(size * size * 2);
const map = reserve(size * size);
const lastRows = reserve(Math.ceil(16 / size) * size * 4 + 64);
const parents = reserve(Math.ceil(size / 2) * words * 128);

const strip = { bits, bits2: 0, y0: 0, y1: size, offsets, labels };

const table = new Table({
  head: ["image, one thread, ms", "pack and count", "label", "regions", "labels", "runs", "components"],
  colAligns: ["left", ...Array(6).fill("right")],
  style: { head: [], border: [], compact: true },
});
for (const name of Object.keys(IMAGES)) {
  new Uint8Array(memory.buffer).set(readFileSync(imageFile(name, size)), pixels);
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [runs, count] = [0, 0];
  for (let round = 0; round < 6; round++) {
    let last = performance.now();
    const lap = (stage) => {
      const now = performance.now();
      best[stage] = Math.min(best[stage], now - last);
      last = now;
    };
    run("packRows", {
      type: 0,
      channels: 1,
      src: pixels,
      rows: size,
      width: size,
      any: false,
      lo: 1,
      hi: 255,
      invert: false,
      dst: bits,
      lo2: 0,
      hi2: 0,
      invert2: false,
      dst2: 0,
      counts: offsets,
      scratch: 0,
      except: 0,
      excepted: 0,
      fence: 0,
    });
    lap(0);
    runs = run("prefixRows", { counts: offsets, height: size });
    count =
      runs >= 4 * words * size
        ? run("labelPairs", { ...strip, words, parents })
        : run("labelStrip", { ...strip, words, height: size, connectivity: 8, links: 0, plane: 0 });
    lap(1);
    run("accumulateStrip", { ...strip, width: size, level: 2, eight: true, records, count, list, outline });
    lap(2);
    for (let i = 0; i < count; i++) new DataView(memory.buffer).setUint32(map + 4 * i, i + 1, true);
    last = performance.now();
    for (let y = 0; y < size; y += 32) {
      const rows = { y0: y, y1: Math.min(size, y + 32) };
      run("expandRows", { ...strip, ...rows, width: size, map, out: slot, list, lastRows });
    }
    lap(3);
  }
  table.push([name, ...best.map((ms) => ms.toFixed(1)), runs, count]);
}
console.log(table.toString());
