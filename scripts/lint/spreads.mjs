// Finds literals that are spread into literals, `{ ...{ a, b } }`, `[...[a, b]]` and `{ ...(c ? { a } : {}) }`: TypeScript does not check the
// names of their fields, so that a misspelt one compiles. A field that may be undefined is `defined({ a })` (core/defined.ts).
//
//     node scripts/lint/spreads.mjs [--fix]

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const fix = process.argv.includes("--fix");

/** The literal that a spread takes in, if it is one. */
function spreadLiteral(node) {
  if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return undefined;
  let inner = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  const fits = ts.isSpreadAssignment(node) ? ts.isObjectLiteralExpression(inner) : ts.isArrayLiteralExpression(inner);
  return fits ? inner : undefined;
}

/** Whether a spread takes in a literal of an object on a condition. */
function isConditional(node) {
  if (!ts.isSpreadAssignment(node)) return false;
  const inner = (expression) => (ts.isParenthesizedExpression(expression) ? inner(expression.expression) : expression);
  const holds = (expression) => {
    const own = inner(expression);
    if (ts.isObjectLiteralExpression(own)) return own.properties.length > 0;
    if (ts.isAsExpression(own)) return holds(own.expression);
    if (ts.isConditionalExpression(own)) return holds(own.whenTrue) || holds(own.whenFalse);
    return ts.isBinaryExpression(own) && holds(own.right);
  };
  return !ts.isObjectLiteralExpression(inner(node.expression)) && holds(node.expression);
}

/** Spread literals of a file, outer ones before those within them. */
function spreadsOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const conditional = [];
  const visit = (node) => {
    const literal = spreadLiteral(node);
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (literal) found.push({ node, literal, line });
    else if (isInSource(path) && isConditional(node)) conditional.push(line);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { found, conditional };
}

/** Tests and scripts have nothing that checks their fields. */
const isInSource = (path) => /packages\/\w+\/src\//.test(path);

const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "packages", "scripts"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed
  .split("\n")
  .filter((name) => /\.(m?tsx?|mjs|js)$/.test(name) && !/\/(generated|dist)\//.test(name));
let count = 0;
let left = 0;
for (const name of files) {
  const path = resolve(root, name);
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // Listed by git, and removed since.
    continue;
  }
  const before = text;
  const { conditional } = spreadsOf(path, text);
  for (const line of conditional)
    console.error(`${name}:${line}: a literal that is spread on a condition; write defined({ ... })`);
  left += conditional.length;
  for (let { found: spreads } = spreadsOf(path, text); spreads.length > 0; spreads = spreadsOf(path, text).found) {
    if (!fix) {
      for (const { line } of spreads) console.error(`${name}:${line}: a literal that is spread into a literal`);
      count += spreads.length;
      break;
    }
    // The last one has no other within it that comes later, so that places before it stay.
    const { node, literal } = spreads.at(-1);
    const inner = text
      .slice(literal.getStart() + 1, literal.getEnd() - 1)
      .trim()
      .replace(/,$/, "");
    const rest = inner === "" ? text.slice(node.getEnd()).replace(/^\s*,/, "") : text.slice(node.getEnd());
    text = text.slice(0, node.getStart()) + inner + rest;
    count++;
  }
  if (text !== before) writeFileSync(path, text);
}
console.log(`${count} literals that are spread into literals${fix ? ", unwrapped" : ""}, ${left} on a condition`);
if ((count > 0 && !fix) || left > 0) process.exitCode = 1;
