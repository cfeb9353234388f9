// The page as static files with relative addresses, so that any host serves it from any folder.

import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import sharp from "sharp";
import { defineConfig, type Plugin } from "vite";
import { licensesOf } from "../../scripts/licenses.mjs";
import { SAMPLES } from "./src/state/recipe.js";

/** Sides of the thumbnails, twice of what they are shown at. */
const [WIDTH, HEIGHT] = [112, 84];

const from = new URL("../../samples/", import.meta.url).pathname;

const thumbnailOf = (file: string): Promise<Buffer> =>
  sharp(join(from, file)).resize(WIDTH, HEIGHT).webp({ quality: 75 }).toBuffer();

/** The samples, from the repository's, and their thumbnails. */
function samples(): Plugin {
  return {
    name: "samples",
    async writeBundle({ dir }) {
      const to = join(dir as string, "samples");
      mkdirSync(join(to, "small"), { recursive: true });
      for (const { source, file } of SAMPLES) {
        cpSync(join(from, file), join(to, file));
        writeFileSync(join(to, "small", `${source}.webp`), await thumbnailOf(file));
      }
    },
  };
}

/** The engine's code for WebAssembly is asked for with the page's own, not after it. */
function early(): Plugin {
  return {
    name: "early",
    transformIndexHtml: {
      order: "post",
      handler: async (html, { bundle = {} }) => {
        const chunks = Object.keys(bundle).filter((name) => /assets\/(cpu|wasm)-.*\.js$/.test(name));
        const tags = chunks.map((name) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
        }));
        // The first sample from afar is a part of the page: nothing of the picture is seen sooner.
        const small = `data:image/webp;base64,${(await thumbnailOf(SAMPLES[0].file)).toString("base64")}`;
        return { html: html.replace(`./samples/small/${SAMPLES[0].source}.webp`, small), tags };
      },
    },
  };
}

/** The list of all files, from which the service worker keeps them. */
function list(): Plugin {
  return {
    name: "list",
    enforce: "post",
    writeBundle: {
      sequential: true,
      order: "post",
      handler({ dir }) {
        const files = readdirSync(dir as string, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !/^(sw\.js|files\.json|LICENSES\.txt)$/.test(entry.name))
          .map((entry) => relative(dir as string, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
        writeFileSync(join(dir as string, "files.json"), JSON.stringify(["./", ...files.sort()]));
      },
    },
  };
}

/** The licences of what the page is bundled from, beside it. */
function licenses(): Plugin {
  return {
    name: "licenses",
    generateBundle() {
      const source = licensesOf([...this.getModuleIds()].map((id) => id.replace(/^\0/, "").split("?")[0]));
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source });
    },
  };
}

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      input: { main: "index.html", sw: "src/sw.ts" },
      // The service worker's scope is the folder that it lies in.
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        chunkFileNames: ({ name, facadeModuleId }) => {
          // The backends are modules of the same name in the rooms of their devices.
          const device = /\/(cpu|gpu)\/backend\.js$/.exec(facadeModuleId ?? "")?.[1];
          return `assets/${device ?? name}-[hash].js`;
        },
      },
    },
  },
  worker: { format: "es" },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [samples(), early(), licenses(), list()],
});
