// The page as static files with relative addresses, so that any host serves it from any folder.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** Samples that the page opens with, from the repository's. */
const SAMPLES = ["hubble_deep_field.jpg", "cells.png", "coins.png", "pebbles.png"];

function samples(): Plugin {
  const from = new URL("../../samples/", import.meta.url).pathname;
  return {
    name: "samples",
    writeBundle({ dir }) {
      const to = join(dir as string, "samples");
      mkdirSync(to, { recursive: true });
      for (const name of SAMPLES) cpSync(join(from, name), join(to, name));
    },
  };
}

export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 400 },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [samples()],
});
