// Runs every check of the sources and pages, several at once, and prints what each that fails says: biome, markdownlint, docs/limits.md,
// the reference, and those of scripts/lint. With names it runs those alone.
//
//     npm run lint [-- NAME...]

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What a check is called with, beside its file: these two also list or change things. */
const FLAGS = { budget: ["--check"], readability: ["--check"] };

const checks = new Map([
  ["biome", ["node_modules/@biomejs/biome/bin/biome", "check", "."]],
  ["markdownlint", ["node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs"]],
  // Follows constants of the sources, which are added without a thought of docs.
  ["limits", ["scripts/docs/limits.mjs", "--check"]],
  // Public names without a description, an example or their errors.
  ["reference", ["scripts/site/main.mjs", "--check"]],
  ...readdirSync(`${root}scripts/lint`)
    .sort()
    .map((file) => [file.replace(".mjs", ""), [`scripts/lint/${file}`, ...(FLAGS[file.replace(".mjs", "")] ?? [])]]),
]);

const named = process.argv.slice(2);
const unknown = named.find((name) => !checks.has(name));
if (unknown !== undefined) {
  console.error(`There is no check "${unknown}". There are ${[...checks.keys()].join(", ")}.`);
  process.exit(2);
}

const waiting = [...checks].filter(([name]) => named.length === 0 || named.includes(name));
const failed = [];

/** Runs checks until none is waiting. */
async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, words] = next;
    const { code, text } = await new Promise((done) => {
      const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
      const pieces = [];
      child.stdout.on("data", (piece) => pieces.push(piece));
      child.stderr.on("data", (piece) => pieces.push(piece));
      child.on("close", (code) => done({ code, text: Buffer.concat(pieces).toString().trim() }));
    });
    if (code !== 0) failed.push(name);
    console.log(code === 0 ? `${name}: ${text.split("\n").at(-1)}` : `${name} failed\n${text}\n`);
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(", ")}`);
  process.exit(1);
}
