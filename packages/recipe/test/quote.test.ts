// Names in printed code stay names: of TypeScript, of a shell, of comments.

import { spawnSync } from "node:child_process";
import { check, type Recipe, toCommand, toTypeScript } from "@skerry/recipe";
import { quotedForComment, quotedForShell } from "@skerry/recipe/internal";
import fc from "fast-check";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const NASTY = [
  "\n",
  "\r",
  "\u2028",
  "\u2029",
  "\0",
  "'",
  '"',
  "`",
  "\\",
  "$(",
  ")",
  "*/",
  "//",
  "#",
  "${",
  "}",
  ";",
  " ",
  "-",
  "=",
  ":",
  "é",
];
const name = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ minLength: 1, maxLength: 4 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""));
const SEED = 20261126;

/** The kinds of a program's statements, in order, with the comments left out. */
function statementsOf(text: string): string[] {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2022, true);
  expect((file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics).toEqual([]);
  return file.statements.map((statement) => `${ts.SyntaxKind[statement.kind]} ${statement.getText().length > 0}`);
}

describe("names in printed code", () => {
  test("a program has the same statements whatever a file is called", () => {
    const recipe = (file: string): Recipe => ({
      skerry: 1,
      operation: "components",
      options: { threshold: { above: 5 } },
      input: { intensity: ["a.tif", `other=${file}`], within: file },
    });
    const plain = statementsOf(toTypeScript(recipe("b.tif")));
    fc.assert(
      fc.property(name, (own) => {
        // A name may itself hold "=" and ":", which select; only recipes that are taken are printed.
        const one = recipe(own);
        try {
          check(one);
        } catch {
          return;
        }
        expect(statementsOf(toTypeScript(one))).toEqual(plain);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("a shell takes every name as one word, and comments end where the line does", () => {
    const names = fc.sample(
      name.filter((own) => !own.includes("\0")),
      { seed: SEED, numRuns: 300 },
    );
    const script = names.map((own) => `printf '%s\\0' ${quotedForShell(own)}`).join("\n");
    const lines = names.map((own) => `# ${quotedForComment(own)}`).join("\n");
    const told = spawnSync("sh", ["-s"], { input: `${lines}\n${script}\n`, encoding: "utf8" });
    expect(told.stderr).toBe("");
    expect(told.stdout.split("\0").slice(0, -1)).toEqual(names);
    expect(lines.split(/[\n\r\u2028\u2029]/).length).toBe(names.length);
    expect(toCommand({ skerry: 1, operation: "mask" }, "it's; rm -rf *").text).toBe(
      "npx @skerry/cli mask 'it'\\''s; rm -rf *'",
    );
  });
});
