// Whether the tests notice mistakes in kernels: applies one mutant at a time to a copy of the project, builds it and runs the
// tests that are about it. By hand, not in CI: it takes about an hour on two cores.
//
//     node packages/skerry/mutants/run.mjs [--from N] [--to N] [--only TEXT]
//
// Mutants of WGSL need a GPU adapter, e.g. SwiftShader by VK_ICD_FILENAMES; without one they are skipped, and that is said.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { transformSync } from "esbuild";
import { MUTANTS } from "./list.mjs";

const { values } = parseArgs({
  options: { from: { type: "string" }, to: { type: "string" }, only: { type: "string", default: "" } },
});
const root = fileURLToPath(new URL("../../../", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "skerry-mutants-"));
const skerry = join(copy, "packages/skerry");

/** The tracked files, the builds, and the packages that are installed; `skerry` is the copy. */
function makeCopy() {
  for (const file of execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const built of ["packages/skerry/dist", "packages/skerry/src/generated", "packages/cli/dist"]) {
    cpSync(join(root, built), join(copy, built), { recursive: true });
  }
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name === "skerry") symlinkSync(skerry, join(copy, "node_modules/skerry"));
    else symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  }
}

/** Kernels anew, in src/generated and in dist; false where the mutant does not compile. */
function build() {
  const { status } = spawnSync(process.execPath, ["scripts/embed.mjs"], { cwd: skerry });
  if (status !== 0) return false;
  for (const name of ["wasm", "wgsl"]) {
    const source = readFileSync(join(skerry, `src/generated/${name}.ts`), "utf8");
    writeFileSync(join(skerry, `dist/generated/${name}.js`), transformSync(source, { loader: "ts" }).code);
  }
  return true;
}

/** The first test that fails, or undefined. */
function firstFailure({ tests, gpu }) {
  const files = tests.map((name) => `packages/skerry/test/${name}.test.ts`);
  const env = { ...process.env, ...(gpu ? { SKERRY_REQUIRE_GPU: "1" } : {}) };
  if (!gpu) for (const name of ["VK_ICD_FILENAMES", "VK_DRIVER_FILES"]) delete env[name];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--bail", "1", "--reporter", "json", ...files],
    { cwd: copy, env, encoding: "utf8", maxBuffer: 1 << 28, timeout: 600_000 },
  );
  if (status === 0) return undefined;
  const failed = /"status":"failed","title":"([^"]*)"/.exec(stdout)?.[1];
  return failed ?? (status === null ? "(no end)" : `(${(stderr || stdout).trim().split("\n").at(-1)?.slice(0, 80)})`);
}

makeCopy();
// What fails without any mutant would catch them all.
const broken = firstFailure({ tests: [...new Set(MUTANTS.flatMap(({ tests }) => tests))], gpu: false });
if (broken) throw new Error(`Expected the tests to pass without a mutant, but one fails: ${broken}`);
const adapter = process.env.VK_ICD_FILENAMES !== undefined || process.env.SKERRY_REQUIRE_GPU === "1";
const tally = { caught: 0, survived: 0, skipped: 0, broken: 0 };
const from = Number(values.from ?? 1);
const to = Number(values.to ?? MUTANTS.length);
for (const [index, mutant] of MUTANTS.entries()) {
  const name = `${index + 1} ${mutant.file.slice(4)}: ${mutant.from.trim().split("\n")[0].slice(0, 70)}`;
  if (index + 1 < from || index + 1 > to || !name.includes(values.only)) continue;
  const path = join(skerry, mutant.file);
  const source = readFileSync(path, "utf8");
  if (!source.includes(mutant.from)) throw new Error(`${name}: the text is not there`);
  let outcome;
  if (mutant.gpu && !adapter) {
    outcome = "skipped";
  } else {
    writeFileSync(
      path,
      source.replace(mutant.from, () => mutant.to),
    );
    const built = build();
    const failure = built ? firstFailure(mutant) : undefined;
    outcome = !built ? "broken" : failure ? "caught" : "survived";
    writeFileSync(path, source);
    if (failure) console.log(`  by "${failure}"`);
  }
  tally[outcome]++;
  console.log(`${outcome.padEnd(8)} ${name}`);
}
rmSync(copy, { recursive: true });
console.log(
  `${tally.caught} caught, ${tally.survived} survived, ${tally.broken} do not compile, ${tally.skipped} skipped`,
);
