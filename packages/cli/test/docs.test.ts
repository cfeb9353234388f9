// The README as readers follow it: its code runs as it stands, and nothing that README and docs link to is missing.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the README has at most 80 lines of at most 160 letters, and links the tour in the third", () => {
  const lines = readme.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(80);
  expect(lines.filter((line) => line.length > 160 && !line.startsWith("|"))).toEqual([]);
  expect(lines[2]).toContain("(docs/tour.md)");
});

test("the README's code has eight lines and runs as it stands", () => {
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(code.trimEnd().split("\n").length).toBe(8);
  // Beside the package, so that its import finds it.
  const folder = mkdtempSync(join(root, "packages/cli/test/readme-"));
  try {
    writeFileSync(join(folder, "code.mjs"), code);
    const out = execFileSync(process.execPath, [join(folder, "code.mjs")], { encoding: "utf8" });
    expect(out.replace(/\s+/g, " ").trim()).toBe(
      "2 Uint32Array(2) [ 3, 1 ] Uint32Array(12) [ 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 2 ]",
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the parts of docs that are made from the sources are what those say", () => {
  execFileSync(process.execPath, [join(root, "scripts/docs.mjs"), "--check"], { stdio: "pipe" });
});

test("every local link and picture of README and docs is there", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "samples/README.md",
    ...["docs", "docs/develop"].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `${folder}/${name}`),
    ),
  ];
  const missing: string[] = [];
  for (const page of pages) {
    const text = readFileSync(join(root, page), "utf8");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset)="([^"]+)"/g)];
    for (const [, link = ""] of links) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? join(root, page) : resolve(root, dirname(page), path);
      if (!existsSync(file)) missing.push(`${page}: ${link}`);
      else if (anchor !== undefined && !anchorsOf(file).has(anchor)) missing.push(`${page}: ${link}`);
    }
  }
  expect(missing).toEqual([]);
});

/** The anchors that GitHub gives a page's headings. */
function anchorsOf(file: string): Set<string> {
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    ),
  );
}
