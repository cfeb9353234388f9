// skerry through its public API, from u8 pixels in an ordinary array: components() + regions(), then
// labels({ into }) into memory touched before. argv: file, size, connectivity, threads.

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { measure } from "./measure.mjs";

const [file, size, connectivity, threads] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const data = new Uint8Array(readFileSync(file));
const into = new Uint32Array(size * size).fill(1);
const engine = await open({ device: "cpu", threads });
await measure(["regions", "labels"], async (lap) => {
  const found = await engine.components({ data, width: size, height: size }, { connectivity });
  await found.regions();
  lap();
  await found.labels({ into });
  lap();
  found.dispose();
});
await engine.close();
