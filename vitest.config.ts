import { defineConfig } from "vitest/config";

/** Tests that start browsers, measure memory or wait run with `npm run test:all`. */
const all = process.env.SKERRY_TEST_ALL === "1";

export default defineConfig({
  test: {
    include: [all ? "packages/*/test/all/*.test.ts" : "packages/*/test/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Browsers that draw and compute in software leave no core for a second file.
    maxWorkers: all ? 1 : 2,
    // Files of a worker share its modules, and with them one GPU device: its kernels are compiled once.
    isolate: false,
  },
});
