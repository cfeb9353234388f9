// skerry on a volume through its public API, from u8 voxels in an ordinary array: components() + regions(), then
// labels({ into }) into memory touched before. argv: file, width, height, depth, connectivity, threads, and "value" for
// components by value instead of those of all voxels that are not 0.

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { measure } from "./measure.mjs";

const [file, width, height, depth, connectivity, threads] = [process.argv[2], ...process.argv.slice(3, 8).map(Number)];
const by = process.argv[8] === "value" ? { by: "value" } : {};
const data = new Uint8Array(readFileSync(file));
const into = new Uint32Array(data.length).fill(1);
const engine = await open({ device: "cpu", threads });
let count = 0;
await measure(
  ["regions", "labels"],
  async (lap) => {
    const found = await engine.components({ data, width, height, depth }, { connectivity, ...by });
    await found.regions();
    count = found.count;
    lap();
    await found.labels({ into });
    lap();
    found.dispose();
  },
  9,
  () => ({ count }),
);
await engine.close();
