// A worker as a process of its own: node work-on.mjs PLAN.json, over the built packages. With WORK_QUEUE it takes steps from a queue until it is
// told to end.

import { readFileSync } from "node:fs";
import { dirname } from "node:path";

// Before anything is loaded: a worker may be told to end while it loads.
const told = new Promise((resolve) => process.once("SIGTERM", resolve));
const { openRun, queueWorker, work } = await import("@skerry/cluster");
const [path] = process.argv.slice(2);
const patience = { milliseconds: 0, sleep: async () => undefined };
const options = { allow: [dirname(path), "s3://bucket"], threads: 1, patience };
try {
  const { WORK_QUEUE } = process.env;
  if (WORK_QUEUE) {
    const worker = await queueWorker(WORK_QUEUE, { ...options, lockMilliseconds: 1000 });
    await told;
    await worker.close();
  } else {
    const run = await openRun(JSON.parse(readFileSync(path, "utf8")), options);
    await work(run, { pause: 10, leastLease: 100 });
    await run.close();
  }
  process.exit(0);
} catch (error) {
  if (error.name !== "ClusterError" && error.name !== "ZarrError" && error.name !== "FileError") console.error(error);
  else console.error(error.message);
  process.exit(1);
}
