// Blocks of code out of pages and docstrings, each with the place that it stands at. A block that is not run has a comment
// before it that says why: <!-- not run: reason -->.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../../..");

export interface Block {
  /** File and line. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
  /** Why it is not run. */
  readonly reason?: string | undefined;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The pages: README, docs, how-tos, and the READMEs of packages. */
export function pages(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name));
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name, "README.md"));
  const known = [
    "README.md",
    "CONTRIBUTING.md",
    ...below("docs"),
    ...below("docs/how-to"),
    ...below("docs/develop"),
    ...packages,
  ];
  return known.filter((name) => {
    try {
      return readFileSync(join(root, name)).length > 0;
    } catch {
      return false;
    }
  });
}

/** The blocks of a page. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), "utf8");
  const found = text.matchAll(/(?:<!-- not run: ([^>]+?) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...found].map(({ index, 1: reason, 2: language = "", 3: code = "" }) => ({
    place: `${page}:${lineOf(text, index)}`,
    language,
    code,
    reason,
  }));
}

/** The examples of docstrings; those of one docstring are one block, each in the scope of the ones before. */
export function examples(): Block[] {
  const blocks: Block[] = [];
  const packages = join(root, "packages");
  for (const name of readdirSync(packages)) {
    const folder = join(packages, name, "src");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((path) => path.endsWith(".ts") && !/generated|assembly/.test(path)).sort()) {
      const text = readFileSync(join(folder, file), "utf8");
      for (const { index, 0: comment } of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
        const lines = comment
          .replace(/\*\/$/, "")
          .split("\n")
          .map((line) => line.replace(/^\s*\/?\*+ ?/, ""));
        const parts = lines
          .join("\n")
          .split(/^@example\b/m)
          .slice(1);
        if (parts.length === 0) continue;
        const code = parts.map((part) => part.split(/^@\w+/m)[0]);
        const place = `${relative(root, join(folder, file))}:${lineOf(text, index)}`;
        blocks.push({ place, language: "js", code: code.join("\n{") + "\n}".repeat(code.length - 1) });
      }
    }
  }
  return blocks;
}

/** The commands of a block for the shell: continued lines joined, comments left out. */
export function commandsOf(code: string): string[] {
  return code
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/\s+# .*$/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
