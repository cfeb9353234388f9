// Runs all tests, with those that `npm test` leaves out: tests in test/all folders, which start browsers, measure memory or
// wait; then the tests of packages/skerry on the engines that it leaves out (packages/skerry/test/support/devices.ts). If
// folders are named, runs only their tests.

import { spawnSync } from "node:child_process";

const shell = process.platform === "win32";
function run(args, variables) {
  const { status } = spawnSync("npx", ["vitest", "run", ...args], {
    stdio: "inherit",
    shell,
    env: { ...process.env, ...variables },
  });
  if (status !== 0) process.exit(status ?? 1);
}

const named = process.argv.slice(2);
if (named.length > 0) run(named, { SKERRY_TEST_ALL: "1" });
else {
  // Browsers that draw and compute in software leave no core for a second file; processes that wait for each other do.
  run(["packages/lab", "packages/skerry"], { SKERRY_TEST_ALL: "1" });
  run(["packages/cli", "packages/cluster", "packages/recipe"], {
    SKERRY_TEST_ALL: "1",
    SKERRY_TEST_WORKERS: "2",
  });
  run(["packages/skerry/test"], { SKERRY_TEST_DEVICES: "others" });
}
