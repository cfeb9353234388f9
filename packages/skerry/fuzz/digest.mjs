// One hash per engine of all results of many random calls, to check that a change of the code does not change results.
//
//     node packages/skerry/fuzz/digest.mjs [--cases 2000] [--device cpu,gpu]
//
// Labels, regions, runs, distances, fills and classes of the seeded cases of @skerry/scenes; exit status 1 if engines differ.

import { parseArgs } from "node:util";
import { agreementOf } from "@skerry/scenes";
import { open } from "../dist/index.js";
import { kindsOf } from "./kinds.mjs";

const { values } = parseArgs({
  options: { cases: { type: "string", default: "2000" }, device: { type: "string", default: "cpu" } },
});
const runners = await Promise.all(
  kindsOf(values.device.split(",")).map(async ({ name, ...options }) => ({ name, engine: await open(options) })),
);
const { hashes, differing } = await agreementOf(runners, Number(values.cases));
for (const [i, { name, engine }] of runners.entries()) {
  console.log(`${name.padEnd(13)} ${hashes[i]}`);
  await engine.close();
}
for (const { name, runners: others } of differing) console.log(`differs on ${others.join(", ")}: ${name}`);
if (differing.length > 0) process.exitCode = 1;
