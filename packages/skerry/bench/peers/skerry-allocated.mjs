// skerry with pixels and labels in memory from engine.allocate(): components() + regions(), then labels({ into }).
// argv: file, size, connectivity, threads.

import { readFileSync } from "node:fs";
import { open } from "skerry";
import { measure } from "./measure.mjs";

const [file, size, connectivity, threads] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const engine = await open({ device: "cpu", threads });
const data = engine.allocate("u8", size * size);
data.set(readFileSync(file));
const into = engine.allocate("u32", size * size).fill(1);
await measure(["regions", "labels"], async (lap) => {
  const found = await engine.components({ data, width: size, height: size }, { connectivity });
  await found.regions();
  lap();
  await found.labels({ into });
  lap();
  found.dispose();
});
await engine.close();
