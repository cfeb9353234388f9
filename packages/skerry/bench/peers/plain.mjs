// What any tool pays at least: a plain pass over the pixels in JavaScript, a plain copy of them, and a plain
// copy of a label image. argv: file, size.

import { readFileSync } from "node:fs";
import { measure } from "./measure.mjs";

const data = new Uint8Array(readFileSync(process.argv[2]));
const copy = new Uint8Array(data.length).fill(1);
const labels = new Uint32Array(data.length).fill(1);
const into = new Uint32Array(data.length).fill(2);
let count = 0;
await measure(["pass", "copy pixels", "copy labels"], async (lap) => {
  for (let i = 0; i < data.length; i++) if (data[i] !== 0) count++;
  lap();
  copy.set(data);
  lap();
  into.set(labels);
  lap();
});
if (count < 0) throw new Error("never");
