// For Stryker: `skerry` is its sources, of which one is mutated at a time, and the tests are those that take little time.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^skerry$/, replacement: source("index.ts") },
      { find: /^@skerry\/(files|scenes)$/, replacement: source("../../$1/src/index.ts") },
      { find: /^#(worker|event-loop|temp-file|context|copy|kept|gpu)$/, replacement: source("platform/$1.node.ts") },
    ],
  },
  test: {
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    include: [
      "packages/skerry/test/unit/*.test.ts",
      ...["options", "engine", "filter", "values", "nodata", "regions", "input", "volumes"].map(
        (name) => `packages/skerry/test/${name}.test.ts`,
      ),
    ],
    testTimeout: 60_000,
    isolate: false,
  },
});
