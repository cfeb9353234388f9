// The tests that `npm test` leaves out: those in test/all folders, which start browsers, measure memory or wait; or those of a folder that is named.

import { spawnSync } from "node:child_process";

const { status } = spawnSync("npx", ["vitest", "run", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, SKERRY_TEST_ALL: "1" },
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
