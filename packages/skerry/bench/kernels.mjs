// The kernels alone, on one thread and one strip, best of six: what the machine needs before any message,
// copy or seam. The table of NOTES.md.
//
//     node packages/skerry/bench/kernels.mjs [SIZE]

import { readFileSync } from "node:fs";
import Table from "cli-table3";
import { wasm as unsharedWasm } from "../dist/generated/wasm-unshared.js";
import { IMAGES, imageFile } from "./images.mjs";

const size = Number(process.argv[2] ?? 8192);
const words = Math.ceil(size / 64);
const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
const module = new WebAssembly.Module(Buffer.from(unsharedWasm, "base64"));
const kernels = new WebAssembly.Instance(module, { env: { memory } }).exports;

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
    kernels.packRows(0, 1, pixels, size, size, 0, 1, 255, 0, bits, 0, 0, 0, 0, offsets, 0, 0, 0, 0);
    lap(0);
    runs = kernels.prefixRows(offsets, size);
    count = kernels.labelStrip(bits, 0, words, 0, size, 1, offsets, labels);
    lap(1);
    kernels.accumulateStrip(bits, 0, size, 0, size, offsets, labels, 2, 1, records, count, list, outline);
    lap(2);
    for (let i = 0; i < count; i++) new DataView(memory.buffer).setUint32(map + 4 * i, i + 1, true);
    last = performance.now();
    for (let y = 0; y < size; y += 32) {
      kernels.expandRows(bits, 0, size, y, Math.min(size, y + 32), offsets, labels, map, slot, list);
    }
    lap(3);
  }
  table.push([name, ...best.map((ms) => ms.toFixed(1)), runs, count]);
}
console.log(table.toString());
