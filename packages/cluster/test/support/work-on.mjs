// A worker as a process of its own: node work-on.mjs PLAN.json, over the built packages.

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { openRun, work } from "@skerry/cluster";

const [path] = process.argv.slice(2);
const plan = JSON.parse(readFileSync(path, "utf8"));
const patience = { milliseconds: 0, sleep: async () => undefined };
try {
  const run = await openRun(plan, { allow: [dirname(path)], threads: 1, patience });
  await work(run, { pause: 10, leastLease: 100 });
  await run.close();
  process.exit(0);
} catch (error) {
  if (error.name !== "ClusterError" && error.name !== "ZarrError" && error.name !== "FileError") console.error(error);
  else console.error(error.message);
  process.exit(1);
}
