// Finds numbers in the CPU's host code that a kernel defines: sizes in bytes and codes. The host has to take them from
// LAYOUT, which is generated from src/cpu/assembly/layout.
//
//     size    the size of an allocation with a factor or a summand of more than 8 bytes; a constant whose name is a size
//     code    a table of constants of a file whose values are all small whole numbers
//
// A comment `host: REASON`, on the line or the one before, marks a place as right.
//
//     node scripts/lint/layouts.mjs

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, "packages/skerry/src/cpu");
/** Bytes of the largest element; smaller sizes are not reported. */
const ELEMENT_BYTES = 8;
const MOST_CODE = 64;

const isNumber = (node) => ts.isNumericLiteral(node);

/** Terms of the sums and products of a size. Arguments of calls are skipped, because they belong to other sizes. */
function* termsOf(node) {
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind;
    if (operator === ts.SyntaxKind.AsteriskToken || operator === ts.SyntaxKind.PlusToken) {
      yield* termsOf(node.left);
      yield* termsOf(node.right);
    }
  } else if (ts.isParenthesizedExpression(node)) yield* termsOf(node.expression);
  else if (ts.isConditionalExpression(node)) {
    yield* termsOf(node.whenTrue);
    yield* termsOf(node.whenFalse);
  } else yield node;
}

function broken(node) {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    if (!/^(allocate|lanes)$/.test(node.expression.name.text)) return undefined;
    const sizes = node.arguments.flatMap((argument) => [...termsOf(argument)]);
    return sizes.some((term) => isNumber(term) && Number(term.text) > ELEMENT_BYTES) ? "size" : undefined;
  }
  const isTop = ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent);
  if (!isTop || !node.initializer) return undefined;
  if (ts.isIdentifier(node.name) && /_BYTES$/.test(node.name.text) && isNumber(node.initializer)) return "size";
  const table = ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer;
  if (!ts.isObjectLiteralExpression(table) || table.properties.length < 2) return undefined;
  const isCode = (property) =>
    ts.isPropertyAssignment(property) &&
    isNumber(property.initializer) &&
    /^\d+$/.test(property.initializer.text) &&
    Number(property.initializer.text) <= MOST_CODE;
  return table.properties.every(isCode) ? "code" : undefined;
}

let faults = 0;
for (const name of readdirSync(folder).filter((each) => each.endsWith(".ts"))) {
  const file = join(folder, name);
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const rule = broken(node);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    if (rule && !/host: \S/.test(`${lines[line - 1] ?? ""}\n${lines[line]}`)) {
      console.error(`${relative(root, file)}:${line + 1}: ${rule}: ${lines[line].trim()}`);
      faults++;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
if (faults > 0) {
  console.error(`${faults} numbers that kernels own; take them from LAYOUT, or give a reason behind \`host:\``);
  process.exitCode = 1;
}
