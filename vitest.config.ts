import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Files of a worker share its modules, and with them one GPU device: its kernels are compiled once.
    isolate: false,
  },
});
