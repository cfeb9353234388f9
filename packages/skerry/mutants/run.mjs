// Whether the tests notice mistakes in kernels: applies one mutant at a time to a copy of the project, builds it and runs the
// tests that are about it. By hand, not in CI: it takes two hours on two cores, and some minutes on sixteen.
//
//     node packages/skerry/mutants/run.mjs [--jobs N] [--from N] [--to N] [--only TEXT]
//
// Mutants of WGSL need a GPU adapter, e.g. SwiftShader by VK_ICD_FILENAMES; without one they are skipped, and that is said.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { transformSync } from "esbuild";
import { MUTANTS } from "./list.mjs";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
    to: { type: "string", default: String(MUTANTS.length) },
    only: { type: "string", default: "" },
  },
});
const root = fileURLToPath(new URL("../../../", import.meta.url));
const LEFT_OUT = ["node_modules", ".git", ".gpu", ".peers"];

/** A copy of the project whose `skerry` is its own, and whose other packages are those of the project. */
function makeCopy() {
  const copy = mkdtempSync(join(tmpdir(), "skerry-mutants-"));
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) });
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    const to = name === "skerry" ? join(copy, "packages/skerry") : join(root, "node_modules", name);
    symlinkSync(to, join(copy, "node_modules", name));
  }
  return copy;
}

function run(args, options) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { ...options, timeout: 600_000 });
    let out = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (out += data));
    child.on("close", (code) => resolve({ code, out }));
  });
}

/** Kernels anew, in src/generated and in dist; false where the mutant does not compile. */
async function build(copy) {
  const skerry = join(copy, "packages/skerry");
  const { code } = await run(["scripts/embed.mjs"], { cwd: skerry });
  if (code !== 0) return false;
  for (const name of ["wasm", "wgsl"]) {
    const source = readFileSync(join(skerry, `src/generated/${name}.ts`), "utf8");
    writeFileSync(join(skerry, `dist/generated/${name}.js`), transformSync(source, { loader: "ts" }).code);
  }
  return true;
}

/** The first test that fails, or undefined. */
async function firstFailure(copy, tests, gpu) {
  const files = tests.map((name) => `packages/skerry/test/${name}.test.ts`);
  const env = { ...process.env, ...(gpu ? { SKERRY_REQUIRE_GPU: "1" } : {}) };
  if (!gpu) for (const name of ["VK_ICD_FILENAMES", "VK_DRIVER_FILES", "SKERRY_REQUIRE_GPU"]) delete env[name];
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { code, out } = await run([vitest, "run", "--bail", "1", "--reporter", "json", ...files], { cwd: copy, env });
  if (code === 0) return undefined;
  return /"status":"failed","title":"([^"]*)"/.exec(out)?.[1] ?? (code === null ? "(no end)" : out.trim().slice(-200));
}

const adapter = ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"].some((name) => process.env[name] !== undefined);
const wanted = MUTANTS.map((mutant, index) => ({
  ...mutant,
  number: index + 1,
  name: `${mutant.file.slice(4)}: ${mutant.from.trim().split("\n")[0].slice(0, 70)}`,
})).filter(({ number, name }) => {
  return number >= Number(values.from) && number <= Number(values.to) && name.includes(values.only);
});
const copies = Array.from({ length: Number(values.jobs) }, makeCopy);
// What fails without any mutant would catch them all.
const tests = [...new Set(wanted.flatMap((mutant) => mutant.tests))];
const already = await firstFailure(copies[0], tests, adapter);
if (already) throw new Error(`Expected the tests to pass without a mutant, but one fails: ${already}`);

const tally = { caught: 0, survived: 0, skipped: 0, broken: 0 };
async function tryOut(copy, { number, name, file, from, to, tests, gpu }) {
  const path = join(copy, "packages/skerry", file);
  const source = readFileSync(path, "utf8");
  if (!source.includes(from)) throw new Error(`${number} ${name}: the text is not there`);
  if (gpu && !adapter) return { outcome: "skipped" };
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  const built = await build(copy);
  const failure = built ? await firstFailure(copy, tests, gpu) : undefined;
  writeFileSync(path, source);
  return { outcome: !built ? "broken" : failure ? "caught" : "survived", failure };
}
const queue = [...wanted];
await Promise.all(
  copies.map(async (copy) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const { outcome, failure } = await tryOut(copy, mutant);
      tally[outcome]++;
      console.log(`${outcome.padEnd(8)} ${mutant.number} ${mutant.name}${failure ? `\n         by "${failure}"` : ""}`);
    }
  }),
);
for (const copy of copies) rmSync(copy, { recursive: true });
console.log(
  `${tally.caught} caught, ${tally.survived} survived, ${tally.broken} do not compile, ${tally.skipped} skipped`,
);
