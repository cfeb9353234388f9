// The least work of any tool: a plain pass over the pixels in JavaScript; a copy of them into shared memory; a label image
// filled, and copied out of shared memory. argv: file, size.

import { readFileSync } from "node:fs";
import { measure } from "./measure.mjs";

const data = new Uint8Array(readFileSync(process.argv[2]));
const copy = new Uint8Array(new SharedArrayBuffer(data.length)).fill(1);
const labels = new Uint32Array(new SharedArrayBuffer(data.length * 4)).fill(1);
const into = new Uint32Array(data.length).fill(2);
let count = 0;
let value = 3;
await measure(["pass", "copy pixels", "fill labels", "copy labels"], async (lap) => {
  for (let i = 0; i < data.length; i++) if (data[i] !== 0) count++;
  lap();
  copy.set(data);
  lap();
  into.fill(value++);
  lap();
  into.set(labels);
  lap();
});
if (count < 0) throw new Error("never");
