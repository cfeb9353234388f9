// Writes the parts of docs that are made from the sources and the help texts; with --check it only compares, as the tests do. Pages
// whose figures or pictures are measured have a file of their own in scripts/docs, which is run by hand.
//
//     npm run docs [-- --check]

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const FROM_SOURCE = ["limits", "properties", "devices", "cli"];

const failed = FROM_SOURCE.filter((name) => {
  const path = fileURLToPath(new URL(`docs/${name}.mjs`, import.meta.url));
  return spawnSync(process.execPath, [path, ...process.argv.slice(2)], { stdio: "inherit" }).status !== 0;
});
if (failed.length > 0) process.exit(1);
