import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests that start browsers, measure memory or wait run with `npm run test:all`. */
const all = process.env.SKERRY_TEST_ALL === "1";

const source = (path: string): string => fileURLToPath(new URL(`packages/${path}`, import.meta.url));

// Tests take the sources, so that no stale build can pass; what the build generates (kernels, the worker's script) is theirs.
// What a test starts in another process or a browser is the build.
const alias = [
  { find: /^skerry$/, replacement: source("skerry/src/index.ts") },
  { find: "skerry/internal", replacement: source("skerry/src/internal.ts") },
  { find: /^@skerry\/files\/(node|zarr)$/, replacement: source("files/src/$1/index.ts") },
  { find: /^@skerry\/files\/((?:node\/|zarr\/)?internal)$/, replacement: source("files/src/$1.ts") },
  { find: "@skerry/recipe/internal", replacement: source("recipe/src/internal.ts") },
  { find: /^@skerry\/(cluster|files|recipe|scenes)$/, replacement: source("$1/src/index.ts") },
  {
    find: /^#(worker|event-loop|temp-file|context|copy|kept|gpu)$/,
    replacement: source("skerry/src/platform/$1.node.ts"),
  },
];

export default defineConfig({
  resolve: { alias },
  test: {
    include: [all ? "packages/*/test/all/*.test.ts" : "packages/*/test/**/*.test.ts"],
    exclude: [...(all ? [] : ["packages/*/test/all/**"]), "**/node_modules/**"],
    // What engines measure and keep stays out of the user's folder, and no run sees what an earlier one kept.
    env: { XDG_CACHE_HOME: mkdtempSync(join(tmpdir(), "skerry-cache-")) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: all ? Number(process.env.SKERRY_TEST_WORKERS ?? 1) : 2,
    // Files of a worker share its modules, and with them one GPU device: its kernels are compiled once.
    isolate: false,
  },
});
