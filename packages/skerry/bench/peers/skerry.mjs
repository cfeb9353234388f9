// skerry through its public API, from u8 pixels: components() + regions(), then labels({ into }) into memory touched before.
// Both in ordinary arrays, or with "allocated" in arrays from engine.allocate(); with "alone" without regions(). argv: file, size,
// connectivity, threads, allocated, alone.

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { measure } from "./measure.mjs";

const [file, size, connectivity, threads] = [process.argv[2], ...process.argv.slice(3, 6).map(Number)];
const options = process.argv.slice(6);
const [allocated, alone] = ["allocated", "alone"].map((name) => options.includes(name));
const engine = await open({ device: "cpu", threads });
const bytes = readFileSync(file);
const data = allocated ? engine.allocate("u8", size * size) : new Uint8Array(size * size);
data.set(bytes);
const into = (allocated ? engine.allocate("u32", size * size) : new Uint32Array(size * size)).fill(1);
await measure(["regions", "labels"], async (lap) => {
  const found = await engine.components({ data, width: size, height: size }, { connectivity });
  if (!alone) await found.regions();
  lap();
  await found.labels({ into });
  lap();
  found.dispose();
});
await engine.close();
