// Lints the CPU's kernels, which biome skips because it cannot parse AssemblyScript's decorators: line lengths, spaces,
// exported functions without a comment, unused imports, and mutable globals, which workers on one memory cannot share.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../../packages/skerry/src/cpu/assembly");
const MOST_LETTERS = 180;
const complaints = [];

for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
  if (!name.endsWith(".ts")) continue;
  const source = readFileSync(join(folder, name), "utf8");
  const lines = source.split("\n");
  const complain = (line, what) => complaints.push(`${name}:${line}: ${what}`);
  if (!source.startsWith("// ")) complain(1, "a file opens with what it holds");
  if (!source.endsWith("\n") || source.endsWith("\n\n")) complain(lines.length, "a file ends with one line break");
  lines.forEach((line, i) => {
    const comment = /^\s*(\/?\*|\/\/)/.test(line);
    if (/\s$/.test(line)) complain(i + 1, "spaces at the end of a line");
    if (line.includes("\t")) complain(i + 1, "a tab");
    if (!comment && line.length > MOST_LETTERS) complain(i + 1, `${line.length} letters in a line`);
    if (line === "" && lines[i + 1] === "") complain(i + 1, "two empty lines");
    if (/^(export )?(let|var) /.test(line)) complain(i + 1, "a global that changes");
    if (/^export function /.test(line)) {
      let above = i - 1;
      while (above >= 0 && /^(\/\/ @ts-ignore|@inline|@unmanaged)/.test(lines[above])) above--;
      const small = above < i - 1;
      if (!small && !/\*\/\s*$/.test(lines[above] ?? "")) complain(i + 1, "an exported function without a comment");
    }
  });
  for (const [whole, list] of source.matchAll(/import \{([^}]*)\} from/g)) {
    for (const imported of list
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean)) {
      const used = source.replace(whole, "").match(new RegExp(`\\b${imported}\\b`));
      if (!used) complain(1, `${imported} is imported and not used`);
    }
  }
}

for (const complaint of complaints) console.log(complaint);
if (complaints.length > 0) process.exitCode = 1;
else console.log("assembly: nothing to complain about");
