// The page as static files with relative addresses, so that any host serves it from any folder.

import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { axisOf } from "@skerry/files/internal";
import { openPicture, rasterOf } from "@skerry/files/node";
import { openZarr } from "@skerry/files/zarr";
import { build } from "esbuild";
import { zipSync } from "fflate";
import sharp, { type Sharp } from "sharp";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";
import { licensesOf } from "../../scripts/build/licenses.mjs";
import { SAMPLES, type Sample } from "./src/settings/recipe.js";

/** Sides of the thumbnails, twice of what they are shown at. */
const [WIDTH, HEIGHT] = [112, 84];

const from = new URL("../../samples/", import.meta.url).pathname;

/** A thumbnail; of a volume that of its middle slice. */
async function thumbnailOf({ file, folder }: Sample): Promise<Buffer> {
  const path = join(from, folder ?? file);
  if (!/\.(nii\.gz|zarr)$/.test(path)) return small(sharp(path));
  const open = (page: number) => (folder ? openZarr(path, { page }) : openPicture(path, { page }));
  const first = await open(0);
  const picture = await open((axisOf(first.space, "page")?.size ?? 1) >> 1);
  const { data, width, height } = await rasterOf(picture);
  await Promise.all([first.close(), picture.close()]);
  // Nifti's rows run from back to front.
  const drawn = sharp(data as Uint8Array, { raw: { width, height, channels: 1 } });
  return small(folder ? drawn : drawn.flip());
}

const small = (drawn: Sharp): Promise<Buffer> => drawn.resize(WIDTH, HEIGHT).webp({ quality: 56 }).toBuffer();

/** A folder of the repository as a ZIP whose entries are stored. */
function zipped(folder: string): Uint8Array {
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
  const entries = files.map((name) => [name.replaceAll("\\", "/"), new Uint8Array(readFileSync(join(folder, name)))]);
  return zipSync(Object.fromEntries(entries), { level: 0, mtime: "1980-01-02" });
}

/** The samples, from the repository's, and their thumbnails. */
function samples(): Plugin {
  return {
    name: "samples",
    async writeBundle({ dir }) {
      const to = join(dir as string, "samples");
      mkdirSync(join(to, "small"), { recursive: true });
      for (const sample of SAMPLES) {
        const { source, file, folder } = sample;
        if (folder) writeFileSync(join(to, file), zipped(join(from, folder)));
        else cpSync(join(from, file), join(to, file));
        writeFileSync(join(to, "small", `${source}.webp`), await thumbnailOf(sample));
      }
    },
  };
}

/** The engine's WebAssembly as a file, which is compiled while it arrives, in place of its digits in a module. */
function streamed(): Plugin {
  return {
    name: "streamed",
    apply: "build",
    enforce: "pre",
    async load(id) {
      if (!id.split("?")[0].endsWith("/dist/generated/wasm.js")) return undefined;
      const { wasm, ...places } = await import(id);
      const file = this.emitFile({ type: "asset", name: "kernels.wasm", source: Buffer.from(wasm, "hex") });
      const own = Object.entries(places).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
      return `${own.join("")}export const wasm = () => fetch(import.meta.ROLLUP_FILE_URL_${file});`;
    },
  };
}

/** The folder of the engine's code for WebAssembly. */
const CPU = resolve(import.meta.dirname, "../skerry/dist/cpu");

/** Modules of the engine that its backend imports at once: the others are loaded with the first call of their operation. */
function importedAtOnce(): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [resolve(CPU, "backend.js")];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const source = readFileSync(path, "utf8");
    for (const [, from] of source.matchAll(/^(?:import|export) [^"]*from "(\.[^"]+)"/gm))
      waiting.push(resolve(path, "..", from));
  }
  return found;
}

/** The engine's code for WebAssembly, and the first sample, are asked for with the page's own code, not after it. */
function early(): Plugin {
  return {
    name: "early",
    transformIndexHtml: {
      order: "post",
      handler: async (html, { bundle = {} }) => {
        const chunks = Object.keys(bundle).filter((name) => /assets\/(cpu|wasm)-.*\.js$/.test(name));
        const tags: HtmlTagDescriptor[] = chunks.map((name) => ({
          tag: "link",
          attrs: { rel: "modulepreload", crossorigin: true, href: `./${name}` },
        }));
        for (const name of Object.keys(bundle).filter((each) => /assets\/kernels-.*\.wasm$/.test(each))) {
          tags.push({ tag: "link", attrs: { rel: "preload", as: "fetch", crossorigin: true, href: `./${name}` } });
        }
        // The first sample from afar is a part of the page: nothing of the picture is seen sooner.
        const small = `data:image/webp;base64,${(await thumbnailOf(SAMPLES[0])).toString("base64")}`;
        const script = Object.keys(bundle).find((name) => /assets\/early-.*\.js$/.test(name));
        if (script) tags.unshift({ tag: "script", attrs: { async: true, src: `./${script}` } });
        const own = html
          .replace(`./samples/small/${SAMPLES[0].source}.webp`, small)
          .replace("<html ", `<html data-first="./samples/${SAMPLES[0].file}" `);
        return { html: own, tags };
      },
    },
  };
}

/** The scripts beside the page's code, each a file that imports nothing: the service worker, whose scope is its folder, and the early one. */
function alone(): Plugin {
  const scriptOf = async (name: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [new URL(`src/${name}.ts`, import.meta.url).pathname],
      write: false,
      bundle: true,
      minify: true,
      format: "iife",
      target: "es2022",
    });
    return outputFiles[0].text;
  };
  return {
    name: "alone",
    apply: "build",
    async buildStart() {
      this.emitFile({ type: "asset", fileName: "sw.js", source: await scriptOf("sw") });
      this.emitFile({ type: "asset", name: "early.js", source: await scriptOf("early") });
    },
  };
}

/** Decoders of packed DICOM and OME-Zarr: they stay after the first file that needs them, not before. */
const DECODERS = /^(blosc|charls|libjpegturbo|lz4|openjpeg|zip-|zstd)/;

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
          .filter(({ name }) => !/^(sw\.js|files\.json|LICENSES\.txt)$/.test(name) && !DECODERS.test(name))
          .filter((entry) => entry.isFile())
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

const atOnce = importedAtOnce();

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      input: "index.html",
      output: {
        chunkFileNames: ({ name, facadeModuleId }) => {
          // The backends are modules of the same name in the rooms of their devices.
          const device = /\/(cpu|gpu)\/backend\.js$/.exec(facadeModuleId ?? "")?.[1];
          return `assets/${device ?? name.split("~")[0]}-[hash].js`;
        },
        // What the page begins with is a few files: each further one costs a slow line its latency.
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"], entriesAware: true, entriesAwareMergeThreshold: 300_000 },
            { name: "cpu", test: (id) => id.startsWith(CPU) && atOnce.has(id) },
            { name: "operations", test: (id) => id.startsWith(CPU) && !atOnce.has(id) },
          ],
        },
        strictExecutionOrder: true,
      },
    },
  },
  worker: { format: "es" },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [alone(), streamed(), samples(), early(), licenses(), list()],
});
