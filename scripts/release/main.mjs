// Tries a release: builds, tests, packs every package and the wheel of Python, checks them, and prints what would be published.
// `npm run release -- --dry-run [--no-tests]`. `npm run release -- --rehearse` publishes to loopback and installs by name (rehearse.mjs). Only the workflow .github/workflows/release.yml publishes.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { rehearse } from "./rehearse.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dryRun = process.argv.includes("--dry-run");
if (!dryRun && !process.argv.includes("--rehearse")) {
  console.error("Expected --dry-run or --rehearse: packages are published by the workflow release.yml alone.");
  process.exit(2);
}

const faults = [];
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 26 });
const read = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/** The published packages, dependencies first. */
const ORDER = ["skerry", "files", "recipe", "cli"];
if (process.argv.includes("--rehearse")) {
  await rehearse(ORDER);
  process.exit();
}
const packages = ORDER.map((folder) => ({
  folder: `packages/${folder}`,
  manifest: read(`packages/${folder}/package.json`),
}));

const [{ manifest: first }] = packages;
const { version } = first;
const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
if (!new RegExp(`^## \\[(${version.replaceAll(".", "\\.")}|Unreleased)\\]`, "m").test(changelog)) {
  faults.push(`CHANGELOG.md has no section of ${version}`);
}
for (const { folder, manifest } of packages) {
  const { name, dependencies = {}, scripts = {}, repository, homepage, bugs, author, license } = manifest;
  if (manifest.version !== version) faults.push(`${name} is ${manifest.version}, skerry ${version}`);
  for (const [other, range] of Object.entries(dependencies)) {
    if (/^(skerry$|@skerry\/)/.test(other) && range !== version)
      faults.push(`${name} wants ${other} ${range}, not ${version}`);
  }
  for (const hook of ["preinstall", "install", "postinstall"])
    if (hook in scripts) faults.push(`${name} has a script ${hook}`);
  for (const [field, value] of Object.entries({ repository, homepage, bugs, author, license })) {
    if (!value) faults.push(`${name} has no ${field}`);
  }
  if (repository?.url !== first.repository.url || repository?.directory !== folder)
    faults.push(`${name} has another repository`);
  const text = readFileSync(join(root, folder, "README.md"), "utf8");
  for (const [, link] of text.matchAll(/\]\(([^)]+)\)/g)) {
    if (!/^https:/.test(link)) faults.push(`${name}: README.md links to ${link}, which npm's page has not`);
  }
  if (!/^npm install /m.test(text)) faults.push(`${name}: README.md does not tell how to install it`);
}

/** The version that a file of Python names. */
const named = (path, pattern) => pattern.exec(readFileSync(join(root, path), "utf8"))?.[1];
for (const [path, pattern] of [
  ["python/pyproject.toml", /^version = "(.+)"$/m],
  ["python/src/skerry/__init__.py", /^__version__ = "(.+)"$/m],
]) {
  if (named(path, pattern) !== version) faults.push(`${path} is ${named(path, pattern)}, skerry ${version}`);
}

console.log("building");
run("npm", ["run", "build"]);
if (!process.argv.includes("--no-tests")) {
  console.log("testing");
  run("npx", ["vitest", "run"]);
}

const folder = mkdtempSync(join(tmpdir(), "skerry-release-"));
const rows = [];
try {
  for (const { folder: own, manifest } of packages) {
    // Packs the build above. The prepack scripts would build again for each package.
    copyFileSync(join(root, "CHANGELOG.md"), join(root, own, "CHANGELOG.md"));
    const [packed] = JSON.parse(
      run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, "-w", manifest.name]),
    );
    const tarball = join(folder, packed.filename);
    const names = packed.files.map(({ path }) => path);
    for (const wanted of ["README.md", "LICENSE", "CHANGELOG.md", "package.json"]) {
      if (!names.includes(wanted)) faults.push(`${manifest.name}: ${wanted} is not in the tarball`);
    }
    const { messages } = await publint({ pkgDir: join(root, own), strict: true });
    for (const { code, path } of messages) faults.push(`${manifest.name}: publint says ${code} at ${path.join(".")}`);
    if (manifest.types) faults.push(...wrongTypes(manifest, tarball));
    rows.push({
      package: manifest.name,
      version,
      files: names.length,
      packed: packed.size,
      unpacked: packed.unpackedSize,
    });
  }
  rows.push(wheel());
} finally {
  rmSync(folder, { recursive: true });
}

/** Builds the wheel of the Python package, as its own row. */
function wheel() {
  // Files of an earlier build would come into the wheel.
  const clean = () => rmSync(join(root, "python/build"), { recursive: true, force: true });
  clean();
  run("node", ["python/build.mjs"]);
  run("python3", ["-m", "venv", join(folder, "venv")]);
  const pip = join(folder, "venv/bin/pip");
  run(pip, ["-q", "wheel", "--no-deps", "-w", join(folder, "wheels"), join(root, "python")]);
  clean();
  const [name] = readdirSync(join(folder, "wheels"));
  const path = join(folder, "wheels", name);
  const files = run("python3", ["-m", "zipfile", "-l", path]).trim().split("\n").slice(1);
  const unpacked = files.reduce((sum, line) => sum + Number(line.trim().split(" ").at(-1)), 0);
  const packed = statSync(path).size;
  if (packed > 1e6) faults.push(`${name} has ${packed} bytes, more than 1 MB`);
  return { package: `${name} (PyPI)`, version, files: files.length, packed, unpacked };
}

/** Faults of types that do not resolve like the code. */
function wrongTypes({ name }, tarball) {
  try {
    // Workers are started, not imported: they have no types.
    run("npx", [
      "attw",
      tarball,
      "--profile",
      "esm-only",
      "--no-emoji",
      "--format",
      "ascii",
      "--exclude-entrypoints",
      "./worker",
    ]);
    return [];
  } catch (error) {
    return [`${name}: arethetypeswrong says\n${error.stdout}`];
  }
}

console.table(rows);
if (faults.length > 0) {
  for (const fault of faults) console.error(fault);
  process.exit(1);
}
console.log(
  `${rows.length} packages of ${version} could be published, in this order; the last one on PyPI. Nothing was.`,
);
