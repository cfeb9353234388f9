// Writes src/generated: the WASM build with the names and arguments of their kernels, the WGSL
// kernels with their bindings, and the worker script, as modules that need no file system and no bundler configuration.
// Run by `npm run build`, before tsc.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { boundsSource, kernelsSource, readKernels } from "./kernels.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const generated = join(root, "src/generated");
const dist = join(root, "dist");
const banner = "// Written by scripts/embed.mjs; do not edit.\n";

async function compile() {
  const file = join(tmpdir(), `skerry-${process.pid}.wasm`);
  const text = file.replace(/wasm$/, "wat");
  const { error, stderr } = await asc.main([
    join(root, "src/cpu/assembly/index.ts"),
    "-O3",
    "--noAssert",
    "--runtime",
    "stub",
    "--importMemory",
    "--initialMemory",
    "1",
    "--maximumMemory",
    "65536",
    "--sharedMemory",
    "--enable",
    "threads,simd,bulk-memory",
    "-o",
    file,
    "-t",
    text,
  ]);
  if (error) throw new Error(`asc: ${stderr.toString()}`);
  const binary = await readFile(file);
  const flags = memoryFlagsOf(binary);
  const products = productsOf(binary, await readFile(text, "utf8"));
  await Promise.all([file, text].map((path) => rm(path)));
  for (const shared of [true, false]) {
    binary[flags] = shared ? SHARED : UNSHARED;
    await checkHeapBase(binary, shared);
  }
  binary[flags] = SHARED;
  // Digits pack a quarter smaller than base64, whose letters share no boundaries with the bytes.
  return { wasm: binary.toString("hex"), flags, products };
}

/** The bytes of `i16x8.q15mulr_sat_s`. */
const PRODUCT = Buffer.from([0xfd, 0x82, 0x01]);

/** Where the rounded products lie that src/cpu/memory/module.ts replaces; fails if these bytes stand anywhere else. */
function productsOf(binary, text) {
  const places = [];
  for (let at = binary.indexOf(PRODUCT); at >= 0; at = binary.indexOf(PRODUCT, at + 1)) places.push(at);
  const count = text.split("i16x8.q15mulr_sat_s").length - 1;
  if (places.length !== count) throw new Error(`the bytes of ${count} products stand at ${places.length} places`);
  return places;
}

/** Flags of a memory with a maximum: kernels have no atomics, so this byte is all that the builds for both kinds differ in. */
const [UNSHARED, SHARED] = [1, 3];

/** Where the flags of the imported memory lie. */
function memoryFlagsOf(binary) {
  let at = 8;
  const number = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = binary[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7;
    }
  };
  for (;;) {
    const [section, size] = [binary[at++], number()];
    if (section !== 2) {
      at += size;
      continue;
    }
    for (let imports = number(); imports > 0; imports--) {
      for (const _ of ["module", "name"]) {
        const length = number();
        at += length;
      }
      if (binary[at++] !== 2) throw new Error("the kernels import something other than memory");
      if (binary[at] === SHARED) return at;
    }
    throw new Error("the kernels import no shared memory");
  }
}

/** A hash of everything that the WASM builds are made from. */
async function hashOfSources() {
  const hash = createHash("sha256");
  const folder = join(root, "src/cpu/assembly");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  const scripts = ["embed.mjs", "kernels.mjs"].map((name) => join(root, "scripts", name));
  const compiler = fileURLToPath(new URL("../package.json", import.meta.resolve("assemblyscript/asc")));
  for (const file of [...names.map((name) => join(folder, name)), ...scripts, compiler]) {
    hash.update(`${file.slice(root.length)}\n`).update(await readFile(file));
  }
  return hash.digest("hex");
}

/** The workers' records take the second half of the first page: RECORD_BYTES of src/cpu/memory/module.ts, 64 times. */
async function checkHeapBase(binary, shared) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared });
  const { instance } = await WebAssembly.instantiate(binary, { env: { memory } });
  const { value } = instance.exports.heapBase;
  if (value > 32768) throw new Error(`static data ends at ${value}, where arguments lie`);
}

await mkdir(generated, { recursive: true });
await mkdir(dist, { recursive: true });

const described = await readKernels(join(root, "src/cpu/assembly"));
await writeFile(join(generated, "kernels.ts"), banner + kernelsSource(described));
await writeFile(join(generated, "bounds.ts"), banner + boundsSource(described, false));

