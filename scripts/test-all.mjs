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
run(named, { SKERRY_TEST_ALL: "1" });
if (named.length === 0) run(["packages/skerry/test"], { SKERRY_TEST_DEVICES: "others" });