// Compiling takes seconds, so what was made of the same sources stays.
const made = `${banner}// Sources ${await hashOfSources()}\n`;
const wasmFile = join(generated, "wasm.ts");
const before = await readFile(wasmFile, "utf8").catch(() => "");
if (!before.startsWith(made) || !before.endsWith('";\n')) {
  const { wasm, flags, products } = await compile();
  const flagsText = `/** Where the flags of memory lie: ${SHARED} shared, ${UNSHARED} not. */\nexport const memoryFlagsAt = ${flags};\n`;
  const productsText = `/** Where i16x8.q15mulr_sat_s stands. */\nexport const productsAt: readonly number[] = [${products.join(", ")}];\n`;
  const type =
    "/** Its digits; or its file, where a page is built with one. */\nexport const wasm: string | (() => Promise<Response>) =";
  await writeFile(wasmFile, `${made}${flagsText}${productsText}${type}\n  "${wasm}";\n`);
}

/** The files of src/gpu/wgsl/lib, by their names. */
const libraries = Object.fromEntries(
  await Promise.all(
    (await readdir(join(root, "src/gpu/wgsl/lib"))).sort().map(async (file) => {
      const text = await readFile(join(root, "src/gpu/wgsl/lib", file), "utf8");
      if (text.includes("include lib/")) throw new Error(`lib/${file} includes another file`);
      return [file.replace(/\.wgsl$/, ""), text];
    }),
  ),
);

/** A kernel's text in pieces: its own at even places, and the names of the files that it includes between. */
function piecesOf(file, source) {
  const pieces = source.split(/^\/\/ include lib\/([\w-]+)\.wgsl$/m);
  const names = pieces.filter((_, i) => i % 2 === 1);
  const isPlain = new Set(names).size === names.length && names.every((name) => name in libraries);
  if (!isPlain || pieces.some((text, i) => i % 2 === 0 && text.includes("include lib/"))) {
    throw new Error(`${file} includes a file twice, one that is not there, or not on a line of its own`);
  }
  return pieces;
}

/** WGSL without comments, indentation, empty lines, and spaces beside punctuation that no operator contains. */
const compact = (source) =>
  source
    .replace(/\/\/.*$/gm, "")
    .replace(/^[ \t]+|[ \t]+$/gm, "")
    .replace(/^\n/gm, "")
    .replace(/ *([,;{}()]) */g, "$1");

/**
 * A kernel's code, as an expression of its own text and of the shared files that it includes, and what it declares: its bindings by name
 * and its parameters in order.
 */
async function kernel(file) {
  const pieces = piecesOf(file, await readFile(join(root, "src/gpu/wgsl", file), "utf8"));
  const source = pieces.map((text, i) => (i % 2 === 1 ? libraries[text] : text)).join("");
  const bindings = [...source.matchAll(/@group\(0\) @binding\((\d+)\) var<(uniform|storage, (\w+))> (\w+):/g)].map(
    ([, binding, space, access, name]) => ({ name, binding: Number(binding), access: access ?? space }),
  );
  const struct = /struct Parameters \{([^}]*)\}/.exec(source)?.[1] ?? "";
  const parameters = [...struct.matchAll(/^\s*(\w+): u32,/gm)].map(([, name]) => name);
  const code = pieces
    .map((text, i) => (i % 2 === 1 ? `shared[${JSON.stringify(text)}]` : JSON.stringify(compact(text))))
    .filter((text) => text !== '""')
    .join(" + ");
  const rest = JSON.stringify({ bindings, parameters }).slice(1);
  return `  ${JSON.stringify(file.replace(/\.wgsl$/, ""))}: { "code": ${code}, ${rest},\n`;
}

const files = (await readdir(join(root, "src/gpu/wgsl"))).filter((file) => file.endsWith(".wgsl")).sort();
const kernels = await Promise.all(files.map(kernel));
const shared = Object.fromEntries(Object.entries(libraries).map(([name, text]) => [name, compact(text)]));
// What several kernels include stands once, which saves a page a tenth of the kernels' bytes.
await writeFile(
  join(generated, "wgsl.ts"),
  `${banner}const shared = ${JSON.stringify(shared, undefined, 2)};\n\nexport const wgsl = {\n${kernels.join("")}} as const;\n`,
);

const bundle = await build({
  entryPoints: [join(root, "src/cpu/worker.ts")],
  bundle: true,
  minify: true,
  format: "iife",
  platform: "neutral",
  target: "es2022",
  external: ["node:worker_threads"],
  write: false,
});
const script = bundle.outputFiles[0].text;
await writeFile(join(generated, "worker.ts"), `${banner}export const workerScript =\n  ${JSON.stringify(script)};\n`);
// `skerry/worker`, for sites whose content security policy forbids Blob and data URLs.
await writeFile(join(dist, "worker.js"), script);
// In a module of Node, `require` is local; the script looks for it among the globals.
await writeFile(join(dist, "worker.cjs"), `globalThis.require ??= require;\n${script}`);
